"""The rules of COALS up to the pact, one test a clause; the rest: test_clauses_settling."""

import pytest

from diablerie.engine.options import BadOption
from diablerie.engine.queries import Illegal, redacted
from diablerie.engine.shared_rules import total
from diablerie.engine.verbs import WATCHER
from diablerie.games.coals.rules.settling import space_of
from diablerie.games.coals.rules.state import FULL, SECRET, VALUES
from tests.games.coals.rounds import bets, laid, played, totals, turn
from tests.scripts import opening, play, refused


def test_C1_the_furnace_holds_48_pieces_nine_of_them_devils():
    assert dict(zip((*VALUES[:6], "devil"), FULL, strict=True)) == {
        100: 2, 75: 3, 50: 7, 25: 9, 20: 9, 10: 9, "devil": 9,
    }  # fmt: skip
    assert total(opening("coals", 2).state.furnace) == 48


def test_C2_money_is_in_tens_and_the_bank_never_runs_dry():
    match = laid([1590, 200])
    play(match, bets(100, 0))
    for text in ("bet 15", "bet -10", "bet 1600"):
        with pytest.raises(ValueError, match="multiple of 10"):
            match.check(text, 0)
    play(match, ", ".join([turn(0, 100), turn(1, "devil")]))
    assert totals(match) == [1590 + 200 + 100, 200]


def test_C3_everyone_starts_with_200_and_a_pawn_on_200():
    s = opening("coals", 3).state
    assert list(s.chips[:3]) == [200] * 3
    assert list(s.space[:3]) == [2] * 3


@pytest.mark.parametrize(
    ("total", "space"),
    [(0, 0), (50, 0), (60, 1), (200, 2), (210, 3), (300, 4), (490, 5), (500, 6), (800, 8),
     (1200, 10), (1590, 11), (1600, 12), (2400, 12)],
)  # fmt: skip
def test_C4_a_pawn_stands_on_a_mark_only_with_exactly_its_total(total, space):
    assert space_of(opening("coals", 2).state, total) == space


def test_C4_the_track_is_an_option():
    s = opening("coals", 2, track="100,200,400,1600").state
    assert [space_of(s, t) for t in (50, 60, 100, 200, 300, 1600)] == [0, 1, 2, 4, 5, 8]
    for wrong in ("200,100,1600", "40,200,1600", "300,1600", "200,1500", "205,1600", "", "x"):
        with pytest.raises(BadOption, match="track"):
            opening("coals", 2, track=wrong)


def test_C5_a_round_is_bets_then_pulling_then_settling_then_pawns():
    match = laid([200, 200])
    assert refused(match, "pull", 0) == "C5"
    play(match, bets(0, 0))
    assert refused(match, "bet 10", 0) == "C5"
    play(match, f"{turn(0, 100)}, {turn(1, 75)}")
    assert totals(match) == [300, 250]
    assert list(match.state.space[:2]) == [4, 3]
    assert match.node == "bet"


def test_C6_each_round_starts_one_seat_further_clockwise():
    match = opening("coals", 3)
    play(match, "first 2")
    for first in (2, 0, 1, 2):
        play(match, bets(0, 0, 0))
        assert match.actor == first
        play(match, ", ".join(turn((first + i) % 3, 10 * i or 25) for i in range(3)))


def test_C7_all_stake_in_secret_at_the_same_time():
    match = laid([200, 100])
    assert match.pending == [0, 1]
    play(match, "1 bet 100")
    assert match.pending == [0]
    assert redacted(match.state, 0).stake[1] == SECRET
    assert redacted(match.state, WATCHER).stake[1] == SECRET
    assert redacted(match.state, 1).stake[1] == 100
    play(match, "0 bet 50")
    assert list(redacted(match.state, WATCHER).stake[:2]) == [50, 100]


def test_C7_a_stake_is_at_most_what_one_has():
    match = laid([200, 100])
    assert match.legal(1) == [f"bet {n}" for n in range(0, 101, 10)]
    assert refused(match, "bet 110", 1) == "C7"


def test_C8_without_chips_one_stakes_nothing_and_still_pulls():
    match = laid([0, 200])
    assert match.legal(0) == ["bet 0"]
    assert refused(match, "bet 10", 0) == "C8"
    played(match, [0, 10], turn(0, 100), turn(1, "devil"))
    assert totals(match) == [100, 190 + 30]


def test_C9_a_stake_pays_for_nothing_else():
    match = laid([100, 100, 20], pacts=[2])
    played(match, [60, 0, 0], "0 pull, coal devil")
    assert totals(match) == [100, 100, 70]


def test_C10_the_first_piece_is_compulsory_and_turns_go_clockwise():
    match = laid([200, 200, 200], first=1)
    play(match, bets(0, 0, 0))
    assert match.legal() == ["pull"]
    assert refused(match, "stop", 1) == "C10"
    play(match, "1 pull, coal 10")
    assert match.legal() == ["pull", "stop"]
    play(match, "1 stop")
    assert match.actor == 2


def test_C11_stopping_counts_value_and_pieces():
    match = played(laid([200, 200]), [0, 0], turn(0, 50, 25, 10))
    assert (match.state.coal[0], match.state.pieces[0]) == (85, 3)
    assert match.actor == 1


def test_C12_a_devil_ends_the_turn_and_the_coal_is_lost_but_not_the_bet():
    match = played(laid([200, 200]), [50, 0], turn(0, 100, "devil"))
    assert (match.state.coal[0], match.state.pieces[0]) == (0, 0)
    assert match.actor == 1
    play(match, turn(1, 50))
    assert match.state.last_busted[0] == 1
    assert totals(match)[0] == 200 + 2 * 50


def test_C13_the_last_coal_counts_and_ends_the_pulling():
    match = laid([200, 200, 200], furnace=(1, 0, 0, 0, 0, 0, 0))
    played(match, [100, 0, 10], "0 pull, coal 100")
    assert match.node == "bet"
    assert list(match.state.last_coal[:3]) == [100, 0, 0]
    assert totals(match) == [200 + 200 + 100, 200, 210]


def test_C13_a_last_devil_busts_and_pays_pacts():
    match = laid([200, 200], pacts=[1], furnace=(0, 0, 0, 0, 0, 0, 1))
    played(match, [10, 0], "0 pull, coal devil")
    assert totals(match) == [140, 250]


@pytest.mark.parametrize("text", ["bet 5000", "bet 15", "bet -10"])
def test_C7_forbids_stakes_that_nobody_can_have(text):
    with pytest.raises(Illegal) as error:
        opening("coals", 2).check(text, 0)
    assert error.value.clause == "C7"


def test_C10_forbids_to_pull_out_of_turn():
    match = laid([200, 200])
    play(match, bets(0, 0))
    assert refused(match, "pull", 1 - match.actor) == "C10"
