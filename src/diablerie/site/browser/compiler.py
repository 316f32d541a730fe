"""A stand-in for Numba: rules run as Python, or by the compiled rules in the libraries.

Only the names that diablerie imports are here. Nothing is compiled, so what only concerns
compilation (overloads, types of arguments) has no effect.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import update_wrapper
from types import SimpleNamespace
from typing import NamedTuple, TypeVar

from diablerie.site.browser import libraries
from diablerie.site.browser.layouts import dtype

__version__ = "0"
T = TypeVar("T")
config = SimpleNamespace(DISABLE_JIT=True)


class Dispatcher:
    """A rule. Called, it runs compiled if a library has it for these arguments."""

    def __init__(self, function: Callable[..., object]) -> None:
        update_wrapper(self, function)
        self.py_func = function
        self._name = f"{function.__module__}.{function.__name__}".replace(".", "_")

    def __call__(self, *arguments: object) -> object:
        """Run the rule."""
        compiled = libraries.block_rule(self._name, arguments)
        if compiled is None:
            return self.py_func(*arguments)
        return libraries.call(compiled, arguments)

    def compile(self, signature: object) -> None:
        """Nothing is to be done."""

    def get_overload(self, signature: tuple[ArrayType, ...]) -> Callable[..., int]:
        """The verb of this name (`NAME_of_array`) for the states of the signature's first array.

        Raises LookupError if no library has their game.
        """
        name = self.py_func.__name__.removesuffix("_of_array")
        layout = signature[0].item
        function = libraries.verb(name, layout, len(signature) - 1)
        if function is None:
            raise LookupError(f"no library has {name} of these states")
        return function


CPUDispatcher = Dispatcher


def njit(*functions: Callable[..., object], **_: object) -> Dispatcher | type[Dispatcher]:
    """A decorator that makes a `Dispatcher`."""
    return Dispatcher(functions[0]) if functions else Dispatcher


class ArrayType(NamedTuple):
    """The type of an array of such items."""

    item: dtype
    ndim: int
    layout: str


types = SimpleNamespace(
    int64="int64",
    float64="float64",
    uint64="uint64",
    Array=ArrayType,
    Type=object,
    Function=lambda template: template,
)


def is_jitted(function: object) -> bool:
    """Whether this is a rule that may run compiled."""
    return isinstance(function, Dispatcher) and libraries.in_use()


class AbstractTemplate:
    """How a call is typed, which nothing asks here."""


def infer_global(*_: object) -> None:
    """Nothing is to be done."""


def dumps(_: object) -> bytes:
    """Nothing: no machine code is kept."""
    return b""


def overload(_: object, **__: object) -> Callable[[T], T]:
    """A decorator without effect."""
    return lambda function: function


class _Registry:
    def register(self, _: object) -> Callable[[T], T]:
        """A decorator without effect."""
        return lambda function: function


typeof_impl = _Registry()


def from_dtype(layout: dtype) -> dtype:
    """The layout itself."""
    return layout


as_dtype = from_dtype


class FunctionIdentity:
    """Nothing: a class that Numba has."""


class UserProvidedCacheLocator:
    """Nothing: a class that Numba has."""
