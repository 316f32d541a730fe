"""Whose line of chat it is: of the seat that was said, and of nobody else's."""

import pytest

from diablerie.table.authority import Authority
from diablerie.table.commands import chat, lobby
from diablerie.table.errors import Forbidden
from tests.conftest import IN_CI
from tests.table.conftest import ANN, BO, CY, Clock

ON_BOTH = IN_CI


def shared(authority: Authority) -> str:
    """A table where Ann has the seats 0 and 2, on one screen, and Bo has seat 1."""
    table = lobby.open_table(authority, ANN, "toy", ["me", "open", "me"]).id
    lobby.sit(authority, table, BO)
    assert authority.live(table).seats_of(ANN) == [0, 2]
    return table


def test_who_has_several_seats_says_which_one_talks(authority: Authority, clock: Clock) -> None:
    table = shared(authority)
    chat.chat(authority, table, ANN, "one", seat=2)
    clock.now += 5
    chat.chat(authority, table, ANN, "two", seat=0)
    chat.chat(authority, table, ANN, "three")
    said = [(line.seat, line.text, line.at) for line in authority.live(table).chat]
    assert said == [(2, "one", 1000.0), (0, "two", 1005.0), (0, "three", 1005.0)]


@pytest.mark.parametrize(("who", "seat"), [(ANN, 1), (BO, 0), (BO, 2), (CY, 0), (CY, None)])
def test_nobody_talks_for_anothers_seat(authority: Authority, who: object, seat: int) -> None:
    table = shared(authority)
    with pytest.raises(Forbidden):
        chat.chat(authority, table, who, "I give up!", seat=seat)  # type: ignore[arg-type]
    assert authority.live(table).chat == ()
