"""The worked examples of the rules of KITCHEN: each is played, and tells what comes of it."""

from tests.games.examples import tells
from tests.games.kitchen.kitchens import at, capped, does, kitchen, may, pot_at, targets
from tests.scripts import refused


def test_example_1_refused():
    match = kitchen(
        """
        y23  y1yE b1bS .    .    .
        .    b    .    .    g    .
        .    .    #    #    .    .
        .    .    #    #    .    .
        .    v    .    .    y    .
        .    .    .    .    .    b23
        """,
        3,
    )
    does(match, "go 1 c1 yellow-eye", "1 refuse")
    assert at(match, "b", 1) == "f6"
    assert capped(match, "b", 1)
    assert pot_at(match, "yE") == pot_at(match, "bS") == "c1"
    assert (match.actor, match.state.points, match.state.extra) == (0, 2, 0)
    assert may(match, "go 1 d1 yellow-eye")
    assert may(match, "go 1 d1 blue-star")
    tells("kitchen", 1, 3, "b1", "c1", at(match, "b", 1), match.state.points, "d1")


def test_example_2_two_wings():
    match = kitchen(
        """
        y123 .    .    .    .    .
        .    b    .    .    g    .
        .    .    #    #    .    .
        .    .    #    #    .    v1gS
        .    v    .    .    y    .
        g123 .    .    .    .    b123
        """,
        wings=True,
    )
    does(match, "go 1 f4", "1 fight", "jump")
    assert (match.state.points, match.state.extra) == (0, 1)
    assert may(match, "go 1 f5 green-star")
    assert targets(match, 2) == targets(match, 3) == set()
    tells("kitchen", 2, at(match, "y", 1), match.state.extra, "f5")


def test_example_3_the_third_pot():
    match = kitchen(
        """
        .    .    .    .    .    .
        .    b    .    .    g    .
        .    .    #    #    .    .
        .    .    #    #    y1yB .
        .    v    .    .    yySyE y2bE
        .    .    .    .    y3   b123
        """,
        6,
    )
    assert refused(match, "go 1 e5 yellow-bone") == "K28"
    does(match, "go 2 e5 blue-eye", "go 1 e5 yellow-bone")
    assert match.over  # 5, 1, 1 and 3
    assert match.returns() == [1, -1]
    assert match.state.score[0] == 10
    tells("kitchen", 3, 5, 1, 3, match.state.score[0])


def test_example_4_milk_with_points_left():
    match = kitchen(
        """
        .    .    .    .    .    .
        .    b    .    .    g    .
        .    .    #    #    .    .
        .    .    #    #    y1bF .
        .    v    .    .    y    y2
        .    .    .    .    y3   b123
        """,
        3,
    )
    does(match, "go 1 e5 blue-flame")
    assert at(match, "y", 1) is None
    tells("kitchen", 4, 3, match.state.points)
    does(match, "go 2 f4", "go 3 d6")
    assert match.node == "roll"


def test_example_5_both_exits_taken():
    drawing = """
        y3   y1   .    .    .    .
        y2   b    .    .    g    .
        b1   .    #    #    .    .
        .    .    #    #    .    .
        .    v    .    .    y    .
        .    .    .    .    .    b23
    """
    assert targets(kitchen(drawing, 1), 3) == set()
    match = kitchen(drawing, 2)
    assert targets(match, 3) == {"b1", "a2"}
    does(match, "go 3 a2")
    assert targets(match, 3) == {"a3"}
    assert does(match, "go 3 a3").node == "defend"
    tells("kitchen", 5, "b1", "a2", 1, 2, "a3")


def test_example_6_the_last_devil():
    match = kitchen(
        """
        y23  .    .    .    .    .
        .    b    .    .    g    b1-
        .    .    #    #    .    .
        .    .    #    #    .    .
        .    v    .    .    y    y1
        .    .    .    .    .    .
        """,
        3,
    )
    does(match, "go 1 f4", "go 1 f3", "go 1 f2", "1 fight", "jump")
    assert at(match, "b", 1) == "f6"
    assert match.state.devil[2].tolist()[1:] == [-1, -1]
    tells("kitchen", 6, "f2", at(match, "b", 1))
