"""What belongs to no table: health, style, the language."""

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

import diablerie
from diablerie.table.warm import Warm
from diablerie.web import gallery, language, pages
from diablerie.web.requests import done
from diablerie.web.who import YEAR


class Speak(Struct, frozen=True):
    """The language somebody wants to read."""

    language: str = ""


def healthz(request: Request) -> Response:
    """GET /healthz: that the server answers, and how far the rules are compiled."""
    warm: Warm | None = request.app.state.warm
    steps = warm.progress() if warm else {}
    rules = {name: {"done": step.done, "of": step.of} for name, step in steps.items()}
    return JSONResponse({"status": "ok", "version": diablerie.__version__, "rules": rules})


def style(request: Request) -> Response:
    """GET /style: every part the pages are made of."""
    shown = gallery.samples(pages.speech(request).plain)
    return pages.answer(request, "style.html", **shown)


def speak(request: Request, form: Speak) -> Response:
    """POST /language"""
    response = done(request, "/")
    if form.language in language.available():
        response.set_cookie(
            language.COOKIE, form.language, max_age=YEAR, httponly=True, samesite="lax"
        )
    return response
