"""The rules of a game as a page, with an anchor for every clause."""

import re
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from diablerie.games import ALL
from diablerie.web import pages

CLAUSE = re.compile(r"\*\*([A-Z]\d+[a-z]?)\*\*\s")
WORD = re.compile(r"\W+")


def rules(request: Request) -> Response:
    """GET /rules/{game}"""
    name = request.path_params["game"]
    if name not in ALL:
        raise HTTPException(404)
    html, contents = rendered(name)
    return pages.answer(request, "rules.html", game=ALL[name], html=html, contents=contents)


@cache
def rendered(name: str) -> tuple[Markup, list[tuple[str, str]]]:
    """A game's rules as HTML, and its sections as (anchor, title)."""
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = markdown.parse(ALL[name].text)
    contents = [_anchored(tokens, i) for i, token in enumerate(tokens) if token.tag == "h2"]
    for i, token in enumerate(tokens):
        if token.type == "inline" and (found := CLAUSE.match(token.content)):
            tokens[i - 1].attrSet("id", found[1])
            tokens[i - 1].attrJoin("class", "rule")
            tokens[i - 1].hidden = False  # in a tight list its paragraph would not show
            _linked(token, found[1])
    html = markdown.renderer.render(tokens, markdown.options, {})
    return Markup(html), [pair for pair in contents if pair]


def _anchored(tokens: list[Token], i: int) -> tuple[str, str]:
    """Give a heading its anchor; nothing for the token that closes one."""
    if tokens[i].nesting != 1:
        return ()  # type: ignore[return-value]
    title = tokens[i + 1].content
    anchor = WORD.sub("-", title.lower()).strip("-")
    tokens[i].attrSet("id", anchor)
    return anchor, title


def _linked(inline: Token, clause: str) -> None:
    """Make the clause's number a link to itself, to be copied."""
    strong = [child for child in inline.children or [] if child.type.startswith("strong_")][:2]
    for child in strong:
        child.type, child.tag = child.type.replace("strong", "link"), "a"
    strong[0].attrSet("href", f"#{clause}")
    strong[0].attrSet("class", "clause")
