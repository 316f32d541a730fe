"""Rollouts: games of a policy in compiled code, and the advantages of its decisions.

An environment worker plays one game after another and keeps the decisions that were a choice: those
of all seats, or of one where opponents have the other seats: the game's advice, a policy that does
not learn, or bots that Python asks (`actors`). Advantages are estimated along the decisions of the
same seat (generalized advantage estimation, Schulman et al. 2016), whose rewards are 0 but for the
seat's return at the end.
"""

from collections.abc import Sequence
from math import log
from typing import Any, NamedTuple

import numpy as np

from diablerie.engine import verbs
from diablerie.engine.compile import (
    Floats,
    Floats32,
    Ints,
    Ints32,
    Records,
    rule,
    summing,
    wrapping,
)
from diablerie.engine.game import Game
from diablerie.engine.playout import buffers
from diablerie.engine.record import Record
from diablerie.engine.rng import MIX1, Rng, bits, seeded, unit, weighted
from diablerie.engine.verbs import CHANCE, OVER, SEATS
from diablerie.learning.inputs import (
    SCRATCH_NUMBERS,
    action_inputs,
    inputs_of,
    position_inputs,
    rotations,
)
from diablerie.learning.network import (
    ZERO_FLOAT,
    Activations,
    Hidden,
    PolicyNetwork,
    activations,
    forward_policy,
    forward_value,
)

MEAN_ACTIONS = 48  # room for so many legal actions to a decision, on the average
WORKER_FULL = -5  # who decides: nobody, since the worker can keep no more; beside CHANCE and OVER
BY_BOTS, BY_ADVICE, BY_POLICY = range(3)  # `opponents`: who plays the other seats
# `learner`: the only seat that the network plays, -1 for all; the number of such games; the number
# of them at each size of table, from there on.
LEARNER_SEAT, OPPOSED_GAMES, FIRST_TABLE = range(3)
GOES_ON = -2  # `following`: the game goes on beyond the rollout
GAME_ENDED = -1  # `following`: it ended


class EnvWorker(NamedTuple):
    """The environment of a worker, and its rollout, whose first axis is `capacity`."""

    starts: Records  # first states, one for each table size
    state: Records  # one state: the position of the game under way
    seen: Records  # one state: the same as a seat sees it
    rng: Rng
    table: Ints  # (2,): 1 if the next game is to begin; the index of its first state
    learner: Ints  # (2 + table sizes,): see LEARNER_SEAT, OPPOSED_GAMES and FIRST_TABLE
    share: Floats  # (table sizes,): of games with opponents on the other seats
    opponents: Ints  # (1,): who these are, BY_BOTS or BY_ADVICE or BY_POLICY
    turns: Ints  # see `learning.inputs.rotations`
    out: Ints  # see `engine.playout.buffers`
    odds: Floats  # likewise
    returns: Floats  # (SEATS,)
    last: Ints  # (SEATS,): each seat's last decision in this game, or GOES_ON
    room: Floats32  # (SCRATCH_NUMBERS,)
    # Decisions
    numbers: Floats32  # (capacity, numbers)
    ones: Ints32  # (capacity, active)
    active: Ints32  # (capacity,)
    offsets: Ints  # (capacity + 1,): where the legal actions of each decision begin
    chosen: Ints32  # (capacity,): index among them
    prob: Floats32  # (capacity,): its probability then
    value: Floats32  # (capacity,): what the network expected then
    following: (
        Ints  # (capacity,): the same seat's next decision in the same game, GAME_ENDED or GOES_ON
    )
    reward: Floats32  # (capacity,): where GAME_ENDED, the seat's return
    advantage: Floats32  # (capacity,)
    order: Ints  # (capacity,): in which they are learnt from
    # Legal actions
    kinds: Ints32  # (actions,)
    marks: Floats32  # (actions, marks)


class FrozenPolicy(NamedTuple):
    """A policy that does not learn and plays other seats, in one thread.

    temperature: 0 plays the likeliest action, 1 draws by the policy; see `drawn_index`.
    """

    net: PolicyNetwork
    w: EnvWorker  # room for one decision
    a: Activations
    temperature: float


