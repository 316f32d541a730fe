"""Faults as browsers meet them: told in a sentence, soon, and without harm to others."""

import asyncio
import json
import sqlite3
import sys
import threading
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from starlette.applications import Starlette

from diablerie.cli import main
from diablerie.table.authority import Authority
from diablerie.table.commands import chat
from diablerie.table.storage import schema
from diablerie.table.storage.lock import Lock
from diablerie.table.storage.store import Store
from diablerie.web.app import create_app
from diablerie.web.edges import forms
from tests.stores import new_store
from tests.web.client import Client
from tests.web.test_refusals import refused
from tests.web.test_serve import free_port, started
from tests.web.test_stream import Listener


@pytest.fixture
def spoiled(ann: Client, bo: Client, authority: Authority) -> str:
    """A table of Ann's and Bo's whose second ply cannot be."""
    table = ann.open(open="1")
    bo.call(f"{table}/sit")
    assert ann.act(table, "bet 50").status_code == 200
    name = table.rpartition("/")[2]
    p = schema.plies
    wrong = sa.update(p).where(p.c.match == name, p.c.ply == 1).values(events='[[0, "bet 5"]]')
    authority.store.commit(wrong)
    authority.forget(name)
    return table


def test_a_spoiled_match_says_so(ann: Client, spoiled: str):
    for path in ("", ".json", "/frame", "/stream", "/replay", "/match.jsonl", "/log"):
        refused(ann.get(f"{spoiled}{path}"), 410)
    for path in ("decide", "chat", "rename", "link", "rematch"):
        refused(ann.call(f"{spoiled}/{path}", seat=0, ply=1, do="bet 50", text="hm"), 410)
    page = ann.page(spoiled)
    assert "ply 2 is impossible" in page.text
    assert ann.page("/").status_code == 200
    assert ann.open(bots="1")


def test_a_locked_database_is_503_and_to_be_tried_again(tmp_path: Path):
    store = new_store(tmp_path / "tables.db", busy=0.01)
    ann = Client(create_app(Authority(store)))
    table = ann.open(bots="1")
    other = sqlite3.connect(tmp_path / "tables.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    for answer in (ann.act(table, "bet 50"), ann.send(f"{table}/chat", text="hm"),
                   ann.call("/tables", game="coals", way="bots")):  # fmt: skip
        refused(answer, 503)
        assert int(answer.headers["retry-after"]) > 0
    assert ann.get("/healthz").status_code == 503
    assert "locked" in ann.get("/healthz").json()["database"]
    other.close()
    assert ann.act(table, "bet 50").status_code == 200
    assert ann.get("/healthz").json()["status"] == "ok"
    store.close()


def test_health_is_told_while_every_thread_is_busy(app: Starlette, ann: Client):
    async def busy() -> None:
        free, loop = threading.Event(), asyncio.get_running_loop()
        waiting = [loop.run_in_executor(None, free.wait) for _ in range(64)]
        try:
            async with asyncio.timeout(5):
                assert (await ann._request("GET", "/healthz")).status_code == 200
        finally:
            free.set()
        await asyncio.gather(*waiting)

    asyncio.run(busy())


def test_a_stream_outlives_a_database_that_cannot_be_read(
    app: Starlette, ann: Client, authority: Authority, monkeypatch: pytest.MonkeyPatch
):
    from diablerie.table.errors import Unavailable
    from diablerie.web.routes import streaming

    monkeypatch.setattr(streaming, "STREAM_RETRY_SECONDS", 0.01)
    table = ann.open(bots="1")
    name = table.rpartition("/")[2]
    true, fails = authority.live, iter(range(2))

    def live(table: str) -> Any:
        if next(fails, None) is not None:
            raise Unavailable
        return true(table)

    async def run() -> None:
        async with Listener(app, ann, f"{table}/stream") as stream:
            await stream.events(1)
            monkeypatch.setattr(authority, "live", live)
            owner = true(name).seats[0].owner
            await asyncio.to_thread(chat.chat, authority, name, owner, "hm")
            await stream.events(2)
            assert "event: gone" not in stream.text

    asyncio.run(run())


async def told(app: Starlette, url: str, client: Client, messages: AsyncIterator[Any]) -> Any:
    """What a form gets that arrives as these messages."""
    cookie = "; ".join(f"{k}={v}" for k, v in client.cookies.items())
    scope = {
        "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": "POST",
        "scheme": "http", "path": url, "raw_path": url.encode(), "root_path": "",
        "query_string": b"", "client": ("10.0.0.1", 1), "server": ("localhost", 8666),
        "headers": [(b"host", b"localhost:8666"), (b"cookie", cookie.encode()),
                    (b"content-type", b"application/x-www-form-urlencoded")],
    }  # fmt: skip
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    await app(scope, messages.__anext__, send)
    return sent


def test_a_stalled_form_ends_soon_and_an_aborted_one_quietly(
    app: Starlette, ann: Client, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    table = ann.open(bots="1")
    monkeypatch.setattr(forms, "FORM_SECONDS", 0.05)

    async def stalled() -> AsyncIterator[Any]:
        yield {"type": "http.request", "body": b"text=h", "more_body": True}
        await asyncio.sleep(60)

    async def aborted() -> AsyncIterator[Any]:
        yield {"type": "http.request", "body": b"text=h", "more_body": True}
        yield {"type": "http.disconnect"}

    start, body = asyncio.run(told(app, f"{table}/chat", ann, stalled()))
    assert start["status"] == json.loads(body["body"])["status"] == 408
    assert (b"connection", b"close") in start["headers"]
    asyncio.run(told(app, f"{table}/chat", ann, aborted()))
    assert ann.data(table)["chat"] == []
    assert not [r for r in caplog.records if r.levelname == "ERROR"]


def test_a_second_server_on_the_same_file_refuses_to_start(tmp_path: Path):
    held = Lock(tmp_path / "tables.db")
    second = started(free_port(), tmp_path)
    out, err = second.communicate(timeout=60)
    held.release()
    assert second.returncode == 2
    assert out == ""
    assert "another diablerie" in err
    assert len(err.splitlines()) == 1


def test_the_doctors_status_says_what_it_found(
    ann: Client, spoiled: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):  # fmt: skip
    for db, status, said in (
        ("tables.db", 1, "ply 2 is impossible"),
        ("none.db", 2, "no such database"),
        ("new.db", 0, "no problems"),
    ):
        if status == 0:
            Store(tmp_path / db).close()
        monkeypatch.setattr(sys, "argv", ["diablerie", "doctor", "--db", str(tmp_path / db)])
        with pytest.raises(SystemExit) as ended:
            main()
        assert ended.value.code == status
        told = capsys.readouterr()
        assert said in told.out + told.err
