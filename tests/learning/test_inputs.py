"""What a policy network reads: what the seat may know, within the bounds that are declared."""

from itertools import chain

import numpy as np
import pytest

from diablerie.engine import verbs
from diablerie.engine.compile import rule
from diablerie.engine.queries import redacted
from diablerie.games import ALL
from diablerie.learning.network import as_network, initial_weights
from diablerie.learning.selfplay import judge_alone, playing_room, shard
from diablerie.testing.positions import all_settings, by_node, positions, waiting
from diablerie.values.inputs import (
    ROOM,
    action_inputs,
    inputs_of,
    position_inputs,
    rotations,
)
from diablerie.values.observation import features_of

# In `make test` the fewest and the most players; what else, and options, change is seen in CI.
SETTINGS = [
    pytest.param(
        one,
        id=str(one),
        marks=[pytest.mark.ci]
        if one.options or one.seats not in (one.game.seats[0], one.game.seats[-1])
        else [],
    )
    for one in all_settings(list(ALL))
]
FILLED = 777.0  # what the arrays hold before anything is written


@rule
def read_all(states, seat, numbers, ones, turns, actions, n, kinds, marks, room):
    active = position_inputs(states[0], seat, numbers, ones, 0, turns, room)
    action_inputs(states[0], seat, actions, n, kinds, marks, room)
    return active


@pytest.mark.parametrize("setting", SETTINGS)
def test_what_is_derived_is_what_the_seat_knows(setting):
    if (derived := features_of(setting.game).derived) is None:
        return
    seen = []
    for s in positions(setting, 10):
        for seat in range(setting.seats):
            full, known = np.zeros((2, len(derived.names)), np.float32)
            derived.write(s, seat, full)
            derived.write(redacted(s, seat), seat, known)
            np.testing.assert_array_equal(known, full)
            assert np.abs(full).max() < 100
            seen.append(full)
    assert np.ptp(seen, axis=0).max() > 0


@pytest.mark.parametrize("setting", SETTINGS)
def test_inputs_are_within_their_bounds(setting):
    game = setting.game
    inputs, turns = inputs_of(game), rotations(game)
    actions, room = np.zeros(max(game.actions, game.outcomes), np.int64), np.zeros(ROOM, np.float32)
    for s in [*positions(setting, 10), *chain(*by_node(setting).values())]:
        for seat in waiting(setting, s):
            n = verbs.legal(s, seat, actions)
            numbers = np.full((1, inputs.numbers), FILLED, np.float32)
            marks = np.full((n, inputs.marks), FILLED, np.float32)
            ones, kinds = np.full((1, inputs.active), -1, np.int32), np.full(n, -1, np.int32)
            seen = redacted(s, seat).array.view(np.recarray)
            active = read_all(seen, seat, numbers, ones, turns, actions, n, kinds, marks, room)
            assert 0 <= active <= inputs.active
            assert ((ones[0, :active] >= 0) & (ones[0, :active] < inputs.one_hots)).all()
            assert len(set(ones[0, :active])) == active
            assert ((kinds >= 0) & (kinds < inputs.kinds)).all()
            assert (np.abs(numbers) < 100).all()
            assert (np.abs(marks) < 100).all()


@pytest.mark.parametrize("setting", SETTINGS)
def test_a_policy_depends_only_on_what_the_seat_may_know(setting):
    game = setting.game
    net = as_network(initial_weights(inputs_of(game), 8, 8, 1), inputs_of(game), 8, 8)
    k, room = shard([game.start(game.seats[0])], game, 1, 1), playing_room(game, 8, 8)

    def policy(s, seat) -> list[float]:
        n = judge_alone(net, k, room, s.array.view(np.recarray), seat)
        return room.policy[:n].tolist()

    different = set()
    for s in [*positions(setting, 10), *chain(*by_node(setting).values())]:
        before = s.tobytes()
        for seat in waiting(setting, s):
            found = policy(s, seat)
            assert policy(redacted(s, seat), seat) == found
            assert sum(found) == pytest.approx(1, abs=1e-4)
            different.add(tuple(found))
        assert s.tobytes() == before
    assert len(different) > 1
