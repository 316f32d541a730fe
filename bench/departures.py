"""What it is worth to leave the game's advice: what a search would do instead, played to the end.

At decisions drawn from advised games a search says what it would do, for several degrees of doubt.
Each such action, and what is advised, is followed by games of sensible players with the same
guesses and the same luck. Where a search gains nothing so, it will hardly beat `sensible`: these
are positions that sensible players reach, and each departure is taken alone.
"""

from collections.abc import Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from bench.timing import note
from diablerie.bots.rollouts import Rollouts
from diablerie.bots.searcher import HAND, SearchBot, best_or_advised
from diablerie.engine import verbs
from diablerie.engine.game import Game
from diablerie.engine.playout import buffers, playout
from diablerie.engine.queries import redacted
from diablerie.engine.record import Record, copy
from diablerie.engine.rng import seeded, unit
from diablerie.games import OURS
from diablerie.values import weights_file

DOUBTS = (2.0, 1.0, 0.3)  # standard errors by which an action must be better
ITERATIONS, POSITIONS, SHARE = 1000, 150, 0.1  # of a search; in all; of the decisions of a game
ROUND, ROUNDS = 10, 40  # games with one luck after each action, and how many lucks


def table() -> None:
    """For each game, value and doubt: how often the advice is left, and what that is worth."""
    for game in OURS:
        if game.appraise:  # it is not searched
            continue
        weights = weights_file.bundled_weights(game)
        for value in (HAND, "")[: 1 + bool(weights and weights.weights(2) is not None)]:
            for doubt, worth in departures(game, value, POSITIONS).items():
                left = worth[~np.isnan(worth)]
                all_of_them = np.nan_to_num(worth)
                error = 1.96 * all_of_them.std() / np.sqrt(len(worth))
                note(
                    f"{game.name:11} {value or 'learnt':7} doubt {doubt:3}: "
                    f"leaves {len(left) / len(worth):6.1%}, gains "
                    f"{1000 * all_of_them.mean():+6.1f} ± {1000 * error:4.1f} thousandths each time"
                )


def departures(game: Game, value: str, count: int) -> Mapping[float, NDArray[np.float64]]:
    """By doubt, what was gained at each of `count` decisions (returns); NaN: as is advised."""
    bot, games = SearchBot(game, n=ITERATIONS, value=value), Rollouts(game)
    found: dict[float, list[float]] = {doubt: [] for doubt in DOUBTS}
    for place, (seen, seat) in zip(range(count), decisions(game), strict=False):
        thought = bot.think(seen, seat, seeded(place))
        known: dict[int, float] = {}
        for doubt in DOUBTS:
            action = best_or_advised(thought.actions, thought.advised, seat, doubt)
            for one in {action, thought.advised} - known.keys():
                known[one] = played_on(games, seen, seat, one, place)
            gain = known[action] - known[thought.advised]
            found[doubt].append(gain if action != thought.advised else np.nan)
    return {doubt: np.array(gains) for doubt, gains in found.items()}


def decisions(game: Game) -> Iterator[tuple[Record, int]]:
    """Decisions of advised games for two, drawn by lot: what the seat sees, and the seat."""
    rng, lot, (out, p) = seeded(1), seeded(2), buffers(game)
    while True:
        s = game.start(2)
        while (seat := verbs.actor(s)) != verbs.OVER:
            if seat == verbs.CHANCE:
                playout(s, rng, out, p, 1)
                continue
            seen = redacted(s, seat)
            if verbs.legal(seen, seat, out) > 1 and unit(lot) < SHARE:
                yield copy(seen), seat
            verbs.apply(s, seat, verbs.advise(seen, seat, rng))


def played_on(games: Rollouts, seen: Record, seat: int, action: int, place: int) -> float:
    """The mean return of an action for two, by games of sensible players after it."""
    total = 0.0
    for k in range(ROUNDS):
        chances = games.chances(seen, seeded(1000 * place + k), ROUND, seat, action)
        total += chances[seat] - chances[1 - seat]
    return total / ROUNDS
