"""A program that has opened a table hears who asks for a devil's seat, and gives it."""

import asyncio
from collections.abc import Callable

from diablerie.table.authority import Authority
from tests.api.conftest import Program
from tests.api.test_stream import Lines
from tests.web.client import Client

Programs = Callable[..., Program]
OPENING = {"game": "coals", "plan": ["me", "open", "devil"]}


def test_the_host_hears_of_a_wish_on_the_stream_and_agrees(robo: Program, program: Programs):
    other = program()
    table = robo.post("/tables", **OPENING)["id"]
    other.post(f"/tables/{table}/sit")
    late = Client(robo.app, "10.1.0.9")

    async def run() -> None:
        async with Lines(robo, table) as stream, Lines(other, table) as theirs:
            first, *_ = await stream.lines(1)
            assert first["wishes"] == []
            await asyncio.to_thread(late.call, f"/t/{table}/ask_seat", name="Di", seat="2")
            last = await stream.told(lambda line: line["wishes"])
            assert last["wishes"] == [{"seat": 2, "name": "Di"}]
            agreed = {"seat": 2, "agree": True}
            await asyncio.to_thread(robo.post, f"/tables/{table}/answer_seat", **agreed)
            given = await stream.told(lambda line: line["seats"][2]["name"] == "Di")
            assert given["wishes"] == []
            await theirs.told(lambda line: line["seats"][2]["name"] == "Di")
            assert {len(line["wishes"]) for line in await theirs.lines(1)} == {0}

    asyncio.run(run())
    assert late.data(f"/t/{table}")["viewer"] == 2


def test_nobody_else_is_told_of_a_wish(robo: Program, program: Programs, authority: Authority):
    other = program()
    table = robo.post("/tables", **OPENING)["id"]
    other.post(f"/tables/{table}/sit")
    Client(robo.app, "10.1.0.9").call(f"/t/{table}/ask_seat", name="Di", seat="2")
    assert authority.live(table).seats[2].wanted
    assert robo.get(f"/tables/{table}")["wishes"] == [{"seat": 2, "name": "Di"}]
    assert other.get(f"/tables/{table}")["wishes"] == []
    assert Program(robo.app).get(f"/tables/{table}")["wishes"] == []


def test_round_a_screen_every_player_is_told_and_may_agree(robo: Program, program: Programs):
    other = program()
    table = robo.post("/tables", **OPENING)["id"]
    robo.post(f"/tables/{table}/screen", on=True)
    other.post(f"/tables/{table}/sit")
    late = Client(robo.app, "10.1.0.9")
    late.call(f"/t/{table}/ask_seat", name="Di", seat="2")
    assert other.get(f"/tables/{table}")["wishes"] == [{"seat": 2, "name": "Di"}]
    other.post(f"/tables/{table}/answer_seat", seat=2, agree=True)
    assert late.data(f"/t/{table}")["viewer"] == 2
