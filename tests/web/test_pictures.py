"""Link previews, pictures to show round, and what other sites may frame."""

import asyncio
import re
import struct
import threading
from collections.abc import Iterator
from functools import partial
from html import unescape
from pathlib import Path
from xml.etree import ElementTree

import httpx
import pytest
from starlette.applications import Starlette
from starlette.routing import Route

import diablerie
from diablerie.engine.fair import DiceStream
from diablerie.engine.verbs import WATCHER
from diablerie.games import ALL
from diablerie.table.authority import Authority
from diablerie.table.presence.rate_limits import RATES, Limits, Rate
from diablerie.web.app import routes
from diablerie.web.html import previews
from diablerie.web.html.speech import speech_for
from diablerie.web.routes.pictures import Painter
from tests.web.client import HOME, PAGE, Client

META = re.compile(r'<meta property="og:([\w:]+)" content="([^"]*)">')
GOLDEN = Path(__file__).parent.parent / "games"
PREVIEW = 300_000  # bytes, at most


@pytest.fixture(autouse=True)
def painters(app: Starlette) -> Iterator[None]:
    yield
    app.state.painter.stop()


def card(page: str) -> dict[str, str]:
    return {name: unescape(text) for name, text in META.findall(page)}


def size(picture: bytes) -> tuple[int, ...]:
    assert picture.startswith(b"\x89PNG")
    return struct.unpack(">II", picture[16:24])


def over(who: Client, **more: str) -> str:
    table = who.open(here="2", **more)
    who.send(f"{table}/resign", seat="0", **{"as": "0"})
    assert who.data(table)["status"] == "over"
    return table


def test_a_link_to_any_of_these_pages_has_a_preview(ann: Client, bo: Client):
    running, finished = ann.open(game="kitchen", bots="1"), over(ann)
    for path in ("/", running, finished, f"{finished}/replay", ann.open(open="1")):
        told = card(bo.page(path).text)
        assert told["title"]
        assert told["description"]
        assert told["image:alt"]
        assert told["url"] == HOME + path
        assert (told["image:width"], told["image:height"]) == ("1200", "630")
        assert told["image"].startswith(f"{HOME}/")
        answer = bo.get(told["image"].removeprefix(HOME))
        assert answer.headers["content-type"] == told["image:type"] == "image/png"
        assert answer.headers["cross-origin-resource-policy"] == "cross-origin"
        assert size(answer.content) == (1200, 630)
        assert len(answer.content) < PREVIEW
        anything = bo.request("GET", path, headers={"accept": "*/*"})
        assert card(anything.text) == told, "who shows previews accepts anything"
    assert "KITCHEN" in card(bo.page(running).text)["title"]
    assert "og:" not in bo.page("/settings").text


def test_a_preview_that_would_be_heavy_has_a_smaller_board(monkeypatch: pytest.MonkeyPatch):
    match = diablerie.load(GOLDEN / "tails" / "golden" / "tails-4.jsonl")
    view, speech = match.view(WATCHER), speech_for("en", *match.names)
    whole = previews.table_preview(match.game, view, speech)
    monkeypatch.setattr(previews, "MOST_PREVIEW_BYTES", 250_000)
    light = previews.table_preview(match.game, view, speech)
    assert size(light) == size(whole) == (1200, 630)
    assert len(light) < 250_000 < len(whole) < PREVIEW


def test_a_long_name_is_set_smaller_so_that_the_preview_has_room_for_it():
    sizes = {}
    for length in (3, 30, 60):
        line = str(previews._words("W" * length, 0, "wording", 32))
        sizes[length] = float(re.findall(r'font-size="([^"]+)"', line)[0])
    assert sizes[3] == 32
    assert all(5 < sizes[length] <= previews.WORDS_WIDTH / length / 0.6 for length in (30, 60))


