"""The desk: what every route of a table does first and last."""

from collections.abc import Awaitable, Callable, Sequence

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from diablerie.engine.text import say
from diablerie.table.authority import Authority
from diablerie.table.errors import BadInput, Forbidden, Refused
from diablerie.table.hints import Hint
from diablerie.table.visitors import Visitor
from diablerie.web import assets, errors, forms, frames, language, pages, who
from diablerie.web import page_model as scene
from diablerie.web import viewpoint as sight
from diablerie.web.forms import Form
from diablerie.web.page_model import Scene
from diablerie.web.viewpoint import Sight


def authority_of(request: Request) -> Authority:
    """The authority this server asks."""
    found: Authority = request.app.state.authority
    return found


def posting(work: Callable[[Request, Form], Response]) -> Callable[[Request], Awaitable[Response]]:
    """An endpoint for forms: reads the form, then works in a thread."""

    async def endpoint(request: Request) -> Response:
        form = await forms.read(request)
        return await run_in_threadpool(work, request, form)

    return endpoint


def seat_number(text: str | None) -> int | None:
    """A seat as addresses and forms name it; None if they name none. Raises BadInput."""
    if not text:
        return None
    if len(text) == 1 and text in "012345":
        return int(text)
    raise BadInput(say("There is no seat “{text}”.", text=text[:20]))


def own_seat(form: Form) -> int:
    """The seat a form is about. Raises BadInput."""
    seat = seat_number(form.get("seat"))
    if seat is None:
        raise BadInput(say("This form does not say for which seat it is."))
    return seat


def known(request: Request) -> Visitor:
    """The visitor, who must have been here before. Raises Forbidden."""
    visitor = who.visitor(request)
    if visitor is None:
        raise Forbidden(say("You have no seat at this table."))
    return visitor


def sight_of(request: Request) -> Sight:
    """What the request's address asks to see. Raises what `sight.look` raises."""
    asked = request.query_params
    return sight.look(
        authority_of(request),
        request.path_params["id"],
        who.visitor(request),
        seat_number(asked.get("as")),
        sight.steps(asked.get("draft", "")),
    )


def scene_of(request: Request, seen: Sight) -> Scene:
    """The scene of a sight for this visitor."""
    home = str(request.base_url).rstrip("/")
    visitor, tongue = who.visitor(request), language.chosen(request)
    warm = request.app.state.warm
    return scene.gather(authority_of(request), warm, seen, tongue, visitor, home)


def table_page(
    request: Request,
    seen: Sight,
    control: str = "act",
    status: int = 200,
    link: str = "",
    hints: Sequence[Hint] = (),
) -> Response:
    """The table's page; a refusal of the sight stands at `control`."""
    shown = scene_of(request, seen).after(seen.refusal, control, link, hints)
    return pages.answer(
        request,
        "table.html",
        status_code=status,
        scene=shown,
        speech=shown.speech,
        frame=frames.frame(shown),
        style=assets.style(shown.game),
    )


def done(request: Request, url: str) -> Response:
    """The answer to a form that was accepted: where to go on."""
    if errors.wants_page(request.headers):
        return RedirectResponse(url, 303)
    return JSONResponse({"url": url})


def refused(request: Request, error: Refused, control: str, seat: int | None = None) -> Response:
    """The answer to a form at a table that was refused: the page again, with the reason in it."""
    if not errors.wants_page(request.headers):
        return errors.problem(request, error, **_details(request, error))
    table = request.path_params["id"]
    try:
        seen = sight.look(authority_of(request), table, who.visitor(request), seat)
    except Refused:
        raise error from None
    return table_page(request, seen.refused(error), control, error.status)


def _details(request: Request, error: Refused) -> dict[str, object]:
    more: dict[str, object] = {}
    if error.clause:
        live = authority_of(request).live(request.path_params["id"])
        more["rule"] = f"/rules/{live.game.name}#{error.clause}"
    seq = getattr(error, "seq", None)
    return more if seq is None else more | {"seq": seq}
