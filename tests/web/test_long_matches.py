"""Pages about a long match let other requests have their turn while they are made."""

import threading
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from diablerie.runtime import serving
from diablerie.table.authority import Authority
from diablerie.web.app import create_app
from diablerie.web.routes import replay, rules
from tests.web.client import Client

PLIES = 30


@pytest.fixture
def table(ann: Client, authority: Authority) -> str:
    """A match of some plies that is over, which a server knows that has just started."""
    table = ann.open(here="2")
    while (data := ann.data(table))["ply"] < PLIES:
        seat = data["pending"][0]
        ann.act(table, ann.get(f"{table}.json?as={seat}").json()["legal"][0]["do"], seat)
    ann.call(f"{table}/resign", seat=0)
    ann.app = create_app(Authority(authority.store))
    return table


def test_who_replays_or_lists_all_plies_pauses_between_them(
    table: str, ann: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    pauses, sleep = list[float](), serving.sleep
    monkeypatch.setattr(serving, "sleep", lambda seconds: (pauses.append(seconds), sleep(seconds)))
    monkeypatch.setattr(serving, "LONG_TURN_SECONDS", 0.0)
    ann.page(table)
    assert pauses.count(0) > 3 * PLIES  # read, told, and searched for what turned the match
    ann.page(f"{table}/log")
    assert pauses.count(0) > 4 * PLIES


def test_long_computations_of_a_replay_and_of_rules_are_done_in_other_threads(
    table: str, ann: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    where = dict[str, int]()

    def noting(name: str, function: Callable[..., Any], *args: Any) -> Any:
        where[name] = threading.get_ident()
        return function(*args)

    for module, name in ((replay, "unlogged_decision"), (replay, "_contents"), (rules, "rendered")):
        monkeypatch.setattr(module, name, partial(noting, name, getattr(module, name)))
    for page in (f"{table}/replay", "/rules/coals"):
        assert ann.page(page).status_code == 200
    assert len(where) == 3
    assert threading.get_ident() not in where.values()
