"""The meeting point: texts in rooms, for minutes, within limits; on a server off until its owner opens it."""

import asyncio
import random
import re
import string
import subprocess
import sys
from collections.abc import Callable

import httpx
import pytest
from starlette.applications import Starlette

from diablerie.table.authority import Authority
from diablerie.web.app import Services, create_app
from diablerie.web.edges.network_switch import NetworkSwitch
from diablerie.web.process import meet
from diablerie.web.routes import meeting
from diablerie.web.routes.meeting import LIFETIME, LONGEST_TEXT, Full, Rooms
from tests.web.client import PAGE, Client

ROOM, OTHER = "A" * 22, "B" * 22
SECRET = "the owner's secret"
ELSEWHERE = {"origin": "https://games.example", "sec-fetch-site": "cross-site"}


class Time:
    """Seconds, as a test has them go."""

    now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Time:
    return Time()


@pytest.fixture
def rooms(clock: Time) -> Rooms:
    return Rooms(clock)


def test_a_text_is_there_for_whoever_reads_in_its_room_and_for_nobody_else(rooms: Rooms) -> None:
    rooms.put(ROOM, "one", "a")
    last, texts = asyncio.run(rooms.read(ROOM, None))
    assert texts == ["one"]
    assert asyncio.run(rooms.read(OTHER, None)) == (last, [])
    rooms.put(ROOM, "two", "b")
    assert asyncio.run(rooms.read(ROOM, last))[1] == ["two"]
    assert rooms.after(ROOM, 0) == ["one", "two"]
    rooms.put(ROOM, "one", "a")  # who still waits puts it there again, and all read it anew
    assert rooms.after(ROOM, last + 1) == ["one"]


def test_who_waits_reads_a_text_as_it_comes(rooms: Rooms) -> None:
    async def evening() -> list[str]:
        last, _ = await rooms.read(ROOM, None)
        reader = asyncio.ensure_future(rooms.read(ROOM, last))
        await asyncio.sleep(0)
        rooms.put(OTHER, "for others", "a")
        await asyncio.sleep(0)
        assert not reader.done()
        rooms.put(ROOM, "hello", "a")
        return (await reader)[1]

    assert asyncio.run(evening()) == ["hello"]
    assert not rooms._waiting
    assert not rooms._readers


