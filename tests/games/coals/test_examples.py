"""The worked examples of the rules of COALS: each is played, and tells what comes of it."""

from tests.games.coals.rounds import bets, laid, pacts, played, totals, turn
from tests.games.examples import tells
from tests.scripts import play

GORDON, PETRA, LUCY, SAUL = range(4)
PULLED = (
    turn(GORDON, 50, 20, 20, "devil"),
    turn(PETRA, 100, 25, 10),
    turn(LUCY, "devil"),
    turn(SAUL, 20, 10, 10, 10),
)


def test_example_1_the_highest_stake_loses_and_nobody_wins_double():
    stakes = [100, 120, 140, 60]
    match = played(laid([200] * 4), stakes, *PULLED)
    assert totals(match) == [300, 370, 60, 310]
    assert list(match.state.space[:4]) == [4, 5, 1, 5]
    assert pacts(match) == [LUCY]
    bonus, marks = 50, (0, 50, 300)
    tells("coals", 1, 200, *stakes, 50 + 20 + 20, 100 + 25 + 10, bonus, *marks, *totals(match))


def test_example_2_two_highest_stakes_both_win_double():
    match = played(laid([200] * 4), [100, 120, 120, 60], *PULLED)
    assert totals(match) == [300, 490, 440, 310]
    tells("coals", 2, 120, 2 * 120, totals(match)[PETRA], totals(match)[LUCY])


def test_example_3_the_finder_pays_while_fifty_are_there_and_the_bank_pays_the_rest():
    match = laid([190, 0, 0, 0], pacts=[PETRA, LUCY, SAUL])
    play(match, bets(100, 0, 0, 0) + ", 0 pull, coal devil")
    assert list(match.state.chips[:4]) == [40, 50, 50, 50]
    tells("coals", 3, 190 - 100, *match.state.chips[:4])


def test_example_4_everyone_turns_a_devil():
    match, stakes = laid([200] * 4), [100, 20, 0, 10]
    played(match, stakes, *(turn(seat, "devil") for seat in range(4)))
    assert totals(match) == [100, 180, 200, 190]
    tells("coals", 4, 200, *stakes, *totals(match))


def test_example_5_two_reach_the_goal_and_the_richer_one_wins():
    match = played(laid([1500, 1580]), [100, 20], turn(0, 75, 50), turn(1, "devil"))
    assert totals(match) == [1800, match.options["goal"]]
    assert match.over
    assert match.returns() == [1, -1]
    double, bonus = 2 * 100, 50
    tells("coals", 5, 1500, 100, 1580, 20, 75 + 50, double, bonus, *totals(match))
