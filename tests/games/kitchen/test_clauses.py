"""The rules of KITCHEN, one test a clause at least: pieces, board, setting up."""

import pytest

from diablerie.engine import verbs
from diablerie.engine.options import BadOption
from diablerie.engine.queries import chance_outcomes
from diablerie.engine.verbs import CHANCE, WATCHER
from diablerie.games.kitchen.rules.board import (
    DISTANCE,
    GRILLS,
    HOLE,
    NAMES,
    NEIGHBOURS,
    SPACES,
    STARTS,
)
from diablerie.games.kitchen.rules.state import MENUS, SECRET, WEIGHTS, Node
from tests.games.kitchen.kitchens import cards, does, kitchen
from tests.scripts import opening, play, refused

MENUS_OF_FOUR = "0 menu 0 1 3 5, 1 menu 0 1 3 5, 2 menu 0 1 3 5, 3 menu 0 1 3 5"


def menus(seats):
    return ",".join(MENUS_OF_FOUR.split(",")[:seats])


def names(cells):
    return {NAMES[cell] for cell in cells}


# -- pieces ------------------------------------------------------------------------------------


def test_K1_three_devils_with_caps_four_pots_and_milk_1_3_5():
    s = opening("kitchen", 4).state
    assert s.cap.tolist() == [[1, 1, 1]] * 4
    assert s.pot.tolist() == [-1] * 16
    assert sorted(MENUS[0]) == [0, 1, 3, 5]
    assert len({tuple(menu) for menu in MENUS}) == 24


def test_K2_the_dice_have_1_1_2_2_3_and_a_wing_that_counts_0():
    faces = (1, 1, 2, 2, 3, 0)
    match = kitchen()
    match.state.node = Node.ROLL
    found, p = chance_outcomes(match.game, match.state)
    texts = [match.game.notation.format_outcome(match.state, o) for o in found]
    assert texts[3] == "roll 1 wing"
    for text, share in zip(texts, p, strict=True):
        one, other = (0 if word == "wing" else int(word) for word in text.split()[1:])
        ways = sum((a, b) in ((one, other), (other, one)) for a in faces for b in faces)
        assert share == pytest.approx(ways / 36)
    assert sum(WEIGHTS) == 36
    assert does(match, "roll 2 wing").state.points == 2


def duel(**options):
    """Yellow's attack on blue is about to be accepted."""
    match = kitchen(DUEL, 3, **options)
    return does(match, "go 1 c1", "1 fight")


DUEL = """
    y23  y1   b1   .    .    .
    .    b    .    .    g    .
    .    .    #    #    .    .
    .    .    #    #    .    .
    .    v    .    .    y    .
    .    .    .    .    .    b23
"""


def test_K3_a_press_jumps_one_time_in_eight_or_as_the_option_says():
    assert chance_outcomes(duel().game, duel().state)[1] == pytest.approx([7 / 8, 1 / 8])
    for stove in (2, 20):
        match = duel(stove=stove)
        assert chance_outcomes(match.game, match.state)[1][1] == pytest.approx(1 / stove)
    for wrong in (1, 21, "x", 0):
        with pytest.raises(BadOption, match="stove"):
            opening("kitchen", 2, stove=wrong)


# -- board -------------------------------------------------------------------------------------


def test_K4_corners_are_starts_the_middle_a_hole_and_24_are_cooking_places():
    assert names(STARTS) == {"a1", "f1", "f6", "a6"}
    assert names(GRILLS) == {"b2", "e2", "e5", "b5"}
    assert names(HOLE) == {"c3", "d3", "c4", "d4"}
    assert len(SPACES) == 24
    assert refused(kitchen(points=3), "go 1 c3") == "K4"


