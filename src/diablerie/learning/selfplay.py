"""Games that a policy plays against itself, and games that it plays against the game's advice.

A shard plays one game after another and keeps the decisions that were a choice: those of all seats,
or of one where others play the other seats: the game's advice, a policy that does not change, or
bots from outside (`rivals`). What a decision gained is estimated along the decisions of the same
seat (generalized advantage estimation, Schulman et al. 2016), whose rewards are 0 but for the
seat's return at the end.
"""

from collections.abc import Sequence
from math import log
from typing import Any, NamedTuple

import numpy as np

from diablerie.engine import verbs
from diablerie.engine.arrays import Floats, Floats32, Ints, Ints32
from diablerie.engine.compile import rule, summing
from diablerie.engine.game import Game
from diablerie.engine.playout import buffers
from diablerie.engine.record import Record
from diablerie.engine.rng import MIX1, Rng, bits, seeded, unit, weighted
from diablerie.engine.verbs import CHANCE, OVER, SEATS
from diablerie.learning.network import ZERO, Activations, PolicyNetwork, activations, look, weigh
from diablerie.values.inputs import ROOM, action_inputs, inputs_of, position_inputs, rotations

LISTED = 48  # room for so many legal actions to a decision, on the average
FULL = -5  # who decides: nobody, since the shard can keep no more; beside CHANCE and OVER
BY_BOTS, BY_ADVICE, BY_POLICY = range(3)  # `others`: who plays the other seats
# `own`: the only seat that the network plays, -1 for all; the number of such games; the number of
# them at each size of table, from there on.
OWN_SEAT, ALONE, FIRST_TABLE = range(3)
OPEN, ENDED = -2, -1  # `following`: the game goes on beyond the shard's decisions; it ended


class Shard(NamedTuple):
    """The games of one shard, and its decisions. The first axis of the latter is `most`."""

    starts: Any  # first states, one for each table size
    state: Any  # one state: the position of the game under way
    seen: Any  # one state: the same as a seat sees it
    rng: Rng
    table: Ints  # (2,): 1 if the next game is to begin; the index of its first state
    own: Ints  # (2 + table sizes,): see OWN_SEAT, ALONE and FIRST_TABLE
    share: Floats  # (table sizes,): of games with others on the other seats
    others: Ints  # (1,): who these are, BY_BOTS or BY_ADVICE or BY_POLICY
    turns: Ints  # see `values.inputs.rotations`
    out: Ints  # see `engine.playout.buffers`
    odds: Floats  # likewise
    returns: Floats  # (SEATS,)
    last: Ints  # (SEATS,): each seat's last decision in this game, or OPEN
    room: Floats32  # (ROOM,)
    # Decisions
    numbers: Floats32  # (most, numbers)
    ones: Ints32  # (most, active)
    active: Ints32  # (most,)
    listed: Ints  # (most + 1,): where the legal actions of each decision begin
    chosen: Ints32  # (most,): index among them
    chance: Floats32  # (most,): its probability then
    value: Floats32  # (most,): what the network expected then
    following: Ints  # (most,): the same seat's next decision in the same game, ENDED or OPEN
    reward: Floats32  # (most,): where ENDED, the seat's return
    gain: Floats32  # (most,): the advantage
    order: Ints  # (most,): in which they are learnt from
    # Legal actions
    kinds: Ints32  # (room,)
    marks: Floats32  # (room, marks)


class FrozenPolicy(NamedTuple):
    """A policy that does not learn and plays other seats, in one thread.

    temperature: 0 plays the likeliest action, 1 draws by the policy; see `tempered`.
    """

    net: PolicyNetwork
    k: Shard  # room for one decision
    a: Activations
    temperature: float


def shard(starts: Sequence[Record], game: Game, most: int, seed: int) -> Shard:
    """A shard that plays from these first states in turn. most: decisions that it can keep."""
    inputs, (out, odds) = inputs_of(game), buffers(game)
    listed = max(most * LISTED, game.actions)

    def whole(*shape: int) -> Ints:
        return np.zeros(shape, np.int64)

    def real(*shape: int) -> Floats32:
        return np.zeros(shape, np.float32)

    return Shard(
        starts=np.concatenate([start.array for start in starts]).view(np.recarray),
        state=np.zeros(1, game.state.dtype).view(np.recarray),
        seen=np.zeros(1, game.state.dtype).view(np.recarray),
        rng=seeded(seed),
        table=np.array([1, 0]),
        own=np.array([-1, 0] + [0 for _ in starts]),
        share=np.zeros(len(starts)),
        others=whole(1),
        turns=rotations(game),
        out=out,
        odds=odds,
        returns=np.zeros(SEATS),
        last=whole(SEATS),
        room=real(ROOM),
        numbers=real(most, inputs.numbers),
        ones=np.zeros((most, inputs.active), np.int32),
        active=np.zeros(most, np.int32),
        listed=whole(most + 1),
        chosen=np.zeros(most, np.int32),
        chance=real(most),
        value=real(most),
        following=whole(most),
        reward=real(most),
        gain=real(most),
        order=whole(most),
        kinds=np.zeros(listed, np.int32),
        marks=real(listed, inputs.marks),
    )


