"""Browsers for the load: a stream each, read as the script reads it. Plain asyncio.

Forms go over another connection, which is kept. A browser costs this process so little that the
server is what is measured.
"""

import asyncio
import json
import random
import re
import time
import zlib
from contextlib import suppress
from html import unescape
from typing import Any
from urllib.parse import urlencode

CHOICE = re.compile(r'<button[^>]*name="do" value="([^"]*)"')
AMOUNT = re.compile(r'data-amount="([^"]*)".*?min="(\d+)" max="(\d+)" step="(\d+)"', re.DOTALL)
FORM = re.compile(r'action="[^"]*/(decide|act)"')  # the latter until 0.3.0
NOW = re.compile(r'id="now"[^>]*data-seat="(\d+)" data-ply="(\d+)"')
TAG = re.compile(r"(?=<)")
PATIENCE = 30.0  # seconds


class Refused(Exception):
    """The server did not take a decision."""


async def request(
    port: int, method: str, path: str, form: dict[str, Any] | None = None, cookie: str = "",
    client: str = "10.9.9.9", source: str = "127.0.0.1",
) -> tuple[str, bytes]:  # fmt: skip
    """One request on a connection of its own: the head and the body of the answer.

    It comes from the address `source`, and says that it was forwarded for `client`.
    """
    reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(source, 0))
    try:
        writer.write(written(port, method, path, form, cookie, client, "close"))
        answer = await asyncio.wait_for(reader.read(), PATIENCE)
    finally:
        writer.close()
    head, _, rest = answer.partition(b"\r\n\r\n")
    return head.decode("latin-1"), rest


def written(
    port: int, method: str, path: str, form: dict[str, Any] | None, cookie: str, client: str,
    connection: str,
) -> bytes:  # fmt: skip
    """A request, as it goes over the wire."""
    body = urlencode(form or {})
    lines = [
        f"{method} {path} HTTP/1.1",
        f"host: 127.0.0.1:{port}",
        "accept: application/json",
        "sec-fetch-site: same-origin",
        f"connection: {connection}",
        f"x-forwarded-for: {client}",
        *([f"cookie: {cookie}"] if cookie else []),
        "content-type: application/x-www-form-urlencoded",
        f"content-length: {len(body)}",
    ]
    return ("\r\n".join(lines) + "\r\n\r\n" + body).encode()


