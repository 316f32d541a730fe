"""The pictures of a report: Matplotlib's SVG, in the colours of whatever page it stands in.

Everything is told by position, shape and words; colour only repeats it.
"""

import io
import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import matplotlib as mpl
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure

from diablerie.lab.intervals import Estimate
from diablerie.lab.simulate.summary import Spread

# Stand-ins, each written nowhere else in a picture, for the colours of the page
INK, FAINT, LINE, ACCENT, SOFT = "#010203", "#010204", "#010205", "#010206", "#010207"
PAPER = "#010208"
COLOURS = {
    INK: "var(--ink)", FAINT: "var(--ink-2)", LINE: "var(--line)", ACCENT: "var(--accent)",
    SOFT: "var(--accent-soft)", PAPER: "var(--surface)",
}  # fmt: skip
WIDE = 4.8  # inches, 72 px each: as wide as a telephone shows without making letters small
ROW, HEAD = 0.3, 0.36  # inches: a row of a picture, a heading between rows
LOOK: Any = {
    "svg.fonttype": "none", "svg.hashsalt": "diablerie", "font.family": "DejaVu Sans",
    "font.size": 12, "text.color": INK, "axes.labelcolor": FAINT, "axes.edgecolor": LINE,
    "xtick.color": FAINT, "ytick.color": INK, "xtick.major.size": 0, "ytick.major.size": 0,
    "axes.spines.top": False, "axes.spines.right": False, "axes.spines.left": False,
    "hatch.color": ACCENT, "hatch.linewidth": 0.6,
}  # fmt: skip


class Row(NamedTuple):
    """A row of a picture: its name, what was measured, what is even, whether it differs from it."""

    name: str
    value: Estimate
    even: float | None = None
    differs: bool = True


Rows = Sequence[tuple[str, Sequence[Row]]]  # by heading; "" is none


def picture(draw: Callable[[Any], None], height: float, name: str) -> str:
    """An SVG of this height (inches), with what `draw` draws into its axes."""
    with mpl.rc_context(LOOK):
        figure = Figure(figsize=(WIDE, 0.7 + height), layout="constrained")
        FigureCanvasSVG(figure)
        axes = figure.add_subplot()
        axes.patch.set_visible(False)
        draw(axes)
        out = io.StringIO()
        figure.savefig(out, format="svg", transparent=True, metadata={"Date": None})
    return inline(out.getvalue(), name)


