"""Positions to test on, reached by random and by advised play, for every setting of every game."""

from collections.abc import Iterable
from functools import cache
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from diablerie.engine import verbs
from diablerie.engine.game import Game
from diablerie.engine.match import Match
from diablerie.engine.queries import chance_outcomes, legal_actions
from diablerie.engine.record import Record, copy
from diablerie.engine.rng import below, seeded, weighted
from diablerie.engine.verbs import CHANCE, OVER, WATCHER
from diablerie.games import ALL

LIMIT = 20_000  # steps; no game is longer


class GameSetting(NamedTuple):
    """A game with its number of seats and options."""

    name: str
    seats: int
    options: tuple[tuple[str, Any], ...] = ()

    @property
    def game(self) -> Game:
        """The game."""
        return ALL[self.name]

    def start(self) -> Record:
        """Its first state."""
        return self.game.start(self.seats, dict(self.options))

    def __str__(self) -> str:
        chosen = "-".join(f"{k}={v}" for k, v in self.options)
        return "-".join(filter(None, [self.name, str(self.seats), chosen.replace(" ", "")]))


def all_settings(names: Iterable[str] = ()) -> list[GameSetting]:
    """All settings: each game and number of players, with defaults and with each option's samples.

    names: the games, all if there are none.
    """
    settings = []
    for name in names or ALL:
        game = ALL[name]
        for seats in game.seats:
            settings.append(GameSetting(name, seats))
            for option in game.options:
                settings += [GameSetting(name, seats, ((option.name, v),)) for v in option.samples]
    return settings


def choose_action(game: Game, s: Record, rng: Any, advised: bool) -> tuple[int, int]:
    """Who acts in `s`, and an action: random, or the game's advice; chance is always random."""
    who = verbs.actor(s)
    if who == CHANCE:
        outcomes, p = chance_outcomes(game, s)
        return who, outcomes[weighted(rng, np.array(p), len(p))]
    if advised:
        return who, verbs.advise(s, who, rng)
    possible = legal_actions(game, s, who)
    return who, possible[below(rng, len(possible))]


@cache
def states_of_game(
    setting: GameSetting, seed: int = 1, advised: bool = False
) -> tuple[Record, ...]:
    """All states of one game, from the start to the end."""
    rng, s = seeded(seed), setting.start()
    states = [copy(s)]
    while verbs.actor(s) != OVER and len(states) < LIMIT:
        verbs.apply(s, *choose_action(setting.game, s, rng, advised))
        states.append(copy(s))
    return tuple(states)


def positions(setting: GameSetting, count: int = 12) -> list[Record]:
    """About `count` states spread over a random game and as many over an advised one."""
    chosen = []
    for advised in (False, True):
        states = states_of_game(setting, 1, advised)
        picks = {round(i * (len(states) - 1) / (count - 1)) for i in range(count)}
        chosen += [copy(states[i]) for i in sorted(picks)]
    return chosen


@cache
def by_node(setting: GameSetting, each: int = 3, games: int = 2) -> dict[int, list[Record]]:
    """Up to `each` states of every node that `games` random and as many advised games reach."""
    states_at: dict[int, list[Record]] = {}
    for seed, advised in product(range(1, games + 1), (False, True)):
        reached: dict[int, list[Record]] = {}
        for s in states_of_game(setting, seed, advised):
            reached.setdefault(int(s.node), []).append(s)
        for node, states in reached.items():
            chosen = states_at.setdefault(node, [])
            if lacking := each - len(chosen):
                chosen += states[:: max(1, len(states) // lacking)][:lacking]
    return states_at


def viewers(setting: GameSetting) -> list[int]:
    """All viewers: a watcher and every seat."""
    return [WATCHER, *range(setting.seats)]


def waiting(setting: GameSetting, s: Record) -> list[int]:
    """The seats that are to decide."""
    return [i for i in range(setting.seats) if verbs.pending(s) >> i & 1]


def played_match(setting: GameSetting, decisions: int, seed: int = 3) -> Match:
    """A match after so many random decisions, or fewer if it is over before."""
    match = Match.new(setting.game, seats=setting.seats, seed=seed, options=dict(setting.options))
    rng = seeded(seed)
    for _ in range(decisions):
        if match.over:
            break
        seat, action = choose_action(setting.game, match.state, rng, False)
        match.play(setting.game.notation.format_action(match.state, seat, action), seat)
    return match
