"""PPO in compiled code: the gradient over a worker's decisions, and a step of Adam.

Schulman et al. 2017, "Proximal policy optimization algorithms": the ratio of new and old
probabilities is clipped, and the policy's entropy is rewarded.
"""

from math import sqrt

import numpy as np

from diablerie.engine.compile import Floats, Floats32, Ints, summing
from diablerie.engine.rng import below
from diablerie.learning.network import (
    ONE_FLOAT,
    ZERO_FLOAT,
    Activations,
    PolicyNetwork,
    backpropagate,
    forward_policy,
    forward_value,
)
from diablerie.learning.rollout import GOES_ON, EnvWorker

CLIP = 0.2
VALUE_WEIGHT = 0.5  # of the value loss
BETA1 = np.float32(0.9)
BETA2 = np.float32(0.999)
ADAM_EPSILON = np.float32(1e-6)
COUNT, ENTROPY = range(2)  # see `add_gradients`


@summing
def shuffle_minibatches(w: EnvWorker, n: int, placed: Ints) -> None:
    """Share the first n decisions out at random among the minibatches of an epoch: write `w.order`.

    Within a minibatch they keep their order, in which their inputs lie in memory. placed: int64
    (minibatches,), to work in. Minibatch i has
    `order[n * i // minibatches:n * (i + 1) // minibatches]`.
    """
    minibatches = len(placed)
    for i in range(minibatches):
        placed[i] = n * i // minibatches
    for d in range(n):
        left = below(w.rng, n - d)
        i = 0
        while left >= n * (i + 1) // minibatches - placed[i]:
            left -= n * (i + 1) // minibatches - placed[i]
            i += 1
        w.order[placed[i]] = d
        placed[i] += 1


@summing
def add_gradients(
    net: PolicyNetwork,
    grad: PolicyNetwork,
    w: EnvWorker,
    a: Activations,
    low: int,
    high: int,
    mean: float,
    scale: float,
    entropy_weight: float,
    statistics: Floats,
) -> None:
    """Add the gradient of the loss over the decisions `w.order[low:high]` to `grad`.

    mean, scale: of the advantages, which are centred and multiplied. statistics: (2,), to
    which are added the number of decisions, and the policy's entropies (nats).
    """
    for i in range(low, high):
        d = w.order[i]
        # What it led to is not known yet: the game goes on in the next rollout.
        if w.following[d] == GOES_ON:
            continue
        first = w.offsets[d]
        n = w.offsets[d + 1] - w.offsets[d]
        kinds = w.kinds[first : first + n]
        marks = w.marks[first : first + n]
        value = forward_value(net, w.numbers[d], w.ones[d], w.active[d], a)
        forward_policy(net, kinds, marks, n, a)
        chosen = w.chosen[d]
        # The value learns the return that was estimated then; the policy learns from how much better
        # than expected the action was.
        target = w.advantage[d] + w.value[d]
        advantage = (w.advantage[d] - mean) * scale
        # PPO: beyond CLIP the policy has moved far enough that way, and gets no gradient for more.
        ratio = a.policy[chosen] / w.prob[d]
        clipped = (advantage > 0.0 and ratio > 1.0 + CLIP) or (
            advantage < 0.0 and ratio < 1.0 - CLIP
        )
        weight = ZERO_FLOAT if clipped else np.float32(advantage * ratio)
        entropy = ZERO_FLOAT
        for j in range(n):
            entropy -= a.policy[j] * a.log_probs[j]
        # The gradients by the logits of a softmax: of the clipped objective, and of the entropy.
        for j in range(n):
            rewarded = np.float32(entropy_weight) * (a.log_probs[j] + entropy)
            a.logit_grads[j] = a.policy[j] * (weight + rewarded)
        a.logit_grads[chosen] -= weight
        error = value - np.float32(target)
        value_grad = np.float32(2.0 * VALUE_WEIGHT) * error
        backpropagate(net, grad, kinds, marks, n, value_grad, a)
        statistics[COUNT] += 1.0
        statistics[ENTROPY] += entropy


@summing
def adam_step(
    flat: Floats32,
    gradients: Floats32,
    mean: Floats32,
    square: Floats32,
    total: Floats32,
    count: float,
    learning_rate: float,
    step: int,
    max_grad_norm: float,
) -> float:
    """Move the weights against the workers' gradients, which are then 0; return the gradient's norm.

    flat, mean, square, total: float32 (weights,); gradients: float32 (workers, weights), added up
    in the order of the workers and divided by `count`. step: from 1.
    """
    # 1. The workers' gradients, added up in their order, so that threads change no bit.
    share = np.float32(1.0 / count)
    norm = 0.0
    for i in range(len(flat)):
        total[i] = ZERO_FLOAT
    for s in range(len(gradients)):
        for i in range(len(flat)):
            total[i] += gradients[s, i]
            gradients[s, i] = ZERO_FLOAT
    for i in range(len(flat)):
        total[i] *= share
        norm += float(total[i]) * float(total[i])
    norm = sqrt(norm)
    # 2. Adam (Kingma and Ba 2015), of the gradient cut to the largest norm; `by` corrects the bias of
    # the means' beginning at 0.
    cut = np.float32(min(1.0, max_grad_norm / max(norm, 1e-12)))
    by = np.float32(learning_rate * sqrt(1.0 - 0.999**step) / (1.0 - 0.9**step))
    for i in range(len(flat)):
        x = total[i] * cut
        mean[i] = BETA1 * mean[i] + (ONE_FLOAT - BETA1) * x
        square[i] = BETA2 * square[i] + (ONE_FLOAT - BETA2) * x * x
        flat[i] -= by * mean[i] / (np.sqrt(square[i]) + ADAM_EPSILON)
    return norm
