"""The policy network, for one decision at a time: what it computes, and the gradient.

Two hidden layers read the position. The first adds up a row of weights for each one-hot input that
is 1, and for each number. An action's logit is the dot product of the second layer with an
embedding of the action: a row of weights for its kind, and one for each of its marks. So only legal
actions cost anything. The value is what the seat that decides may expect, -1 to 1.
"""

from math import exp, log, prod, sqrt
from typing import Any, NamedTuple

import numpy as np

from diablerie.engine.compile import Floats32, Ints, Ints32, summing
from diablerie.learning.inputs import NetworkInputs

ZERO_FLOAT = np.float32(0.0)
ONE_FLOAT = np.float32(1.0)
LOWEST = np.float32(-1e30)
Hidden = tuple[int, int]  # the sizes of the hidden layers


class PolicyNetwork(NamedTuple):
    """The weights, float32: views of one flat array. The last column of some is a bias."""

    first: Floats32  # (one-hot inputs + numbers + 1, hidden[0]): the last row is the bias
    second: Floats32  # (hidden[0] + 1, hidden[1]): likewise
    kinds: Floats32  # (kinds, hidden[1] + 1)
    marks: Floats32  # (marks, hidden[1] + 1)
    value: Floats32  # (hidden[1] + 1,)


class Activations(NamedTuple):
    """Activations and gradients of one decision. `rows` and `units` list rows that are added up."""

    first: Floats32  # (hidden[0],): the first layer
    second: Floats32  # (hidden[1],)
    first_grad: Floats32  # (hidden[0],): of the loss, by the first layer
    second_grad: Floats32  # (hidden[1],)
    rows: Ints  # of `PolicyNetwork.first`
    row_inputs: Floats32  # times what
    units: Ints  # rows of `PolicyNetwork.second`
    unit_inputs: Floats32
    sizes: Ints  # (3,): how many are listed in `rows`, `units`, `used_marks`
    used_marks: Ints  # (marks,): the marks that are not 0 for all actions
    mark_logits: Floats32  # (marks,): in the same order
    policy: Floats32  # (actions,): the probabilities of the legal actions
    log_probs: Floats32  # (actions,): their logarithms
    logit_grads: Floats32  # (actions,): the gradient of the loss by each logit


def network_shapes(inputs: NetworkInputs, hidden: Hidden) -> list[tuple[int, ...]]:
    """The shapes of the weights, in the order of `PolicyNetwork`."""
    first, second = hidden
    return [
        (inputs.one_hots + inputs.numbers + 1, first),
        (first + 1, second),
        (inputs.kinds, second + 1),
        (inputs.marks, second + 1),
        (second + 1,),
    ]


def as_network(flat: Floats32, inputs: NetworkInputs, hidden: Hidden) -> PolicyNetwork:
    """Flat weights, float32 (`weight_count`,), as a network."""
    parts = []
    at = 0
    for shape in network_shapes(inputs, hidden):
        parts.append(flat[at : at + prod(shape)].reshape(shape))
        at += prod(shape)
    return PolicyNetwork(*parts)


def weight_count(inputs: NetworkInputs, hidden: Hidden) -> int:
    """The number of weights."""
    return sum(map(prod, network_shapes(inputs, hidden)))


def initial_weights(inputs: NetworkInputs, hidden: Hidden, seed: int) -> Floats32:
    """Random flat weights to begin with: all actions are about equally likely."""
    rng = np.random.default_rng(seed)
    flat = np.zeros(weight_count(inputs, hidden), np.float32)
    net = as_network(flat, inputs, hidden)
    for weights, scale in (
        (net.first[: inputs.one_hots], sqrt(1 / max(1, inputs.active))),
        (net.first[inputs.one_hots : -1], sqrt(1 / max(1, inputs.numbers))),
        (net.second[:-1], sqrt(2 / hidden[0])),
        (net.kinds[:, :-1], 0.01),
        (net.marks[:, :-1], 0.01),
    ):
        weights[:] = scale * rng.standard_normal(weights.shape)
    return flat


