"""The verbs: what generic code may ask of any game's state.

Each verb picks the game's own function by the type of the state: from Python by its class, in
compiled code statically, when the caller is compiled. Search, playouts, batches and walks are so
written once. Seats count from 0; `CHANCE` and `OVER` stand where a seat would.
"""

from collections.abc import Callable
from importlib import import_module
from types import SimpleNamespace
from typing import Any, TypeVar

import numpy as np
from numba import types
from numba.extending import is_jitted
from numba.np.numpy_support import as_dtype, from_dtype

from diablerie.engine import interpreted
from diablerie.engine.compile import Floats, Ints, Layout, Records, rule
from diablerie.engine.numba_internals import call_instead
from diablerie.engine.record import InterpretedStates, Record, of_array
from diablerie.engine.rng import Rng
from diablerie.engine.sources import roots

CHANCE = -1  # actor of a chance node
OVER = -2  # actor when the game is over
WATCHER = -3  # a viewer without a seat
EVERYTHING = -4  # a viewer to whom all is open: of finished matches only
MANY_QUESTIONS = 20_000  # to interpreted rules: about a second
SEATS = 6  # of the largest game
EVERYONE = (1 << SEATS) - 1  # witness mask: all seats

Verb = TypeVar("Verb", bound=Callable[..., object])
_INT = types.int64
_INTS = types.Array(types.int64, 1, "C")
_FLOATS = types.Array(types.float64, 1, "C")
_RNG = types.Array(types.uint64, 1, "C")
SIGNATURES: dict[str, tuple[types.Type, ...]] = {}  # by verb: what it takes after the state
_games: dict[Layout, SimpleNamespace] = {}


def register(
    state: type[Any], functions: dict[str, Callable[..., object]], name: str = "", home: str = ""
) -> None:
    """Name the functions of the game whose states are of this class.

    They are interpreted until they are compiled, if the cache does not have the game of this name.
    home: the game's package. Raises ValueError if that has been done for the class before.
    """
    if state.dtype in _games:
        raise ValueError("two games with the same class of states")
    _games[state.dtype] = SimpleNamespace(**functions, name=name, home=home)
    if not all(map(is_jitted, functions.values())):
        state.verbs = InterpretedVerbs(state, functions)
        return
    state.verbs = CompiledVerbs(state.dtype)
    if not interpreted.compiled_before(name):
        interpret(state)


def interpret(kind: type[Record]) -> None:
    """Have the rules of a game interpreted until they are compiled: the cache does not have them.

    Nothing happens if they are interpreted already.
    """
    game = _games[kind.dtype]
    if is_interpreted(kind):
        return
    functions = {verb: getattr(game, verb) for verb in SIGNATURES}
    homes = {game.home or function.py_func.__module__ for function in functions.values()}
    plain = {verb: function.plain for verb, function in functions.items()}
    interpreted.interpret(homes)
    state: Any = kind
    state.verbs = InterpretedVerbs(kind, plain, Waiting(game.name, homes))


def compile_first(kind: type[Record]) -> None:
    """Have the rules of a game run compiled from now on, each compiled at its first use.

    For what plays thousands of games. Nothing happens if they are compiled or cannot be.
    """
    verbs = kind.verbs
    if isinstance(verbs, InterpretedVerbs) and verbs.waiting:
        take_over(kind, CompiledVerbs(kind.dtype))


def take_over(kind: type[Record], compiled: "CompiledVerbs") -> None:
    """Have the rules of a game run compiled from now on, those that run already to their end."""
    verbs = kind.verbs
    if isinstance(verbs, InterpretedVerbs) and verbs.waiting:
        kind.verbs = compiled
        interpreted.interpret_no_more(verbs.waiting.homes)


def home_of(layout: types.Type) -> str:
    """The module of the game whose states have this layout, "" if there is none."""
    game = _games.get(as_dtype(layout))
    return str(game.apply.py_func.__module__) if game else ""


def _verb(*rest: types.Type) -> Callable[[Verb], Verb]:
    """Let compiled callers of a verb find the game's own function when they are compiled.

    rest: the types of what the verb takes after the state.
    """

    def make(verb: Verb) -> Verb:
        name = verb.__name__
        call_instead(verb, lambda state: getattr(_games[as_dtype(state)], name))
        SIGNATURES[name] = rest
        return verb

    return make


@_verb()
def actor(s: Record) -> int:
    """The seat to decide (the lowest-numbered where several do), `CHANCE` or `OVER`."""
    return s.verbs.actor(s.array)


@_verb()
def pending(s: Record) -> int:
    """Bit mask of all seats that may decide now; 0 at a chance node and when over."""
    return s.verbs.pending(s.array)


@_verb(_INT, _INTS)
def legal(s: Record, seat: int, out: Ints) -> int:
    """Write the legal actions of `seat` into `out`, ascending, and return their number.

    `out` is an int64 array of at least `Game.actions`. Ascending is the order of the rule files.
    """
    return s.verbs.legal(s.array, seat, out)


@_verb(_INT, _INT)
def forbids(s: Record, seat: int, action: int) -> int:
    """The code of the clause that forbids `seat` this action now; 0 if it is legal."""
    return s.verbs.forbids(s.array, seat, action)


@_verb(_INTS, _FLOATS)
def chance(s: Record, out: Ints, p: Floats) -> int:
    """Write the outcomes of positive probability and these (summing to 1); return their number.

    `out` (int64) and `p` (float64) hold at least `Game.outcomes`.
    """
    return s.verbs.chance(s.array, out, p)


@_verb(_INT, _INT)
def apply(s: Record, seat: int, action: int) -> None:
    """Carry out a legal action of `seat`, or with `CHANCE` an outcome, in place, unchecked."""
    s.verbs.apply(s.array, seat, action)


