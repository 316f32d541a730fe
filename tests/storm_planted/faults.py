"""The planted faults, and how one is planted: in the source text of a module, when it is imported.

No file of the product is changed, so compiled rules stay valid and tracebacks name the real files.
"""

import importlib.abc
import importlib.machinery
import importlib.util
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

import diablerie

SOURCES = Path(str(diablerie.__file__)).parent
LIST = Path(__file__).with_name("faults.toml")


class Fault(NamedTuple):
    """A mistake in one file of the product: `new` stands where `old` should; `wrong` says what for."""

    name: str
    kind: str  # easy, middling or hard
    file: str  # in src/diablerie
    old: str
    new: str
    wrong: str

    @property
    def module(self) -> str:
        """The dotted name of the module."""
        return "diablerie." + self.file.removesuffix(".py").replace("/", ".")

    def planted(self, text: str) -> str:
        """The source text of the file with the fault. Raises ValueError if its place is not there."""
        if text.count(self.old) != 1:
            raise ValueError(
                f"{self.name}: `old` stands {text.count(self.old)} times in {self.file}"
            )
        return text.replace(self.old, self.new)


def all_faults() -> list[Fault]:
    """The faults, in the order of the file."""
    return [Fault(**one) for one in tomllib.loads(LIST.read_text("utf-8"))["fault"]]


class _Loader(importlib.machinery.SourceFileLoader):
    """Loads the module of a fault with the fault in it, and never from compiled bytecode."""

    fault: Fault

    def get_code(self, fullname: str) -> object:  # type: ignore[override]
        text = self.fault.planted(Path(self.path).read_text("utf-8"))
        return compile(text, self.path, "exec", dont_inherit=True)


class _Finder(importlib.abc.MetaPathFinder):
    def __init__(self, fault: Fault) -> None:
        self._fault = fault

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname != self._fault.module:
            return None
        file = str(SOURCES / self._fault.file)
        loader = _Loader(fullname, file)
        loader.fault = self._fault
        return importlib.util.spec_from_file_location(fullname, file, loader=loader)


def plant(fault: Fault) -> None:
    """Have this process import the product with the fault. Raises RuntimeError if it is too late."""
    if fault.module in sys.modules:
        raise RuntimeError(f"{fault.module} was imported already")
    sys.meta_path.insert(0, _Finder(fault))
