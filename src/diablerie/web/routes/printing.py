"""A game to be printed: its pieces, what to do with them, and its rules."""

from typing import Any, NamedTuple

from markupsafe import Markup
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from diablerie.api import Frozen
from diablerie.art.svg import Svg
from diablerie.engine import rules_text
from diablerie.engine.game import Game
from diablerie.engine.paper import Printed, Shape
from diablerie.engine.text import Line, say
from diablerie.runtime.serving import apart
from diablerie.web.edges import forms
from diablerie.web.frames.memo_cache import MemoCache
from diablerie.web.html import assets, templates
from diablerie.web.html.leaves import PAPERS, Leaf, Paper, leaves, sheet
from diablerie.web.html.speech import Speech, speech_for
from diablerie.web.people import language
from diablerie.web.routes.endpoints import authority_of
from diablerie.web.routes.rules import rendered, with_figures

RULE_PAGES = 2  # pages before the pieces: one leaf


class PrintQuery(Frozen):
    """The query: the paper, and whether large boards have their background."""

    paper: str = "a4"
    ground: bool = True


class Kind(NamedTuple):
    """A line of the contents."""

    name: str
    number: int
    pages: str


def print_page(request: Request) -> Response:
    """GET /print/{game}?paper=letter&ground=0"""
    game = authority_of(request).games.get(request.path_params["game"])
    asked = forms.typed(PrintQuery, request.query_params, 404)
    if game is None or game.printed is None or asked.paper not in PAPERS:
        raise HTTPException(404)
    locale = language.request_language(request)
    parts: MemoCache = request.app.state.parts
    key = ("print", game.name, locale, asked)
    context = parts.get(key, lambda: apart(lambda: _context(game, locale, asked)))
    style = assets.game_stylesheet(game)
    return templates.page_response(request, "print.html", style=style, styles="", **context)


def as_file(game: Game, locale: str, asked: PrintQuery) -> str:
    """The same page as one file. The game is one that can be printed."""
    sheets = (assets.game_stylesheet(game), assets.PRINT)
    styles = "\n".join(assets.contents()[name].decode() for name in sheets)
    return templates.render_template(
        locale, "print.html", style="", styles=styles, **_context(game, locale, asked)
    )


def _context(game: Game, locale: str, asked: PrintQuery) -> dict[str, Any]:
    """What the template shows."""
    assert game.printed, game.name
    speech = speech_for(locale)
    paper = PAPERS[asked.paper]
    printed = game.printed(speech.plain)
    made = leaves(printed, paper)
    # The rules come last.
    law, _ = rendered(rules_text.localized_rules(game, locale))
    return {
        "game": game,
        "asked": asked,
        "papers": PAPERS,
        "title": speech.plain(game.title),
        "parts": Markup(printed.parts),
        "contents": _contents(printed, made, speech),
        "first_of_rules": RULE_PAGES + 2 * len(made) + 1,
        "joined": any(len(_numbers(board.name, made)) > 1 for board in printed.boards),
        "stands": any(one.shape is Shape.STAND for one in printed.pieces),
        "making": printed.making,
        "household": printed.household,
        "pages": _pages(game, printed, made, paper, speech),
        "law": with_figures(game, law, speech),
    }


def _contents(printed: Printed, made: list[Leaf], speech: Speech) -> list[Kind]:
    """What is printed, in the order of the pages."""
    counted = [(one.name, len(one.faces)) for one in printed.pieces]
    counted += [(board.name, 1) for board in printed.boards]
    kinds = [(_numbers(name, made), name, count) for name, count in counted]
    return [
        Kind(speech.plain(name), count, _span(numbers))
        for numbers, name, count in sorted(kinds, key=lambda one: one[0])
    ]


def _span(numbers: list[int]) -> str:
    """Numbers of pages, the first and the last."""
    first = numbers[0]
    last = numbers[-1]
    return str(first) if first == last else f"{first}–{last}"


def _numbers(name: Line, made: list[Leaf]) -> list[int]:
    """The numbers of the pages on whose fronts such pieces are."""
    return [RULE_PAGES + 1 + 2 * k for k, leaf in enumerate(made) if name in leaf.names]


def _pages(
    game: Game, printed: Printed, made: list[Leaf], paper: Paper, speech: Speech
) -> list[Svg]:
    """The pages of all leaves, fronts and backs."""
    title = speech.plain(game.title)
    look = printed.look
    pages = []
    for k, leaf in enumerate(made):
        # A leaf has two numbers, also if its back stays empty.
        number = RULE_PAGES + 1 + 2 * k
        names = ", ".join(speech.plain(name) for name in leaf.names)
        front = say("{game}, page {n}: {pieces}", game=title, n=number, pieces=names)
        back = (
            say(
                "{game}, page {n}: the backs of page {front}",
                game=title,
                n=number + 1,
                front=number,
            )
            if leaf.back
            else say("{game}, page {n}: stays empty", game=title, n=number + 1)
        )
        pages.append(sheet(leaf.front, look, paper, speech.plain(front)))
        pages.append(sheet(leaf.back, look, paper, speech.plain(back)))
    return pages
