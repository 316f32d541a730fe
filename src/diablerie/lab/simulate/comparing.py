"""Settings beside the first one: differences, effect sizes, corrected for how many they are."""

from collections.abc import Callable
from math import erfc, sqrt
from statistics import NormalDist
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from diablerie.lab.intervals import Estimate
from diablerie.lab.simulate.columns import Columns

Measure = Callable[[Columns], NDArray[Any] | None]


class Comparison(msgspec.Struct, frozen=True):
    """A setting beside the first one, in one respect.

    difference: of the means, and effect: in standard deviations of a game (Cohen's d); both with
    intervals that all hold together with 95 % (Bonferroni). chance: how likely so large a
    difference is by luck, after Holm.
    """

    setting: str
    base: str
    what: str
    before: float
    after: float
    difference: Estimate
    effect: Estimate
    chance: float


def begins(one: Columns) -> NDArray[Any] | None:
    """What whoever begins has above its fair share of the win."""
    if not (one.first >= 0).all():
        return None
    return np.asarray(one.share[np.arange(len(one.first)), one.first] - one.fair)


MEASURES: dict[str, Measure] = {
    "decisions": lambda one: one.decisions,
    "beginner's edge": begins,
    "shared wins": lambda one: one.shared,
    "winner's points": lambda one: one.best,
    "winner's margin": lambda one: one.margin,
}


def compared(found: list[Columns]) -> list[Comparison]:
    """All settings but the first, in every respect that both have."""
    base, pairs = found[0], []
    for other in found[1:]:
        for what, measure in MEASURES.items():
            a, b = measure(base), measure(other)
            if a is not None and b is not None and min(len(a), len(b)) > 1:
                pairs.append((other, what, a.astype(float), b.astype(float)))
    z = NormalDist().inv_cdf(1 - 0.025 / max(1, len(pairs)))
    tests = [_beside(base, *pair, z) for pair in pairs]
    corrected = holm([one.chance for one in tests])
    return [msgspec.structs.replace(one, chance=p) for one, p in zip(tests, corrected, strict=True)]


def _beside(
    base: Columns, other: Columns, what: str, a: NDArray[Any], b: NDArray[Any], z: float
) -> Comparison:
    before, after = float(a.mean()), float(b.mean())
    va, vb = float(a.var(ddof=1)), float(b.var(ddof=1))
    off, error, spread = after - before, sqrt(va / len(a) + vb / len(b)), sqrt((va + vb) / 2)
    return Comparison(
        setting=other.setting.label,
        base=base.setting.label,
        what=what,
        before=before,
        after=after,
        difference=Estimate(off, off - z * error, off + z * error),
        effect=_scaled(off, z * error, spread),
        chance=erfc(abs(off) / error / sqrt(2)) if error else float(off == 0),
    )


def _scaled(off: float, error: float, spread: float) -> Estimate:
    if not spread:
        return Estimate(0.0, 0.0, 0.0)
    return Estimate(off / spread, (off - error) / spread, (off + error) / spread)


def holm(chances: list[float]) -> list[float]:
    """These probabilities of luck, corrected for how many they are (Holm 1979)."""
    found, worst = [1.0] * len(chances), 0.0
    for rank, i in enumerate(sorted(range(len(chances)), key=chances.__getitem__)):
        worst = max(worst, min(1.0, chances[i] * (len(chances) - rank)))
        found[i] = worst
    return found
