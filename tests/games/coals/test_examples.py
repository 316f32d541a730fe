"""The worked examples of the rules of COALS."""

from tests.games.coals.rounds import bets, laid, pacts, played, totals, turn
from tests.scripts import play

GORDON, PETRA, LUCY, SAUL = range(4)
PULLED = (
    turn(GORDON, 50, 20, 20, "devil"),
    turn(PETRA, 100, 25, 10),
    turn(LUCY, "devil"),
    turn(SAUL, 20, 10, 10, 10),
)


def test_example_1_the_highest_stake_loses_and_nobody_wins_double():
    match = played(laid([200] * 4), [100, 120, 140, 60], *PULLED)
    assert totals(match) == [300, 370, 60, 310]
    assert list(match.state.space[:4]) == [4, 5, 1, 5]
    assert pacts(match) == [LUCY]


def test_example_2_two_highest_stakes_both_win_double():
    match = played(laid([200] * 4), [100, 120, 120, 60], *PULLED)
    assert totals(match) == [300, 490, 440, 310]


def test_example_3_the_finder_pays_while_fifty_are_there_and_the_bank_pays_the_rest():
    match = laid([190, 0, 0, 0], pacts=[PETRA, LUCY, SAUL])
    play(match, bets(100, 0, 0, 0) + ", 0 pull, coal devil")
    assert list(match.state.chips[:4]) == [40, 50, 50, 50]


def test_example_4_everyone_turns_a_devil():
    match = laid([200] * 4)
    played(match, [100, 20, 0, 10], *(turn(seat, "devil") for seat in range(4)))
    assert totals(match) == [100, 180, 200, 190]
