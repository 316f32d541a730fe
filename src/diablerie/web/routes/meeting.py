"""A meeting point: rooms in which browsers leave short texts for each other, see docs/site.md.

A host of the static site and its guests find each other here, and play without it. Whoever knows
the name of a room may read in it and write, so a name is as long as a key. The texts are encrypted;
nothing here knows what they say, and nothing is written to a disk. Texts live for minutes, and their
number is limited by room, by network address and in all.
"""

import asyncio
import re
from collections import Counter, OrderedDict, defaultdict
from collections.abc import Callable, Collection
from dataclasses import dataclass

from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from diablerie.runtime.clock import SYSTEM_CLOCK
from diablerie.web.edges.security import MEETING_PATH
from diablerie.web.people.identity import client

ROOM = re.compile(r"[A-Za-z0-9_-]{22}")  # 128 bits in base64url
TEXT = re.compile(rb"[A-Za-z0-9_-]+")
LONGEST_TEXT = 4096  # bytes; an offer with eight addresses has at most 2,000
LIFETIME = 120.0  # seconds that a text is there; who is still waiting puts it there again
TEXTS_OF_ROOM = 64
TEXTS_OF_CLIENT = 512  # many, since a household is one address
TEXTS = 4096  # in all: 16 MB
WAIT = 20.0  # seconds that a reader waits for a text
READERS_OF_ROOM = 32  # that wait
READERS = 2048  # in all
ARRIVAL = 10.0  # seconds for a text to arrive
RETRY = "5"  # seconds after which somebody may try again who was refused
PROBLEM_TYPE = "application/problem+json"
ANY_ORIGIN = "*"


class Full(Exception):
    """There is no place for one more text or reader just now."""


@dataclass(frozen=True)
class Kept:
    """When a text came, among all, when it goes, and the client who has put it there."""

    number: int
    until: float
    client: str


class Rooms:
    """The texts, by room. For one thread, that of the event loop."""

    def __init__(
        self, clock: Callable[[], float] = SYSTEM_CLOCK.monotonic, sites: Collection[str] = ()
    ) -> None:
        """clock: seconds. sites: the origins whose pages may ask; all if none is named."""
        self.open = True
        self.sites = frozenset(sites)
        self._clock = clock
        self._kept: OrderedDict[tuple[str, str], Kept] = OrderedDict()  # the oldest first
        self._texts: dict[str, dict[str, int]] = defaultdict(dict)  # numbers, by room
        self._of_client: Counter[str] = Counter()
        self._waiting: dict[str, set[asyncio.Event]] = defaultdict(set)  # readers, by room
        self._readers = 0
        # begins later at each start, so that a reader of before misses nothing
        self._number = int(SYSTEM_CLOCK() * 1000)

    def put(self, room: str, text: str, client: str) -> None:
        """Leave a text for those who read in a room; one that is there already comes anew.

        Raises Full.
        """
        self._forget_old()
        self._forget(room, text)
        if (
            len(self._texts.get(room, ())) >= TEXTS_OF_ROOM
            or self._of_client[client] >= TEXTS_OF_CLIENT
            or len(self._kept) >= TEXTS
        ):
            raise Full
        self._number += 1
        self._texts[room][text] = self._number
        self._kept[room, text] = Kept(self._number, self._clock() + LIFETIME, client)
        self._of_client[client] += 1
        for reader in self._waiting.get(room, ()):
            reader.set()

    def after(self, room: str, number: int) -> list[str]:
        """The texts of a room that came after that one, in their order."""
        self._forget_old()
        return [text for text, own in self._texts.get(room, {}).items() if own > number]

    async def read(self, room: str, number: int | None) -> tuple[int, list[str]]:
        """The number of the last text of all, and the texts of a room after `number`.

        If there are none, wait for one, for a while; without a number (None) never. Raises Full.
        """
        if number is not None and self.open and not self.after(room, number):
            await self._wait(room)
        return self._number, self.after(room, number or 0)

    async def _wait(self, room: str) -> None:
        if self._readers >= READERS or len(self._waiting.get(room, ())) >= READERS_OF_ROOM:
            raise Full
        reader = asyncio.Event()
        self._waiting[room].add(reader)
        self._readers += 1
        try:
            async with asyncio.timeout(WAIT):
                await reader.wait()
        except TimeoutError:
            pass  # there is nothing to read
        finally:
            self._readers -= 1
            self._waiting[room].discard(reader)
            if not self._waiting[room]:
                del self._waiting[room]

    def close(self) -> None:
        """Forget everything, and answer nobody until `open` is set again."""
        self.open = False
        for room, text in list(self._kept):
            self._forget(room, text)
        for readers in self._waiting.values():
            for reader in readers:
                reader.set()

    def _forget_old(self) -> None:
        now = self._clock()
        while self._kept:
            (room, text), kept = next(iter(self._kept.items()))
            if kept.until > now:
                return
            self._forget(room, text)

    def _forget(self, room: str, text: str) -> None:
        kept = self._kept.pop((room, text), None)
        if kept is None:
            return
        del self._texts[room][text]
        if not self._texts[room]:
            del self._texts[room]
        self._of_client[kept.client] -= 1
        if not self._of_client[kept.client]:
            del self._of_client[kept.client]


