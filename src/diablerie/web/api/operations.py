"""Everything a program can do, in one list."""

from itertools import groupby

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from diablerie import api
from diablerie.web.api import openapi, tables
from diablerie.web.api.requests import KNOWN, Operation, endpoint
from diablerie.web.api.streaming import NDJSON, table_lines
from diablerie.web.edges.requests import authority_of

TABLE = "/tables/{id}"
JSONL = "application/jsonl"

OPERATIONS = (
    Operation("GET", "/games", "games", "The games there are, and their options.",
              tables.games, api.Empty, api.Games),
    Operation("GET", "/tables", "listing", "The public tables one may join or watch.",
              tables.listing, api.Listing, api.Tables),
    Operation("POST", "/tables", "open", "Open a table.",
              tables.opening, api.Opening, api.Done, "open", "tables", 201),
    Operation("GET", "/me", "me", "Whom the table takes this program for.",
              tables.me, api.Empty, api.Me, KNOWN),
    Operation("GET", "/me/tables", "mine", "The tables at which this program sits or sat.",
              tables.mine, api.Mine, api.Tables, KNOWN),
    Operation("GET", TABLE, "look", "A table, as this program may see it.",
              tables.look, api.Looking, api.Table),
    Operation("GET", f"{TABLE}/stream", "stream", "The table now and at every change, as lines "
              "of JSON; an empty line is a sign of life.",
              table_lines, api.Looking, api.Event, media=NDJSON),
    Operation("GET", f"{TABLE}/match.jsonl", "export", "The match file; while the match runs, "
              "what this program may know of it.",
              tables.download, api.Looking, str, media=JSONL),
    Operation("POST", f"{TABLE}/join", "join", "Take an open seat.",
              tables.join, api.Joining, api.Done, "play", "writes"),
    Operation("POST", f"{TABLE}/share", "share", "Send the hash of a seat's nonce for the dice, "
              "and when all hashes are in the nonce.",
              tables.share, api.Sharing, api.Done, "play", "writes"),
    Operation("POST", f"{TABLE}/begin", "begin", "Start a match without the hashes or nonces "
              "that do not come.",
              tables.begin, api.Empty, api.Done, "play", "writes"),
    Operation("POST", f"{TABLE}/leave", "leave", "Leave a seat before the start.",
              tables.leave, api.Own, None, "play", "writes", 204),
    Operation("POST", f"{TABLE}/start", "start", "Give the open seats of one's own table to bots "
              "of the house, which starts the game.",
              tables.start, api.Starting, api.Done, "open", "writes"),
    Operation("POST", f"{TABLE}/decide", "decide", "Decide, once or several times in a row.",
              tables.decide, api.Deciding, api.Done, "play", "moves"),
    Operation("POST", f"{TABLE}/chat", "chat", "Say something.",
              tables.chat, api.Talking, api.Done, "chat", "chat"),
    Operation("POST", f"{TABLE}/take", "take", "Take a seat of one's own back, which others have "
              "given to a bot while this program was away.",
              tables.take, api.Own, api.Done, "play", "writes"),
    Operation("POST", f"{TABLE}/resign", "resign", "Give the match up; where others play on, a "
              "bot takes the seat over.",
              tables.resign, api.Own, api.Done, "play", "writes"),
    Operation("POST", f"{TABLE}/rematch", "rematch", "The same players again; asked twice, the "
              "same new table.",
              tables.rematch, api.Empty, api.Done, "open", "writes"),
)  # fmt: skip


def api_routes() -> list[Route]:
    """The routes of the API, one for each address."""
    routes = [Route(f"{api.PREFIX}/openapi.json", openapi_json)]
    for path, group in groupby(OPERATIONS, key=lambda operation: operation.path):
        methods = {operation.method: operation for operation in group}
        routes.append(Route(api.PREFIX + path, endpoint(methods), methods=list(methods)))
    return routes


def openapi_json(request: Request) -> Response:
    """GET /api/v1/openapi.json"""
    state = request.app.state
    if not hasattr(state, "document"):  # the games of a server do not change
        schema = openapi.document(OPERATIONS, authority_of(request).games)
        state.document = msgspec.json.encode(schema)
    return Response(state.document, media_type="application/json")
