"""The rules of KITCHEN, one test a clause at least: pieces, board, setting up, walking."""

import pytest

from diablerie.engine.asking import outcomes
from diablerie.engine.options import BadOption
from diablerie.engine.verbs import CHANCE, WATCHER
from diablerie.games.kitchen.rules.board import (
    GRILLS,
    HOLE,
    NAMES,
    NEIGHBOURS,
    PLACES,
    STARTS,
    STEPS,
)
from diablerie.games.kitchen.rules.state import MENUS, SECRET, WEIGHTS, Node
from tests.games.kitchen.kitchens import (
    at,
    cards,
    does,
    kitchen,
    may,
    pot_at,
    refused,
    targets,
)
from tests.scripts import opening, play

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
    found, p = outcomes(match.game, match.state)
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
    assert outcomes(duel().game, duel().state)[1] == pytest.approx([7 / 8, 1 / 8])
    for stove in (2, 20):
        match = duel(stove=stove)
        assert outcomes(match.game, match.state)[1][1] == pytest.approx(1 / stove)
    for wrong in (1, 21, "x", 0):
        with pytest.raises(BadOption, match="stove"):
            opening("kitchen", 2, stove=wrong)


# -- board -------------------------------------------------------------------------------------


def test_K4_corners_are_starts_the_middle_a_hole_and_24_are_cooking_places():
    assert names(STARTS) == {"a1", "f1", "f6", "a6"}
    assert names(GRILLS) == {"b2", "e2", "e5", "b5"}
    assert names(HOLE) == {"c3", "d3", "c4", "d4"}
    assert len(PLACES) == 24
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
    assert [STEPS[g, s] for s, g in zip(STARTS, GRILLS, strict=True)] == [7] * 4


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
    assert match.game.rules.witness(match.state) == 0
    assert match.game.rules.forbids(match.state, 1, 0) == 8
    assert len(match.legal(0)) == 24
    assert match.legal(0)[:2] == ["menu 0 1 3 5", "menu 0 1 5 3"]


def test_K9_a_fair_lot_decides_who_begins_and_then_it_goes_clockwise():
    match = play(opening("kitchen", 4), MENUS_OF_FOUR)
    assert outcomes(match.game, match.state) == ([0, 1, 2, 3], [0.25] * 4)
    play(match, "first 2")
    order = []
    for place in ("a2", "a3", "a4", "b1", "b3"):
        order.append(match.actor)
        does(match, f"pot {'eye' if place != 'b3' else 'bone'} {place}")
    assert order == [2, 3, 0, 1, 2]


def test_K9_nobody_moves_out_of_turn():
    match = kitchen(points=3, turn=1)
    assert match.game.rules.forbids(match.state, 0, match.game.actions - 3) == 9


def test_K10_pots_are_put_one_by_one_on_any_cooking_place_but_one_of_the_same_colour():
    match = play(opening("kitchen", 2), menus(2) + ", first 1")
    assert len(match.legal()) == 96
    does(match, "pot eye b1", "pot star b1")  # an exit, shared by two colours
    assert refused(match, "pot bone b1") == "K10"
    assert refused(match, "pot eye b3") == "K10"
    assert match.game.rules.forbids(match.state, 0, 24) == 10
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


# -- walking -----------------------------------------------------------------------------------

WALK = """
    y3   y1   .    .    y2   .
    .    b    .    .    g    .
    .    .    #    #    .    .
    .    .    #    #    .    .
    .    v    .    .    y    .
    .    .    .    .    .    b123
"""


def test_K13_points_may_be_split_and_need_not_be_used():
    match = kitchen(WALK, 3)
    does(match, "go 1 c1", "go 2 d1")
    assert match.state.points == 1
    does(match, "end")
    assert match.node == "roll"
    assert match.state.turn == 1


def test_K13_no_points_no_step_and_the_turn_ends_by_itself():
    match = does(kitchen(WALK, 1), "go 1 c1")
    assert match.node == "roll"
    assert match.game.rules.forbids(match.state, 0, 500) == 13


def test_K14_nobody_steps_onto_a_start_or_anothers_grill():
    match = kitchen(WALK, 3)
    assert refused(match, "go 1 a1") == "K14"
    assert refused(match, "go 1 b2") == "K14"
    assert refused(match, "go 2 e2") == "K14"
    assert refused(match, "go 2 f1") == "K14"


PASS = """
    y3   y1   y2   .    .    .
    .    b    .    .    g    .
    .    .    #    #    .    .
    .    .    #    #    .    .
    .    v    .    .    y    .
    .    .    .    .    .    b123
"""


def test_K15_own_devils_pass_but_do_not_stand_together():
    match = kitchen(PASS, 1)
    assert refused(match, "go 1 c1") == "K15"
    match = does(kitchen(PASS, 3), "go 1 c1")
    assert match.state.obliged == 0
    assert refused(match, "end") == "K15"
    assert refused(match, "go 3 a2") == "K15"
    assert targets(match, 1) == {"b1", "c2", "d1"}
    does(match, "go 1 c2", "end")


def test_K15_walking_on_over_another_own_devil_needs_a_point_more():
    drawing = PASS.replace("y2   .    .    .", "y2   y3   .    .").replace("y3   y1", ".    y1")
    assert "go 1 c1" in kitchen(drawing, 2).legal()
    match = does(kitchen(drawing, 2), "go 1 c1")
    assert refused(match, "go 1 d1") == "K15"  # would stand on devil 3 without a point
    assert targets(match, 1) == {"b1", "c2"}
    assert may(does(kitchen(drawing, 3), "go 1 c1"), "go 1 d1")


