"""Positions to test on, reached by random and by advised play, for every setting of every game."""

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import product
from typing import NamedTuple

import numpy as np

from diablerie.engine import verbs
from diablerie.engine.game import Game
from diablerie.engine.match import Match
from diablerie.engine.queries import redacted
from diablerie.engine.record import Record, copy
from diablerie.engine.rng import Rng, below, seeded, weighted
from diablerie.engine.verbs import CHANCE, OVER, WATCHER
from diablerie.games import ALL
from diablerie.testing.buffers import checked_chance, checked_legal

MOST_STEPS = 20_000  # steps; no game is longer
# random ones of each setting, and as many advised ones, that positions are taken from
GAMES_SAMPLED = 2


class GameSetting(NamedTuple):
    """A game with its number of seats and options."""

    name: str
    seats: int
    options: tuple[tuple[str, object], ...] = ()

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


def choose_action(game: Game, s: Record, rng: Rng, advised: bool) -> tuple[int, int]:
    """Who acts in `s`, and an action: random, or the game's advice; chance is always random.

    Raises AssertionError if the rules name nobody who could act, or nothing that could be done.
    """
    who = verbs.actor(s)
    if who == CHANCE:
        outcomes, p = checked_chance(game, s)
        assert outcomes, f"chance lists no outcome at {game.node(s.node).name}"
        return who, outcomes[weighted(rng, np.array(p), len(p))]
    assert 0 <= who < game.seats[-1], f"actor is {who}, neither a seat nor CHANCE nor OVER"
    if advised:
        return who, verbs.advise(s, who, rng)
    possible = checked_legal(game, s, who)
    assert possible, f"seat {who} is to decide, but legal lists nothing"
    return who, possible[below(rng, len(possible))]


Choice = Callable[[Record], tuple[int, int]]  # who acts in a state, and the action


def played_on(s: Record, choose: Choice, limit: int) -> Iterator[tuple[int, int]]:
    """Play `s` on to its end, `limit` steps at most; yield each step before it is done."""
    for _ in range(limit):
        if verbs.actor(s) == OVER:
            return
        act = choose(s)
        yield act
        verbs.apply(s, *act)


class PlayedGame(NamedTuple):
    """A game from its start to its end: `acts[i]`, (who, what), leads from `states[i]` on."""

    states: tuple[Record, ...]
    acts: tuple[tuple[int, int], ...]


@cache
def play_game(setting: GameSetting, seed: int = 1, advised: bool = False) -> PlayedGame:
    """One game, at random or after the game's advice. Raises AssertionError as `choose_action`."""
    rng = seeded(seed)
    s = setting.start()
    states = []
    acts = []
    for act in played_on(s, lambda s: choose_action(setting.game, s, rng, advised), MOST_STEPS - 1):
        states.append(copy(s))
        acts.append(act)
    return PlayedGame((*states, copy(s)), tuple(acts))


def played_games(setting: GameSetting) -> list[PlayedGame]:
    """The games that positions are taken from: random and advised ones in turn."""
    return [play_game(setting, *how) for how in product(range(1, GAMES_SAMPLED + 1), (False, True))]


def states_of_game(
    setting: GameSetting, seed: int = 1, advised: bool = False
) -> tuple[Record, ...]:
    """All states of one game, from the start to the end."""
    return play_game(setting, seed, advised).states


def positions(setting: GameSetting, count: int = 12) -> list[Record]:
    """About `count` states spread over a random game and as many over an advised one."""
    chosen = []
    for advised in (False, True):
        states = states_of_game(setting, 1, advised)
        picks = {round(i * (len(states) - 1) / (count - 1)) for i in range(count)}
        chosen += [copy(states[i]) for i in sorted(picks)]
    return chosen


class PlaceInGame(NamedTuple):
    """A state of a played game, by how many steps lead to it."""

    game: PlayedGame
    step: int

    @property
    def state(self) -> Record:
        """The state."""
        return self.game.states[self.step]


@cache
def places_by_node(setting: GameSetting) -> dict[int, list[PlaceInGame]]:
    """Up to three places of every node that the played games reach."""
    places_at: dict[int, list[PlaceInGame]] = {}
    for game in played_games(setting):
        reached: dict[int, list[PlaceInGame]] = {}
        for i, s in enumerate(game.states):
            reached.setdefault(s.node, []).append(PlaceInGame(game, i))
        for node, places in reached.items():
            chosen = places_at.setdefault(node, [])
            if lacking := 3 - len(chosen):
                chosen += places[:: max(1, len(places) // lacking)][:lacking]
    return places_at


def node_states(setting: GameSetting) -> list[Record]:
    """Up to three states of every node that the played games come to."""
    return [place.state for places in places_by_node(setting).values() for place in places]


def viewers(setting: GameSetting) -> list[int]:
    """All viewers: a watcher and every seat."""
    return [WATCHER, *range(setting.seats)]


def waiting(setting: GameSetting, s: Record) -> list[int]:
    """The seats that are to decide."""
    return [i for i in range(setting.seats) if verbs.pending(s) >> i & 1]


def viewed(setting: GameSetting, count: int = 12) -> Iterator[tuple[Record, int, Record]]:
    """The `positions` with every viewer, and what it sees of them."""
    for s, viewer in product(positions(setting, count), viewers(setting)):
        yield s, viewer, redacted(s, viewer)


def decided(setting: GameSetting, count: int = 12) -> Iterator[tuple[Record, int]]:
    """The `positions` with every seat that is to decide."""
    for s in positions(setting, count):
        for seat in waiting(setting, s):
            yield s, seat


def played_match(setting: GameSetting, decisions: int) -> Match:
    """A match after so many random decisions, or fewer if it is over before."""
    match = Match.new(setting.game, seats=setting.seats, seed=3, options=dict(setting.options))
    rng = seeded(3)
    for _ in range(decisions):
        if match.over:
            break
        seat, action = choose_action(setting.game, match.state, rng, False)
        match.play(setting.game.notation.format_action(match.state, seat, action), seat)
    return match


def unfinished_match(setting: GameSetting, decisions: int) -> Match:
    """A match after so many decisions at random, or fewer, before which it was not over."""
    match = played_match(setting, decisions)
    while match.over and decisions:
        decisions -= 1 + decisions // 3
        match = played_match(setting, decisions)
    return match
