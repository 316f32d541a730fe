"""The stream: frames for what changed, resumed by their id, ended when the server stops."""

import asyncio
import json
import zlib
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
from starlette.applications import Starlette

from diablerie.table.authority import Authority
from diablerie.table.commands import chat, lobby
from diablerie.web.frames.frames import ServerSentEvent
from diablerie.web.routes import streaming
from tests.web.client import Client


class Listener:
    """One open stream, read as it comes."""

    def __init__(self, app: Starlette, client: Client, url: str, last: str = "") -> None:
        path, _, query = url.partition("?")
        cookie = "; ".join(f"{k}={v}" for k, v in client.cookies.items())
        headers = [(b"host", b"localhost:8666"), (b"cookie", cookie.encode())]
        headers += [(b"last-event-id", last.encode())] if last else []
        self.scope = {
            "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": "GET",
            "scheme": "http", "path": path, "raw_path": path.encode(), "root_path": "",
            "query_string": query.encode(), "headers": headers,
            "client": (client.address, 1), "server": ("localhost", 8666),
        }  # fmt: skip
        self.app = app
        self.text = ""
        self.status = 0
        self.gone = asyncio.Event()

    async def __aenter__(self) -> "Listener":
        self.task = asyncio.create_task(self.app(self.scope, self._receive, self._send))
        return self

    async def __aexit__(self, *_: object) -> None:
        self.gone.set()
        self.task.cancel()
        await asyncio.gather(self.task, return_exceptions=True)

    async def _receive(self) -> dict[str, Any]:
        await self.gone.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: Any) -> None:
        self.status = message.get("status", self.status)
        self.text += message.get("body", b"").decode()

    async def events(self, count: int) -> list[tuple[str, Any]]:
        """The first frames that came, as soon as there are so many."""
        for _ in range(3000):
            found = [e for e in self.text.split("\n\n") if e.startswith("id: ")]
            if len(found) >= count:
                return [(e[4:].split("\n")[0], json.loads(e.split("data: ")[1])) for e in found]
            await asyncio.sleep(0.02)
        raise AssertionError(f"{count} events expected: {self.text[:400]}")


def test_a_stream_brings_first_everything_then_only_what_changed(
    app: Starlette, ann: Client, authority: Authority
):
    table = ann.open(bots="1")
    name = table.rpartition("/")[2]

    async def run() -> None:
        async with Listener(app, ann, f"{table}/stream") as stream:
            (_, first), *_ = await stream.events(1)
            assert {"board", "ask", "seats", "log", "chat", "tools"} <= set(first["regions"])
            owner = authority.live(name).seats[0].owner
            await asyncio.to_thread(chat.chat, authority, name, owner, "hm")
            _, (_, second), *_ = await stream.events(2)
            assert set(second["regions"]) == {"chat"}
            assert isinstance(second["regions"]["chat"], list)

    asyncio.run(run())


def test_who_has_the_last_frame_gets_it_not_again(
    app: Starlette, ann: Client, authority: Authority
):
    table = ann.open(bots="1")
    have = ann.get(f"{table}/frame").json()["id"]
    name = table.rpartition("/")[2]

    async def run(url: str, last: str) -> None:
        # opening a stream makes its owner present, which the seats of others' pages show, not his
        async with Listener(app, ann, url, last) as stream:
            while not stream.status:
                await asyncio.sleep(0.01)
            assert stream.status == 200
            assert "id: " not in stream.text
            owner = authority.live(name).seats[0].owner
            await asyncio.to_thread(chat.chat, authority, name, owner, "hm")
            assert (await stream.events(1))[0][0].startswith("1.")

    asyncio.run(run(f"{table}/stream", have))
    have = ann.get(f"{table}/frame").json()["id"]
    asyncio.run(run(f"{table}/stream?have={have}", ""))


@pytest.mark.parametrize("have", ["1.0123456789abcdef01234567", "1.0123456789abcdef01234567.0000"])
def test_a_page_from_before_an_update_is_loaded_anew(app: Starlette, ann: Client, have: str):
    """Those of 0.3.0 told no version; they would post to addresses that are not there any more."""
    table = ann.open(bots="1")

    async def run(url: str, last: str) -> None:
        async with Listener(app, ann, url, last) as stream:
            while not stream.text:
                await asyncio.sleep(0.01)
            assert stream.text.startswith("event: gone")

    asyncio.run(run(f"{table}/stream?have={have}&edits=1", ""))
    asyncio.run(run(f"{table}/stream?edits=1", have))


def test_streams_end_when_the_server_stops(app: Starlette, ann: Client, authority: Authority):
    table = ann.open(bots="1")

    async def run() -> None:
        async with Listener(app, ann, f"{table}/stream") as stream:
            await stream.events(1)
            authority.hub.close()
            await asyncio.wait_for(asyncio.shield(stream.task), 2)

    asyncio.run(run())


def test_the_stream_of_a_removed_table_says_so(app: Starlette, ann: Client, authority: Authority):
    table = ann.open(open="1")
    name = table.rpartition("/")[2]

    async def run() -> None:
        async with Listener(app, ann, f"{table}/stream") as stream:
            await stream.events(1)
            owner = authority.live(name).seats[0].owner
            await asyncio.to_thread(lobby.leave, authority, name, owner, 0)
            await asyncio.wait_for(asyncio.shield(stream.task), 3)
            assert "event: gone" in stream.text

    asyncio.run(run())


def test_presence_shows_to_the_others(
    app: Starlette, ann: Client, bo: Client, browser: Callable[[], Client]
):
    table = ann.open(open="1")
    bo.call(f"{table}/sit")

    async def run() -> None:
        async with Listener(app, ann, f"{table}/stream") as stream:
            (_, first), *_ = await stream.events(1)
            assert "away" in "".join(first["regions"]["seats"])
            async with Listener(app, bo, f"{table}/stream"):
                events = await stream.events(2)
                _, (_, second) = events
                told = [part for part in second["regions"]["seats"] if isinstance(part, str)]
                assert len(told) == 1
                assert "Bo" not in told[0] or "away" not in told[0]

    asyncio.run(run())


def test_a_squeezed_stream_can_be_read_event_by_event_and_is_much_shorter():
    events = [b"data: " + str(n).encode() * 2000 + b"\n\n" for n in range(3)]

    async def given() -> AsyncIterator[ServerSentEvent]:
        for event in events:
            yield ServerSentEvent(event)

    async def run() -> None:
        reader, size = zlib.decompressobj(31), 0
        async for chunk, event in zipped(streaming.gzip_events(given()), events):
            assert reader.decompress(chunk) == event
            size += len(chunk)
        assert size < len(b"".join(events)) / 10

    asyncio.run(run())


async def zipped(chunks: AsyncIterator[bytes], events: list[bytes]):
    for event in events:
        yield await anext(chunks), event
