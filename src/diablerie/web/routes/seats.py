"""Seats: taken, named, left, handed to a bot, and moved to another device."""

from collections.abc import Callable

from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from diablerie.table.authority import Authority
from diablerie.table.errors import Refused
from diablerie.table.visitors import Visitor
from diablerie.web import errors, who
from diablerie.web import viewpoint as sight
from diablerie.web.forms import Form
from diablerie.web.requests import (
    authority_of,
    done,
    known,
    own_seat,
    posting,
    refused,
    seat_number,
    table_page,
)

Change = Callable[[Authority, str, Visitor, Form], object]


def sit(request: Request, form: Form) -> Response:
    """POST /t/{id}/sit"""
    table, caller = request.path_params["id"], who.Caller(request)
    try:
        seat, name = seat_number(form.get("seat")), form.get("name", "")
        authority_of(request).lobby.sit(table, caller.visitor, seat, name, form.get("nonce", ""))
    except Refused as error:
        return refused(request, error, "sit")
    return caller.keep(done(request, f"/t/{table}"))


def _changing(control: str, change: Change) -> Callable[[Request, Form], Response]:
    def work(request: Request, form: Form) -> Response:
        table = request.path_params["id"]
        try:
            change(authority_of(request), table, known(request), form)
        except Refused as error:
            return refused(request, error, control)
        return done(request, form.back(table))

    return work


start = _changing("start", lambda a, t, v, f: a.lobby.fill(t, v, f.get("bot") or "devil"))
name = _changing("name", lambda a, t, v, f: a.lobby.rename(t, v, own_seat(f), f.get("name", "")))
give = _changing("give", lambda a, t, v, f: a.seats.give_to_bot(t, v, own_seat(f)))
take = _changing("give", lambda a, t, v, f: a.seats.take_back(t, v, own_seat(f)))


def leave(request: Request, form: Form) -> Response:
    """POST /t/{id}/leave"""
    try:
        authority_of(request).lobby.leave(request.path_params["id"], known(request), own_seat(form))
    except Refused as error:
        return refused(request, error, "sit")
    return done(request, "/")


def link(request: Request, form: Form) -> Response:
    """POST /t/{id}/link: a fresh personal link, told in the answer and nowhere else."""
    table = request.path_params["id"]
    try:
        visitor = known(request)
        secret = authority_of(request).seats.link(table, visitor, own_seat(form))
    except Refused as error:
        return refused(request, error, "link")
    address = str(request.url_for("claim", id=table, secret=secret))
    if not errors.wants_page(request.headers):
        return JSONResponse({"link": address})
    return table_page(request, sight.look(authority_of(request), table, visitor), link=address)


def claim(request: Request) -> Response:
    """GET /t/{id}/claim/{secret}: the seat moves to this browser."""
    table, caller = request.path_params["id"], who.Caller(request)
    authority_of(request).seats.claim(table, request.path_params["secret"], caller.visitor)
    response = RedirectResponse(f"/t/{table}", 303, {"referrer-policy": "no-referrer"})
    return caller.keep(response)


ROUTES = {
    "sit": posting(sit),
    "start": posting(start),
    "name": posting(name),
    "give": posting(give),
    "take": posting(take),
    "leave": posting(leave),
    "link": posting(link),
}
