"""The compiled rules of the games, called through ctypes: each game is one library in a folder.

`rules.json` in that folder names the file of each game by its class of states. In a browser the
libraries are WebAssembly modules, elsewhere what the system links. `diablerie.site.modules` says
how their functions are called.
"""

from __future__ import annotations

import ctypes
import json
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from struct import Struct
from typing import Any

from diablerie.site.browser.arrays import ndarray, record
from diablerie.site.browser.layouts import dtype

# what a rule that is called with a block returns, else nothing
_INTEGER = 1
_FLOAT = 2
_read_integer = Struct("=q")
_read_float = Struct("=d")
_folder: list[Path] = []  # one, once it is known


def use(folder: Path) -> None:
    """Take the libraries from this folder from now on."""
    _folder[:] = [folder]
    for remembered in (_index, _library, _function):
        remembered.cache_clear()


def in_use() -> bool:
    """Whether there is a folder of libraries."""
    return bool(_folder)


@cache
def _index() -> dict[str, str]:
    if not _folder:
        return {}
    index: dict[str, str] = json.loads((_folder[0] / "rules.json").read_text("utf-8"))
    return index


@cache
def _library(file: str) -> ctypes.CDLL:
    return ctypes.CDLL(str(_folder[0] / file))


def library_of(layout: dtype) -> ctypes.CDLL | None:
    """The library of the game whose states have this layout; None if there is none."""
    file = _file_of(layout)
    return _library(file) if file else None


def _file_of(layout: dtype) -> str | None:
    """The file of that library. A state's last field names its class: see `engine.record`."""
    return _index().get(next(reversed(layout.fields)) if layout.fields else "")


@cache
def _function(file: str, name: str, arguments: int) -> Callable[..., int]:
    function = _library(file)[name]
    function.argtypes = (ctypes.c_void_p,) * arguments
    return function


def verb(name: str, layout: dtype, rest: int) -> Callable[..., int] | None:
    """A verb of a game, which takes an array of one state and `rest` numbers or arrays."""
    file = _file_of(layout)
    if file is None:
        return None
    # looked up in each call, since `use` may have changed the libraries
    asked = (file, name, 1 + rest)
    if rest == 0:
        return lambda state: _function(*asked)(state.address)
    if rest == 1:
        return lambda state, x: _function(*asked)(state.address, _plain(x))
    return lambda state, x, y: _function(*asked)(state.address, _plain(x), _plain(y))


def _plain(argument: ndarray | int) -> int:
    return argument.address if isinstance(argument, ndarray) else int(argument)


def block_rule(name: str, arguments: tuple[object, ...]) -> Callable[..., int] | None:
    """The rule of this name in the library that fits these arguments; None if none has it."""
    library = next(filter(None, map(library_of, _layouts(arguments))), None)
    if library is None:
        if not all(isinstance(one, ndarray | record | tuple | int | float) for one in arguments):
            return None
        file = next(iter(_index().values()), None)
        library = _library(file) if file else None
    return getattr(library, name, None) if library else None


def _layouts(arguments: tuple[object, ...]) -> Iterator[dtype]:
    for argument in arguments:
        if isinstance(argument, tuple):
            yield from _layouts(argument)
        elif isinstance(argument, ndarray | record):
            yield argument.dtype


def call(function: Callable[..., int], arguments: tuple[object, ...]) -> Any:
    """Call a rule with a block of slots, and return its result."""
    data = bytearray(8) + b"".join(_slots(arguments))
    kind = function(ctypes.c_void_p(ctypes.addressof(ctypes.c_char.from_buffer(data))))
    if kind == _INTEGER:
        return _read_integer.unpack_from(data)[0]
    return _read_float.unpack_from(data)[0] if kind == _FLOAT else None


def _slots(arguments: tuple[object, ...]) -> Iterator[bytes]:
    for x in arguments:
        if isinstance(x, ndarray):
            numbers = (x.size, x.dtype.itemsize, x.address, *x.shape, *x.strides)
            yield Struct(f"={len(numbers)}q").pack(*numbers)
        elif isinstance(x, tuple):
            yield from _slots(x)
        elif isinstance(x, record):
            yield _read_integer.pack(x.address)
        elif isinstance(x, float):
            yield _read_float.pack(x)
        else:
            yield _read_integer.pack(x)
