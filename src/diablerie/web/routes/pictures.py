"""Pictures of tables for link previews, and of finished games to show round."""

import asyncio
from collections.abc import Awaitable, Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from cachetools import LRUCache
from starlette.requests import Request
from starlette.responses import Response

from diablerie.engine.match import Match
from diablerie.engine.text import say
from diablerie.engine.verbs import WATCHER
from diablerie.table.commands import groups, history
from diablerie.table.commands.groups import Group
from diablerie.table.commands.history import Series
from diablerie.table.errors import WrongTime
from diablerie.table.presence.fair_queue import FairPlaces
from diablerie.table.state.table_state import FINISHED_TABLE, TableState
from diablerie.web.edges.security import PICTURE_HEADERS
from diablerie.web.html import previews, templates
from diablerie.web.html.speech import Speech
from diablerie.web.people import identity, language
from diablerie.web.routes.endpoints import authority_of, served, table_of

PNG_TYPE = "image/png"
SVG_TYPE = "image/svg+xml"
# a preview changes with its table, and its address does then, too
PREVIEW_CACHING = "public, max-age=60"
MOST_ROWS = 8  # of a group, in its picture
TAGLINE = (
    say("Devil games to play with friends,"),
    say("on one screen or far apart,"),
    say("or against devils."),
)
Endpoint = Callable[[Request], Awaitable[Response]]


async def house_preview(request: Request) -> Response:
    """GET /preview.png: this server."""
    locale = language.request_language(request)
    speech = templates.request_speech(request)
    game = next(iter(authority_of(request).games.values()))
    lines = tuple(speech.plain(line) for line in TAGLINE)
    draw = partial(previews.house_preview, game, "diablerie", lines)
    return await painted(request, ("house", locale), draw, PNG_TYPE)


async def group_preview(request: Request) -> Response:
    """GET /g/{link}/preview.png: a group with its series, for those who have the link."""
    group, score = await served(request, lambda: _group(request))
    game = next(iter(authority_of(request).games.values()))
    wins = {one.name: one.wins for one in score.standings}
    colours = {one.name: one.colour for one in group.members}
    people = tuple(
        (colours[name], f"{name}  {wins[name]}" if name in wins else name)
        for name in dict.fromkeys([*wins, *colours])
    )[:MOST_ROWS]
    line = score.line if len(wins) == 2 else None  # of more, each has a line of their own
    told = templates.request_speech(request).plain(line) if line else ""
    draw = partial(previews.group_preview, game, group.name, told, people)
    return await painted(request, ("group", group.name, told, people), draw, PNG_TYPE)


def _group(request: Request) -> tuple[Group, Series]:
    authority = authority_of(request)
    group = groups.find(authority, request.path_params["link"], None)
    return group, history.series_of(authority, group.id)


async def table_preview(request: Request) -> Response:
    """GET /t/{id}/preview.png: a table as anybody may see it."""
    live = await served(request, lambda: _found(request))
    speech = templates.request_speech(request).at(live)

    def draw() -> bytes:
        with authority_of(request).reading(live):
            if live.match and live.status == FINISHED_TABLE:
                return previews.final_preview(live.match, speech)
            # A link may be sent on, so the picture hides what anybody must not see.
            view = live.position(WATCHER).view if live.match else None
            return previews.table_preview(live.game, view, speech)

    key = (
        "table",
        live.id,
        live.ply,
        live.status,
        speech.names,
        language.request_language(request),
    )
    return await painted(request, key, draw, PNG_TYPE)


def _found(request: Request) -> TableState:
    authority_of(request).catch_up(table_of(request))
    return authority_of(request).live(table_of(request))


def finished(draw: Callable[[Match, Speech], bytes], kind: str) -> Endpoint:
    """An endpoint that shows a finished game, as `draw` draws it."""

    async def endpoint(request: Request) -> Response:
        live = await served(request, lambda: _found(request))
        match = live.match
        if live.status != FINISHED_TABLE or match is None:
            raise WrongTime(say("The picture of a game is available when the game is over."))
        speech = templates.request_speech(request).at(live)

        def work() -> bytes:
            with authority_of(request).reading(live):
                return draw(match, speech)

        key = (draw.__name__, live.id, speech.names, language.request_language(request))
        return await painted(request, key, work, kind)

    return endpoint


async def painted(
    request: Request, key: Hashable, draw: Callable[[], bytes], kind: str
) -> Response:
    """A picture, which `draw` draws unless one with this key is kept. Raises TooMany."""
    client = identity.client(request)
    authority_of(request).limits.count_here("reads", client)
    painter: Painter = request.app.state.painter
    headers = PICTURE_HEADERS | {
        "cache-control": PREVIEW_CACHING,
        "vary": "Accept-Language, Cookie",
    }
    request.scope["end_turn"]()  # the client's pages need not wait for the picture
    picture = await painter.picture(key, draw, client, request.is_disconnected)
    return Response(picture, 200, headers, kind)


PICTURES_IN_MEMORY = 64  # pictures in memory


class Painter:
    """Draws one picture after the other, for clients in turn, and keeps the latest by their keys."""

    def __init__(self) -> None:
        self._places = FairPlaces(1)
        self._kept: LRUCache[Hashable, bytes] = LRUCache(PICTURES_IN_MEMORY)
        self._thread = ThreadPoolExecutor(1, "painter")

    async def picture(
        self,
        key: Hashable,
        draw: Callable[[], bytes],
        client: str = "",
        gone: Callable[[], Awaitable[bool]] | None = None,
    ) -> bytes:
        """The picture of this key: kept, or drawn when it is the client's turn.

        Raises TooMany, see `FairPlaces`, and what `draw` raises.
        """
        if (made := self._found(key)) is not None:
            return made
        async with self._places.place(client, gone):
            if (made := self._found(key)) is None:  # else drawn for another meanwhile
                drawing = self._thread.submit(draw)
                made = await asyncio.wrap_future(drawing)
                self._kept[key] = made
        return made

    def _found(self, key: Hashable) -> bytes | None:
        return self._kept.get(key)

    def stop(self) -> None:
        """Draw nothing more; who waits is told so by a CancelledError."""
        self._thread.shutdown(wait=False, cancel_futures=True)