class Kept:
    """A connection that is kept open for further requests, as browsers do; made when needed."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(
        self, path: str, form: dict[str, Any], cookie: str, client: str
    ) -> tuple[str, bytes]:
        """Send a form: the head and the body of the answer."""
        text = written(self._port, "POST", path, form, cookie, client, "keep-alive")
        if self._streams:
            with suppress(OSError, asyncio.IncompleteReadError):  # closed meanwhile
                return await asyncio.wait_for(self._answer(*self._streams, text), PATIENCE)
            self.close()
        self._streams = await asyncio.open_connection("127.0.0.1", self._port)
        return await asyncio.wait_for(self._answer(*self._streams, text), PATIENCE)

    async def _answer(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, text: bytes
    ) -> tuple[str, bytes]:
        writer.write(text)
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        length = re.search(r"content-length: (\d+)", head, re.IGNORECASE)
        return head, await reader.readexactly(int(length[1]) if length else 0)

    def close(self) -> None:
        """Close it; the next request makes another."""
        if self._streams:
            self._streams[1].close()
        self._streams = None


def mended(
    old: list[str], place: int, many: int, after: int = 0, between: str | None = None
) -> list[str]:
    """The parts that an item of a patch stands for, see `diablerie.web.frames.patch`."""
    if between is None:
        return old[place : place + many]
    return [old[place][:many] + between + old[place][len(old[place]) - after :]]


class Browser:
    """One browser at one table, with a network address of its own.

    `ply` is what it shows, `choices` what it may send, `heard` when it last heard of a ply,
    `received` how many bytes it got.
    """

    def __init__(self, port: int, number: int) -> None:
        self.port, self.client = port, f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"
        self.cookie, self.url = "", ""
        self.ply, self.seat, self.heard, self.received = 0, 0, 0.0, 0
        self.choices: list[str] = []
        self.deciding = "decide"  # where decisions are sent
        self._tags, self._parts = False, list[str]()  # of the region that says what may be decided
        self._task: asyncio.Task[None] | None = None
        self._news = asyncio.Event()
        self._forms = Kept(port)

    async def post(self, path: str, form: dict[str, Any]) -> Any:
        """Send a form. Raises Refused."""
        head, body = await self._forms.ask(path, form, self.cookie, self.client)
        if found := re.search(r"set-cookie: (diablerie=[^;]+)", head, re.IGNORECASE):
            self.cookie = found[1]
        if " 200 " not in head.split("\r\n")[0]:
            raise Refused(head.split("\r\n")[0] + body[:200].decode())
        return json.loads(body)

    async def decide(self, rng: random.Random) -> None:
        """Send one of the choices, or what a walk of several begins with."""
        form = {"seat": self.seat, "ply": self.ply, "do": rng.choice(self.choices), "send": "1"}
        await self.post(f"{self.url}/{self.deciding}", form)

    async def listen(self, url: str) -> None:
        """Open the stream; returns when the first event is there."""
        self.url = url
        self._task = asyncio.create_task(self._read())
        await asyncio.wait_for(self._news.wait(), PATIENCE)

    async def beyond(self, ply: int) -> None:
        """Wait until it shows a later ply."""
        while self.ply <= ply:
            self._news.clear()
            await asyncio.wait_for(self._news.wait(), PATIENCE)

    def close(self) -> None:
        """Listen no more."""
        self._forms.close()
        if self._task:
            self._task.cancel()

    async def _read(self) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        lines = [f"GET {self.url}/stream?edits=1 HTTP/1.1", f"host: 127.0.0.1:{self.port}",
                 "accept: text/event-stream", "accept-encoding: gzip",
                 f"x-forwarded-for: {self.client}",
                 *([f"cookie: {self.cookie}"] if self.cookie else [])]  # fmt: skip
        writer.write(("\r\n".join(lines) + "\r\n\r\n").encode())
        try:
            await reader.readuntil(b"\r\n\r\n")
            unzip, text = zlib.decompressobj(31), b""
            while size := int(await reader.readline(), 16):
                chunk = await reader.readexactly(size + 2)
                self.received += size
                *events, text = (text + unzip.decompress(chunk[:-2])).split(b"\n\n")
                for event in events:
                    self._take(event)
        finally:
            writer.close()

    def _take(self, event: bytes) -> None:
        _, found, data = event.partition(b"\ndata: ")
        if not event.startswith(b"id: ") or not found:
            return
        frame = json.loads(data)
        self.ply, self.heard = frame["ply"], time.perf_counter()
        if (told := frame["regions"].get("ask")) is not None:
            self._asked(told)
        self._news.set()

    def _asked(self, told: str | list[Any]) -> None:
        """What may be decided now, from the region that asks."""
        if isinstance(told, str):  # as servers of 0.2 did, which cut before every tag
            self._tags, self._parts = True, TAG.split(told)
        else:
            new: list[str] = []
            for one in told:
                new += [one] if isinstance(one, str) else mended(self._parts, *one)
            self._parts = TAG.split("".join(new)) if self._tags else new
        html = "".join(self._parts)
        if form := FORM.search(html):
            self.deciding = form[1]
        self.choices = [unescape(one) for one in CHOICE.findall(html)]
        if amount := AMOUNT.search(html):
            low, high, by = (int(amount[i]) for i in (2, 3, 4))
            self.choices = [amount[1].format(n) for n in range(low, high + 1, by)]
        if (now := NOW.search(html)) and self.choices:
            self.seat = int(now[1])
