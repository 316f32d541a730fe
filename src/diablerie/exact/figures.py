"""The figures of a solved game: the value of money, what to stake, when to stop.

Money is shown as people count it; position, shape and words say everything.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from diablerie.lab.html.figures import ACCENT, INK, LINE, PAPER, SOFT, svg_figure

UNIT = 10  # money is counted in tens
FIGURE_HEIGHT = 3.4  # inches
LEVELS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
DOT_AREA = 90.0  # square points, of a dot that stands for 100 %


def value_contours(values: NDArray[np.float64], name: str) -> str:
    """Contours of the probability that the player who begins wins, by both totals."""
    money = UNIT * np.arange(len(values))

    def draw(axes: Any) -> None:
        axes.plot(money, money, color=LINE, linewidth=1.2, linestyle=(0, (3, 2)))
        widths = [2.2 if x == 0.5 else 1.0 for x in LEVELS]
        win = (1 + values.T) / 2
        lines = axes.contour(money, money, win, levels=LEVELS, colors=ACCENT, linewidths=widths)
        axes.clabel(lines, fmt=lambda x: f"{x:.0%}", colors=INK, fontsize=10)
        axes.set_xlabel("money of who begins")
        axes.set_ylabel("money of the other")
        axes.set_aspect("equal")

    return svg_figure(draw, FIGURE_HEIGHT, name)


def stake_dots(strategies: Sequence[tuple[int, NDArray[np.float64]]], name: str) -> str:
    """Dots as large as the probability of each stake, by one's own money (in tens)."""
    x, y, size = [], [], []
    for money, shares in strategies:
        for stake in np.flatnonzero(shares > 0.005):
            x.append(UNIT * money)
            y.append(UNIT * int(stake))
            size.append(DOT_AREA * shares[stake])

    def draw(axes: Any) -> None:
        most = max(x, default=UNIT)
        axes.plot([0, most], [0, most], color=LINE, linewidth=1.2, linestyle=(0, (3, 2)))
        axes.scatter(x, y, s=size, facecolor=SOFT, edgecolor=ACCENT, linewidth=1.2, zorder=2)
        axes.set_xlabel("one's money")
        axes.set_ylabel("stake")
        axes.set_ylim(-UNIT, 1.1 * max([*y, UNIT]))
        axes.grid(color=LINE, linewidth=0.6)
        axes.set_axisbelow(True)

    return svg_figure(draw, FIGURE_HEIGHT, name)


def stop_dots(points: Sequence[tuple[float, float, float]], across: str, up: str, name: str) -> str:
    """A dot for each place (across, up): full where stopping is best, hollow where going on is.

    points: across, up, and the share of cases in which stopping is best; a small full dot within a
    hollow one shows that it depends on more.
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

    return svg_figure(draw, FIGURE_HEIGHT, name)
