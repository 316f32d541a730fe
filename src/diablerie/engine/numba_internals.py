"""What diablerie takes of Numba and llvmlite that they do not document: all of it, nothing else.

`NUMBA_NAMES` names each such part. pyproject.toml has an upper bound on Numba's version; whoever raises
it runs tests/test_numba_internals.py, which names what the new version lacks.
"""

import itertools
import os
import pickle
import secrets
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from numba import types
from numba.core.bytecode import FunctionIdentity
from numba.core.caching import UserProvidedCacheLocator
from numba.core.dispatcher import Dispatcher
from numba.core.registry import CPUDispatcher as CPUDispatcher
from numba.core.typing.templates import AbstractTemplate, infer_global

from diablerie.engine.sources import roots

NUMBA_NAMES = (
    "numba.core.bytecode.FunctionIdentity._unique_ids",
    "numba.core.caching.UserProvidedCacheLocator.get_suitable_cache_subpath",
    "numba.core.caching.UserProvidedCacheLocator.ensure_cache_path",
    "numba.core.caching.IndexDataCacheFile",
    "numba.core.serialize.dumps",
    "numba.core.compiler_lock.global_compiler_lock",
    "llvmlite.binding.ffi.lib._lock",
    "numba.core.dispatcher.Dispatcher.typeof_pyval",
    "numba.core.dispatcher.Dispatcher.get_call_template",
    "numba.core.registry.CPUDispatcher",
    "numba.core.options.TargetOptions",
    "numba.core.typing.templates.AbstractTemplate",
    "numba.core.typing.templates.infer_global",
    "numba.core.funcdesc.FunctionDescriptor.llvm_func_name",
    "numba.core.codegen.CodeLibrary.get_llvm_str",
)

# No references are counted (`_nrt`), since nothing is allocated: to count those of arrays that are
# handed from rule to rule took as long as the rules, and most of the compiling. Arrays belong to
# whoever calls from Python; a rule that makes one is refused by Numba. Nobody calls rules through
# C's convention, and the wrapper for that was an eighth of compiling.
OPTIONS = {"cache": True, "nogil": True, "_nrt": False, "no_cfunc_wrapper": True}

_writable: set[str] = set()  # folders of code


class ByModule(UserProvidedCacheLocator):  # type: ignore[misc]
    """Keeps a module's code under the module's name, wherever the package lies on this machine.

    Numba's own locator takes the path instead, so that every checkout would compile anew.
    """

    @classmethod
    @cache
    def get_suitable_cache_subpath(cls, py_file: str) -> str:
        """The folder of a file's code, inside `cache_folder`."""
        folder = Path(py_file).resolve().parent
        for name, root in roots().items():
            if folder.is_relative_to(root):
                return ".".join([name, *folder.relative_to(root).parts])
        return str(super().get_suitable_cache_subpath(py_file))

    def ensure_cache_path(self) -> None:
        """Make the folder and try to write there: once, and not for each function as Numba does."""
        if self._cache_path not in _writable:
            super().ensure_cache_path()
            _writable.add(self._cache_path)


def number_functions() -> None:
    """Have Numba number functions from a random start, in each process and fork another.

    It counts from 1, and symbols of machine code differ by these numbers alone where names and
    signatures agree. Code of two processes, met again from the cache in a third, then had symbols
    in common, and one game ran the code of another.
    """
    FunctionIdentity._unique_ids = itertools.count(secrets.randbits(48))


number_functions()
try:
    from llvmlite.binding.ffi import lib
    from numba.core import caching
    from numba.core.compiler_lock import global_compiler_lock

    from diablerie.engine.code_files import CodeFiles
except ImportError:  # in a browser, where nothing is compiled and nothing forks
    pass
else:
    caching.IndexDataCacheFile = CodeFiles

    def hold_compiler() -> None:
        """Wait until no thread compiles: a forked child would wait for it, and does not have it."""
        global_compiler_lock.acquire()
        lib._lock.__enter__()

    def release_compiler() -> None:
        """Let threads compile again."""
        lib._lock.__exit__()
        global_compiler_lock.release()

    os.register_at_fork(before=hold_compiler, after_in_parent=release_compiler)
    os.register_at_fork(after_in_child=release_compiler)
    os.register_at_fork(after_in_child=number_functions)


def type_quickly(kind: type, type_of: Callable[[Any], types.Type]) -> None:
    """Spare Numba's search for an argument's type where it is of this kind; it takes 4 µs."""
    typeof = Dispatcher.typeof_pyval

    def typeof_pyval(self: Any, value: Any) -> types.Type:
        return type_of(type(value)) if isinstance(value, kind) else typeof(self, value)

    Dispatcher.typeof_pyval = typeof_pyval  # type: ignore[method-assign, assignment]


def call_instead(verb: Callable[..., Any], find: Callable[[types.Type], Any]) -> None:
    """Have compiled callers of `verb` call the rule that `find` has for its first argument's type.

    An `overload` would put a function between the two, and LLVM would optimise once more all that
    the rule calls, for each caller: a tenth of compiling.
    """

    class Picking(AbstractTemplate):  # type: ignore[misc]
        key = verb
        picked: ClassVar[dict[Any, Any]] = {}

        def generic(self, args: Any, kws: Any) -> Any:
            dispatcher = self.context.resolve_value_type(find(args[0]))
            signature = dispatcher.get_call_type(self.context, args, kws)
            self.picked[signature.args] = dispatcher.get_impl_key(signature)
            return signature

        def get_impl_key(self, signature: Any) -> Any:
            return self.picked[signature.args]

    infer_global(verb, types.Function(Picking))


def base_of_code(rule: Any) -> Path:
    """The `CodeFiles.base` of a rule."""
    return rule._cache._cache_file.base  # type: ignore[no-any-return]


def signature_of_code(content: bytes) -> tuple[Any, ...]:
    """The types of arguments that code is for, of what a file of `CodeFiles` holds."""
    _, key, _ = pickle.loads(content)
    return tuple(key[0])


class Lowered(NamedTuple):
    """A compiled function for LLVM: its symbol, its module's IR, and Numba's types."""

    symbol: str
    ir: str
    arguments: tuple[Any, ...]
    returns: Any


def lowered(rule: Any, signature: tuple[Any, ...]) -> Lowered:
    """A rule as it was compiled for a signature, in this process: the cache has no IR."""
    result = rule.overloads[signature]
    about = result.fndesc
    return Lowered(
        about.llvm_func_name, result.library.get_llvm_str(), about.argtypes, about.restype
    )
