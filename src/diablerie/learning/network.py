"""The policy network, for one decision at a time: what it computes, and the gradient.

Two hidden layers read the position. The first adds up a row of weights for each one-hot input that
is 1, and for each number. An action's score is the dot product of the second layer with an
embedding of the action: a row of weights for its kind, and one for each of its marks. So only legal
actions cost anything. The value is what the seat that decides may expect, -1 to 1.
"""

from math import exp, log, prod, sqrt
from typing import Any, NamedTuple

import numpy as np

from diablerie.engine.arrays import Floats32, Ints, Ints32
from diablerie.engine.compile import summing
from diablerie.values.inputs import NetworkInputs

ZERO, ONE = np.float32(0.0), np.float32(1.0)
LOWEST = np.float32(-1e30)


class PolicyNetwork(NamedTuple):
    """The weights, float32: views of one flat array. The last column of some is a bias."""

    first: Floats32  # (one-hot inputs + numbers + 1, wide): the last row is the bias
    second: Floats32  # (wide + 1, narrow): likewise
    kinds: Floats32  # (kinds, narrow + 1)
    marks: Floats32  # (marks, narrow + 1)
    value: Floats32  # (narrow + 1,)


class Activations(NamedTuple):
    """Room for one decision. `used` and `units` list rows of weights that have been added up."""

    first: Floats32  # (wide,): the first layer
    second: Floats32  # (narrow,)
    first_slope: Floats32  # (wide,): of the loss, by the first layer
    second_slope: Floats32  # (narrow,)
    used: Ints  # rows of `PolicyNetwork.first`
    by_input: Floats32  # times what
    units: Ints  # rows of `PolicyNetwork.second`
    by_unit: Floats32
    sizes: Ints  # (3,): how many are listed in `used`, `units`, `told`
    told: Ints  # (marks,): the marks that are not 0 for all actions
    by_mark: Floats32  # (marks,): in the same order
    policy: Floats32  # (actions,): the probabilities of the legal actions
    logs: Floats32  # (actions,): their logarithms
    push: Floats32  # (actions,): the slope of the loss by each score


def network_shapes(inputs: NetworkInputs, wide: int, narrow: int) -> list[tuple[int, ...]]:
    """The shapes of the weights, in the order of `PolicyNetwork`."""
    return [
        (inputs.one_hots + inputs.numbers + 1, wide),
        (wide + 1, narrow),
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
        (net.first[: inputs.one_hots], sqrt(1 / max(1, inputs.active))),
        (net.first[inputs.one_hots : -1], sqrt(1 / max(1, inputs.numbers))),
        (net.second[:-1], sqrt(2 / wide)),
        (net.kinds[:, :-1], 0.01),
        (net.marks[:, :-1], 0.01),
    ):
        weights[:] = scale * rng.standard_normal(weights.shape)
    return flat


def activations(inputs: NetworkInputs, wide: int, narrow: int, actions: int) -> Activations:
    """Room for one thread."""
    used = inputs.active + inputs.numbers + 1

    def real(size: int) -> Floats32:
        return np.zeros(size, np.float32)

    def whole(size: int) -> Ints:
        return np.zeros(size, np.int64)

    return Activations(
        first=real(wide),
        second=real(narrow),
        first_slope=real(wide),
        second_slope=real(narrow),
        used=whole(used),
        by_input=real(used),
        units=whole(wide + 1),
        by_unit=real(wide + 1),
        sizes=whole(3),
        told=whole(inputs.marks),
        by_mark=real(inputs.marks),
        policy=real(actions),
        logs=real(actions),
        push=real(actions),
    )


@summing
def add_up(weights: Floats32, rows: Ints, by: Floats32, n: int, out: Floats32) -> None:
    """Write the sum of the n rows of weights into `out`, each times its number in `by`.

    Four at a time, since `out` is then read and written a quarter as often.
    """
    for j in range(out.shape[0]):
        out[j] = ZERO
    k = 0
    while k + 4 <= n:
        a, b, c, d = rows[k], rows[k + 1], rows[k + 2], rows[k + 3]
        p, q, r, s = by[k], by[k + 1], by[k + 2], by[k + 3]
        for j in range(out.shape[0]):
            out[j] += p * weights[a, j] + q * weights[b, j] + r * weights[c, j] + s * weights[d, j]
        k += 4
    while k < n:
        a, p = rows[k], by[k]
        for j in range(out.shape[0]):
            out[j] += p * weights[a, j]
        k += 1