def activations(inputs: NetworkInputs, hidden: Hidden, actions: int) -> Activations:
    """Room for one thread."""
    rows = inputs.active + inputs.numbers + 1
    units = hidden[0] + 1

    def real(size: int) -> Floats32:
        return np.zeros(size, np.float32)

    def whole(size: int) -> Ints:
        return np.zeros(size, np.int64)

    # What a forward pass leaves here, `backpropagate` reads: one decision at a time.
    return Activations(
        first=real(hidden[0]),
        second=real(hidden[1]),
        first_grad=real(hidden[0]),
        second_grad=real(hidden[1]),
        rows=whole(rows),
        row_inputs=real(rows),
        units=whole(units),
        unit_inputs=real(units),
        sizes=whole(3),
        used_marks=whole(inputs.marks),
        mark_logits=real(inputs.marks),
        policy=real(actions),
        log_probs=real(actions),
        logit_grads=real(actions),
    )


@summing
def sum_rows(weights: Floats32, rows: Ints, by: Floats32, n: int, out: Floats32) -> None:
    """Write the sum of the n rows of weights into `out`, each times its number in `by`.

    Four at a time, since `out` is then read and written a quarter as often.
    """
    for j in range(out.shape[0]):
        out[j] = ZERO_FLOAT
    k = 0
    while k + 4 <= n:
        # Into variables, so that the inner loop reads nothing but weights and `out`.
        a = rows[k]
        b = rows[k + 1]
        c = rows[k + 2]
        d = rows[k + 3]
        p = by[k]
        q = by[k + 1]
        r = by[k + 2]
        s = by[k + 3]
        for j in range(out.shape[0]):
            out[j] += p * weights[a, j] + q * weights[b, j] + r * weights[c, j] + s * weights[d, j]
        k += 4
    while k < n:
        a = rows[k]
        p = by[k]
        for j in range(out.shape[0]):
            out[j] += p * weights[a, j]
        k += 1


@summing
def forward_value(
    net: PolicyNetwork, numbers: Floats32, ones: Ints32, active: int, a: Activations
) -> Any:
    """The forward pass of a position: compute both hidden layers and return the value.

    numbers: float32 (numbers,); ones: int32, the first `active` of which are one-hot inputs.
    """
    # Most inputs are 0: only the rows of weights whose inputs are not are listed, and added up.
    # The rows of one-hot inputs come first, then those of numbers, then the bias.
    bias = net.first.shape[0] - 1
    n = active
    for i in range(active):
        a.rows[i] = ones[i]
        a.row_inputs[i] = ONE_FLOAT
    for i in range(numbers.shape[0]):
        if numbers[i] != ZERO_FLOAT:
            a.rows[n] = bias - numbers.shape[0] + i
            a.row_inputs[n] = numbers[i]
            n += 1
    a.rows[n] = bias
    a.row_inputs[n] = ONE_FLOAT
    a.sizes[0] = n + 1
    sum_rows(net.first, a.rows, a.row_inputs, n + 1, a.first)
    # The same for the second layer: only units above 0 (ReLU) pass anything on. Each is written,
    # but the next one overwrites it unless `n` has moved on: a sum without a branch.
    n = 0
    for i in range(a.first.shape[0]):
        a.unit_inputs[n] = a.first[i]
        a.units[n] = i
        n += a.first[i] > ZERO_FLOAT
    a.units[n] = a.first.shape[0]
    a.unit_inputs[n] = ONE_FLOAT
    a.sizes[1] = n
    sum_rows(net.second, a.units, a.unit_inputs, n + 1, a.second)
    last = a.second.shape[0]
    # The second layer's ReLU, and the value in the same pass.
    value = net.value[last]
    for j in range(last):
        a.second[j] = max(a.second[j], ZERO_FLOAT)
        value += a.second[j] * net.value[j]
    return value


@summing
def row_logit(weights: Floats32, row: int, second: Floats32) -> Any:
    """The dot product of a row of weights with the second layer, plus its bias."""
    x = weights[row, second.shape[0]]
    for j in range(second.shape[0]):
        x += weights[row, j] * second[j]
    return x


