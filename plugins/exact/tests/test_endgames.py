"""Endgames of TAILS: the tree is right, and what a bot loses in them is counted."""

import json

import numpy as np
import pytest
from tests.test_cli import run

from diablerie.engine import verbs
from diablerie.engine.queries import chance_outcomes, legal_actions, utilities
from diablerie.engine.rng import below, seeded
from diablerie.engine.verbs import CHANCE, OVER
from diablerie.games import ALL
from diablerie.lab.running.errors import BadConfig
from diablerie.lab.statistics import Estimate
from diablerie_exact.endgames import EndgameLoss, endgame_finding, endgame_losses
from diablerie_exact.tree import TooLarge, Tree

TAILS = ALL["tails"]


def nearly_over(seed, tiles, seats=2):
    """A random position with so many tiles to be turned."""
    s = TAILS.start(seats)
    rng = seeded(seed)
    while s.count < 54 - tiles or verbs.actor(s) == CHANCE:
        who = verbs.actor(s)
        found = chance_outcomes(TAILS, s)[0] if who == CHANCE else legal_actions(TAILS, s, who)
        verbs.apply(s, who, found[below(rng, len(found))])
    return s


def expected(s):
    """The value to the first side, as one would say it: no memory, no cut."""
    who = verbs.actor(s)
    if who == OVER:
        return utilities(s, int(s.seats))[0]
    if who == CHANCE:
        return sum(
            p * expected(after(s, who, o)) for o, p in zip(*chance_outcomes(TAILS, s), strict=True)
        )
    best = max if who % 2 == 0 else min
    return best(expected(after(s, who, a)) for a in legal_actions(TAILS, s, who))


def after(s, who, action):
    found = s.copy()
    verbs.apply(found, who, action)
    return found


@pytest.mark.parametrize("seats", [2, 4])
def test_the_tree_of_an_endgame_is_weighed_as_one_would_say_it(seats):
    for seed in range(3):
        s = nearly_over(seed, 2, seats)
        assert Tree(TAILS).value(s) == pytest.approx(expected(s), abs=1e-12)


def test_a_tree_that_is_too_large_is_not_looked_through():
    with pytest.raises(TooLarge):
        Tree(TAILS, most=1000).value(nearly_over(1, 12))


def test_random_play_loses_more_at_the_end_than_sensible_play():
    lost = {
        player: endgame_losses("tails", player, games=8, most=700)
        for player in ("random", "sensible")
    }
    total = {}
    for name, ones in lost.items():
        total[name] = sum(one.decisions * one.lost.value for one in ones)
    assert total["random"] > total["sensible"] >= 0
    for one in lost["random"]:
        assert one.node in ("rotation", "cell")
        assert 0 <= one.worse <= 1
        assert one.lost.value >= -1e-12
    assert endgame_losses("tails", "random", games=8, most=700) == lost["random"]


def test_the_command_says_so():
    done = run("solve", "tails", "--players", "random", "--games", "2", "--json")
    assert done.exit_code == 0, done.output
    found = json.loads(done.output)
    assert {one["player"] for one in found} == {"random"}
    assert max(one["left"] for one in found) >= 6
    assert np.isfinite([one["lost"]["value"] for one in found]).all()


def test_a_game_that_hides_something_has_no_such_tree():
    with pytest.raises(BadConfig, match="hides something"):
        endgame_losses("kitchen", "random", games=1)


def test_losses_near_the_end_are_weighed_by_decisions():
    losses = [
        EndgameLoss("sensible", "cell", 1, 10, Estimate(0.0, 0.0, 0.0), 0.0),
        EndgameLoss("sensible", "cell", 2, 30, Estimate(0.04, 0.0, 0.1), 0.1),
        EndgameLoss("imp", "cell", 1, 10, Estimate(0.5, 0.0, 1.0), 0.6),
    ]
    assert endgame_finding(losses) == (
        "Near the end, against exact play: sensible loses 0.0300 a decision, imp loses 0.5000 a "
        "decision."
    )
