"""Friends at one browser's pages: what a guest's messages can do, and what they cannot."""

import asyncio
import gzip
import json
import random
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from urllib.parse import urlencode

import pytest

from diablerie.site.folder import Ways, build_steps
from diablerie.site.guests import AT_ONCE, LONGEST_GUEST_MESSAGE, Guest
from diablerie.site.modules import CannotBuild
from tests.site.positions import Host

ANN, BOB = "A" * 43, "B" * 43
FORM = {"content-type": "application/x-www-form-urlencoded", "accept": "application/json"}


class Channel:
    """What a guest receives, whole answers by number."""

    def __init__(self, host: Host, key: str) -> None:
        self.host, self.received, self.stored = host, list[bytes](), 0
        self.guest = Guest(host.pages, key, self.received.append, self.kept)

    async def kept(self) -> None:
        self.stored += 1

    @property
    def heads(self) -> list[dict]:
        return [json.loads(message.partition(b"\n")[0]) for message in self.received]

    async def asked(self, number: int, url: str, fields: dict | None = None, **headers: str):
        """Ask and wait; the status and the body."""
        method, sent = ("GET", dict(headers)) if fields is None else ("POST", FORM | headers)
        message = {"number": number, "method": method, "url": url, "headers": sent}
        self.guest.receive(json.dumps(message | {"body": urlencode(fields or {})}))
        while number in self.guest._tasks:
            await asyncio.sleep(0)
        mine = [
            one for one in self.received if json.loads(one.partition(b"\n")[0])["number"] == number
        ]
        heads = [json.loads(one.partition(b"\n")[0]) for one in mine]
        status = next((head["status"] for head in heads if "status" in head), 0)
        return status, b"".join(one.partition(b"\n")[2] for one in mine)


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Host]:
    with closing(Host(str(tmp_path / "tables.db"))) as made:
        yield made


def open_table(host: Host) -> str:
    form = {"game": "coals", "here": 1, "open": 1}
    return json.loads(host.ask("/tables", form).body)["url"]


def test_a_guest_sits_down_and_plays_as_a_visitor_of_its_own(host: Host) -> None:
    url = open_table(host)
    ann = Channel(host, ANN)

    async def evening() -> None:
        status, body = await ann.asked(1, f"{url}/sit", {"name": "Ann"})
        assert status == 200, body
        status, body = await ann.asked(2, f"{url}.json")
        assert json.loads(body)["viewer"] == 1
        assert ann.stored == 1  # before the answer to the form

    asyncio.run(evening())
    assert host.pages.jars[ANN]["diablerie"] != host.cookies["diablerie"]
    assert not any("set-cookie" in head.get("headers", {}) for head in ann.heads)


