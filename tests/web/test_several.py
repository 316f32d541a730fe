"""Several web processes on one PostgreSQL: whichever answers, it is the same house."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from diablerie.table.authority import Authority
from diablerie.table.cluster.cluster_node import ClusterNode
from diablerie.table.commands import groups
from diablerie.table.node import TABLE_NEWS
from diablerie.table.storage.store import Store
from diablerie.web.app import Services, create_app
from diablerie.web.notifications.cluster_scheduler import ClusterScheduler
from diablerie.web.notifications.messages import Keys
from diablerie.web.notifications.scheduler import WEBHOOK_DELAY_SECONDS
from tests.table.conftest import Clock
from tests.web.called import HOOK, Phone, Wire, asks, together, turn
from tests.web.client import Client, until

PATIENCE = 60.0


class Process:
    """One that answers, whose time is set by hand and whose post goes at once."""

    def __init__(self, db: str, folder: Path, clock: Clock, wire: Wire) -> None:
        self.clock, self.wire = clock, wire
        self.store = Store(db, durable=False)
        self.node = ClusterNode(self.store, clock=clock)
        self.authority = Authority(self.store, node=self.node)
        self.scheduler = ClusterScheduler(
            self.authority, self.node, Keys(folder / "push.pem"), wire
        )
        self.scheduler._send = lambda job: job() or True  # type: ignore[func-returns-value]
        self.scheduler.listen()
        self.app = create_app(self.authority, Services(scheduler=self.scheduler))
        self.node.start()
        assert self.node.news.listening.wait(PATIENCE)

    def wait(self, seconds: float = WEBHOOK_DELAY_SECONDS) -> None:
        self.clock.now += seconds
        self.scheduler.look()

    def close(self) -> None:
        self.node.stop()
        self.store.close()


Processes = tuple[Process, Process]


@pytest.fixture
def two(served: str, tmp_path: Path) -> Iterator[Processes]:
    clock, wire = Clock(), Wire()
    made = Process(served, tmp_path, clock, wire), Process(served, tmp_path, clock, wire)
    yield made
    for process in made:
        process.close()


@pytest.fixture
def bo(two: Processes) -> Client:
    return Client(two[0].app, "10.0.0.2")


@pytest.fixture
def cy(two: Processes) -> Client:
    return Client(two[1].app, "10.0.0.3")


def test_each_shows_and_takes_what_the_other_was_told(bo: Client, cy: Client) -> None:
    table = together(bo, cy)
    assert bo.act(table, "bet 10").status_code == 200
    assert cy.data(table)["seats"][0]["deciding"] is False
    assert cy.act(table, "bet 20", seat=1).status_code == 200
    assert bo.data(table)["ply"] == cy.data(table)["ply"] > 2
    assert cy.call(f"{table}/chat", text="well, well").status_code == 200
    assert "well, well" in bo.page(table).text


def test_who_joins_a_group_while_its_link_is_renewed_elsewhere_is_led_to_the_new_one(
    two: Processes, bo: Client, cy: Client, monkeypatch: pytest.MonkeyPatch
):
    link = cy.send("/groups", name="The Hoofs", person="Oma").headers["location"]
    commit, fresh = groups.commit_by_link, list[str]()

    def first(*given: Any) -> str:
        monkeypatch.setattr(groups, "commit_by_link", commit)
        done = commit(*given)
        renewed = two[0].authority.clock.apart(lambda: cy.send(f"{link}/renew"))
        fresh.append(renewed.headers["location"].partition("?")[0])
        return done

    monkeypatch.setattr(groups, "commit_by_link", first)
    assert [bo.send(f"{link}/join", member="1").headers["location"]] == fresh
    page = bo.page(*fresh)
    assert page.status_code == 200
    assert "on this device" in page.text
    bo.send(f"{fresh[0]}/join", name="Opa")
    assert cy.send(f"{fresh[0]}/remove", member="2", renewing="1").status_code == 303
    assert "/g/" not in bo.page("/").text, "whoever else it said it was"
    assert "/g/" in cy.page("/").text


def test_who_is_called_is_called_by_one_of_them_once(two: Processes, bo: Client, cy: Client):
    first, second = two
    second.scheduler.lead()
    table = turn(first, bo, cy)
    asks(cy, Phone())
    cy_key = ("push", next(iter(second.authority.subscriptions.owners())))
    until(lambda: bool(first.authority.subscriptions.owners()))
    second.scheduler._due.clear()
    first.scheduler.on_change(first.authority.live(table.removeprefix("/t/")))  # a change there
    until(lambda: cy_key in second.scheduler._due)
    first.wait()
    assert second.wire.taken() == [], "it is not the first's to call"
    second.scheduler.look()
    assert len(second.wire.taken()) == 1
    until(lambda: cy_key[1] in first.scheduler._notified)
    first.scheduler.lead()  # the second has gone
    second.scheduler.follow()
    first.wait(10 * WEBHOOK_DELAY_SECONDS)
    assert first.wire.taken() == [], "it was called already"
    cy.app = first.app
    cy.page(table)
    until(lambda: cy_key[1] not in second.scheduler._notified)


def test_who_is_due_is_called_though_news_of_the_table_got_lost(
    two: Processes, bo: Client, cy: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = two
    second.scheduler.lead()
    table = together(bo, cy)
    assert cy.act(table, "bet 10", seat=1).status_code == 200
    asks(cy, Phone())
    until(lambda: bool(first.authority.subscriptions.owners()))
    second.wait()
    assert second.wire.taken() == []
    assert second.authority.live(table.removeprefix("/t/")).pending == [0]
    tell = first.node.tell
    monkeypatch.setattr(
        first.node, "tell", lambda kind, text: None if kind == TABLE_NEWS else tell(kind, text)
    )
    while 0 in (live := first.authority.live(table.removeprefix("/t/"))).pending:
        assert bo.act(table, bo.data(table)["legal"][0]["do"]).status_code == 200
    assert live.pending == [1]
    calls = list[object]()

    def called() -> bool:
        second.wait()  # a look may come before the news, or for what a sweep has noted
        calls.extend(second.wire.taken())
        return bool(calls)

    until(called)
    assert len(calls) == 1


def test_a_webhook_is_told_by_one_of_them_and_known_to_all(
    two: Processes, bo: Client, cy: Client
) -> None:
    first, second = two
    second.scheduler.lead()
    table = turn(first, bo, cy)
    assert bo.call(f"{table}/hook", url=HOOK).status_code == 200
    assert len(first.wire.taken()) == 1, "a greeting"
    until(lambda: ("hook", table.removeprefix("/t/")) in second.scheduler._due)
    second.wait()
    assert len(second.wire.taken()) == 1
    bo.app = second.app
    assert "hooks.example" in bo.page(table).text
    second.scheduler.follow()
    first.scheduler.lead()
    first.wait(10 * WEBHOOK_DELAY_SECONDS)
    assert first.wire.taken() == [], "the turn was told already"


def test_who_becomes_the_leader_tells_webhooks_of_turns_that_wait_already(
    two: Processes, bo: Client, cy: Client, tmp_path: Path
) -> None:
    first, second = two
    table = turn(first, bo, cy)
    assert bo.call(f"{table}/hook", url=HOOK).status_code == 200
    first.wire.taken()
    late = ClusterScheduler(second.authority, second.node, Keys(tmp_path / "push.pem"), second.wire)
    late._send = lambda job: job() or True  # type: ignore[func-returns-value]
    late.lead()  # which has heard no news of the table
    second.clock.now += WEBHOOK_DELAY_SECONDS
    late.look()
    assert len(second.wire.taken()) == 1
