"""The games of a simulation: its config, the chunks of games that workers play, and their counts."""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import product
from typing import Any, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

import diablerie
from diablerie.bots.spec import parse_bot
from diablerie.engine import verbs
from diablerie.engine.game import Game
from diablerie.engine.match import Match
from diablerie.engine.playout import NO_FIRST_SEAT, buffers, play_games
from diablerie.engine.record import Record, from_bytes
from diablerie.engine.text import say
from diablerie.engine.verbs import CHANCE, SEATS
from diablerie.lab.running.errors import BadConfig, BotFailure, JobStopped
from diablerie.lab.running.matches import Fixture, MatchRunner, replayed
from diablerie.lab.running.processes import Stop
from diablerie.lab.running.settings import (
    SimulationSettings,
    StudyConfig,
    check_players,
    option_texts,
    origin,
    seed_for,
    settled,
    split_specs,
)

SIMULATION_FORMAT = 1  # of the file
MAX_SETTINGS = 48
COMPILED_CHUNK = 500  # games of a chunk that one compiled loop plays
MAX_STEPS = 1_000_000  # of a game; a longer one is a mistake in the rules or the advice
MAX_NODES = 32  # more than any game has
Arrays = tuple[NDArray[np.void], NDArray[np.void]]  # counts and last states of games, (games,)

# Counts of one game: decisions, outcomes of chance, who begins (NO_FIRST_SEAT if that is unknown), the
# node of the last step, decisions by node, and everybody's return
GAME_COUNTS = np.dtype(
    [
        ("decisions", "i4"),
        ("draws", "i4"),
        ("first", "i4"),
        ("last", "i4"),
        ("visits", "i4", (MAX_NODES,)),
        ("returns", "f8", (SEATS,)),
    ]
)


