"""Called when it is one's turn: once, not before a while, and told nothing that is hidden."""

import base64
import json
from typing import Any

import pytest
from py_vapid import Vapid

from diablerie.table.outbound import Address
from diablerie.web.notifications.scheduler import WEBHOOK_BACKOFF, WEBHOOK_DELAY_SECONDS
from tests.web.called import House, Phone, asks, bo, cy, house, together
from tests.web.client import Client

__all__ = ["bo", "cy", "house"]  # fixtures


def test_who_is_not_there_is_called_a_minute_after_the_turn_began(
    house: House, bo: Client, cy: Client
):
    phone = Phone()
    cy.page("/settings")
    table = together(bo, cy)
    asks(cy, phone)
    bo.act(table, "bet 10")
    house.wait(WEBHOOK_DELAY_SECONDS - 1)
    assert house.wire.taken() == []
    house.wait(1)
    ((address, body, headers),) = house.wire.taken()
    assert address == Address("push.example", 443, "/send/phone")
    told = phone.read(body)
    assert told == {
        "title": "Your turn",
        "body": "COALS waits for you.",
        "url": table,
        "count": 1,
    }
    assert headers["Content-Encoding"] == "aes128gcm"
    assert int(headers["TTL"]) > 0
    assert Vapid.verify(headers["Authorization"])
    assert headers["Authorization"].endswith(f"k={house.scheduler.keys.public}")


def test_the_signature_says_for_whom_and_by_whom(house: House, bo: Client, cy: Client):
    table = together(bo, cy)
    asks(cy, Phone())
    bo.act(table, "bet 10")
    house.wait()
    token = house.wire.taken()[0][2]["Authorization"].partition("t=")[2].partition(",")[0]
    claims = json.loads(base64.urlsafe_b64decode(token.split(".")[1] + "=="))
    assert claims["aud"] == "https://push.example"
    assert claims["sub"].startswith(("mailto:", "https:"))


def test_one_message_for_all_tables_and_no_more_until_one_has_looked(
    house: House, bo: Client, cy: Client
):
    phone = Phone()
    tables = [together(bo, cy) for _ in range(3)]
    asks(cy, phone)
    for table in tables[:2]:
        bo.act(table, "bet 10")
    house.wait()
    ((_, body, _),) = house.wire.taken()
    assert phone.read(body) == {
        "title": "Your turn", "body": "3 tables wait for you.", "url": "/", "count": 3
    }  # fmt: skip
    bo.act(tables[2], "bet 10")
    house.wait(10 * WEBHOOK_DELAY_SECONDS)
    assert house.wire.taken() == []


@pytest.mark.parametrize("listed", [False, True], ids=["table", "list"])
def test_who_has_looked_is_called_of_the_next_turn(
    house: House, bo: Client, cy: Client, listed: bool
):
    one, other = together(bo, cy), together(bo, cy)
    asks(cy, Phone())
    bo.act(one, "bet 10")
    house.wait()
    assert len(house.wire.taken()) == 1
    house.wait(10 * WEBHOOK_DELAY_SECONDS)
    cy.page("/" if listed else one)
    bo.act(other, "bet 10")
    house.wait()
    assert len(house.wire.taken()) == 1


def test_who_was_called_with_a_page_open_is_called_of_the_next_turn_after_closing_it(
    house: House, bo: Client, cy: Client
):
    one, other = together(bo, cy), together(bo, cy)
    asks(cy, Phone())
    live = house.authority.live(other.removeprefix("/t/"))
    house.authority.attendance.enter(live.id, live.seats[1].owner)
    bo.act(one, "bet 10")
    house.wait()
    assert len(house.wire.taken()) == 1
    house.authority.attendance.leave(live.id, live.seats[1].owner)
    bo.act(other, "bet 10")
    house.wait()
    assert len(house.wire.taken()) == 1