def test_a_groups_preview_has_its_own_series(ann: Client, bo: Client):
    link = ann.send("/groups", name="The Hoofs", person="Oma").headers["location"]
    ann.send(f"{link}/join", name="Opa")
    before = card(bo.page(link).text)
    table = ann.send(f"{link}/play", game="coals", **{"who-1": "1", "who-2": "1"})
    ann.send(f"{table.headers['location']}/resign", seat="0")
    after = card(bo.page(link).text)
    assert after["description"] == after["image:alt"] == "Opa leads 1:0."
    assert after["image"] != before["image"], "so that nobody shows an older one"
    told = [bo.get(one["image"].removeprefix(HOME)) for one in (before, after)]
    assert {size(one.content) for one in told} == {(1200, 630)}
    other = ann.send("/groups", name="The Hoofs", person="Oma").headers["location"]
    assert told[1].content != bo.get(f"{other}/preview.png").content


@pytest.mark.parametrize("name", ALL)
def test_the_preview_of_a_table_is_what_a_watcher_sees(name: str, ann: Client, app: Starlette):
    """Its players get the same picture as everybody, though they know more."""
    table = ann.open(game=name, here="2", bots="0")
    move = ann.get(f"{table}.json?as=0").json()["legal"]
    if move:
        ann.act(table, move[0]["do"], **{"as": "0"})
    mine = ann.get(f"{table}/preview.png").content
    other = Client(app, "10.0.9.9").get(f"{table}/preview.png").content
    assert mine == other
    assert len(mine) < PREVIEW