def test_nobody_gets_what_another_guest_may_not_know(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two matches that differ in a secret stake alone: a guest receives the same bytes."""
    seen = []
    for stake in (10, 50):
        dice = random.Random(5)
        monkeypatch.setattr("secrets.token_bytes", dice.randbytes)
        monkeypatch.setattr("secrets.token_urlsafe", lambda n, dice=dice: dice.randbytes(n).hex())
        with closing(Host(str(tmp_path / f"{stake}.db"))) as host:
            seen.append(asyncio.run(stakes(host, stake)))
    [(bob, ann), (other_bob, other_ann)] = seen
    assert bob == other_bob
    assert len(bob) > 4
    assert ann != other_ann


async def stakes(host: Host, stake: int) -> tuple[list[bytes], bytes]:
    """What Bob receives while Ann stakes in secret, and what she sees then."""
    form = urlencode({"game": "coals", "here": 1, "open": 2}).encode()
    url = json.loads((await host.pages.answer("POST", "/tables", FORM, form)).body)["url"]
    ann, bob = Channel(host, ANN), Channel(host, BOB)
    for number, (channel, name) in enumerate(((ann, "Ann"), (bob, "Bob"))):
        assert (await channel.asked(number, f"{url}/sit", {"name": name}))[0] == 200
    before = len(bob.received)
    _, body = await ann.asked(5, f"{url}.json")
    data = json.loads(body)
    choice = next(one["do"] for one in data["legal"] if one["do"] == f"bet {stake}")
    fields = {"seat": data["viewer"], "ply": data["ply"], "do": choice, "send": 1}
    status, body = await ann.asked(6, f"{url}/decide", fields)
    assert status == 200, body
    for number, path in enumerate((f"{url}.json", url, f"{url}/log")):
        await bob.asked(10 + number, path, accept="text/html")
    return bob.received[before:], (await ann.asked(7, f"{url}.json"))[1]


def test_a_guest_has_the_limits_of_a_stranger_and_the_host_has_none(host: Host) -> None:
    ann = Channel(host, ANN)

    async def flood() -> list[int]:
        return [(await ann.asked(number, "/", accept="text/html"))[0] for number in range(60)]

    host.clock.sleep_async = instantly  # the pause before a refusal
    statuses = asyncio.run(flood())
    assert 429 in statuses
    assert host.ask("/", accept="text/html").status == 200


async def instantly(_: float) -> None:
    """No pause."""


@pytest.mark.parametrize("fingerprint", ["", "short", "A" * 44, "é" * 43, "../" + "A" * 40])
def test_a_fingerprint_that_is_none_is_refused(host: Host, fingerprint: str) -> None:
    with pytest.raises(ValueError, match="fingerprint"):
        Channel(host, fingerprint)


@pytest.mark.parametrize(
    "first", ["", "A" * 22, "[]", '{"number": -1}', "x" * (LONGEST_GUEST_MESSAGE + 1)]
)
def test_a_first_message_that_no_guest_sends_is_the_last(host: Host, first: str) -> None:
    ann = Channel(host, ANN)
    with pytest.raises(ValueError, match=r"\S"):
        ann.guest.receive(first)
    assert ann.received == []


def test_guests_get_pages_compressed_if_they_ask(host: Host) -> None:
    url = open_table(host)
    plain, small = Channel(host, ANN), Channel(host, BOB)
    _, page = asyncio.run(plain.asked(1, url, accept="text/html"))
    _, packed = asyncio.run(
        small.asked(1, url, **{"accept": "text/html", "accept-encoding": "gzip"})
    )
    assert b"<main" in page
    assert b"<main" in gzip.decompress(packed)
    assert len(packed) < len(page) / 2


def test_a_guest_cannot_send_cookies_hosts_or_where_it_comes_from(host: Host) -> None:
    open_table(host)
    mine = host.cookies["diablerie"]
    ann = Channel(host, ANN)
    status, body = asyncio.run(ann.asked(1, "/games", cookie=f"diablerie={mine}", host="evil"))
    assert status == 200
    assert b"/t/" not in body  # the host's tables


def test_ten_thousand_hostile_messages_end_in_refusals(host: Host) -> None:
    dice = random.Random(20261127)
    ann = Channel(host, ANN)
    host.clock.sleep_async = instantly
    good = {"number": 1, "method": "GET", "url": "/", "headers": {}, "body": ""}
    values = [
        None,
        -1,
        2**60,
        1.5,
        "",
        "x" * 5000,
        "/../..",
        "/\n",
        "http://a/",
        [],
        {},
        True,
        "DELETE",
    ]

    def spoilt() -> str:
        kind = dice.randrange(5)
        if kind == 0:
            return "".join(chr(dice.randrange(1, 0x2FFF)) for _ in range(dice.randrange(60)))
        message = dict(
            good, number=dice.randrange(200), url=dice.choice(["/", "/t/x", "/%00", "/kept"])
        )
        if kind == 1:
            message[dice.choice(list(message))] = dice.choice(values)
        elif kind == 2:
            message = {dice.choice(list(message)): dice.choice(values)}
        elif kind == 3:
            message["left"] = True
        text = json.dumps(message)
        return text[: dice.randrange(len(text))] if kind == 4 else text

    async def attack() -> None:
        ann.guest.receive(json.dumps(good))
        for _ in range(10_000):
            ann.guest.receive(spoilt())
            if dice.random() < 0.02:
                await asyncio.sleep(0)
        ann.guest.receive("x" * (LONGEST_GUEST_MESSAGE + 1))
        await ann.guest.leave()

    asyncio.run(attack())
    heads = ann.heads
    assert sum("refused" in head for head in heads) > 5000
    assert all(head.get("status", 0) < 500 for head in heads)
    assert host.ask("/", accept="text/html").status == 200
    assert not ann.guest._tasks
    assert AT_ONCE < 100


@pytest.mark.parametrize(
    "stun",
    ["https://example.org", "stun:", "stun://example.org", "stun:example.org:x", "stun:a b",
     "stun:example.org?transport=udp", "stun:me@example.org"],
)  # fmt: skip
def test_a_server_for_far_friends_is_named_as_browsers_take_it(stun: str) -> None:
    with pytest.raises(CannotBuild, match="STUN"):
        Ways(stun=stun).checked("")
    with pytest.raises(CannotBuild, match="TURN"):
        Ways(turn=stun.replace("stun:", "turn:").replace("=udp", "=x"), credential="a:b").checked(
            ""
        )


def test_servers_for_far_friends_may_have_ports_and_numbers_for_names() -> None:
    for stun in ("stun:example.org", "stuns:example.org:5349", "stun:[2001:db8::7]:3478"):
        turn = f"{stun.replace('stun', 'turn')}?transport=tcp"
        assert len(Ways(stun=stun, turn=turn, credential="name:pass:word").checked("").ice) == 2


def test_a_folder_that_cannot_be_made_is_told_at_once(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(NotADirectoryError):
        build_steps(tmp_path / "file" / "site")


def test_what_was_asked_for_is_judged_before_tools_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    for wrong in ({"ways": Ways(stun="https://example.org")}, {"address": "example.org"},
                  {"address": "https://?example.org"}, {"address": "https://example.org/#"}):  # fmt: skip
        with pytest.raises(CannotBuild, match=r"example\.org"):
            build_steps(tmp_path / "site", **wrong)
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "letter").touch()
    with pytest.raises(CannotBuild, match="not empty"):
        build_steps(tmp_path / "full")
    with pytest.raises(CannotBuild, match="node"):
        build_steps(tmp_path / "site")


def test_the_hosts_device_is_the_table_and_begins(host: Host) -> None:
    url = json.loads(host.ask("/tables", {"game": "coals", "way": "screen"}).body)["url"]
    assert url.endswith("/screen")
    table = url.removesuffix("/screen")
    told = json.loads(host.ask(f"{table}.json").body)
    assert (told["viewer"], {seat["kind"] for seat in told["seats"]}) == (None, {"open"})
    page = host.ask(url).body.decode()
    assert f'data-invite="{table}"' in page
    assert f'action="{table}/fill"' not in page  # nobody is here to begin with
    ann, bob = Channel(host, ANN), Channel(host, BOB)

    async def come() -> str:
        for number, (guest, name) in enumerate(((ann, "Ann"), (bob, "Bob"))):
            assert (await guest.asked(number, f"{table}/sit", {"name": name}))[0] == 200
        return (await bob.asked(5, url, accept="text/html"))[1].decode()

    theirs = asyncio.run(come())
    assert "<form" not in theirs  # on a guest's device it is a screen like any other
    page = host.ask(url).body.decode()
    for action in ("fill", "free", "delete_table"):
        assert f'action="{table}/{action}"' in page
    assert page.count('name="screen" value="1"') == 3  # to begin, and to free either seat
    begun = json.loads(host.ask(f"{table}/fill", {"devils": 0, "screen": 1}).body)
    assert begun["url"] == url
    told = json.loads(host.ask(f"{table}.json").body)
    assert (told["status"], told["viewer"], len(told["seats"])) == ("running", None, 2)
    page = host.ask(url).body.decode()
    assert f'action="{table}/fill"' not in page
    assert 'id="coals-heap"' in page


async def seated_pair(host: Host, table: str, devils: int) -> tuple[Channel, Channel]:
    """Two guests at a table that has begun, Ann and Bob."""
    ann, bob = Channel(host, ANN), Channel(host, BOB)
    for number, (guest, name) in enumerate(((ann, "Ann"), (bob, "Bob"))):
        assert (await guest.asked(number, f"{table}/sit", {"name": name}))[0] == 200
    assert (await ann.asked(2, f"{table}/fill", {"devils": devils}))[0] == 200
    return ann, bob


def test_the_hosts_device_has_a_devil_play_for_a_guest_and_ends_the_game(host: Host) -> None:
    url = json.loads(host.ask("/tables", {"game": "coals", "way": "screen"}).body)["url"]
    table = url.removesuffix("/screen")

    async def evening() -> list[int]:
        ann, bob = await seated_pair(host, table, 0)
        away = {"seat": 1, "screen": 1}
        refused = [
            (await ann.asked(3, f"{table}/give_to_bot", away))[0],  # Bob is here
            (await ann.asked(4, f"{table}/delete_table", {}))[0],
        ]
        body = urlencode(away).encode()
        assert (await host.pages.answer("POST", f"{table}/give_to_bot", FORM, body)).status == 200
        seen = json.loads((await bob.asked(5, f"{table}.json"))[1])
        assert seen["seats"][1]["bot"]
        page = (await bob.asked(6, table, accept="text/html"))[1].decode()
        assert f'action="{table}/relieve_bot"' in page  # Bob may come back
        return refused

    assert asyncio.run(evening()) == [409, 403]
    page = host.ask(url).body.decode()
    assert page.count(f'action="{table}/give_to_bot"') == 1  # for Ann
    assert f'action="{table}/delete_table"' in page
    host.ask(f"{table}/delete_table", {"screen": 1})
    gone = asyncio.run(host.pages.answer("GET", url, {"accept": "text/html"}))
    assert gone.status == 404


def test_round_the_hosts_device_who_comes_late_asks_for_a_devils_seat(host: Host) -> None:
    url = json.loads(host.ask("/tables", {"game": "coals", "way": "screen"}).body)["url"]
    table = url.removesuffix("/screen")
    cy = Channel(host, "C" * 43)

    async def asked() -> str:
        await seated_pair(host, table, 1)
        page = (await cy.asked(1, table, accept="text/html"))[1].decode()
        assert (await cy.asked(2, f"{table}/ask_seat", {"seat": 2, "name": "Cy"}))[0] == 200
        return page

    assert f'action="{table}/ask_seat"' in asyncio.run(asked())
    assert 'id="grant-2"' in host.ask(url).body.decode()
    host.ask(f"{table}/answer_seat", {"seat": 2, "agree": 1, "screen": 1})
    told = json.loads(asyncio.run(cy.asked(3, f"{table}.json"))[1])
    assert (told["viewer"], told["seats"][2]["name"]) == (2, "Cy")


def test_round_the_hosts_device_a_guest_may_begin(host: Host) -> None:
    url = json.loads(host.ask("/tables", {"game": "coals", "way": "screen"}).body)["url"]
    table = url.removesuffix("/screen")
    ann = Channel(host, ANN)

    async def evening() -> dict:
        assert (await ann.asked(1, f"{table}/sit", {"name": "Ann"}))[0] == 200
        assert (await ann.asked(2, f"{table}/fill", {"devils": 1}))[0] == 200
        return json.loads((await ann.asked(3, f"{table}.json"))[1])

    told = asyncio.run(evening())
    assert (told["status"], told["viewer"]) == ("running", 0)