# -- requests --------------------------------------------------------------------------------------


async def exchange(request: Request) -> Response:
    """GET /meet/{room}?after=NUMBER: `last` and `texts`. POST: leave the text of the body there.

    Pages of other sites may ask: nothing here depends on who asks, and no cookie is read.
    """
    rooms: Rooms | None = request.app.state.meeting
    origin = request.headers.get("origin", "")
    if not rooms or not rooms.open:
        return _refused(404, "there is no open meeting point here")
    if rooms.sites and origin not in rooms.sites:
        return _refused(403, "this meeting point is for the pages of another site")
    try:
        answer = await _answer(request, rooms)
    except Full:
        answer = _refused(429, "there are too many texts or readers: try again")
        answer.headers["retry-after"] = RETRY
    answer.headers["access-control-allow-origin"] = origin if rooms.sites else ANY_ORIGIN
    answer.headers["cache-control"] = "no-store"
    if rooms.sites:
        answer.headers["vary"] = "Origin"
    return answer


async def _answer(request: Request, rooms: Rooms) -> Response:
    """Raises Full."""
    room = request.path_params["room"]
    if not ROOM.fullmatch(room):
        return _refused(400, "the name of a room has 22 letters of base64url")
    if request.method == "POST":
        text = await _text(request)
        if isinstance(text, Response):
            return text
        rooms.put(room, text, client(request))
        return Response(status_code=204)
    after = request.query_params.get("after")
    if after is not None and not re.fullmatch("[0-9]{1,16}", after):
        return _refused(400, "after is the number that was last")
    if end_turn := request.scope.get("end_turn"):
        end_turn()  # whoever waits for a text keeps nobody of the own household waiting
    last, texts = await rooms.read(room, None if after is None else int(after))
    return JSONResponse({"last": last, "texts": texts})


async def _text(request: Request) -> str | Response:
    """The text in a request's body, or the refusal."""
    body = b""
    try:
        async with asyncio.timeout(ARRIVAL):
            async for part in request.stream():
                body += part
                if len(body) > LONGEST_TEXT:
                    return _broken_off(413, f"a text has at most {LONGEST_TEXT} bytes")
    except TimeoutError:
        return _broken_off(408, "the text did not arrive in time")
    except ClientDisconnect:
        return _broken_off(400, "the text was cut short")
    if not TEXT.fullmatch(body):
        return _refused(400, "a text has letters of base64url")
    return body.decode()


def _refused(status: int, why: str) -> Response:
    """A problem document: only programs ask here."""
    body = {"type": "about:blank", "title": why, "status": status}
    return JSONResponse(body, status, media_type=PROBLEM_TYPE)


def _broken_off(status: int, why: str) -> Response:
    """The same where the rest of the request is not read."""
    answer = _refused(status, why)
    answer.headers["connection"] = "close"
    return answer


def route() -> Route:
    """The route of all rooms, for an application whose state has `meeting`, the rooms or None."""
    return Route(f"{MEETING_PATH}{{room}}", exchange, methods=["GET", "POST"])


def closed_rooms() -> Rooms:
    """The rooms of a server that becomes a meeting point when its owner opens them."""
    rooms = Rooms()
    rooms.open = False
    return rooms
