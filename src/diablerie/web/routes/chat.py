"""Talking: chat, whom one does not want to hear, and what whoever keeps the server should see."""

from typing import Annotated

import msgspec
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from diablerie.engine.text import say
from diablerie.table.commands import chat as chat_commands
from diablerie.table.errors import NotFound
from diablerie.web.edges import errors
from diablerie.web.edges.forms import Form, Owned
from diablerie.web.edges.requests import authority_of, back, known_visitor, table_of
from diablerie.web.html import templates
from diablerie.web.people import identity, mutes

THANKS = say("Thank you. Whoever keeps this server will find it.")
Line = Annotated[int, msgspec.Meta(ge=0, lt=2**31)]


class Saying(Form, frozen=True, kw_only=True):
    """A line of chat."""

    text: str = ""


class Muting(Owned, frozen=True, kw_only=True):
    """A seat whose player is not to be heard any more, or (`hear`) again."""

    hear: bool = False


class Reporting(Form, frozen=True, kw_only=True):
    """The number of a line of chat."""

    line: Line


def chat(request: Request, form: Saying) -> Response:
    """POST /t/{id}/chat"""
    authority, client = authority_of(request), identity.client(request)
    chat_commands.post_message(
        authority, table_of(request), known_visitor(request), form.text, client, form.chosen
    )
    return back(request, form)


def mute(request: Request, form: Muting) -> Response:
    """POST /t/{id}/mute: this browser does not show what a player says, or does again."""
    live, caller = authority_of(request).live(table_of(request)), identity.Caller(request)
    if form.seat >= len(live.seats) or live.seats[form.seat].owner is None:
        raise NotFound(say("Nobody sits there."))
    response = back(request, form)
    mutes.remember_mute(response, request, live, caller.visitor, form.seat, form.hear)
    return caller.keep(response)


def report(request: Request, form: Reporting) -> Response:
    """POST /t/{id}/report: a line is kept for whoever keeps the server."""
    authority, table = authority_of(request), table_of(request)
    chat_commands.report(
        authority, table, known_visitor(request), form.line, identity.client(request)
    )
    if not errors.wants_page(request.headers):
        return JSONResponse({"said": templates.request_speech(request).plain(THANKS)})
    query = "" if form.chosen is None else f"?as={form.chosen}"
    return templates.page_response(request, "reported.html", line=THANKS, back=f"/t/{table}{query}")
