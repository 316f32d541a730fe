"""The rules of KITCHEN, one test a clause at least: moves, from K13 to K18."""

from diablerie.engine import verbs
from diablerie.games.kitchen.rules.board import NAMES, SPACES
from diablerie.games.kitchen.rules.state import NONE, Node
from tests.games.kitchen.kitchens import at, does, kitchen, may, pot_at, targets
from tests.scripts import refused


def names(cells):
    return {NAMES[cell] for cell in cells}


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
    assert verbs.forbids(match.state, 0, 500) == 13


def test_K14_nobody_steps_onto_a_start_or_anothers_grill():
    match = kitchen(WALK, 3)
    assert refused(match, "go 1 a1") == "K14"
    assert refused(match, "go 1 b2") == "K14"
    assert refused(match, "go 2 e2") == "K14"
    assert refused(match, "go 2 f1") == "K14"


HOME = """
    y3   y1yF .    .    y2   .
    .    b    .    .    g    .
    .    .    #    #    .    .
    .    .    #    #    .    .
    .    v    .    .    y    .
    .    .    .    .    .    b123
"""


def test_K14_with_the_option_a_devil_steps_back_onto_its_own_start():
    match = kitchen(HOME, 3, own_start=True)
    assert may(match, "go 1 a1")
    assert refused(match, "go 2 f1") == "K14"
    assert refused(match, "go 1 b2") == "K14"
    assert refused(match, "go 2 a1") == "K5"
    does(match, "go 1 a1")
    assert (at(match, "y", 1), match.state.points, match.state.obliged) == ("a1", 2, NONE)
    does(match, "go 1 a2", "end")


def test_K14_a_devil_takes_no_pot_onto_its_start_and_does_not_fly_there():
    match = kitchen(HOME, 3, own_start=True)
    assert refused(match, "go 1 a1 yellow-flame") == "K14"
    assert refused(kitchen(HOME, wings=True, own_start=True), "go 2 a1") == "K16"


def test_K15_the_own_start_is_no_place_to_look_ahead_to_but_frees_who_steps_there():
    drawing = HOME.replace("y1yF .    .    y2", "y1   y2   .    . ")
    match = does(kitchen(drawing, 2, own_start=True), "go 2 b1")
    assert refused(match, "end") == "K15"
    assert targets(match, 2) == {"a1", "a2", "c1"}
    assert does(match, "go 2 a1").node == "roll"


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
    assert fought.state.obliged == NONE
    served = does(kitchen(drawing, 3), "go 1 f5", "go 1 e5 violet-star")
    assert served.state.obliged == NONE
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
        assert targets(match, devil) == names(SPACES) - {"c1", "e4"}
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
