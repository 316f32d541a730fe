"""What a program can do: functions, named as their operations, for all but commands; the routes."""

from functools import partial
from itertools import groupby

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from diablerie import api
from diablerie.engine.text import say
from diablerie.table.commands import (  # noqa: F401
    chat,
    decisions,
    latecomers,
    lobby,
    seats,
    sequels,
)
from diablerie.table.commands.command import COMMANDS, AnyCommand, Asker
from diablerie.table.commands.lobby import HERE, allowed
from diablerie.table.errors import BadInput
from diablerie.table.state.table_state import (
    FINISHED_TABLE,
    OPEN_SEAT,
    OPEN_TABLE,
    PROGRAM,
    RUNNING,
)
from diablerie.web.api import openapi, requests
from diablerie.web.api.requests import NDJSON, WORKS, ApiRequest, LineStream, endpoint
from diablerie.web.routes.endpoints import authority_of, page
from diablerie.web.routes.replay import matchfile
from diablerie.web.routes.streaming import STREAM_HEADERS


def games(call: ApiRequest, asked: api.Empty) -> list[api.GameInfo]:
    """The games there are, and their options."""
    return [requests.game(call, game) for game in call.authority.games.values()]


def tables(call: ApiRequest, asked: api.Listing) -> list[api.Row]:
    """The public tables one may join or watch."""
    states = [asked.status] if asked.status else [OPEN_TABLE, RUNNING]
    lives = call.authority.listing(asked.limit, asked.game, states)
    return [requests.row(call, live) for live in lives]


def open_table(call: ApiRequest, asked: api.Opening) -> api.Done:
    """Open a table."""
    plan = [what if what in (HERE, OPEN_SEAT) else allowed(what) for what in asked.plan]
    name = asked.name or call.known.name
    opening = lobby.TableOpening(
        asked.game,
        plan,
        options=asked.options,
        names=[name if what == HERE else "" for what in plan],
        public=asked.public,
        pace=asked.clock,
        share=asked.share,
    )
    live = lobby.open_table.do(call.authority, call.known.id, opening, call.client, PROGRAM)
    return requests.done(call, live, min(live.seats_of(call.known.id), default=None))


def me(call: ApiRequest, asked: api.Empty) -> api.Me:
    """Whom the table takes this program for."""
    token = call.known
    return api.Me(name=token.name, scopes=sorted(token.scopes), created=token.created)


def mine(call: ApiRequest, asked: api.Mine) -> list[api.Row]:
    """The tables at which this program sits or sat."""
    states = [asked.status] if asked.status else [OPEN_TABLE, RUNNING, FINISHED_TABLE]
    lives = call.authority.games_of(call.known.id, states, asked.limit, asked.before)
    return [requests.row(call, live) for live in lives]


def look(call: ApiRequest, asked: api.Looking) -> api.Table:
    """A table, as this program may see it."""
    call.authority.hub.glance(call.live.id)
    if call.visitor and call.live.seats_of(call.visitor):
        call.authority.attendance.touch(call.live.id, call.visitor)
    return requests.table_answer(call, asked.seat, asked.since, asked.heard)


def stream(call: ApiRequest, asked: api.Listening) -> Response:
    """The table now, then what changes, as lines of JSON; an empty line is a sign of life."""
    if call.request.method == "HEAD":
        return Response(None, 200, STREAM_HEADERS, NDJSON)
    return LineStream(call.request, call.visitor, call.client, asked)


def export(call: ApiRequest, asked: api.Looking) -> Response:
    """The match file; while the match runs, what this program may know of it."""
    viewer = requests.viewed_page(call, asked.seat).viewpoint.viewer
    return matchfile(call.live, call.authority.export(call.live, viewer))


def sit(call: ApiRequest, asked: api.Sitting) -> api.Done:
    """Take an open seat."""
    before = call.live.seats_of(call.known.id)
    named = asked.name or call.known.name
    live = lobby.sit.do(*call.at_table, msgspec.structs.replace(asked, name=named), kind=PROGRAM)
    fresh = set(live.seats_of(call.known.id)).difference(before)
    return requests.done(call, live, min(fresh, default=asked.seat))


def share(call: ApiRequest, asked: api.Sharing) -> api.Done:
    """Send the hash of a seat's nonce for the dice, and when all hashes are in the nonce."""
    seat = Asker(call.authority, call.known.id).own(call.live, asked.seat).seat
    hashes, nonces = ({seat: sent} if sent else {} for sent in (asked.hash, asked.nonce))
    if not hashes and not nonces:
        raise BadInput(say("You have not chosen anything."))
    return requests.done(call, lobby.share(*call.at_table, hashes, nonces), seat)


def rematch(call: ApiRequest, asked: api.Rematching) -> api.Done:
    """The same players again, or another game; asked twice, the same new table."""
    return requests.done(call, sequels.rematch.do(*call.at_table, asked, call.client))


def commanded(command: AnyCommand, call: ApiRequest, asked: api.Body) -> api.Done:
    """Give a command to a table."""
    live = command.do(*call.at_table, asked)
    return requests.done(call, live, getattr(asked, "seat", None))


WORKS.update({name: partial(commanded, command) for name, command in COMMANDS.items()})
OWN_OPERATIONS = (games, tables, open_table, me, mine, look, stream, export, sit, share, rematch)
WORKS.update({work.__name__: work for work in OWN_OPERATIONS})


# -- routes ----------------------------------------------------------------------------------------


def api_routes() -> list[Route]:
    """The routes of the API, one for each address."""
    routes = [page(f"{api.PREFIX}/openapi.json", openapi_json)]
    for path, group in groupby(api.OPERATIONS, key=lambda each: each.path):
        methods = {each.method: each for each in group}
        routes.append(Route(api.PREFIX + path, endpoint(methods), methods=list(methods)))
    return routes


def openapi_json(request: Request) -> Response:
    """GET /api/v1/openapi.json"""
    state = request.app.state
    if not hasattr(state, "document"):  # the games of a server do not change
        schema = openapi.document(api.OPERATIONS, authority_of(request).games)
        state.document = msgspec.json.encode(schema)
    return Response(state.document, media_type="application/json")