def test_a_secret_does_not_change_the_preview(ann: Client, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(DiceStream, "fresh", lambda: DiceStream.seeded(1))
    tables = [ann.open(here="2") for _ in range(2)]
    for table, stake in zip(tables, ("bet 10", "bet 150"), strict=True):
        ann.act(table, stake, ann.data(table)["pending"][0], **{"as": "0"})
    one, other = (ann.get(f"{table}/preview.png").content for table in tables)
    assert one == other
    ann.act(tables[0], "bet 20", ann.data(tables[0])["pending"][0], **{"as": "1"})
    assert ann.get(f"{tables[0]}/preview.png").content != other


def test_a_finished_game_can_be_shown_round(ann: Client, bo: Client):
    assert "film.svg" not in ann.page(ann.open(here="2")).text, "while it goes on"
    table = over(ann)
    page = bo.page(table).text
    for name in ("picture.png", "picture.svg", "film.svg"):
        assert f'href="{table}/{name}"' in page
        assert f'href="{table}/{name}"' in bo.page(f"{table}/replay").text
        answer = bo.get(f"{table}/{name}")
        assert answer.status_code == 200
        assert "sandbox" in answer.headers["content-security-policy"]
        assert "script" not in answer.headers["content-security-policy"]
        if name.endswith("svg"):
            root = ElementTree.fromstring(answer.text)
            assert root.tag == "{http://www.w3.org/2000/svg}svg"
            assert "<script" not in answer.text
    assert size(bo.get(f"{table}/picture.png").content)[0] == 1600
    assert f'{HOME}/embed/replay/{table.rpartition("/")[2]}"' in unescape(page)


def test_names_are_text_in_pictures(ann: Client):
    table = over(ann, names='<script>&"x, Bo')
    for name in ("picture.svg", "film.svg"):
        ElementTree.fromstring(ann.get(f"{table}/{name}").text)
    assert ann.get(f"{table}/preview.png").status_code == 200
    assert card(ann.page(table).text)["description"].startswith('<script>&"x, Bo')


def test_who_asks_for_too_many_pictures_is_refused(ann: Client, bo: Client, authority: Authority):
    authority.limits = Limits(lambda: 0.0, RATES | {"pages": Rate(1000, 0.1)})  # no time passes
    most = RATES["reads"].burst
    answers = [ann.get("/preview.png").status_code for _ in range(most + 1)]
    assert answers == [200] * most + [429]
    assert bo.get("/preview.png").status_code == 200


# -- the painter -----------------------------------------------------------------------------------


def test_a_picture_is_drawn_once_and_one_at_a_time():
    painter, going, drawn = Painter(), threading.Event(), list[str]()

    def draw() -> bytes:
        assert going.wait(60)
        drawn.append(threading.current_thread().name)
        return b"picture"

    async def run() -> list[bytes]:
        asked = [asyncio.create_task(painter.picture("key", draw)) for _ in range(5)]
        await asyncio.sleep(0)
        going.set()
        return [*await asyncio.gather(*asked), await painter.picture("key", draw)]

    assert asyncio.run(run()) == [b"picture"] * 6
    assert len(drawn) == 1
    assert drawn[0].startswith("painter")
    painter.stop()


def test_clients_take_turns_and_a_failure_is_not_kept():
    painter, going, drawn = Painter(), threading.Event(), list[str]()

    def draw(key: str) -> bytes:
        assert going.wait(60)
        drawn.append(key)
        if key == "a0":
            raise ValueError("no picture")
        return key.encode()

    async def run() -> None:
        asked = [
            asyncio.create_task(painter.picture(key, partial(draw, key), key[0]))
            for key in ("a0", "a1", "a2", "b0")
        ]
        await asyncio.sleep(0)
        going.set()
        with pytest.raises(ValueError, match="no picture"):
            await asked[0]
        assert await asyncio.gather(*asked[1:]) == [b"a1", b"a2", b"b0"]
        assert await painter.picture("a0", lambda: b"now") == b"now"

    asyncio.run(run())
    assert drawn[:2] == ["a0", "b0"]
    painter.stop()


def test_a_page_does_not_wait_for_the_clients_own_picture(
    ann: Client, app: Starlette, monkeypatch: pytest.MonkeyPatch
):
    going, asked = threading.Event(), threading.Event()

    def drawn(*_: object) -> bytes:
        asked.set()
        assert going.wait(60)
        return b"picture"

    monkeypatch.setattr(previews, "house_preview", drawn)

    async def run() -> None:
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as one:
            picture = asyncio.create_task(one.get("/preview.png"))
            while not asked.is_set():
                await asyncio.sleep(0.01)
            async with asyncio.timeout(30):
                assert (await one.get("/healthz")).status_code == 200
            going.set()
            assert (await picture).content == b"picture"

    asyncio.run(run())


# -- what may be framed ----------------------------------------------------------------------------


def addresses(table: str) -> Iterator[tuple[str, str]]:
    """Every route that answers GET: its path, and an address of it."""
    for route in routes():
        if isinstance(route, Route) and "GET" in (route.methods or ()):
            filled = route.path.replace("{id}", table).replace("{game}", "coals")
            yield route.path, re.sub(r"\{\w+(:\w+)?\}", "x", filled)


def test_other_sites_may_frame_the_embedded_pages_and_no_other(ann: Client, bo: Client):
    table = over(ann).rpartition("/")[2]
    framed = set()
    for path, address in addresses(table):
        if path.endswith("/stream"):
            address += "?head"
        method = "HEAD" if path.endswith("/stream") else "GET"
        for who in (ann, bo):
            answer = who.request(method, address, headers=PAGE)
            policy = answer.headers["content-security-policy"]
            if "frame-ancestors *" in policy:
                framed.add(path)
                assert "x-frame-options" not in answer.headers
            else:
                assert "frame-ancestors 'none'" in policy, path
                assert answer.headers["x-frame-options"] == "DENY", path
    assert framed == {"/embed/replay/{id}", "/embed/rules/{game}"}
    posted = bo.send(f"/embed/replay/{table}")
    assert posted.status_code == 405
    assert posted.headers["x-frame-options"] == "DENY"


def test_an_embedded_page_changes_nothing_and_knows_nobody(ann: Client):
    table = over(ann).rpartition("/")[2]
    for address in (
        f"/embed/replay/{table}",
        f"/embed/replay/{table}?step=1",
        "/embed/rules/coals",
    ):
        answer = ann.page(address)
        assert answer.status_code == 200
        assert "set-cookie" not in answer.headers
        assert 'method="post"' not in answer.text
        assert "data-form" not in answer.text
        leading = re.findall(r'<a [^>]*href="/[^>]*>', answer.text)
        anew = '<base target="_blank">' in answer.text
        assert leading
        assert all(anew or 'target="_blank"' in link for link in leading)
    page = ann.page(f"/embed/replay/{table}?step=1").text
    assert f'data-replay="/embed/replay/{table}"' in page
    assert f'href="/embed/replay/{table}?step=2&amp;eyes=all"' in page
    frame = ann.get(f"/embed/replay/{table}?step=2").json()
    assert frame["url"] == f"/embed/replay/{table}?step=2&eyes=all"
