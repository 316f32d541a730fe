"""PPO in compiled code: the gradient over a shard's decisions, and a step of Adam.

Schulman et al. 2017, "Proximal policy optimization algorithms": the ratio of new and old
probabilities is clipped, and the policy's entropy is rewarded.
"""

from math import log, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from diablerie.engine.arrays import Floats, Ints
from diablerie.engine.compile import summing
from diablerie.engine.rng import below
from diablerie.learning.network import ONE, ZERO, Activations, PolicyNetwork, descend, look, weigh
from diablerie.learning.selfplay import OPEN, Shard

CLIP = 0.2
CRITIC = 0.5  # the weight of the value's squared error in the loss
BETA1, BETA2, EPSILON = np.float32(0.9), np.float32(0.999), np.float32(1e-6)  # Adam's
COUNT, ENTROPY, MISS, CLIPPED, KL, SPREAD = range(6)  # `told`, see `add_slopes`


@summing
def share_out(k: Shard, n: int, placed: Ints) -> None:
    """Share the first n decisions out at random among the batches of a pass: write `k.order`.

    Within a batch they keep their order, in which their inputs lie in memory.
    placed: int64 (batches,), to work in. Batch i has `order[n * i // batches:n * (i + 1) // batches]`.
    """
    batches = len(placed)
    for i in range(batches):
        placed[i] = n * i // batches
    for d in range(n):
        left, i = below(k.rng, n - d), 0
        while left >= n * (i + 1) // batches - placed[i]:
            left -= n * (i + 1) // batches - placed[i]
            i += 1
        k.order[placed[i]] = d
        placed[i] += 1


@summing
def add_slopes(
    net: PolicyNetwork,
    slope: PolicyNetwork,
    k: Shard,
    a: Activations,
    low: int,
    high: int,
    mean: float,
    scale: float,
    entropy: float,
    told: Floats,
) -> None:
    """Add the gradient of the loss over the decisions `k.order[low:high]` to `slope`.

    mean, scale: of the advantages, which are centred and divided. entropy: the weight of the
    policy's entropy. told: (6,), to which are added the number of decisions, their entropies
    (nats), squared errors of the value, how many ratios were clipped, estimates of the
    Kullback-Leibler divergence from the policy that played, squares of what the value should be.
    """
    for i in range(low, high):
        d = k.order[i]
        if k.following[d] == OPEN:
            continue
        first, n = k.listed[d], k.listed[d + 1] - k.listed[d]
        kinds, marks = k.kinds[first : first + n], k.marks[first : first + n]
        value = look(net, k.numbers[d], k.ones[d], k.active[d], a)
        weigh(net, kinds, marks, n, a)
        chosen, target = k.chosen[d], k.gain[d] + k.value[d]
        gain, ratio = (k.gain[d] - mean) * scale, a.policy[chosen] / k.chance[d]
        free = not ((gain > 0.0 and ratio > 1.0 + CLIP) or (gain < 0.0 and ratio < 1.0 - CLIP))
        push = np.float32(gain * ratio) if free else ZERO
        spread = ZERO
        for j in range(n):
            spread -= a.policy[j] * a.logs[j]
        for j in range(n):
            a.push[j] = a.policy[j] * (push + np.float32(entropy) * (a.logs[j] + spread))
        a.push[chosen] -= push
        miss = value - np.float32(target)
        by_value = np.float32(2.0 * CRITIC) * miss
        descend(net, slope, kinds, marks, n, by_value, a)
        told[COUNT] += 1.0
        told[ENTROPY] += spread
        told[MISS] += miss * miss
        told[CLIPPED] += 0.0 if free else 1.0
        told[KL] += ratio - 1.0 - log(ratio)
        told[SPREAD] += target * target


@summing
def adam_step(
    flat: Any,
    slopes: NDArray[np.float32],
    mean: Any,
    square: Any,
    total: Any,
    count: float,
    rate: float,
    step: int,
    longest: float,
) -> float:
    """Move the weights against the shards' gradients, which are then 0; return the gradient's norm.

    flat, mean, square, total: float32 (weights,); slopes: float32 (shards, weights), added up in
    the order of the shards and divided by `count`; a gradient longer than `longest` is shortened.
    step: from 1.
    """
    share, length = np.float32(1.0 / count), 0.0
    for i in range(len(flat)):
        total[i] = ZERO
    for s in range(len(slopes)):
        for i in range(len(flat)):
            total[i] += slopes[s, i]
            slopes[s, i] = ZERO
    for i in range(len(flat)):
        total[i] *= share
        length += float(total[i]) * float(total[i])
    length = sqrt(length)
    cut = np.float32(min(1.0, longest / max(length, 1e-12)))
    by = np.float32(rate * sqrt(1.0 - 0.999**step) / (1.0 - 0.9**step))
    for i in range(len(flat)):
        x = total[i] * cut
        mean[i] = BETA1 * mean[i] + (ONE - BETA1) * x
        square[i] = BETA2 * square[i] + (ONE - BETA2) * x * x
        flat[i] -= by * mean[i] / (np.sqrt(square[i]) + EPSILON)
    return length
