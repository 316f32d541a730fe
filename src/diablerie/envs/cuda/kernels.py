"""Kernels: one GPU thread does for one game what the loops of `envs.stepping` do for each.

A thread works in local memory, whose size must be known when the kernel is compiled. So each game has
kernels of its own. (They are not decorated with `rule`: then `engine.sources` would recompile the
rules after an edit of this file. Numba itself notices such an edit.)
"""

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numba import config, cuda
from numpy.typing import NDArray

from diablerie.engine import playout, verbs
from diablerie.engine.game import Game
from diablerie.engine.rng import STEP
from diablerie.engine.verbs import SEATS
from diablerie.envs import stepping
from diablerie.envs.cuda.driver import round_every_operation
from diablerie.envs.stepping import Actions, BatchArrays, Records

LIMIT = 1_000_000  # steps of a playout
Kernel = Callable[..., Any]


class Room(NamedTuple):
    """The sizes of a kernel's local arrays, known when it is compiled."""

    layout: np.dtype[Any]
    options: int  # entries for legal actions or outcomes
    outcomes: int  # for probabilities


def room_of(game: Game) -> Room:
    """The room that a thread needs for this game."""
    return Room(game.state.dtype, max(game.actions, game.outcomes), game.outcomes)


def compiled(function: Kernel) -> Any:
    """The compiled kernel, cached on disk beside the CPU's code."""
    if not config.ENABLE_CUDASIM:
        round_every_operation()
    return cuda.jit(cache=True)(function)


@cache
def step_kernel(room: Room, inside: bool) -> Any:
    """`stepping.step_game` for one thread's game. inside: whether there are inner players."""
    return compiled(step_function(room, inside))


@cache
def playout_kernel(room: Room, advised: bool) -> Any:
    """A kernel in which each thread plays a whole game, at random or as advised."""
    return compiled(playout_function(room, advised))


def step_function(room: Room, inside: bool) -> Kernel:
    """The step of one game as a kernel. Without inner players the advice is not compiled."""
    layout, options, outcomes = room
    size, words = layout.itemsize, -(-layout.itemsize // 8)

    def step(b: BatchArrays, chosen: Actions, anew: bool) -> None:
        i = cuda.grid(1)
        if i < len(b.seat):
            raw = cuda.local.array(words, np.int64)
            state = raw.view(np.int8)[:size].view(layout)
            out = cuda.local.array((1, options), np.int64)
            p = cuda.local.array((1, outcomes), np.float64)
            returns = cuda.local.array((1, SEATS), np.float64)
            inner = b.inner if inside else None
            mine = BatchArrays(
                b.states,
                b.rngs,
                b.episode,
                b.seat,
                b.observer,
                b.observation,
                b.final,
                b.actions,
                b.counts,
                b.mask,
                b.words,
                b.rewards,
                b.terminated,
                b.illegal,
                b.turns,
                b.lost,
                inner,
                b.start,
                b.seed,
                b.mode,
                state,
                out,
                p,
                returns,
            )
            stepping.step_game(mine, i, 0, chosen[i], i, anew, False)

    return step


def playout_function(room: Room, advised: bool) -> Kernel:
    """A playout as a kernel. Game i has the random generator of game i of a batch, episode 0."""
    layout, options, outcomes = room
    size, words = layout.itemsize, -(-layout.itemsize // 8)

    def whole(
        start: Records,
        seed: np.uint64,
        steps: NDArray[np.int64],
        pay: NDArray[np.float64],
        ends: Records,
    ) -> None:
        i = cuda.grid(1)
        if i < len(steps):
            raw = cuda.local.array(words, np.int64)
            state = raw.view(np.int8)[:size].view(layout)
            rng = cuda.local.array(1, np.uint64)
            out = cuda.local.array(options, np.int64)
            p = cuda.local.array(outcomes, np.float64)
            returns = cuda.local.array(SEATS, np.float64)
            stepping.seed_of(seed, i, 0, rng)
            state[0] = start[0]
            if advised:  # known when it is compiled: the other branch is not
                steps[i] = playout.playout_by_advice(state[0], rng, out, p, LIMIT)
            else:
                steps[i] = playout.playout(state[0], rng, out, p, LIMIT)
            verbs.returns(state[0], returns)
            for k in range(pay.shape[1]):
                pay[i, k] = returns[k]
            ends[i] = state[0]

    return whole


def sample_kernel(
    actions: NDArray[np.int32], counts: NDArray[np.int32], state: np.uint64, chosen: Actions
) -> None:
    """`stepping.sample_actions` for one game: the generator jumps to that game's number."""
    i = cuda.grid(1)
    if i < len(counts):
        rng = cuda.local.array(1, np.uint64)
        rng[0] = state + np.uint64(i) * STEP
        stepping.sample_actions(actions[i : i + 1], counts[i : i + 1], rng, chosen[i : i + 1])


def refuse(
    seats: NDArray[np.int32],
    actions: NDArray[np.int32],
    counts: NDArray[np.int32],
    chosen: Actions,
    first: NDArray[np.int64],
) -> None:
    """Lower `first[0]` to the index of the first game whose chosen action is not legal."""
    i = cuda.grid(1)
    if i < len(seats):
        j = i + 1
        if stepping.first_illegal(seats[i:j], actions[i:j], counts[i:j], chosen[i:j]) >= 0:
            cuda.atomic.min(first, 0, i)


def widen(values: NDArray[np.number[Any]], wide: NDArray[np.int64]) -> None:
    """Copy numbers of any type, (n,), into int64."""
    i = cuda.grid(1)
    if i < len(wide):
        wide[i] = values[i]


@cache
def compiled_kernel(function: Kernel) -> Any:
    """One of the kernels that need no scratch room, compiled."""
    return compiled(function)
