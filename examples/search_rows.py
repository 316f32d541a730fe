"""Search over vectors: flat Monte Carlo by forks of a batch: search_rows.py 24 (games) 48 (playouts)

Before each decision all games are forked together: a fork begins with one of the legal actions, draws
chance of its own, and is played to its end at random against `sensible`. TAILS hides nothing. Where
something is hidden, such a search would see it: forks have the true position.
"""

import sys

import numpy as np

import diablerie
from diablerie.lab.statistics import mean_estimate

SETTINGS = {"players": ("", "sensible"), "autoreset": "disabled", "mask": "none"}


def searched(games, forks, seed):
    """For each game the action that won most in its forks: integers (games.n,)."""
    each = forks.n // games.n
    rows = np.repeat(np.arange(games.n), each)
    turn = np.tile(np.arange(each), games.n) % np.maximum(1, games.count[rows])
    forks.restore(games.save(), rows=rows, seed=seed)
    forks.step(games.actions[rows, turn])
    won = forks.rewards[:, 0].copy()
    while forks.count.any():
        forks.step(forks.sample())
        won += forks.rewards[:, 0]
    value, tried = np.zeros((2, games.n, turn.max() + 1))
    np.add.at(value, (rows, turn), won)
    np.add.at(tried, (rows, turn), 1)
    best = np.where(tried > 0, value / np.maximum(1, tried), -np.inf).argmax(1)
    return games.actions[np.arange(games.n), best]


def played(n, choose):
    """The utilities that seat 0 wins in n games when it chooses so: float64 (n,)."""
    games = diablerie.batch("tails", n, seed=1, **SETTINGS)
    games.reset()
    won = np.zeros(n)
    while games.count.any():
        games.step(choose(games))
        won += games.rewards[:, 0]
    return won


def main(n=24, playouts=48):
    forks = diablerie.batch("tails", n * playouts, **SETTINGS)
    seeds = iter(range(10_000))
    at_random = played(n, lambda games: games.sample())
    search = played(n, lambda games: searched(games, forks, next(seeds)))
    for who, won in (("random", at_random), ("search", search)):
        share = mean_estimate((1 + won) / 2)
        print(f"{who} wins {share.value:.1%} [{share.low:.1%}, {share.high:.1%}] against sensible")
    gain = mean_estimate((search - at_random) / 2)
    print(
        f"the search wins {gain.value:+.1%} [{gain.low:+.1%}, {gain.high:+.1%}] more of the same games"
    )


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
