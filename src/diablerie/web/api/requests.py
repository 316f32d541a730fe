"""What every request of a program passes before and after its own function, and the answers to it.

Answers are the structs of `diablerie.api`, made from what a seat sees.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, cast

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from diablerie import api, json_patch
from diablerie.api import KNOWN, AnyOperation
from diablerie.engine.game import Game, Translate
from diablerie.engine.options import Option
from diablerie.engine.text import say
from diablerie.table.authority import Authority
from diablerie.table.commands import tokens
from diablerie.table.commands.logbook import LogEntry
from diablerie.table.commands.tokens import Token
from diablerie.table.errors import Forbidden, NotFound, Refused
from diablerie.table.state.table_state import FINISHED_TABLE, TableState
from diablerie.table.state.visitors import Visitor
from diablerie.web.edges import errors, forms
from diablerie.web.edges.limits import client_turn
from diablerie.web.frames.frames import EMPTY_EVENT, ServerSentEvent, gather
from diablerie.web.frames.question import prompt_of, wishes_of
from diablerie.web.frames.table_page import Page, Recipient, choose_viewpoint
from diablerie.web.html.reach import Reach
from diablerie.web.html.speech import Speech
from diablerie.web.html.templates import request_speech
from diablerie.web.people import identity
from diablerie.web.people.language import request_language
from diablerie.web.routes import endpoints
from diablerie.web.routes.endpoints import served
from diablerie.web.routes.streaming import HEARTBEAT_SECONDS, TableStream

# -- requests --------------------------------------------------------------------------------------

Endpoint = Callable[[Request], Awaitable[Response]]
BEARER = "bearer "
MADE = "tables"  # the rate limit that is counted where a table is made


@dataclass(frozen=True)
class ApiRequest:
    """One request of a program, with the token it shows."""

    request: Request
    token: Token | None
    client: str  # whose requests the rate limits count

    @property
    def authority(self) -> Authority:
        """The authority over this server's tables."""
        return endpoints.authority_of(self.request)

    @property
    def table(self) -> str:
        """The id of the table that the address names."""
        return endpoints.table_of(self.request)

    @property
    def visitor(self) -> Visitor | None:
        """The program as a visitor, None without a token."""
        return self.token.id if self.token else None

    @cached_property
    def live(self) -> TableState:
        """The present state of the table. Raises NotFound."""
        return self.authority.live(self.table)

    @property
    def known(self) -> Token:
        """The token, where one is needed. Raises NoToken."""
        if self.token is None:
            raise errors.NoToken
        return self.token

    @property
    def at_table(self) -> tuple[Authority, str, Visitor]:
        """What every command at a table takes first. Raises NoToken."""
        return self.authority, self.table, self.known.id

    def eyes(self, asked: int | None) -> int | None:
        """The seat through whose eyes the program looks; None for a watcher.

        It is the seat that was asked for, unchecked; else, of the program's own seats, the one that
        is to decide, or the first.
        """
        own = self.live.seats_of(self.visitor)
        if asked is not None or not own:
            return asked
        return next((seat for seat in own if seat in self.live.pending), own[0])


Work = Callable[[ApiRequest, Any], Any]
WORKS: dict[str, Work] = {}  # by operation: it gets the request and a struct as `takes` has it


def endpoint(operations: Mapping[str, AnyOperation]) -> Endpoint:
    """The endpoint of an address, by method."""

    async def answering(request: Request) -> Response:
        method = "GET" if request.method == "HEAD" else request.method
        return await _answered(request, operations[method])

    return answering


async def _answered(request: Request, operation: AnyOperation) -> Response:
    try:
        body = await forms.json(request) if operation.writes else b""
        call = await served(request, lambda: called(request))
        async with client_turn(call.client if operation.writes else "", "write"):
            return await served(request, lambda: _done(call, operation, body))
    except Refused as error:
        return await served(request, partial(refusal, request, error))


