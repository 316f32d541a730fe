"""One step of a batch, in compiled code.

A step carries out a decision, lets chance and inner players act until the caller is to decide
again, writes the observation and the legal actions, and begins the next episode of a finished game.

Every game has a random generator of its own, seeded by (seed, index, episode). So a game depends on
its own decisions alone, not on the number of threads or on other games.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from diablerie.engine import verbs
from diablerie.engine.compile import Bools, Floats, Floats32, Ints, Ints32, inlined, rule, wrapping
from diablerie.engine.record import Record
from diablerie.engine.rng import GOLDEN_STEP, MIX1, Rng, below, bits, weighted
from diablerie.engine.verbs import CHANCE, OVER
from diablerie.envs.history_rules import begin_history, note_event, write_history
from diablerie.values.encoding import encode

Records = NDArray[np.void]  # states, in the layout of a game's record
Observations = Floats32
Mask = NDArray[np.int8]  # 1 where an action is legal, else 0: what `space.sample` takes
Flags = Bools
Actions = Ints  # numbers of actions or outcomes

NEXT_STEP, SAME_STEP, DISABLED = range(3)  # when a game that is over begins anew
AT_RANDOM, ADVISED = range(2)  # in an array of masks, beside those of `history_rules`


class BatchArrays(NamedTuple):
    """All that a slice of a batch works on. The first axis of the arrays down to `illegal` is n games.

    Structured arrays hold states of the game; their dtype is `Game.state.dtype`.
    """

    states: Records  # (n,)
    rngs: NDArray[np.uint64]  # (n,): every game's generator
    episode: Ints  # (n,): of every game, from 0
    seat: Ints32  # (n,): who is to decide, or OVER
    observer: Ints32  # (n,): the same, or when it is over who decided last
    observation: Observations  # (n, size)
    final: Observations  # (n, size): the last ones of games that ended and have begun anew
    actions: Ints32  # (n, `Game.actions`): the legal ones, `counts` of them
    counts: Ints32  # (n,)
    mask: Mask  # (n, `Game.actions`), or (n, 0) where it is not asked for
    events: Ints32  # (n, seats, length, 4): see `history_rules.Events`; length 0 where none is asked for
    places: Ints  # (n, seats)
    history: Ints32  # (n, length, 3): of the observer
    final_history: Ints32  # the same for `final`
    rewards: Floats32  # (n, seats)
    terminated: Flags  # (n,)
    illegal: Flags  # (n,): it ended by an action that is not legal
    turns: Ints  # (seats, 4): see `observation.ObservationLayout`
    lost: Floats  # (seats, seats): row i, the returns if seat i loses by its action
    masks: Ints  # (4,): of the seats AT_RANDOM and ADVISED, and of nodes, see `history_rules`
    start: Records  # (1,)
    seed: NDArray[np.uint64]  # (1,)
    mode: Ints  # (1,): NEXT_STEP, SAME_STEP or DISABLED
    # Scratch room
    room: Records  # (1,)
    out: Actions  # see engine.playout.buffers
    p: Floats
    returns: Floats  # (SEATS,)


@wrapping
def seed_of(seed: np.uint64, index: int, episode: int, rng: Rng) -> None:
    """Seed the generator of one episode of one game. seed: uint64."""
    rng[0] = seed
    rng[0] = bits(rng) ^ (np.uint64(index) * MIX1)
    rng[0] = bits(rng) ^ (np.uint64(episode) * GOLDEN_STEP)
    rng[0] = bits(rng)


@rule
def step_games(b: BatchArrays, chosen: Actions, first: int, anew: bool, sure: bool) -> None:
    """One decision in every game of a slice, or the next episode of some games.

    chosen: (n,), the actions; with `anew`, not 0 for the games that begin anew: the others stay as
    they are. first: the index of the slice's first game. sure: whether the actions are known to be
    legal.
    """
    for i in range(len(b.seat)):
        step_game(b, i, chosen[i], first + i, anew, sure)


@inlined
def step_game(b: BatchArrays, i: int, choice: int, index: int, anew: bool, sure: bool) -> None:
    """All that a step does to game i of these arrays, which is game `index` of the batch.

    choice, anew, sure: see `step_games`.
    """
    decides = not anew and b.seat[i] != OVER
    # Over, and still to begin: in same-step mode inner players ended it before anybody decided.
    begins = choice != 0 if anew else not decides and b.mode[0] != DISABLED
    if begins or not anew:
        b.illegal[i] = False
        for j in range(b.rewards.shape[1]):
            b.rewards[i, j] = 0.0
    if decides:
        apply_decision(b, i, choice, sure)
        b.terminated[i] = b.seat[i] == OVER
        if b.terminated[i] and b.mode[0] == SAME_STEP:
            write_observation(b.states[i], b.room, b.turns, b.observer[i], b.final, i)
            if b.events.shape[2]:
                write_history(b.events[i], b.places[i], b.observer[i], b.final_history[i])
            begins = True
    elif begins:
        b.terminated[i] = False
    if begins:
        begin_episode(b, i, index)
    write_observation(b.states[i], b.room, b.turns, b.observer[i], b.observation, i)
    if b.events.shape[2]:
        write_history(b.events[i], b.places[i], b.observer[i], b.history[i])
    list_legal(b, i, b.out)


@inlined
def apply_decision(b: BatchArrays, i: int, action: int, sure: bool) -> None:
    """Carry out a decision and what follows it; an action that is not legal ends the game."""
    who: Any = np.int64(b.seat[i])
    if not (sure or is_listed(b.actions[i], b.counts[i], action)):
        b.seat[i] = OVER
        b.illegal[i] = True
        for j in range(b.rewards.shape[1]):
            b.rewards[i, j] = b.lost[who, j]
        return
    carry_out(b, i, who, action)
    follows = advance(b, i)
    b.seat[i] = follows
    b.observer[i] = follows if follows >= 0 else who
    if follows == OVER:
        verbs.returns(b.states[i], b.returns)
        for j in range(b.rewards.shape[1]):
            b.rewards[i, j] = b.returns[j]


@rule
def begin_episode(b: BatchArrays, i: int, index: int) -> None:
    """The next episode of game i of these arrays, which is game `index` of the batch."""
    rng = b.rngs[i : i + 1]
    b.episode[i] += 1
    seed_of(b.seed[0], index, b.episode[i], rng)
    b.states[i] = b.start[0]
    if b.events.shape[2]:
        begin_history(b.events[i], b.places[i])
    b.seat[i] = advance(b, i)
    b.observer[i] = max(b.seat[i], 0)


@inlined
def carry_out(b: BatchArrays, i: int, who: int, what: int) -> None:
    """An event, which all seats note where a history is asked for."""
    if b.events.shape[2]:
        note_event(b.states[i], who, what, b.masks, b.events[i], b.places[i])
    verbs.apply(b.states[i], who, what)


@inlined
def advance(b: BatchArrays, i: int) -> int:
    """Let chance and inner players act until the caller is to decide for a seat: that seat, or OVER."""
    s = b.states[i]
    rng = b.rngs[i : i + 1]
    who = verbs.actor(s)
    within = b.masks[AT_RANDOM] | b.masks[ADVISED]
    while who == CHANCE or (who != OVER and within >> who & 1):
        if who == CHANCE:
            move = b.out[weighted(rng, b.p, verbs.chance(s, b.out, b.p))]
        else:
            move = choose_inner(s, who, b.masks, b.room, rng, b.out)
        carry_out(b, i, who, move)
        who = verbs.actor(s)
    return who


@rule
def choose_inner(s: Record, who: int, masks: Ints, room: Records, rng: Rng, out: Actions) -> int:
    """The action of an inner player."""
    if masks[AT_RANDOM] >> who & 1:
        return int(out[below(rng, verbs.legal(s, who, out))])
    room[0] = s
    verbs.redact(room[0], who)
    return verbs.advise(room[0], who, rng)


@rule
def write_observation(
    s: Record, room: Records, turns: Ints, seat: int, out: Observations, row: int
) -> None:
    """Write what a seat sees into a row of `out`, (rows, size).

    room: (1,), overwritten; turns: (seats, 4), of `observation.ObservationLayout`.
    """
    who: Any = np.int64(seat)  # each type of a seat would be compiled apart
    room[0] = s
    verbs.redact(room[0], who)
    encode(room[0], turns, who, out, row)


@inlined
def list_legal(b: BatchArrays, i: int, out: Actions) -> None:
    """List and mark the legal actions of game i. Of the old marks, only those listed are cleared."""
    marked = b.mask.shape[1] > 0
    if marked:
        for j in range(b.counts[i]):
            b.mask[i, b.actions[i, j]] = 0
    who: Any = np.int64(b.seat[i])
    n = verbs.legal(b.states[i], who, out) if who >= 0 else 0
    b.counts[i] = n
    for j in range(n):
        b.actions[i, j] = out[j]
    if marked:
        for j in range(n):
            b.mask[i, out[j]] = 1


@rule
def is_listed(actions: Ints32, n: int, action: int) -> bool:
    """Whether an action is among the first n of `actions`, which ascend."""
    low = 0
    high = n
    while low < high:
        middle = (low + high) // 2
        if actions[middle] < action:
            low = middle + 1
        else:
            high = middle
    return low < n and actions[low] == action


@rule
def first_illegal(
    seats: Ints32,
    actions: Ints32,
    count: Ints32,
    chosen: Actions,
) -> int:
    """The first game whose chosen action is not legal, -1 if there is none.

    seats, count, chosen: (n,); actions: (n, `Game.actions`), of which `count` are listed.
    """
    for i in range(len(seats)):
        if seats[i] >= 0 and not is_listed(actions[i], count[i], chosen[i]):
            return i
    return -1


@rule
def sample_actions(actions: Ints32, count: Ints32, rng: Rng, chosen: Actions) -> None:
    """Write a random legal action for every game to `chosen`, (n,); 0 where nobody is to decide.

    actions: (n, `Game.actions`), of which `count`, (n,), are listed. Each game takes one number of the
    generator.
    """
    for i in range(len(count)):
        drawn = below(rng, count[i])
        chosen[i] = actions[i, drawn] if count[i] else 0
