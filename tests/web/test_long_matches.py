"""Pages about a long match let other requests have their turn while they are made."""

import threading
from collections.abc import Callable
from typing import Any

import pytest

from diablerie.runtime import serving
from diablerie.table.authority import Authority
from diablerie.web.app import create_app
from diablerie.web.routes import replay, rules
from tests.web.client import Client

PLIES = 30
HERE = threading.get_ident()


@pytest.fixture
def table(ann: Client) -> str:
    """A match of some plies that is over, and that nobody has looked at since the server started."""
    table = ann.open(way="here", here="2")
    while (data := ann.data(table))["ply"] < PLIES:
        seat = data["pending"][0]
        ann.act(table, ann.get(f"{table}.json?as={seat}").json()["legal"][0]["do"], seat)
    ann.call(f"{table}/resign", seat=0)
    assert ann.data(table)["status"] == "over"
    return table


@pytest.fixture
def anew(authority: Authority, ann: Client) -> Client:
    """The same browser at a server that has just started with the same database."""
    ann.app = create_app(Authority(authority.store))
    return ann


def test_who_replays_or_lists_all_plies_pauses_between_them(
    table: str, anew: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    pauses: list[float] = []
    sleep = serving.sleep
    monkeypatch.setattr(serving, "sleep", lambda seconds: (pauses.append(seconds), sleep(seconds)))
    monkeypatch.setattr(serving, "LONG", 0.0)
    for path, often in (("", 3), ("/log", 1)):  # read, told, and searched for what turned it
        pauses.clear()
        assert anew.page(table + path).status_code == 200
        assert pauses.count(0) > often * PLIES, path


def test_long_computations_of_a_replay_and_of_rules_are_done_in_other_threads(
    table: str, anew: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    where: dict[str, int] = {}

    def noted(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def noting(*args: Any) -> Any:
            where[name] = threading.get_ident()
            return function(*args)

        return noting

    for module, name in (
        (replay, "unlogged_decision"),
        (replay, "_contents"),
        (replay, "words_of"),
        (rules, "rendered"),
    ):
        monkeypatch.setattr(module, name, noted(name, getattr(module, name)))
    assert anew.page(f"{table}/replay").status_code == 200
    assert anew.page("/rules/coals").status_code == 200
    assert where.pop("words_of") == HERE
    assert len(where) == 3
    assert HERE not in where.values()
