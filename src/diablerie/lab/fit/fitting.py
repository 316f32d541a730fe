"""Fit a small network to the values that positions turned out to have.

The network gives every seat a score. A softmax over the seats turns the scores into shares of the
win (or of the loss), and the fit minimizes their cross-entropy with the λ-returns, beginning with
random weights. Equal positions and seeds give equal weights.

The optimizer is Adam (Kingma and Ba 2015) with decoupled weight decay (Loshchilov and Hutter 2019)
and a learning rate that falls linearly to 0.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from diablerie.engine.arrays import Ints
from diablerie.lab.fit.worker import TrainingPositions

# Chosen by hand: a fit takes seconds, and none of them has been tuned.
EPOCHS, BATCH_SIZE = 24, 512
MIN_STEPS = 1000  # of the optimizer, however few positions there are
LEARNING_RATE = 3e-3  # at the first step
WEIGHT_DECAY = 1e-4  # the share of a weight that a step takes away, times the learning rate
BETA1, BETA2, EPSILON = 0.9, 0.999, 1e-8  # Adam's numbers, as Kingma and Ba recommend
Array = NDArray[np.floating[Any]]  # float32 while fitting, float64 in moments and predictions


class Network(NamedTuple):
    """Weights for inputs of mean 0 and deviation 1."""

    bias: Array  # (units,)
    units: Array  # (entries, units)
    counts: Array  # (units,): the weight of each hidden unit in the score
    linear: Array  # (entries,)


def fit(positions: TrainingPositions, units: int, sign: float, seed: int) -> Array:
    """The weights fitted to these positions, float32 (2 + entries, units + 1).

    They have the layout that `value_model.score_features` reads. sign: -1 if a high score means losing.
    """
    mean, deviation = moments(positions.known)
    known = ((positions.known - mean) / deviation).astype(np.float32)
    shares = returns_to_shares(positions.targets, sign).astype(np.float32)
    rng = np.random.default_rng(seed)
    network = random_network(known.shape[2], units, rng)
    # m and v: running means of the gradient and of its square
    m = v = Network(*(np.zeros_like(x) for x in network))
    steps = list(batches(len(known), rng))
    for step, batch in enumerate(steps, 1):
        slope = gradient(network, known[batch], shares[batch], sign)
        m = running_mean(m, slope, BETA1)
        v = running_mean(v, Network(*(x * x for x in slope)), BETA2)
        # the square root and the divisor undo the bias of the running means towards 0
        rate = LEARNING_RATE * (1 - step / (len(steps) + 1))
        rate = rate * np.sqrt(1 - BETA2**step) / (1 - BETA1**step)
        network = Network(
            *(
                (w - rate * a / (np.sqrt(b) + EPSILON) - rate * WEIGHT_DECAY * w).astype(np.float32)
                for w, a, b in zip(network, m, v, strict=True)
            )
        )
    return unstandardized(network, mean, deviation)


def moments(known: Array) -> tuple[Array, Array]:
    """Mean and deviation of every input, (entries,); deviation 1 for one that never changes."""
    flat = known.reshape(-1, known.shape[2]).astype(np.float64)
    spread = flat.std(axis=0)
    return flat.mean(axis=0), np.where(spread > 1e-6, spread, 1.0)


def returns_to_shares(returns: Array, sign: float) -> Array:
    """Returns (n, seats) as shares of the win (of the loss, if the sign is -1) that sum to 1."""
    seats = returns.shape[1]
    return np.asarray((sign * returns * (seats - 1) + 1) / seats)


def shares_to_returns(shares: Array, sign: float) -> Array:
    """The inverse of `returns_to_shares`."""
    seats = shares.shape[1]
    return np.asarray(sign * (shares - (1 - shares) / (seats - 1)))


def random_network(entries: int, units: int, rng: np.random.Generator) -> Network:
    """The network that a fit begins with: its score is 0, its hidden units are random (He 2015)."""
    scale = np.sqrt(2.0 / max(1, entries))
    return Network(
        np.zeros(units, np.float32),
        (scale * rng.standard_normal((entries, units))).astype(np.float32),
        np.zeros(units, np.float32),
        np.zeros(entries, np.float32),
    )


def batches(n: int, rng: np.random.Generator) -> Iterator[Ints]:
    """The indices of every batch of all epochs."""
    for _ in range(max(EPOCHS, -(-MIN_STEPS // -(-n // BATCH_SIZE)))):
        order = rng.permutation(n)
        for k in range(0, n, BATCH_SIZE):
            yield order[k : k + BATCH_SIZE]


def running_mean(old: Network, new: Network, keep: float) -> Network:
    """An exponential running mean: the share `keep` of the old one, the rest of the new one."""
    return Network(*(keep * a + (1 - keep) * b for a, b in zip(old, new, strict=True)))


def softmax(scores: Array) -> Array:
    """Softmax over the last axis."""
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return np.asarray(e / e.sum(axis=-1, keepdims=True))


def gradient(n: Network, known: Array, shares: Array, sign: float) -> Network:
    """The gradient of the mean cross-entropy over a batch.

    known: (batch, seats, entries); shares: (batch, seats). The gradient of softmax and
    cross-entropy with respect to the scores is the predicted less the true shares (`push`).
    """
    flat = known.reshape(-1, known.shape[2])
    active = np.maximum(flat @ n.units + n.bias, 0)
    scores = (flat @ n.linear + active @ n.counts).reshape(shares.shape)
    push = (sign * (softmax(sign * scores) - shares) / len(known)).reshape(-1)
    back = push[:, None] * n.counts * (active > 0)
    return Network(back.sum(axis=0), flat.T @ back, active.T @ push, flat.T @ push)


def unstandardized(n: Network, mean: Array, spread: Array) -> Array:
    """The same network for inputs that are not standardized, as `value_model.score_features` reads it."""
    units, linear = n.units / spread[:, None], n.linear / spread
    top = np.append(n.bias - mean @ units, -mean @ linear)
    middle = np.column_stack([units, linear])
    last = np.append(n.counts, 0.0)
    return np.vstack([top, middle, last]).astype(np.float32)


def predicted_returns(weights: Array, known: Array, sign: float) -> Array:
    """The returns that weights predict, (n, seats), as `value_model.evaluate` computes them.

    known: (n, seats, entries).
    """
    flat = known.reshape(-1, known.shape[2]).astype(np.float64)
    units = flat @ weights[1:-1] + weights[0]
    scores = units[:, -1] + np.maximum(units[:, :-1], 0) @ weights[-1, :-1]
    return shares_to_returns(softmax(sign * scores.reshape(known.shape[:2])), sign)
