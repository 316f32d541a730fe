"""Walks of several steps, as the page offers them."""

from hypothesis import given, settings
from hypothesis import strategies as st

from diablerie.engine import verbs
from diablerie.engine.queries import redacted
from diablerie.engine.record import copy
from diablerie.games.kitchen.rules.board import DISTANCE, NAMES
from diablerie.games.kitchen.rules.state import Node, mine
from diablerie.games.kitchen.ui.walks import walks
from diablerie.testing.positions import GameSetting, states_of_game
from tests.games.kitchen.kitchens import at, does, kitchen

OPEN = """
    y23  y1yF .    .    .    .
    .    b    .    b1   g    .
    .    .    #    #    .    .
    .    .    #    #    .    .
    .    v    .    .    y    .
    .    .    .    .    .    b23
"""


def ways(match, devil, load=0):
    """Where a devil gets with a load, and for how many points."""
    return {
        NAMES[walk.to]: len(walk.actions)
        for walk in walks(match.state)
        if (walk.devil, walk.load) == (devil - 1, load)
    }


def test_a_walk_goes_as_far_as_the_points_and_stops_at_an_opponent():
    match = kitchen(OPEN, 3)
    assert ways(match, 1) == {"a2": 1, "c1": 1, "a3": 2, "c2": 2, "d1": 2, "a4": 3, "b3": 3,
                              "d2": 3, "e1": 3}  # fmt: skip
    assert ways(match, 1, 1) == ways(match, 1)
    assert "b1" not in ways(match, 2)  # nobody stops on an own devil
    assert ways(match, 2)["c1"] == 2  # but passes it


def test_a_walk_ends_on_the_own_grill_only_with_a_pot():
    drawing = OPEN.replace(".    .    y    .", ".    .    y    y2yS").replace("y23", "y3 ")
    assert "e5" not in ways(kitchen(drawing, 3), 2)
    assert ways(kitchen(drawing, 3), 2, 4)["e5"] == 1


def test_a_flight_is_one_step_to_anywhere():
    match = kitchen(OPEN, wings=True)
    assert set(ways(match, 2).values()) == {1}
    assert len(ways(match, 2)) == 23


@settings(deadline=None)
@given(game=st.integers(0, 5), k=st.integers(0, 10**6))
def test_every_walk_can_be_played_and_none_is_longer_than_need_be(game, k):
    states = [s for s in states_of_game(GameSetting("kitchen", 2 + game % 3), 1 + game // 3)
              if s.node == Node.MOVE]  # fmt: skip
    s = states[k % len(states)]
    for walk in walks(redacted(s, int(s.turn))):
        played = copy(s)
        for action in walk.actions:
            assert verbs.forbids(played, int(s.turn), action) == 0
            verbs.apply(played, int(s.turn), action)
        before = int(s.devil[mine(s), walk.devil])
        assert s.wings or len(walk.actions) >= DISTANCE[walk.to, before]


def test_a_walk_is_played_step_by_step():
    match = kitchen(OPEN, 3)
    walk = next(w for w in walks(match.state) if NAMES[w.to] == "d2" and w.load == 1)
    assert walk.duel
    texts = [match.game.notation.format_action(match.state, 0, a) for a in walk.actions]
    assert texts == ["go 1 c1 yellow-flame", "go 1 d1 yellow-flame", "go 1 d2 yellow-flame"]
    assert does(match, *texts).node == "defend"
    assert at(match, "y", 1) == "d2"
