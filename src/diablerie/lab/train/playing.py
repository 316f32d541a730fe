"""What a worker of a training does: it plays a chunk of games and keeps positions of them."""

import zlib
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from diablerie.bots.search import SearchParams
from diablerie.bots.searcher import SearchBot
from diablerie.bots.workspace import Workspace, zeros
from diablerie.engine.rng import seeded
from diablerie.engine.text import say
from diablerie.lab.errors import BotFailure, Stopped
from diablerie.lab.pairing import seed_for
from diablerie.lab.train.config import CHUNK, Chunk, Training
from diablerie.lab.train.loop import DRAWN, MOMENTS, STEPS, Lesson, games


class Played(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The positions of a chunk of games: a line of the file."""

    job: int
    positions: int
    data: bytes  # float32 (positions, seats, entries + 3), compressed: see `Positions`


class Positions(NamedTuple):
    """Positions to learn from; first axes: positions, seats."""

    known: NDArray[Any]  # float32 (…, entries): what the seat knew
    targets: NDArray[Any]  # the λ-return
    ends: NDArray[Any]  # how the game ended
    hand: NDArray[Any]  # what the game's own value took it for


def unpacked(row: Played, seats: int, entries: int) -> Positions:
    """The positions of a line. Raises ValueError or zlib.error where it does not hold them."""
    flat = np.frombuffer(zlib.decompress(row.data), "<f4")
    found = flat.reshape(row.positions, seats, entries + 3).astype(np.float32)
    return Positions(found[..., :-3], *(found[..., k] for k in (-3, -2, -1)))


class Trainee:
    """Plays the chunks of one generation. weights: of the last one, by the number of seats."""

    def __init__(self, config: Training, weights: Mapping[int, NDArray[Any]]) -> None:
        self.config, self.game, self.weights = config, config.rules, weights
        self.workspace, self.params = Workspace(self.game), zeros(SearchParams)
        SearchBot(self.game).prepare(self.params[0], 0)
        self.rng = seeded(0)

    def warm(self) -> None:
        """Compile what a game needs, by one that is forgotten."""
        self._play(Chunk(0, 0, self.config.seats[0], 0, 1))

    def play(self, chunk: Chunk, stop: Callable[[], bool] = lambda: False) -> Played:
        """Play a chunk. Raises BotFailure, or Stopped if `stop` says so."""
        if stop():
            raise Stopped
        kept, lesson = self._play(chunk)
        if kept < 0:
            raise BotFailure(say("a game was not over after {n} steps", n=STEPS))
        told = np.stack([lesson.targets, lesson.ends, lesson.before], axis=-1)
        found = np.concatenate([lesson.known, told], axis=-1)[:kept]
        return Played(chunk.number, kept, zlib.compress(found.astype("<f4").tobytes(), 6))

    def _play(self, chunk: Chunk) -> tuple[int, Lesson]:
        config, lesson = self.config, self._lesson(chunk)
        weights = self.weights.get(chunk.seats)
        self.workspace.judge_by(chunk.seats, weights)
        base = np.uint64(seed_for(config.seed, "training", chunk.seats, *config.options.values(),
                                  chunk.generation))  # fmt: skip
        kept = games(self.workspace.arrays, lesson, self.params, self.workspace.scratch, self.rng,
                     base, chunk.first, chunk.games)  # fmt: skip
        return kept, lesson

    def _lesson(self, chunk: Chunk) -> Lesson:
        """Room for a chunk. Advice is followed, and ends alone count, until something is learnt."""
        config, seats, wide = self.config, chunk.seats, len(self.config.entries)
        learnt, rows = chunk.seats in self.weights, CHUNK * DRAWN
        start = self.game.start(seats, config.options)
        state = np.zeros(1, self.game.state.dtype).view(np.recarray)
        return Lesson(
            start=start.array.view(np.recarray),
            state=state,
            entries=np.zeros((MOMENTS, seats, wide), np.float32),
            worth=np.zeros((MOMENTS + 1, seats)),
            hand=np.zeros((MOMENTS, seats)),
            returns=np.zeros(seats),
            iterations=config.iterations if learnt else 0,
            careless=config.careless,
            fade=config.fade if learnt else 1.0,
            known=np.zeros((rows, seats, wide), np.float32),
            targets=np.zeros((rows, seats), np.float32),
            ends=np.zeros((rows, seats), np.float32),
            before=np.zeros((rows, seats), np.float32),
        )
