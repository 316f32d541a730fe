"""Frames are made once for all that may see the same, and nothing is made again without need."""

import asyncio
import gc
import json
import tracemalloc
import zlib
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest
from starlette.applications import Starlette

from diablerie.art.svg import element, parted
from diablerie.table.authority import Authority
from diablerie.table.commands import decisions, lobby
from diablerie.table.state.visitors import Visitor
from diablerie.web.frames import frames
from diablerie.web.frames.frames import Frame, Sender, ServerSentEvent, Window, deflate_blocks
from diablerie.web.frames.memo_cache import MEMOS_KEPT, MemoCache
from diablerie.web.html import templates
from diablerie.web.routes import streaming
from tests.web.client import Client
from tests.web.test_stream import Listener
from tests.web.test_twins import hidden
from tests.web.twins import TABLE, worlds

MOST = 60_000  # bytes of a stream


@pytest.fixture
def rendered(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often each template has been rendered since."""
    counts: Counter[str] = Counter()
    plain = templates.render_template

    def counting(locale: str, template: str, **context: Any) -> str:
        counts[template] += 1
        return plain(locale, template, **context)

    monkeypatch.setattr(templates, "render_template", counting)
    return counts


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[Frame]:
    """The frames that have been made since."""
    found: list[Frame] = []
    plain = frames.make_frame

    def noting(model: Any) -> Frame:
        found.append(plain(model))
        return found[-1]

    monkeypatch.setattr(frames, "make_frame", noting)
    return found


def owner(authority: Authority, table: str) -> tuple[str, str]:
    name = table.rpartition("/")[2]
    return name, str(authority.live(name).seats[0].owner)


def test_a_frame_that_many_watch_is_made_once(
    app: Starlette, ann: Client, browser: Callable[[], Client], authority: Authority,
    made: list[Frame],
):  # fmt: skip
    table = ann.open(game="tails", here="2", bots="0")
    name, ann_ = owner(authority, table)
    watchers = [browser() for _ in range(5)]

    async def run() -> None:
        streams = [Listener(app, who, f"{table}/stream") for who in watchers]
        for stream in streams:
            await stream.__aenter__()
            await stream.events(1)
        assert len(made) == 1
        live = authority.live(name)
        seat = live.pending[0]
        move = live.position(seat).moves[0].text
        await asyncio.to_thread(decisions.decide, authority, name, ann_, live.ply, move, seat)
        told = [(await stream.events(2))[1] for stream in streams]
        assert len(made) == 2
        assert all(event == told[0] for event in told)
        for stream in streams:
            await stream.__aexit__()

    asyncio.run(run())


def test_who_opened_a_table_is_shown_how_to_delete_it_without_a_seat_too(
    ann: Client, bo: Client, authority: Authority
):
    _, ann_ = owner(authority, ann.open(open="1"))
    table = lobby.open_table(authority, Visitor(ann_), "coals", ["random", "random"]).id
    for who, shown in ((ann, True), (bo, False)):
        tools = who.get(f"/t/{table}/frame").json()["regions"]["tools"]
        assert (f"/t/{table}/delete_table" in str(tools)) is shown


def test_an_idle_stream_makes_nothing_however_often_its_heart_beats(
    app: Starlette, ann: Client, monkeypatch: pytest.MonkeyPatch, made: list[Frame],
    rendered: Counter[str],
):  # fmt: skip
    monkeypatch.setattr(streaming, "HEARTBEAT_SECONDS", 0.001)
    table = ann.open(bots="1")

    async def run() -> None:
        async with Listener(app, ann, f"{table}/stream") as stream:
            await stream.events(1)
            count, before = len(made), rendered.total()
            while stream.text.count("event: beat") < 20:
                await asyncio.sleep(0.002)
            assert (len(made), rendered.total()) == (count, before)

    asyncio.run(run())


def test_that_somebody_may_be_replaced_after_a_while_shows_without_news(
    app: Starlette, ann: Client, bo: Client, authority: Authority, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(streaming, "HEARTBEAT_SECONDS", 0.01)
    table = ann.open(open="1")
    bo.call(f"{table}/sit", name="Bo")
    authority.attendance.away_after = 0.3

    async def run() -> None:
        async with Listener(app, ann, f"{table}/stream") as stream:
            (_, first), *_ = await stream.events(1)
            if "/give_to_bot" not in "".join(first["regions"]["seats"]):
                _, (_, second), *_ = await stream.events(2)
                assert "/give_to_bot" in str(second["regions"]["seats"])

    asyncio.run(run())


def test_only_what_changed_of_the_picture_the_log_and_the_seats_is_sent(
    app: Starlette, ann: Client, authority: Authority
):
    table = ann.open(game="tails", here="2", bots="0")
    name, ann_ = owner(authority, table)

    async def run() -> None:
        async with Listener(app, ann, f"{table}/stream") as stream:
            for count in range(1, 5):
                await stream.events(count)
                live = authority.live(name)
                seat = live.pending[0]
                move = live.position(seat).moves[-1].text
                await asyncio.to_thread(
                    decisions.decide, authority, name, ann_, live.ply, move, seat
                )
            events = await stream.events(5)
        first, last = events[0][1]["regions"], events[-1][1]["regions"]
        assert "chat" not in last
        fresh = [part for part in last["log"] if isinstance(part, str)]
        numbers = [int(part.removeprefix('<li id="log-').split("-")[0]) for part in fresh]
        assert numbers, "something was said"
        assert min(numbers) > events[-2][1]["ply"], "the new sentences alone"
        drawn = [part for part in last["board"] if isinstance(part, str)]
        assert len("".join(drawn)) < len("".join(first["board"])) * 0.8  # chance decides how much
        assert not any("tails-parts" in part for part in drawn)

    asyncio.run(run())


def test_what_stays_at_a_table_from_ply_to_ply_is_kept_for_a_thousand_of_them(
    authority: Authority, browser: Callable[[], Client]
):
    """Else, with enough of them, everything is rendered at each decision."""
    known = frames._cache_of(authority).parts._kept
    for _ in range(2):  # the first makes what is the same for all
        people, before = [browser() for _ in range(4)], len(known)
        table = people[0].open(game="coals", here="1", open="3", bots="0")
        for one in people[1:]:
            one.call(f"{table}/sit")
        for one in people:
            one.get(f"{table}/frame")
    assert 8 < len(known) - before <= MEMOS_KEPT / 1000


@pytest.mark.parametrize("game", ["coals", "tails", "underworld", "kitchen"])
def test_the_question_is_shared_only_by_those_who_are_shown_the_same(
    game: str, browser: Callable[[], Client], authority: Authority,
    monkeypatch: pytest.MonkeyPatch, rendered: Counter[str],
):  # fmt: skip
    """Each player and watcher gets what a server would make that remembers nothing of the others."""
    rng, seats = Random(1), 3
    people = [browser() for _ in range(seats + 2)]
    table = people[0].open(game=game, here="1", open=str(seats - 1), bots="0")
    for one in people[1:seats]:
        one.call(f"{table}/sit")
    people[-1].call("/language", language="de")
    name, shared = table.rpartition("/")[2], 0
    for step in range(8):
        if step == 4:
            people[1].call(f"{table}/rename", seat="1", name="Bo")
        if step == 6:
            people[1].call(f"{table}/request_take_back", seat="1")
        rendered.clear()
        kept = [one.get(f"{table}/frame").json()["regions"]["ask"] for one in people]
        shared += rendered["parts/ask.html"] < len(people)
        with monkeypatch.context() as anew:
            anew.setattr(MemoCache, "get", lambda _, __, make: make())
            fresh = [one.get(f"{table}/frame").json()["regions"]["ask"] for one in people]
        assert kept == fresh
        live = authority.live(name)
        seat = rng.choice(live.pending)
        move = rng.choice(live.position(seat).moves).text
        decisions.decide(authority, name, str(live.seats[seat].owner), live.ply, move, seat)
    assert shared, "otherwise this tests nothing"


def test_every_picture_is_cut_into_parts_and_each_has_an_id_or_ends_before_the_next(ann: Client):
    picture = parted("svg", element("rect", id="a"), parted("g", element("circle"), id="b"), None)
    assert picture == '<svg><rect id="a"/><g id="b"><circle/></g></svg>'
    assert picture.parts == ("<svg>", '<rect id="a"/>', '<g id="b">', "<circle/>", "</g>", "</svg>")
    assert parted("g").parts == ("<g/>",)


def test_equal_events_are_one_and_compressed_once():
    def shown(word: str) -> Frame:
        return Frame(1, "T", "/t/x", {"ask": (word,)})

    one, other = Sender(), Sender()
    first = one.event(shown("a"), 10.0)
    assert other.event(shown("a"), 10.4) is first
    assert first.squeezed() is first.squeezed()
    assert one.event(shown("b"), 11.0) is other.event(shown("b"), 11.0)
    assert one.event(shown("b"), 12.0).text == b""
    assert Sender().event(shown("a"), 20.0).text != first.text, "it tells the time, too"


@pytest.mark.parametrize("missed", [True, False])
def test_what_a_page_has_missed_is_marked_and_nothing_that_comes_later(missed: bool):
    def shown(ply: int) -> Frame:
        return Frame(ply, "T", "/t/x", {"ask": (str(ply),)})

    def past(ply: int) -> bool:
        data = sender.event(shown(ply), 10.0).text.partition(b"data: ")[2]
        return bool(json.loads(data).get("past", False))

    sender = Sender(missed=missed)
    assert [past(ply) for ply in (7, 8, 9)] == [missed, False, False]
    assert not Sender(shown(7), missed=True).event(shown(7), 10.0).text
    sender = Sender(shown(7), missed=True)  # the page had all that there was
    assert not past(8)


def test_a_script_that_does_not_ask_for_edits_is_sent_whole_parts():
    def shown(kind: str) -> Frame:
        return Frame(1, "T", "/t/x", {"board": (f'<g class="{kind}">{"word " * 40}</g>',)})

    for sender, told in ((Sender(), [shown("b").regions["board"]]),
                         (Sender(edits=True), [[0, 10, 206, "b"]])):  # fmt: skip
        sender.event(shown("a"), 10.0)
        data = sender.event(shown("b"), 11.0).text.partition(b"data: ")[2]
        assert json.loads(data)["regions"] == {"board": told}


def test_blocks_that_were_compressed_apart_may_follow_each_other():
    texts = [b"", b"a" * 10, bytes(range(256)) * 400, b"event: beat\ndata: .\n\n"]
    stream = streaming.GZIP + b"".join(deflate_blocks(text) for text in [*texts, *texts])

    assert zlib.decompressobj(31).decompress(stream) == b"".join([*texts, *texts])


def test_an_event_refers_to_what_the_stream_has_sent_and_streams_that_sent_the_same_share_it():
    texts = [bytes(Random(n).choices(b"abcdef", k=900)) for n in (1, 2)]
    one, other, late = Window(), Window(), Window()
    events = [ServerSentEvent(text + texts[0]) for text in texts]
    stream = b""
    for event in events:
        stream += one.squeeze(event)
        shared = other.squeeze(event)
        assert stream.endswith(shared)
        assert len(event._squeezed) == 1
    assert zlib.decompressobj(-15).decompress(stream) == b"".join(e.text for e in events)
    assert len(late.squeeze(events[1])) > 1.5 * len(shared)


def test_what_others_wrote_is_compressed_with_nothing_else():
    """Or the length of the next event would tell an eavesdropper whether it holds the same."""
    secret = bytes(Random(3).choices(b"abcdef", k=900))
    window, chat = Window(), ServerSentEvent(secret, alone=True)
    window.squeeze(ServerSentEvent(secret))
    assert window.squeeze(chat) == deflate_blocks(secret)
    assert window.squeeze(ServerSentEvent(secret)) == deflate_blocks(secret)


def test_a_stream_takes_little_memory(app: Starlette, ann: Client, browser: Callable[[], Client]):
    table = ann.open(game="kitchen", bots="1")
    watchers, count = [browser() for _ in range(3)], 30
    told = set[int]()

    async def run() -> float:
        async with Listener(app, watchers[0], f"{table}/stream") as first:
            await first.events(1)
            scope = {"headers": [(b"accept-encoding", b"gzip"), *first.scope["headers"]]}
            streams = [Listener(app, watchers[k % 3], f"{table}/stream") for k in range(count)]
            tracemalloc.start()
            for k, stream in enumerate(streams):
                stream.scope |= scope | {"client": (f"10.7.0.{k}", 1)}
                stream._send = partial(_noted, told, k)  # type: ignore[method-assign]
                await stream.__aenter__()
            while len(told) < count:  # before that an event of 50 kB is held for each
                await asyncio.sleep(0.01)
            await asyncio.sleep(0)  # they go on to wait
            gc.collect()
            taken = tracemalloc.get_traced_memory()[0] / count
            tracemalloc.stop()
            for stream in streams:
                await stream.__aexit__()
        return taken

    assert asyncio.run(run()) < MOST


async def _noted(told: set[int], stream: int, message: dict[str, Any]) -> None:
    """Take what a stream sends; note the stream when its first event is sent."""
    if message.get("body"):
        told.add(stream)


def test_a_sign_of_life_is_an_event_like_others():
    assert isinstance(streaming.HEARTBEAT, ServerSentEvent)
    assert streaming.HEARTBEAT.text.endswith(b"\n\n")


def test_tables_of_the_same_name_at_two_servers_share_nothing(tmp_path: Path):
    """The twins of test_twins.py have such: what one tells must not be taken for the other's."""
    twins = hidden("kitchen", 2, 0, 40, 1)._replace(viewer=1)
    with worlds(tmp_path, twins, 40) as both:
        told = [world.client.get(f"/t/{TABLE}/frame").json()["regions"] for world in both]
        again = [world.client.get(f"/t/{TABLE}/frame").json()["regions"] for world in both]
    assert told[0]["board"] != told[1]["board"]
    assert again == told
