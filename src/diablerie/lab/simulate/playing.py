"""What a worker of a simulation does: it plays a chunk of games and counts what happened."""

from collections.abc import Callable
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from diablerie.engine import verbs
from diablerie.engine.game import Game
from diablerie.engine.match import Match
from diablerie.engine.playout import buffers
from diablerie.engine.record import Record, from_bytes
from diablerie.engine.replay import number_of
from diablerie.engine.rng import seeded
from diablerie.engine.text import say
from diablerie.engine.verbs import CHANCE, SEATS
from diablerie.lab.config import FORMAT, Config
from diablerie.lab.errors import BotFailure, Stopped
from diablerie.lab.pairing import Fixture, seed_for
from diablerie.lab.runner import Runner
from diablerie.lab.simulate.config import Chunk, Setting, Study, careless
from diablerie.lab.simulate.loop import COUNTS, NOBODY, games

STEPS = 1_000_000  # a game that is not over by then is somebody's mistake


class Games(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a chunk of games gave, by game: a line of the file."""

    job: int
    decisions: list[int]
    draws: list[int]  # outcomes of chance
    first: list[int]  # the seat that began, -1 if that cannot be told
    ending: list[str]
    returns: list[list[float]]  # by seat
    points: list[list[float]]  # by seat; empty where the game has none
    visits: list[list[int]]  # decisions by node, in the order of the game's nodes


class Simulator:
    """Plays the chunks of a simulation."""

    def __init__(self, study: Study) -> None:
        self.study, self.game = study, study.rules
        self.tables = [Table(study, setting) for setting in study.settings]

    def warm(self) -> None:
        """Compile what is needed, by a game that is forgotten."""
        for table in self.tables:
            table.warm()

    def play(self, chunk: Chunk, stop: Callable[[], bool] = lambda: False) -> Games:
        """Play a chunk. Raises BotFailure, or Stopped as soon as `stop` says so."""
        rows, ends = self.tables[chunk.setting].play(chunk, stop)
        seats = self.study.settings[chunk.setting].seats
        states = [from_bytes(self.game.state, ends[i].tobytes()) for i in range(len(ends))]
        return Games(
            job=chunk.number,
            decisions=rows["decisions"].tolist(),
            draws=rows["draws"].tolist(),
            first=rows["first"].tolist(),
            ending=[
                ended(self.game, s, int(last)) for s, last in zip(states, rows["last"], strict=True)
            ],
            returns=rows["returns"][:, :seats].tolist(),
            points=[list(self.game.points(s)) for s in states] if self.game.points else [],
            visits=rows["visits"][:, : len(self.game.node)].tolist(),
        )


def ended(game: Game, s: Record, last: int) -> str:
    """What ended a game: as the game says it, else at which node it ended."""
    if not game.ending:
        return game.node(last).name.lower()
    line = game.ending(s)
    return f"{line} ({line.clause})" if line.clause else str(line)


class Table:
    """One setting, ready to be played."""

    def __init__(self, study: Study, setting: Setting) -> None:
        self.study, self.setting, self.game = study, setting, study.rules
        self.first = self.game.start(setting.seats, setting.options)
        teams = self.game.teams(setting.seats)
        self.sides, self.teams = len(set(teams)), teams
        words: tuple[int | str, ...] = (setting.seats, *setting.options.values(), *setting.players)
        self.seed = seed_for(study.seed, "simulation", *words)
        names = list(FIRST & set(self.game.node.__members__))
        self.opening = int(self.game.node[names[0]]) if names else NOBODY
        self.fast = careless(study, setting)
        self.room, self.seen = buffers(self.game), self.first.copy()

    def warm(self) -> None:
        """Compile what a game needs."""
        if self.fast is not None:
            self._compiled(Chunk(0, 0, 0, 1))
        else:
            self.runner().warm()

    def play(self, chunk: Chunk, stop: Callable[[], bool]) -> tuple[NDArray[Any], NDArray[Any]]:
        """The counts and the last states of the games of a chunk."""
        if stop():
            raise Stopped
        return self._compiled(chunk) if self.fast is not None else self._matches(chunk, stop)

    def players(self, game: int) -> tuple[int, ...]:
        """The number of the player in each seat: they take turns."""
        count = len(self.setting.players)
        return tuple((side + game) % self.sides % count for side in self.teams)

    def _compiled(self, chunk: Chunk) -> tuple[NDArray[Any], NDArray[Any]]:
        assert self.fast is not None
        rows = np.zeros(chunk.games, COUNTS)
        ends = np.zeros(chunk.games, self.game.state.dtype)
        shares = np.zeros((self.sides, SEATS))
        for turn in range(self.sides):
            shares[turn, : self.setting.seats] = [self.fast[p] for p in self.players(turn)]
        out, p = self.room
        done = games(
            self.first.array, self.seen.array, shares, self.opening, np.uint64(self.seed),
            chunk.first, seeded(0), out, p, np.zeros(SEATS), ends, rows, STEPS,
        )  # fmt: skip
        if done < chunk.games:
            raise BotFailure(say("a game was not over after {n} steps", n=STEPS))
        return rows, ends

    def runner(self) -> Runner:
        """What plays the games of this setting as matches, decision by decision."""
        setting = self.setting
        return Runner(
            Config(FORMAT, self.study.diablerie, self.study.game, self.study.version,
                   setting.seats, setting.options, setting.players, True, self.study.games,
                   self.seed)
        )  # fmt: skip

    def _matches(self, chunk: Chunk, stop: Callable[[], bool]) -> tuple[NDArray[Any], NDArray[Any]]:
        runner, rows = self.runner(), np.zeros(chunk.games, COUNTS)
        ends = np.zeros(chunk.games, self.game.state.dtype)
        for i in range(chunk.games):
            number = chunk.first + i
            match, _ = runner.whole(Fixture(number, number, self.players(number)), stop)
            count(match, self.opening, rows[i])
            ends[i] = match.state.array[0]
        return rows, ends


FIRST = {"FIRST"}  # the node at which chance says who begins has this name in every game


def count(match: Match, opening: int, row: Any) -> None:
    """Count what happened in a finished match, in a row of COUNTS that is all zero."""
    game = match.game
    s = game.start(match.seats, match.options)
    row["first"] = NOBODY
    for event in match.events:
        node, number = int(s.node), number_of(game, s, event)
        if event.seat == CHANCE:
            row["draws"] += 1
            if node == opening:
                row["first"] = number
        else:
            row["decisions"] += 1
            row["visits"][node] += 1
        row["last"] = node
        verbs.apply(s, event.seat, number)
    row["returns"][: match.seats] = match.returns()
