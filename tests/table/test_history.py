"""Finished games looked back on, and the link that makes a second browser the same visitor."""

import pytest

from diablerie.table.authority import Authority
from diablerie.table.commands.devices import DAY
from diablerie.table.commands.history import tallies
from diablerie.table.errors import Forbidden, NotFound, WrongTime
from diablerie.table.state.visitors import Visitor, fresh_secret, visitor_of
from diablerie.table.storage import schema
from tests.table.conftest import ANN, BO, CY, Clock, seated

ON_BOTH = True  # kinds of databases


def finished(authority: Authority, winner: Visitor, loser: Visitor, clock: Clock) -> str:
    table = seated(authority, winner, loser)
    authority.seats.resign(table, loser, 1)
    clock.now += 1
    return table


def test_games_are_tallied_by_who_won_and_against_whom(authority: Authority, clock: Clock) -> None:
    first = finished(authority, ANN, BO, clock)
    authority.lobby.rename(first, BO, 1, "Bo")
    second = finished(authority, BO, ANN, clock)
    devils = authority.lobby.open_table(ANN, "toy", ["me", "random"]).id
    authority.seats.resign(devils, ANN, 0)
    running = seated(authority, ANN, BO)
    games = authority.history.of(ANN)
    assert {one.table for one in games} == {first, second, devils} != {running}
    assert {one.table for one in games if one.won} == {first}
    [tally] = tallies(games)
    assert (tally.game, tally.games, tally.wins) == ("toy", 3, 1)
    met = {str(line): times for line, times in tally.against}
    assert met == {"Bo": 1, "somebody without a name": 1, "Wild devil": 1}
    assert authority.history.of(CY) == []


def test_a_game_given_up_has_no_points_and_one_at_a_shared_screen_does_not_count(
    authority: Authority, clock: Clock
) -> None:
    table = finished(authority, ANN, BO, clock)
    assert [seat.points for seat in authority.history.of(ANN)[0].seats] == [None, None]
    shared = authority.lobby.open_table(ANN, "toy", ["me", "me"]).id
    authority.seats.resign(shared, ANN, 0)
    games = authority.history.of(ANN)
    assert [one.table for one in games] == [shared, table]
    assert tallies(games)[0].games == 1


def test_results_go_with_their_table(authority: Authority) -> None:
    table = authority.lobby.open_table(ANN, "toy", ["me", "random"]).id
    authority.seats.resign(table, ANN, 0)
    assert authority.history.of(ANN)
    authority.erase.table(table, ANN)
    assert authority.history.of(ANN) == []
    assert list(authority.store.rows(schema.results, "match", table)) == []


def test_a_second_browser_becomes_the_same_visitor_and_brings_its_own(
    authority: Authority, clock: Clock
) -> None:
    laptop, phone = fresh_secret(), fresh_secret()
    table = seated(authority, visitor_of(laptop), BO)
    other = authority.lobby.open_table(visitor_of(phone), "toy", ["me", "open"]).id
    opening = authority.devices.link(laptop)
    assert authority.devices.owner(opening) == visitor_of(laptop)
    assert authority.devices.claim(opening, visitor_of(phone)) == laptop
    assert {live.id for live in authority.mine(visitor_of(laptop))} == {table, other}
    assert authority.live(other).host == visitor_of(laptop)
    assert authority.mine(visitor_of(phone)) == []
    with pytest.raises(NotFound):
        authority.devices.claim(opening, CY)


def test_what_is_kept_of_such_a_link_opens_nothing(authority: Authority) -> None:
    secret = fresh_secret()
    opening = authority.devices.link(secret)
    [row] = authority.store.rows(schema.passes, "owner", visitor_of(secret))
    assert opening not in str(row)
    assert secret not in str(row)
    assert secret.encode() not in bytes.fromhex(row.sealed)
    with pytest.raises(NotFound):
        authority.devices.claim(row.id, BO)


def test_such_a_link_is_forgotten_after_a_day_or_for_a_newer_one(
    authority: Authority, clock: Clock
) -> None:
    secret = fresh_secret()
    older, newer = authority.devices.link(secret), authority.devices.link(secret)
    with pytest.raises(NotFound):
        authority.devices.owner(older)
    clock.now += DAY + 1
    with pytest.raises(NotFound):
        authority.devices.claim(newer, BO)
    authority.sweep()
    assert list(authority.store.rows(schema.passes, "owner", visitor_of(secret))) == []


def test_the_host_frees_a_seat_before_the_start_and_nobody_else_does(authority: Authority) -> None:
    table = authority.lobby.open_table(ANN, "toy", ["me", "open", "open"]).id
    authority.lobby.sit(table, BO)
    for visitor, seat, refusal in (
        (BO, 0, Forbidden),
        (ANN, 0, WrongTime),
        (ANN, 2, NotFound),
        (ANN, 9, NotFound),
    ):
        with pytest.raises(refusal):
            authority.hosting.free(table, visitor, seat)
    authority.hosting.free(table, ANN, 1)
    live = authority.live(table)
    assert live.seats_of(BO) == []
    assert live.free == 2
    running = seated(authority, ANN, BO)
    with pytest.raises(WrongTime):
        authority.hosting.free(running, ANN, 1)


def test_the_host_lets_anybody_find_a_table_and_hides_it_again(authority: Authority) -> None:
    table = authority.lobby.open_table(ANN, "toy", ["me", "open"]).id
    assert authority.listing() == []
    with pytest.raises(Forbidden):
        authority.hosting.publish(table, BO, True)
    authority.hosting.publish(table, ANN, True)
    assert [live.id for live in authority.listing()] == [table]
    authority.hosting.publish(table, ANN, False)
    assert authority.listing() == []


def test_two_who_open_such_a_link_at_once_do_not_both_become_the_visitor(
    authority: Authority, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    opening = authority.devices.link(fresh_secret())
    found = authority.devices._found(opening)
    monkeypatch.setattr(authority.devices, "_found", lambda _: found)  # as both read it
    authority.devices.claim(opening, BO)
    with pytest.raises(NotFound):
        authority.devices.claim(opening, CY)
