"""What KITCHEN's advice is good for."""

from collections import Counter

import numpy as np
import pytest

from diablerie.engine import verbs
from diablerie.engine.playout import buffers, playout_by_advice
from diablerie.engine.queries import redacted
from diablerie.engine.rng import seeded
from diablerie.games import ALL
from diablerie.games.kitchen.rules.state import GOAL
from tests.games.kitchen.kitchens import kitchen

KITCHEN = ALL["kitchen"]


def ends(seats, games):
    """How advised games end, and their turns."""
    rng, room, how, turns = seeded(seats), buffers(KITCHEN), Counter(), []
    for _ in range(games):
        s = KITCHEN.start(seats)
        playout_by_advice(s, rng, *room, 20_000)
        how["ten" if max(s.score) >= GOAL else "other"] += 1
        turns.append(int(s.turns))
    return how, np.array(turns)


@pytest.mark.parametrize(
    ("seats", "by_ten", "shortest", "longest"),
    [
        pytest.param(2, 0.65, 19, 29, marks=pytest.mark.ci),
        (3, 0.9, 27, 45),
        pytest.param(4, 0.95, 30, 60, marks=pytest.mark.ci),
    ],
)
def test_games_of_sensible_players_mostly_end_by_ten_points(seats, by_ten, shortest, longest):
    how, turns = ends(seats, 300)
    assert how["ten"] >= 300 * by_ten
    assert shortest <= turns.mean() <= longest
    assert turns.max() < 500


def advice(match):
    rng = seeded(1)
    seat = match.actor
    action = verbs.advise(redacted(match.state, seat), seat, rng)
    return match.game.notation.format_action(match.state, seat, action)


def test_it_serves_the_pot_that_wins():
    match = kitchen(
        """
        y3   .    .    .    .    .
        .    b    .    .    g    .
        .    .    #    #    .    .
        .    .    #    #    y1yS .
        .    v    .    .    y    y2yB
        .    .    .    .    .    b123
        """,
        1,
    )
    match.state.score[0] = 5
    assert advice(match) == "go 1 e5 yellow-star"


def test_it_carries_its_own_best_pot_home():
    match = kitchen(
        """
        y23  .    .    .    .    .
        .    b    .    .    g    .
        .    .    #    #    .    y1yFyS
        .    .    #    #    .    .
        .    v    .    .    y    .
        .    .    .    .    .    b123
        """,
        1,
    )
    assert advice(match) in ("go 1 f4 yellow-star", "go 1 e3 yellow-star")


def test_it_does_not_serve_its_own_milk():
    match = kitchen(
        """
        y23  .    .    .    .    .
        .    b    .    .    g    .
        .    .    #    #    .    .
        .    .    #    #    .    y1yF
        .    v    .    .    y    .
        .    .    .    .    .    b123
        """,
        2,
    )
    assert "e5" not in advice(match)


CHALLENGED = """
    y23  y1   b1   .    .    .
    .    b    .    .    g    .
    .    .    #    #    .    .
    .    .    #    #    .    .
    .    v    .    .    y    .
    .    .    .    .    .    b23
"""


def challenged(drawing):
    match = kitchen(drawing, 1)
    match.play("go 1 c1")
    return advice(match)


def test_it_refuses_a_duel_that_risks_a_bare_devil_for_nothing():
    assert challenged(CHALLENGED.replace("b1 ", "b1-")) == "refuse"


def test_it_fights_for_the_pot_that_wins():
    drawing = CHALLENGED.replace("b1   .", "b1bS .").replace("b    .    .    g", "b    bB   .    g")
    match = kitchen(drawing, 1)
    match.state.score[2] = 5
    match.play("go 1 c1")
    assert advice(match) == "fight"


def test_it_leaves_its_milk_at_the_door_of_another():
    match = kitchen(
        """
        y23  .    y1yF .    .    .
        .    b    .    .    g    .
        .    .    #    #    .    .
        .    .    #    #    .    .
        .    v    .    .    y    .
        .    .    .    .    .    b123
        """,
        1,
    )
    assert advice(match) in ("go 1 b1 yellow-flame", "go 1 c2 yellow-flame")
