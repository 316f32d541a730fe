"""The figures of a report: Matplotlib's SVG, in the colours of the page around it.

Position, shape and words say everything; colour only repeats it.
"""

import io
import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from diablerie.lab.html.page import Format
from diablerie.lab.statistics import Distribution, Estimate

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Placeholders for the colours of the page; no figure contains them otherwise
INK_PLACEHOLDER = "#010203"
FAINT_PLACEHOLDER = "#010204"
LINE_PLACEHOLDER = "#010205"
ACCENT_PLACEHOLDER = "#010206"
SOFT_PLACEHOLDER = "#010207"
PAPER_PLACEHOLDER = "#010208"
PAGE_COLOURS = {
    INK_PLACEHOLDER: "var(--ink)",
    FAINT_PLACEHOLDER: "var(--ink-2)",
    LINE_PLACEHOLDER: "var(--line)",
    ACCENT_PLACEHOLDER: "var(--accent)",
    SOFT_PLACEHOLDER: "var(--accent-soft)",
    PAPER_PLACEHOLDER: "var(--surface)",
}
FIGURE_WIDTH = 4.8  # inches, 72 px each: a phone shows as much without making letters small
ROW_HEIGHT = 0.3  # inches of a row of a figure
HEADING_HEIGHT = 0.36  # inches of a heading between rows
RC_PARAMS: Any = {
    "svg.fonttype": "none",
    "svg.hashsalt": "diablerie",
    "font.family": "DejaVu Sans",
    "font.size": 12,
    "text.color": INK_PLACEHOLDER,
    "axes.labelcolor": FAINT_PLACEHOLDER,
    "axes.edgecolor": LINE_PLACEHOLDER,
    "axes.axisbelow": True,
    "grid.color": LINE_PLACEHOLDER,
    "grid.linewidth": 0.6,
    "xtick.color": FAINT_PLACEHOLDER,
    "ytick.color": INK_PLACEHOLDER,
    "xtick.major.size": 0,
    "ytick.major.size": 0,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.spines.left": False,
    "hatch.color": ACCENT_PLACEHOLDER,
    "hatch.linewidth": 0.6,
}


class FigureRow(NamedTuple):
    """A row of a figure: a name, a measured value, the value to compare it with.

    differs: whether the two differ significantly.
    """

    name: str
    value: Estimate
    even: float | None = None
    differs: bool = True


FigureRows = Sequence[tuple[str, Sequence[FigureRow]]]  # rows by heading; "" is no heading


def svg_figure(draw: Callable[["Axes"], None], height: float) -> str:
    """An SVG of this height (inches); `draw` draws into its axes."""
    import matplotlib as mpl  # here, since a summary in a terminal does without
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    with mpl.rc_context(RC_PARAMS):
        figure = Figure(figsize=(FIGURE_WIDTH, 0.7 + height), layout="constrained")
        FigureCanvasSVG(figure)
        axes = figure.add_subplot()
        axes.patch.set_visible(False)
        draw(axes)
        out = io.StringIO()
        figure.savefig(out, format="svg", transparent=True, metadata={"Date": None})
    return inline_svg(out.getvalue())


