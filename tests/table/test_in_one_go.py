"""Several decisions in one go, where chance comes in between but changes nothing for them."""

from dataclasses import replace

import pytest

from diablerie.engine.match import Match
from diablerie.engine.verbs import WATCHER
from diablerie.table.errors import IllegalMove
from diablerie.table.state.table_state import FINISHED_TABLE, PERSON, RUNNING, TableSeat, TableState
from diablerie.table.state.transitions import play_decision
from tests.games.underworld.boards import board, space


def table(match: Match) -> TableState:
    seats = tuple(TableSeat(i, PERSON, "", f"v{i}") for i in range(match.seats))
    live = TableState("t", match.game, match.options, RUNNING, True, None, "", 0.0, seats)
    match._begin()  # an opening arranged by hand has no ply of its own
    return replace(live, match=match)


def out() -> TableState:
    """Seat 0 has left, two others are still in, and it is seat 0's turn."""
    match = board(3, "0 left")
    return table(match)


def test_who_is_out_turns_two_cards_up_in_one_go():
    live = out()
    before = live.match.view(WATCHER).down
    after = play_decision(live, 0, live.ply, ["reveal t1", "reveal z7"], 1.0)
    assert after.match.view(WATCHER).down == before - 2
    assert after.match.state.up >> space("z7") & 1
    assert after.pending == [1]


def test_the_same_card_twice_is_refused():
    live = out()
    with pytest.raises(IllegalMove):
        play_decision(live, 0, live.ply, ["reveal t1", "reveal t1"], 1.0)


def test_not_more_than_the_rules_ask_for():
    live = out()
    with pytest.raises(IllegalMove):
        play_decision(live, 0, live.ply, ["reveal t1", "reveal z7", "reveal t2"], 1.0)


def test_elsewhere_chance_still_ends_what_one_can_decide():
    live = table(board(2, "0 at t2"))
    with pytest.raises(IllegalMove):
        play_decision(live, 0, live.ply, ["move t1", "move u2"], 1.0)
    assert live.status != FINISHED_TABLE


def test_the_picture_offers_both_cards_in_one_tap():
    live = out()
    position = live.position(0)
    moves = [move.text for move in position.moves]
    drawn = live.game.ui.draw(position.view, moves, str)
    assert 'id="uw-sign-any-two"' in drawn
    steps = drawn.partition('id="uw-sign-any-two"')[0].rpartition('data-action="')[2]
    one, other = steps.partition('"')[0].split("; ")
    assert one != other
    assert {one, other} <= set(moves)
    after = play_decision(live, 0, live.ply, [one, other], 1.0)
    assert after.pending == [1]
