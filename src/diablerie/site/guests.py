"""Friends at the pages of one browser: their requests arrive as messages over a data channel.

A guest is a visitor like any other, with cookies of its own, which are kept under the fingerprint of
the certificate that the guest's browser has for this host: the channel's encryption (DTLS) has proved
it, so nothing that a guest sends says who it is. What arrives is checked as a server checks it.
"""

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from diablerie.engine.foreign_json import read_json
from diablerie.site.pages import Pages

FINGERPRINT = re.compile(r"[A-Za-z0-9_-]{43}")  # SHA-256 of a certificate, in base64url
LONGEST_GUEST_MESSAGE = 300_000  # characters of a message: a saved game and a little more
AT_ONCE = 80  # requests of a guest that have no answer yet; a page may have 60 streams
PIECE = 16_000  # bytes of a message to a guest, which every browser's channel carries
PASSED_ON = (
    "accept",
    "accept-encoding",
    "accept-language",
    "content-type",
    "last-event-id",
    "referer",
)
Header = Annotated[str, Meta(max_length=2000)]


class GuestRequest(msgspec.Struct, frozen=True):
    """What a guest asks for. left: ends the request of this number, and nothing else is read."""

    number: Annotated[int, Meta(ge=0, lt=2**53)]
    method: Literal["GET", "POST"] = "GET"
    url: Annotated[str, Meta(pattern=r"^/[!-~]*$", max_length=4000)] = "/"  # a path, with its query
    headers: Mapping[str, Header] = msgspec.field(default_factory=dict)
    body: str = ""
    left: bool = False


class GuestAnswer(msgspec.Struct, frozen=True, omit_defaults=True):
    """The head of a message to a guest; the bytes of a part follow it after a line break."""

    number: int
    status: int = 0  # of an answer that begins, with its headers
    headers: dict[str, str] = {}
    end: bool = False
    refused: str = ""  # why the request is not answered at all


class Guest:
    """One guest, as long as its channel is open."""

    def __init__(
        self,
        pages: Pages,
        fingerprint: str,
        send: Callable[[bytes], object],
        kept: Callable[[], Awaitable[object]],
    ) -> None:
        """`send` gets each message to the guest. `kept` ends when what was changed is stored.

        Raises ValueError if the fingerprint is none.
        """
        if not FINGERPRINT.fullmatch(fingerprint):
            raise ValueError("this is no guest's fingerprint")
        self._pages = pages
        self._fingerprint = fingerprint
        self._send = send
        self._kept = kept
        self._understood = False  # whether a message of this guest could be read yet
        self._left: dict[int, asyncio.Event] = {}
        self._tasks: dict[int, asyncio.Task[None]] = {}

    def receive(self, message: str) -> None:
        """Begin to answer a message; one that cannot be read is refused.

        Raises ValueError if that is the first one: the other end does not speak as guests do.
        """
        try:
            if len(message) > LONGEST_GUEST_MESSAGE:
                raise ValueError("the message is too long")
            asked = read_json(message, GuestRequest)
        except ValueError as error:
            # The first message shows whether the other end speaks as guests do at all.
            if not self._understood:
                raise ValueError(str(error)) from error
            self._tell(GuestAnswer(0, refused=str(error)))
            return
        self._understood = True
        if asked.left:
            if left := self._left.get(asked.number):
                left.set()
        elif asked.number in self._left or len(self._left) >= AT_ONCE:
            self._tell(GuestAnswer(asked.number, refused="too many requests at once"))
        else:
            self._left[asked.number] = asyncio.Event()
            self._tasks[asked.number] = asyncio.ensure_future(self._answer(asked))

    async def leave(self) -> None:
        """The channel is closed: end all streams."""
        for left in self._left.values():
            left.set()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)

    async def _answer(self, asked: GuestRequest) -> None:
        """Answer; what a guest has changed is stored before the guest hears of it."""
        held: list[tuple[GuestAnswer, bytes]] = []
        tell = (lambda *told: held.append(told)) if asked.method == "POST" else self._tell

        def write(part: bytes) -> None:
            for at in range(0, len(part), PIECE):
                tell(GuestAnswer(asked.number), part[at : at + PIECE])

        headers = {name: value for name, value in asked.headers.items() if name in PASSED_ON}
        try:
            await self._pages.exchange(
                asked.method,
                asked.url,
                headers,
                asked.body.encode(),
                lambda status, received: tell(GuestAnswer(asked.number, status, received), b""),
                write,
                self._left[asked.number],
                self._fingerprint,
            )
            if held:
                await self._kept()
            for told in held:
                self._tell(*told)
            self._tell(GuestAnswer(asked.number, end=True))
        except Exception as error:  # the host goes on, whatever a guest has sent
            self._tell(GuestAnswer(asked.number, refused=type(error).__name__))
        finally:
            del self._left[asked.number], self._tasks[asked.number]

    def _tell(self, answer: GuestAnswer, part: bytes = b"") -> None:
        self._send(msgspec.json.encode(answer) + b"\n" + part)