@_verb(_FLOATS)
def returns(s: Record, out: Floats) -> None:
    """Write each seat's utility of a finished game into `out` (float64, at least seats)."""
    s.verbs.returns(s.array, out)


@_verb()
def witness(s: Record) -> int:
    """Bit mask of the seats that see what is decided or drawn at this node (`EVERYONE`: all).

    Whoever decides knows it anyhow; a watcher sees it only where all seats do.
    """
    return s.verbs.witness(s.array)


@_verb(_INT)
def redact(s: Record, seat: int) -> None:
    """Blank, in place, all that `seat` (or `WATCHER`) may not know."""
    s.verbs.redact(s.array, seat)


@_verb(_INT, _RNG)
def guess(s: Record, seat: int, rng: Rng) -> None:
    """Fill, in place, what `redact(s, seat)` blanked with a sample that fits what is left."""
    s.verbs.guess(s.array, seat, rng)


@_verb(_INT, _RNG)
def advise(s: Record, seat: int, rng: Rng) -> int:
    """A sensible legal action of `seat`, from what a redacted state shows."""
    return s.verbs.advise(s.array, seat, rng)


@_verb(_FLOATS)
def value(s: Record, out: Floats) -> None:
    """Write an estimate of every seat's return, -1 to 1, into `out` (float64)."""
    s.verbs.value(s.array, out)


# -- the same from Python, over an array of one state ------------------------------------------


def _over_array(name: str, arguments: int) -> Any:
    """A verb over an array of one state, as a rule; `arguments`: how many it takes after it.

    Each gets a name of its own, since Numba keeps a file of the cache for every name.
    """
    verb = globals()[name]

    def alone(a: Records) -> object:
        return verb(a[0])

    def with_one(a: Records, x: object) -> object:
        return verb(a[0], x)

    def with_two(a: Records, x: object, y: object) -> object:
        return verb(a[0], x, y)

    function = (alone, with_one, with_two)[arguments]
    function.__name__ = function.__qualname__ = f"{name}_of_array"
    return rule(function)


OVER_ARRAYS = {name: (_over_array(name, len(rest)), rest) for name, rest in SIGNATURES.items()}


class CompiledVerbs:
    """The verbs of one class of states, as functions that Python calls without a detour.

    A dispatcher looks at the types of all arguments at each call, which costs more than most verbs
    themselves; here they are known. Numba compiles each verb, or fetches it from the cache, at its
    first use. Arrays must be C-contiguous and of the types that the verbs name.
    """

    def __init__(self, layout: Layout) -> None:
        self.array_type = types.Array(from_dtype(layout), 1, "C")

    def load(self) -> None:
        """Compile or load all of them."""
        for name in OVER_ARRAYS:
            getattr(self, name)

    def __getattr__(self, name: str) -> Any:
        if name not in OVER_ARRAYS:
            raise AttributeError(name)
        dispatcher, rest = OVER_ARRAYS[name]
        signature = (self.array_type, *rest)
        dispatcher.compile(signature)
        function = dispatcher.get_overload(signature)
        setattr(self, name, function)
        return function


class Waiting:
    """A game that is interpreted until its rules are compiled: its name, and its packages.

    Who plays on for more than some seconds has them compiled meanwhile, in another process.
    """

    def __init__(self, game: str, homes: set[str]) -> None:
        self.game = game
        self.homes = homes
        self._asked = 0

    def count(self) -> None:
        """Count a question about a position."""
        self._asked += 1
        if self._asked == MANY_QUESTIONS and in_game_package(self.homes):
            # By its name, since it stands above: it knows what is compiled of a game.
            import_module("diablerie.compiling.beside").begin(self.game)


def in_game_package(homes: set[str]) -> bool:
    """Whether the code of a game is in a package of games, so that other processes find it."""
    return all(home.partition(".")[0] in roots() for home in homes)


class InterpretedVerbs:
    """The same for functions that are not compiled; `waiting`: not yet."""

    def __init__(
        self,
        state: type[Record],
        functions: dict[str, Callable[..., object]],
        waiting: Waiting | None = None,
    ) -> None:
        self.waiting = waiting
        for name, function in functions.items():
            setattr(self, name, self._over_array(state, function))

    def _over_array(
        self, state: type[Record], function: Callable[..., object]
    ) -> Callable[..., object]:
        count = self.waiting.count if self.waiting else lambda: None

        def call(array: Any, *rest: object) -> object:
            count()
            return interpreted.call_inside(function, of_array(state, array), *rest)

        return call


def is_interpreted(kind: type[Record]) -> bool:
    """Whether the rules of the game with this class of states run as Python now."""
    return isinstance(kind.verbs, InterpretedVerbs)


def states_of(kind: type[Record], array: Records) -> Any:
    """An array of a game's states as rules for all games take it, over the same memory.

    The game's rules are compiled first, if they can be.
    """
    compile_first(kind)
    return as_rules_run(kind, array)


def as_rules_run(kind: type[Record], array: Records) -> Any:
    """The same, for what is interpreted while the game is."""
    if is_interpreted(kind) or interpreted.inside():
        return InterpretedStates(kind, array)
    return array.view(np.recarray)


def call_as_rules_run(kind: type[Record], function: Callable[..., Any], *args: Any) -> Any:
    """Call what asks rules of all games about states of this class: interpreted while its game is."""
    if not is_interpreted(kind):
        return function(*args)
    return interpreted.call_inside(function, *args, unless=lambda: not is_interpreted(kind))


def no_states(kind: type[Record], n: int) -> Any:
    """States as `states_of` has them, n whose every field is 0."""
    return states_of(kind, np.zeros(n, kind.dtype))