@summing
def look(net: PolicyNetwork, numbers: Floats32, ones: Ints32, active: int, a: Activations) -> Any:
    """Compute both layers for a position; return its value.

    numbers: float32 (numbers,); ones: int32, the first `active` of which are one-hot inputs.
    """
    bias, n = net.first.shape[0] - 1, active
    for i in range(active):
        a.used[i], a.by_input[i] = ones[i], ONE
    for i in range(numbers.shape[0]):
        if numbers[i] != ZERO:
            a.used[n], a.by_input[n] = bias - numbers.shape[0] + i, numbers[i]
            n += 1
    a.used[n], a.by_input[n] = bias, ONE
    a.sizes[0] = n + 1
    add_up(net.first, a.used, a.by_input, n + 1, a.first)
    n = 0
    for i in range(a.first.shape[0]):
        a.units[n], a.by_unit[n] = i, a.first[i]
        n += a.first[i] > ZERO
    a.units[n], a.by_unit[n] = a.first.shape[0], ONE
    a.sizes[1] = n
    add_up(net.second, a.units, a.by_unit, n + 1, a.second)
    narrow = a.second.shape[0]
    value = net.value[narrow]
    for j in range(narrow):
        a.second[j] = max(a.second[j], ZERO)
        value += a.second[j] * net.value[j]
    return value


@summing
def score(weights: Floats32, row: int, second: Floats32) -> Any:
    """The dot product of a row of weights with the second layer, and its bias."""
    x = weights[row, second.shape[0]]
    for j in range(second.shape[0]):
        x += weights[row, j] * second[j]
    return x


@summing
def weigh(net: PolicyNetwork, kinds: Ints32, marks: Floats32, n: int, a: Activations) -> None:
    """Write the probabilities of the n legal actions into `a.policy`, after `look`.

    kinds: int32 (n,); marks: float32 (n, marks).
    """
    told, p = 0, a.policy
    for k in range(marks.shape[1]):
        a.by_mark[k] = ZERO
    for i in range(n):
        for k in range(marks.shape[1]):
            a.by_mark[k] += abs(marks[i, k])
    for k in range(marks.shape[1]):
        a.told[told] = k
        told += a.by_mark[k] > ZERO
    a.sizes[2] = told
    for k in range(told):
        a.by_mark[k] = score(net.marks, a.told[k], a.second)
    top, kind, x = LOWEST, -1, ZERO
    for i in range(n):
        if kinds[i] != kind:  # those of one kind follow each other, if any
            kind = kinds[i]
            x = score(net.kinds, kind, a.second)
        y = x
        for k in range(told):
            y += marks[i, a.told[k]] * a.by_mark[k]
        a.logs[i] = y
        top = max(top, y)
    total = ZERO
    for i in range(n):
        p[i] = np.float32(exp(a.logs[i] - top))
        total += p[i]
    share, rest = ONE / total, top + np.float32(log(total))
    for i in range(n):
        p[i] *= share
        a.logs[i] -= rest


@summing
def push_row(net: Floats32, slope: Floats32, row: int, x: Any, a: Activations) -> None:
    """A score changes by x: what that is for its row of weights, and for the second layer."""
    narrow = a.second.shape[0]
    for j in range(narrow):
        a.second_slope[j] += x * net[row, j]
        slope[row, j] += x * a.second[j]
    slope[row, narrow] += x


@summing
def descend(
    net: PolicyNetwork,
    slope: PolicyNetwork,
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
    total, kind = ZERO, kinds[0]
    for i in range(n):
        if kinds[i] != kind:
            push_row(net.kinds, slope.kinds, kind, total, a)
            total, kind = ZERO, kinds[i]
        total += a.push[i]
    push_row(net.kinds, slope.kinds, kind, total, a)
    for k in range(a.sizes[2]):
        mark, x = a.told[k], ZERO
        for i in range(n):
            x += a.push[i] * marks[i, mark]
        push_row(net.marks, slope.marks, mark, x, a)
    for j in range(narrow):
        if a.second[j] <= ZERO:
            a.second_slope[j] = ZERO
        slope.second[wide, j] += a.second_slope[j]
    for i in range(wide):
        a.first_slope[i] = ZERO
    for k in range(a.sizes[1]):
        i, x, back = a.units[k], a.by_unit[k], ZERO
        for j in range(narrow):
            back += a.second_slope[j] * net.second[i, j]
        for j in range(narrow):
            slope.second[i, j] += x * a.second_slope[j]
        a.first_slope[i] = back
    for k in range(a.sizes[0]):
        row, x = a.used[k], a.by_input[k]
        for j in range(wide):
            slope.first[row, j] += x * a.first_slope[j]