def test_K15_pots_may_be_swapped_and_served_on_the_way_and_a_duel_frees():
    drawing = """
        .    .    .    .    .    .
        .    b    .    .    g    .
        .    .    #    #    .    .
        .    .    #    #    .    b1
        .    v    .    .    y    y2vS
        .    .    .    y3   y1yB b23
    """
    match = does(kitchen(drawing, 3), "go 1 f5 yellow-bone")
    assert refused(match, "go 1 e5") == "K27"
    assert may(match, "go 1 e5 violet-star")
    fought = does(match, "go 1 f4")
    assert fought.node == "defend"
    assert fought.state.obliged == -1
    served = does(kitchen(drawing, 3), "go 1 f5", "go 1 e5 violet-star")
    assert served.state.obliged == -1
    assert may(served, "end")


def test_K15_the_point_of_a_duel_counts_for_walking_on():
    drawing = """
        .    .    .    b1   y2   .
        .    b    y1   .    g    .
        .    .    #    #    .    .
        .    .    #    #    .    .
        .    v    .    .    y    .
        .    .    .    .    .    b23
    """
    match = does(kitchen(drawing, 3), "go 1 d2", "go 1 d1", "1 fight", "jump")
    assert (match.state.points, match.state.extra) == (1, 1)
    does(match, "go 1 e1")  # the extra point first; one is left to walk on
    assert targets(match, 1) == {"d1", "f2"}
    match = does(kitchen(drawing, 2), "go 1 d2", "go 1 d1", "1 fight", "jump")
    assert (match.state.points, match.state.extra) == (0, 1)
    assert refused(match, "go 1 e1") == "K15"


def test_K15_any_number_stand_on_the_start():
    match = kitchen(points=2)
    assert targets(match, 1) == targets(match, 2) == targets(match, 3) == {"b1", "a2"}


FLY = """
    y3   b1   y1yF .    .    .
    .    b    .    .    g    .
    .    .    #    #    .    vS
    .    .    #    #    y2   .
    .    v    .    .    y    .
    .    .    .    .    .    b23
"""


def test_K16_two_wings_fly_one_devil_to_any_place_without_an_own_one():
    match = kitchen(FLY, wings=True)
    for devil in (1, 2, 3):
        assert targets(match, devil) == names(PLACES) - {"c1", "e4"}
    assert refused(match, "go 1 c1") == "K16"
    assert refused(match, "go 1 e4") == "K16"
    assert refused(match, "go 2 e5") == "K16"
    assert refused(match, "go 2 a1") == "K14"
    flown = does(match.copy(), "go 3 f3")
    assert at(flown, "y", 3) == "f3"
    assert flown.node == "roll"
    assert does(match.copy(), "end").node == "roll"
    assert does(match, "go 2 b1").node == "defend"


def test_K16_a_roll_of_two_wings_is_one_flight():
    match = kitchen(FLY)
    match.state.node = Node.ROLL
    does(match, "roll wing wing")
    assert (match.state.wings, match.state.points) == (1, 0)


POTS = """
    y3   y1yFbE bB .    .    .
    .    b    .    .    g    .
    .    .    #    #    .    .
    .    .    #    #    .    .
    .    v    .    .    y    .
    .    .    .    .    .    b123
"""


def test_K17_a_devil_takes_any_one_pot_and_swaps_as_it_goes():
    match = kitchen(POTS, 3)
    assert [t for t in match.legal() if t.startswith("go 1 c1")] == [
        "go 1 c1", "go 1 c1 yellow-flame", "go 1 c1 blue-eye",
    ]  # fmt: skip
    assert refused(match, "go 1 c1 blue-bone") == "K17"
    assert refused(match, "go 3 a2 yellow-flame") == "K17"
    does(match, "go 1 c1 blue-eye", "go 1 d1 blue-bone")
    assert [pot_at(match, pot) for pot in ("yF", "bE", "bB")] == ["b1", "c1", "d1"]
    assert match.state.points == 1  # handling pots costs nothing


def test_K17_a_flying_devil_takes_a_pot_from_where_it_takes_off():
    match = does(kitchen(FLY, wings=True), "go 1 f3 yellow-flame")
    assert pot_at(match, "yF") == pot_at(match, "vS") == "f3"
    assert refused(kitchen(FLY, wings=True), "go 1 f4 violet-star") == "K17"


def test_K18_a_pot_stands_where_its_devil_stopped_and_any_devil_takes_it_on():
    match = does(kitchen(POTS, 6), "go 1 c1 blue-eye", "go 1 d1 blue-bone", "go 1 d2")
    assert pot_at(match, "bB") == "d1"
    match = does(match, "go 3 b1", "go 3 c1 yellow-flame")
    assert {pot_at(match, pot) for pot in ("yF", "bE")} == {"c1"}
    assert may(match, "go 3 d1 blue-eye")


def test_K18_a_place_holds_pots_of_one_colour_too():
    match = does(kitchen(POTS, 2), "go 1 c1 blue-eye")
    assert pot_at(match, "bE") == pot_at(match, "bB")
