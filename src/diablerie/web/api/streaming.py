"""The stream of a table for programs: a line of JSON for each change that their seat can see."""

from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from diablerie import api
from diablerie.table.errors import Refused
from diablerie.web.api import answers, requests
from diablerie.web.api.requests import ApiRequest
from diablerie.web.frames.frames import NOTHING, ServerSentEvent
from diablerie.web.routes.streaming import BEAT, HEADERS, Listening

NDJSON = "application/x-ndjson"


def table_lines(call: ApiRequest, asked: api.Looking) -> Response:
    """The stream; for HEAD only what it would be. Raises what looking at the table raises."""
    if call.request.method == "HEAD":
        return Response(None, 200, HEADERS, NDJSON)
    return LineStream(call.request, call.visitor, call.client, asked)


class LineStream(Listening):
    """Lines: the table, then the table with what is new of its log and chat, at every change."""

    media, alive = NDJSON, ServerSentEvent(b"\n")

    def __init__(self, request: Request, visitor: Any, client: str, asked: api.Looking) -> None:
        super().__init__(request, visitor, client)
        self.seat, self.since, self.heard = asked.seat, asked.since, asked.heard
        self.last: bytes = b""

    def now(self) -> ServerSentEvent:
        """The line, if something has changed. Raises NoToken once the token is revoked."""
        call = requests.called(self.request)
        table = answers.table_answer(call, self.seat, self.since, self.heard)
        self.until = call.authority.clock() + BEAT
        shown = _line(msgspec.structs.replace(table, log=[], chat=[]))
        if shown == self.last and not table.log and not table.chat:
            return NOTHING
        self.last, self.since = shown, table.ply
        self.heard = table.chat[-1].id if table.chat else self.heard
        return ServerSentEvent(_line(table))

    def gone(self, error: Refused) -> ServerSentEvent:
        """The last line: why there are no more."""
        problem = msgspec.json.decode(self.refused(error).body, type=api.Problem)
        return ServerSentEvent(_line(api.Gone(problem=problem)))

    def refused(self, error: Refused) -> Response:
        """The refusal as a problem document."""
        return requests.refused(self.request, error)


def _line(event: api.Event) -> bytes:
    return msgspec.json.encode(event) + b"\n"
