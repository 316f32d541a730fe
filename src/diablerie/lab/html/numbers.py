"""Numbers as text, and tables of them, written once for the terminal and for the page."""

from collections.abc import Callable, Iterable, Sequence
from math import inf
from typing import NamedTuple

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from diablerie.engine.text import say
from diablerie.lab.html.page import html_table, html_text
from diablerie.lab.statistics import Estimate

Format = Callable[[float], str]


class SummaryTable(NamedTuple):
    """A table of texts.

    caption: stands above it; head: of the columns, of which the first `names` name the row.
    """

    caption: str
    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    names: int = 1

    def terminal(self) -> Table:
        """The table for a terminal: names on the left, numbers on the right."""
        table = Table(title=self.caption, title_justify="left")
        for i, heading in enumerate(self.head):
            if i < self.names:
                table.add_column(heading, overflow="fold")
            else:
                table.add_column(heading, justify="right", no_wrap=True)
        for row in self.rows:
            table.add_row(*row)
        return table

    def html(self) -> str:
        """The table for a page."""
        return html_table(self.caption, self.head, self.rows)


def terminal_report(
    title: str, parts: Iterable[SummaryTable | str], note: str, finding: str = ""
) -> RenderableType:
    """A summary for a terminal: a title, the finding in a sentence, tables, and a note below them."""
    shown = (part if isinstance(part, str) else part.terminal() for part in parts)
    top = [Text(title, style="bold"), *([Text(finding)] if finding else [])]
    return Group(*top, *shown, Text(note, style="dim"))


def html_numbers(tables: Iterable[SummaryTable]) -> str:
    """The same tables on a page; the reader opens them."""
    heading = html_text(say("All numbers, with 95 % intervals"))
    shown = "".join(table.html() for table in tables)
    return f'<details class="numbers"><summary>{heading}</summary>{shown}</details>'


def estimate_cells(estimate: Estimate | None, show: Format) -> tuple[str, str]:
    """Two cells: an estimate and its interval, empty for None."""
    if estimate is None:
        return "", ""
    return show(estimate.value), format_interval(estimate, show)


# -- numbers ---------------------------------------------------------------------------------------


def format_number(x: float) -> str:
    """A number with three significant digits, at most three behind the point."""
    if x == 0:
        return "0"
    digits = next(n for n, least in ((0, 100), (1, 10), (2, 1), (3, 0)) if abs(x) >= least)
    return f"{x:.{digits}f}"


def format_difference(x: float) -> str:
    """A difference with its sign."""
    return f"{x:+.3f}" if 0 < abs(x) < 10 else f"{x:+.1f}" if x else "0"


def format_percent(x: float) -> str:
    """A share in percent."""
    return f"{100 * x:.1f} %"


def format_elo(x: float) -> str:
    """A difference in Elo."""
    return f"{'+' if x > 0 else '-'}∞" if abs(x) == inf else f"{x:+.0f}"


def format_openskill(x: float) -> str:
    """An openskill rating."""
    return f"{x:.2f}"


def format_p_value(x: float) -> str:
    """A probability that may be tiny: two digits behind the point, three below 0.01."""
    return "< 0.001" if x < 0.001 else f"{x:.3f}" if x < 0.01 else f"{x:.2f}"


def format_fine(x: float) -> str:
    """A number with four digits behind the point."""
    return f"{x:.4f}"


def format_duration(seconds: float) -> str:
    """Seconds, in the unit that suits them."""
    if seconds < 1e-3:
        return f"{seconds * 1e6:.0f} µs"
    return f"{seconds * 1e3:.1f} ms" if seconds < 1 else f"{seconds:.2f} s"


def format_interval(estimate: Estimate, show: Format) -> str:
    """The interval of an estimate."""
    return f"{show(estimate.low)} … {show(estimate.high)}".replace(" % …", " …")


def format_estimate(estimate: Estimate | None, show: Format = format_fine) -> str:
    """An estimate with its interval; a dash for None."""
    if estimate is None:
        return "–"
    return f"{show(estimate.value)} [{show(estimate.low)}, {show(estimate.high)}]"
