"""Calls: what every request of a program meets first and last.

An `Operation` says all about one of them: routes and the OpenAPI document are made from the list.
"""

import math
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from diablerie.engine.text import say
from diablerie.table.authority import Authority
from diablerie.table.commands import tokens
from diablerie.table.commands.tokens import Token
from diablerie.table.errors import BadInput, Forbidden, Refused
from diablerie.table.presence.rate_limits import RATES, Limits
from diablerie.table.state.table_state import TableState
from diablerie.table.state.visitors import Visitor
from diablerie.web.edges import errors, forms, requests
from diablerie.web.edges.thread_pools import writing
from diablerie.web.people import identity

Endpoint = Callable[[Request], Awaitable[Response]]
BEARER = "bearer "
AT_THE_TABLE = frozenset({"moves", "chat", "tables"})  # bounds that the authority counts itself
ANYBODY, KNOWN = None, ""  # scopes of what needs no token, and any token


@dataclass(frozen=True)
class ApiRequest:
    """One request of a program: who asks for what."""

    request: Request
    token: Token | None
    client: str  # whom the bounds count

    @property
    def authority(self) -> Authority:
        """The authority this server asks."""
        return requests.authority_of(self.request)

    @property
    def table(self) -> str:
        """The id of the table in question."""
        return requests.table_of(self.request)

    @property
    def visitor(self) -> Visitor | None:
        """The program as a visitor, None without a token."""
        return self.token.id if self.token else None

    @cached_property
    def live(self) -> TableState:
        """The table as it stands."""
        return self.authority.live(self.table)

    @property
    def known(self) -> Token:
        """The token, where one is needed. Raises NoToken."""
        if self.token is None:
            raise errors.NoToken
        return self.token

    def seat(self, asked: int | None) -> int:
        """The own seat that is meant. Raises Forbidden without any, BadInput if it is not clear."""
        own = self.live.seats_of(self.known.id)
        if asked is not None:
            return asked
        if not own:
            raise Forbidden(say("You have no seat at this table."))
        if len(own) > 1:
            raise BadInput(say("You have several seats here: say which one is meant."))
        return own[0]

    def eyes(self, asked: int | None) -> int | None:
        """The own seat to look from: of several the one that is to decide, else the first.

        None for who only watches; a seat that was asked for is not checked.
        """
        own = self.live.seats_of(self.visitor)
        if asked is not None or not own:
            return asked
        return next((seat for seat in own if seat in self.live.pending), own[0])


@dataclass(frozen=True)
class Operation:
    """What a program can do: `work` gets the call and what it asks (the body or the query).

    `gives` is the type of the answer; `media` its type where it is not JSON.
    """

    method: str
    path: str  # below the prefix
    name: str
    about: str
    work: Callable[[ApiRequest, Any], Any]
    takes: type[msgspec.Struct]
    gives: Any
    scope: str | None = ANYBODY
    limit: str = "reads"  # see limits.RATES
    status: int = 200
    media: str = forms.JSON

    @property
    def writes(self) -> bool:
        """Whether it changes something."""
        return self.method != "GET"


def endpoint(operations: Mapping[str, Operation]) -> Endpoint:
    """The endpoint of an address, by method."""

    async def answering(request: Request) -> Response:
        method = "GET" if request.method == "HEAD" else request.method
        return await _answered(request, operations[method])

    return answering


async def _answered(request: Request, operation: Operation) -> Response:
    client = identity.client(request)
    try:
        body = await forms.json(request) if operation.writes else b""
        call = await run_in_threadpool(called, request)
        client = call.client
        done = lambda: _done(call, operation, body)  # noqa: E731
        response = await (writing(client, done) if operation.writes else run_in_threadpool(done))
    except Refused as error:
        response = await run_in_threadpool(refused, request, error)
    rate_limit_headers(response, operation.limit, requests.authority_of(request).limits, client)
    return response


def called(request: Request) -> ApiRequest:
    """Who asks. Raises NoToken for a token that is none, and then counts the address."""
    shown, sender = request.headers.get("authorization", ""), identity.client(request)
    if not shown:
        return ApiRequest(request, None, sender)
    authority = requests.authority_of(request)
    bearer = shown[: len(BEARER)].lower() == BEARER
    token = tokens.find(authority, shown[len(BEARER) :].strip()) if bearer else None
    if token is None:
        authority.limits.take("reads", sender)
        raise errors.NoToken
    return ApiRequest(request, token, token.address)


def _done(call: ApiRequest, operation: Operation, body: bytes) -> Response:
    if operation.limit not in AT_THE_TABLE:
        call.authority.limits.take(operation.limit, call.client)
    _permit(call, operation.scope)
    if operation.writes:
        asked = forms.parsed(operation.takes, body)
    else:
        asked = forms.typed(operation.takes, call.request.query_params, 400)
    if "id" in call.request.path_params:
        requests.caught_up(call.request)
    answer = operation.work(call, asked)
    if isinstance(answer, Response):
        return answer
    if answer is None:
        return Response(status_code=operation.status)
    return Response(msgspec.json.encode(answer), operation.status, media_type=operation.media)


def _permit(call: ApiRequest, scope: str | None) -> None:
    if scope and scope not in call.known.scopes:
        raise Forbidden(say("This token does not allow that: it lacks “{scope}”.", scope=scope))
    if scope == KNOWN:
        assert call.known


def refused(request: Request, error: Refused) -> Response:
    """The problem document of a refusal."""
    more = requests.details(request, error)
    return errors.problem(request, error, **more)


def rate_limit_headers(response: Response, kind: str, limits: Limits, client: str) -> None:
    """Say in the headers how much the client may still ask for (RateLimit, RateLimit-Policy)."""
    rate, standing = RATES[kind], limits.standing(kind, client)
    window = math.ceil(rate.burst * rate.seconds)
    response.headers["ratelimit-policy"] = f'"{kind}";q={rate.burst};w={window}'
    wait = math.ceil(standing.wait)
    response.headers["ratelimit"] = f'"{kind}";r={standing.left};t={wait}'
