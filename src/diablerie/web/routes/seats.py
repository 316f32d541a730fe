"""Routes about seats: people sit down, share in the dice, move to another device, mute others."""

from msgspec import field
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from diablerie.api import Number, Other, Sitting
from diablerie.engine.text import say
from diablerie.engine.verbs import SEATS
from diablerie.table.commands import chat, lobby, seats
from diablerie.table.errors import BadInput, NotFound
from diablerie.web.edges import errors
from diablerie.web.edges.forms import Form, Owned
from diablerie.web.edges.requests import (
    at_table,
    authority_of,
    back,
    see_other,
    table_of,
    table_page,
    table_url,
)
from diablerie.web.frames.viewpoint import view_table
from diablerie.web.html import templates
from diablerie.web.people import identity, mutes, preferences

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
    mutes.remember_mute(response, request, live, caller.visitor, form.seat, form.hear)
    return caller.keep(response)


def report(request: Request, form: Reporting) -> Response:
    """POST /t/{id}/report: keep a line for whoever runs the server (`diablerie reports`)."""
    asked = chat.LineReport(form.line)
    chat.report.do(*at_table(request), asked, identity.client(request))
    if not errors.wants_page(request.headers):
        return JSONResponse({"said": templates.request_speech(request).plain(THANKS)})
    back_url = table_url(request)
    return templates.page_response(request, "reported.html", line=THANKS, back=back_url)