def test_K5_paths_join_neighbours_and_eight_cut_corners():
    near = {NAMES[cell]: names(NEIGHBOURS[cell]) for cell in range(36)}
    assert near["a1"] == {"b1", "a2"}
    assert near["b1"] == {"a1", "c1", "b2", "a2"}
    assert near["c2"] == {"c1", "b2", "d2", "b3"}
    assert near["d5"] == {"d6", "c5", "e5", "e4"}
    assert near["e5"] == {"d5", "f5", "e4", "e6"}
    assert near["c3"] == set()
    assert refused(kitchen(points=6), "go 1 c1") == "K5"


def test_K6_colours_go_clockwise_and_each_grill_is_by_the_opposite_corner():
    assert [NAMES[cell] for cell in STARTS] == ["a1", "f1", "f6", "a6"]
    assert [NAMES[cell] for cell in GRILLS] == ["e5", "b5", "b2", "e2"]
    assert [DISTANCE[g, s] for s, g in zip(STARTS, GRILLS, strict=True)] == [7] * 4


def test_K7_two_players_take_opposite_colours():
    s = opening("kitchen", 2).state
    assert (s.devil >= 0).all(axis=1).tolist() == [True, False, True, False]


# -- setting up --------------------------------------------------------------------------------


def test_K8_menus_are_assigned_in_secret_by_all_at_once_and_for_good():
    match = opening("kitchen", 3)
    assert match.pending == [0, 1, 2]
    play(match, "1 menu 5 0 3 1")
    assert match.pending == [0, 2]
    assert cards(match, 1)[4:8] == [5, 0, 3, 1]
    assert cards(match, 0)[4:8] == cards(match, WATCHER)[4:8] == [SECRET] * 4
    assert verbs.witness(match.state) == 0
    assert verbs.forbids(match.state, 1, 0) == 8
    assert len(match.legal(0)) == 24
    assert match.legal(0)[:2] == ["menu 0 1 3 5", "menu 0 1 5 3"]


def test_K9_a_fair_lot_decides_who_begins_and_then_it_goes_clockwise():
    match = play(opening("kitchen", 4), MENUS_OF_FOUR)
    assert chance_outcomes(match.game, match.state) == ([0, 1, 2, 3], [0.25] * 4)
    play(match, "first 2")
    order = []
    for place in ("a2", "a3", "a4", "b1", "b3"):
        order.append(match.actor)
        does(match, f"pot {'eye' if place != 'b3' else 'bone'} {place}")
    assert order == [2, 3, 0, 1, 2]


def test_K9_nobody_moves_out_of_turn():
    match = kitchen(points=3, turn=1)
    assert verbs.forbids(match.state, 0, match.game.actions - 3) == 9


def test_K10_pots_are_put_one_by_one_on_any_cooking_place_but_one_of_the_same_colour():
    match = play(opening("kitchen", 2), menus(2) + ", first 1")
    assert len(match.legal()) == 96
    does(match, "pot eye b1", "pot star b1")  # an exit, shared by two colours
    assert refused(match, "pot bone b1") == "K10"
    assert refused(match, "pot eye b3") == "K10"
    assert verbs.forbids(match.state, 0, 24) == 10
    does(match, "pot bone b3", "pot eye a2")
    does(match, "pot flame c1", "pot flame c1", "pot star d1", "pot bone d1")
    assert match.actor == CHANCE
    assert match.node == "roll"
    assert match.state.turn == 1


def test_K11_the_devils_stand_on_their_own_start():
    s = opening("kitchen", 3).state
    assert s.devil[:3].tolist() == [[STARTS[c]] * 3 for c in range(3)]


def test_K12_two_neutral_devils_stand_on_the_exits_of_the_missing_colour():
    s = opening("kitchen", 3).state
    assert [NAMES[cell] for cell in s.devil[3, :2]] == ["a5", "b6"]
    assert s.devil[3, 2] < 0
    assert not s.cap[3].any()
    assert (s.pot[12:] == -2).all()
    assert not (opening("kitchen", 4).state.devil[3] != STARTS[3]).any()
