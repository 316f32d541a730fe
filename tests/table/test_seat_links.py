"""Personal links: a seat moves by one once, and its first device may have it back."""

from collections.abc import Callable

import pytest
import sqlalchemy as sa

from diablerie.table.authority import Authority
from diablerie.table.commands import decisions, seats
from diablerie.table.errors import Forbidden, NotFound
from diablerie.table.state.visitors import hashed, visitor_of
from diablerie.table.storage import schema
from tests.table.conftest import ANN, BO, CY, seated

ON_BOTH = True  # kinds of databases


def test_a_personal_link_moves_the_seat(authority: Authority) -> None:
    table = seated(authority, ANN, BO)
    secret = seats.link(authority, table, BO, 1)
    assert seats.claim(authority, table, CY, secret).seats_of(CY) == [1]
    live = authority.live(table)
    assert (live.seats_of(BO), live.seats_of(CY)) == ([], [1])
    decisions.decide(authority, table, CY, 1, "bid 1", 1)
    with pytest.raises(NotFound):
        seats.claim(authority, table, BO, secret)  # it worked once


def test_the_first_device_takes_a_seat_back_however_often_it_moved(
    authority: Authority, reopen: Callable[[], Authority]
) -> None:
    table = seated(authority, ANN, BO)
    seats.claim(authority, table, CY, seats.link(authority, table, BO, 1))
    di = visitor_of("di")
    seats.claim(authority, table, di, seats.link(authority, table, CY, 1))
    unused = seats.link(authority, table, di, 1)
    again = reopen()
    for nobody in (ANN, CY, di):
        with pytest.raises(Forbidden):
            seats.return_seat(again, table, nobody, 1)
    with pytest.raises(Forbidden):
        seats.return_seat(again, table, BO, 0)
    with pytest.raises(NotFound):
        seats.return_seat(again, table, BO, 7)
    assert seats.return_seat(again, table, BO, 1).seats_of(BO) == [1]
    with pytest.raises(NotFound):
        seats.claim(again, table, di, unused)
    with pytest.raises(Forbidden):
        seats.return_seat(again, table, BO, 1)


def test_a_link_opened_where_the_seat_is_stays_good(authority: Authority) -> None:
    table = seated(authority, ANN, BO)
    secret = seats.link(authority, table, BO, 1)
    seats.claim(authority, table, BO, secret)
    assert seats.claim(authority, table, CY, secret).seats_of(CY) == [1]


def test_a_link_from_before_still_works(authority: Authority) -> None:
    table = seated(authority, ANN, BO)
    s = schema.seats
    old = (
        sa.update(s).where(s.c.match == table, s.c.seat == 1).values(link=hashed("link", "secret"))
    )
    authority.store.commit(old)
    authority.forget(table)
    assert seats.claim(authority, table, CY, "secret").seats_of(CY) == [1]


def test_a_newer_link_replaces_the_older(authority: Authority) -> None:
    table, other = seated(authority, ANN, BO), seated(authority, ANN, BO)
    old, new = seats.link(authority, table, BO, 1), seats.link(authority, table, BO, 1)
    for place, secret in ((table, old), (other, new), (table, ""), (table, "\ud800")):
        with pytest.raises(NotFound):
            seats.claim(authority, place, CY, secret)
    with pytest.raises(Forbidden):
        seats.link(authority, table, ANN, 1)