def env_worker(starts: Sequence[Record], game: Game, capacity: int, seed: int) -> EnvWorker:
    """A worker that plays from these first states in turn. capacity: decisions that it can keep."""
    inputs = inputs_of(game)
    out, odds = buffers(game)
    actions = max(capacity * MEAN_ACTIONS, game.actions)

    def whole(*shape: int) -> Ints:
        return np.zeros(shape, np.int64)

    def real(*shape: int) -> Floats32:
        return np.zeros(shape, np.float32)

    # All arrays are made once: compiled code allocates nothing while it plays.
    return EnvWorker(
        starts=verbs.states_of(game.state, np.concatenate([start.array for start in starts])),
        state=verbs.no_states(game.state, 1),
        seen=verbs.no_states(game.state, 1),
        rng=seeded(seed),
        table=np.array([1, 0]),
        learner=np.array([-1, 0] + [0 for _ in starts]),
        share=np.zeros(len(starts)),
        opponents=whole(1),
        turns=rotations(game),
        out=out,
        odds=odds,
        returns=np.zeros(SEATS),
        last=whole(SEATS),
        room=real(SCRATCH_NUMBERS),
        numbers=real(capacity, inputs.numbers),
        ones=np.zeros((capacity, inputs.active), np.int32),
        active=np.zeros(capacity, np.int32),
        offsets=whole(capacity + 1),
        chosen=np.zeros(capacity, np.int32),
        prob=real(capacity),
        value=real(capacity),
        following=whole(capacity),
        reward=real(capacity),
        advantage=real(capacity),
        order=whole(capacity),
        kinds=np.zeros(actions, np.int32),
        marks=real(actions, inputs.marks),
    )


def activations_of(game: Game, hidden: Hidden) -> Activations:
    """Activations for one thread that plays this game."""
    return activations(inputs_of(game), hidden, game.actions)


# -- one decision ----------------------------------------------------------------------------------


@summing
def forward(
    net: PolicyNetwork, w: EnvWorker, a: Activations, s: Record, seat: int, n: int, at: int
) -> Any:
    """The forward pass of a decision with the n legal actions in `w.out`.

    Returns the value and writes `a.policy`. What the seat sees is written into row `at` of the
    decisions, and the actions behind `w.offsets[at]`.
    """
    low = w.offsets[at]
    kinds = w.kinds[low : low + n]
    marks = w.marks[low : low + n]
    w.seen[0] = s
    verbs.redact(w.seen[0], seat)
    w.active[at] = position_inputs(w.seen[0], seat, w.numbers, w.ones, at, w.turns, w.room)
    action_inputs(w.seen[0], seat, w.out, n, kinds, marks, w.room)
    value = forward_value(net, w.numbers[at], w.ones[at], w.active[at], a)
    forward_policy(net, kinds, marks, n, a)
    return value


@rule
def forward_state(
    net: PolicyNetwork, w: EnvWorker, a: Activations, states: Records, seat: int
) -> int:
    """`forward` for `states[0]`; returns the number of legal actions, which are in `w.out`."""
    n = verbs.legal(states[0], seat, w.out)
    forward(net, w, a, states[0], seat, n, 0)
    return n


@summing
def sample(policy: Floats32, n: int, rng: Rng) -> int:
    """An index below n, drawn by these probabilities."""
    left = np.float32(unit(rng))
    for i in range(n - 1):
        left -= policy[i]
        if left < ZERO_FLOAT:
            return i
    return n - 1


@summing
def likeliest(policy: Floats32, n: int) -> int:
    """The index of the largest of the first n, the first one of equals."""
    best = 0
    for i in range(1, n):
        if policy[i] > policy[best]:
            best = i
    return best


@rule
def drawn_index(policy: Floats32, n: int, temperature: float, rng: Rng) -> int:
    """An index below n: the likeliest at temperature 0, else drawn by policy ** (1 / temperature).

    The largest of logits with Gumbel noise is a draw from their softmax.
    """
    best = 0
    highest = -np.inf
    for i in range(n):
        x = float(policy[i])
        if temperature > 0.0:
            x = log(max(x, 1e-30)) / temperature - log(-log(unit(rng) + 1e-300))
        if x > highest:
            best = i
            highest = x
    return best


@summing
def frozen_action(frozen: FrozenPolicy, s: Record, seat: int, rng: Rng) -> int:
    """What a policy that does not learn plays, from what the seat sees."""
    n = verbs.legal(s, seat, frozen.w.out)
    forward(frozen.net, frozen.w, frozen.a, s, seat, n, 0)
    return int(frozen.w.out[drawn_index(frozen.a.policy, n, frozen.temperature, rng)])


@rule
def advised(w: EnvWorker, s: Record, seat: int, rng: Rng) -> int:
    """What the game advises a seat to do, from what it sees."""
    w.seen[0] = s
    verbs.redact(w.seen[0], seat)
    return int(verbs.advise(w.seen[0], seat, rng))


# -- games -----------------------------------------------------------------------------------------


@rule
def begin_rollout(w: EnvWorker) -> None:
    """Forget all decisions."""
    for seat in range(SEATS):
        w.last[seat] = GOES_ON
    w.offsets[0] = 0


