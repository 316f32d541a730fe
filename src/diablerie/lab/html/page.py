"""The parts of a report: one HTML page that needs no other file."""

import re
from collections.abc import Iterable, Sequence
from html import escape
from importlib.resources import files

from diablerie.art.devil import poster
from diablerie.engine.game import Game
from diablerie.engine.text import Line, say

STYLE_SHEETS = (
    "web/static/tokens.css",
    "web/static/base.css",
    "web/static/art.css",
    "lab/html/report.css",
)


def html_report(
    game: Game,
    *,
    title: Line,
    kind: Line,
    finding: str,
    lede: Line,
    tiles: Iterable[str],
    pictures: Iterable[str],
    numbers: str,
    command: str,
    note: str,
    made_by: str,
) -> str:
    """The page of a study.

    kind: stands small above the title; finding: the result in a sentence, below the title; lede:
    the paragraph after it; tiles, pictures, numbers: HTML; command: what made the page; note: how
    to read its numbers; made_by: see `StudyConfig`.
    """
    devil = poster(game.poster)
    style = "\n".join((files("diablerie") / name).read_text("utf-8") for name in STYLE_SHEETS)
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{html_text(title)}</title><style>{style}</style></head><body>"
        f'<header><div><p class="over">{html_text(kind)}</p>'
        f'<h1>{html_text(title)}</h1><p class="finding">{html_text(finding)}</p>'
        f"<p>{html_text(lede)}</p></div>"
        f'<div class="poster" aria-hidden="true">{devil}</div></header>'
        f"<main>{_section('tiles', tiles)}{_section('pictures', pictures)}{numbers}"
        f"<footer><p>{html_text(say('Made by'))}</p><pre><code>{html_text(command)}</code></pre>"
        f"<p>{html_text(note)}</p><p>{made_by}</p></footer>"
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
