"""The worker of a simulation: it plays chunks of games and counts what happens in them."""

from collections.abc import Callable
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from diablerie.engine.game import Game
from diablerie.engine.match import Match
from diablerie.engine.playout import buffers
from diablerie.engine.record import Record, from_bytes
from diablerie.engine.rng import seeded
from diablerie.engine.text import say
from diablerie.engine.verbs import CHANCE, SEATS
from diablerie.lab.running.errors import BotFailure, JobStopped
from diablerie.lab.running.settings import seed_for
from diablerie.lab.simulate.config import (
    SimulationChunk,
    SimulationConfig,
    SimulationSetting,
    epsilons_if_compiled,
)
from diablerie.lab.simulate.loop import GAME_COUNTS, NOBODY, play_games
from diablerie.lab.tournament.pairing import Fixture
from diablerie.lab.tournament.runner import MatchRunner, replayed, runner_of

MAX_STEPS = 1_000_000  # of a game; a longer one is a mistake in the rules or the advice


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


class Simulator:
    """Plays the chunks of a simulation."""

    def __init__(self, config: SimulationConfig) -> None:
        self.config, self.game = config, config.rules
        self.players = [SettingPlayer(config, setting) for setting in config.settings]

    def warm(self) -> None:
        """Compile everything that the games need, by games that do not count."""
        for player in self.players:
            player.warm()

    def play(self, chunk: SimulationChunk, stop: Callable[[], bool] = lambda: False) -> ChunkResult:
        """Play a chunk. Raises BotFailure, or JobStopped as soon as `stop()` is true."""
        rows, ends = self.players[chunk.setting].play(chunk, stop)
        seats = self.config.settings[chunk.setting].seats
        states = [from_bytes(self.game.state, ends[i].tobytes()) for i in range(len(ends))]
        return ChunkResult(
            job=chunk.number,
            decisions=rows["decisions"].tolist(),
            draws=rows["draws"].tolist(),
            first=rows["first"].tolist(),
            ending=[
                _ending(self.game, s, int(last))
                for s, last in zip(states, rows["last"], strict=True)
            ],
            returns=rows["returns"][:, :seats].tolist(),
            points=[list(self.game.points(s)) for s in states] if self.game.points else [],
            visits=rows["visits"][:, : len(self.game.node)].tolist(),
        )


def _ending(game: Game, s: Record, last: int) -> str:
    """What ended a game, as the game says it, or else the node at which it ended."""
    if not game.ending:
        return game.node(last).name.lower()
    line = game.ending(s)
    return f"{line} ({line.clause})" if line.clause else str(line)


class SettingPlayer:
    """Plays the games of one setting."""

    def __init__(self, config: SimulationConfig, setting: SimulationSetting) -> None:
        self.config, self.setting, self.game = config, setting, config.rules
        self.first = self.game.start(setting.seats, setting.options)
        teams = self.game.teams(setting.seats)
        self.sides, self.teams = len(set(teams)), teams
        words: tuple[int | str, ...] = (setting.seats, *setting.options.values(), *setting.players)
        self.seed = seed_for(config.seed, "simulation", *words)
        first = self.game.node.__members__.get("FIRST")  # there chance decides who begins
        self.opening = NOBODY if first is None else int(first)
        self.epsilons = epsilons_if_compiled(config, setting)
        self.room, self.seen = buffers(self.game), self.first.copy()

    def warm(self) -> None:
        """Compile everything that a game needs."""
        if self.epsilons is not None:
            self._play_compiled(SimulationChunk(0, 0, 0, 1), self.epsilons)
        else:
            self.runner().warm()

    def play(
        self, chunk: SimulationChunk, stop: Callable[[], bool]
    ) -> tuple[NDArray[np.void], NDArray[np.void]]:
        """The counts (GAME_COUNTS) and the last states (records) of the games, both (games,).

        Raises JobStopped when `stop` says so.
        """
        if stop():
            raise JobStopped
        if self.epsilons is not None:
            return self._play_compiled(chunk, self.epsilons)
        return self._play_matches(chunk, stop)

    def seating(self, game: int) -> tuple[int, ...]:
        """The number of the player in each seat of a game: they take turns."""
        count = len(self.setting.players)
        return tuple((side + game) % self.sides % count for side in self.teams)

    def _play_compiled(
        self, chunk: SimulationChunk, epsilons: list[float]
    ) -> tuple[NDArray[np.void], NDArray[np.void]]:
        rows = np.zeros(chunk.games, GAME_COUNTS)
        ends = np.zeros(chunk.games, self.game.state.dtype)
        shares = np.zeros((self.sides, SEATS))
        for turn in range(self.sides):
            shares[turn, : self.setting.seats] = [epsilons[p] for p in self.seating(turn)]
        out, p = self.room
        done = play_games(
            self.first.array,
            self.seen.array,
            shares,
            self.opening,
            np.uint64(self.seed),
            chunk.first,
            seeded(0),
            out,
            p,
            np.zeros(SEATS),
            ends,
            rows,
            MAX_STEPS,
        )
        if done < chunk.games:
            raise BotFailure(say("a game was not over after {n} steps", n=MAX_STEPS))
        return rows, ends

    def runner(self) -> MatchRunner:
        """A worker that plays the games of this setting as matches."""
        setting = self.setting
        return runner_of(self.game, setting.seats, setting.options, setting.players, self.seed)

    def _play_matches(
        self, chunk: SimulationChunk, stop: Callable[[], bool]
    ) -> tuple[NDArray[np.void], NDArray[np.void]]:
        runner, rows = self.runner(), np.zeros(chunk.games, GAME_COUNTS)
        ends = np.zeros(chunk.games, self.game.state.dtype)
        for i in range(chunk.games):
            number = chunk.first + i
            match, _ = runner.play_match(Fixture(number, number, self.seating(number)), stop)
            count_match(match, self.opening, rows[i])
            ends[i] = match.state.array[0]
        return rows, ends


def count_match(match: Match, opening: int, row: Any) -> None:
    """Count what happened in a finished match, in a record of GAME_COUNTS that is all zero."""
    row["first"] = NOBODY
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