@summing
def forward_policy(
    net: PolicyNetwork, kinds: Ints32, marks: Floats32, n: int, a: Activations
) -> None:
    """The forward pass of the n legal actions, after `forward_value`: write `a.policy`.

    kinds: int32 (n,); marks: float32 (n, marks).
    """
    used = 0
    p = a.policy
    for k in range(marks.shape[1]):
        a.mark_logits[k] = ZERO_FLOAT
    for i in range(n):
        for k in range(marks.shape[1]):
            a.mark_logits[k] += abs(marks[i, k])
    for k in range(marks.shape[1]):
        a.used_marks[used] = k
        used += a.mark_logits[k] > ZERO_FLOAT
    a.sizes[2] = used
    for k in range(used):
        a.mark_logits[k] = row_logit(net.marks, a.used_marks[k], a.second)
    top = LOWEST
    kind = -1
    x = ZERO_FLOAT
    for i in range(n):
        if kinds[i] != kind:  # those of one kind follow each other, if any
            kind = kinds[i]
            x = row_logit(net.kinds, kind, a.second)
        y = x
        for k in range(used):
            y += marks[i, a.used_marks[k]] * a.mark_logits[k]
        a.log_probs[i] = y
        top = max(top, y)
    total = ZERO_FLOAT
    for i in range(n):
        p[i] = np.float32(exp(a.log_probs[i] - top))
        total += p[i]
    share = ONE_FLOAT / total
    rest = top + np.float32(log(total))
    for i in range(n):
        p[i] *= share
        a.log_probs[i] -= rest


@summing
def add_row_gradient(net: Floats32, grad: Floats32, row: int, x: Any, a: Activations) -> None:
    """The loss has the gradient x by a logit: add those by its row and by the second layer."""
    last = a.second.shape[0]
    for j in range(last):
        a.second_grad[j] += x * net[row, j]
        grad[row, j] += x * a.second[j]
    grad[row, last] += x


@summing
def backpropagate(
    net: PolicyNetwork,
    grad: PolicyNetwork,
    kinds: Ints32,
    marks: Floats32,
    n: int,
    value_grad: Any,
    a: Activations,
) -> None:
    """Add the gradient of one decision to `grad`, after `forward_value` and `forward_policy`.

    `a.logit_grads` (n,) has the gradients of the loss by the logits; value_grad: float32, by the
    value.
    """
    units = a.first.shape[0]
    last = a.second.shape[0]
    # 1. The value's head: it begins the gradient by the second layer, and the logits add to it.
    for j in range(last):
        a.second_grad[j] = value_grad * net.value[j]
        grad.value[j] += value_grad * a.second[j]
    grad.value[last] += value_grad
    # 2. The logits' rows of kinds. Actions of one kind follow each other and share a row, so their
    # gradients are added up first.
    total = ZERO_FLOAT
    kind = kinds[0]
    for i in range(n):
        if kinds[i] != kind:
            add_row_gradient(net.kinds, grad.kinds, kind, total, a)
            total = ZERO_FLOAT
            kind = kinds[i]
        total += a.logit_grads[i]
    add_row_gradient(net.kinds, grad.kinds, kind, total, a)
    # 3. The logits' rows of marks, of which only those that some action has count.
    for k in range(a.sizes[2]):
        mark = a.used_marks[k]
        x = ZERO_FLOAT
        for i in range(n):
            x += a.logit_grads[i] * marks[i, mark]
        add_row_gradient(net.marks, grad.marks, mark, x, a)
    # 4. Back through the second layer's ReLU, and into its biases.
    for j in range(last):
        if a.second[j] <= ZERO_FLOAT:
            a.second_grad[j] = ZERO_FLOAT
        grad.second[units, j] += a.second_grad[j]
    # 5. The second layer's weights; units that were 0 neither get a gradient nor pass one on.
    for i in range(units):
        a.first_grad[i] = ZERO_FLOAT
    for k in range(a.sizes[1]):
        i = a.units[k]
        x = a.unit_inputs[k]
        back = ZERO_FLOAT
        for j in range(last):
            back += a.second_grad[j] * net.second[i, j]
        for j in range(last):
            grad.second[i, j] += x * a.second_grad[j]
        a.first_grad[i] = back
    # 6. The first layer's weights: again only the rows of inputs that were not 0.
    for k in range(a.sizes[0]):
        row = a.rows[k]
        x = a.row_inputs[k]
        for j in range(units):
            grad.first[row, j] += x * a.first_grad[j]