def test_who_decides_in_time_is_not_called(house: House, bo: Client, cy: Client):
    table = together(bo, cy)
    asks(cy, Phone())
    bo.act(table, "bet 10")
    cy.act(table, "bet 10")
    live = house.authority.live(table.removeprefix("/t/"))
    if live.pending == [1]:
        cy.call(f"{table}/resign", seat=1)
    house.wait()
    assert house.wire.taken() == []


def test_who_leaves_the_page_without_a_decision_is_called_later(
    house: House, bo: Client, cy: Client
):
    table = together(bo, cy)
    asks(cy, Phone())
    live = house.authority.live(table.removeprefix("/t/"))
    house.authority.attendance.enter(live.id, live.seats[1].owner)
    bo.act(table, "bet 10")
    house.wait()
    assert house.wire.taken() == []
    house.authority.attendance.leave(live.id, live.seats[1].owner)
    house.wait()
    assert len(house.wire.taken()) == 1


def test_a_restart_neither_calls_twice_nor_forgets(house: House, bo: Client, cy: Client):
    table = together(bo, cy)
    asks(cy, Phone())
    bo.act(table, "bet 10")
    house.store.close()
    house.open()  # within the minute
    house.wait()
    assert len(house.wire.taken()) == 1
    house.store.close()
    house.open()
    house.wait(10 * WEBHOOK_DELAY_SECONDS)
    assert house.wire.taken() == []


def test_a_browser_that_is_gone_is_forgotten(house: House, bo: Client, cy: Client):
    table = together(bo, cy)
    asks(cy, Phone())
    house.wire.status = 410
    bo.act(table, "bet 10")
    house.wait()
    assert house.authority.subscriptions.owners() == set()
    house.wire.taken()
    house.wait(10 * WEBHOOK_DELAY_SECONDS)
    assert house.wire.taken() == []


def test_what_does_not_get_through_is_tried_again_and_then_no_more(
    house: House, bo: Client, cy: Client
):
    table = together(bo, cy)
    asks(cy, Phone())
    house.wire.status = 503
    bo.act(table, "bet 10")
    house.wait()
    for pause in WEBHOOK_BACKOFF:
        assert len(house.wire.taken()) == 1
        house.wait(pause)
    assert len(house.wire.taken()) == 1
    house.wait(max(WEBHOOK_BACKOFF) * 10)
    assert house.wire.taken() == []
    house.wire.status = 201
    house.scheduler.on_change(house.authority.live(table.removeprefix("/t/")))
    house.wait()
    assert len(house.wire.taken()) == 1


def test_calls_are_withdrawn_as_easily_with_a_script_and_without(house: House, cy: Client):
    one, two = Phone("one"), Phone("two")
    asks(cy, one)
    asks(cy, two)
    assert "notifies 2 browsers of yours" in cy.page("/settings").text
    cy.call("/push/withdraw", endpoint=one.endpoint)
    assert "notifies 1 browser of yours" in cy.page("/settings").text
    assert cy.send("/push/withdraw", back="/settings").headers["location"] == "/settings"
    assert house.authority.subscriptions.owners() == set()


def test_nobody_withdraws_for_others(house: House, bo: Client, cy: Client):
    phone = Phone()
    asks(cy, phone)
    bo.open(open="1")
    bo.call("/push/withdraw", endpoint=phone.endpoint)
    bo.call("/push/withdraw")
    assert len(house.authority.subscriptions.owners()) == 1


@pytest.mark.parametrize(
    "wrong",
    [
        {"endpoint": "https://127.0.0.1/push"},
        {"endpoint": "http://push.example/"},
        {"endpoint": "https://[::ffff:10.0.0.1]/"},
        {"p256dh": "short"},
        {"auth": "%%%"},
    ],
)
def test_what_is_no_browser_to_be_called_is_refused(house: House, cy: Client, wrong: Any):
    answer = cy.call("/push", **(Phone().fields | wrong))
    assert answer.status_code == 400
    assert house.authority.subscriptions.owners() == set()
