"""The worked examples of the rules of TAILS: each is played, and tells what comes of it."""

from diablerie.games.tails.rules.state import NUMBER, Node
from tests.games.examples import tells
from tests.games.tails.drawing import KIND, both, cells, clause, drawn, play, put, runs_to, score

TILES = list(KIND)


def test_example_1_g_scores_1_at_once():
    assert NUMBER[6] == 1
    s = play(drawn(), 6, "01-23-45")
    assert score(s, "G") == 1
    tells("tails", 1, "01-23-45", NUMBER[6], score(s, "G"))


def test_example_2_a_tile_crossed_twice_counts_twice():
    s = drawn()
    put(s, 6, 3, 2)
    assert runs_to(s, "G") == ("cell 14", 1)
    put(s, 14, 0)
    assert score(s, "G") == 3
    tells("tails", 2, TILES[3], TILES[0], NUMBER[14], score(s, "G"))


def test_example_3_c_and_d_meet():
    s = drawn()
    put(s, 0, 2)
    put(s, 1, 5, 0)
    assert runs_to(s, "C") == ("D", 2)
    assert score(s, "C") == score(s, "D") == 0
    _, crossed = runs_to(s, "C")
    tells("tails", 3, NUMBER[0], TILES[2], NUMBER[1], TILES[5], crossed)


def test_example_4_the_next_players_first_tile_goes_on_the_other_14():
    one, other = both(14)
    s = play(drawn(), one, "02-14-35")
    assert (s.turn, s.node, s.cell) == (1, Node.TILE, other)
    tells("tails", 4, NUMBER[one])


def test_example_5_an_opponents_body_forbids_a_cell_and_an_empty_edge_does_not():
    g, bare = 6, 4
    first, second = drawn(turn=0), drawn(turn=1)
    assert g in cells(first)
    assert g not in cells(second)
    assert clause(second, g) == "T11"
    assert bare in cells(first)
    assert bare in cells(second)
    tells("tails", 5, NUMBER[g], NUMBER[bare])
