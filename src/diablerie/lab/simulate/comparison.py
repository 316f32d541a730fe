"""Comparison of settings with the first one: differences and effect sizes, with corrections."""

from collections.abc import Callable
from math import erfc, sqrt
from statistics import NormalDist
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from diablerie.lab.simulate.columns import GameColumns
from diablerie.lab.statistics import Estimate, holm

Measure = Callable[[GameColumns], NDArray[Any] | None]


class Comparison(msgspec.Struct, frozen=True):
    """A setting compared with the first one, in one measure.

    difference: of the means; effect: the same in standard deviations of a game (Cohen's d). All
    intervals of a simulation hold together with 95 % (Bonferroni). chance: the p-value, corrected
    after Holm.
    """

    setting: str
    base: str
    what: str
    before: float
    after: float
    difference: Estimate
    effect: Estimate
    chance: float


def beginners_edge(one: GameColumns) -> NDArray[Any] | None:
    """What the beginner has above its fair share of the win; None if nobody knows who began."""
    if not (one.first >= 0).all():
        return None
    return np.asarray(one.share[np.arange(len(one.first)), one.first] - one.fair)


MEASURES: dict[str, Measure] = {
    "decisions": lambda one: one.decisions,
    "beginner's edge": beginners_edge,
    "shared wins": lambda one: one.shared,
    "winner's points": lambda one: one.best,
    "winner's margin": lambda one: one.margin,
}


def compare_settings(columns: list[GameColumns]) -> list[Comparison]:
    """All settings but the first, compared with it in every measure that both have."""
    base, pairs = columns[0], []
    for other in columns[1:]:
        for what, measure in MEASURES.items():
            a, b = measure(base), measure(other)
            if a is not None and b is not None and min(len(a), len(b)) > 1:
                pairs.append((other, what, a.astype(float), b.astype(float)))
    z = NormalDist().inv_cdf(1 - 0.025 / max(1, len(pairs)))
    tests = [_compare(base, *pair, z) for pair in pairs]
    corrected = holm([one.chance for one in tests])
    return [msgspec.structs.replace(one, chance=p) for one, p in zip(tests, corrected, strict=True)]


def _compare(
    base: GameColumns, other: GameColumns, what: str, a: NDArray[Any], b: NDArray[Any], z: float
) -> Comparison:
    """Welch's comparison of two means; z: the normal quantile of the corrected intervals."""
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
