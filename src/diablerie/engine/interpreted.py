"""Rules that run as Python until they are compiled: which games' do, and how they are taken over.

A rule is one of Numba's dispatchers, which compile when they are called. While a game is
interpreted, its rules have another class, whose call runs the Python function. So nobody waits for
a compiler, and whoever is compiled pays nothing: the class is Numba's own again afterwards.

Rules that all games share are compiled for one game and interpreted for another at the same time.
They go by the thread: it is inside an interpretation, or it is not.
"""

import threading
from collections.abc import Callable, Iterable
from threading import get_ident
from typing import Any

from numba import config

from diablerie.engine.numba_internals import CPUDispatcher
from diablerie.engine.sources import cache_folder

PLAY_UNIT = "bots"  # all that a match and its usual bots are played by, see `compiling.units`
# What all games share, and interpreted rules call: of states, and of numbers alone
OF_STATES = ("diablerie.engine", "diablerie.bots.one_ply", "diablerie.values")
OF_NUMBERS = (
    "diablerie.engine.rng",
    "diablerie.engine.shared_rules",
    "diablerie.values.encoding",
)
DRAINED_SECONDS = 0.01  # seconds between two looks whether all interpretations have ended

_made: list[Any] = []  # all rules of this process
_homes: set[str] = set()  # the packages of games that are interpreted
_inside: set[int] = set()  # threads that run interpreted rules
_lock = threading.Lock()


class GameRule(CPUDispatcher):  # type: ignore[misc]
    """A rule of a game that is interpreted, or one of numbers that such rules share."""

    def __call__(self, *args: Any, **named: Any) -> Any:
        """Run the rule as Python."""
        return self.plain(*args, **named)


class SharedRule(CPUDispatcher):  # type: ignore[misc]
    """A rule that all games share, while some of them are interpreted."""

    def __call__(self, *args: Any, **named: Any) -> Any:
        """Run the rule: as Python where an interpreted rule asks for it."""
        if get_ident() in _inside:
            return self.plain(*args, **named)
        return super().__call__(*args, **named)


def made(rule: Any, plain: Callable[..., object] | None = None) -> None:
    """Note a new rule. plain: what is run where it is interpreted, if not its own function."""
    rule.plain = plain or rule.py_func
    with _lock:
        _made.append(rule)
        _set_class(rule)


def _set_class(rule: Any) -> None:
    module = rule.py_func.__module__
    if _homes and (_within(module, _homes) or _within(module, OF_NUMBERS)):
        rule.__class__ = GameRule
    elif _homes and _within(module, OF_STATES):
        rule.__class__ = SharedRule
    elif type(rule) in (GameRule, SharedRule):
        rule.__class__ = CPUDispatcher


def _within(module: str, packages: Iterable[str]) -> bool:
    return any(module == one or module.startswith(f"{one}.") for one in packages)


def compiled_before(game: str) -> bool:
    """Whether the cache has what matches of a game are played by, or nothing can be compiled."""
    return bool(config.DISABLE_JIT) or (cache_folder() / f"{game}.{PLAY_UNIT}").exists()


def interpret(homes: set[str]) -> None:
    """Have the rules of a game, by its packages, run as Python from now on."""
    with _lock:
        _homes.update(homes)
        for rule in _made:
            _set_class(rule)


def interpret_no_more(homes: set[str]) -> None:
    """Have them run compiled. Waits until no thread is inside an interpretation.

    What a rule that still ran as Python called otherwise would be compiled then and there.
    """
    waiting = _inside - {get_ident()}
    while waiting := waiting & _inside:  # who begins meanwhile interprets another game
        threading.Event().wait(DRAINED_SECONDS)
    with _lock:
        _homes.difference_update(homes)
        for rule in _made:
            _set_class(rule)


def inside() -> bool:
    """Whether this thread is inside an interpretation."""
    return get_ident() in _inside


def call_inside(
    function: Callable[..., Any], *args: Any, unless: Callable[[], bool] = lambda: False
) -> Any:
    """Call a function all of whose rules run as Python; those compiled `unless` that is so.

    That is asked when the thread is inside already, so that nobody who takes over overlooks it.
    """
    thread = get_ident()
    if thread in _inside:
        return function(*args)
    _inside.add(thread)
    try:
        if not unless():
            return function(*args)
    finally:
        _inside.discard(thread)
    return function(*args)


def rules() -> list[Any]:
    """All rules of this process."""
    with _lock:
        return list(_made)
