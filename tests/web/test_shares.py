"""Shares in the dice over HTTP: who may send them, and who is not waited for."""

import pytest

from diablerie.engine.fair import pledge
from diablerie.table.authority import Authority
from diablerie.table.state.nonce_exchange import NONCE_GRACE_SECONDS
from tests.simulated_clock import SimulatedClock
from tests.web.client import Client

NONCES = ["a" * 32, "b" * 32]


def test_who_shares_with_one_of_two_others_is_not_alone(ann: Client, bo: Client, browser):
    """With a third browser that has no script the dice still have two parts."""
    table = ann.open(here="1", open="2", share="1")
    bo.call(f"{table}/sit", share="1")
    browser().call(f"{table}/sit")
    for client in (ann, bo):
        assert "data-alone" not in client.page(table).text
        assert client.data(table)["fair"]["hashes"] == []
    ann.call(f"{table}/share", **{"hash-0": pledge(NONCES[0])})
    bo.call(f"{table}/share", **{"hash-1": pledge(NONCES[1])})
    assert ann.data(table)["fair"]["hashes"] == [*map(pledge, NONCES), ""]


def test_who_is_not_at_the_table_sends_nothing(ann: Client, bo: Client):
    table = ann.open(here="1", bots="1", share="1")
    assert bo.call(f"{table}/share", **{"hash-0": pledge("a")}).status_code == 403
    assert "data-phase" not in bo.page(table).text
    for fields in ({"hash-99": "a"}, {"hash-x": "a"}, {"nonce--1": "a"}):
        assert ann.call(f"{table}/share", **fields).status_code == 400
    assert ann.call(f"{table}/begin").status_code == 409


def test_a_person_may_begin_without_those_who_are_gone(
    ann: Client, bo: Client, authority: Authority, monkeypatch: pytest.MonkeyPatch
):
    table = ann.open(here="1", open="1", share="1")
    bo.call(f"{table}/sit")  # no script there
    ann.call(f"{table}/share", **{"hash-0": pledge(NONCES[0])})
    assert f"{table}/begin" not in bo.page(table).text
    then = authority.clock() + NONCE_GRACE_SECONDS
    monkeypatch.setattr(authority, "clock", SimulatedClock(then))
    assert f"{table}/begin" in bo.page(table).text
    assert bo.send(f"{table}/begin").status_code == 303
    fair = ann.data(table)["fair"]
    assert fair["by"] == ["table", "table"], "Ann was gone, too"
    assert "promised a part and did not reveal it" in ann.page(table).text
