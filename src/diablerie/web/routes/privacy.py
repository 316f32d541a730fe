"""What belongs to no table: health, style, what is kept."""

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

import diablerie
from diablerie.table.bots.compile_rules import RulesCompiler
from diablerie.table.storage.health import Health
from diablerie.web import gallery
from diablerie.web.edges.forms import Form
from diablerie.web.edges.requests import authority_of, see_other
from diablerie.web.html import templates
from diablerie.web.people import identity
from diablerie.web.people.preferences import NAME
from diablerie.web.process.serve import ABANDONED, DAY


async def healthz(request: Request) -> Response:
    """GET /healthz: whether all is well, and how far the rules are compiled.

    It waits for no thread and no database: what is known of that was found before.
    """
    health: Health = request.app.state.health
    warm: RulesCompiler | None = request.app.state.warm
    steps = warm.progress() if warm else {}
    rules = {name: {"done": step.done, "of": step.of} for name, step in steps.items()}
    said = {"version": diablerie.__version__, "rules": rules}
    if health.trouble:
        return JSONResponse({"status": "unhealthy", "database": health.trouble, **said}, 503)
    return JSONResponse({"status": "ok", **said})


def kept_data(request: Request) -> Response:
    """GET /kept: what is kept of people, how long, and how to be rid of it."""
    return templates.page_response(request, "kept.html", days=ABANDONED // DAY)


def forget_names(request: Request, form: Form) -> Response:
    """POST /forget: the names this browser has given itself are gone."""
    visitor = identity.visitor(request)
    if visitor is not None:
        authority_of(request).erase.names(visitor)
    response = see_other(request, "/kept")
    response.delete_cookie(NAME)
    return response


def style(request: Request) -> Response:
    """GET /style: every part the pages are made of."""
    shown = gallery.samples(templates.request_speech(request).plain)
    return templates.page_response(request, "style.html", **shown)
