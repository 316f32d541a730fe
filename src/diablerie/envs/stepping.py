"""What a batch does in compiled code: decide, let chance and inner players act, show, begin anew.

Every game has a generator of its own, seeded by (seed, index, episode), so what happens in it
depends on nothing but its own decisions: not on threads, not on its neighbours.

The loops go over the games one task at a time, with the arrays as locals: to read an array from the
tuple, or to cut out a row, counts references, and a few dozen of those take longer than a move.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from diablerie.engine import verbs
from diablerie.engine.compile import inlined, rule
from diablerie.engine.record import Record
from diablerie.engine.rng import MIX1, STEP, Rng, below, bits, weighted
from diablerie.engine.verbs import CHANCE, OVER
from diablerie.envs.features import Seen, flatten

NEXT_STEP, SAME_STEP, DISABLED = range(3)  # when a game that is over begins anew
BLOCK = 128  # games at a time, so that they stay in the cache from task to task


class Arrays(NamedTuple):
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
    runs: NDArray[Any]  # of `features.Layout`
    lost: NDArray[Any]  # float64 (seats, seats): the returns when a seat loses by its action
    random: NDArray[Any]  # int64: one number, mask of the seats that play at random
    advised: NDArray[Any]  # int64: likewise, as advised
    start: Any  # one state
    rng: NDArray[Any]  # uint64: the generator of the game at hand
    seen: Seen
    out: NDArray[Any]  # see engine.playout.buffers
    p: NDArray[Any]
    returns: NDArray[Any]  # float64
    seed: NDArray[Any]  # uint64: one number
    mode: NDArray[Any]  # int64: one number
    size: NDArray[Any]  # int64: one number, bytes of a state


@rule
def seed_of(seed: Any, index: int, episode: int, rng: Rng) -> None:
    """Seed the generator of one episode of one game. seed: uint64."""
    rng[0] = seed
    rng[0] = bits(rng) ^ (np.uint64(index) * MIX1)
    rng[0] = bits(rng) ^ (np.uint64(episode) * STEP)
    rng[0] = bits(rng)


@rule
def step(b: Arrays, chosen: NDArray[Any], first: int, anew: bool) -> None:
    """One decision in every game of a slice, or the next episode of some games.

    chosen: int64, the actions; if `anew` not 0 for those games that begin anew, the others stay.
    first: the index of the slice's first game.
    """
    for low in range(0, len(b.seat), BLOCK):
        high = min(low + BLOCK, len(b.seat))
        decide(b, chosen, first, anew, low, high)
        look(b, low, high, b.observation)
        list_legal(b, low, high)


@inlined
def decide(b: Arrays, chosen: NDArray[Any], first: int, anew: bool, low: int, high: int) -> None:
    """Carry out the decisions of some games and what follows them, chance and new episodes."""
    states, rngs, seats, observer = b.states, b.rngs, b.seat, b.observer
    actions, counts, terminated, illegal = b.actions, b.counts, b.terminated, b.illegal
    room, rng, out, p, lost, returns = b.seen.states, b.rng, b.out, b.p, b.lost, b.returns
    mode, random, advised, rewards = b.mode[0], b.random[0], b.advised[0], b.rewards
    for i in range(low, high):
        who, begins, decides = seats[i], False, False
        if anew:
            begins = chosen[i] != 0
        elif who == OVER:
            begins = mode != DISABLED  # same-step: inner players ended it before anybody decided
        else:
            decides = True
        if begins or not anew:
            illegal[i] = False
            for k in range(rewards.shape[1]):
                rewards[i, k] = 0.0
        if decides and listed(actions, i, counts[i], chosen[i]):
            verbs.apply(states[i], who, chosen[i])
            rng[0] = rngs[i]
            seats[i] = go_on(states[i], random, advised, room, rng, out, p)
            rngs[i] = rng[0]
            observer[i] = seats[i] if seats[i] >= 0 else who
            if seats[i] == OVER:
                verbs.returns(states[i], returns)
                for k in range(rewards.shape[1]):
                    rewards[i, k] = returns[k]
        elif decides:
            seats[i], illegal[i] = OVER, True
            for k in range(rewards.shape[1]):
                rewards[i, k] = lost[who, k]
        if decides or begins:
            terminated[i] = decides and seats[i] == OVER
        if terminated[i] and decides and mode == SAME_STEP:
            last_look(b, i)
            begins = True
        if begins:
            b.episode[i] += 1
            seed_of(b.seed[0], first + i, b.episode[i], rng)
            states[i] = b.start[0]
            seats[i] = go_on(states[i], random, advised, room, rng, out, p)
            observer[i] = max(seats[i], 0)
            rngs[i] = rng[0]


@rule
def go_on(s: Record, random: int, advised: int, room: Any, rng: Rng, out: NDArray[Any],
          p: NDArray[Any]) -> int:  # fmt: skip
    """Chance and the players inside act until somebody outside is to decide: who, or OVER."""
    who = verbs.actor(s)
    while who == CHANCE or (who != OVER and (random | advised) >> who & 1):
        if who == CHANCE:
            move = out[weighted(rng, p, verbs.chance(s, out, p))]
        elif random >> who & 1:
            move = out[below(rng, verbs.legal(s, who, out))]
        else:
            room[0] = s
            verbs.redact(room[0], who)
            move = verbs.advise(room[0], who, rng)
        verbs.apply(s, who, move)
        who = verbs.actor(s)
    return who


@rule
def last_look(b: Arrays, i: int) -> None:
    """Write what who decided last observes at the end of game i."""
    look(b, i, i + 1, b.final)


@inlined
def look(b: Arrays, low: int, high: int, target: NDArray[Any]) -> None:
    """Write what the observers of at most BLOCK games see."""
    states, room, observer = b.states, b.seen.states, b.observer
    for i in range(low, high):
        room[i - low] = states[i]
        verbs.redact(room[i - low], observer[i])
    flatten(b.seen, b.size[0], b.runs, observer, target, low, high)


@inlined
def list_legal(b: Arrays, low: int, high: int) -> None:
    """List the legal actions and mark them; only the marks of the last list are wiped."""
    states, seats, out, counts, actions = b.states, b.seat, b.out, b.counts, b.actions
    mask, words = b.mask, b.words
    marked, packed = mask.shape[1] > 0, words.shape[1] > 0
    for i in range(low, high):
        if marked:
            for k in range(counts[i]):
                mask[i, actions[i, k]] = False
        if packed:
            for k in range(counts[i]):
                words[i, actions[i, k] >> 6] = np.uint64(0)
        n = verbs.legal(states[i], seats[i], out) if seats[i] >= 0 else 0
        counts[i] = n
        for k in range(n):
            actions[i, k] = out[k]
        if marked:
            for k in range(n):
                mask[i, out[k]] = True
        if packed:
            for k in range(n):
                words[i, out[k] >> 6] |= np.uint64(1) << np.uint64(out[k] & 63)


@rule
def listed(actions: NDArray[Any], i: int, n: int, action: int) -> bool:
    """Whether an action is among the first n of row i, which ascend."""
    low, high = 0, n
    while low < high:
        middle = (low + high) // 2
        if actions[i, middle] < action:
            low = middle + 1
        else:
            high = middle
    return low < n and actions[i, low] == action


@rule
def first_illegal(seats: NDArray[Any], actions: NDArray[Any], count: NDArray[Any],
                  chosen: NDArray[Any]) -> int:  # fmt: skip
    """The first game whose chosen action is not legal, -1 if there is none."""
    for i in range(len(seats)):
        if seats[i] >= 0 and not listed(actions, i, count[i], chosen[i]):
            return i
    return -1


@rule
def sample(actions: NDArray[Any], count: NDArray[Any], rng: Rng, chosen: NDArray[Any]) -> None:
    """Write a random legal action for every game, 0 where nobody is to decide.

    Each game takes one number of the generator, so that many can be drawn at a time.
    """
    for i in range(len(count)):
        drawn = below(rng, count[i])
        chosen[i] = actions[i, drawn] if count[i] else 0
