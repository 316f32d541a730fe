"""What the policy network reads of TAILS agrees with the rules and with the advice."""

from itertools import chain

import numpy as np
import pytest

from diablerie.engine import verbs
from diablerie.engine.compile import rule
from diablerie.games import ALL
from diablerie.games.tails.policy.advice import gain
from diablerie.games.tails.policy.evaluation import balance
from diablerie.games.tails.policy.inputs import (
    AFTER,
    LEAD,
    NAMED,
    NUMBERS,
    REST,
    TILES,
    WAY,
    body_slot,
    describe,
    read,
)
from diablerie.games.tails.rules.lines import follow
from diablerie.games.tails.rules.play import forced_after
from diablerie.games.tails.rules.sides import side_of
from diablerie.games.tails.rules.state import BODIES, HEAD, LAY, TWIN_OF, Node, code
from diablerie.learning.inputs import SCRATCH_NUMBERS, inputs_of
from diablerie.testing.positions import GameSetting, positions

TAILS = ALL["tails"]
INPUTS = inputs_of(TAILS)


@rule
def read_all(states, seat, actions, n, numbers, ones, kinds, marks, room):
    read(states[0], seat, numbers, ones, room)
    describe(states[0], seat, actions, n, kinds, marks, room)


def decisions(seats):
    """Positions with a choice, the seat that decides, its actions, what is read, and the room."""
    out = np.zeros(TAILS.actions, np.int64)
    for s in positions(GameSetting("tails", seats), 16):
        seat = verbs.actor(s)
        if seat < 0 or (n := verbs.legal(s, seat, out)) < 2:
            continue
        marks, room = np.zeros((n, INPUTS.marks), np.float32), np.zeros(SCRATCH_NUMBERS, np.float32)
        numbers, ones = np.zeros(NUMBERS, np.float32), np.zeros(INPUTS.active, np.int32)
        states = s.array.view(np.recarray)
        read_all(states, seat, out, n, numbers, ones, np.zeros(n, np.int32), marks, room)
        yield s, seat, out[:n].tolist(), numbers, marks, room


def test_lines_lead_where_the_rules_say():
    for s, _, _, numbers, _, room in chain.from_iterable(map(decisions, TAILS.seats)):
        if s.node == Node.ROTATION:
            continue  # the last rotation tried lies there
        for body in range(BODIES):
            at, n = follow(s, int(HEAD[body]))
            place = at if at >= 0 else body_slot(0) - 1 - at
            assert (room[WAY + body_slot(body)], room[TILES + body_slot(body)]) == (place, n)
        assert numbers[REST] == pytest.approx(1 - s.count / 54)


def test_the_advices_judgement_is_among_the_marks():
    nodes = set()
    for s, seat, actions, _, marks, _ in chain.from_iterable(map(decisions, TAILS.seats)):
        side = side_of(s, seat)
        if s.node == Node.ROTATION:
            expected = []
            for action in actions:
                s.laid[s.cell] = code(s.kind, action - LAY)
                expected.append(balance(s, side))
                s.laid[s.cell] = -1
            found = 3 * marks[:, AFTER + LEAD + 3]
            np.testing.assert_allclose(found, expected - np.mean(expected), atol=1e-3)
        else:
            found = 4 * marks[:, NAMED + 8 : NAMED + 10]
            np.testing.assert_allclose(
                found[:, 0], [gain(s, side, cell) for cell in actions], atol=1e-3
            )
            if forced_after(s, actions[0]) >= 0:
                twins = [gain(s, 1 - side, int(TWIN_OF[cell])) for cell in actions]
                np.testing.assert_allclose(found[:, 1], twins, atol=1e-3)
        nodes.add(int(s.node))
    assert {Node.ROTATION, Node.CELL} <= nodes
