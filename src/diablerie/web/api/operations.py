"""What a program can do: one function for each operation, and the routes made of them."""

from itertools import groupby

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from diablerie import api
from diablerie.engine.text import say
from diablerie.table.commands import chat as chat_commands
from diablerie.table.commands import decisions, lobby, seats
from diablerie.table.commands.lobby import HERE
from diablerie.table.errors import BadInput, Forbidden
from diablerie.table.state.nonce_exchange import PROMISED
from diablerie.table.state.table_state import EMPTY, OPEN, OVER, PROGRAM, RUNNING
from diablerie.web.api import answers, openapi
from diablerie.web.api.answers import NDJSON, LineStream
from diablerie.web.api.requests import KNOWN, OPERATIONS, ApiRequest, Operation, endpoint
from diablerie.web.edges.requests import authority_of
from diablerie.web.frames.viewpoint import split_steps
from diablerie.web.people.opponents import allowed
from diablerie.web.routes.replay import matchfile
from diablerie.web.routes.streaming import HEADERS

TABLE = "/tables/{id}"
JSONL = "application/jsonl"


@Operation("GET", "/games")
def games(call: ApiRequest, asked: api.Empty) -> api.Games:
    """The games there are, and their options."""
    return [answers.game(call, game) for game in call.authority.games.values()]


@Operation("GET", "/tables")
def listing(call: ApiRequest, asked: api.Listing) -> api.Tables:
    """The public tables one may join or watch."""
    states = _states(asked.status, OPEN, RUNNING)
    lives = call.authority.listing(asked.limit, asked.game, states)
    return [answers.row(call, live) for live in lives]


def _states(asked: str | None, *all_: str) -> tuple[str, ...]:
    return all_ if asked is None else (asked,)


@Operation("POST", "/tables", "open", name="open", limit="tables", status=201)
def open_table(call: ApiRequest, asked: api.Opening) -> api.Done:
    """Open a table."""
    token = call.known
    plan = [what if what in (HERE, EMPTY) else allowed(what) for what in asked.plan]
    name = asked.name or token.name
    live = lobby.open_table(
        call.authority,
        token.id,
        asked.game,
        plan,
        options=asked.options,
        names=[name if what == HERE else "" for what in plan],
        public=asked.public,
        pace=asked.clock,
        pledge=PROMISED if asked.share else "",
        client=call.client,
        kind=PROGRAM,
    )
    own = live.seats_of(token.id)
    return answers.done_answer(live, own[0] if own else None)


@Operation("GET", "/me", KNOWN)
def me(call: ApiRequest, asked: api.Empty) -> api.Me:
    """Whom the table takes this program for."""
    token = call.known
    return api.Me(name=token.name, scopes=sorted(token.scopes), created=token.created)


@Operation("GET", "/me/tables", KNOWN)
def mine(call: ApiRequest, asked: api.Mine) -> api.Tables:
    """The tables at which this program sits or sat."""
    states = _states(asked.status, OPEN, RUNNING, OVER)
    lives = call.authority.games_of(call.known.id, states, asked.limit, asked.before)
    return [answers.row(call, live) for live in lives]


@Operation("GET", TABLE)
def look(call: ApiRequest, asked: api.Looking) -> api.Table:
    """A table, as this program may see it."""
    call.authority.hub.glance(call.live.id)
    if call.visitor and call.live.seats_of(call.visitor):
        call.authority.touch(call.live.id, call.visitor)
    return answers.table_answer(call, asked.seat, asked.since, asked.heard)


@Operation("GET", f"{TABLE}/stream", gives=api.Event, media=NDJSON)
def stream(call: ApiRequest, asked: api.Listening) -> Response:
    """The table now, then what changes, as lines of JSON; an empty line is a sign of life."""
    if call.request.method == "HEAD":
        return Response(None, 200, HEADERS, NDJSON)
    return LineStream(call.request, call.visitor, call.client, asked)


@Operation("GET", f"{TABLE}/match.jsonl", name="export", gives=str, media=JSONL)
def download(call: ApiRequest, asked: api.Looking) -> Response:
    """The match file; while the match runs, what this program may know of it."""
    viewer = answers.viewed_page(call, asked.seat).viewpoint.viewer
    return matchfile(call.live, call.authority.export(call.live, viewer))


