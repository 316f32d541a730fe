"""Who wants to be called: kept, bounded, and only what a player asks for."""

import pytest

from diablerie.table.authority import Authority
from diablerie.table.commands import subscriptions
from diablerie.table.commands.subscriptions import (
    GIVEN_UP,
    MOST_BROWSERS_OF_A_VISITOR,
    POINT,
    RENEWAL_SECONDS,
    SECRET,
    Hook,
    HookRequest,
    PushRequest,
)
from diablerie.table.errors import BadInput, Forbidden, TooMany
from diablerie.table.state.visitors import Visitor
from diablerie.table.storage.store import Conflict
from tests.table.conftest import ANN, BO, CY, Clock, seated

URL, OTHER = "https://hooks.example/one", "https://hooks.example/two"
KEYS = "A" * -(-POINT * 8 // 6), "A" * -(-SECRET * 8 // 6)  # in base64, without what fills it up


def hooked(authority: Authority, table: str, visitor: Visitor, url: str = URL) -> Hook:
    return authority.subscriptions.hook(
        table, visitor, HookRequest(url, "de", "https://here.example")
    )


def asked(authority: Authority, visitor: Visitor, endpoint: str) -> None:
    authority.subscriptions.subscribe(
        visitor, PushRequest(endpoint, *KEYS, "en", "https://here.example")
    )


def test_a_table_has_one_address_which_its_players_may_change_and_stop(
    authority: Authority,
) -> None:
    table, calls = seated(authority, ANN, BO), authority.subscriptions
    assert calls.hook_of(table) is None
    first = hooked(authority, table, ANN)
    assert first == Hook(table, URL, ANN, "de", "https://here.example", 0)
    assert calls.hook_of(table) == first
    second = hooked(authority, table, BO, OTHER)
    assert (second.url, second.owner) == (OTHER, BO)
    assert calls.hook_of(table) == second
    assert calls.hooked() == {table}
    calls.unhook(table, ANN)
    assert calls.hook_of(table) is None
    assert calls.hooked() == set()


def test_who_is_overtaken_by_another_address_is_told_so(
    authority: Authority, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = seated(authority, ANN, BO)

    def overtaken(*writes: object) -> None:
        raise Conflict

    monkeypatch.setattr(authority.store, "commit", overtaken)
    with pytest.raises(BadInput, match="Somebody else"):
        hooked(authority, table, ANN)
    assert authority.subscriptions.hook_of(table) is None


def test_who_has_no_seat_has_a_table_call_nobody(authority: Authority) -> None:
    table = seated(authority, ANN, BO)
    with pytest.raises(Forbidden, match="Only the players"):
        hooked(authority, table, CY)
    assert authority.subscriptions.hooked() == set()
    hook = hooked(authority, table, ANN)
    with pytest.raises(Forbidden, match="Only the players"):
        authority.subscriptions.unhook(table, CY)
    assert authority.subscriptions.hook_of(table) == hook


def test_an_address_that_fails_again_and_again_is_given_up_and_one_that_hears_is_not(
    authority: Authority,
) -> None:
    table, calls = seated(authority, ANN, BO), authority.subscriptions
    hook = hooked(authority, table, ANN)
    for well in [*[False] * (GIVEN_UP - 1), True, *[False] * GIVEN_UP]:
        assert not hook.given_up
        calls.note(hook, well, 7)
        found = calls.hook_of(table)
        assert found is not None
        hook = found
    assert (hook.given_up, hook.failures, hook.heard) == (True, GIVEN_UP, 7)
    calls.note(hook, True, 3)
    assert calls.hook_of(table) == hook._replace(failures=0), "it knows of a later turn"


def test_a_browser_is_called_once_and_one_person_has_so_many(
    authority: Authority, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = authority.subscriptions
    for n in [*range(MOST_BROWSERS_OF_A_VISITOR), 0]:  # the last asks again
        asked(authority, ANN, f"https://push.example/{n}")
    assert len(calls.of(ANN)) == MOST_BROWSERS_OF_A_VISITOR
    with pytest.raises(TooMany):
        asked(authority, ANN, "https://push.example/more")
    asked(authority, BO, "https://push.example/bo")
    monkeypatch.setattr(subscriptions, "MOST_SUBSCRIPTIONS", MOST_BROWSERS_OF_A_VISITOR + 1)
    calls.mark(ANN, True)
    calls.mark(BO, True)
    with pytest.raises(TooMany):
        asked(authority, CY, "https://push.example/cy")
    assert calls.owners() == {ANN, BO}
    calls.withdraw(ANN, "https://push.example/0")
    assert len(calls.of(ANN)) == MOST_BROWSERS_OF_A_VISITOR - 1
    calls.withdraw(ANN)
    assert (calls.owners(), calls.of(ANN)) == ({BO}, [])


@pytest.mark.parametrize("keys", [(KEYS[0], KEYS[0]), (KEYS[1], KEYS[1]), ("?", KEYS[1])])
def test_keys_that_are_none_are_refused(authority: Authority, keys: tuple[str, str]) -> None:
    with pytest.raises(BadInput, match="keys"):
        authority.subscriptions.subscribe(
            ANN, PushRequest("https://push.example/1", *keys, "en", "")
        )
    assert authority.subscriptions.owners() == set()


def test_browsers_that_have_not_asked_for_a_year_are_forgotten(
    authority: Authority, clock: Clock
) -> None:
    asked(authority, ANN, "https://push.example/ann")
    clock.now += RENEWAL_SECONDS
    asked(authority, BO, "https://push.example/bo")
    authority.subscriptions.sweep()
    assert authority.subscriptions.owners() == {ANN, BO}
    clock.now += 1
    authority.subscriptions.sweep()
    assert authority.subscriptions.owners() == {BO}
