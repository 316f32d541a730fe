"""What a game's WebAssembly module exports: which rules, compiled for which types.

The verbs take pointers and int32 numbers, so that any host can call them by name. Every other rule
takes one pointer, to a block of 8-byte slots: slot 0 is for the result, the arguments follow. It
says by the number that it returns what the result is: `NO_RESULT`, `INTEGER` or `FLOAT`.
"""

from collections.abc import Iterator, Sequence
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np
from numba import typeof, types
from numba.extending import is_jitted

from diablerie.bots.network_bot import NetworkBot
from diablerie.bots.network_rollouts import roll_out
from diablerie.bots.one_ply import Lookahead, glance, one_ply_arrays
from diablerie.bots.rollouts import RolloutArrays, rollouts
from diablerie.bots.search import SearchParams, search, state_hash
from diablerie.bots.search_tree import arena, copy_subtree, find_key, lead, reset
from diablerie.bots.workspace import Workspace, zeros
from diablerie.engine import rng, verbs
from diablerie.engine.game import Game
from diablerie.engine.numba_internals import Lowered, lowered
from diablerie.engine.playout import buffers, playouts
from diablerie.engine.queries import redacted
from diablerie.learning.rollout import forward_state

NO_RESULT, INTEGER, FLOAT = range(3)  # the results of rules that are called with a block
Call = tuple[Any, tuple[object, ...]]  # a rule, and arguments as Python hands them over


class Compiled(NamedTuple):
    """One compiled function: the name it is exported by, what LLVM has of it, how it is called.

    lengths: of a verb, how many items each of its arrays has, in order; None: by a block of slots.
    """

    name: str
    result: Lowered
    lengths: Sequence[int] | None = None


def compiled_verbs(game: Game) -> Iterator[Compiled]:
    """The verbs of a game, and `playouts`, which plays many random games."""
    lengths = {
        "legal": (game.actions,),
        "chance": (game.outcomes, game.outcomes),
        "returns": (verbs.SEATS,),
        "value": (verbs.SEATS,),
        "guess": (1,),
        "advise": (1,),
    }
    for name in verbs.SIGNATURES:
        getattr(game.state.verbs, name)  # compiles it
        dispatcher, rest = verbs.OVER_ARRAYS[name]
        signature = (game.state.verbs.array_type, *rest)
        yield Compiled(name, lowered(dispatcher, signature), (1, *lengths.get(name, ())))
    start = game.start(game.seats[0]).array
    yield compiled_call(playouts, (start, start, rng.seeded(0), *buffers(game), 0))


def bot_calls(game: Game) -> Iterator[Call]:
    """The rules that bots call from Python, each with arguments of the types that they hand over."""
    work = Workspace(game, 1)
    random = rng.seeded(0)
    spare = buffers(game)
    yield rng.bits, (random,)
    yield rng.below, (random, 1)
    yield rng.unit, (random,)
    yield search, (work.arrays, zeros(SearchParams), work.scratch, random, 1)
    yield state_hash, (work.arrays.words,)
    yield lead, (arena(1), 0)
    yield find_key, (arena(1), 0, 0)
    yield copy_subtree, (arena(1), 0, arena(1))
    yield reset, (arena(1)[0],)
    one_ply = one_ply_arrays(game.state, np.zeros(1, np.int64), spare)
    yield glance, (one_ply, zeros(Lookahead), random, 1)
    state = zeros(game.state)
    won = np.zeros(game.seats[-1])
    yield rollouts, (RolloutArrays(state, state, state, *spare, won, won), 0, 0, random, 1)
    if game.learnt:
        bot = NetworkBot(game)
        yield forward_state, (*bot.arrays, zeros(bot.game.state), 0)
        yield roll_out, (*bot.arrays, bot.rollouts, 0, 1, 1, 1, 0.0, random)
    yield from appraisal_calls(game)


def appraisal_calls(game: Game) -> Iterator[Call]:
    """What the game's own appraisal of a decision calls, seen by running one."""
    if not game.appraise:
        return
    position = game.start(game.seats[0])
    while (seat := verbs.actor(position)) < 0:
        verbs.apply(position, seat, 0)
    module = vars(import_module(game.appraise.__module__))
    rules = {name: f for name, f in module.items() if is_jitted(f)}
    calls: dict[str, Call] = {}

    def noting(name: str, function: Any) -> Any:
        def call(*arguments: Any) -> Any:
            calls.setdefault(name, (function, arguments))
            return function(*arguments)

        return call

    try:
        module.update({name: noting(name, f) for name, f in rules.items()})
        appraisal = game.appraise(redacted(position, seat), seat)
        if appraisal:
            appraisal.sample(rng.seeded(0), 1)
            appraisal.judged()
    finally:
        module.update(rules)
    yield from calls.values()


def compiled_call(function: Any, arguments: tuple[object, ...]) -> Compiled:
    """A rule as compiled for the types of these arguments."""
    signature = tuple(map(typeof, arguments))
    function.compile(signature)
    name = f"{function.__module__}.{function.__name__}".replace(".", "_")
    return Compiled(name, lowered(function, signature))


def slots(kind: types.Type) -> Iterator[tuple[str, bool]]:
    """The LLVM types that Numba hands an argument of this type over in, and whether each has a slot.

    A null pointer has none: the owner of an array is of no use to a rule.
    """
    if isinstance(kind, types.Array):
        yield from (("ptr", False), ("ptr", False), ("i64", True), ("i64", True), ("ptr", True))
        yield from (("i64", True) for _ in range(2 * kind.ndim))
    elif isinstance(kind, types.BaseTuple):
        for part in kind:
            yield from slots(part)
    elif isinstance(kind, types.Record):
        yield "ptr", True
    elif isinstance(kind, types.Integer):
        yield f"i{kind.bitwidth}", True
    elif isinstance(kind, types.Float):
        yield "double" if kind.bitwidth == 64 else "float", True
    else:
        raise TypeError(f"an argument of type {kind} cannot be handed over")
