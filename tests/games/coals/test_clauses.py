"""The rules of COALS, one test a clause."""

import pytest

from diablerie.engine.asking import Illegal, redacted
from diablerie.engine.options import BadOption
from diablerie.engine.verbs import WATCHER
from diablerie.games.coals.rules import settling
from diablerie.games.coals.rules.state import FULL, SECRET, VALUES, Node
from tests.games.coals.rounds import bets, laid, pacts, played, totals, turn
from tests.scripts import opening, play


def refused(match, text, seat=None):
    """The clause that forbids an action."""
    with pytest.raises(Illegal) as error:
        match.check(text, seat)
    return error.value.clause


def test_C1_the_furnace_holds_48_pieces_nine_of_them_devils():
    assert dict(zip((*VALUES[:6], "devil"), FULL, strict=True)) == {
        100: 2, 75: 3, 50: 7, 25: 9, 20: 9, 10: 9, "devil": 9,
    }  # fmt: skip
    assert settling.left(opening("coals", 2).state) == 48


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
    assert settling.space_of(opening("coals", 2).state, total) == space


def test_C4_the_track_is_an_option():
    s = opening("coals", 2, track="100,200,400,1600").state
    assert [settling.space_of(s, t) for t in (50, 60, 100, 200, 300, 1600)] == [0, 1, 2, 4, 5, 8]
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


def test_C14_the_finder_pays_each_holder_50_at_once():
    match = played(laid([200, 40, 30], pacts=[1, 2]), [0, 0, 0], "0 pull, coal devil")
    assert totals(match) == [100, 90, 80]


def test_C14_a_holder_does_not_pay_himself_but_pays_the_others():
    match = played(laid([200, 40, 30], pacts=[0, 1]), [0, 0, 0], "0 pull, coal devil")
    assert totals(match) == [150, 90, 30]


def test_C14_what_a_pact_brought_this_round_pays_nothing():
    match = laid([20, 30, 200], pacts=[0, 1], first=2)
    played(match, [0, 0, 0], "2 pull, coal devil", "0 pull, coal devil")
    assert totals(match) == [20 + 50, 30 + 50 + 50, 100]


def test_C15_a_pact_pays_for_every_devil_of_the_round():
    match = laid([200, 200, 30], pacts=[2])
    played(match, [0, 0, 0], turn(0, "devil"), turn(1, "devil"))
    assert totals(match) == [150, 150, 130]


def test_C15_with_first_devil_all_pacts_end_with_the_first_that_paid():
    match = laid([200, 200, 30], pacts=[2], pact="first_devil")
    played(match, [0, 0, 0], turn(0, "devil"), turn(1, "devil"))
    assert totals(match) == [150, 200, 80]


def test_C15_the_finders_own_pact_ends_too():
    match = laid([200, 20, 30], pacts=[1, 2], first=1, pact="first_devil")
    played(match, [0, 0, 0], turn(1, "devil"), turn(2, "devil"))
    assert totals(match) == [200, 20, 80]


def test_C15_a_devil_of_the_only_holder_ends_nothing():
    match = laid([30, 200], pacts=[0], pact="first_devil")
    played(match, [0, 0], turn(0, "devil"))
    assert pacts(match) == [0]
    play(match, "1 pull, coal devil")
    assert totals(match) == [80, 150]


def shown(match, seat, viewer):
    return match.view(viewer)["seats"][seat]["total"]


def test_C16_a_pact_opens_the_purse_but_not_the_stake():
    match = laid([200, 100], pacts=[1])
    assert shown(match, 0, 1) is None
    assert shown(match, 0, 0) == 200
    assert shown(match, 1, 0) == 100
    play(match, "1 bet 80")
    assert shown(match, 1, 0) == 100
    play(match, "0 bet 10")
    assert shown(match, 1, 0) == 100
    assert shown(laid([200, 100], open_purses="yes"), 0, 1) == 200


def test_C17_a_stake_above_the_best_coal_is_lost_and_others_are_paid_once():
    match = played(laid([200] * 3), [60, 50, 40], turn(0, 50), turn(1, 10), turn(2, 10, 20))
    assert totals(match) == [200 - 60 + 50, 250, 240 + 50]


def test_C17_when_all_burn_their_fingers_every_positive_stake_is_lost():
    match = played(laid([200] * 2), [10, 0], turn(0, "devil"), turn(1, "devil"))
    assert totals(match) == [190, 200]


