"""The rules of COALS from the pact on, one test a clause."""

from diablerie.engine.shared_rules import total
from diablerie.games.coals.rules.settling import space_of
from diablerie.games.coals.rules.state import Node
from tests.games.coals.rounds import laid, pacts, played, totals, turn
from tests.scripts import opening, play


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
    return match.view(viewer).seats[seat].total


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
    assert list(match.state.space[:2]) == [space_of(match.state, t) for t in (300, 200)]


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
        assert total(match.state.furnace) == left
    never = laid([200, 200], furnace=low, mouth="0")
    assert total(played(never, [0, 0], turn(0, 10), turn(1, 10)).state.furnace) == 20


def test_C24_the_hundredth_round_is_the_last():
    match = laid([400, 200])
    match.state.rounds = 99
    played(match, [0, 0], turn(0, "devil"), turn(1, "devil"))
    assert not match.over
    played(match, [0, 0], turn(1, "devil"), turn(0, "devil"))
    assert match.over
    assert match.state.node == Node.OVER
    assert match.returns() == [1.0, -1.0]
