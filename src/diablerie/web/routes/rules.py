"""The rules of a game as a page: a summary with pictures, and an anchor for every clause."""

import re
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from markupsafe import Markup
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from diablerie.engine import rules_text
from diablerie.engine.game import Game
from diablerie.engine.verbs import WATCHER
from diablerie.runtime.serving import apart
from diablerie.web.edges.security import EMBED_PATH
from diablerie.web.frames.memo_cache import MemoCache
from diablerie.web.html import assets, templates
from diablerie.web.html.speech import Speech, speech_for
from diablerie.web.people import language
from diablerie.web.routes.endpoints import authority_of
from diablerie.web.routes.lessons import lesson_speech, lesson_state, scene_match

if TYPE_CHECKING:
    from markdown_it.token import Token

CLAUSE_NUMBER = re.compile(r"\*\*([A-Z]\d+[a-z]?)\*\*\s")
FIGURE = Markup('<figure>{}<figcaption class="muted small">{}</figcaption></figure>')
WORD = re.compile(r"\W+")


class SummaryPart(NamedTuple):
    """One paragraph of the summary; `picture` is empty while the rules are being compiled."""

    title: str
    text: str
    picture: Markup


def summary_parts(request: Request, game: Game) -> list[SummaryPart]:
    """The summary of a game in the visitor's language; empty if it has no lesson."""
    lesson = game.lesson
    if lesson is None:
        return []

    def made() -> list[SummaryPart]:
        speech = lesson_speech(request, lesson)
        return [
            SummaryPart(
                speech.plain(one.title),
                speech.plain(one.text),
                lesson_state(game, one.step).still(speech),
            )
            for one in lesson.glance
        ]

    parts: MemoCache = request.app.state.parts  # to play the lesson takes 10 ms
    key = ("glance", game.name, language.request_language(request))
    return parts.get(key, made)


def illustrated(request: Request, game: Game, html: Markup) -> Markup:
    """The rules with the game's figures before their clauses."""
    parts: MemoCache = request.app.state.parts
    key = ("figures", game.name, language.request_language(request))
    return parts.get(key, lambda: with_figures(game, html, templates.request_speech(request)))


def with_figures(game: Game, html: Markup, speech: Speech) -> Markup:
    """The rules with the game's figures before their clauses."""
    text = html
    for one in game.lesson.figures if game.lesson else ():
        view = scene_match(game, one.scene).view(WATCHER)
        picture = Markup(game.ui.draw(view, [], speech.plain))
        clause = Markup('<p id="{}"').format(one.clause)
        text = text.replace(clause, FIGURE.format(picture, speech.plain(one.caption)) + clause)
    return text


def load_pictures(game: Game) -> None:
    """Draw the pictures of a summary once, which loads compiled code: it takes a second or more."""
    for one in game.lesson.glance if game.lesson else ():
        lesson_state(game, one.step).still(speech_for("en"))


def rules(request: Request) -> Response:
    """GET /rules/{game}, and /embed/rules/{game} for the pages of other sites: the text alone."""
    game = authority_of(request).games.get(request.path_params["game"])
    if game is None:
        raise HTTPException(404)
    text = rules_text.localized_rules(game, language.request_language(request))
    html, contents = apart(lambda: rendered(text))
    style = assets.game_stylesheet(game)
    if request.url.path.startswith(EMBED_PATH):
        page = "embed/rules.html"
        return templates.page_response(request, page, game=game, html=html, style=style)
    return templates.page_response(
        request,
        "rules.html",
        game=game,
        html=illustrated(request, game, html),
        style=style,
        contents=contents,
        glance=summary_parts(request, game),
    )


@cache
def rendered(text: str) -> tuple[Markup, list[tuple[str, str]]]:
    """The rules of a game (Markdown) as HTML, and their sections as (anchor, title)."""
    from markdown_it import MarkdownIt  # sixty modules, which no other page needs

    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = markdown.parse(text)
    headings = [i for i, t in enumerate(tokens) if t.tag in ("h2", "h3") and t.nesting == 1]
    anchors = {i: _anchored(tokens, i) for i in headings}
    contents = [anchors[i] for i in headings if tokens[i].tag == "h2"]
    for i, token in enumerate(tokens):
        if token.type == "inline" and (clause := CLAUSE_NUMBER.match(token.content)):
            tokens[i - 1].attrSet("id", clause[1])
            tokens[i - 1].attrJoin("class", "rule")
            tokens[i - 1].hidden = False  # in a tight list its paragraph would not show
            _linked(token, clause[1])
    html = markdown.renderer.render(tokens, markdown.options, {})
    return Markup(html), contents


def _anchored(tokens: "list[Token]", i: int) -> tuple[str, str]:
    """Give the heading that begins with this token its anchor."""
    title = tokens[i + 1].content
    anchor = WORD.sub("-", title.lower()).strip("-")
    tokens[i].attrSet("id", anchor)
    return anchor, title


def _linked(inline: "Token", clause: str) -> None:
    """Make the clause's number a link to itself, to be copied."""
    strong = [child for child in inline.children or [] if child.type.startswith("strong_")][:2]
    for child in strong:
        child.type = child.type.replace("strong", "link")
        child.tag = "a"
    strong[0].attrSet("href", f"#{clause}")
    strong[0].attrSet("class", "clause")
