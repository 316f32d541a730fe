"""The stream: a line for each change that the seat can see, and nothing of anything else."""

import asyncio
import json
from collections.abc import Callable
from copy import deepcopy
from itertools import accumulate
from typing import Any

import pytest

from diablerie import api, json_patch
from diablerie.engine.game import Game
from diablerie.engine.match import Match
from diablerie.engine.verbs import WATCHER
from diablerie.games import ALL
from diablerie.table.authority import Authority
from diablerie.table.commands import chat, decisions, lobby, tokens
from diablerie.table.state.transitions import play_decision
from diablerie.table.state.visitors import visitor_of
from diablerie.web.api import requests
from tests.api.conftest import MAKER, Program
from tests.api.twins import hosted, told
from tests.table.test_leaks import BID, OUTCOMES, History
from tests.table.toy import TOY
from tests.web.client import Client
from tests.web.test_stream import Listener

Programs = Callable[..., Program]


def whole(seen: Any, line: Any) -> Any:
    """The table after a line, from that of the line before."""
    if line["type"] != "change":
        return line
    new = {name: line[name] for name in ("log", "chat")}
    return json_patch.patched(deepcopy(seen), line["patch"]) | new


class Lines(Listener):
    """An open stream of lines."""

    def __init__(self, program: Program, table: str, query: str = "") -> None:
        reader = Client(program.app, program.address)
        super().__init__(program.app, reader, f"{api.PREFIX}/tables/{table}/stream?{query}")
        shown = f"Bearer {program.token}".encode()
        self.scope["headers"] += [(b"authorization", shown)] * bool(program.token)

    async def lines(self, count: int) -> list[Any]:
        """The first lines that came, as soon as there are so many; changes as whole tables."""
        for _ in range(3000):
            found = [json.loads(line) for line in self.text.split("\n") if line]
            if len(found) >= count:
                return [*accumulate(found, whole)]
            await asyncio.sleep(0.02)
        raise AssertionError(f"{count} lines expected: {self.text[:400]}")

    async def told(self, holds: Callable[[Any], bool]) -> Any:
        """The whole table as soon as this holds of it, however many lines that took."""
        for _ in range(3000):
            *_, last = await self.lines(1)
            if holds(last):
                return last
            await asyncio.sleep(0.02)
        raise AssertionError(f"not told: {self.text[-400:]}")


def test_a_line_for_each_change_with_what_is_new_of_log_and_chat(
    robo: Program, authority: Authority
):
    table = robo.post("/tables", game="coals", plan=["me", "me"])["id"]

    async def run() -> None:
        async with Lines(robo, table, "seat=0") as stream:
            first, *_ = await stream.lines(1)
            assert (first["type"], first["seat"], first["ply"]) == ("table", 0, 1)
            assert [told["ply"] for told in first["log"]] == [1]
            await asyncio.to_thread(
                decisions.decide, authority, table, robo.visitor, 1, "bet 30", 0
            )
            _, second, *_ = await stream.lines(2)
            assert [told["ply"] for told in second["log"]] == [2]
            assert (second["ply"], second["legal"], second["chat"]) == (2, [], [])
            await asyncio.to_thread(chat.chat, authority, table, robo.visitor, "hm")
            *_, third = await stream.lines(3)
            assert [said["text"] for said in third["chat"]] == ["hm"]
            assert third["log"] == []
            authority.hub.publish(table)  # news that change nothing for this seat
            await asyncio.to_thread(lobby.delete_table, authority, table, robo.visitor)
            *_, last = await stream.lines(4)
            assert (last["type"], last["problem"]["code"]) == ("gone", "not-found")
            await asyncio.wait_for(stream.task, 5)

    asyncio.run(run())


def test_a_stream_goes_on_where_it_broke_off(robo: Program, authority: Authority):
    table = robo.post("/tables", game="coals", plan=["me", "me"])["id"]
    chat.chat(authority, table, robo.visitor, "one")
    chat.chat(authority, table, robo.visitor, "two")
    decisions.decide(authority, table, robo.visitor, 1, "bet 30", 0)

    async def run() -> None:
        async with Lines(robo, table, "seat=0&since=1&heard=1") as stream:
            first, *_ = await stream.lines(1)
            assert [told["ply"] for told in first["log"]] == [2]
            assert [said["text"] for said in first["chat"]] == ["two"]

    asyncio.run(run())