@Operation("POST", f"{TABLE}/join", "play")
def join(call: ApiRequest, asked: api.Joining) -> api.Done:
    """Take an open seat."""
    token = call.known
    before = set(call.live.seats_of(token.id))
    name = asked.name or token.name
    pledge = PROMISED if asked.share else ""
    live = lobby.sit(call.authority, call.table, token.id, asked.seat, name, pledge, PROGRAM)
    fresh = set(live.seats_of(token.id)) - before
    return answers.done_answer(live, min(fresh, default=asked.seat))


@Operation("POST", f"{TABLE}/share", "play")
def share(call: ApiRequest, asked: api.Sharing) -> api.Done:
    """Send the hash of a seat's nonce for the dice, and when all hashes are in the nonce."""
    seat = call.seat(asked.seat)
    hashes, nonces = ({seat: sent} if sent else {} for sent in (asked.hash, asked.nonce))
    if not hashes and not nonces:
        raise BadInput(say("You have not chosen anything."))
    live = lobby.share(*call.at_table, hashes, nonces)
    return answers.done_answer(live, seat)


@Operation("POST", f"{TABLE}/begin", "play")
def begin(call: ApiRequest, asked: api.Empty) -> api.Done:
    """Start a match without the hashes or nonces that do not come."""
    return answers.done_answer(lobby.begin(*call.at_table))


@Operation("POST", f"{TABLE}/leave", "play", status=204)
def leave(call: ApiRequest, asked: api.Own) -> None:
    """Leave a seat before the start."""
    lobby.leave(*call.at_table, call.seat(asked.seat))


@Operation("POST", f"{TABLE}/start", "open")
def start(call: ApiRequest, asked: api.Starting) -> api.Done:
    """Give the open seats of one's own table to bots of the house, which starts the game."""
    bot = allowed(asked.bot)
    return answers.done_answer(lobby.fill(*call.at_table, bot))


@Operation("POST", f"{TABLE}/decide", "play", limit="moves")
def decide(call: ApiRequest, asked: api.Deciding) -> api.Done:
    """Decide, once or several times in a row."""
    seat, wanted = call.eyes(asked.seat), split_steps(asked.do)
    if seat is None:
        raise Forbidden(say("You have no seat at this table."))
    if not wanted:
        raise BadInput(say("You have not chosen anything."))
    live = decisions.act(*call.at_table, seat, asked.ply, wanted, call.client)
    return answers.done_answer(live, seat)


@Operation("POST", f"{TABLE}/chat", "chat", limit="chat")
def chat(call: ApiRequest, asked: api.Talking) -> api.Done:
    """Say something."""
    live = chat_commands.post_message(*call.at_table, asked.text, call.client, asked.seat)
    return answers.done_answer(live)


@Operation("POST", f"{TABLE}/take", "play")
def take(call: ApiRequest, asked: api.Own) -> api.Done:
    """Take a seat of one's own back, which others have given to a bot while this program was away."""
    seat = call.seat(asked.seat)
    return answers.done_answer(seats.relieve_bot(*call.at_table, seat), seat)


@Operation("POST", f"{TABLE}/resign", "play")
def resign(call: ApiRequest, asked: api.Own) -> api.Done:
    """Give the match up; where others play on, a bot takes the seat over."""
    seat = call.seat(asked.seat)
    return answers.done_answer(seats.resign(*call.at_table, seat), seat)


@Operation("POST", f"{TABLE}/rematch", "open")
def rematch(call: ApiRequest, asked: api.Empty) -> api.Done:
    """The same players again; asked twice, the same new table."""
    return answers.done_answer(lobby.rematch(*call.at_table, call.client))


# -- routes ----------------------------------------------------------------------------------------


def api_routes() -> list[Route]:
    """The routes of the API, one for each address."""
    routes = [Route(f"{api.PREFIX}/openapi.json", openapi_json)]
    for path, group in groupby(OPERATIONS, key=lambda each: each.path):
        methods = {each.method: each for each in group}
        routes.append(Route(api.PREFIX + path, endpoint(methods), methods=list(methods)))
    return routes


def openapi_json(request: Request) -> Response:
    """GET /api/v1/openapi.json"""
    state = request.app.state
    if not hasattr(state, "document"):  # the games of a server do not change
        schema = openapi.document(OPERATIONS, authority_of(request).games)
        state.document = msgspec.json.encode(schema)
    return Response(state.document, media_type="application/json")
