"""What sensible play looks like: points taken, meetings avoided, and a value that foretells."""

import numpy as np
import pytest

from diablerie.engine import verbs
from diablerie.engine.playout import buffers, playout, playout_by_advice
from diablerie.engine.queries import legal_actions
from diablerie.engine.record import copy, same
from diablerie.engine.rng import seeded
from diablerie.engine.verbs import CHANCE
from diablerie.games.tails import GAME
from diablerie.games.tails.rules.sides import scores
from diablerie.games.tails.rules.state import CELLS, ENDS, JOIN, LAY, PASS, Node
from tests.games.tails.drawing import KIND, drawn, full, put, runs_to


def advice(s) -> int:
    return verbs.advise(s, int(s.turn), seeded(1))


def turned(s, cell: int, tile: str):
    """The position with this tile to be laid on this cell."""
    verbs.apply(s, s.turn, cell)
    verbs.apply(s, CHANCE, KIND[tile])
    return s


def after(s):
    """What advice leads to."""
    verbs.apply(s, int(s.turn), advice(s))
    return s


def lead(s) -> float:
    """How far the side to decide is ahead."""
    out = np.zeros(4)
    scores(s, out)
    return out[s.turn] - out[1 - s.turn]


@pytest.mark.parametrize("seed", range(12))
def test_the_last_tile_is_laid_for_the_greatest_lead(seed):
    rng, s = seeded(seed), GAME.start(2)
    while s.count < CELLS - 1 or s.node != Node.ROTATION:
        playout(s, rng, *buffers(GAME), 1)
    leads = {}
    for action in legal_actions(GAME, s, int(s.turn)):
        done = copy(s)
        verbs.apply(done, int(s.turn), action)
        leads[action] = lead(done)
    assert leads[advice(s)] == max(leads.values())


def test_it_gives_opponents_their_single_point():
    s = drawn(turn=1)
    put(s, 14, 0)  # G would come back from here
    s.node, s.cell = Node.TILE, 6
    verbs.apply(s, CHANCE, KIND["01-24-35"])
    assert runs_to(after(s), "G") == ("tail of G", 1)


def test_it_lets_the_bodies_of_others_meet():
    s = full(but=[0], seats=2, turn=1)
    s.laid[:] = 0
    s.laid[0] = -1
    s.laid[1] = 3 * 2  # D's line leads to cell 0
    assert runs_to(s, "D")[0] == "cell 0"
    s.node, s.cell = Node.TILE, 0
    verbs.apply(s, CHANCE, KIND["02-14-35"])
    met = after(s)
    assert runs_to(met, "C")[0] == "D"


def test_it_passes_when_it_must():
    s = full(but=[1], turn=1)
    s.node = Node.PASS
    assert advice(s) == PASS


def test_a_position_is_left_as_it_was():
    s = turned(drawn(), 10, "02-15-34")
    before = copy(s)
    advice(s)
    assert same(s, before)


def test_a_random_tile_joins_any_two_ends_about_as_often():
    meet = [[(JOIN[:, a] == b).sum() for b in range(ENDS)] for a in range(ENDS)]
    assert np.array(meet).sum(axis=1).tolist() == [21] * ENDS
    assert all(row[end] == 0 for end, row in enumerate(meet))


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_values_sum_to_zero_and_foretell_who_wins(seats):
    rng, room, told = seeded(seats), buffers(GAME), []
    for _ in range(60):
        s, out, end = GAME.start(seats), np.zeros(4), np.zeros(4)
        while s.count < CELLS - 6 or s.node != Node.CELL:
            playout_by_advice(s, rng, *room, 1)
        verbs.value(s, out)
        assert out[:seats].sum() == pytest.approx(0)
        playout_by_advice(s, rng, *room, 1000)
        verbs.returns(s, end)
        told.append(out[0] * end[0])
    assert np.mean(told) > 0.05


def test_partners_have_equal_values_of_half_a_side_each():
    s, four, two = drawn(seats=4), np.zeros(4), np.zeros(4)
    put(s, 14, 1)  # G's line may become longer here
    verbs.value(s, four)
    assert four[:2].tolist() == four[2:].tolist()
    s.seats = 2  # the same sides
    verbs.value(s, two)
    assert four[:2] == pytest.approx(two[:2] / 2)
    assert four[0] != 0


def test_the_value_of_a_finished_game_is_its_returns():
    s, out, end = GAME.start(2), np.zeros(4), np.zeros(4)
    playout_by_advice(s, seeded(1), *buffers(GAME), 1000)
    verbs.value(s, out)
    verbs.returns(s, end)
    assert list(out) == list(end)


def test_the_rotation_advised_is_a_rotation_of_the_tile_in_hand():
    s = turned(drawn(), 10, "01-23-45")
    assert advice(s) == LAY