def test_a_revoked_token_ends_a_stream_though_nothing_happens_at_the_table(
    robo: Program, authority: Authority, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(requests, "HEARTBEAT_SECONDS", 0.0)
    table = robo.post("/tables", game="coals", plan=["me", "me"])["id"]

    async def run() -> None:
        async with Lines(robo, table) as stream:
            await stream.lines(1)
            await asyncio.to_thread(tokens.revoke, authority, MAKER, robo.visitor)
            *_, last = await stream.lines(2)
            assert last["problem"]["status"] == 401
            await asyncio.wait_for(stream.task, 5)

    asyncio.run(run())


def test_what_cannot_be_listened_to_is_refused_at_once(robo: Program, program: Programs):
    table = robo.post("/tables", game="coals", plan=["me", "open"])["id"]
    for path, status in (("nowhere/stream", 404), (f"{table}/stream?seat=1", 403)):
        assert robo.ask("GET", f"/tables/{path}").status_code == status
    assert robo.ask("HEAD", f"/tables/{table}/stream").status_code == 200
    assert robo.get(f"/tables/{table}")["seats"][0]["here"] is False


# -- twins: what a seat may not know does not show -------------------------------------------------


@pytest.mark.parametrize("viewer", [1, 2, WATCHER])
def test_what_somebody_looked_at_shows_to_no_program(viewer: int):
    plies = [[*BID, [(0, "look"), (-1, outcome)], [(0, "rest")]] for outcome in OUTCOMES]
    shut, opened = (told(TOY, 3, one, viewer) for one in plies)
    assert shut == opened


def test_the_program_that_looked_knows():
    plies = [[*BID, [(0, "look"), (-1, outcome)]] for outcome in OUTCOMES]
    shut, opened = (told(TOY, 3, one, 0) for one in plies)
    assert shut != opened


@pytest.mark.parametrize("viewer", [0, WATCHER])
def test_a_stream_tells_of_secret_stakes_that_there_is_one(viewer: int):
    """While it is open, others decide in secret: in both worlds the very same lines."""

    async def heard(tens: int) -> str:
        with hosted(ALL["coals"], 3, [[(-1, "first 0")]], viewer) as (program, authority):
            async with Lines(program, "t") as stream:
                await stream.lines(1)
                for ply, seat in ((1, 1), (2, 2)):
                    live = authority.live("t")
                    after = play_decision(live, seat, ply, [f"bet {tens * 10}"], 1000.0)
                    authority.tell(authority.memory.keep(after))
                    await stream.lines(1 + ply)
                return stream.text

    one, other = (asyncio.run(heard(tens)) for tens in (1, 17))
    assert one == other
    assert one.count("\n") == 3


@pytest.mark.parametrize("game", ALL.values(), ids=ALL)
def test_a_program_sees_what_a_person_on_its_seat_sees(game: Game):
    """Position, moves, log and chat of the page, and the redacted record, at random positions."""
    match = Match.new(game, seed=5)
    history: History = [[(event.seat, event.text) for event in match.plies[0].events]]
    for step in range(40):
        if match.over:
            break
        legal = match.legal()
        history.append([tuple(e) for e in match.play(legal[step * 7 % len(legal)]).events])
    for length in (len(history) // 2, len(history)):
        for viewer in (WATCHER, length % 2):
            with hosted(game, 2, history[:length], viewer) as (program, authority):
                seen = program.get("/tables/t")
                record = authority.live("t").position(viewer).record
                assert seen["record"] == record.asdict()
            with hosted(game, 2, history[:length], viewer, person=True) as (person, house):
                house.browsers.note(visitor_of(person.token))
                page = Client(person.app, person.address)
                page.cookies.set("diablerie", person.token, domain="localhost.local")
                shown = page.data("/t/t")
            lines = [line for told in seen["log"] for line in told["lines"]]
            assert lines[-len(shown["log"]) :] == shown["log"]
            assert seen["legal"] == shown["legal"]
            assert seen["view"] == shown["view"]
            assert (seen["prompt"], seen["pending"]) == (shown["prompt"], shown["pending"])
            assert seen["seat"] == shown["viewer"] == (None if viewer == WATCHER else viewer)