class SimulationSetting(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a set of games has in common. players: one spec, or one for each side."""

    label: str  # the values that vary between settings, "" if nothing does
    seats: int
    options: dict[str, str]
    players: tuple[str, ...]


class SimulationConfig(StudyConfig, frozen=True):
    """Everything that fixes the results of a simulation: the first line of its file."""

    simulation: int  # the format of the file
    settings: tuple[SimulationSetting, ...]
    games: int  # of each setting
    seed: int

    @property
    def specs(self) -> tuple[str, ...]:
        """The players of all settings."""
        return tuple({name: None for setting in self.settings for name in setting.players})


class SimulationChunk(NamedTuple):
    """A job: the games of one setting from number `first` on."""

    number: int
    setting: int
    first: int
    games: int


def simulation_config(game: str, **given: object) -> SimulationConfig:
    """A checked config. given: the settings, see `SimulationSettings`.

    Raises BadConfig, BadOption or BadSpec (all of them ValueErrors).
    """
    chosen = diablerie.game_named(game)
    asked = settled(SimulationSettings, given)
    common = {"players": asked.players, **asked.options}
    vary = asked.vary
    if asked.seats is not None:
        common["seats"] = str(asked.seats)
    # Every combination of the values that vary, the first of all of them first.
    settings = tuple(
        _setting(chosen, common, dict(zip(vary, values, strict=True)))
        for values in product(*vary.values())
    )
    if not 1 <= len(settings) <= MAX_SETTINGS:
        raise BadConfig(say("1 to {most} settings, not {n}", most=MAX_SETTINGS, n=len(settings)))
    return SimulationConfig(
        **origin(chosen),
        simulation=SIMULATION_FORMAT,
        settings=settings,
        games=asked.games,
        seed=asked.seed,
    )


def _setting(game: Game, common: Mapping[str, str], varied: Mapping[str, str]) -> SimulationSetting:
    values = {**common, **varied}
    players = split_specs(values.pop("players"))
    text = values.pop("seats", str(game.seats[0]))
    if not text.isascii() or not text.isdigit() or len(text) > 3:
        raise BadConfig(say("seats are a number, not “{text}”", text=text[:40]))
    seats = int(text)
    texts = option_texts(game, seats, values)
    sides = len(set(game.teams(seats)))
    if len(players) not in (1, sides):
        raise BadConfig(
            say(
                "name one player for all seats, or one for each of {sides} sides, not {n}",
                sides=sides,
                n=len(players),
            )
        )
    check_players(players)
    label = ", ".join(f"{name} {value}" for name, value in varied.items())
    return SimulationSetting(label, seats, texts, players)


def simulation_chunks(config: SimulationConfig) -> Iterator[SimulationChunk]:
    """All jobs. The settings take turns, so that an interrupted run has as many games of each."""
    number = 0
    sizes = [COMPILED_CHUNK if epsilons(one.players) else 1 for one in config.settings]
    for start in range(0, config.games, COMPILED_CHUNK):
        for index, size in enumerate(sizes):
            for first in range(start, min(start + COMPILED_CHUNK, config.games), size):
                yield SimulationChunk(number, index, first, min(size, config.games - first))
                number += 1


@lru_cache
def epsilons(players: tuple[str, ...]) -> tuple[float, ...] | None:
    """The share of random decisions of each player; None if a player needs its own Python code.

    Players that follow the game's advice but for random decisions are played in a compiled loop.
    """
    specs = [parse_bot(name, imports=True) for name in players]
    if any(spec.kind not in ("random", "sensible") for spec in specs):
        return None
    return tuple(float(s.settings.get("epsilon", s.kind == "random")) for s in specs)


def is_reproducible(config: SimulationConfig) -> bool:
    """Whether no player thinks by the clock, as far as its spec shows."""
    clocks = {"ms", "cpu"}
    return not any(clocks & parse_bot(name, imports=True).settings.keys() for name in config.specs)


# -- in the worker ---------------------------------------------------------------------------------


class ChunkResult(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The counts of a chunk of games, an entry for each game: a line of the file."""

    job: int
    decisions: list[int]
    draws: list[int]  # outcomes of chance
    first: list[int]  # the seat that began, -1 if that is unknown
    ending: list[str]
    returns: list[list[float]]  # by seat
    points: list[list[float]]  # by seat; empty where the game has none
    visits: list[list[int]]  # decisions by node, in the order of the game's nodes


def warm_settings(config: SimulationConfig) -> None:
    """Compile everything that the games need, by games that do not count."""
    for index, setting in enumerate(config.settings):
        if epsilons(setting.players):
            _play_compiled(config, SimulationChunk(0, index, 0, 1))
        else:
            runner_of(config, setting).warm()


def play_chunk(config: SimulationConfig, chunk: SimulationChunk, stop: Stop) -> ChunkResult:
    """Play a chunk. Raises BotFailure, or JobStopped as soon as `stop()` is true."""
    if stop():
        raise JobStopped
    game = config.rules
    setting = config.settings[chunk.setting]
    if epsilons(setting.players):
        rows, ends = _play_compiled(config, chunk)
    else:
        rows, ends = _play_matches(config, chunk, stop)
    # What a state says of the end is asked once a game, in Python: games are free to answer as they like.
    states = [from_bytes(game.state, end.tobytes()) for end in ends]
    last = rows["last"].tolist()
    return ChunkResult(
        job=chunk.number,
        decisions=rows["decisions"].tolist(),
        draws=rows["draws"].tolist(),
        first=rows["first"].tolist(),
        ending=[_ending(game, s, node) for s, node in zip(states, last, strict=True)],
        returns=rows["returns"][:, : setting.seats].tolist(),
        points=[list(game.points(s)) for s in states] if game.points else [],
        visits=rows["visits"][:, : len(game.node)].tolist(),
    )


def is_sound_chunk(config: SimulationConfig, job: SimulationChunk, row: ChunkResult) -> bool:
    """Whether all lists have the right lengths, and returns sum to 0."""
    seats = config.settings[job.setting].seats
    nodes = len(config.rules.node)
    points = seats if config.rules.points else 0
    lists = row.decisions, row.draws, row.first, row.ending, row.returns, row.visits
    return (
        all(len(one) == job.games for one in lists)
        and len(row.points) == (job.games if points else 0)
        and all(len(one) == seats for one in row.returns)
        and all(len(one) == points for one in row.points)
        and all(len(one) == nodes for one in row.visits)
        and all(-1 <= one < seats for one in row.first)
        and all(abs(sum(one)) < 1e-9 for one in row.returns)
    )


def _ending(game: Game, s: Record, last: int) -> str:
    """What ended a game, as the game says it, or else the node at which it ended."""
    if not game.ending:
        return game.node(last).name.lower()
    line = game.ending(s)
    return f"{line} ({line.clause})" if line.clause else str(line)


def runner_of(config: SimulationConfig, setting: SimulationSetting) -> MatchRunner:
    """Plays the games of a setting as matches."""
    words: tuple[int | str, ...] = setting.seats, *setting.options.values(), *setting.players
    seed = seed_for(config.seed, "simulation", *words)
    return MatchRunner(config.rules, setting.seats, setting.options, setting.players, seed)


def seating(game: Game, setting: SimulationSetting, number: int) -> tuple[int, ...]:
    """The number of the player in each seat of a game: they take turns."""
    teams = game.teams(setting.seats)
    count = len(setting.players)
    return tuple((side + number) % len(set(teams)) % count for side in teams)


def play_numbered(config: SimulationConfig, chunk: SimulationChunk, stop: Stop) -> Iterator[Match]:
    """Play the games of a chunk as matches. Raises as `play_chunk`."""
    setting = config.settings[chunk.setting]
    runner = runner_of(config, setting)
    for n in range(chunk.first, chunk.first + chunk.games):
        yield runner.play(Fixture(n, n, seating(runner.game, setting, n)), stop)[0]


def _opening(game: Game) -> int:
    """The node at which chance decides who begins, or NOBODY."""
    return int(game.node.__members__.get("FIRST", NO_FIRST_SEAT))


def _arrays(config: SimulationConfig, chunk: SimulationChunk) -> Arrays:
    return np.zeros(chunk.games, GAME_COUNTS), np.zeros(chunk.games, config.rules.state.dtype)


def _play_compiled(config: SimulationConfig, chunk: SimulationChunk) -> Arrays:
    game = config.rules
    setting = config.settings[chunk.setting]
    start = game.start(setting.seats, setting.options)
    rows, ends = _arrays(config, chunk)
    players = epsilons(setting.players) or ()
    sides = len(set(game.teams(setting.seats)))
    shares = np.zeros((sides, SEATS))
    # Players move on by a side from game to game; compiled code only wants how often each seat errs.
    for turn in range(sides):
        shares[turn, : setting.seats] = [players[p] for p in seating(game, setting, turn)]
    done = play_games(
        verbs.states_of(game.state, start.array),
        verbs.no_states(game.state, 1),
        shares,
        _opening(game),
        np.uint64(runner_of(config, setting).seed),
        chunk.first,
        np.zeros(1, np.uint64),
        *buffers(game),
        np.zeros(SEATS),
        verbs.states_of(game.state, ends),
        rows.view(np.recarray),  # fields are attributes, where nothing is compiled, too
        MAX_STEPS,
    )
    if done < chunk.games:
        raise BotFailure(say("a game was not over after {n} steps", n=MAX_STEPS))
    return rows, ends


def _play_matches(config: SimulationConfig, chunk: SimulationChunk, stop: Stop) -> Arrays:
    rows, ends = _arrays(config, chunk)
    opening = _opening(config.rules)
    for i, match in enumerate(play_numbered(config, chunk, stop)):
        count_match(match, opening, rows[i])
        ends[i] = match.state.array[0]
    return rows, ends


def count_match(match: Match, opening: int, row: Any) -> None:
    """Count what happened in a finished match, in a record of GAME_COUNTS that is all zero."""
    row["first"] = NO_FIRST_SEAT
    for s, seat, number in replayed(match):
        if seat == CHANCE:
            row["draws"] += 1
            if s.node == opening:
                row["first"] = number
        else:
            row["decisions"] += 1
            row["visits"][s.node] += 1
        row["last"] = s.node
    row["returns"][: match.seats] = match.returns()
