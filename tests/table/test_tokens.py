"""Tokens: made, found by their secret, counted by address, revoked, forgotten."""

from collections.abc import Callable

import pytest

from diablerie.table.authority import Authority
from diablerie.table.commands import tokens
from diablerie.table.errors import BadInput, NotFound, TooMany
from diablerie.table.state.visitors import visitor_of
from tests.table.conftest import ANN, BO, Clock

ON_BOTH = True  # kinds of databases

ALL = frozenset(tokens.SCOPES)


def test_a_token_is_found_by_its_secret_alone(
    authority: Authority, reopen: Callable[[], Authority]
) -> None:
    secret = authority.tokens.make(ANN, " Robo ", {"play", "chat"}, "10.0.0.1")
    found = reopen().tokens.find(secret)
    assert found is not None
    assert (found.name, found.maker, found.address) == ("Robo", ANN, "10.0.0.1")
    assert found.scopes == {"play", "chat"}
    for other in ("", secret[:-1], secret + "x", secret.removeprefix(tokens.PREFIX), "x" * 9999):
        assert authority.tokens.find(other) is None


def test_a_program_is_nobody_else(authority: Authority) -> None:
    """Not its maker, not another program, and no browser that has the token as its cookie."""
    secrets = [authority.tokens.make(ANN, "Robo", ALL, "a") for _ in range(2)]
    found = [authority.tokens.find(secret) for secret in secrets]
    visitors = {ANN, *(token.id for token in found if token), *map(visitor_of, secrets)}
    assert len(visitors) == 5


def test_the_secret_is_nowhere_in_the_database(authority: Authority) -> None:
    secret = authority.tokens.make(ANN, "Robo", ALL, "a")
    with authority.store.engine.connect() as connection:
        rows = connection.exec_driver_sql("SELECT * FROM tokens").all()
    assert secret.removeprefix(tokens.PREFIX)[:8] not in str(rows)
    assert len(rows) == 1


def test_only_its_maker_revokes_a_token(authority: Authority) -> None:
    secret = authority.tokens.make(ANN, "Robo", ALL, "a")
    (token,) = authority.tokens.of(ANN)
    with pytest.raises(NotFound):
        authority.tokens.revoke(BO, token.id)
    assert authority.tokens.find(secret) == token
    authority.tokens.revoke(ANN, token.id)
    assert authority.tokens.find(secret) is None
    assert authority.tokens.of(ANN) == []
    with pytest.raises(NotFound):
        authority.tokens.revoke(ANN, token.id)


@pytest.mark.parametrize(
    ("name", "scopes"), [("", ALL), ("\u200b", ALL), ("Devil", ALL), ("Robo", ()), ("Robo", "x")]
)
def test_a_token_that_cannot_be_is_refused(authority: Authority, name: str, scopes: str) -> None:
    with pytest.raises(BadInput):
        authority.tokens.make(ANN, name, scopes, "a")
    assert authority.tokens.of(ANN) == []


def test_an_address_has_only_so_many_whoever_asks(
    authority: Authority, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tokens, "MOST", 2)
    authority.tokens.make(ANN, "One", ALL, "a")
    authority.tokens.make(BO, "Two", ALL, "a")
    with pytest.raises(TooMany):
        authority.tokens.make(ANN, "Three", ALL, "a")
    assert authority.tokens.make(ANN, "Four", ALL, "b")


def test_a_token_that_is_not_used_is_forgotten(authority: Authority, clock: Clock) -> None:
    kept, lost = (authority.tokens.make(ANN, name, ALL, "a") for name in ("Kept", "Lost"))
    clock.now += tokens.UNUSED - 1
    assert authority.tokens.find(kept)
    clock.now += 2
    authority.sweep()
    assert authority.tokens.find(kept)
    assert authority.tokens.find(lost) is None
