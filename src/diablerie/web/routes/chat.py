"""Routes of the chat: mute a player, report a line to whoever runs the server."""

from typing import Annotated

import msgspec
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from diablerie.engine.text import say
from diablerie.table.commands import chat as chat_commands
from diablerie.table.errors import NotFound
from diablerie.web.edges import errors
from diablerie.web.edges.forms import Form, Owned
from diablerie.web.edges.requests import at_table, authority_of, back, table_of, table_url
from diablerie.web.html import templates
from diablerie.web.people import identity, mutes

THANKS = say("Thank you. Whoever runs this server will see it.")
Line = Annotated[int, msgspec.Meta(ge=0, lt=2**31)]


class Muting(Owned):
    """A seat whose player is to be muted or, with `hear`, no longer."""

    hear: bool = False


class Reporting(Form):
    """The number of a line of chat."""

    line: Line


def mute(request: Request, form: Muting) -> Response:
    """POST /t/{id}/mute: mute a player in this browser, or show their lines again."""
    live, caller = authority_of(request).live(table_of(request)), identity.Caller(request)
    if form.seat >= len(live.seats) or live.seats[form.seat].owner is None:
        raise NotFound(say("Nobody sits there."))
    response = back(request)
    mutes.remember_mute(response, request, live, caller.visitor, form.seat, form.hear)
    return caller.keep(response)


def report(request: Request, form: Reporting) -> Response:
    """POST /t/{id}/report: keep a line for whoever runs the server (`diablerie reports`)."""
    chat_commands.report(*at_table(request), form.line, identity.client(request))
    if not errors.wants_page(request.headers):
        return JSONResponse({"said": templates.request_speech(request).plain(THANKS)})
    back_url = table_url(request)
    return templates.page_response(request, "reported.html", line=THANKS, back=back_url)
