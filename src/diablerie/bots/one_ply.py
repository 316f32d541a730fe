"""One-ply look ahead (flat Monte Carlo): judge every action of a decision, compiled for each game.

For each of a few guesses at what the seat cannot see, every action is tried with the same random
numbers, played on for a few moves and judged by the game's value. There is no tree. The others
follow the game's advice meanwhile, or play a share of their moves at random (`neglect`).
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from diablerie.engine import verbs
from diablerie.engine.compile import rule
from diablerie.engine.playout import play_on
from diablerie.engine.record import Record, f64, i32, i64, record
from diablerie.engine.rng import Rng, below, bits, unit
from diablerie.engine.verbs import OVER, SEATS


@record
class Lookahead:
    """How a seat looks ahead."""

    me: i64  # the seat that decides
    plies: i32  # it looks so many moves ahead, at least
    rest: i64  # mask of the nodes where it may judge then
    skill: f64  # the share of moves that follow advice, the others being random
    neglect: f64  # the share of the others' moves that are random even then


START, GUESS, STATE = 0, 1, 2  # of Arrays.states


class OnePlyArrays(NamedTuple):
    """All that a look works on."""

    states: Any  # as the seat sees it; with a guess at the rest; where a try stands
    actions: NDArray[Any]  # int64: those to be judged
    worth: NDArray[Any]  # float64, by place in `actions`: sums of the seat's returns
    squares: NDArray[Any]  # float64, alike: and of their squares
    luck: NDArray[Any]  # the generator of what happens after each action
    returns: NDArray[Any]  # float64, by seat
    out: NDArray[Any]  # of legal actions and outcomes, and below their probabilities:
    p: NDArray[Any]  # see engine.playout.buffers


@rule
def glance(a: OnePlyArrays, look: Any, rng: Rng, guesses: int) -> None:
    """Add up what every action comes to on so many guesses. `look`: an array of one Look."""
    for _ in range(guesses):
        a.states[GUESS] = a.states[START]
        verbs.guess(a.states[GUESS], look[0].me, rng)
        luck = bits(rng)
        for i in range(len(a.actions)):
            a.luck[0] = luck
            a.states[STATE] = a.states[GUESS]
            verbs.apply(a.states[STATE], look[0].me, a.actions[i])
            judge_ahead(a, look[0])
            x = a.returns[look[0].me]
            a.worth[i] += x
            a.squares[i] += x * x


@rule
def judge_ahead(a: OnePlyArrays, look: Record) -> None:
    """Play `a.states[STATE]` on as far as is looked, and judge it into `a.returns`."""
    s = a.states[STATE]
    play_on(s, look.plies, look.rest, heeded_move, look, a.luck, a.out, a.p)
    if verbs.actor(s) == OVER:
        verbs.returns(s, a.returns)
    else:
        verbs.value(s, a.returns)


@rule
def heeded_move(s: Record, who: int, look: Record, luck: Rng, out: NDArray[Any]) -> int:
    """The game's advice, or a random action where the seat that looks does not heed it."""
    share = look.skill if who == look.me else look.skill * (1.0 - look.neglect)
    if share >= 1.0 or unit(luck) < share:
        return verbs.advise(s, who, luck)
    return out[below(luck, verbs.legal(s, who, out))]


def one_ply_arrays(
    state: Any, actions: NDArray[Any], buffers: tuple[NDArray[Any], NDArray[Any]]
) -> OnePlyArrays:
    """Arrays for one decision between these actions, in records of this class."""
    return OnePlyArrays(
        np.zeros(3, state.dtype).view(np.recarray),
        actions,
        np.zeros(len(actions)),
        np.zeros(len(actions)),
        np.zeros(1, np.uint64),
        np.zeros(SEATS),
        *buffers,
    )
