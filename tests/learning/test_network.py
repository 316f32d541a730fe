"""The policy network: its outputs and gradient are those of the formulas, by NumPy in float64."""

import numpy as np
import pytest

from diablerie.learning.inputs import NetworkInputs
from diablerie.learning.network import (
    Activations,
    PolicyNetwork,
    activations,
    as_network,
    backpropagate,
    forward_policy,
    forward_value,
    initial_weights,
    weight_count,
)

TINY = NetworkInputs(6, 2, 4, 5, 3, None, None)
HIDDEN, ACTIONS = (7, 5), 4
ADVANTAGE, ENTROPY, CHOSEN, TARGET = 0.8, 0.3, 2, 0.4


@pytest.fixture
def case():
    rng = np.random.default_rng(3)
    flat = initial_weights(TINY, HIDDEN, 1)
    flat += 0.3 * rng.standard_normal(len(flat)).astype(np.float32)
    numbers = rng.standard_normal(4).astype(np.float32)
    marks = rng.standard_normal((ACTIONS, 3)).astype(np.float32)
    return flat, numbers, np.array([1, 4], np.int32), np.array([0, 3, 3, 4], np.int32), marks


def by_formula(flat, numbers, ones, kinds, marks) -> tuple[np.ndarray, float]:
    net = PolicyNetwork(*(x.astype(np.float64) for x in as_network(flat, TINY, HIDDEN)))
    shown = np.zeros(TINY.one_hots)
    shown[ones] = 1.0
    first = np.maximum(np.concatenate([shown, numbers, [1.0]]) @ net.first, 0)
    second = np.append(np.maximum(np.append(first, 1.0) @ net.second, 0), 1.0)
    scores = net.kinds[kinds] @ second + marks @ (net.marks @ second)
    p = np.exp(scores - scores.max())
    return p / p.sum(), float(net.value @ second)


def loss(flat, *rest) -> float:
    p, value = by_formula(flat, *rest)
    entropy = -(p * np.log(p)).sum()
    return -ADVANTAGE * np.log(p[CHOSEN]) - ENTROPY * entropy + (value - TARGET) ** 2


def computed(flat, numbers, ones, kinds, marks) -> tuple[Activations, float]:
    room = activations(TINY, HIDDEN, ACTIONS)
    net = as_network(flat, TINY, HIDDEN)
    value = forward_value(net, numbers, ones, 2, room)
    forward_policy(net, kinds, marks, ACTIONS, room)
    return room, value


def test_outputs_are_those_of_the_formula(case):
    room, value = computed(*case)
    p, expected = by_formula(*case)
    np.testing.assert_allclose(room.policy, p, atol=1e-5)
    assert value == pytest.approx(expected, abs=1e-5)


def test_the_gradient_is_that_of_finite_differences(case):
    flat, _, _, kinds, marks = case
    room, value = computed(*case)
    p = room.policy.astype(np.float64)
    entropy = -(p * np.log(p)).sum()
    logit_grads = ADVANTAGE * (p - np.eye(ACTIONS)[CHOSEN]) + ENTROPY * p * (np.log(p) + entropy)
    room.logit_grads[:] = logit_grads
    grad = np.zeros_like(flat)
    value_grad = np.float32(2 * (value - TARGET))
    nets = as_network(flat, TINY, HIDDEN), as_network(grad, TINY, HIDDEN)
    backpropagate(*nets, kinds, marks, ACTIONS, value_grad, room)
    wide, step = flat.astype(np.float64), 1e-6
    differences = np.zeros(len(flat))
    for i in range(len(flat)):
        nudge = step * np.eye(1, len(flat), i)[0]
        up, down = (loss(wide + sign * nudge, *case[1:]) for sign in (1, -1))
        differences[i] = (up - down) / (2 * step)
    assert np.abs(differences).max() > 0.1
    np.testing.assert_allclose(grad, differences, atol=2e-4)


def test_weights_are_counted():
    assert weight_count(TINY, HIDDEN) == len(initial_weights(TINY, HIDDEN, 1))
