"""The learner: shards play, learn, play on. Equal settings give equal weights.

The shards are fixed, and their gradients are added up in their order; threads only share them out.
So the number of workers changes nothing but the time.
"""

from typing import Any, NamedTuple

import numpy as np

from diablerie.engine.arrays import Floats, Floats32
from diablerie.engine.game import Game
from diablerie.learning import improving
from diablerie.learning.improving import adam_step
from diablerie.learning.network import initial_weights
from diablerie.learning.rivals import MakeRival
from diablerie.learning.settings import SHARDS, LearnerSettings
from diablerie.learning.shards import TOLD, Batch, Shards
from diablerie.values.inputs import inputs_of

ADVICE = "sensible"  # names the game's own advice, which compiled code plays
WEIGHTS = "flat", "mean", "square"  # arrays of a learner, as long as its weights


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
        self.game, self.settings = game, settings
        self.flat = initial_weights(inputs_of(game), settings.wide, settings.narrow, settings.seed)
        if begin is not None:
            self.flat[:] = begin
        self.mean, self.square = np.zeros_like(self.flat), np.zeros_like(self.flat)
        self.steps = self.decisions = self.games = 0
        self._total = np.zeros_like(self.flat)
        self._slopes = np.zeros((SHARDS, len(self.flat)), np.float32)
        self.shards = Shards(game, settings, workers, rival=rival)

    def close(self) -> None:
        """End the threads."""
        self.shards.close()

    @property
    def done(self) -> bool:
        """Whether all decisions are learnt from."""
        return self.decisions >= self.settings.decisions

    def round(self) -> RoundReport:
        """Play a round and learn from it."""
        played = self.shards.play(self.flat)
        count, total, squares = np.array([one.sums for one in played]).sum(axis=0)
        mean = total / count
        scale = 1.0 / (max(0.0, squares / count - mean**2) ** 0.5 + 1e-6)
        told = np.zeros((SHARDS, TOLD))
        for _ in range(self.settings.passes):
            for number in range(self.settings.batches):
                told += self._step(number, mean, scale)
        self.decisions += sum(one.kept for one in played)
        self.games += sum(one.games for one in played)
        return _report(told.sum(axis=0))

    def _step(self, number: int, mean: float, scale: float) -> Floats:
        """A step of the optimizer on one of the batches of a pass."""
        chosen = self.settings
        left = max(0.05, 1.0 - self.decisions / chosen.decisions)
        batch = Batch(number, mean, scale, chosen.entropy * left)
        told = self.shards.add_slopes(self.flat, batch, self._slopes)
        self.steps += 1
        count = max(1.0, told[:, improving.COUNT].sum())
        arrays = self.flat, self._slopes, self.mean, self.square, self._total
        adam_step(*arrays, count, chosen.rate * left, self.steps, chosen.longest)
        return told

    def measure(self, seats: int, games: int, seed: int) -> Floats:
        """Every seat's utility in so many games: float64 (games, seats).

        They are played against the bots that it learns to beat, or else against the game's advice.
        The network plays its likeliest actions, in game g from seat g mod seats.
        """
        size = games // SHARDS + 1
        parts = [range(low, min(low + size, games)) for low in range(0, games, size)]
        return np.concatenate(self.shards.match(self.flat, seats, seed, parts))

    # -- to resume ---------------------------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        """All that goes on, as arrays by name; some are changed by the next round."""
        kept: dict[str, Any] = {name: getattr(self, name) for name in WEIGHTS}
        kept["counts"] = np.array([self.steps, self.decisions, self.games])
        for i, one in enumerate(self.shards.state()):
            kept |= {f"{name}{i}": array for name, array in one.items()}
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
        names = self.shards.state()[0]
        self.shards.restore([{name: kept[f"{name}{i}"] for name in names} for i in range(SHARDS)])


def _report(told: Floats) -> RoundReport:
    means = told / max(1.0, told[improving.COUNT])
    return RoundReport(
        entropy=float(means[improving.ENTROPY]),
        miss=float(means[improving.MISS]),
        spread=float(means[improving.SPREAD]),
        clipped=float(means[improving.CLIPPED]),
        divergence=float(means[improving.KL]),
    )
