"""The worker of a training: it plays chunks of self-play games and keeps some positions."""

import zlib
from collections.abc import Callable, Mapping
from typing import NamedTuple

import msgspec
import numpy as np

from diablerie.bots.search import SearchParams
from diablerie.bots.searcher import SearchBot
from diablerie.bots.workspace import Workspace, zeros
from diablerie.engine.arrays import Floats32
from diablerie.engine.rng import seeded
from diablerie.engine.text import say
from diablerie.lab.fit.config import CHUNK_GAMES, TrainingChunk, TrainingConfig
from diablerie.lab.fit.loop import MAX_POSITIONS, MAX_STEPS, SAMPLED, SelfPlayBuffers, play_self
from diablerie.lab.running.errors import BotFailure, JobStopped
from diablerie.lab.running.settings import seed_for


class PackedPositions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The positions of a chunk of games: a line of the file."""

    job: int
    positions: int
    data: bytes  # float32 (positions, seats, entries + 3), zlib: see `TrainingPositions`


class TrainingPositions(NamedTuple):
    """Positions to learn from."""

    known: Floats32  # (positions, seats, entries): the inputs of the network
    targets: Floats32  # (positions, seats): the λ-return
    ends: Floats32  # (positions, seats): the result of the game
    hand: Floats32  # (positions, seats): the value of the game's own evaluation


def unpack_positions(row: PackedPositions, seats: int, entries: int) -> TrainingPositions:
    """The positions of a line. Raises ValueError or zlib.error if it does not hold them."""
    flat = np.frombuffer(zlib.decompress(row.data), "<f4")
    values = flat.reshape(row.positions, seats, entries + 3).astype(np.float32)
    return TrainingPositions(values[..., :-3], *(values[..., k] for k in (-3, -2, -1)))


class SelfPlayWorker:
    """Plays the chunks of one generation.

    weights: of the generation before, by the number of seats; empty for the first generation.
    """

    def __init__(self, config: TrainingConfig, weights: Mapping[int, Floats32]) -> None:
        self.config, self.game, self.weights = config, config.rules, weights
        self.workspace, self.params = Workspace(self.game), zeros(SearchParams)
        SearchBot(self.game).prepare(self.params[0], 0)
        self.rng = seeded(0)

    def warm(self) -> None:
        """Compile everything that a game needs, by a game that does not count."""
        self._play(TrainingChunk(0, 0, self.config.seats[0], 0, 1))

    def play(
        self, chunk: TrainingChunk, stop: Callable[[], bool] = lambda: False
    ) -> PackedPositions:
        """Play a chunk. Raises BotFailure, or JobStopped if `stop()` is true."""
        if stop():
            raise JobStopped
        kept, buffers = self._play(chunk)
        if kept < 0:
            raise BotFailure(say("a game was not over after {n} steps", n=MAX_STEPS))
        values = np.stack([buffers.targets, buffers.ends, buffers.before], axis=-1)
        packed = np.concatenate([buffers.known, values], axis=-1)[:kept]
        return PackedPositions(chunk.number, kept, zlib.compress(packed.astype("<f4").tobytes(), 6))

    def _play(self, chunk: TrainingChunk) -> tuple[int, SelfPlayBuffers]:
        config, workspace, buffers = self.config, self.workspace, self._buffers(chunk)
        workspace.judge_by(chunk.seats, self.weights.get(chunk.seats))
        seed = seed_for(
            config.seed, "training", chunk.seats, *config.options.values(), chunk.generation
        )
        kept = play_self(
            workspace.arrays,
            buffers,
            self.params,
            workspace.scratch,
            self.rng,
            np.uint64(seed),
            chunk.first,
            chunk.games,
        )
        return kept, buffers

    def _buffers(self, chunk: TrainingChunk) -> SelfPlayBuffers:
        """Room for a chunk.

        Without weights the games follow the advice, and λ is 1: judged values do not count.
        """
        config, seats, wide = self.config, chunk.seats, len(self.config.entries)
        learnt, rows = chunk.seats in self.weights, CHUNK_GAMES * SAMPLED
        start = self.game.start(seats, config.options)
        state = np.zeros(1, self.game.state.dtype).view(np.recarray)
        return SelfPlayBuffers(
            start=start.array.view(np.recarray),
            state=state,
            entries=np.zeros((MAX_POSITIONS, seats, wide), np.float32),
            worth=np.zeros((MAX_POSITIONS + 1, seats)),
            hand=np.zeros((MAX_POSITIONS, seats)),
            returns=np.zeros(seats),
            iterations=config.iterations if learnt else 0,
            careless=config.careless,
            fade=config.fade if learnt else 1.0,
            known=np.zeros((rows, seats, wide), np.float32),
            targets=np.zeros((rows, seats), np.float32),
            ends=np.zeros((rows, seats), np.float32),
            before=np.zeros((rows, seats), np.float32),
        )
