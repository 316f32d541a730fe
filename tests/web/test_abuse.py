"""What one address may ask for, and what nobody may: bots, streams, names, deletion."""

import asyncio
import threading
from contextlib import suppress
from typing import Any

import httpx
import pytest
import uvicorn
from uvicorn.server import ServerState

from diablerie.table.authority import Authority
from diablerie.table.commands import decisions
from diablerie.table.commands.decisions import HINT_THREADS, Hint
from diablerie.web.edges import logs
from diablerie.web.process import sockets
from diablerie.web.process.sockets import HeaderTimeoutProtocol
from tests.web.client import HOME, PAGE, SCRIPT, Client
from tests.web.test_refusals import refused


@pytest.mark.parametrize("bot", ["imp", "devil", "archdevil", "oberteufel", "sensible", "random"])
def test_from_the_web_a_bot_is_one_of_these(ann: Client, authority: Authority, bot: str):
    table = ann.open(bots="1", bot=bot).rpartition("/")[2]
    assert authority.live(table).seats[1].bot == bot


def test_every_devil_may_be_another(ann: Client, authority: Authority):
    table = ann.open(bots="3", bot="imp", **{"devil-2": "oberteufel"}).rpartition("/")[2]
    assert [seat.bot for seat in authority.live(table).seats] == ["", "imp", "oberteufel", "imp"]


def test_devils_are_not_named_by_who_opens_the_table(ann: Client):
    table = ann.open(bots="1", names="Ann,Bo")
    assert [seat["name"] for seat in ann.data(table)["seats"]] == ["Ann", "Devil Soot"]


def test_a_head_opens_no_stream_and_takes_no_seat(ann: Client, authority: Authority):
    table = ann.open(bots="1")
    answer = ann.request("HEAD", f"{table}/stream", headers=SCRIPT)
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/event-stream")
    assert authority.hub.listeners() == 0


def test_a_name_in_the_log_is_harmless_in_a_terminal():
    import logging

    name = "\x1b[2J\x9b\u202e\x7f\u2028"
    record = logging.LogRecord("d", logging.ERROR, "", 1, "who: %s", (name,), None)
    assert logs.JsonLines().format(record).isprintable()
    assert logs.JsonLines().format(record).isascii()


def test_who_thinks_takes_turns_and_no_other_waits(
    ann: Client, bo: Client, monkeypatch: pytest.MonkeyPatch
):
    free, begun = threading.Event(), list[int]()

    def think(_: Any, seat: int, *__: Any) -> list[Hint]:
        begun.append(seat)
        assert free.wait(60)
        return []

    monkeypatch.setattr(decisions, "hints", think)
    table, other = ann.open(bots="1", hints="1"), bo.open(bots="1", hints="1")

    async def run() -> None:
        ask = {"seat": "0"}
        asked = [
            asyncio.create_task(one._request("POST", f"{where}/hint", data=ask, headers=SCRIPT))
            for one, where in ((ann, table), (ann, table), (bo, other))
        ]
        try:
            async with asyncio.timeout(60):
                while len(begun) < HINT_THREADS:
                    await asyncio.sleep(0.01)
                assert (await ann._request("GET", table, headers=PAGE)).status_code == 200
                assert len(begun) == HINT_THREADS
        finally:
            free.set()  # or the threads would never end
        assert [one.status_code for one in await asyncio.gather(*asked)] == [200] * 3

    asyncio.run(run())
    assert len(begun) == 3


def test_ones_own_are_deleted_on_the_page(ann: Client, bo: Client):
    table = ann.open(bots="1", names="Anna")
    assert f'action="{table}/delete_table"' in ann.page(table).text
    assert f'action="{table}/delete_table"' not in bo.page(table).text
    other = ann.open(open="1", names="Anna")
    bo.call(f"{other}/sit", name="Bob")
    refused(bo.call(f"{table}/delete_table"), 403)
    refused(ann.call(f"{other}/delete_table"), 409)
    assert "Delete my names" in ann.page("/kept").text
    assert 'href="/kept"' in ann.page("/").text
    assert ann.send("/forget").headers["location"] == "/kept"
    assert [seat["name"] for seat in ann.data(other)["seats"]] == ["You", "Bob"]
    assert ann.send(f"{table}/delete_table").headers["location"] == "/"
    refused(ann.get(table), 404)


def test_a_page_that_is_read_without_a_stream_lets_bots_play(ann: Client, authority: Authority):
    table = ann.open(here="0", bots="2")
    name = table.rpartition("/")[2]
    assert not authority.hub.watched(name)
    answer: httpx.Response = ann.page(f"{HOME}{table}")
    assert answer.status_code == 200
    assert authority.hub.watched(name)


def raw(*parts: bytes) -> bytes:
    """What a connection answers to bytes, sent part by part until it is closed."""

    protocols: list[HeaderTimeoutProtocol] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        assert protocols[-1]._deadline is None
        await send({"type": "http.response.start", "status": 200, "headers": [
            (b"content-length", b"2")]})  # fmt: skip
        await send({"type": "http.response.body", "body": b"ok"})

    async def run() -> bytes:
        answer = b""
        config = uvicorn.Config(app, lifespan="off", log_config=None)
        config.load()
        state = ServerState()
        loop = asyncio.get_running_loop()

        def made() -> HeaderTimeoutProtocol:
            protocols.append(HeaderTimeoutProtocol(config=config, server_state=state, app_state={}))
            return protocols[-1]

        async with await loop.create_server(made, "127.0.0.1", 0) as server:
            reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
            with suppress(ConnectionResetError):  # it was closed while we sent
                for part in parts:
                    writer.write(part)
                    await writer.drain()
                while data := await asyncio.wait_for(reader.read(1000), 30):
                    answer += data
            writer.close()
        return answer

    return asyncio.run(run())


ASKED = b"GET / HTTP/1.1\r\nhost: x\r\n"


@pytest.mark.parametrize("parts", [(), (b"G",), (ASKED,), (ASKED + b"\r\n" + ASKED,)])
def test_headers_that_never_end_are_not_waited_for(
    monkeypatch: pytest.MonkeyPatch, parts: tuple[bytes, ...]
):
    monkeypatch.setattr(sockets, "HEADERS_SECONDS", 0.3)
    answer = raw(*parts)
    assert answer.count(b"200 OK") == b"".join(parts).count(b"\r\n\r\n")


def test_headers_that_end_have_no_deadline_any_more():
    assert raw(ASKED + b"connection: close\r\n\r\n").endswith(b"\r\n\r\nok")
