"""What a policy network reads: what the seat may know, within the bounds that are declared."""

import numpy as np
import pytest

from diablerie.engine import verbs
from diablerie.engine.compile import rule
from diablerie.engine.queries import redacted
from diablerie.games import ALL
from diablerie.learning.inputs import (
    SCRATCH_NUMBERS,
    action_inputs,
    inputs_of,
    position_inputs,
    rotations,
)
from diablerie.learning.network import as_network, initial_weights
from diablerie.learning.rollout import activations_of, env_worker, forward_state
from diablerie.testing.positions import GameSetting, node_states, positions, waiting
from tests.settings import PAIRED

# In `make test` the most players of each game; what fewer, and options, change is seen in CI.
DAILY = [GameSetting(game.name, game.seats[-1]) for game in ALL.values()]
SETTINGS = [
    *(pytest.param(one, id=str(one)) for one in DAILY),
    *(pytest.param(one, id=str(one), marks=pytest.mark.ci) for one in PAIRED if one not in DAILY),
]
FILLED = 777.0  # what the arrays hold before anything is written


@rule
def read_all(states, seat, numbers, ones, turns, actions, n, kinds, marks, room):
    active = position_inputs(states[0], seat, numbers, ones, 0, turns, room)
    action_inputs(states[0], seat, actions, n, kinds, marks, room)
    return active


@pytest.mark.parametrize("setting", SETTINGS)
def test_inputs_are_within_their_bounds(setting):
    game = setting.game
    inputs, turns = inputs_of(game), rotations(game)
    actions, room = (
        np.zeros(max(game.actions, game.outcomes), np.int64),
        np.zeros(SCRATCH_NUMBERS, np.float32),
    )
    for s in [*positions(setting, 10), *node_states(setting)]:
        for seat in waiting(setting, s):
            n = verbs.legal(s, seat, actions)
            numbers, marks = (
                np.full(shape, FILLED, np.float32)
                for shape in ((2, inputs.numbers), (n + 1, inputs.marks))
            )
            ones, kinds = (np.full(shape, -1, np.int32) for shape in ((2, inputs.active), n + 1))
            seen = redacted(s, seat).array.view(np.recarray)
            active = read_all(seen, seat, numbers, ones, turns, actions, n, kinds, marks, room)
            assert 0 <= active <= inputs.active
            assert ((ones[0, :active] >= 0) & (ones[0, :active] < inputs.one_hots)).all()
            assert len(set(ones[0, :active])) == active
            assert ((kinds[:n] >= 0) & (kinds[:n] < inputs.kinds)).all()
            assert (np.abs(numbers[0]) < 100).all()
            assert (np.abs(marks[:n]) < 100).all()
            assert (numbers[1] == FILLED).all(), "written beyond the row"
            assert (marks[n] == FILLED).all()
            assert (ones[1] == -1).all()
            assert kinds[n] == -1


@pytest.mark.parametrize("setting", SETTINGS)
def test_a_policy_depends_only_on_what_the_seat_may_know(setting):
    game = setting.game
    inputs = inputs_of(game)
    net = as_network(initial_weights(inputs, (8, 8), 1), inputs, (8, 8))
    w, a = env_worker([game.start(game.seats[0])], game, 1, 1), activations_of(game, (8, 8))

    def policy(s, seat) -> list[float]:
        n = forward_state(net, w, a, s.array.view(np.recarray), seat)
        return a.policy[:n].tolist()

    different = set()
    for s in [*positions(setting, 10), *node_states(setting)]:
        before = s.tobytes()
        for seat in waiting(setting, s):
            found = policy(s, seat)
            assert policy(redacted(s, seat), seat) == found
            assert sum(found) == pytest.approx(1, abs=1e-4)
            different.add(tuple(found))
        assert s.tobytes() == before
    assert len(different) > 1
