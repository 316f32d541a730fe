"""Routes of playing: decide, draft a plan, take back, ask for a hint, play a rematch; and of seats.

People sit down, share in the dice, move to another device, mute others.
"""

from dataclasses import replace
from typing import Annotated

from msgspec import Meta, field
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from diablerie.api import (
    Deciding,
    Number,
    Operations,
    Other,
    Rematching,
    Screening,
    SeatWish,
    Sitting,
)
from diablerie.engine.text import say
from diablerie.engine.verbs import SEATS
from diablerie.table.commands import chat, decisions, latecomers, lobby, seats, sequels
from diablerie.table.errors import BadInput, NotFound, Repeated
from diablerie.table.state.table_state import TableState
from diablerie.table.state.transitions import split_steps
from diablerie.table.state.visitors import Visitor
from diablerie.web.edges import errors
from diablerie.web.edges.forms import Form, Owned
from diablerie.web.frames.table_page import (
    FormAnswer,
    Page,
    Viewpoint,
    secrets_at_stake,
    view_table,
)
from diablerie.web.html import templates
from diablerie.web.people import identity, preferences
from diablerie.web.routes.endpoints import (
    at_table,
    authority_of,
    back,
    see_other,
    table_of,
    table_url,
)
from diablerie.web.routes.table import page_of, table_page

# -- playing ---------------------------------------------------------------------------------------

AMOUNT_DIGITS = 12  # at most of `amount`


class Decision(Owned):
    """A decision (`do`, or `amount` for a number) after the decisions of `draft`.

    `ply` is that of the page; `send` confirms the draft; with `afresh` the decision replaces the
    draft.
    """

    ply: Number
    do: str = ""
    amount: str = ""
    draft: str = ""
    send: bool = False
    afresh: bool = False


class Ask(Owned):
    """The form that asks what a bot would do after the decisions of `draft`; round: of the hints."""

    draft: str = ""
    round: Annotated[int, Meta(ge=decisions.FIRST_ROUND, le=decisions.LAST_ROUND)] = (
        decisions.USUAL_ROUND
    )


def decide(request: Request, form: Decision) -> Response:
    """POST /t/{id}/decide: play the decisions, or show them first if they are a plan."""
    authority, table, visitor = at_table(request)
    viewpoint = view_table(authority, table, visitor, form.seat)
    before = split_steps(form.draft)
    draft = () if form.afresh else before
    wanted = (*draft, *_decision(viewpoint, draft, form))
    if not wanted:
        raise BadInput(say("You have not chosen anything."))
    if not form.send and _goes_on(viewpoint, before, wanted):
        return see_other(request, viewpoint.drafted(wanted).url)
    authority.limits.take(Operations.decide.limit, identity.client(request))
    asked = Deciding(form.ply, "; ".join(wanted), form.seat)
    try:
        live = decisions.decide.do(authority, table, visitor, asked)
    except Repeated:  # sent twice by a page without our script: what was wanted is done
        if not errors.wants_page(request.headers):
            raise
        live = authority.live(table)
    response = see_other(request, next_url(live, visitor, form.seat))
    return preferences.dismiss_card(request, response, live.game.name)


def _decision(viewpoint: Viewpoint, before: tuple[str, ...], form: Decision) -> tuple[str, ...]:
    if form.do or not form.amount:
        return split_steps(form.do)
    position = viewpoint.live.position(viewpoint.viewer, before)
    asked = position.game.amount(position.record, viewpoint.viewer) if position.asked else None
    if asked is None:
        raise BadInput(say("You do not have to give a number now."))
    return (asked.template.format(form.amount.strip()[:AMOUNT_DIGITS]),)


def _goes_on(viewpoint: Viewpoint, before: tuple[str, ...], wanted: tuple[str, ...]) -> bool:
    """Whether these decisions are a plan to be shown first: unfinished, or made one by one.

    Raises IllegalMove or BadInput if they cannot be made.
    """
    if not viewpoint.live.game.plan:
        return False
    return viewpoint.live.position(viewpoint.viewer, wanted).unfinished or bool(before)


def next_url(live: TableState, visitor: Visitor, seat: int) -> str:
    """The address after a decision: seen from the same seat only while it goes on deciding."""
    own = live.seats_of(visitor)
    again = len(own) > 1 and seat in live.pending and secrets_at_stake(live, own)
    return f"/t/{live.id}" + (f"?as={seat}" if again else "")


def hint(request: Request, form: Ask) -> Response:
    """POST /t/{id}/hint: show what a bot would do."""
    authority, table, visitor = at_table(request)
    draft = split_steps(form.draft)
    viewpoint = view_table(authority, table, visitor, form.chosen, draft)
    client = identity.client(request)
    asked = decisions.HintAsking(form.seat, draft, form.round)
    hints = decisions.ask_hints.do(authority, table, visitor, asked, client)
    if errors.wants_page(request.headers):
        return table_page(request, viewpoint, hints=hints)
    return JSONResponse(
        _hinted(replace(page_of(request, viewpoint), answer=FormAnswer(hints=hints)))
    )


