"""Read by every Python that starts with this folder on its path: imports a module with a mistake.

`DIABLERIE_MUTANT` says which: a JSON list of the file, as from the root, and the mistake's number.
"""

import json
import os
import sys
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import CodeType, ModuleType

ASKED = os.environ.get("DIABLERIE_MUTANT")


class Mistaken(SourceFileLoader):
    """Loads a module as it would be with the mistake; the file stays as it is."""

    def get_code(self, fullname: str) -> CodeType:
        """The module's code, compiled anew."""
        from tools.mutants import python
        from tools.mutants.sampling import manner

        path, number = json.loads(ASKED or "")
        source = self.get_data(self.path).decode("utf-8")
        _, tree = python.changed(source, number, *manner(path, source))
        return compile(tree, self.path, "exec")


class Finder(MetaPathFinder):
    """Finds the one module; all others are found as ever."""

    def __init__(self, name: str) -> None:
        self.name = name

    def find_spec(
        self, fullname: str, path: object = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Its place, with the other loader."""
        if fullname != self.name:
            return None
        spec = PathFinder.find_spec(fullname, path)  # type: ignore[arg-type]
        if spec and spec.origin:
            spec.loader = Mistaken(fullname, spec.origin)
        return spec


if ASKED:
    from tools.mutants.places import module_of

    sys.meta_path.insert(0, Finder(module_of(json.loads(ASKED)[0])))