@rule
def begin_game(w: EnvWorker) -> None:
    """Begin the next game. If opponents play along, the network takes the next seat alone."""
    table = w.table[1]
    w.state[0] = w.starts[table]
    w.table[0] = 0
    w.table[1] = (table + 1) % len(w.starts)
    w.learner[LEARNER_SEAT] = -1
    if w.share[table] > 0.0 and unit(w.rng) < w.share[table]:
        w.learner[OPPOSED_GAMES] += 1
        w.learner[FIRST_TABLE + table] += 1
        w.learner[LEARNER_SEAT] = w.learner[FIRST_TABLE + table] % w.state[0].seats


@wrapping
def begin_evaluation(w: EnvWorker, seed: np.uint64, number: int) -> None:
    """Begin the game of this number of an evaluation from the first of `w.starts`. seed: uint64.

    The network has the seat (number mod seats).
    """
    begin_rollout(w)
    w.rng[0] = seed
    w.rng[0] = bits(w.rng) ^ (np.uint64(number) * MIX1)
    w.rng[0] = bits(w.rng)
    w.state[0] = w.starts[0]
    w.table[0] = 0
    w.learner[LEARNER_SEAT] = number % w.state[0].seats
    w.learner[OPPOSED_GAMES] = number


@summing
def play_until(
    net: PolicyNetwork,
    w: EnvWorker,
    a: Activations,
    frozen: FrozenPolicy,
    capacity: int,
    kept: int,
    games: int,
) -> tuple[int, int, int]:
    """Play on until the rollout is full, or Python's bots are to choose.

    capacity: how many choices are kept; 0: none, and the network plays its likeliest actions until
    the game is over. frozen: has the other seats if `w.opponents` says so. kept, games: choices and
    ended games of this rollout so far. Returns these, and who is to choose in `w.state`, WORKER_FULL or
    OVER.
    """
    s = w.state[0]
    while True:
        # 1. A game is over: count it, and begin the next one, unless only one was asked for.
        if w.table[0]:
            begin_game(w)
        who = verbs.actor(s)
        if who == OVER:
            end_game(w, s)
            games += 1
            if capacity == 0:
                return kept, games, OVER
            continue
        # 2. Find the action. With a single legal one there is nothing to learn, so nothing is kept.
        if who == CHANCE:
            action = w.out[weighted(w.rng, w.odds, verbs.chance(s, w.out, w.odds))]
        else:
            n = verbs.legal(s, who, w.out)
            action = w.out[0]
            if n > 1 and 0 <= w.learner[LEARNER_SEAT] != who:
                # Another seat's choice in a game against opponents: Python asks its bots, and comes back.
                if w.opponents[0] == BY_BOTS:
                    return kept, games, who
                if w.opponents[0] == BY_POLICY:
                    action = frozen_action(frozen, s, who, w.rng)
                else:
                    action = advised(w, s, who, w.rng)
            # An evaluation: the network's own choice, but nothing is learnt from it.
            elif n > 1 and capacity == 0:
                forward(net, w, a, s, who, n, 0)
                action = w.out[likeliest(a.policy, n)]
            elif n > 1:
                # A choice to learn from. If it fits no more, it is made in the next rollout.
                if kept == capacity or w.offsets[kept] + n > len(w.kinds):
                    return kept, games, WORKER_FULL
                w.value[kept] = forward(net, w, a, s, who, n, kept)
                i = sample(a.policy, n, w.rng)
                w.prob[kept] = a.policy[i]
                w.chosen[kept] = i
                w.following[kept] = GOES_ON
                # The seat's choice before now knows what it led to: advantages go along these links.
                if w.last[who] >= 0:
                    w.following[w.last[who]] = kept
                w.last[who] = kept
                w.offsets[kept + 1] = w.offsets[kept] + n
                action = w.out[i]
                kept += 1
        verbs.apply(s, who, action)


@summing
def end_game(w: EnvWorker, s: Record) -> None:
    """Give every seat its return."""
    verbs.returns(s, w.returns)
    for seat in range(s.seats):
        if w.last[seat] >= 0:
            w.reward[w.last[seat]] = w.returns[seat]
            w.following[w.last[seat]] = GAME_ENDED
        w.last[seat] = GOES_ON
    w.table[0] = 1


@summing
def estimate_advantages(w: EnvWorker, n: int, gae_lambda: float, sums: Floats) -> None:
    """Write the advantages of the first n decisions.

    sums: (3,): the number, sum and sum of squares of those that can be learnt from are added. Of
    each seat in the game under way the last decision cannot: what follows is not known yet.
    """
    for i in range(n - 1, -1, -1):
        following = w.following[i]
        if following == GOES_ON:
            w.advantage[i] = ZERO_FLOAT
            continue
        if following == GAME_ENDED:
            w.advantage[i] = w.reward[i] - w.value[i]
        else:
            ahead = gae_lambda * w.advantage[following]
            w.advantage[i] = w.value[following] - w.value[i] + ahead
        sums[0] += 1.0
        sums[1] += w.advantage[i]
        sums[2] += w.advantage[i] * w.advantage[i]
