"""What belongs to no table: health, style, what is kept."""

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

import diablerie
from diablerie.table.health import Health
from diablerie.table.warm import Warm
from diablerie.web import gallery, pages, who
from diablerie.web.forms import Form
from diablerie.web.looks import NAME
from diablerie.web.requests import authority_of, done
from diablerie.web.serve import ABANDONED, DAY


async def healthz(request: Request) -> Response:
    """GET /healthz: whether all is well, and how far the rules are compiled.

    It waits for no thread and no database: what is known of that was found before.
    """
    health: Health = request.app.state.health
    warm: Warm | None = request.app.state.warm
    steps = warm.progress() if warm else {}
    rules = {name: {"done": step.done, "of": step.of} for name, step in steps.items()}
    said = {"version": diablerie.__version__, "rules": rules}
    if health.trouble:
        return JSONResponse({"status": "unhealthy", "database": health.trouble, **said}, 503)
    return JSONResponse({"status": "ok", **said})


def kept(request: Request) -> Response:
    """GET /kept: what is kept of people, how long, and how to be rid of it."""
    return pages.answer(request, "kept.html", days=ABANDONED // DAY)


def forget(request: Request, form: Form) -> Response:
    """POST /forget: the names this browser has given itself are gone."""
    visitor = who.visitor(request)
    if visitor is not None:
        authority_of(request).erase.names(visitor)
    response = done(request, "/kept")
    response.delete_cookie(NAME)
    return response


def style(request: Request) -> Response:
    """GET /style: every part the pages are made of."""
    shown = gallery.samples(pages.speech(request).plain)
    return pages.answer(request, "style.html", **shown)
