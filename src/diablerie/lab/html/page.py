"""The parts of a report: one HTML page that needs no other file; numbers as text, and tables of them.

Tables and numbers are written once for the terminal and for the page.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from html import escape
from importlib.resources import files
from math import inf
from typing import NamedTuple

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from diablerie.art.devil import poster
from diablerie.engine.game import Game
from diablerie.engine.text import Line, say
from diablerie.lab.statistics import Estimate

STYLE_SHEETS = (
    "web/static/tokens.css",
    "web/static/base.css",
    "web/static/art.css",
    "lab/html/report.css",
)


class StudyPage(NamedTuple):
    """What the page of a study says.

    kind: stands small above the title; finding: the result in a sentence, below the title; lede:
    the paragraph after it; tiles, pictures, numbers: HTML; command: what made the page; note: how
    to read its numbers; made_by: see `StudyConfig`.
    """

    title: Line
    kind: Line
    finding: str
    lede: Line
    tiles: Iterable[str]
    pictures: Iterable[str]
    numbers: str
    command: str
    note: str
    made_by: str


def html_report(game: Game, page: StudyPage) -> str:
    """The page of a study, as HTML."""
    devil = poster(game.poster)
    # The styles of the server's pages, inside: the page is one file, without a server.
    style = "\n".join((files("diablerie") / name).read_text("utf-8") for name in STYLE_SHEETS)
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{html_text(page.title)}</title><style>{style}</style></head><body>"
        f'<header><div><p class="over">{html_text(page.kind)}</p>'
        f'<h1>{html_text(page.title)}</h1><p class="finding">{html_text(page.finding)}</p>'
        f"<p>{html_text(page.lede)}</p></div>"
        f'<div class="poster" aria-hidden="true">{devil}</div></header>'
        f"<main>{_section('tiles', page.tiles)}{_section('pictures', page.pictures)}{page.numbers}"
        f"<footer><p>{html_text(say('Made by'))}</p><pre><code>{html_text(page.command)}</code></pre>"
        f"<p>{html_text(page.note)}</p><p>{page.made_by}</p></footer>"
        "</main></body></html>\n"
    )


def html_text(text: Line | str) -> str:
    """Text, escaped."""
    return escape(str(text), quote=False)


def _section(kind: str, parts: Iterable[str]) -> str:
    return f'<section class="{kind}">{"".join(parts)}</section>'


def html_tile(value: str, what: Line, more: Line) -> str:
    """A number in large type, what it is of, and more about it in small type."""
    return (
        f"<div><b>{html_text(value)}</b><span>{html_text(what)}</span>"
        f"<small>{html_text(more)}</small></div>"
    )


def html_figure(name: str, title: Line, caption: Line, picture: str) -> str:
    """A picture with its title above and its caption below; its ids begin with `name`."""
    named = re.sub(r'(id="|url\(#|href="#|labelledby=")', rf"\g<1>{name}-", picture)
    return (
        f'<figure id="{name}"><h2 id="{name}-title">{html_text(title)}</h2>{named}'
        f"<figcaption>{html_text(caption)}</figcaption></figure>"
    )


def _html_row(row: Sequence[str]) -> str:
    cells = "".join(f"<td>{html_text(cell)}</td>" for cell in row[1:])
    return f'<tr><th scope="row">{html_text(row[0])}</th>{cells}</tr>'


def html_table(caption: str, head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; the first cell of each row names it."""
    top = "".join(f'<th scope="col">{html_text(cell)}</th>' for cell in head)
    body = "".join(map(_html_row, rows))
    return (
        f'<div class="scroll" tabindex="0" role="region" aria-label="{escape(caption)}"><table>'
        f"<caption>{html_text(caption)}</caption><tr>{top}</tr>{body}</table></div>"
    )


# -- tables, for the terminal and for the page -----------------------------------------------------


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
    if not x:
        return "0"
    return f"{x:+.3f}" if abs(x) < 10 else f"{x:+.1f}"


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
    if x < 0.001:
        return "< 0.001"
    return f"{x:.3f}" if x < 0.01 else f"{x:.2f}"


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
