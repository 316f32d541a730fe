"""The pictures of a solved game: what totals are worth, what to stake, when to stop.

Money is shown as people count it; everything is told by position, shape and words.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from diablerie.lab.simulate.figures import ACCENT, INK, LINE, PAPER, SOFT, picture

UNIT = 10
HIGH = 3.4  # inches
LEVELS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
LARGE = 90.0  # square points: the area of a dot that stands for 100 %


def chances(values: NDArray[Any], name: str) -> str:
    """Lines of equal chances to win for who begins, by both totals."""
    money = UNIT * np.arange(len(values))

    def draw(axes: Any) -> None:
        axes.plot(money, money, color=LINE, linewidth=1.2, linestyle=(0, (3, 2)))
        drawn = axes.contour(money, money, (1 + values.T) / 2, levels=LEVELS, colors=ACCENT,
                             linewidths=[2.2 if x == 0.5 else 1.0 for x in LEVELS])  # fmt: skip
        axes.clabel(drawn, fmt=lambda x: f"{x:.0%}", colors=INK, fontsize=10)
        axes.set_xlabel("money of who begins")
        axes.set_ylabel("money of the other")
        axes.set_aspect("equal")

    return picture(draw, HIGH, name)


def stakes(found: Sequence[tuple[int, NDArray[Any]]], name: str) -> str:
    """Dots as large as the share of each stake, by one's own money (in tens)."""
    x, y, size = [], [], []
    for money, shares in found:
        for stake in np.flatnonzero(shares > 0.005):
            x.append(UNIT * money)
            y.append(UNIT * int(stake))
            size.append(LARGE * shares[stake])

    def draw(axes: Any) -> None:
        most = max(x, default=UNIT)
        axes.plot([0, most], [0, most], color=LINE, linewidth=1.2, linestyle=(0, (3, 2)))
        axes.scatter(x, y, s=size, facecolor=SOFT, edgecolor=ACCENT, linewidth=1.2, zorder=2)
        axes.set_xlabel("one's money")
        axes.set_ylabel("stake")
        axes.set_ylim(-UNIT, 1.1 * max([*y, UNIT]))
        axes.grid(color=LINE, linewidth=0.6)
        axes.set_axisbelow(True)

    return picture(draw, HIGH, name)


def stops(points: Sequence[tuple[float, float, float]], across: str, up: str, name: str) -> str:
    """A dot for each place (across, up): full where one stops, hollow where one goes on.

    points: with the share of cases in which stopping is best; a small full dot within a hollow
    one is where it depends on more.
    """

    def draw(axes: Any) -> None:
        x, y, share = (np.array(column) for column in zip(*points, strict=True))
        full = np.where(share == 1, 60.0, np.where(share == 0, 0.0, 14.0))
        axes.scatter(x, y, s=60, facecolor=PAPER, edgecolor=INK, linewidth=1.2, zorder=2)
        axes.scatter(x, y, s=full, facecolor=ACCENT, edgecolor=ACCENT, linewidth=0, zorder=3)
        axes.set_xlabel(across)
        axes.set_ylabel(up)
        axes.margins(0.06)
        axes.grid(color=LINE, linewidth=0.6)
        axes.set_axisbelow(True)

    return picture(draw, HIGH, name)