@summing
def decide(
    net: PolicyNetwork, k: Shard, a: Activations, s: Record, seat: int, n: int, at: int
) -> Any:
    """Judge the n legal actions in `k.out`; return the value, and write `a.policy`.

    What the seat sees is written into row `at` of the decisions, and the actions behind
    `k.listed[at]`.
    """
    low = k.listed[at]
    kinds, marks = k.kinds[low : low + n], k.marks[low : low + n]
    k.seen[0] = s
    verbs.redact(k.seen[0], seat)
    k.active[at] = position_inputs(k.seen[0], seat, k.numbers, k.ones, at, k.turns, k.room)
    action_inputs(k.seen[0], seat, k.out, n, kinds, marks, k.room)
    value = look(net, k.numbers[at], k.ones[at], k.active[at], a)
    weigh(net, kinds, marks, n, a)
    return value


@summing
def drawn(policy: Floats32, n: int, rng: Rng) -> int:
    """An index below n, drawn by these probabilities."""
    left = np.float32(unit(rng))
    for i in range(n - 1):
        left -= policy[i]
        if left < ZERO:
            return i
    return n - 1


@rule
def tempered(policy: Floats32, n: int, temperature: float, rng: Rng) -> int:
    """An index below n: the likeliest at temperature 0, else drawn by policy ** (1 / temperature).

    The largest of logits with Gumbel noise is a draw from their softmax.
    """
    best, highest = 0, -np.inf
    for i in range(n):
        x = float(policy[i])
        if temperature > 0.0:
            x = log(max(x, 1e-30)) / temperature - log(-log(unit(rng) + 1e-300))
        if x > highest:
            best, highest = i, x
    return best


@summing
def frozen_action(frozen: FrozenPolicy, s: Record, seat: int, rng: Rng) -> int:
    """What a policy that does not learn plays, from what the seat sees."""
    n = verbs.legal(s, seat, frozen.k.out)
    decide(frozen.net, frozen.k, frozen.a, s, seat, n, 0)
    return int(frozen.k.out[tempered(frozen.a.policy, n, frozen.temperature, rng)])


@summing
def play_decisions(
    net: PolicyNetwork, k: Shard, a: Activations, frozen: FrozenPolicy, most: int
) -> tuple[int, int]:
    """Play on until `most` choices are kept or there is no room; return choices and games ended."""
    begin_round(k)
    kept, games, _ = play_until(net, k, a, frozen, most, 0, 0)
    return kept, games


@rule
def begin_round(k: Shard) -> None:
    """Forget all decisions."""
    for seat in range(SEATS):
        k.last[seat] = OPEN
    k.listed[0] = 0


@summing
def play_until(
    net: PolicyNetwork,
    k: Shard,
    a: Activations,
    frozen: FrozenPolicy,
    most: int,
    kept: int,
    games: int,
) -> tuple[int, int, int]:
    """Play on until a bot from outside is to choose, or the shard is full.

    frozen: has the other seats if `k.others` says so. kept, games: choices and ended games of this
    round so far. Returns these, and who is to choose in `k.state` (or FULL).
    """
    s = k.state[0]
    while True:
        if k.table[0]:
            begin_game(k)
        who = verbs.actor(s)
        if who == OVER:
            end_game(k, s)
            games += 1
            continue
        if who == CHANCE:
            action = k.out[weighted(k.rng, k.odds, verbs.chance(s, k.out, k.odds))]
        else:
            n = verbs.legal(s, who, k.out)
            action = k.out[0]
            if n > 1 and 0 <= k.own[OWN_SEAT] != who:
                if k.others[0] == BY_BOTS:
                    return kept, games, who
                if k.others[0] == BY_POLICY:
                    action = frozen_action(frozen, s, who, k.rng)
                else:
                    action = advised(k, s, who, k.rng)
            elif n > 1:
                if kept == most or k.listed[kept] + n > len(k.kinds):
                    return kept, games, FULL
                k.value[kept] = decide(net, k, a, s, who, n, kept)
                i = drawn(a.policy, n, k.rng)
                k.chosen[kept], k.chance[kept], k.following[kept] = i, a.policy[i], OPEN
                if k.last[who] >= 0:
                    k.following[k.last[who]] = kept
                k.last[who] = kept
                k.listed[kept + 1] = k.listed[kept] + n
                action = k.out[i]
                kept += 1
        verbs.apply(s, who, action)


