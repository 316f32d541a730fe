"""A stream sends what has changed: JSON Patches, from which a program has the whole table."""

import asyncio
import json
import re
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from diablerie import api, json_patch
from diablerie.table.authority import Authority
from diablerie.table.commands import decisions, lobby
from diablerie.table.errors import BadInput, NotFound
from diablerie.web.routes import streaming
from tests.api.conftest import Program, generous
from tests.api.test_stream import Lines

DOCS = (Path(__file__).parent.parent.parent / "docs" / "api.md").read_text("utf-8")
LEAVES = st.none() | st.booleans() | st.integers(-2, 2) | st.sampled_from(["", "a", "ab" * 20])
NAMES = st.sampled_from(["a", "b", "a/b", "~", "~1", "0"])
DOCUMENTS = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(NAMES, inner, max_size=4)
)


@given(DOCUMENTS, DOCUMENTS)
def test_a_patch_makes_the_new_document_of_the_old(old: Any, new: Any) -> None:
    steps = json.loads(json.dumps(json_patch.difference(old, new)))
    made = json_patch.patched(deepcopy(old), steps)
    assert json.dumps(made, sort_keys=True) == json.dumps(new, sort_keys=True)
    assert bool(steps) == (json.dumps(old, sort_keys=True) != json.dumps(new, sort_keys=True))
    whole = [{"op": "replace", "path": "", "value": new}]
    assert len(msgspec.json.encode(steps)) <= len(msgspec.json.encode(whole))


@pytest.mark.parametrize(
    ("step", "document"),
    [
        ({"op": "replace", "path": "/b", "value": 1}, {"a": 1}),
        ({"op": "remove", "path": "/2"}, [1, 2]),
        ({"op": "add", "path": "/3", "value": 1}, [1, 2]),
        ({"op": "add", "path": "/x", "value": 1}, [1, 2]),
        ({"op": "add", "path": "/a/b", "value": 1}, {"a": 1}),
        ({"op": "move", "path": "/a", "from": "/b"}, {"a": 1, "b": 2}),
    ],
)
def test_a_patch_that_does_not_fit_is_refused(step: Any, document: Any) -> None:
    with pytest.raises(ValueError, match="the patch does not fit"):
        json_patch.patched(document, [step])


def decided(authority: Authority, table: str) -> None:
    """A decision at random, by whoever is to decide."""
    live = authority.live(table)
    seat = live.pending[0]
    moves = live.position(seat).moves
    owner = live.seats[seat].owner
    assert owner
    do = Random(live.ply).choice(moves).text
    decisions.decide(authority, table, owner, live.ply, do, seat)


@pytest.mark.parametrize("game", ["underworld", "coals"])
def test_the_lines_of_a_stream_tell_the_table_in_a_fraction_of_its_bytes(
    robo: Program, authority: Authority, game: str
) -> None:
    authority.limits = generous(authority.clock)
    table = robo.post("/tables", game=game, plan=["me", "me", "me"])["id"]
    news = {"log": [], "chat": []}

    async def run() -> tuple[int, int]:
        complete = 0
        async with Lines(robo, table, "seat=0") as stream:
            for count in range(1, 41):
                seen = (await stream.lines(count))[-1]
                shown = await asyncio.to_thread(robo.get, f"/tables/{table}", seat=0)
                assert seen | news == shown | news
                assert seen["log"][-1]["ply"] == shown["ply"]
                complete += len(json.dumps(seen))
                if shown["status"] == "over":
                    break
                await asyncio.to_thread(decided, authority, table)
            first, *changes = stream.text.strip().split("\n")
        assert json.loads(first)["type"] == "table"
        assert {json.loads(line)["type"] for line in changes if line} == {"change"}
        return len(stream.text), complete

    sent, complete = asyncio.run(run())
    assert sent < complete / 2


def test_a_program_may_ask_for_whole_tables(robo: Program, authority: Authority) -> None:
    table = robo.post("/tables", game="coals", plan=["me", "me"])["id"]

    async def run() -> None:
        async with Lines(robo, table, "seat=0&whole=true") as stream:
            await stream.lines(1)
            await asyncio.to_thread(decided, authority, table)
            await stream.lines(2)
            assert [json.loads(line)["type"] for line in stream.text.splitlines()] == ["table"] * 2

    asyncio.run(run())


def test_the_line_in_the_documents_is_one(robo: Program) -> None:
    (line,) = re.findall(r"^```json by=tests/api/test_changes.py\n(.*)\n```", DOCS, re.MULTILINE)
    assert isinstance(msgspec.json.decode(line, type=api.Event), api.Change)


@pytest.mark.parametrize("error", [NotFound(), BadInput(NotFound().line)])
def test_a_stream_does_not_end_while_its_table_is_there(
    robo: Program, authority: Authority, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    """Once, on several processes, streams ended though their tables went on."""
    monkeypatch.setattr(streaming, "STREAM_RETRY_SECONDS", 0.01)
    table = robo.post("/tables", game="coals", plan=["me", "open"])["id"]
    refused: list[str] = []
    live = authority.live

    def sometimes(asked: str) -> Any:
        if len(refused) < 3:
            refused.append(asked)
            raise error
        return live(asked)

    async def run() -> None:
        async with Lines(robo, table) as stream:
            await stream.lines(1)
            monkeypatch.setattr(authority, "live", sometimes)
            authority.hub.publish(table)
            while len(refused) < 3:
                await asyncio.sleep(0.01)
            monkeypatch.setattr(authority, "live", live)
            await asyncio.to_thread(lobby.publish, authority, table, robo.visitor, True)
            owner = authority.live(table).seats[0].owner
            assert owner
            await asyncio.to_thread(lobby.rename, authority, table, owner, 0, "Later")
            await stream.told(lambda line: line["seats"][0]["name"] == "Later")

    asyncio.run(run())