def called(request: Request) -> ApiRequest:
    """The request with its token. For a wrong token, count the sender's address, raise NoToken."""
    shown = request.headers.get("authorization", "")
    sender = identity.client(request)
    if not shown:
        return ApiRequest(request, None, sender)
    authority = endpoints.authority_of(request)
    bearer = shown[: len(BEARER)].lower() == BEARER
    token = tokens.find_token(authority, shown[len(BEARER) :].strip()) if bearer else None
    if token is None:
        authority.limits.take("reads", sender)
        raise errors.NoToken
    return ApiRequest(request, token, token.address)


def _done(call: ApiRequest, operation: AnyOperation, body: bytes) -> Response:
    if operation.limit != MADE:
        call.authority.limits.take(operation.limit, call.client)
    _permit(call, operation.scope)
    if operation.writes:
        asked = forms.parsed(operation.takes, body)
    else:
        asked = forms.typed(operation.takes, call.request.query_params, 400)
    if "id" in call.request.path_params:
        endpoints.caught_up(call.request)
    answer = WORKS[operation.name](call, asked)
    if isinstance(answer, Response):
        return answer
    return Response(msgspec.json.encode(answer), operation.status, media_type=operation.media)


def _permit(call: ApiRequest, scope: str | None) -> None:
    if scope and scope not in call.known.scopes:
        raise Forbidden(say("This token does not allow that: it lacks “{scope}”.", scope=scope))
    if scope == KNOWN:
        assert call.known


def refusal(request: Request, error: Refused) -> Response:
    """The problem document of a refusal."""
    return errors.problem(request, error, **endpoints.details(request, error))


# -- answers ---------------------------------------------------------------------------------------

NDJSON = "application/x-ndjson"


def api_address(call: ApiRequest) -> str:
    """The server's address as the program knows it."""
    return str(call.request.base_url).rstrip("/")


def viewed_page(call: ApiRequest, seat: int | None = None) -> Page:
    """The page of the table, seen by `seat`; without it, by `ApiRequest.eyes`.

    Raises Forbidden for somebody else's seat.
    """
    viewpoint = choose_viewpoint(call.live, call.visitor, call.eyes(seat))
    locale = request_language(call.request)
    reach = Reach(api_address(call))
    recipient = Recipient(call.visitor, locale, reach)
    return gather(call.authority, viewpoint, recipient)


def table_answer(
    call: ApiRequest, seat: int | None = None, since: int = 0, heard: int = 0
) -> api.Table:
    """A table, with the log above the ply `since` and the chat above the line `heard`."""
    page = viewed_page(call, seat)
    live = page.live
    tell = page.speech.plain
    position = page.viewpoint.position
    viewer = page.viewpoint.viewer
    fair = page.fair
    log = call.authority.log(live, viewer, since) if live.match else []
    return api.Table(
        id=live.id,
        url=page.address,
        game=live.game.name,
        rules=live.game.version,
        options=live.option_texts,
        status=cast(api.Status, live.status),
        clock=live.pace,
        commitment=live.commitment,
        fair=api.Fair(
            phase=fair.phase.value,
            asked=fair.asked,
            hashes=fair.hashes,
            digest=fair.digest,
            aborted=live.aborted,
        ),
        seats=_seats(call, live, page.speech),
        seat=_seat(viewer),
        own=list(page.viewpoint.own),
        ply=live.ply,
        pending=live.pending,
        prompt=tell(prompt_of(page)),
        legal=[api.Move(do=m.text, label=tell(m.line)) for m in page.viewpoint.moves],
        view=position.view if position else None,
        # what the rules compute with, blanked for the seat: bots decide by it
        record=position.record.asdict() if position else None,
        log=[_told(entry, tell) for entry in log],
        chat=[
            api.Said(id=said.id, seat=_seat(said.seat), text=said.text, at=said.at)
            for said in live.chat
            if said.id > heard
        ],
        returns=live.match.returns() if live.match and live.status == FINISHED_TABLE else None,
        rematch=page.context.rematch,
        wishes=[api.Wished(wish.seat, wish.name) for wish in wishes_of(page)],
    )


