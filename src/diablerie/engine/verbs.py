"""The verbs: what generic code may ask of any game's state.

Each verb picks the game's own function by the type of the record: from Python by looking it up,
in compiled code statically, when the caller is compiled. Search, playouts, batches and walks are
so written once. Seats count from 0; `CHANCE` and `OVER` stand where a seat would.
"""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, TypeVar

from numba.extending import overload
from numba.np.numpy_support import as_dtype
from numpy import dtype
from numpy.typing import NDArray

from diablerie.engine.record import Record

CHANCE = -1  # actor of a chance node
OVER = -2  # actor when the game is over
WATCHER = -1  # redact for somebody without a seat
EVERYONE = -1  # witness mask: all bits

Verb = TypeVar("Verb", bound=Callable[..., Any])
_games: dict[dtype[Any], SimpleNamespace] = {}


def register(layout: dtype[Any], functions: dict[str, Callable[..., Any]]) -> None:
    """Name the functions of the game whose states have this layout.

    Raises ValueError if another game has the same layout, since types could not tell them apart.
    """
    if layout in _games:
        raise ValueError("two games with the same record layout")
    _games[layout] = SimpleNamespace(**functions)


def _verb(function: Verb) -> Verb:
    """Let compiled callers of `function` find the game's own at compile time."""
    name = function.__name__

    def pick(s: Any, *rest: Any) -> Any:
        chosen = getattr(_games[as_dtype(s)], name)

        def call(s: Any, *rest: Any) -> Any:
            return chosen(s, *rest)

        return call

    overload(function)(pick)
    return function


def _of(s: Record) -> SimpleNamespace:
    return _games[s.dtype]


@_verb
def actor(s: Record) -> int:
    """The seat to decide (the lowest-numbered where several do), `CHANCE` or `OVER`."""
    return int(_of(s).actor(s))


@_verb
def pending(s: Record) -> int:
    """Bit mask of all seats that may decide now; 0 at a chance node and when over."""
    return int(_of(s).pending(s))


@_verb
def legal(s: Record, seat: int, out: NDArray[Any]) -> int:
    """Write the legal actions of `seat` into `out`, ascending, and return their number.

    `out` is an int64 array of at least `Game.actions`. Ascending is the order of the rule files.
    """
    return int(_of(s).legal(s, seat, out))


@_verb
def forbids(s: Record, seat: int, action: int) -> int:
    """The code of the clause that forbids `seat` this action now; 0 if it is legal."""
    return int(_of(s).forbids(s, seat, action))


@_verb
def chance(s: Record, out: NDArray[Any], p: NDArray[Any]) -> int:
    """Write the outcomes of positive probability and these (summing to 1); return their number.

    `out` (int64) and `p` (float64) hold at least `Game.outcomes`.
    """
    return int(_of(s).chance(s, out, p))


@_verb
def apply(s: Record, seat: int, action: int) -> None:
    """Carry out a legal action of `seat`, or with `CHANCE` an outcome, in place, unchecked."""
    _of(s).apply(s, seat, action)


@_verb
def returns(s: Record, out: NDArray[Any]) -> None:
    """Write each seat's utility of a finished game into `out` (float64, at least seats)."""
    _of(s).returns(s, out)


@_verb
def witness(s: Record) -> int:
    """Bit mask of the seats that see what is decided or drawn at this node (`EVERYONE`: all).

    Whoever decides knows it anyhow; a watcher sees it only where all seats do.
    """
    return int(_of(s).witness(s))


@_verb
def redact(s: Record, seat: int) -> None:
    """Blank, in place, all that `seat` (or `WATCHER`) may not know."""
    _of(s).redact(s, seat)


@_verb
def guess(s: Record, seat: int, rng: NDArray[Any]) -> None:
    """Fill, in place, what `redact(s, seat)` blanked with a sample that fits what is left."""
    _of(s).guess(s, seat, rng)


@_verb
def advise(s: Record, seat: int, rng: NDArray[Any]) -> int:
    """A sensible legal action of `seat`, from what a redacted state shows."""
    return int(_of(s).advise(s, seat, rng))


@_verb
def value(s: Record, out: NDArray[Any]) -> None:
    """Write an estimate of every seat's return, -1 to 1, into `out` (float64)."""
    _of(s).value(s, out)
