"""Twins: whatever is hidden from a viewer, the server says the same to the last byte.

Not compared is the advice of devils, whose answer depends on the time they have: the engine's
laws hold it to what a seat may know.
"""

from pathlib import Path

import pytest

from diablerie.engine.verbs import WATCHER
from diablerie.table.authority import Authority
from tests.web.client import Client
from tests.web.twins import TABLE, Twins, played, streamed, twins_of, worlds

LIVE = 4  # plies at most that are played while the stream is open


def hidden(game: str, seats: int, viewer: int, length: int, least: int) -> Twins:
    """The first twins of random games that differ in so many events."""
    for seed in range(1, 60):
        twins = twins_of(game, seats, viewer, seed, length)
        if twins.different >= least:
            return twins
    raise AssertionError("no game hides anything")


@pytest.mark.parametrize(
    ("game", "seats", "viewer", "length", "least"),
    [
        ("coals", 4, 0, 4, 2),
        ("coals", 4, WATCHER, 4, 3),
        ("underworld", 3, 1, 80, 1),
        ("underworld", 4, WATCHER, 80, 1),
        ("kitchen", 2, 0, 40, 1),
        ("kitchen", 4, WATCHER, 40, 4),
    ],
)
def test_no_byte_tells_two_worlds_apart(
    tmp_path: Path, game: str, seats: int, viewer: int, length: int, least: int
):
    twins = hidden(game, seats, viewer, length, least)
    assert len(twins.histories[0]) == len(twins.histories[1]) == length
    live = min(LIVE, length - 2)
    with worlds(tmp_path, twins, length - live) as both:
        one, other = streamed(both)
        assert one == other
        assert one.count("id: ") == live + 1
        records = [world.authority.live(TABLE).match for world in both]
        assert records[0].state.tobytes() != records[1].state.tobytes(), "nothing was hidden"
        texts = [e.text for ply in twins.histories[1][-6:] for e in ply if e.seat >= 0][-3:]
        told = [dict(world.answers([*texts, "?"], viewer)) for world in both]
    assert told[0].keys() == told[1].keys()
    for asked, answer in told[0].items():
        assert answer == told[1][asked], asked
    codes = {answer[:3] for answer in told[0].values()}
    assert codes >= {b"200", b"403", b"409"}


def test_twins_are_different_to_who_may_know(tmp_path: Path):
    """The comparison notices: who has made the menu sees the other one."""
    twins = hidden("kitchen", 2, 0, 40, 1)
    theirs = twins._replace(viewer=1)
    with worlds(tmp_path, theirs, 40) as both:
        told = [dict(world.answers([], 1)) for world in both]
    assert any(told[0][asked] != told[1][asked] for asked in told[0] if asked.startswith("GET"))


@pytest.mark.parametrize(
    ("game", "seats", "viewer"), [("coals", 4, 0), ("kitchen", 2, 1), ("kitchen", 2, WATCHER)]
)
def test_no_byte_tells_how_often_chance_drew(tmp_path: Path, game: str, seats: int, viewer: int):
    """The number of draws can be a secret, and decides which dice come."""
    history = played(game, seats, 1, 12)
    twins = Twins(game, seats, viewer, (history, history))
    with worlds(tmp_path, twins, 12 - LIVE) as both:
        records = [world.authority.live(TABLE).match for world in both]
        records[1].draws += 7
        one, other = streamed(both)
        assert one == other
        assert one.count("id: ") == LIVE + 1
        drawn = [world.authority.live(TABLE).match.draws for world in both]
        assert drawn[1] - drawn[0] == 7
        told = [dict(world.answers(["?"], viewer)) for world in both]
    assert told[0] == told[1]


def test_no_answer_about_a_running_match_holds_its_key(ann: Client, authority: Authority):
    table = ann.open(bots="1")
    key = authority.store.key(table.rpartition("/")[2]).hex()
    for url in ("", ".json", "/frame", "/match.jsonl", "/log"):
        assert key not in ann.get(f"{table}{url}").text
