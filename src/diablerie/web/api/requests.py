"""What every request of a program passes before and after its own function."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from diablerie.api import KNOWN, AnyOperation
from diablerie.engine.text import say
from diablerie.table.authority import Authority
from diablerie.table.commands import tokens
from diablerie.table.commands.tokens import Token
from diablerie.table.errors import Forbidden, Refused
from diablerie.table.state.table_state import TableState
from diablerie.table.state.visitors import Visitor
from diablerie.web.edges import errors, forms, requests
from diablerie.web.edges.limits import turn
from diablerie.web.edges.requests import served
from diablerie.web.people import identity

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
        return requests.authority_of(self.request)

    @property
    def table(self) -> str:
        """The id of the table that the address names."""
        return requests.table_of(self.request)

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
        async with turn(call.client if operation.writes else "", "write"):
            return await served(request, lambda: _done(call, operation, body))
    except Refused as error:
        return await served(request, partial(refused, request, error))


def called(request: Request) -> ApiRequest:
    """The request with its token. For a wrong token, count the sender's address, raise NoToken."""
    shown = request.headers.get("authorization", "")
    sender = identity.client(request)
    if not shown:
        return ApiRequest(request, None, sender)
    authority = requests.authority_of(request)
    bearer = shown[: len(BEARER)].lower() == BEARER
    token = tokens.find(authority, shown[len(BEARER) :].strip()) if bearer else None
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
        requests.caught_up(call.request)
    answer = WORKS[operation.name](call, asked)
    if isinstance(answer, Response):
        return answer
    return Response(msgspec.json.encode(answer), operation.status, media_type=operation.media)


def _permit(call: ApiRequest, scope: str | None) -> None:
    if scope and scope not in call.known.scopes:
        raise Forbidden(say("This token does not allow that: it lacks “{scope}”.", scope=scope))
    if scope == KNOWN:
        assert call.known


def refused(request: Request, error: Refused) -> Response:
    """The problem document of a refusal."""
    return errors.problem(request, error, **requests.details(request, error))
