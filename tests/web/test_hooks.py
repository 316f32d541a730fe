"""Webhooks, the key, the post that carries calls; clocks and what makes the page an app."""

import base64
import json
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from diablerie.table.authority import Authority
from diablerie.table.commands.subscriptions import GIVEN_UP
from diablerie.web.app import Services, create_app
from diablerie.web.notifications.messages import Keys, key_file
from diablerie.web.notifications.scheduler import (
    WEBHOOK_DELAY_SECONDS,
    BoundedExecutor,
    NotificationScheduler,
)
from tests.simulated_clock import SimulatedClock
from tests.stores import new_store
from tests.web.called import HOOK, House, Phone, Wire, asks, bo, cy, house, together
from tests.web.client import Client

__all__ = ["bo", "cy", "house"]  # fixtures


# -- the key ---------------------------------------------------------------------------------------


def test_the_key_is_made_once_and_lies_beside_the_database(tmp_path: Path):
    path = key_file(tmp_path / "tables.db")
    assert path == tmp_path / "tables.db.push.pem"
    first = Keys(path)
    first.make()
    assert path.stat().st_mode & 0o777 == 0o600
    path.chmod(0o644)
    assert Keys(path).public == first.public
    assert path.stat().st_mode & 0o777 == 0o600
    assert [p.name for p in tmp_path.iterdir()] == [path.name]


def test_browsers_are_told_the_public_key(house: House, cy: Client):
    told = cy.get("/push/key").json()["key"]
    assert len(base64.urlsafe_b64decode(told + "==")) == 65


# -- webhooks --------------------------------------------------------------------------------------


def test_a_webhook_is_told_whose_turn_it_is_once(house: House, bo: Client, cy: Client):
    table = together(bo, cy)
    assert bo.call(f"{table}/hook", url=HOOK).status_code == 200
    ((address, body, headers),) = house.wire.taken()
    assert (address.host, address.path) == ("hooks.example", "/T0/hush-hush")
    assert headers["Content-Type"] == "application/json"
    assert json.loads(body)["type"] == "hello"
    bo.act(table, "bet 10")
    house.wait(WEBHOOK_DELAY_SECONDS - 1)
    assert house.wire.taken() == []
    house.wait(1)
    ((_, body, _),) = house.wire.taken()
    told = json.loads(body)
    assert told["type"] == "turn"
    assert told["game"] == "coals"
    assert told["seats"] == [{"seat": 1, "name": "Cy", "due": None}]
    assert told["text"] == f"COALS: waiting for Cy. http://localhost:8666{table}"
    house.wait(100 * WEBHOOK_DELAY_SECONDS)
    assert house.wire.taken() == []


def test_a_turn_is_told_a_minute_after_it_began_though_one_before_was_waited_for(
    house: House, bo: Client, cy: Client
):
    table = together(bo, cy)
    bo.call(f"{table}/hook", url=HOOK)
    bo.act(table, "bet 10")
    house.wait(WEBHOOK_DELAY_SECONDS / 2)
    cy.act(table, "bet 20", seat=1)
    house.wire.taken()
    house.wait(WEBHOOK_DELAY_SECONDS / 2)
    assert house.wire.taken() == [], "the turn that was waited for is over"
    house.wait(WEBHOOK_DELAY_SECONDS / 2)
    ((_, body, _),) = house.wire.taken()
    assert json.loads(body)["type"] == "turn"


def test_names_call_nobody_in_the_chats_that_are_told(house: House, bo: Client, cy: Client):
    table = bo.open(open="1", here="1", names="Bo")
    cy.call(f"{table}/sit", name="<!here>@everyone")
    bo.call(f"{table}/hook", url=HOOK)
    bo.act(table, "bet 10")
    house.wire.taken()
    house.wait()
    ((_, body, _),) = house.wire.taken()
    assert not set("<>@") & set(json.loads(body)["content"])
    assert json.loads(body)["allowed_mentions"] == {"parse": []}


def test_only_who_gave_it_sees_the_address_and_all_players_may_stop_it(
    house: House, bo: Client, cy: Client
):
    table = together(bo, cy)
    bo.call(f"{table}/hook", url=HOOK)
    assert HOOK in bo.page(table).text
    for other in (cy, Client(house.app, "10.0.0.9")):
        assert "hush-hush" not in other.page(table).text
        assert "hooks.example" not in other.get(f"{table}/frame").text
    assert "an address of their own" in cy.page(table).text
    assert cy.call(f"{table}/hook", url="").status_code == 200
    assert HOOK not in bo.page(table).text
    bo.act(table, "bet 10")
    house.wire.taken()
    house.wait()
    assert house.wire.taken() == []


def test_addresses_inside_are_refused(house: House, bo: Client, cy: Client):
    table = together(bo, cy)
    answer = bo.send(f"{table}/hook", url="https://169.254.169.254/latest/")
    assert answer.status_code == 400
    assert "own network" in answer.text
    assert house.wire.taken() == []


def test_a_webhook_that_fails_is_said_and_given_up(house: House, bo: Client, cy: Client):
    table = together(bo, cy)
    bo.call(f"{table}/hook", url=HOOK)
    house.wire.status = 0
    hook = house.authority.subscriptions.hook_of(table.removeprefix("/t/"))
    for _ in range(GIVEN_UP):
        assert hook is not None
        house.scheduler._noted(hook, {})
        hook = house.authority.subscriptions.hook_of(hook.table)
    page = bo.page(table).text
    assert "The last 10 notifications did not arrive." in page
    assert "This address is no longer notified." in page
    house.wire.status = 200
    house.wire.taken()
    bo.act(table, "bet 10")
    house.wait()
    assert house.wire.taken() == []


