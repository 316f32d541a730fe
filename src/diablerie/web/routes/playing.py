"""Playing: decisions, the draft of a plan, asking a devil, chat, and once more."""

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from diablerie.engine.text import say
from diablerie.table.errors import BadInput, Refused
from diablerie.table.live import Live
from diablerie.table.visitors import Visitor
from diablerie.web import errors, pages, who
from diablerie.web import viewpoint as sight
from diablerie.web.forms import Form
from diablerie.web.page_model import Scene
from diablerie.web.requests import (
    authority_of,
    done,
    known,
    own_seat,
    refused,
    scene_of,
    table_page,
)
from diablerie.web.viewpoint import Sight

DIGITS = 12


def act(request: Request, form: Form) -> Response:
    """POST /t/{id}/act: `do` or `amount`, after the decisions of `draft`; `send` confirms those.

    With `afresh` what is to be done takes the place of the draft.
    """
    try:
        seat = own_seat(form)
        return done(request, _act(request, form, known(request), seat))
    except Refused as error:
        return refused(request, error, "act", _chosen(form))


def _chosen(form: Form) -> int | None:
    return int(form["as"]) if form.get("as", "") in tuple("012345") else None


def _act(request: Request, form: Form, visitor: Visitor, seat: int) -> str:
    authority, table = authority_of(request), request.path_params["id"]
    seen = sight.look(authority, table, visitor, seat)
    before = sight.steps(form.get("draft", ""))
    kept = () if "afresh" in form else before
    wanted = (*kept, *_decision(seen, kept, form))
    if not wanted:
        raise BadInput(say("Nothing was chosen."))
    if "send" not in form and _goes_on(seen, before, wanted):
        return seen.drafted(wanted).url
    seq = form.number("seq", -1, 0, 10**6)
    live = authority.play.act(table, visitor, seat, seq, wanted, who.client(request))
    return next_url(live, visitor, seat)


def _decision(seen: Sight, before: tuple[str, ...], form: Form) -> tuple[str, ...]:
    if "amount" not in form or "do" in form:
        return sight.steps(form.get("do", ""))
    position = seen.live.position(seen.viewer, before)
    asked = position.game.ui.amount(position.record, seen.viewer) if position.asked else None
    if asked is None:
        raise BadInput(say("No number is asked for now."))
    return (asked.template.format(form["amount"].strip()[:DIGITS]),)


def _goes_on(seen: Sight, before: tuple[str, ...], wanted: tuple[str, ...]) -> bool:
    """Whether these decisions are a plan to be shown first: unfinished, or made one by one.

    Raises IllegalMove or BadInput if they cannot be made.
    """
    if not seen.live.game.plan:
        return False
    unfinished = seen.live.position(seen.viewer, wanted).unfinished
    return unfinished or bool(before)


def next_url(live: Live, visitor: Visitor, seat: int) -> str:
    """Where a person looks after deciding: from the same seat only while it goes on deciding."""
    own = live.seats_of(visitor)
    again = len(own) > 1 and seat in live.pending and sight.secrets_at_stake(live, own)
    return f"/t/{live.id}" + (f"?as={seat}" if again else "")


def hint(request: Request, form: Form) -> Response:
    """POST /t/{id}/hint: what a devil would do, after the decisions of `draft`."""
    try:
        seat, visitor = own_seat(form), known(request)
        seen = _seen(request, form, visitor)
        draft = sight.steps(form.get("draft", ""))
        hints = authority_of(request).play.hints(
            seen.live, visitor, seat, draft, who.client(request)
        )
    except Refused as error:
        return refused(request, error, "hint", _chosen(form))
    if errors.wants_page(request.headers):
        return table_page(request, seen, hints=hints)
    return JSONResponse(_hinted(scene_of(request, seen).after(None, "hint", hints=hints)))


def _seen(request: Request, form: Form, visitor: Visitor) -> Sight:
    table, draft = request.path_params["id"], sight.steps(form.get("draft", ""))
    return sight.look(authority_of(request), table, visitor, _chosen(form), draft)


def _hinted(scene: Scene) -> dict[str, object]:
    """Hints for a program, and as HTML for our script, with the place in the log they are for."""
    speech = scene.speech
    told = [
        {"do": hint.move.text, "chance": round(hint.chance, 3), "words": speech.plain(hint.words)}
        for hint in scene.hints
    ]
    html = pages.render(scene.tongue, "parts/hints.html", scene=scene, speech=speech)
    return {"seq": scene.live.seq, "hints": told, "html": html}


def chat(request: Request, form: Form) -> Response:
    """POST /t/{id}/chat"""
    table = request.path_params["id"]
    try:
        text = form.get("text", "")
        authority_of(request).chat.say(
            table, known(request), text, who.client(request), _chosen(form)
        )
    except Refused as error:
        return refused(request, error, "chat", _chosen(form))
    return done(request, form.back(table))


def rematch(request: Request, form: Form) -> Response:
    """POST /t/{id}/rematch"""
    try:
        live = authority_of(request).lobby.rematch(request.path_params["id"], known(request))
    except Refused as error:
        return refused(request, error, "rematch")
    return done(request, f"/t/{live.id}")