@rule
def begin_game(k: Shard) -> None:
    """Begin the next game. If others play along, the network takes the next seat alone."""
    table = k.table[1]
    k.state[0] = k.starts[table]
    k.table[0], k.table[1] = 0, (table + 1) % len(k.starts)
    k.own[OWN_SEAT] = -1
    if k.share[table] > 0.0 and unit(k.rng) < k.share[table]:
        k.own[ALONE] += 1
        k.own[FIRST_TABLE + table] += 1
        k.own[OWN_SEAT] = k.own[FIRST_TABLE + table] % k.state[0].seats


@rule
def advised(k: Shard, s: Record, seat: int, rng: Rng) -> int:
    """What the game advises a seat to do, from what it sees."""
    k.seen[0] = s
    verbs.redact(k.seen[0], seat)
    return int(verbs.advise(k.seen[0], seat, rng))


@summing
def end_game(k: Shard, s: Record) -> None:
    """Give every seat its return."""
    verbs.returns(s, k.returns)
    for seat in range(s.seats):
        if k.last[seat] >= 0:
            k.reward[k.last[seat]] = k.returns[seat]
            k.following[k.last[seat]] = ENDED
        k.last[seat] = OPEN
    k.table[0] = 1


@summing
def estimate_gains(k: Shard, n: int, trace: float, sums: Floats) -> None:
    """Write the advantages of the first n decisions. trace: λ.

    sums: (3,): the number, sum and sum of squares of those that can be learnt from are added. Of
    each seat in the game under way the last decision cannot: what follows is not known yet.
    """
    for i in range(n - 1, -1, -1):
        following = k.following[i]
        if following == OPEN:
            k.gain[i] = ZERO
            continue
        if following == ENDED:
            k.gain[i] = k.reward[i] - k.value[i]
        else:
            k.gain[i] = k.value[following] - k.value[i] + trace * k.gain[following]
        sums[0] += 1.0
        sums[1] += k.gain[i]
        sums[2] += k.gain[i] * k.gain[i]


# -- against advice --------------------------------------------------------------------------------


@summing
def match_advice(
    net: PolicyNetwork,
    k: Shard,
    a: Activations,
    seed: Any,
    first: int,
    games: int,
    returns: Floats,
) -> None:
    """Play so many games, numbered from `first`, from the first of `k.starts`.

    The network plays the seat (number mod seats) by its likeliest actions; the other seats follow
    the game's advice for what they see. seed: uint64. returns: (games, SEATS), written here.
    """
    s = k.state[0]
    for i in range(games):
        k.rng[0] = seed
        k.rng[0] = bits(k.rng) ^ (np.uint64(first + i) * MIX1)
        k.rng[0] = bits(k.rng)
        k.state[0] = k.starts[0]
        own = (first + i) % s.seats
        who = verbs.actor(s)
        while who != OVER:
            if who == CHANCE:
                action = k.out[weighted(k.rng, k.odds, verbs.chance(s, k.out, k.odds))]
            elif who == own:
                action = likeliest(net, k, a, s, who)
            else:
                action = advised(k, s, who, k.rng)
            verbs.apply(s, who, action)
            who = verbs.actor(s)
        verbs.returns(s, returns[i])


@summing
def match_until(net: PolicyNetwork, k: Shard, a: Activations) -> int:
    """Play `k.state` on by the likeliest actions, until another seat is to choose; return who."""
    s = k.state[0]
    while True:
        who = verbs.actor(s)
        if who == OVER:
            return int(who)
        if who == CHANCE:
            action = k.out[weighted(k.rng, k.odds, verbs.chance(s, k.out, k.odds))]
        elif who == k.own[OWN_SEAT]:
            action = likeliest(net, k, a, s, who)
        elif verbs.legal(s, who, k.out) > 1:
            return int(who)
        else:
            action = k.out[0]
        verbs.apply(s, who, action)


@summing
def likeliest(net: PolicyNetwork, k: Shard, a: Activations, s: Record, seat: int) -> int:
    """The legal action of the highest probability, the first one of equals."""
    n, best = verbs.legal(s, seat, k.out), 0
    if n > 1:
        decide(net, k, a, s, seat, n, 0)
        for i in range(n):
            if a.policy[i] > a.policy[best]:
                best = i
    return int(k.out[best])


def playing_room(game: Game, wide: int, narrow: int) -> Activations:
    """Room for one thread that plays this game."""
    return activations(inputs_of(game), wide, narrow, game.actions)


@rule
def judge_alone(net: PolicyNetwork, k: Shard, a: Activations, states: Any, seat: int) -> int:
    """`decide` for `states[0]`; returns the number of legal actions, which are in `k.out`."""
    n = verbs.legal(states[0], seat, k.out)
    decide(net, k, a, states[0], seat, n, 0)
    return n
