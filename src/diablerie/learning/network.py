"""The policy network, for one decision at a time: what it computes, and the gradient.

Two hidden layers read the position. The first adds up a row of weights for each one-hot input that
is 1, and for each number. An action's score is the dot product of the second layer with an
embedding of the action: a row of weights for its kind, and one for each of its marks. So only legal
actions cost anything. The value is what the seat that decides may expect, -1 to 1.
"""

from math import exp, prod, sqrt
from typing import Any, NamedTuple

import numpy as np

from diablerie.engine.arrays import Floats32, Ints32
from diablerie.engine.compile import summing
from diablerie.values.inputs import NetworkInputs

ZERO, ONE = np.float32(0.0), np.float32(1.0)
LOWEST = np.float32(-1e30)


class PolicyNetwork(NamedTuple):
    """The weights, float32: views of one flat array. The last column of some is a bias."""

    ones: Floats32  # (one-hot inputs, wide)
    numbers: Floats32  # (numbers, wide)
    first: Floats32  # (wide,): the bias of the first layer
    second: Floats32  # (wide, narrow)
    bias: Floats32  # (narrow,): of the second layer
    kinds: Floats32  # (kinds, narrow + 1)
    marks: Floats32  # (marks, narrow + 1)
    value: Floats32  # (narrow + 1,)


class Activations(NamedTuple):
    """Room for one decision, float32."""

    first: Floats32  # (wide,): the first layer
    second: Floats32  # (narrow,)
    first_slope: Floats32  # (wide,): of the loss, by the first layer
    second_slope: Floats32  # (narrow,)
    by_mark: Floats32  # (marks,)
    policy: Floats32  # (actions,): the probabilities of the legal actions
    push: Floats32  # (actions,): the slope of the loss by each score


def network_shapes(inputs: NetworkInputs, wide: int, narrow: int) -> list[tuple[int, ...]]:
    """The shapes of the weights, in the order of `PolicyNetwork`."""
    return [
        (inputs.one_hots, wide),
        (inputs.numbers, wide),
        (wide,),
        (wide, narrow),
        (narrow,),
        (inputs.kinds, narrow + 1),
        (inputs.marks, narrow + 1),
        (narrow + 1,),
    ]


def as_network(flat: Floats32, inputs: NetworkInputs, wide: int, narrow: int) -> PolicyNetwork:
    """Flat weights, float32 (`weight_count`,), as a network."""
    parts, at = [], 0
    for shape in network_shapes(inputs, wide, narrow):
        parts.append(flat[at : at + prod(shape)].reshape(shape))
        at += prod(shape)
    return PolicyNetwork(*parts)


def weight_count(inputs: NetworkInputs, wide: int, narrow: int) -> int:
    """The number of weights."""
    return sum(map(prod, network_shapes(inputs, wide, narrow)))


def initial_weights(inputs: NetworkInputs, wide: int, narrow: int, seed: int) -> Floats32:
    """Random flat weights to begin with: all actions are about equally likely."""
    rng = np.random.default_rng(seed)
    flat = np.zeros(weight_count(inputs, wide, narrow), np.float32)
    net = as_network(flat, inputs, wide, narrow)
    for weights, scale in (
        (net.ones, sqrt(1 / max(1, inputs.active))),
        (net.numbers, sqrt(1 / max(1, inputs.numbers))),
        (net.second, sqrt(2 / wide)),
        (net.kinds[:, :-1], 0.01),
        (net.marks[:, :-1], 0.01),
    ):
        weights[:] = scale * rng.standard_normal(weights.shape)
    return flat


def activations(inputs: NetworkInputs, wide: int, narrow: int, actions: int) -> Activations:
    """Room for one thread."""
    sizes = (wide, narrow, wide, narrow, inputs.marks, actions, actions)
    return Activations(*(np.zeros(size, np.float32) for size in sizes))


