"""The stream of a table's page: server-sent events, one for each change that this viewer can see.

`TableStream` is what it shares with the stream for programs (`LineStream` in web/api/requests.py).
"""

import math
import struct
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator
from functools import cached_property, partial

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from diablerie.table.errors import (
    Forbidden,
    NotFound,
    Refused,
    Unavailable,
    UnreadableTable,
)
from diablerie.table.presence.hub import Subscription
from diablerie.table.state.visitors import Visitor
from diablerie.web.edges import errors
from diablerie.web.frames.frames import Sender, ServerSentEvent, Window, is_outdated
from diablerie.web.frames.table_page import Recipient
from diablerie.web.html.compression import accepts_gzip
from diablerie.web.people import identity
from diablerie.web.routes.endpoints import authority_of, network_of, served, table_of
from diablerie.web.routes.table import TableQuery, frame_of, query_of, recipient_of, viewpoint_of

HEARTBEAT_SECONDS = 15.0  # seconds without an event until a heartbeat
# seconds until the next try while the database cannot be read, or rules are compiled
STREAM_RETRY_SECONDS = 2.0
RETRY_LINE = b"retry: 1500\n\n"
HEARTBEAT = ServerSentEvent(b"event: beat\ndata: .\n\n")
# The table or the seat no longer exists, or the page came before an update and knows neither today's
# addresses nor styles: the script loads the page again
GONE_EVENT = ServerSentEvent(b"event: gone\ndata: {}\n\n")
STREAM_ENDING_ERRORS = (Forbidden, errors.NoToken, UnreadableTable)
GZIP = struct.pack("<BBBBIBB", 0x1F, 0x8B, 8, 0, 0, 0, 255)  # the header of a gzip stream
EVENTS = "text/event-stream"
STREAM_HEADERS = {"cache-control": "no-store", "x-accel-buffering": "no"}


async def event_stream(request: Request) -> Response:
    """GET /t/{id}/stream; HEAD answers with the headers only."""
    if request.method == "HEAD":
        return Response(None, 200, STREAM_HEADERS, EVENTS)
    screen = "screen" in request.query_params
    visitor = None if screen else await served(request, lambda: identity.visitor(request))
    return EventStream(request, visitor, identity.client(request))


class TableStream(Response, ABC):
    """A response that sends an event for every change of a table, as long as the client listens."""

    media: str  # its media type
    alive: ServerSentEvent  # the heartbeat
    until = math.inf  # when to send an event without a change of the table (Unix time)

    def __init__(self, request: Request, visitor: Visitor | None, client: str) -> None:
        super().__init__()
        self.request = request
        self.visitor = visitor
        self.client = client

    @abstractmethod
    def now(self) -> ServerSentEvent:
        """The event of the present state, empty if the client has it. Raises Refused."""

    @abstractmethod
    def gone(self, error: Refused) -> ServerSentEvent:
        """The last event: the table or the seat no longer exists."""

    def refused(self, error: Refused) -> Response:
        """The response if the stream cannot begin."""
        return errors.problem_response(self.request.scope, error)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer with the stream, or with a refusal."""
        request = self.request
        hub = authority_of(self.request).hub
        try:
            async with hub.subscribe(table_of(request), self.visitor, self.client) as news:
                events = self.events(news, [await served(request, self.now)])
                headers = STREAM_HEADERS | dict(self.headers)
                body = plain_events(events)
                headers.pop("content-length")
                if accepts_gzip(request.headers):
                    headers = headers | {"content-encoding": "gzip"}
                    body = gzip_events(events)
                await StreamingResponse(body, 200, headers, self.media)(scope, receive, send)
        except Refused as error:
            response = await served(request, partial(self.refused, error))
            await response(scope, receive, send)

    def _ends(self, error: Refused) -> bool:
        """Whether a refusal ends the stream: the table is gone, or the client may not read on.

        Anything else passes, above all what several processes on one database see of each other.
        """
        if not isinstance(error, NotFound):
            return isinstance(error, STREAM_ENDING_ERRORS)
        try:
            return not authority_of(self.request).store.stamps([table_of(self.request)])
        except Unavailable:
            return False

    async def events(
        self, news: Subscription, first: list[ServerSentEvent]
    ) -> AsyncIterator[ServerSentEvent]:
        """All events, beginning with `first`, which is popped so that its memory is freed."""
        clock = authority_of(self.request).clock
        yield first.pop()
        while not news.closing:
            fresh = await news.wait(min(HEARTBEAT_SECONDS, max(0.0, self.until - clock())))
            if not fresh and clock() < self.until:
                yield self.alive
                continue
            try:
                event = await clock.serve(self.now)
            except Refused as error:
                if await clock.serve(partial(self._ends, error)):
                    yield self.gone(error)
                    return
                yield self.alive  # for the moment the client keeps what it has
                await clock.sleep_async(STREAM_RETRY_SECONDS)
                news.wake()  # so that the change is sent at the next try
                continue
            if event.text or not fresh:
                yield event if event.text else self.alive
            del event  # frees its memory while the stream waits


class EventStream(TableStream):
    """The events of a page, beginning at the frame that the client says it has."""

    media = EVENTS
    alive = HEARTBEAT

    sender: Sender | None = None
    query: TableQuery | None = None
    recipient: Recipient | None = None
    changes = 0  # of the network when `recipient` was made

    def now(self) -> ServerSentEvent:
        """The event that brings the page to how the table is now."""
        if is_outdated(self.had):
            return GONE_EVENT
        changes = network_of(self.request).changes
        if self.recipient is None or self.changes != changes:
            self.query = self.query or query_of(self.request)
            self.recipient = recipient_of(self.request, self.query.screen)
            self.changes = changes
        frame = frame_of(self.request, viewpoint_of(self.request, self.query), self.recipient)
        self.until = math.inf if frame.until is None else frame.until
        moment = authority_of(self.request).clock()
        if self.sender:
            return self.sender.event(frame, moment)
        known = frame if frame.id == self.had else None
        edits = "edits" in self.request.query_params
        self.sender = Sender(known, edits=edits, missed=bool(self.had))
        return ServerSentEvent(RETRY_LINE + self.sender.event(frame, moment).text)

    @cached_property
    def had(self) -> str:
        """The id of the frame that the page shows, "" if it does not say."""
        asked = self.request.query_params.get("have", "")
        return self.request.headers.get("last-event-id") or asked

    def gone(self, error: Refused) -> ServerSentEvent:
        """Have the script load the page again."""
        return GONE_EVENT


async def plain_events(events: AsyncIterator[ServerSentEvent]) -> AsyncIterator[bytes]:
    """The events, uncompressed."""
    async for event in events:
        yield event.text
        del event


async def gzip_events(events: AsyncIterator[ServerSentEvent]) -> AsyncIterator[bytes]:
    """The events as one gzip stream; see `frames.Window`."""
    head = GZIP
    window = Window()
    async for event in events:
        yield head + window.squeeze(event)
        head = b""
        del event