def _hinted(page: Page) -> dict[str, object]:
    """Hints for a program, the same as HTML for our script, and the ply they are for.

    better: the round in which better ones can be asked for, None if there are none.
    """
    speech = page.speech
    answer = page.answer
    hints = [
        {
            "do": hint.move.text,
            "chance": round(hint.chance, 3),
            "interval": [round(end, 3) for end in hint.interval],
            "words": speech.plain(hint.words),
            "why": speech.plain(hint.why) if hint.why else "",
        }
        for hint in answer.hints
    ]
    better = answer.hints[0].better if answer.hints else None
    return {"ply": page.live.ply, "hints": hints, "better": better, "html": page.render("hints")}


def rematch(request: Request, asked: Rematching) -> Response:
    """POST /t/{id}/rematch"""
    live = sequels.rematch.do(*at_table(request), asked, identity.client(request))
    return see_other(request, f"/t/{live.id}")


# -- seats -----------------------------------------------------------------------------------------

THANKS = say("Thank you. Whoever runs this server will see it.")


class Muting(Owned):
    """A seat whose player is to be muted or, with `hear`, no longer."""

    hear: bool = False


class Reporting(Form):
    """The number of a line of chat."""

    line: Number


class SeatShares(Form):
    """Hashes or nonces by seat, in fields `hash-0=…` or `nonce-0=…`."""

    hash: dict[str, str] = field(default_factory=dict)
    nonce: dict[str, str] = field(default_factory=dict)


def sit(request: Request, asked: Sitting) -> Response:
    """POST /t/{id}/sit"""
    caller = identity.Caller(request)
    lobby.sit.do(authority_of(request), table_of(request), caller.visitor, asked)
    return preferences.keep_name(caller.keep(back(request)), asked.name)


def ask_seat(request: Request, asked: SeatWish) -> Response:
    """POST /t/{id}/ask_seat"""
    caller = identity.Caller(request)
    latecomers.ask_seat.do(authority_of(request), table_of(request), caller.visitor, asked)
    return preferences.keep_name(caller.keep(back(request)), asked.name)


def screen(request: Request, asked: Screening) -> Response:
    """POST /t/{id}/screen: a screen shows the board now, or no longer; this one, or another."""
    lobby.screen.do(*at_table(request), asked)
    if asked.on and asked.here:
        return see_other(request, f"/t/{table_of(request)}/screen")
    return back(request)


def share(request: Request, form: SeatShares) -> Response:
    """POST /t/{id}/share: send hashes or nonces of own seats."""
    lobby.share(*at_table(request), _by_seat(form.hash), _by_seat(form.nonce))
    return back(request)


def _by_seat(given: dict[str, str]) -> dict[int, str]:
    if wrong := [seat for seat in given if seat not in map(str, range(SEATS))]:
        raise BadInput(say("There is no seat “{text}”.", text=wrong[0][:40]))
    return {int(seat): text for seat, text in given.items()}


def seat_link(request: Request, asked: Other) -> Response:
    """POST /t/{id}/link: make a link that moves the seat. Only this answer contains it."""
    authority, table, visitor = at_table(request)
    secret = seats.link(authority, table, visitor, asked.seat)
    address = str(request.url_for("claim", id=table, secret=secret))
    if not errors.wants_page(request.headers):
        return JSONResponse({"link": address})
    return table_page(request, view_table(authority, table, visitor), link=address)


def asked_to_claim(request: Request) -> Response:
    """GET /t/{id}/claim/{secret}: the page of such a link, whose button uses it."""
    live = authority_of(request).live(table_of(request))
    seat = seats.linked_seat(live, request.path_params["secret"]).seat
    return templates.page_response(
        request,
        "claim.html",
        title=live.game.title,
        who=live.name(seat),
        mine=seat in live.seats_of(identity.visitor(request)),
    )


def claim(request: Request, form: Form) -> Response:
    """POST /t/{id}/claim/{secret}: move the seat to this browser."""
    table = table_of(request)
    caller = identity.Caller(request)
    seats.claim(authority_of(request), table, caller.visitor, request.path_params["secret"])
    return caller.keep(see_other(request, f"/t/{table}"))


def return_seat(request: Request, asked: Other) -> Response:
    """POST /t/{id}/return_seat: take back a seat that was moved to another browser."""
    seats.return_seat(*at_table(request), asked.seat)
    return see_other(request, f"/t/{table_of(request)}")


def mute(request: Request, form: Muting) -> Response:
    """POST /t/{id}/mute: mute a player in this browser, or show their lines again."""
    live = authority_of(request).live(table_of(request))
    caller = identity.Caller(request)
    if form.seat >= len(live.seats) or live.seats[form.seat].owner is None:
        raise NotFound(say("Nobody sits there."))
    response = back(request)
    preferences.remember_mute(response, request, live, caller.visitor, form.seat, form.hear)
    return caller.keep(response)


def report(request: Request, form: Reporting) -> Response:
    """POST /t/{id}/report: keep a line for whoever runs the server (`diablerie reports`)."""
    asked = chat.LineReport(form.line)
    chat.report.do(*at_table(request), asked, identity.client(request))
    if not errors.wants_page(request.headers):
        return JSONResponse({"said": templates.request_speech(request).plain(THANKS)})
    back_url = table_url(request)
    return templates.page_response(request, "reported.html", line=THANKS, back=back_url)
