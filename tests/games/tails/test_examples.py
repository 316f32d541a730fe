"""The worked examples of the rule file."""

from diablerie.games.tails.rules.board import NUMBER
from diablerie.games.tails.rules.state import Node
from tests.games.tails.drawing import both, drawn, play, put, runs_to, score


def test_example_1_g_scores_1_at_once():
    assert NUMBER[6] == 1
    s = play(drawn(), 6, "01-23-45")
    assert score(s, "G") == 1


def test_example_2_a_tile_crossed_twice_counts_twice():
    s = drawn()
    put(s, 6, 3, 2)
    assert runs_to(s, "G") == ("cell 14", 1)
    put(s, 14, 0)
    assert score(s, "G") == 3


def test_example_3_c_and_d_meet():
    s = drawn()
    put(s, 0, 2)
    put(s, 1, 5, 0)
    assert runs_to(s, "C") == ("D", 2)
    assert score(s, "C") == score(s, "D") == 0


def test_example_4_the_next_players_first_tile_goes_on_the_other_14():
    one, other = both(14)
    s = play(drawn(), one, "02-14-35")
    assert (s.turn, s.node, s.cell) == (1, Node.TILE, other)
