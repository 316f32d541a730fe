"""The pages in one thread: bots play, and streams flow, without any other."""

import asyncio
import gzip
import json
import re
import sqlite3
import struct
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from diablerie.games import ALL
from diablerie.site.folder import build_steps
from diablerie.site.modules import CannotBuild
from diablerie.site.pages import Pages, without_threads
from diablerie.site.ready_made import write_pages
from tests.site.positions import Host
from tests.site.test_guests import Channel

PAGE = "text/html"
OPEN_GRAPH = re.compile(r'property="og:(\w+)" content="([^"]*)"')
FORM = {"content-type": "application/x-www-form-urlencoded"}


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Host]:
    with closing(Host(str(tmp_path / "tables.db"))) as made:
        yield made


def opened(host: Host, **fields: int) -> str:
    form = {"game": "tails", "here": 1, **fields}
    return str(json.loads(host.ask("/tables", form).body)["url"])


def test_bots_play_when_they_are_stepped_and_no_thread_begins(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr("time.thread_time")  # which browsers do not have
    without_threads()
    before = threading.active_count()
    url = opened(host, bots=1, hints=1)
    decided = 0
    while decided < 3:
        host.clock.sleep(60.0)
        host.pages.step()
        data = json.loads(host.ask(f"{url}.json").body)
        if data["legal"]:
            assert json.loads(host.ask(f"{url}/hint", {"seat": data["viewer"]}).body)["hints"]
            action = data["legal"][0]["do"]
            host.ask(f"{url}/decide", {"seat": data["viewer"], "ply": data["ply"], "do": action})
            decided += 1
    assert data["ply"] >= 5  # two decisions of the person, three of the bot
    assert len(data["seats"]) == 2
    assert threading.active_count() == before
    assert "<svg" in host.ask(url, accept=PAGE).body.decode()


def test_a_stream_is_written_until_the_browser_leaves(host: Host) -> None:
    url = opened(host, bots=1)
    begun, parts = list[int](), list[bytes]()

    async def listen(pages: Pages) -> None:
        left = asyncio.Event()

        def write(part: bytes) -> None:
            parts.append(part)
            left.set()

        await pages.exchange(
            "GET", f"{url}/stream", {}, b"", lambda status, _: begun.append(status), write, left
        )

    asyncio.run(listen(host.pages))
    assert begun == [200]
    assert b"retry:" in parts[0]


@pytest.mark.parametrize("name", ["coals", "kitchen", "tails", "underworld"])
def test_a_game_can_be_printed_from_its_card_and_its_rules(host: Host, name: str) -> None:
    card = host.ask("/", accept=PAGE).body.decode().partition(f'id="game-{name}"')[2]
    assert f'href="/print/{name}"' in card.partition('id="game-')[0]
    assert f'href="/print/{name}"' in host.ask(f"/rules/{name}", accept=PAGE).body.decode()
    answer = host.ask(f"/print/{name}?paper=letter", accept=PAGE)
    assert answer.status == 200
    assert 'class="on-paper letter"' in answer.body.decode()


def test_the_browsers_cookies_stay_here(host: Host) -> None:
    answer = host.ask("/language", {"language": "de"})
    assert "set-cookie" not in answer.headers
    assert host.cookies["language"] == "de"
    assert '<html lang="de"' in host.ask("/", accept=PAGE).body.decode()


def test_a_database_of_another_version_is_put_aside(tmp_path: Path) -> None:
    file = tmp_path / "tables.db"
    with closing(sqlite3.connect(file)) as connection, connection:  # and commits
        connection.execute("CREATE TABLE alembic_version (version_num VARCHAR(32) PRIMARY KEY)")
        connection.execute("INSERT INTO alembic_version VALUES ('9999')")
    with closing(Host(str(file))) as host:
        assert host.pages.set_aside
        assert opened(host, bots=1)
    assert len(list(tmp_path.glob("tables.db.1*"))) == 1


def spoilt() -> list[bytes]:
    """What a file of cookies may have become."""
    whole = json.dumps({"": {"diablerie": "a" * 40, "language": "fr"}}).encode()
    texts = ["", "null", "[]", "7", '{"": 7}', '{"": {"a": 7}}', '{"": {"a": null}}', '{"": [1]}']
    texts += ['{"": {"a": "b\\nc"}}', '{"": {"a": "\\u263a"}}', '{"": {"a b": "c"}}', "[" * 100_000]
    return [whole[:20], b"\xff\xfe", b"\0" * 80, whole + whole, *(text.encode() for text in texts)]


@pytest.mark.parametrize("damaged", spoilt(), ids=lambda damaged: repr(damaged[:20]))
def test_cookies_that_cannot_be_read_are_put_aside(damaged: bytes, tmp_path: Path) -> None:
    jar = tmp_path / "cookies.json"
    jar.write_bytes(damaged)
    with closing(Pages(str(tmp_path / "tables.db"), cookies=str(jar))) as pages:
        assert pages.set_aside
        assert asyncio.run(pages.answer("POST", "/language", FORM, b"language=fr")).status == 200
        assert asyncio.run(pages.answer("GET", "/", {"accept": PAGE})).status == 200
    assert [file.read_bytes() for file in tmp_path.glob("cookies.json.*")] == [damaged]
    with closing(Pages(str(tmp_path / "others.db"), cookies=str(jar))) as again:
        assert again.cookies["language"] == "fr"
        assert not again.set_aside


def test_pages_promise_what_is_true_for_host_and_guest(host: Host) -> None:
    def told(url: str, guest: str) -> str:
        parts = list[bytes]()
        sent = {"accept": PAGE}
        pages = host.pages
        asyncio.run(
            pages.exchange("GET", url, sent, b"", lambda *_: None, parts.append, None, guest)
        )
        return b"".join(parts).decode()

    ann = "A" * 43
    assert "friends you invite" in told("/", "")
    assert "friends you invite" not in told("/", ann)
    assert "who has invited you" in told("/", ann)
    assert "are kept in this browser" in told("/kept", "")
    assert "are kept in this browser" not in told("/kept", ann)
    assert "nothing leaves" not in told("/", "") + told("/", ann)


def test_a_guest_has_nobody_to_invite(host: Host) -> None:
    ann = Channel(host, "A" * 43)
    status, body = asyncio.run(ann.asked(1, "/tables", {"game": "tails", "here": 1, "open": 1}))
    assert status == 200, body
    url = json.loads(body)["url"]
    _, page = asyncio.run(ann.asked(2, url, accept=PAGE))
    assert b"data-table" in page
    assert b"data-invite" not in page
    mine = opened(host, open=1)
    assert "data-invite" in host.ask(mine, accept=PAGE).body.decode()


def test_cookies_are_kept_in_a_file(tmp_path: Path) -> None:
    jar = str(tmp_path / "cookies.json")
    with closing(Pages(str(tmp_path / "tables.db"), cookies=jar)) as pages:
        pages.cookies.clear()
        asyncio.run(pages.answer("POST", "/language", FORM, b"language=fr"))
    with closing(Pages(str(tmp_path / "others.db"), cookies=jar)) as again:
        assert again.cookies["language"] == "fr"


def test_pages_of_one_browser_offer_nothing_that_needs_others(host: Host) -> None:
    landing = host.ask("/", accept=PAGE).body.decode()
    assert "friends you invite" in landing
    url = opened(host, bots=1)
    table = host.ask(url, accept=PAGE).body.decode()
    for gone in ('value="friends"', 'name="clock"', "/groups", "/programs", "watch-link"):
        assert gone not in landing + table
    assert "calls-title" not in host.ask("/settings", accept=PAGE).body.decode()
    assert "another device" not in host.ask("/", accept=PAGE).body.decode()
    games = host.ask("/games", accept=PAGE).body.decode()
    assert "devices-title" not in games
    assert "/games/saved" not in games


def test_ready_made_landing_pages_list_no_tables(host: Host, tmp_path: Path) -> None:
    """Tables are opened for the pictures of first boards; no visitor has them."""
    listed = 'id="your-tables"'
    opened(host, bots=1)
    assert listed in host.ask("/", accept=PAGE).body.decode()
    write_pages(tmp_path / "site", [ALL["tails"]])
    made = [gzip.decompress(file.read_bytes()) for file in tmp_path.glob("site/pages/*/index*")]
    made.append((tmp_path / "site" / "index.html").read_bytes())
    assert len(made) == 5
    assert [page for page in made if listed.encode() in page] == []
    entry = (tmp_path / "site" / "join-tails.html").read_text("utf-8")  # what a guest opens
    assert "games/tails.css" in entry
    assert "shell.js" in entry
    assert "</div>\n</body>" in entry
    assert "<form" not in entry
    assert len(entry) < 5000


def test_what_is_sent_shows_something(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Landing page, rules, lesson and daily challenge: title, sentence, and a picture of their own."""
    monkeypatch.setattr("diablerie.site.ready_made.available", lambda: ["en"])
    address = "https://example.org/games/"
    write_pages(tmp_path, [ALL["tails"]], address)
    names = ("rules-tails", "learn-tails", "daily")
    pages = [tmp_path / "index.html", *(tmp_path / "pages" / "en" / f"{n}.html" for n in names)]
    told = [dict(OPEN_GRAPH.findall(page.read_text("utf-8"))) for page in pages]
    for shown, page in zip(told, pages, strict=True):
        place = page.relative_to(tmp_path).as_posix()
        assert shown["url"] == address + ("" if place == "index.html" else place)
        assert shown["title"]
        assert shown["description"]
        picture = (tmp_path / shown["image"].removeprefix(address)).read_bytes()
        assert len(picture) < 300_000
        assert struct.unpack(">II", picture[16:24]) == (1200, 630)
    assert len({shown["image"] for shown in told}) == len(pages)
    with pytest.raises(CannotBuild, match="is no address"):
        build_steps(tmp_path / "other", address="example.org")
