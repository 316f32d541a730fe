"""Tokens: made, found by their secret, counted by address, revoked, forgotten."""

from collections.abc import Callable
from typing import Any

import pytest

from diablerie.table.authority import Authority
from diablerie.table.commands import tokens
from diablerie.table.errors import BadInput, NotFound, TooMany
from diablerie.table.state.visitors import Visitor, visitor_of
from tests.table.conftest import ANN, BO, Clock

ON_BOTH = True  # kinds of databases

ALL = frozenset(tokens.SCOPES)


def issued(authority: Authority, maker: Visitor, name: str, scopes: Any, client: str) -> str:
    return tokens.issue.do(authority, maker, tokens.NewToken(name, scopes), client)


def test_a_token_is_found_by_its_secret_alone(
    authority: Authority, reopen: Callable[[], Authority]
) -> None:
    secret = issued(authority, ANN, " Robo ", {"play", "chat"}, "10.0.0.1")
    found = tokens.find_token(reopen(), secret)
    assert found is not None
    assert (found.name, found.maker, found.address) == ("Robo", ANN, "10.0.0.1")
    assert found.scopes == {"play", "chat"}
    for other in (
        "",
        secret[:-1],
        secret + "x",
        secret.removeprefix(tokens.TOKEN_PREFIX),
        "x" * 9999,
    ):
        assert tokens.find_token(authority, other) is None


def test_a_program_is_nobody_else(authority: Authority) -> None:
    """Not its maker, not another program, and no browser that has the token as its cookie."""
    secrets = [issued(authority, ANN, "Robo", ALL, "a") for _ in range(2)]
    found = [tokens.find_token(authority, secret) for secret in secrets]
    visitors = {ANN, *(token.id for token in found if token), *map(visitor_of, secrets)}
    assert len(visitors) == 5


def test_the_secret_is_nowhere_in_the_database(authority: Authority) -> None:
    secret = issued(authority, ANN, "Robo", ALL, "a")
    with authority.store.engine.connect() as connection:
        rows = connection.exec_driver_sql("SELECT * FROM tokens").all()
    assert secret.removeprefix(tokens.TOKEN_PREFIX)[:8] not in str(rows)
    assert len(rows) == 1


def test_only_its_maker_revokes_a_token(authority: Authority) -> None:
    secret = issued(authority, ANN, "Robo", ALL, "a")
    (token,) = tokens.made_by(authority, ANN)
    with pytest.raises(NotFound):
        tokens.revoke(authority, BO, token.id)
    assert tokens.find_token(authority, secret) == token
    tokens.revoke(authority, ANN, token.id)
    assert tokens.find_token(authority, secret) is None
    assert tokens.made_by(authority, ANN) == []
    with pytest.raises(NotFound):
        tokens.revoke(authority, ANN, token.id)


@pytest.mark.parametrize(
    ("name", "scopes"), [("", ALL), ("\u200b", ALL), ("Devil", ALL), ("Robo", ()), ("Robo", "x")]
)
def test_a_token_that_cannot_be_is_refused(authority: Authority, name: str, scopes: str) -> None:
    with pytest.raises(BadInput):
        issued(authority, ANN, name, scopes, "a")
    assert tokens.made_by(authority, ANN) == []


def test_an_address_has_only_so_many_whoever_asks(
    authority: Authority, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tokens, "MOST_TOKENS_OF_ADDRESS", 2)
    issued(authority, ANN, "One", ALL, "a")
    issued(authority, BO, "Two", ALL, "a")
    with pytest.raises(TooMany):
        issued(authority, ANN, "Three", ALL, "a")
    assert issued(authority, ANN, "Four", ALL, "b")


def test_a_token_that_nobody_uses_for_a_year_is_forgotten(
    authority: Authority, clock: Clock
) -> None:
    kept, lost = (issued(authority, ANN, name, ALL, "a") for name in ("Kept", "Lost"))
    clock.now += 364 * tokens.DAY
    authority.sweep()
    assert tokens.find_token(authority, kept)
    clock.now += 2 * tokens.DAY
    authority.sweep()
    assert tokens.find_token(authority, kept)
    assert tokens.find_token(authority, lost) is None