def test_who_waits_for_nothing_is_answered_after_a_while(
    rooms: Rooms, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(meeting, "WAIT", 0.01)
    assert asyncio.run(rooms.read(ROOM, 5))[1] == []


def test_texts_go_after_minutes(rooms: Rooms, clock: Time) -> None:
    rooms.put(ROOM, "one", "a")
    clock.now += LIFETIME - 1
    rooms.put(ROOM, "two", "a")
    assert rooms.after(ROOM, 0) == ["one", "two"]
    clock.now += 2
    assert rooms.after(ROOM, 0) == ["two"]
    clock.now += LIFETIME
    assert rooms.after(ROOM, 0) == []
    assert [len(rooms._kept), len(rooms._texts), len(rooms._of_client)] == [0, 0, 0]


@pytest.mark.parametrize("limit", ["TEXTS_OF_ROOM", "TEXTS_OF_CLIENT", "TEXTS"])
def test_texts_are_limited_by_room_by_address_and_in_all(
    limit: str, rooms: Rooms, clock: Time, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(meeting, limit, 5)
    room = (lambda _: ROOM) if limit == "TEXTS_OF_ROOM" else "{:022}".format
    client = (lambda _: "a") if limit == "TEXTS_OF_CLIENT" else str
    for k in range(5):
        rooms.put(room(k), f"text{k}", client(k))
    with pytest.raises(Full):
        rooms.put(room(6), "more", client(6))
    rooms.put(room(0), "text0", client(0))  # which is there already
    clock.now += LIFETIME
    rooms.put(room(6), "more", client(6))


@pytest.mark.parametrize("limit", ["READERS_OF_ROOM", "READERS"])
def test_readers_who_wait_are_limited(
    limit: str, rooms: Rooms, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(meeting, limit, 2)

    async def crowd() -> None:
        readers = [asyncio.ensure_future(rooms.read(ROOM, 1)) for _ in range(2)]
        await asyncio.sleep(0)
        with pytest.raises(Full):
            await rooms.read(ROOM, 1)
        rooms.close()  # all are answered at once
        await asyncio.gather(*readers)

    asyncio.run(crowd())


def test_a_household_at_one_address_fits(rooms: Rooms) -> None:
    """Thirty people at ten tables, each of whom says three texts."""
    for k in range(90):
        rooms.put(f"{k % 10:022}", f"text{k}", "one address")


# -- requests --------------------------------------------------------------------------------------


@pytest.fixture
def alone() -> Client:
    return Client(meet.application())


def test_pages_of_any_site_may_ask(alone: Client) -> None:
    answer = alone.request("POST", f"/meet/{ROOM}", content="hello", headers=ELSEWHERE)
    assert (answer.status_code, answer.headers["access-control-allow-origin"]) == (204, "*")
    answer = alone.request("GET", f"/meet/{ROOM}", headers=ELSEWHERE)
    assert answer.json()["texts"] == ["hello"]
    assert answer.headers["access-control-allow-origin"] == "*"
    assert "set-cookie" not in answer.headers


def test_a_point_of_some_sites_answers_no_other() -> None:
    app = meet.application([meet.site_origin("https://Games.example/coals/")])
    assert app.state.meeting.sites == {"https://games.example"}
    mine = Client(app).request("GET", f"/meet/{ROOM}", headers=ELSEWHERE)
    assert mine.headers["access-control-allow-origin"] == "https://games.example"
    for origin in ("https://evil.example", "http://games.example", "null"):
        other = Client(app).request("GET", f"/meet/{ROOM}", headers={"origin": origin})
        assert other.status_code == 403
        assert "access-control-allow-origin" not in other.headers
    for same in ("HTTPS://games.example:443", "https://games.example./", "https://games.example:"):
        assert meet.site_origin(same) == "https://games.example"
    assert meet.site_origin("https://böse.example/") == "https://xn--bse-sna.example"
    assert meet.site_origin("http://[FD00::1]:8080/") == "http://[fd00::1]:8080"
    for wrong in (
        "games.example", "ftp://games.example", "https://", "https://games.example:x",
        "https://ann@games.example", "https://games example",
    ):  # fmt: skip
        with pytest.raises(ValueError, match="no address of a site"):
            meet.site_origin(wrong)


@pytest.mark.parametrize(
    ("room", "body", "status"),
    [
        (ROOM, "", 400),
        (ROOM, "not base64url!", 400),
        (ROOM, "ä", 400),
        (ROOM, "x" * LONGEST_TEXT, 204),
        (ROOM, "x" * (LONGEST_TEXT + 1), 413),
        (ROOM[1:], "x", 400),
        (ROOM + "A", "x", 400),
        ("%00" * 22, "x", 400),
    ],
)
def test_what_is_no_text_or_room_is_refused(
    room: str, body: str, status: int, alone: Client
) -> None:
    answer = alone.request("POST", f"/meet/{room}", content=body)
    assert answer.status_code == status
    if status != 204:
        assert answer.json()["status"] == status
        assert answer.json()["title"]


def test_a_full_room_says_when_to_try_again(alone: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(meeting, "TEXTS_OF_ROOM", 1)
    alone.request("POST", f"/meet/{ROOM}", content="one")
    answer = alone.request("POST", f"/meet/{ROOM}", content="two")
    assert answer.status_code == 429
    assert int(answer.headers["retry-after"]) > 0
    assert answer.headers["access-control-allow-origin"] == "*"  # or a page could not read it


def test_ten_thousand_hostile_requests_end_in_refusals_within_the_limits(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(meeting, "WAIT", 0.0)
    dice = random.Random(20261128)
    app = meet.application()
    rooms = app.state.meeting
    statuses = set[int]()

    def text(most: int) -> str:
        letters = string.printable if dice.random() < 0.3 else string.ascii_letters + "-_"
        return "".join(dice.choices(letters, k=dice.randrange(most)))

    async def attack() -> None:
        inside = httpx.ASGITransport(app, client=("10.0.0.9", 1))
        async with httpx.AsyncClient(transport=inside, base_url="http://point") as client:
            for _ in range(10_000):
                room = dice.choice([ROOM, OTHER, "".join(dice.choices("AB-_", k=22)), text(30)])
                room = room.replace("/", "%2f").replace("?", "%3f").replace("#", "%23")
                room = "".join(c if c.isprintable() and c != " " else "%0a" for c in room)
                method = dice.choice(["GET", "POST", "POST", "POST", "PUT", "OPTIONS"])
                query = dice.choice(
                    ["", "?after=0", "?after=-1", "?after=9999999999999999", "?after=x"]
                )
                body = text(60) if dice.random() < 0.95 else "x" * dice.randrange(10_000)
                answer = await client.request(method, f"/meet/{room}{query}", content=body)
                statuses.add(answer.status_code)

    asyncio.run(attack())
    assert {200, 204, 400, 405, 413, 429} <= statuses
    assert max(statuses) < 500
    assert max(map(len, rooms._texts.values())) <= meeting.TEXTS_OF_ROOM
    assert len(rooms._kept) == sum(rooms._of_client.values()) <= meeting.TEXTS_OF_CLIENT
    assert not rooms._readers


# -- a server that is one --------------------------------------------------------------------------


@pytest.fixture
def app(authority: Authority) -> Starlette:
    network = NetworkSwitch(fixed="", secret=SECRET)
    return create_app(authority, Services(rooms=meeting.closed_rooms()), network=network)


def test_a_server_is_none_until_its_owner_opens_it(
    app: Starlette, browser: Callable[[], Client]
) -> None:
    owner, stranger = browser(), browser()
    owner.request("GET", f"/owner/{SECRET}", headers=PAGE)

    def left() -> int:
        answer = stranger.request("POST", f"/meet/{ROOM}", content="hello", headers=ELSEWHERE)
        return int(answer.status_code)

    assert left() == 404
    assert stranger.call("/meeting", open="1").status_code == 403
    assert 'action="/meeting"' not in stranger.page("/settings").text
    assert left() == 404
    assert 'name="open"' in owner.page("/settings").text
    assert owner.call("/meeting", open="1").status_code == 200
    assert "--meet http://localhost:8666" in owner.page("/settings").text
    assert left() == 204
    assert owner.call("/meeting").status_code == 200
    assert left() == 404
    owner.call("/meeting", open="1")
    assert stranger.get(f"/meet/{ROOM}").json()["texts"] == []  # it has forgotten everything


def test_other_addresses_stay_closed_to_other_sites(app: Starlette, ann: Client) -> None:
    app.state.meeting.open = True
    for path in ("/tables", "/meeting", f"/meetings/{ROOM}"):
        assert ann.request("POST", path, headers=ELSEWHERE).status_code == 403


def test_several_processes_are_no_meeting_point(authority: Authority) -> None:
    app = create_app(authority, network=NetworkSwitch(fixed="processes", secret=SECRET))
    owner = Client(app)
    owner.request("GET", f"/owner/{SECRET}", headers=PAGE)
    assert owner.call("/meeting", open="1").status_code == 409
    assert owner.get(f"/meet/{ROOM}").status_code == 404
    assert 'action="/meeting"' not in owner.page("/settings").text


def test_who_waits_at_the_point_keeps_nobody_of_the_household_waiting(app: Starlette) -> None:
    rooms = app.state.meeting
    rooms.open = True

    async def household() -> int:
        inside = httpx.ASGITransport(app, client=("10.0.0.1", 1))
        async with httpx.AsyncClient(transport=inside, base_url="http://localhost:8666") as client:
            waits = asyncio.ensure_future(client.get(f"/meet/{ROOM}?after=1"))
            while not rooms._readers:
                await asyncio.sleep(0)
            status = (await client.get("/settings", headers=PAGE)).status_code
            assert not waits.done()
            rooms.close()
            await waits
            return int(status)

    assert asyncio.run(household()) == 200


def test_the_command_says_where_it_is_and_what_to_build() -> None:
    command = [sys.executable, "-m", "diablerie", "meet", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as point:
        assert point.stdout
        where, how = point.stdout.readline(), point.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:\d+", where)
        assert found
        assert f"--meet {found[0]}" in how
        while True:
            try:
                assert httpx.get(f"{found[0]}/meet/{ROOM}").json()["texts"] == []
                break
            except httpx.ConnectError:
                continue
        point.terminate()
        assert point.wait(60) in (0, -15)
