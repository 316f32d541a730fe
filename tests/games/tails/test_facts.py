"""The facts of the rule file about random play, with a fixed seed, within their intervals."""

from math import sqrt

import numpy as np
import pytest

from diablerie.engine.compile import rule
from diablerie.engine.playout import buffers, playout
from diablerie.engine.record import copy
from diablerie.engine.rng import seeded
from diablerie.games.tails import GAME
from diablerie.games.tails.rules.lines import at_tail_end, follow
from diablerie.games.tails.rules.sides import scores
from diablerie.games.tails.rules.state import ACROSS, CELLS, HEAD, JOIN, Node

FILLINGS = 20_000
BODIES, PIECES = 18, 162


@rule
def fill(start, s, rng, out, p, lengths, again, looped):
    """Random games; each body's score, whether a tile came twice, and pieces in loops."""
    for game in range(len(lengths)):
        s[0] = start[0]
        playout(s[0], rng, out, p, 1000)
        along = 0
        for body in range(18):
            at, n = follow(s[0], int(HEAD[body]))
            lengths[game, body] = n if at_tail_end(at) else 0
            again[game, body] = comes_back(s[0], int(HEAD[body]))
            along += n if at_tail_end(at) else 0
            along += 0 if at_tail_end(at) else n / 2  # such a line is met from both its bodies
        looped[game] = 162 - along - between_tails(s[0])


@rule
def comes_back(s, at):
    """Whether the line that starts there crosses some tile twice."""
    seen = 0
    while at >= 0:
        cell = at // 6
        if seen >> cell & 1:
            return True
        seen |= 1 << cell
        at = int(ACROSS[6 * cell + JOIN[s.laid[cell], at - 6 * cell]])
    return False


@rule
def between_tails(s):
    """The pieces of line that join two tail ends."""
    total = 0
    for body in range(18):
        at, n = follow(s, int(HEAD[body]) + 1)
        total += n if at_tail_end(at) else 0
    return total // 2


@pytest.fixture(scope="module")
def fillings():
    start = GAME.start(2).array.view(np.recarray)
    lengths = np.zeros((FILLINGS, BODIES), np.int64)
    again, looped = np.zeros((FILLINGS, BODIES), np.bool_), np.zeros(FILLINGS)
    fill(start, start.copy(), seeded(1995), *buffers(GAME), lengths, again, looped)
    return lengths, again, looped


def assert_mean(sample, expected: float, rounding: float) -> None:
    """Four standard errors of either run, and the rounding of the printed figure."""
    error = 4 * sqrt(2) * sample.std() / sqrt(len(sample))
    assert abs(sample.mean() - expected) < error + rounding


def test_the_total_of_all_scores(fillings):
    totals = fillings[0].sum(axis=1)
    assert_mean(totals, 83.4, 0.05)
    assert totals.min() >= 2
    assert totals.max() <= PIECES


def test_the_scored_tail(fillings):
    scored = fillings[0][fillings[0] > 0]
    assert_mean(scored, 6.67, 0.005)
    assert np.median(scored) == 3
    assert 70 <= scored.max() <= 140
    assert_mean(scored == 1, 0.34, 0.005)


def test_bodies_that_score_nothing(fillings):
    empty = (fillings[0] == 0).sum(axis=1)
    assert_mean(empty, 5.49, 0.005)
    assert (empty % 2 == 0).all()  # bodies that end on bodies come in pairs


def test_half_of_the_scored_tails_cross_a_tile_twice(fillings):
    lengths, again, _ = fillings
    assert_mean(again[lengths > 0], 0.49, 0.005)


def test_pieces_in_closed_loops(fillings):
    looped = fillings[2]
    assert abs(looped.mean() - 20) < 1
    assert (looped > 0).mean() > 0.95
    assert (looped == looped.round()).all()


@pytest.mark.parametrize("seats", [2, 4])
def test_with_2_and_4_a_game_is_always_136_steps(seats):
    rng, room = seeded(seats), buffers(GAME)
    assert {playout(GAME.start(seats), rng, *room, 1000) for _ in range(200)} == {136}


def test_with_3_a_game_is_163_steps_and_a_few_passes():
    rng, room, found = seeded(3), buffers(GAME), set()
    for _ in range(200):
        s, steps, passes = GAME.start(3), 0, 0
        while s.node != Node.OVER:
            passes += s.node == Node.PASS
            playout(s, rng, *room, 1)
            steps += 1
        assert steps == 163 + passes
        found.add(passes)
    assert 0 < max(found) < 30


def test_scores_grow_only_by_whole_tails():
    rng, room, s = seeded(8), buffers(GAME), GAME.start(2)
    before, after = np.zeros(4), np.zeros(4)
    for _ in range(136):
        scores(s, before)
        earlier = copy(s)
        playout(s, rng, *room, 1)
        scores(s, after)
        assert (after >= before).all()  # a closed line stays closed
        if earlier.node != Node.ROTATION:
            assert (after == before).all()
    assert s.count == CELLS
