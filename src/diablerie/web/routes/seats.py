"""Routes about seats: people sit down, take names, share in the dice, move to another device.

Routes that only name a seat are made by `seat_command`; `app.py` lists them.
"""

from msgspec import field
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from diablerie.engine.text import say
from diablerie.engine.verbs import SEATS
from diablerie.table.commands import erase, lobby, seats
from diablerie.table.errors import BadInput
from diablerie.web.edges import errors
from diablerie.web.edges.forms import Form, Owned, Seat
from diablerie.web.edges.requests import (
    at_table,
    authority_of,
    back,
    see_other,
    table_of,
    table_page,
)
from diablerie.web.frames.viewpoint import view_table
from diablerie.web.html import templates
from diablerie.web.people import identity, preferences
from diablerie.web.people.opponents import USUAL, allowed


class Sit(Form, frozen=True, kw_only=True):
    """The form that takes a seat (None: any).

    `pledge` is the hash of a nonce, or PROMISED: see `table/state/nonce_exchange.py`.
    """

    seat: Seat | None = None
    name: str = ""
    pledge: str = ""


class SeatShares(Form, frozen=True, kw_only=True):
    """Hashes or nonces by seat, in fields `hash-0=…` or `nonce-0=…`."""

    hash: dict[str, str] = field(default_factory=dict)
    nonce: dict[str, str] = field(default_factory=dict)


class Start(Form, frozen=True, kw_only=True):
    """The bot that is to take the open seats."""

    bot: str = USUAL


class Publish(Form, frozen=True, kw_only=True):
    """Whether the table is listed publicly."""

    public: bool = False


class Name(Owned, frozen=True, kw_only=True):
    """The new name of a seat's player."""

    name: str = ""


def sit(request: Request, form: Sit) -> Response:
    """POST /t/{id}/sit"""
    caller = identity.Caller(request)
    authority, table = authority_of(request), table_of(request)
    lobby.sit(authority, table, caller.visitor, form.seat, form.name, form.pledge)
    return preferences.keep_name(caller.keep(back(request, form)), form.name)


def start(request: Request, form: Start) -> Response:
    """POST /t/{id}/start: give the open seats to bots."""
    lobby.fill(*at_table(request), allowed(form.bot))
    return back(request, form)


def share(request: Request, form: SeatShares) -> Response:
    """POST /t/{id}/share: send hashes or nonces of own seats."""
    lobby.share(*at_table(request), _by_seat(form.hash), _by_seat(form.nonce))
    return back(request, form)


def _by_seat(given: dict[str, str]) -> dict[int, str]:
    if wrong := [seat for seat in given if seat not in map(str, range(SEATS))]:
        raise BadInput(say("There is no seat “{text}”.", text=wrong[0][:40]))
    return {int(seat): text for seat, text in given.items()}


def begin(request: Request, form: Form) -> Response:
    """POST /t/{id}/begin: start without the hashes or nonces that do not come."""
    lobby.begin(*at_table(request))
    return back(request, form)


def rename_seat(request: Request, form: Name) -> Response:
    """POST /t/{id}/name"""
    lobby.rename(*at_table(request), form.seat, form.name)
    return preferences.keep_name(back(request, form), form.name)


def publish(request: Request, form: Publish) -> Response:
    """POST /t/{id}/public: list the table publicly, or no longer; for its host."""
    lobby.publish(*at_table(request), form.public)
    return back(request, form)


def seat_link(request: Request, form: Owned) -> Response:
    """POST /t/{id}/link: make a link that moves the seat. Only this answer contains it."""
    authority, table, visitor = at_table(request)
    secret = seats.link(authority, table, visitor, form.seat)
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
        speech=templates.request_speech(request),
    )


def claim(request: Request, form: Form) -> Response:
    """POST /t/{id}/claim/{secret}: move the seat to this browser."""
    table, caller = table_of(request), identity.Caller(request)
    seats.claim(authority_of(request), table, request.path_params["secret"], caller.visitor)
    return caller.keep(see_other(request, f"/t/{table}"))


def return_seat(request: Request, form: Owned) -> Response:
    """POST /t/{id}/return: take back a seat that was moved to another browser."""
    seats.return_seat(*at_table(request), form.seat)
    return see_other(request, f"/t/{table_of(request)}")


def delete(request: Request, form: Form) -> Response:
    """POST /t/{id}/delete: delete the table and everything stored about it."""
    erase.delete_table(*at_table(request))
    return see_other(request, "/")
