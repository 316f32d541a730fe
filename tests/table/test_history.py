"""Finished games looked back on, and the link that makes a second browser the same visitor."""

import pytest

from diablerie.table.authority import Authority
from diablerie.table.commands import browsers, history, lobby, seats
from diablerie.table.commands.browsers import PASS_SECONDS
from diablerie.table.commands.history import tallies
from diablerie.table.errors import Forbidden, NotFound, WrongTime
from diablerie.table.state.visitors import Visitor, fresh_secret, visitor_of
from diablerie.table.storage import schema
from tests.table.conftest import ANN, BO, CY, Clock, seated

ON_BOTH = True  # kinds of databases


def finished(authority: Authority, winner: Visitor, loser: Visitor, clock: Clock) -> str:
    table = seated(authority, winner, loser)
    seats.resign(authority, table, loser, 1)
    clock.now += 1
    return table


def test_games_are_tallied_by_who_won_and_against_whom(authority: Authority, clock: Clock) -> None:
    first = finished(authority, ANN, BO, clock)
    lobby.rename(authority, first, BO, 1, "Bo")
    second = finished(authority, BO, ANN, clock)
    devils = lobby.open_table(authority, ANN, "toy", ["me", "random"]).id
    seats.resign(authority, devils, ANN, 0)
    running = seated(authority, ANN, BO)
    games = history.finished_games(authority, ANN)
    assert {one.table for one in games} == {first, second, devils} != {running}
    assert {one.table for one in games if one.won} == {first}
    [tally] = tallies(games)
    assert (tally.game, tally.games, tally.wins) == ("toy", 3, 1)
    met = {str(line): times for line, times in tally.against}
    assert met == {"Bo": 1, "somebody without a name": 1, "Wild devil": 1}
    assert history.finished_games(authority, CY) == []


def test_a_game_given_up_has_no_points_and_at_a_shared_screen_each_counts_by_name(
    authority: Authority, clock: Clock
) -> None:
    table = finished(authority, ANN, BO, clock)
    assert [seat.points for seat in history.finished_games(authority, ANN)[0].seats] == [None, None]
    shared = lobby.open_table(authority, ANN, "toy", ["me", "me"], names=["Oma", "Opa"]).id
    seats.resign(authority, shared, ANN, 0)
    games = history.finished_games(authority, ANN)
    assert [one.table for one in games] == [shared, table]
    told = {str(tally.who): (tally.games, tally.wins) for tally in tallies(games)}
    assert told == {"None": (1, 1), "Oma": (1, 0), "Opa": (1, 1)}
    met = {str(t.who): [str(line) for line, _ in t.against] for t in tallies(games)}
    assert met["Oma"] == ["Opa"]


def test_results_go_with_their_table(authority: Authority) -> None:
    table = lobby.open_table(authority, ANN, "toy", ["me", "random"]).id
    seats.resign(authority, table, ANN, 0)
    assert history.finished_games(authority, ANN)
    lobby.delete_table(authority, table, ANN)
    assert history.finished_games(authority, ANN) == []
    assert list(authority.store.rows(schema.results, "match", table)) == []


def test_a_second_browser_becomes_the_same_visitor_and_brings_its_own(
    authority: Authority, clock: Clock
) -> None:
    laptop, phone = fresh_secret(), fresh_secret()
    table = seated(authority, visitor_of(laptop), BO)
    other = lobby.open_table(authority, visitor_of(phone), "toy", ["me", "open"]).id
    opening = browsers.create_link(authority, visitor_of(laptop))
    assert browsers.link_owner(authority, opening) == visitor_of(laptop)
    own = browsers.redeem(authority, visitor_of(phone), opening, phone)
    assert own not in (laptop, phone)
    assert authority.browsers.visitor(own) == visitor_of(laptop)
    assert {live.id for live in authority.mine(visitor_of(laptop))} == {table, other}
    assert authority.live(other).host == visitor_of(laptop)
    assert authority.mine(visitor_of(phone)) == []
    with pytest.raises(NotFound):
        browsers.redeem(authority, CY, opening)


def test_what_is_kept_of_such_a_link_opens_nothing(authority: Authority) -> None:
    opening = browsers.create_link(authority, ANN)
    [row] = authority.store.rows(schema.passes, "owner", ANN)
    assert opening not in str(row)
    with pytest.raises(NotFound):
        browsers.redeem(authority, BO, row.id)


def test_a_link_to_another_device_leaves_those_of_other_people_alone(authority: Authority) -> None:
    people = sorted((ANN, BO, CY))
    for order in (people, people[::-1]):
        links = {one: browsers.create_link(authority, one) for one in order}
        assert {one: browsers.link_owner(authority, link) for one, link in links.items()} == {
            one: one for one in people
        }
        rows = {link: browsers._valid_row(authority, link) for link in links.values()}
        for link in sorted(links.values(), key=lambda link: rows[link].id, reverse=True):
            assert browsers.redeem(authority, visitor_of(fresh_secret()), link)


def test_such_a_link_is_forgotten_after_a_day_or_for_a_newer_one(
    authority: Authority, clock: Clock
) -> None:
    older, newer = browsers.create_link(authority, ANN), browsers.create_link(authority, ANN)
    with pytest.raises(NotFound):
        browsers.link_owner(authority, older)
    clock.now += PASS_SECONDS + 1
    with pytest.raises(NotFound):
        browsers.redeem(authority, BO, newer)
    authority.sweep()
    assert list(authority.store.rows(schema.passes, "owner", ANN)) == []


def test_the_host_frees_a_seat_before_the_start_and_nobody_else_does(authority: Authority) -> None:
    table = lobby.open_table(authority, ANN, "toy", ["me", "open", "open"]).id
    lobby.sit(authority, table, BO)
    for visitor, seat, refusal in (
        (BO, 0, Forbidden),
        (ANN, 0, WrongTime),
        (ANN, 2, NotFound),
        (ANN, 9, NotFound),
    ):
        with pytest.raises(refusal):
            lobby.free(authority, table, visitor, seat)
    lobby.free(authority, table, ANN, 1)
    live = authority.live(table)
    assert live.seats_of(BO) == []
    assert live.free == 2
    running = seated(authority, ANN, BO)
    with pytest.raises(WrongTime):
        lobby.free(authority, running, ANN, 1)


def test_the_host_lets_anybody_find_a_table_and_hides_it_again(authority: Authority) -> None:
    table = lobby.open_table(authority, ANN, "toy", ["me", "open"]).id
    assert authority.listing() == []
    with pytest.raises(Forbidden):
        lobby.publish(authority, table, BO, True)
    lobby.publish(authority, table, ANN, True)
    assert [live.id for live in authority.listing()] == [table]
    lobby.publish(authority, table, ANN, False)
    assert authority.listing() == []


def test_two_who_open_such_a_link_at_once_do_not_both_become_the_visitor(
    authority: Authority, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    opening = browsers.create_link(authority, ANN)
    found = browsers._valid_row(authority, opening)
    monkeypatch.setattr(browsers, "_valid_row", lambda *_: found)  # as both read it
    browsers.redeem(authority, BO, opening)
    with pytest.raises(NotFound):
        browsers.redeem(authority, CY, opening)