def inline(text: str, name: str) -> str:
    """The SVG of a file as a part of a page: its colours, its own ids, no preamble."""
    text = text[text.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
    text = re.sub(r'(id="|url\(#|href="#)', rf"\g<1>{name}-", text)
    head = rf'<svg viewBox="\1" role="img" aria-labelledby="{name}-title">'
    text = re.sub(r'^<svg [^>]*?viewBox="([^"]+)"[^>]*>', head, text)
    for stand_in, colour in COLOURS.items():
        text = text.replace(stand_in, colour)
    return text


def ridges(rows: Sequence[tuple[str, Spread]], label: str, name: str) -> str:
    """Histograms one below the other: mean (diamond), and where nine games of ten lie."""

    def draw(axes: Any) -> None:
        for i, (text, one) in enumerate(rows):
            base, top = -1.25 * i, max(one.counts)
            x, y = [one.least], [base]
            for k, count in enumerate(one.counts):
                left = one.least + k * one.width
                x += [left, left + one.width]
                y += [base + 0.8 * count / top] * 2
            x, y = [*x, x[-1]], [*y, base]
            axes.fill(x, y, facecolor=SOFT, edgecolor=ACCENT, linewidth=1.2)
            axes.plot([one.low, one.high], [base - 0.1] * 2, color=INK, linewidth=1.4)
            axes.plot(one.mean.value, base - 0.1, "D", color=INK, markersize=5)
            axes.annotate(text, (1, base + 0.78), xycoords=("axes fraction", "data"), ha="right",
                          va="top", color=INK)  # fmt: skip
        axes.set_yticks([])
        axes.set_ylim(-1.25 * (len(rows) - 1) - 0.25, 1)
        axes.set_xlabel(label)

        low = min(max(one.least, 1.6 * one.low - 0.6 * one.high) for _, one in rows)
        high = max(min(one.most + one.width, 1.6 * one.high - 0.6 * one.low) for _, one in rows)
        axes.set_xlim(low, high)  # the last few games would take most of the room

    return picture(draw, 0.85 * len(rows), name)


def laid_out(groups: Rows, step: float) -> tuple[list[tuple[float, Row]], list[Any], float]:
    """Where rows and headings stand, in inches from the top; and how high all is."""
    rows, heads, y = [], [], 0.0
    for heading, members in groups:
        if heading:
            y += HEAD
            heads.append((y - 0.08, heading))
        for row in members:
            rows.append((y + step / 2, row))
            y += step
    return rows, heads, y


def _framed(axes: Any, heads: list[Any], height: float, show: Callable[[float], str]) -> None:
    """Headings, and the axis below."""
    for y, heading in heads:
        axes.annotate(heading, (0, y), xycoords=("figure fraction", "data"), weight="bold",
                      xytext=(2, 0), textcoords="offset points", annotation_clip=False)  # fmt: skip
    axes.set_ylim(height, 0)
    axes.locator_params(axis="x", nbins=5)
    axes.xaxis.set_major_formatter(lambda x, _: show(round(x, 9)))


def dots(groups: Rows, show: Callable[[float], str], label: str, name: str) -> str:
    """A dot with its interval in every row; dashes are where all would be equal.

    A dot is full where it differs from that, else it is hollow.
    """
    rows, heads, height = laid_out(groups, ROW)

    def draw(axes: Any) -> None:
        for y, one in rows:
            value = one.value
            axes.plot([value.low, value.high], [y, y], color=INK, linewidth=1.6, zorder=2)
            axes.plot(value.value, y, "o", color=ACCENT if one.differs else INK, markersize=8,
                      markerfacecolor=ACCENT if one.differs else PAPER, zorder=3,
                      markeredgewidth=1.6)  # fmt: skip
            if one.even is not None:
                axes.plot([one.even] * 2, [y - ROW / 2, y + ROW / 2], color=FAINT, linewidth=1.4,
                          linestyle=(0, (3, 2)), zorder=1)  # fmt: skip
        axes.set_yticks([y for y, _ in rows], [one.name for _, one in rows])
        axes.margins(x=0.08)
        axes.grid(axis="x", color=LINE, linewidth=0.6)
        axes.set_axisbelow(True)
        axes.set_xlabel(label)
        _framed(axes, heads, height, show)

    return picture(draw, height, name)


def bars(groups: Rows, show: Callable[[float], str], label: str, name: str) -> str:
    """A hatched bar from 0 in every row below its name; value beside it, interval upon it."""
    rows, heads, height = laid_out(groups, 1.5 * ROW)

    def draw(axes: Any) -> None:
        most = max((one.value.high for _, one in rows), default=1.0) or 1.0
        for y, one in rows:
            value = one.value
            axes.barh(y + 0.1, value.value, 0.17, facecolor=SOFT, edgecolor=ACCENT,
                      hatch="/////", linewidth=1.2)  # fmt: skip
            axes.plot([value.low, value.high], [y + 0.1] * 2, color=INK, linewidth=1.6)
            axes.annotate(show(value.value), (value.high, y + 0.1), xytext=(6, 0), va="center",
                          textcoords="offset points")  # fmt: skip
            axes.annotate(one.name, (0, y - 0.02), va="bottom", annotation_clip=False)
        axes.set_yticks([])
        axes.set_xlim(0, most * 1.24)
        axes.set_xlabel(label)
        _framed(axes, heads, height, show)

    return picture(draw, height, name)