@summing
def look(net: PolicyNetwork, numbers: Floats32, ones: Ints32, active: int, a: Activations) -> Any:
    """Compute both layers for a position; return its value.

    numbers: float32 (numbers,); ones: int32, the first `active` of which are one-hot inputs.
    """
    wide, narrow = a.first.shape[0], a.second.shape[0]
    for j in range(wide):
        a.first[j] = net.first[j]
    for i in range(active):
        row = ones[i]
        for j in range(wide):
            a.first[j] += net.ones[row, j]
    for i in range(numbers.shape[0]):
        x = numbers[i]
        if x != ZERO:
            for j in range(wide):
                a.first[j] += x * net.numbers[i, j]
    for j in range(narrow):
        a.second[j] = net.bias[j]
    for i in range(wide):
        x = a.first[i]
        if x > ZERO:
            for j in range(narrow):
                a.second[j] += x * net.second[i, j]
        else:
            a.first[i] = ZERO
    value = net.value[narrow]
    for j in range(narrow):
        x = max(a.second[j], ZERO)
        a.second[j] = x
        value += x * net.value[j]
    return value


@summing
def weigh(net: PolicyNetwork, kinds: Ints32, marks: Floats32, n: int, a: Activations) -> None:
    """Write the probabilities of the n legal actions into `a.policy`, after `look`.

    kinds: int32 (n,); marks: float32 (n, marks).
    """
    narrow, p = a.second.shape[0], a.policy
    for k in range(marks.shape[1]):
        x = net.marks[k, narrow]
        for j in range(narrow):
            x += a.second[j] * net.marks[k, j]
        a.by_mark[k] = x
    top = LOWEST
    for i in range(n):
        kind = kinds[i]
        x = net.kinds[kind, narrow]
        for j in range(narrow):
            x += a.second[j] * net.kinds[kind, j]
        for k in range(marks.shape[1]):
            x += marks[i, k] * a.by_mark[k]
        p[i] = x
        top = max(top, x)
    total = ZERO
    for i in range(n):
        p[i] = np.float32(exp(p[i] - top))
        total += p[i]
    share = ONE / total
    for i in range(n):
        p[i] *= share


@summing
def descend(
    net: PolicyNetwork,
    slope: PolicyNetwork,
    numbers: Floats32,
    ones: Ints32,
    active: int,
    kinds: Ints32,
    marks: Floats32,
    n: int,
    by_value: Any,
    a: Activations,
) -> None:
    """Add the gradient of one decision to `slope`, after `look` and `weigh`.

    `a.push` (n,) has the slopes of the loss by the scores; by_value: float32, the slope by the
    value.
    """
    wide, narrow = a.first.shape[0], a.second.shape[0]
    for j in range(narrow):
        a.second_slope[j] = by_value * net.value[j]
        slope.value[j] += by_value * a.second[j]
    slope.value[narrow] += by_value
    for k in range(marks.shape[1]):
        a.by_mark[k] = ZERO
    for i in range(n):
        kind, x = kinds[i], a.push[i]
        for j in range(narrow):
            a.second_slope[j] += x * net.kinds[kind, j]
        for j in range(narrow):
            slope.kinds[kind, j] += x * a.second[j]
        slope.kinds[kind, narrow] += x
        for k in range(marks.shape[1]):
            a.by_mark[k] += x * marks[i, k]
    for k in range(marks.shape[1]):
        x = a.by_mark[k]
        if x != ZERO:
            for j in range(narrow):
                a.second_slope[j] += x * net.marks[k, j]
            for j in range(narrow):
                slope.marks[k, j] += x * a.second[j]
            slope.marks[k, narrow] += x
    for j in range(narrow):
        if a.second[j] <= ZERO:
            a.second_slope[j] = ZERO
        slope.bias[j] += a.second_slope[j]
    for i in range(wide):
        x, back = a.first[i], ZERO
        if x > ZERO:
            for j in range(narrow):
                back += a.second_slope[j] * net.second[i, j]
            for j in range(narrow):
                slope.second[i, j] += x * a.second_slope[j]
        a.first_slope[i] = back
        slope.first[i] += back
    for i in range(active):
        row = ones[i]
        for j in range(wide):
            slope.ones[row, j] += a.first_slope[j]
    for i in range(numbers.shape[0]):
        x = numbers[i]
        if x != ZERO:
            for j in range(wide):
                slope.numbers[i, j] += x * a.first_slope[j]
