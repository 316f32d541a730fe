"""The learner: shards play, learn, play on. Equal settings give equal weights.

The shards are fixed, and their gradients are added up in their order; threads only share them out.
So the number of workers changes nothing but the time.
"""

from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import msgspec
import numpy as np

from diablerie.engine.arrays import Floats, Floats32
from diablerie.engine.game import Game
from diablerie.engine.verbs import SEATS
from diablerie.learning import improving
from diablerie.learning.improving import adam_step, add_slopes, share_out
from diablerie.learning.network import as_network, initial_weights
from diablerie.learning.rivals import MakeRival, RivalSeats, match_rivals, play_against
from diablerie.learning.selfplay import (
    estimate_gains,
    match_advice,
    play_decisions,
    playing_room,
    shard,
)
from diablerie.values.inputs import inputs_of

SHARDS = 8
ADVICE = "sensible"  # names the game's own advice, which compiled code plays
WEIGHTS = "flat", "mean", "square"  # arrays of a learner, as long as its weights


class LearnerSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a network learns. Nothing here depends on the machine."""

    seats: tuple[int, ...] = (
        2,
    )  # the sizes of tables, played in turn, one named twice twice as often
    options: dict[str, str] = {}  # of the game; the others are as usual
    decisions: int = 20_000_000  # that are learnt from, in all
    seed: int = 1
    wide: int = 64  # the first layer
    narrow: int = 64  # the second
    round: int = 16_384  # decisions that are played before they are learnt from
    passes: int = 2  # over them
    batches: int = 4  # steps of the optimizer in a pass
    rate: float = 1e-3  # of learning; it falls linearly to a twentieth
    entropy: float = 0.01  # the weight of the policy's entropy; it falls likewise
    trace: float = 0.9  # λ of the advantages
    longest: float = 0.5  # a longer gradient is shortened to this
    against: str = ""  # the bots on the other seats; "": the network plays all
    share: float = 1.0  # of games, in which these bots play; it plays the others against itself
    begin: str = ""  # the hash of the policy that it begins with; "": with nothing learnt


class RoundReport(NamedTuple):
    """Means over the decisions of a round. entropy: of the policy, in nats.

    miss: the squared error of the value; spread: the mean square of what it should be; clipped: the
    share of clipped ratios; divergence: of the policy from the one that played (KL), in nats.
    """

    entropy: float
    miss: float
    spread: float
    clipped: float
    divergence: float


class Learner:
    """A network of a game that learns by self-play. workers: threads; they change no result.

    rival: makes the bots that `settings.against` names, but for ADVICE: compiled code plays that.
    begin: the flat weights to begin with, if `settings.begin` names them.
    """

    def __init__(
        self,
        game: Game,
        settings: LearnerSettings,
        workers: int = 1,
        *,
        rival: MakeRival | None = None,
        begin: Floats32 | None = None,
    ) -> None:
        self.game, self.settings, self.inputs = game, settings, inputs_of(game)
        size = settings.wide, settings.narrow
        self.flat = initial_weights(self.inputs, *size, settings.seed)
        if begin is not None:
            self.flat[:] = begin
        self.net = as_network(self.flat, self.inputs, *size)
        self.mean, self.square = np.zeros_like(self.flat), np.zeros_like(self.flat)
        self.steps = self.decisions = self.games = 0
        self._total = np.zeros_like(self.flat)
        self._slopes = np.zeros((SHARDS, len(self.flat)), np.float32)
        self._slope_of = [as_network(flat, self.inputs, *size) for flat in self._slopes]
        self._shards = [
            shard(
                [game.start(n, settings.options) for n in self._tables(i)],
                game,
                settings.round // SHARDS,
                settings.seed * SHARDS + i,
            )
            for i in range(SHARDS)
        ]
        self._rivals: list[RivalSeats] | None = None
        self._rival = rival
        if rival is not None:
            self._rivals = [RivalSeats(game, rival, k) for k in self._shards]
        if rival is not None or settings.against:
            for k in self._shards:
                k.others[:] = settings.share, rival is None
        self._rooms = [playing_room(game, *size) for _ in range(SHARDS)]
        self._pool = ThreadPoolExecutor(max(1, workers))

    def _tables(self, number: int) -> tuple[int, ...]:
        """The sizes of tables in the order in which a shard plays them."""
        seats = self.settings.seats
        return seats[number % len(seats) :] + seats[: number % len(seats)]

    def close(self) -> None:
        """End the threads."""
        self._pool.shutdown()

    @property
    def done(self) -> bool:
        """Whether all decisions are learnt from."""
        return self.decisions >= self.settings.decisions

    def round(self) -> RoundReport:
        """Play a round and learn from it."""
        played = list(self._pool.map(self._play, range(SHARDS)))
        kept = [n for n, _ in played]
        sums = np.zeros((SHARDS, 3))
        for i, n in enumerate(kept):
            estimate_gains(self._shards[i], n, self.settings.trace, sums[i])
        count, total, squares = sums.sum(axis=0)
        mean = total / count
        scale = 1.0 / (max(0.0, squares / count - mean**2) ** 0.5 + 1e-6)
        told, placed = np.zeros((SHARDS, 6)), np.zeros(self.settings.batches, np.int64)
        for _ in range(self.settings.passes):
            for i, n in enumerate(kept):
                share_out(self._shards[i], n, placed)
            for batch in range(self.settings.batches):
                self._step(kept, batch, mean, scale, told)
        self.decisions += sum(kept)
        self.games += sum(games for _, games in played)
        return _report(told.sum(axis=0))

    def _play(self, i: int) -> tuple[int, int]:
        most = self.settings.round // SHARDS
        if self._rivals:
            return play_against(self.net, self._shards[i], self._rooms[i], most, self._rivals[i])
        kept: tuple[int, int] = play_decisions(self.net, self._shards[i], self._rooms[i], most)
        return kept

    def _step(self, kept: list[int], batch: int, mean: float, scale: float, told: Floats) -> None:
        """A step of the optimizer on one of the batches of a pass."""
        chosen, before = self.settings, told[:, improving.COUNT].sum()
        left = max(0.05, 1.0 - self.decisions / chosen.decisions)

        def learn(i: int) -> None:
            low, high = (kept[i] * k // chosen.batches for k in (batch, batch + 1))
            add_slopes(
                self.net,
                self._slope_of[i],
                self._shards[i],
                self._rooms[i],
                low,
                high,
                mean,
                scale,
                chosen.entropy * left,
                told[i],
            )

        list(self._pool.map(learn, range(SHARDS)))
        self.steps += 1
        count = max(1.0, told[:, improving.COUNT].sum() - before)
        arrays = self.flat, self._slopes, self.mean, self.square, self._total
        adam_step(*arrays, count, chosen.rate * left, self.steps, chosen.longest)

    def against_advice(self, seats: int, games: int, seed: int) -> Floats:
        """Every seat's utility in so many games against the game's advice: float64 (games, seats).

        The network plays its likeliest actions, in game g from seat g mod seats.
        """
        return play_advice(self.game, self.settings, self.flat, seats, games, seed, self._pool)

    def against_rival(self, seats: int, games: int, seed: int) -> Floats:
        """The same against the bots that it learns to beat."""
        assert self._rival is not None
        rival, settings = self._rival, self.settings
        size, returns = (settings.wide, settings.narrow), np.zeros((games, SEATS))

        def match(low: int) -> None:
            part = returns[low : low + games // SHARDS + 1]
            k = shard([self.game.start(seats, settings.options)], self.game, 1, seed)
            room, bots = playing_room(self.game, *size), RivalSeats(self.game, rival, k)
            match_rivals(self.net, k, room, bots, seed, range(low, low + len(part)), part)

        list(self._pool.map(match, range(0, games, games // SHARDS + 1)))
        return returns[:, :seats]

    # -- to resume ---------------------------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        """All that goes on, as arrays by name."""
        kept: dict[str, Any] = {name: getattr(self, name) for name in WEIGHTS}
        kept["counts"] = np.array([self.steps, self.decisions, self.games])
        for i, k in enumerate(self._shards):
            kept |= {f"rng{i}": k.rng, f"table{i}": k.table}
            kept[f"own{i}"] = k.own
            kept[f"state{i}"] = np.frombuffer(k.state.tobytes(), np.uint8)
        return kept

    def restore(self, kept: dict[str, Any]) -> None:
        """Go on from a `state`. Raises KeyError and ValueError for one of another learner."""
        fresh = self.state()
        for name, array in fresh.items():
            if (kept[name].shape, kept[name].dtype) != (array.shape, array.dtype):
                raise ValueError(name)
        if not all(np.isfinite(kept[name]).all() for name in WEIGHTS):
            raise ValueError("flat")
        for name in WEIGHTS:
            getattr(self, name)[:] = kept[name]
        self.steps, self.decisions, self.games = map(int, kept["counts"])
        for i, k in enumerate(self._shards):
            k.rng[:], k.table[:] = kept[f"rng{i}"], kept[f"table{i}"]
            k.own[:] = kept[f"own{i}"]
            k.state[0] = np.frombuffer(kept[f"state{i}"].tobytes(), self.game.state.dtype)[0]


def play_advice(
    game: Game,
    settings: LearnerSettings,
    flat: Floats32,
    seats: int,
    games: int,
    seed: int,
    pool: ThreadPoolExecutor,
) -> Floats:
    """Games of flat weights against the game's advice: see `Learner.against_advice`."""
    size = settings.wide, settings.narrow
    net, returns = as_network(flat, inputs_of(game), *size), np.zeros((games, SEATS))

    def match(low: int) -> None:
        part = returns[low : low + games // SHARDS + 1]
        k = shard([game.start(seats, settings.options)], game, 1, seed)
        match_advice(net, k, playing_room(game, *size), np.uint64(seed), low, len(part), part)

    list(pool.map(match, range(0, games, games // SHARDS + 1)))
    return returns[:, :seats]


def _report(told: Floats) -> RoundReport:
    means = told / max(1.0, told[improving.COUNT])
    return RoundReport(
        entropy=float(means[improving.ENTROPY]),
        miss=float(means[improving.MISS]),
        spread=float(means[improving.SPREAD]),
        clipped=float(means[improving.CLIPPED]),
        divergence=float(means[improving.KL]),
    )
