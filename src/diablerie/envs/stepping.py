"""What a batch does in compiled code: decide, let chance and inner players act, show, begin anew.

Every game has a generator of its own, seeded by (seed, index, episode), so what happens in it
depends on nothing but its own decisions: not on threads, not on its neighbours.

`step_game` is all that a step does to one game, in plain functions over arrays, so that a processor
loops over the games and a kernel has a thread for each.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from diablerie.engine import verbs
from diablerie.engine.compile import inlined, rule
from diablerie.engine.record import Record
from diablerie.engine.rng import MIX1, STEP, Rng, below, bits, weighted
from diablerie.engine.verbs import CHANCE, OVER
from diablerie.values.encoding import encode

NEXT_STEP, SAME_STEP, DISABLED = range(3)  # when a game that is over begins anew


class BatchArrays(NamedTuple):
    """All that a slice of a batch works on; first axis: the games, down to `illegal`."""

    states: Any
    rngs: NDArray[Any]  # uint64: every game's generator
    episode: NDArray[Any]  # int64: of every game, from 0
    seat: NDArray[Any]  # int32: who is to decide, or OVER
    observer: NDArray[Any]  # int32: the same, or when it is over who decided last
    observation: NDArray[Any]  # float32 (n, size)
    final: NDArray[Any]  # float32 (n, size)
    actions: NDArray[Any]  # int32: the legal ones, n of them (n, `Game.actions`)
    counts: NDArray[Any]  # int32
    mask: NDArray[Any]  # bool (n, `Game.actions`), or (n, 0) where it is not asked for
    words: NDArray[Any]  # uint64 (n, so many words), likewise
    rewards: NDArray[Any]  # float32 (n, seats)
    terminated: NDArray[Any]  # bool
    illegal: NDArray[Any]  # bool: it ended by an action that is not legal
    turns: NDArray[Any]  # of `observation.ObservationLayout`
    lost: NDArray[Any]  # float64 (seats, seats): the returns when a seat loses by its action
    inner: Any  # int64: masks of the seats that play at random, and as advised; or None
    start: Any  # one state
    seed: NDArray[Any]  # uint64: one number
    mode: NDArray[Any]  # int64: one number
    # Room to work in, for one game or more at a time; first axis: which of these
    room: Any  # states
    out: NDArray[Any]  # see engine.playout.buffers
    p: NDArray[Any]
    returns: NDArray[Any]  # float64 (…, seats)


@rule
def seed_of(seed: Any, index: int, episode: int, rng: Rng) -> None:
    """Seed the generator of one episode of one game. seed: uint64."""
    rng[0] = seed
    rng[0] = bits(rng) ^ (np.uint64(index) * MIX1)
    rng[0] = bits(rng) ^ (np.uint64(episode) * STEP)
    rng[0] = bits(rng)


@rule
def step_games(b: BatchArrays, chosen: NDArray[Any], first: int, anew: bool, sure: bool) -> None:
    """One decision in every game of a slice, or the next episode of some games.

    chosen: int64, the actions; if `anew` not 0 for those games that begin anew, the others stay.
    first: the index of the slice's first game. sure: whether the actions are known to be legal.
    """
    for i in range(len(b.seat)):
        step_game(b, i, 0, chosen[i], first + i, anew, sure)


@inlined
def step_game(
    b: BatchArrays, i: int, k: int, choice: int, index: int, anew: bool, sure: bool
) -> None:
    """All that a step does to game i of these arrays, which is game `index` of the batch.

    k: which part of the room to use; choice, anew, sure: see `step_games`.
    """
    decides = not anew and b.seat[i] != OVER
    # Over, and still to begin: in same-step mode inner players ended it before anybody decided.
    begins = choice != 0 if anew else not decides and b.mode[0] != DISABLED
    if begins or not anew:
        b.illegal[i] = False
        for j in range(b.rewards.shape[1]):
            b.rewards[i, j] = 0.0
    if decides:
        apply_decision(b, i, k, choice, sure)
        b.terminated[i] = b.seat[i] == OVER
        if b.terminated[i] and b.mode[0] == SAME_STEP:
            write_observation(b.states[i], b.room[k : k + 1], b.turns, b.observer[i], b.final, i)
            begins = True
    elif begins:
        b.terminated[i] = False
    if begins:
        begin_episode(b, i, k, index)
    write_observation(b.states[i], b.room[k : k + 1], b.turns, b.observer[i], b.observation, i)
    list_legal(b, i, b.out[k])


@inlined
def apply_decision(b: BatchArrays, i: int, k: int, action: int, sure: bool) -> None:
    """Carry out a decision and what follows it; an action that is not legal ends the game."""
    who: Any = np.int64(b.seat[i])
    if not (sure or is_listed(b.actions[i], b.counts[i], action)):
        b.seat[i], b.illegal[i] = OVER, True
        for j in range(b.rewards.shape[1]):
            b.rewards[i, j] = b.lost[who, j]
        return
    verbs.apply(b.states[i], who, action)
    follows = advance(b.states[i], b.inner, b.room[k : k + 1], b.rngs[i : i + 1], b.out[k], b.p[k])
    b.seat[i] = follows
    b.observer[i] = follows if follows >= 0 else who
    if follows == OVER:
        verbs.returns(b.states[i], b.returns[k])
        for j in range(b.rewards.shape[1]):
            b.rewards[i, j] = b.returns[k, j]


@rule
def begin_episode(b: BatchArrays, i: int, k: int, index: int) -> None:
    """The next episode of game i of these arrays, which is game `index` of the batch."""
    rng = b.rngs[i : i + 1]
    b.episode[i] += 1
    seed_of(b.seed[0], index, b.episode[i], rng)
    b.states[i] = b.start[0]
    b.seat[i] = advance(b.states[i], b.inner, b.room[k : k + 1], rng, b.out[k], b.p[k])
    b.observer[i] = max(b.seat[i], 0)


@rule
def advance(s: Record, inner: Any, room: Any, rng: Rng, out: NDArray[Any], p: NDArray[Any]) -> int:
    """Chance and the players inside act until somebody outside is to decide: who, or OVER."""
    who, within = verbs.actor(s), 0
    if inner is not None:
        within = inner[0] | inner[1]
    while who == CHANCE or (who != OVER and within >> who & 1):
        if who == CHANCE:
            move = out[weighted(rng, p, verbs.chance(s, out, p))]
        else:
            move = choose_inner(s, who, inner, room, rng, out)
        verbs.apply(s, who, move)
        who = verbs.actor(s)
    return who


@rule
def choose_inner(s: Record, who: int, inner: Any, room: Any, rng: Rng, out: NDArray[Any]) -> int:
    """What a player inside decides; where there is none, `inner` is None and no advice compiled."""
    if inner is None:
        return -1
    if inner[0] >> who & 1:
        return out[below(rng, verbs.legal(s, who, out))]
    room[0] = s
    verbs.redact(room[0], who)
    return verbs.advise(room[0], who, rng)


@rule
def write_observation(
    s: Record, room: Any, turns: NDArray[Any], seat: int, out: NDArray[Any], row: int
) -> None:
    """Write what a seat sees into a row of `out`.

    room: one state; turns: of `observation.ObservationLayout`.
    """
    who: Any = np.int64(seat)  # each type of a seat would be compiled apart
    room[0] = s
    verbs.redact(room[0], who)
    encode(room[0], turns, who, out, row)


@inlined
def list_legal(b: BatchArrays, i: int, out: NDArray[Any]) -> None:
    """List the legal actions and mark them; only the marks of the last list are wiped."""
    marked, packed = b.mask.shape[1] > 0, b.words.shape[1] > 0
    if marked:
        for j in range(b.counts[i]):
            b.mask[i, b.actions[i, j]] = False
    if packed:
        for j in range(b.counts[i]):
            b.words[i, b.actions[i, j] >> 6] = np.uint64(0)
    who: Any = np.int64(b.seat[i])
    n = verbs.legal(b.states[i], who, out) if who >= 0 else 0
    b.counts[i] = n
    for j in range(n):
        b.actions[i, j] = out[j]
    if marked:
        for j in range(n):
            b.mask[i, out[j]] = True
    if packed:
        for j in range(n):
            b.words[i, out[j] >> 6] |= np.uint64(1) << np.uint64(out[j] & 63)


@rule
def is_listed(actions: NDArray[Any], n: int, action: int) -> bool:
    """Whether an action is among the first n of these, which ascend."""
    low, high = 0, n
    while low < high:
        middle = (low + high) // 2
        if actions[middle] < action:
            low = middle + 1
        else:
            high = middle
    return low < n and actions[low] == action


@rule
def first_illegal(
    seats: NDArray[Any], actions: NDArray[Any], count: NDArray[Any], chosen: NDArray[Any]
) -> int:
    """The first game whose chosen action is not legal, -1 if there is none."""
    for i in range(len(seats)):
        if seats[i] >= 0 and not is_listed(actions[i], count[i], chosen[i]):
            return i
    return -1


@rule
def sample_actions(
    actions: NDArray[Any], count: NDArray[Any], rng: Rng, chosen: NDArray[Any]
) -> None:
    """Write a random legal action for every game, 0 where nobody is to decide.

    Each game takes one number of the generator, so that many can be drawn at a time.
    """
    for i in range(len(count)):
        drawn = below(rng, count[i])
        chosen[i] = actions[i, drawn] if count[i] else 0