def test_C17_when_every_stake_is_0_nothing_is_paid_for_bets():
    match = played(laid([200] * 2), [0, 0], turn(0, 50), turn(1, "devil"))
    assert totals(match) == [300, 200]


def test_C18_the_highest_stake_wins_double_for_everyone_who_made_it():
    match = played(laid([200] * 3), [50, 50, 20], turn(0, "devil"), turn(1, 50), turn(2, "devil"))
    assert totals(match) == [300, 300 + 100, 220]


def test_C18_nobody_wins_double_when_the_highest_stake_loses():
    match = played(laid([200] * 3), [60, 50, 20], turn(0, "devil"), turn(1, 50), turn(2, "devil"))
    assert totals(match) == [140, 250 + 100, 220]


def test_C19_most_value_and_most_pieces_bring_50_each_to_all_who_tie():
    match = played(laid([200] * 3), [0, 0, 0], turn(0, 20), turn(1, 10, 10), turn(2, 10))
    assert totals(match) == [250, 300, 200]


def test_C19_no_bonus_for_a_devil_or_without_a_turn():
    match = laid([200] * 3, furnace=(0, 0, 0, 0, 0, 0, 1))
    played(match, [0, 0, 0], "0 pull, coal devil")
    assert totals(match) == [200] * 3


def test_C20_each_pawn_moves_to_its_owners_total():
    match = played(laid([200] * 2), [0, 0], turn(0, 100), turn(1, "devil"))
    assert list(match.state.space[:2]) == [settling.space_of(match.state, t) for t in (300, 200)]


def test_C21_1600_ends_the_game_and_the_highest_total_wins():
    match = played(laid([1500, 1560]), [0, 20], turn(0, 100), turn(1, 20))
    assert match.over
    assert totals(match) == [1600, 1560 + 40 + 50]
    assert match.returns() == [-1.0, 1.0]


def test_C21_equal_totals_share_the_win():
    match = laid([1500, 1500, 200])
    played(match, [0, 0, 0], turn(0, 100), turn(1, 100), turn(2, "devil"))
    assert match.returns() == [0.5, 0.5, -1.0]


def test_C21_nothing_in_mid_round_ends_the_game():
    match = laid([1590, 200, 200], pacts=[0])
    played(match, [100, 0, 0], turn(0, "devil"), turn(1, "devil"))
    assert totals(match)[0] == 1640
    assert not match.over
    play(match, turn(2, "devil"))
    assert totals(match)[0] == 1640 + 50 - 100
    assert not match.over


def test_C22_the_last_pawn_alone_has_a_pact():
    match = played(laid([200] * 3), [100, 0, 0], turn(0, 10), turn(1, 20), turn(2, 20))
    assert pacts(match) == [0]


def test_C22_everyone_on_0_50_has_a_pact_and_a_shared_last_space_none():
    both = played(laid([200, 50, 50]), [0, 0, 0], turn(0, 10), turn(1, "devil"), turn(2, "devil"))
    assert pacts(both) == [1, 2]
    none = played(laid([900, 200, 200]), [0, 0, 0], turn(0, 10), turn(1, "devil"), turn(2, "devil"))
    assert pacts(none) == []


def test_C22_no_pact_in_the_first_round():
    assert pacts(laid([200, 200])) == []
    assert pacts(opening("coals", 6)) == []


def test_C23_the_furnace_is_filled_again_when_mouth_or_fewer_are_left():
    low, high = (0, 0, 0, 0, 0, 20, 2), (0, 0, 0, 0, 0, 21, 2)
    for furnace, left in ((low, 48), (high, 21)):
        match = laid([200, 200], furnace=furnace)
        played(match, [0, 0], turn(0, 10), turn(1, 10))
        assert settling.left(match.state) == left
    never = laid([200, 200], furnace=low, mouth="0")
    assert settling.left(played(never, [0, 0], turn(0, 10), turn(1, 10)).state) == 20


def test_C24_the_hundredth_round_is_the_last():
    match = laid([400, 200])
    match.state.rounds = 99
    played(match, [0, 0], turn(0, "devil"), turn(1, "devil"))
    assert not match.over
    played(match, [0, 0], turn(1, "devil"), turn(0, "devil"))
    assert match.over
    assert match.state.node == Node.OVER
    assert match.returns() == [1.0, -1.0]
