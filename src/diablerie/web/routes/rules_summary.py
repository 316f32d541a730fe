"""Rules at a glance: what a lesson says of its game in few words, with pictures."""

from typing import NamedTuple

from markupsafe import Markup
from starlette.requests import Request

from diablerie.engine.game import Game
from diablerie.web.routes.lessons import lesson_speech, ready, stand


class SummaryPart(NamedTuple):
    """One paragraph; `picture` is empty as long as the rules are being compiled."""

    title: str
    text: str
    picture: Markup


def summary_parts(request: Request, game: Game) -> list[SummaryPart]:
    """The paragraphs of a game, in the visitor's language; none if it has no lesson."""
    if game.lesson is None:
        return []
    speech, drawn = lesson_speech(request, game.lesson), ready(request, game)
    return [
        SummaryPart(
            speech.plain(one.title),
            speech.plain(one.text),
            stand(game, one.step).still(speech) if drawn else Markup(),
        )
        for one in game.lesson.glance
    ]
