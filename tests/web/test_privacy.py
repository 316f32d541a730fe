"""Two matches that look the same to somebody give the same bytes: page, frame, data, log, file."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diablerie.engine.game import Game
from diablerie.engine.verbs import CHANCE, WATCHER
from diablerie.games import ALL
from diablerie.table.authority import Authority
from diablerie.table.state.visitors import visitor_of
from diablerie.table.storage.store import Store
from diablerie.web.app import create_app
from tests.stores import new_store
from tests.table.conftest import Clock
from tests.table.test_leaks import BID, OUTCOMES, History, table_of
from tests.table.toy import TOY
from tests.web.client import Client

SECRETS = [f"the secret of seat {seat}" for seat in range(6)]


def told(game: Game, seats: int, history: History, viewer: int) -> list[bytes]:
    """Everything the server answers to a viewer about a match with this history."""
    with TemporaryDirectory() as folder:  # one database for all threads
        store = new_store(Path(folder) / "tables.db")
        try:
            return _told(store, game, seats, history, viewer)
        finally:
            store.close()


def _told(store: Store, game: Game, seats: int, history: History, viewer: int) -> list[bytes]:
    authority = Authority(store, {game.name: game}, clock=Clock())
    live = table_of(game, seats, history)
    owned = [replace(info, owner=visitor_of(SECRETS[info.seat])) for info in live.seats]
    authority.memory.keep(replace(live, seats=tuple(owned)))
    client = Client(create_app(authority))
    if viewer != WATCHER:
        authority.browsers.note(visitor_of(SECRETS[viewer]))
        client.cookies.set("diablerie", SECRETS[viewer], domain="localhost.local")
    answers = [client.get(url) for url in ("/t/t/frame", "/t/t.json", "/t/t/match.jsonl")]
    answers += [client.page("/t/t"), client.page("/t/t/log")]
    answers += [client.act("/t/t", do, seat=max(viewer, 0)) for do in ("bet 7000", "look here")]
    assert answers[1].json()["viewer"] == (None if viewer == WATCHER else viewer)
    return [b"%d " % answer.status_code + answer.content for answer in answers]


def bets(order: Sequence[int], tens: Sequence[int]) -> History:
    made = [[(seat, f"bet {tens[seat] * 10}")] for seat in order]
    return [[(CHANCE, "first 0")], *made]


@settings(deadline=None, max_examples=15)
@given(st.lists(st.integers(0, 20), min_size=12, max_size=12), st.data())
def test_stakes_of_others_do_not_show(tens: list[int], data: st.DataObject):
    count = data.draw(st.integers(2, 6))
    order = data.draw(st.permutations(range(count)))[: data.draw(st.integers(0, count - 1))]
    viewer = data.draw(st.sampled_from([WATCHER, *range(count)]))
    other = [tens[i] if i == viewer else tens[i + 6] for i in range(6)]
    first = told(ALL["coals"], count, bets(order, tens), viewer)
    assert first == told(ALL["coals"], count, bets(order, other), viewer)


def test_the_comparison_sees_what_may_be_seen():
    history = [bets((0,), (3,)), bets((0,), (4,))]
    mine = [told(ALL["coals"], 2, one, 0) for one in history]
    theirs = [told(ALL["coals"], 2, one, 1) for one in history]
    assert all(a != b for a, b in zip(mine[0][:2], mine[1][:2], strict=True))
    assert theirs[0] == theirs[1]


@pytest.mark.parametrize("viewer", [1, 2, WATCHER])
def test_what_somebody_looked_at_does_not_show(viewer: int):
    plies = [[*BID, [(0, "look"), (CHANCE, outcome)], [(0, "rest")]] for outcome in OUTCOMES]
    shut, opened = (told(TOY, 3, one, viewer) for one in plies)
    assert shut == opened


def test_the_page_of_a_running_match_does_not_hold_the_key(tmp_path: Path):
    store = new_store(tmp_path / "tables.db")
    authority = Authority(store)
    client = Client(create_app(authority))
    table = client.open(bots="1")
    key = store.key(table.rpartition("/")[2]).hex()
    for url in ("", ".json", "/frame", "/match.jsonl", "/log"):
        assert key not in client.get(f"{table}{url}").text
    store.close()
