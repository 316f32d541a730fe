"""Shares in the dice over HTTP: what is no seat, and who is not waited for."""

import pytest

from diablerie.engine.fair import pledge
from diablerie.table.authority import Authority
from diablerie.table.state.nonce_exchange import NONCE_GRACE_SECONDS
from tests.simulated_clock import SimulatedClock
from tests.web.client import Client

NONCE = "a" * 32


def test_a_person_may_begin_without_those_who_are_gone(
    ann: Client, bo: Client, authority: Authority, monkeypatch: pytest.MonkeyPatch
):
    table = ann.open(here="1", open="1", share="1")
    bo.call(f"{table}/sit")  # no script there
    ann.call(f"{table}/share", **{"hash-0": pledge(NONCE)})
    assert f"{table}/begin" not in bo.page(table).text
    then = authority.clock() + NONCE_GRACE_SECONDS
    monkeypatch.setattr(authority, "clock", SimulatedClock(then))
    assert f"{table}/begin" in bo.page(table).text
    assert bo.send(f"{table}/begin").status_code == 303
    fair = ann.data(table)["fair"]
    assert fair["by"] == ["table", "table"], "Ann was gone, too"
    assert "promised a part and did not reveal it" in ann.page(table).text
