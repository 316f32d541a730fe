"""The parts of a report: one HTML page that needs no other file."""

from collections.abc import Iterable, Sequence
from html import escape
from importlib.resources import files

from diablerie.art.devil import figure
from diablerie.art.poses import POSES
from diablerie.engine.game import Game
from diablerie.engine.text import Line, say

STYLES = ("web/static/tokens.css", "web/static/art.css", "lab/html/report.css")


def html_report(
    game: Game,
    *,
    title: Line,
    kind: Line,
    lede: Line,
    finding: str = "",
    sections: Iterable[str],
    command: str,
    note: Line | str,
    diablerie: str,
    version: int | None = None,
) -> str:
    """A page about a game.

    kind: stands small above the title; finding: the result in a sentence, below the title; lede:
    the paragraph after it; sections: HTML; command: what
    made the page; note: how to read its numbers; diablerie: the version that made it; version: of
    the rules, if not the game's.
    """
    devil = figure(game.poster if game.poster in POSES else "grin")
    style = "\n".join((files("diablerie") / name).read_text("utf-8") for name in STYLES)
    rules = game.version if version is None else version
    found = f'<p class="finding">{html_text(finding)}</p>' if finding else ""
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{html_text(title)}</title><style>{style}</style></head><body>"
        f'<header><div><p class="over">{html_text(kind)}</p>'
        f"<h1>{html_text(title)}</h1>{found}<p>{html_text(lede)}</p></div>"
        f'<div class="poster" aria-hidden="true">{devil}</div></header>'
        f"<main>{''.join(sections)}"
        f"<footer><p>{html_text(say('Made by'))}</p><pre><code>{html_text(command)}</code></pre>"
        f"<p>{html_text(note)}</p><p>diablerie {diablerie}, rules version {rules}</p></footer>"
        "</main></body></html>\n"
    )


def html_text(text: Line | str) -> str:
    """Text, escaped."""
    return escape(str(text), quote=False)


def html_section(kind: str, parts: Iterable[str]) -> str:
    """A section of the page: `tiles` or `pictures`."""
    return f'<section class="{kind}">{"".join(parts)}</section>'


def html_tile(value: str, what: Line, more: Line) -> str:
    """A number in large type, what it is of, and more about it in small type."""
    return (
        f"<div><b>{html_text(value)}</b><span>{html_text(what)}</span>"
        f"<small>{html_text(more)}</small></div>"
    )


def html_figure(name: str, title: Line, caption: Line, picture: str) -> str:
    """A picture with its title above and its caption below."""
    return (
        f'<figure id="{name}"><h2 id="{name}-title">{html_text(title)}</h2>{picture}'
        f"<figcaption>{html_text(caption)}</figcaption></figure>"
    )


def html_table(caption: str, head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; the first cell of each row names it."""
    top = "".join(f'<th scope="col">{html_text(cell)}</th>' for cell in head)
    body = "".join(
        f'<tr><th scope="row">{html_text(row[0])}</th>'
        + "".join(f"<td>{html_text(cell)}</td>" for cell in row[1:])
        + "</tr>"
        for row in rows
    )
    return (
        f'<div class="scroll" tabindex="0" role="region" aria-label="{escape(caption)}"><table>'
        f"<caption>{html_text(caption)}</caption><tr>{top}</tr>{body}</table></div>"
    )
