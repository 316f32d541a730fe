"""Tables of numbers, written once for the terminal and for the page."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from diablerie.engine.text import say
from diablerie.lab.html.formats import Format, format_interval
from diablerie.lab.html.page import html_table, html_text
from diablerie.lab.statistics import Estimate


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
