"""Giving up: the others win, or a bot plays on for who has gone."""

import pytest

from diablerie.engine import files
from diablerie.engine.verbs import WATCHER
from diablerie.table.authority import Authority
from diablerie.table.commands import decisions, lobby, seats
from diablerie.table.errors import Forbidden, IllegalMove, WrongTime
from tests.table.conftest import ANN, BO, CY, play, seated


def test_of_two_the_other_wins(authority: Authority) -> None:
    table = seated(authority, ANN, BO)
    live = seats.resign(authority, table, ANN, 0)
    assert live.status == "over"
    assert live.match is not None
    assert live.match.returns() == [-1.0, 1.0]
    assert "player 1 resigns." in [str(x) for e in authority.log(live, WATCHER) for x in e.lines]
    read = files.parse_match(authority.export(live, 1).encode(), {"toy": live.game}, dice=True)
    assert read.over
    with pytest.raises(IllegalMove, match="over"):
        play(authority, table, "1 bid 1")


def test_where_others_play_on_a_bot_takes_over_for_good(authority: Authority) -> None:
    table = seated(authority, ANN, BO, CY)
    live = seats.resign(authority, table, BO, 1)
    assert live.status == "running"
    assert live.seats[1].driver
    with pytest.raises(WrongTime):
        seats.relieve_bot(authority, table, BO, 1)
    with pytest.raises(WrongTime):
        play(authority, table, "1 bid 1")
    with pytest.raises(WrongTime):
        seats.resign(authority, table, BO, 1)
    play(authority, table, "0 bid 1")
    decisions.decide_as_bot(authority, table, 1, authority.live(table).ply, "bid 2")
    assert seats.resign(authority, table, CY, 2).status == "over"


def test_only_ones_own_seat_in_a_game_that_runs(authority: Authority) -> None:
    table = seated(authority, ANN, BO)
    with pytest.raises(Forbidden):
        seats.resign(authority, table, ANN, 1)
    waiting = lobby.open_table(authority, ANN, "toy", ["me", "open"]).id
    with pytest.raises(WrongTime):
        seats.resign(authority, waiting, ANN, 0)


def test_it_is_there_after_a_restart(authority: Authority, reopen) -> None:
    table = seated(authority, ANN, BO, CY)
    seats.resign(authority, table, BO, 1)
    again = reopen()
    with pytest.raises(WrongTime):
        seats.resign(again, table, BO, 1)
    assert seats.resign(again, table, ANN, 0).status == "over"
