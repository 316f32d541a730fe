"""The listed facts of KITCHEN."""

from collections import Counter
from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest

from diablerie.engine.queries import chance_outcomes
from diablerie.games.kitchen.rules.board import (
    CELLS,
    DISTANCE,
    GRILLS,
    HOLE,
    NEIGHBOURS,
    PATHS,
    SIDE,
    SPACES,
    STARTS,
)
from diablerie.games.kitchen.rules.moving import passes
from diablerie.games.kitchen.rules.play import attackers_chance
from diablerie.games.kitchen.rules.state import CARDS, DICE, GOAL, LOST, Node, colour_of
from diablerie.games.kitchen.rules.turns import ten_possible, undelivered
from diablerie.games.kitchen.ui.drawing.layout import SPOTS
from tests.games.kitchen.kitchens import kitchen
from tests.scripts import opening


def ends(*kinds):
    """How many paths join cells of these two kinds."""
    one, other = kinds
    return sum((a in one and b in other) or (b in one and a in other) for a, b in PATHS)


def test_24_places_32_paths_between_them_8_exits_16_entrances_56_in_all():
    assert len(SPACES) == 24
    assert ends(SPACES, SPACES) == 32
    assert ends(STARTS, SPACES) == 8
    assert ends(GRILLS, SPACES) == 16
    assert len(PATHS) == 56
    assert all(len(NEIGHBOURS[start]) == 2 for start in STARTS)
    assert all(len(NEIGHBOURS[grill]) == 4 for grill in GRILLS)
    assert all(not NEIGHBOURS[at] for at in HOLE)


def reached(without):
    """The cells that hang together when one is taken out."""
    start = next(at for at in SPACES if at != without)
    met, edge = {start}, [start]
    while edge:
        edge = [b for a in edge for b in NEIGHBOURS[a] if b != without and b not in met]
        met |= set(edge)
    return met


def test_the_graph_is_connected_without_any_one_cooking_place():
    for gone in SPACES:
        assert len(reached(gone)) == CELLS - len(HOLE) - 1


def turned(at):
    """A cell after a quarter turn clockwise."""
    row, column = divmod(at, SIDE)
    return column * SIDE + SIDE - 1 - row


def test_the_board_is_the_same_after_a_quarter_turn():
    after = {(min(turned(a), turned(b)), max(turned(a), turned(b))) for a, b in PATHS}
    assert after == set(PATHS)
    assert tuple(turned(at) for at in STARTS) == (*STARTS[1:], STARTS[0])
    assert tuple(turned(at) for at in GRILLS) == (*GRILLS[1:], GRILLS[0])


def side(p, q, r):
    return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])


def cross(one, other):
    (a, b), (c, d) = ((SPOTS[at] for at in path) for path in (one, other))
    return side(a, b, c) * side(a, b, d) < 0 and side(c, d, a) * side(c, d, b) < 0


def test_no_two_paths_cross_in_the_picture():
    assert not [pair for pair in combinations(PATHS, 2) if cross(*pair)]


def test_two_dice_make_0_to_6_points_with_weights_1_4_8_10_8_4_1_of_36():
    match = kitchen()
    match.state.node = Node.ROLL
    weights = Counter()
    for outcome, p in zip(*chance_outcomes(match.game, match.state), strict=True):
        weights[sum(DICE[outcome])] += round(36 * p)
    assert [weights[points] for points in range(7)] == [1, 4, 8, 10, 8, 4, 1]


def test_the_attacker_wins_517_of_1000_and_30_presses_are_passed_in_18_of_1000():
    assert round(attackers_chance(8), 3) == 0.517
    longer = Fraction(7, 8) ** 30
    assert round(float(longer), 3) == 0.018


def test_three_own_pots_never_make_ten_but_two_fives_do():
    assert max(sum(three) for three in combinations(CARDS, 3)) == 9
    assert 2 * max(CARDS) == 10


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_end_3_needs_nine_points_each_and_only_milk_left(seats):
    s = opening("kitchen", seats).state
    colours = [colour_of(s, seat) for seat in range(seats)]
    s.devil[colours[2:]] = LOST  # two players with devils are enough
    for scores in product(range(GOAL), repeat=seats):
        s.score[colours] = scores
        assert ten_possible(s) == (set(scores) != {9})
    assert undelivered(s) == 0


def crowds():
    """Every way a start or place can be left onto an own devil, with the third anywhere."""
    for at in (*SPACES, STARTS[0]):
        for over in NEIGHBOURS[at]:
            if over in SPACES:
                for third in {*SPACES, STARTS[0]} - {over}:
                    if third != at or third == STARTS[0]:
                        yield at, over, third


def test_after_a_step_onto_an_own_devil_one_point_is_always_enough():
    s = kitchen().state
    for at, over, third in crowds():
        s.devil[0] = (over, over, third)
        assert passes(s, 0, over, 1), (at, over, third)
        assert not passes(s, 0, over, 0)


@pytest.mark.parametrize("grill", GRILLS)
def test_steps_grow_by_one_from_place_to_place(grill):
    for at in SPACES:
        assert (
            min(int(DISTANCE[grill, b]) for b in NEIGHBOURS[at] if b in (*SPACES, grill))
            == int(DISTANCE[grill, at]) - 1
        )
    assert np.max(DISTANCE[grill, list(SPACES)]) <= 6