def test_a_webhook_goes_with_its_table(house: House, bo: Client):
    table = bo.open(open="1")
    bo.call(f"{table}/hook", url=HOOK)
    assert bo.call(f"{table}/delete_table").status_code == 200
    assert house.authority.subscriptions.hook_of(table.removeprefix("/t/")) is None


# -- the post ----------------------------------------------------------------------------------


def test_the_post_survives_what_fails_and_never_keeps_anybody_waiting():
    post, blocked, done = BoundedExecutor(workers=1, pile=2), threading.Event(), threading.Event()

    def fails() -> None:
        raise RuntimeError("no")

    post.start()
    assert post.put(fails)
    assert post.put(blocked.wait) or True
    while post.put(lambda: None):  # until there is no more room
        pass
    blocked.set()
    while not post.put(done.set):
        pass
    assert done.wait(60)
    post.stop()


def test_what_is_dropped_is_logged_once_until_there_is_room_again(caplog: pytest.LogCaptureFixture):
    clock, done = SimulatedClock(7.0), list[float]()
    post = BoundedExecutor(workers=1, pile=2, clock=clock)
    post.start()

    def put(jobs: int) -> list[bool]:
        return [post.put(lambda: done.append(clock())) for _ in range(jobs)]

    assert put(5) == [True, True, False, False, False]
    assert caplog.text.count("some is dropped") == 1
    while clock.step(clock()):
        pass
    assert done == [7.0, 7.0], "one job after the other, without a pause"
    assert put(4) == [True, True, False, False]
    assert caplog.text.count("some is dropped") == 2


def test_the_bell_rings_in_threads_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    monkeypatch.setattr("diablerie.web.notifications.scheduler.DUE_CHECK_SECONDS", 0.01)
    store = new_store(tmp_path / "tables.db")
    authority, rung, wire = Authority(store), threading.Event(), Wire()
    scheduler = NotificationScheduler(authority, Keys(tmp_path / "push.pem"), wire, window=0.0)
    failing = [RuntimeError("no")]
    real: Callable[[], None] = scheduler.look

    def look() -> None:
        if failing:
            raise failing.pop()
        real()

    monkeypatch.setattr(scheduler, "look", look)
    monkeypatch.setattr(wire, "post", lambda *_: rung.set() or 201)
    app = create_app(authority, Services(scheduler=scheduler))
    bo, cy = Client(app, "10.0.0.2"), Client(app, "10.0.0.3")
    scheduler.start()
    table = together(bo, cy)
    asks(cy, Phone())
    bo.act(table, "bet 10")
    assert rung.wait(60)
    scheduler.stop()
    scheduler._background.join(60)
    assert "scheduler" not in {thread.name for thread in threading.enumerate()}
    store.close()
    assert "the scheduler" in caplog.text


# -- clocks, and what makes the page an app ------------------------------------------------------


def test_a_table_with_a_clock_says_so_and_stays_quiet(house: House, bo: Client, cy: Client):
    table = bo.open(open="1", clock="86400")
    cy.call(f"{table}/sit")
    page = bo.page(table).text
    assert "until 2 Jan, 00:16 UTC" in page
    assert "Turn clock: 1 day" in page
    assert bo.data(table)["seats"][1]["due"] == 1000 + 86400
    before = bo.get(f"{table}/frame").json()
    house.clock.now += 0.4
    after = bo.get(f"{table}/frame").json()
    assert (before["id"], after["now"]) == (after["id"], before["now"] + 0.4)


def test_a_clock_is_offered_at_setup(house: House, bo: Client):
    assert '<option value="600">10 minutes</option>' in bo.page("/setup/coals").text


def test_the_page_is_an_app(house: House, bo: Client):
    told = bo.get("/manifest.webmanifest")
    assert told.headers["content-type"] == "application/manifest+json"
    for icon in told.json()["icons"]:
        assert bo.get(icon["src"]).status_code == 200
    assert {icon.get("purpose") for icon in told.json()["icons"]} >= {"any", "maskable"}
    assert "No connection" in bo.page("/offline").text


def test_the_worker_knows_what_to_keep_and_nothing_of_tables(house: House, bo: Client):
    code = bo.get("/sw.js")
    assert code.headers["content-type"].startswith("text/javascript")
    assert code.headers["cache-control"] == "no-cache"
    assert "__" not in code.text
    kept = json.loads(code.text.partition("const KEPT = ")[2].partition(";")[0])
    assert kept[0] == "/offline"
    for path in kept:
        assert bo.get(path).status_code == 200
    assert all(path.startswith("/static/") for path in kept[1:])
    assert ".put(" not in code.text


def test_a_server_without_a_bell_offers_no_push(tmp_path: Path):
    store = new_store(tmp_path / "tables.db")
    client = Client(create_app(Authority(store)))
    assert client.get("/push/key").status_code == 404
    assert client.call("/push", **Phone().fields).status_code == 404
    table = client.open(open="1")
    assert "hook-url" not in client.page(table).text
    assert client.call(f"{table}/hook", url=HOOK).status_code == 404
    store.close()