def _told(entry: LogEntry, tell: Translate) -> api.Told:
    return api.Told(ply=entry.ply, seat=_seat(entry.seat), lines=[*map(tell, entry.lines)])


def _seat(seat: int) -> int | None:
    return seat if seat >= 0 else None


def _seats(call: ApiRequest, live: TableState, speech: Speech) -> list[api.SeatInfo]:
    return [
        api.SeatInfo(
            seat=info.seat,
            kind=cast(api.Kind, info.kind),
            name=speech.plain(live.name(info.seat)),
            bot=info.driver,
            here=presence.here,
            due=due,
        )
        for info, presence, due in zip(
            live.seats,
            call.authority.presence(live),
            call.authority.deadlines(live),
            strict=True,
        )
    ]


def row(call: ApiRequest, live: TableState) -> api.Row:
    """A table in a list."""
    return api.Row(
        id=live.id,
        url=f"{api_address(call)}/t/{live.id}",
        game=live.game.name,
        options=live.option_texts,
        status=cast(api.Status, live.status),
        public=live.public,
        created=live.created,
        seats=_seats(call, live, request_speech(call.request)),
    )


def game(call: ApiRequest, game: Game) -> api.GameInfo:
    """A game, with its texts in the language of the request."""
    tell = request_speech(call.request).plain
    return api.GameInfo(
        name=game.name,
        title=tell(game.title),
        tagline=tell(game.tagline),
        seats=list(game.seats),
        options=[_option(option, tell) for option in game.options],
        rules=game.version,
        law=f"{api_address(call)}/rules/{game.name}",
    )


def _option(option: Option, tell: Translate) -> api.OptionInfo:
    return api.OptionInfo(
        name=option.name,
        label=tell(option.label),
        default=option.format(option.default),
        values=[word for word, _ in option.values],
    )


def done(call: ApiRequest, live: TableState, seat: int | None = None) -> api.Done:
    """The answer to a command: the table's id and ply, and the seat, else the only one there is."""
    own = live.seats_of(call.visitor)
    if seat is None and len(own) == 1:
        (seat,) = own
    return api.Done(id=live.id, ply=live.ply, seat=seat)


class LineStream(TableStream):
    """A line of JSON with the table now, then one with each change, and the new log and chat."""

    media = NDJSON
    alive = ServerSentEvent(b"\n")

    def __init__(
        self, request: Request, visitor: Visitor | None, client: str, asked: api.Listening
    ) -> None:
        super().__init__(request, visitor, client)
        self.seat = asked.seat
        self.since = asked.since
        self.heard = asked.heard
        self.whole = asked.whole
        self.last: object = None  # the table of the line before, without log and chat

    def now(self) -> ServerSentEvent:
        """The line; empty if nothing has changed. Raises NoToken once the token is revoked."""
        call = called(self.request)
        table = table_answer(call, self.seat, self.since, self.heard)
        self.until = call.authority.clock() + HEARTBEAT_SECONDS
        bare = msgspec.structs.replace(table, log=[], chat=[])
        shown = msgspec.to_builtins(bare, str_keys=True)
        patch = None if self.last is None else json_patch.difference(self.last, shown)
        if patch == [] and not table.log and not table.chat:
            return EMPTY_EVENT
        self.last = shown
        self.since = table.ply
        self.heard = table.chat[-1].id if table.chat else self.heard
        alone = bool(table.chat)
        if self.whole or patch is None:
            return ServerSentEvent(_line(table), alone=alone)
        change = {"type": "change", "patch": patch, "log": table.log, "chat": table.chat}
        return ServerSentEvent(_line(change), alone=alone)

    def gone(self, error: Refused) -> ServerSentEvent:
        """The last line, which says why the stream ends."""
        problem = msgspec.json.decode(self.refused(error).body, type=api.Problem)
        last = api.Gone if isinstance(error, NotFound) else api.Refused
        return ServerSentEvent(_line(last(problem=problem)))

    def refused(self, error: Refused) -> Response:
        """The refusal as a problem document."""
        return refusal(self.request, error)


def _line(event: object) -> bytes:
    return msgspec.json.encode(event) + b"\n"