def inline_svg(text: str) -> str:
    """The SVG of a file as a part of a page: the page's colours, no preamble."""
    text = text[text.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
    head = r'<svg viewBox="\1" role="img" aria-labelledby="title">'
    text = re.sub(r'^<svg [^>]*?viewBox="([^"]+)"[^>]*>', head, text)
    for placeholder, colour in PAGE_COLOURS.items():
        text = text.replace(placeholder, colour)
    return text


def histograms(rows: Sequence[tuple[str, Distribution]], label: str) -> str:
    """Histograms one below the other, each with its mean (diamond) and 90 % of the games (bar)."""

    def draw(axes: "Axes") -> None:
        for i, (text, one) in enumerate(rows):
            base = -1.25 * i
            top = max(one.counts)
            x = [one.least]
            y = [base]
            for k, count in enumerate(one.counts):
                left = one.least + k * one.width
                x += [left, left + one.width]
                y += [base + 0.8 * count / top] * 2
            x = [*x, x[-1]]
            y = [*y, base]
            axes.fill(x, y, facecolor=SOFT_PLACEHOLDER, edgecolor=ACCENT_PLACEHOLDER, linewidth=1.2)
            axes.plot([one.low, one.high], [base - 0.1] * 2, color=INK_PLACEHOLDER, linewidth=1.4)
            axes.plot(one.mean.value, base - 0.1, "D", color=INK_PLACEHOLDER, markersize=5)
            place = "axes fraction", "data"
            axes.annotate(
                text, (1, base + 0.78), xycoords=place, ha="right", va="top", color=INK_PLACEHOLDER
            )
        axes.set_yticks([])
        axes.set_ylim(-1.25 * (len(rows) - 1) - 0.25, 1)
        axes.set_xlabel(label)

        low = min(max(one.least, 1.6 * one.low - 0.6 * one.high) for _, one in rows)
        high = max(min(one.most + one.width, 1.6 * one.high - 0.6 * one.low) for _, one in rows)
        if low == high:  # nine of ten games are equally long: show all of them
            low = min(one.least for _, one in rows)
            high = max(one.most + one.width for _, one in rows)
        axes.set_xlim(low, high)  # outliers would take most of the room

    return svg_figure(draw, 0.85 * len(rows))


def row_positions(
    groups: FigureRows, step: float
) -> tuple[list[tuple[float, FigureRow]], list[tuple[float, str]], float]:
    """The positions of rows and headings in inches from the top, and the total height."""
    rows = []
    heads = []
    y = 0.0
    for heading, members in groups:
        if heading:
            y += HEADING_HEIGHT
            heads.append((y - 0.08, heading))
        for row in members:
            rows.append((y + step / 2, row))
            y += step
    return rows, heads, y


def _draw_headings(
    axes: "Axes", heads: list[tuple[float, str]], height: float, show: Format
) -> None:
    """Draw the headings, and the axis below."""
    for y, heading in heads:
        axes.annotate(
            heading,
            (0, y),
            (2, 0),
            xycoords=("figure fraction", "data"),
            textcoords="offset points",
            weight="bold",
            annotation_clip=False,
        )
    axes.set_ylim(height, 0)
    axes.locator_params(axis="x", nbins=5)
    axes.xaxis.set_major_formatter(lambda x, _: show(round(x, 9)))


def dot_plot(groups: FigureRows, show: Format, label: str) -> str:
    """A dot with its interval in every row; dashes show the value to compare it with.

    A dot is full where it differs significantly, else hollow.
    """
    rows, heads, height = row_positions(groups, ROW_HEIGHT)

    def draw(axes: "Axes") -> None:
        for y, one in rows:
            value = one.value
            axes.plot(
                [value.low, value.high], [y, y], color=INK_PLACEHOLDER, linewidth=1.6, zorder=2
            )
            edge, face = (
                (ACCENT_PLACEHOLDER, ACCENT_PLACEHOLDER)
                if one.differs
                else (INK_PLACEHOLDER, PAPER_PLACEHOLDER)
            )
            axes.plot(value.value, y, "o", color=edge, zorder=3, ms=8, mfc=face, mew=1.6)
            # A mark of each row's own, since rows may be compared with different values.
            if one.even is not None:
                x = [one.even] * 2
                ends = [y - ROW_HEIGHT / 2, y + ROW_HEIGHT / 2]
                axes.plot(
                    x, ends, color=FAINT_PLACEHOLDER, linewidth=1.4, linestyle=(0, (3, 2)), zorder=1
                )
        axes.set_yticks([y for y, _ in rows], [one.name for _, one in rows])
        axes.margins(x=0.08)
        axes.grid(axis="x")
        axes.set_xlabel(label)
        _draw_headings(axes, heads, height, show)

    return svg_figure(draw, height)


def bar_chart(groups: FigureRows, show: Format, label: str) -> str:
    """A hatched bar from 0 in every row below its name; value beside it, interval upon it."""
    rows, heads, height = row_positions(groups, 1.5 * ROW_HEIGHT)

    def draw(axes: "Axes") -> None:
        most = max((one.value.high for _, one in rows), default=1.0) or 1.0
        for y, one in rows:
            value = one.value
            axes.barh(
                y + 0.1,
                value.value,
                0.17,
                fc=SOFT_PLACEHOLDER,
                ec=ACCENT_PLACEHOLDER,
                hatch="/////",
                lw=1.2,
            )
            axes.plot([value.low, value.high], [y + 0.1] * 2, color=INK_PLACEHOLDER, linewidth=1.6)
            text = show(value.value)
            end = (value.high, y + 0.1)
            axes.annotate(text, end, (6, 0), va="center", textcoords="offset points")
            axes.annotate(one.name, (0, y - 0.02), va="bottom", annotation_clip=False)
        # Names stand in the rows, not on the axis, and values need room on the right.
        axes.set_yticks([])
        axes.set_xlim(0, most * 1.24)
        axes.set_xlabel(label)
        _draw_headings(axes, heads, height, show)

    return svg_figure(draw, height)


CELL_HEIGHT = 0.7  # inches of a row of cells with the name above it
NAME_SHARE = 0.34  # of it, for the name
MOST_INTERVALS = 12  # columns whose cells have room for an interval


def heat_map(names: Sequence[str], cells: Sequence[Sequence[Estimate | None]]) -> str:
    """A square of shares in percent, with intervals; None is blank.

    A cell is the darker the further it is from a half. Columns are numbered as the rows are.
    """
    many = len(names)

    def draw(axes: "Axes") -> None:
        for i, (name, row) in enumerate(zip(names, cells, strict=True)):
            place = (0, i + NAME_SHARE / 2 + 0.04)
            axes.annotate(f"{i + 1}  {name}", place, va="center", annotation_clip=False)
            for j, one in enumerate(row):
                if one is not None:
                    _draw_cell(axes, i + NAME_SHARE, j, one, many)
        axes.set_yticks([])
        axes.set_xticks([j + 0.5 for j in range(many)], [str(j + 1) for j in range(many)])
        axes.xaxis.tick_top()
        axes.spines["bottom"].set_visible(False)
        axes.set_xlim(0, many)
        axes.set_ylim(many, 0)

    return svg_figure(draw, CELL_HEIGHT * many)


def _draw_cell(axes: "Axes", top: float, left: float, one: Estimate, many: int) -> None:
    """A share of wins in its cell; many: columns."""
    from matplotlib.patches import Rectangle

    dark = min(1.0, 2 * abs(one.value - 0.5))
    size = 1 - NAME_SHARE
    square = Rectangle((left, top), 1, size, facecolor=SOFT_PLACEHOLDER, alpha=dark, lw=0)
    axes.add_patch(square)
    text = f"{100 * one.value:.0f}"
    if many <= MOST_INTERVALS:
        text += f"\n{100 * one.low:.0f}–{100 * one.high:.0f}"
    middle = (left + 0.5, top + size / 2)
    axes.annotate(text, middle, ha="center", va="center", fontsize=11 if many < 6 else 7)
