"""One-ply look ahead (flat Monte Carlo): judge every action of a decision, compiled for each game.

For each of a few guesses at what the seat cannot see, the bot tries every action with the same
random numbers (common random numbers, which reduce the variance of differences), plays on for a few
moves, and judges the position by the game's value. There is no tree. Meanwhile the other seats
follow the game's advice, or play a share of their moves at random (`neglect`).
"""

from typing import NamedTuple

import numpy as np

from diablerie.engine import verbs
from diablerie.engine.compile import Floats, Ints, Records, inlined, rule
from diablerie.engine.playout import play_on
from diablerie.engine.record import Record, f64, i32, i64, record
from diablerie.engine.rng import Rng, below, bits, unit
from diablerie.engine.verbs import OVER, SEATS


@record
class Lookahead(Record):
    """The parameters of a look ahead."""

    me: i64  # the seat that decides
    plies: i32  # moves that it looks ahead, at least
    rest: i64  # mask of the nodes where it may judge then
    skill: f64  # the share of moves that follow advice, the others being random
    neglect: f64  # the share of the others' moves that are random even then


# of Arrays.states
ONE_PLY_START = 0
ONE_PLY_GUESS = 1
ONE_PLY_STATE = 2


class OnePlyArrays(NamedTuple):
    """The arrays of a look ahead."""

    states: Records  # three: as the seat sees it; with a guess at the rest; after an action
    actions: Ints  # (n,): those to be judged
    worth: Floats  # (n,): sums of the seat's returns after each action
    squares: Floats  # (n,): sums of the squares of these returns
    luck: Rng  # the generator of what happens after each action
    returns: Floats  # (SEATS,)
    out: Ints  # of legal actions and outcomes, and below their probabilities:
    p: Floats  # see engine.playout.buffers


@rule
def glance(a: OnePlyArrays, look: Records, rng: Rng, guesses: int) -> None:
    """Add up the returns after every action, for so many guesses. look: one Lookahead, shape (1,)."""
    for _ in range(guesses):
        a.states[ONE_PLY_GUESS] = a.states[ONE_PLY_START]
        verbs.guess(a.states[ONE_PLY_GUESS], look[0].me, rng)
        luck = bits(rng)
        for i in range(len(a.actions)):
            a.luck[0] = luck
            a.states[ONE_PLY_STATE] = a.states[ONE_PLY_GUESS]
            verbs.apply(a.states[ONE_PLY_STATE], look[0].me, a.actions[i])
            judge_ahead(a, look[0])
            x = a.returns[look[0].me]
            a.worth[i] += x
            a.squares[i] += x * x


@inlined
def judge_ahead(a: OnePlyArrays, look: Lookahead) -> None:
    """Play `a.states[ONE_PLY_STATE]` on for `look.plies` moves, and write its value into `a.returns`."""
    s = a.states[ONE_PLY_STATE]
    play_on(s, look.plies, look.rest, heeded_move, look, a.luck, a.out, a.p)
    if verbs.actor(s) == OVER:
        verbs.returns(s, a.returns)
    else:
        verbs.value(s, a.returns)


@inlined
def heeded_move(s: Record, who: int, look: Lookahead, luck: Rng, out: Ints) -> int:
    """The game's advice, or a random action with probability 1 - skill (· (1 - neglect))."""
    share = look.skill if who == look.me else look.skill * (1.0 - look.neglect)
    if share >= 1.0 or unit(luck) < share:
        return verbs.advise(s, who, luck)
    return int(out[below(luck, verbs.legal(s, who, out))])


def one_ply_arrays(
    state: type[Record], actions: Ints, buffers: tuple[Ints, Floats]
) -> OnePlyArrays:
    """Arrays for one decision between these actions. state: the game's record class."""
    return OnePlyArrays(
        verbs.as_rules_run(state, np.zeros(3, state.dtype)),
        actions,
        np.zeros(len(actions)),
        np.zeros(len(actions)),
        np.zeros(1, np.uint64),
        np.zeros(SEATS),
        *buffers,
    )
