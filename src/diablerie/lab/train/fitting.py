"""The next weights: a small network fitted to what positions turned out to be worth.

Scores become shares of the win (or of the loss) by a softmax over the seats; these are fitted by
cross-entropy, with Adam, from weights drawn anew. Equal positions and seeds give equal weights.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from diablerie.lab.train.playing import Positions

EPOCHS, BATCH = 24, 512
STEPS = 1000  # at least, however few positions there are
RATE, DECAY = 3e-3, 1e-4  # Adam's first step; of weights, beside the loss
FIRST, SECOND, SMALL = 0.9, 0.999, 1e-8  # Adam's usual numbers
Array = NDArray[Any]


class Network(NamedTuple):
    """Weights for entries of mean 0 and deviation 1."""

    bias: Array  # (units,)
    units: Array  # (entries, units)
    counts: Array  # (units,): what each unit counts
    linear: Array  # (entries,)


def fit(found: Positions, units: int, sign: float, seed: int) -> Array:
    """The weights fitted to these positions, as `judging.score` takes them.

    sign: -1 if the scores say who loses.
    """
    mean, spread = moments(found.known)
    known = ((found.known - mean) / spread).astype(np.float32)
    shares = shares_of(found.targets, sign).astype(np.float32)
    rng = np.random.default_rng(seed)
    network = drawn(known.shape[2], units, rng)
    first = second = Network(*(np.zeros_like(x) for x in network))
    chosen = list(batches(len(known), rng))
    for step, batch in enumerate(chosen, 1):
        slope = gradient(network, known[batch], shares[batch], sign)
        first = mixed(first, slope, FIRST)
        second = mixed(second, Network(*(x * x for x in slope)), SECOND)
        rate = RATE * (1 - step / (len(chosen) + 1)) * np.sqrt(1 - SECOND**step) / (1 - FIRST**step)
        network = Network(*(
            (w - rate * m / (np.sqrt(v) + SMALL) - rate * DECAY * w).astype(np.float32)
            for w, m, v in zip(network, first, second, strict=True)
        ))  # fmt: skip
    return folded(network, mean, spread)


def moments(known: Array) -> tuple[Array, Array]:
    """Mean and deviation of every entry; 1 for one that never changes."""
    flat = known.reshape(-1, known.shape[2]).astype(np.float64)
    spread = flat.std(axis=0)
    return flat.mean(axis=0), np.where(spread > 1e-6, spread, 1.0)


def shares_of(returns: Array, sign: float) -> Array:
    """Returns as shares of the win (of the loss, if the sign is -1) that sum to 1."""
    seats = returns.shape[1]
    return np.asarray((sign * returns * (seats - 1) + 1) / seats)


def returns_of(shares: Array, sign: float) -> Array:
    """The inverse of `shares_of`."""
    seats = shares.shape[1]
    return np.asarray(sign * (shares - (1 - shares) / (seats - 1)))


def drawn(entries: int, units: int, rng: np.random.Generator) -> Network:
    """The network that a fit begins with: linear, and zero."""
    scale = np.sqrt(2.0 / max(1, entries))
    return Network(
        np.zeros(units, np.float32),
        (scale * rng.standard_normal((entries, units))).astype(np.float32),
        np.zeros(units, np.float32),
        np.zeros(entries, np.float32),
    )


def batches(n: int, rng: np.random.Generator) -> Iterator[Array]:
    """The indices of every batch of all epochs."""
    for _ in range(max(EPOCHS, -(-STEPS // -(-n // BATCH)))):
        order = rng.permutation(n)
        for k in range(0, n, BATCH):
            yield order[k : k + BATCH]


def mixed(old: Network, new: Network, keep: float) -> Network:
    """A running mean."""
    return Network(*(keep * a + (1 - keep) * b for a, b in zip(old, new, strict=True)))


def softmax(scores: Array) -> Array:
    """Over the last axis."""
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return np.asarray(e / e.sum(axis=-1, keepdims=True))


def gradient(n: Network, known: Array, shares: Array, sign: float) -> Network:
    """The slope of the mean cross-entropy over a batch."""
    flat = known.reshape(-1, known.shape[2])
    active = np.maximum(flat @ n.units + n.bias, 0)
    scores = (flat @ n.linear + active @ n.counts).reshape(shares.shape)
    push = (sign * (softmax(sign * scores) - shares) / len(known)).reshape(-1)
    back = push[:, None] * n.counts * (active > 0)
    return Network(back.sum(axis=0), flat.T @ back, active.T @ push, flat.T @ push)


def folded(n: Network, mean: Array, spread: Array) -> Array:
    """The same network for entries as they are, as `judging.score` reads it."""
    units, linear = n.units / spread[:, None], n.linear / spread
    top = np.append(n.bias - mean @ units, -mean @ linear)
    middle = np.column_stack([units, linear])
    last = np.append(n.counts, 0.0)
    return np.vstack([top, middle, last]).astype(np.float32)


def judged(weights: Array, known: Array, sign: float) -> Array:
    """What weights take positions for, as `judging.judge` does: returns by seat."""
    flat = known.reshape(-1, known.shape[2]).astype(np.float64)
    units = flat @ weights[1:-1] + weights[0]
    scores = units[:, -1] + np.maximum(units[:, :-1], 0) @ weights[-1, :-1]
    return returns_of(softmax(sign * scores.reshape(known.shape[:2])), sign)
