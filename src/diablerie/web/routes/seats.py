"""Seats: taken, named, left, handed to a bot, and moved to another device."""

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
    authority_of,
    back,
    known_visitor,
    see_other,
    table_of,
    table_page,
)
from diablerie.web.frames.viewpoint import view_table
from diablerie.web.html import templates
from diablerie.web.people import identity, preferences
from diablerie.web.people.opponents import USUAL, allowed


class Sit(Form, frozen=True, kw_only=True):
    """Taking a seat (None: any); `pledge` is the hash of a nonce, or PROMISED, see shares.py."""

    seat: Seat | None = None
    name: str = ""
    pledge: str = ""


class SeatShares(Form, frozen=True, kw_only=True):
    """Hashes or nonces, by seat: `hash-0=…` or `nonce-0=…`."""

    hash: dict[str, str] = field(default_factory=dict)
    nonce: dict[str, str] = field(default_factory=dict)


class Start(Form, frozen=True, kw_only=True):
    """Which bot is to play on the seats that are open."""

    bot: str = USUAL


class Publish(Form, frozen=True, kw_only=True):
    """Whether anybody may find the table and join."""

    public: bool = False


class Name(Owned, frozen=True, kw_only=True):
    """What the player of a seat is to be called."""

    name: str = ""


def sit(request: Request, form: Sit) -> Response:
    """POST /t/{id}/sit"""
    caller = identity.Caller(request)
    authority, table = authority_of(request), table_of(request)
    lobby.sit(authority, table, caller.visitor, form.seat, form.name, form.pledge)
    return preferences.keep_name(caller.keep(back(request, form)), form.name)


def start(request: Request, form: Start) -> Response:
    """POST /t/{id}/start: the open seats are given to bots."""
    lobby.fill(authority_of(request), table_of(request), known_visitor(request), allowed(form.bot))
    return back(request, form)


def share(request: Request, form: SeatShares) -> Response:
    """POST /t/{id}/share: hashes, or nonces, of own seats."""
    table, visitor = table_of(request), known_visitor(request)
    lobby.share(authority_of(request), table, visitor, _by_seat(form.hash), _by_seat(form.nonce))
    return back(request, form)


def _by_seat(given: dict[str, str]) -> dict[int, str]:
    if wrong := [seat for seat in given if seat not in map(str, range(SEATS))]:
        raise BadInput(say("There is no seat “{text}”.", text=wrong[0][:40]))
    return {int(seat): text for seat, text in given.items()}


def begin(request: Request, form: Form) -> Response:
    """POST /t/{id}/begin: those whose hashes or nonces do not come have no share."""
    lobby.begin(authority_of(request), table_of(request), known_visitor(request))
    return back(request, form)


def rename_seat(request: Request, form: Name) -> Response:
    """POST /t/{id}/name"""
    lobby.rename(
        authority_of(request), table_of(request), known_visitor(request), form.seat, form.name
    )
    return preferences.keep_name(back(request, form), form.name)


def publish(request: Request, form: Publish) -> Response:
    """POST /t/{id}/public: the host lists the table, or does so no longer."""
    lobby.publish(authority_of(request), table_of(request), known_visitor(request), form.public)
    return back(request, form)


def free(request: Request, form: Owned) -> Response:
    """POST /t/{id}/free: the host frees a seat before the start."""
    lobby.free(authority_of(request), table_of(request), known_visitor(request), form.seat)
    return back(request, form)


def give(request: Request, form: Owned) -> Response:
    """POST /t/{id}/give: a bot plays for another person, who is away."""
    seats.give_to_bot(authority_of(request), table_of(request), known_visitor(request), form.seat)
    return back(request, form)


def hand_over(request: Request, form: Owned) -> Response:
    """POST /t/{id}/away: somebody leaves a running game to a devil."""
    seats.hand_over(authority_of(request), table_of(request), known_visitor(request), form.seat)
    return back(request, form)


def take(request: Request, form: Owned) -> Response:
    """POST /t/{id}/take: the owner of a seat plays again."""
    seats.relieve_bot(authority_of(request), table_of(request), known_visitor(request), form.seat)
    return back(request, form)


def leave(request: Request, form: Owned) -> Response:
    """POST /t/{id}/leave"""
    lobby.leave(authority_of(request), table_of(request), known_visitor(request), form.seat)
    return see_other(request, "/")


def seat_link(request: Request, form: Owned) -> Response:
    """POST /t/{id}/link: a fresh personal link, told in the answer and nowhere else."""
    authority, table, visitor = authority_of(request), table_of(request), known_visitor(request)
    secret = seats.link(authority, table, visitor, form.seat)
    address = str(request.url_for("claim", id=table, secret=secret))
    if not errors.wants_page(request.headers):
        return JSONResponse({"link": address})
    return table_page(request, view_table(authority, table, visitor), link=address)


def asked_to_claim(request: Request) -> Response:
    """GET /t/{id}/claim/{secret}: what opening this link does, and the button that does it."""
    authority = authority_of(request)
    live = authority.live(table_of(request))
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
    """POST /t/{id}/claim/{secret}: the seat moves to this browser."""
    table, caller = table_of(request), identity.Caller(request)
    seats.claim(authority_of(request), table, request.path_params["secret"], caller.visitor)
    return caller.keep(see_other(request, f"/t/{table}"))


def return_seat(request: Request, form: Owned) -> Response:
    """POST /t/{id}/return: a seat that moved to another browser comes back."""
    seats.return_seat(authority_of(request), table_of(request), known_visitor(request), form.seat)
    return see_other(request, f"/t/{table_of(request)}")


def delete(request: Request, form: Form) -> Response:
    """POST /t/{id}/delete: the table goes, with all that is kept of it."""
    erase.delete_table(authority_of(request), table_of(request), known_visitor(request))
    return see_other(request, "/")
