"""How the code is laid out: names that occur once, imports without cycles, documents that are true."""

import ast
import re
import sys
import tokenize
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from importlib import import_module
from importlib.metadata import packages_distributions
from itertools import chain
from pathlib import Path

import pytest

pytestmark = pytest.mark.xdist_group("sources")
ROOT = Path(__file__).parent.parent
SOURCES = (ROOT / "src", ROOT / "plugins" / "exact" / "src")
DOCUMENTS = sorted(
    p
    for p in [
        *ROOT.glob("*.md"),
        *(ROOT / "docs").rglob("*.md"),
        *ROOT.glob("examples/*/README.md"),
        *ROOT.glob("plugins/*/README.md"),
    ]
    if p.name != "CHANGELOG.md"  # it tells of what was
)
MOST_REPEATED = 0.04  # share of the public names that may occur in more than one module

# Files that mean the same in each room that has them, or what they stand for.
SHARED_FILES = {
    "__init__", "__main__", "arrays", "buffers", "chat", "cli", "config", "decisions", "errors",
    "groups", "history", "matches", "metrics", "notation", "positions", "preferences", "replay", "report",
    "requests", "seats", "settings", "study",
}  # fmt: skip


@cache
def modules() -> dict[str, ast.Module]:
    """Every module of the packages by its dotted name, parsed."""
    found = {}
    for home in SOURCES:
        for path in home.rglob("*.py"):
            parts = path.relative_to(home).with_suffix("").parts
            name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
            found[name] = ast.parse(path.read_text("utf-8"))
    assert len(found) > 300
    return found


def imports(name: str, types: bool) -> set[str]:
    """The modules of ours that a module imports, in functions too; `types`: also for type checks."""
    found: set[str] = set()

    def look(node: ast.AST) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.If) and "TYPE_CHECKING" in ast.dump(child.test) and not types:
                continue
            if isinstance(child, ast.ImportFrom) and child.module:
                for alias in child.names:
                    whole = f"{child.module}.{alias.name}"
                    found.add(whole if whole in modules() else child.module)
            elif isinstance(child, ast.Import):
                found.update(alias.name for alias in child.names)
            look(child)

    look(modules()[name])
    return {other for other in found if other in modules() and other != name}


def test_public_names_occur_in_one_module():
    where = defaultdict(set)
    for name, tree in modules().items():
        if ".games." in name or ".versions." in name:
            continue
        for node in tree.body:
            kinds = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
            if isinstance(node, kinds) and not node.name.startswith("_"):
                where[node.name].add(name)
    repeated = {name: sorted(there) for name, there in where.items() if len(there) > 1}
    assert len(repeated) / len(where) <= MOST_REPEATED, repeated


def test_a_file_name_means_one_thing():
    rooms = defaultdict(set)
    for path in (ROOT / "src" / "diablerie").rglob("*.py"):
        if not {"games", "versions"} & set(path.parts):
            rooms[path.stem].add(path.parent)
    assert {name for name, there in rooms.items() if len(there) > 1} == SHARED_FILES


def test_no_module_imports_itself_by_way_of_others():
    try:
        TopologicalSorter({name: imports(name, types=False) for name in modules()}).prepare()
    except CycleError as error:
        pytest.fail(f"an import cycle: {' → '.join(error.args[1])}")


def test_no_package_imports_itself_by_way_of_others_not_even_for_types():
    siblings: dict[str, defaultdict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for name in modules():
        for other in imports(name, types=True):
            ours, theirs = name.split("."), other.split(".")
            shared = next(
                (k for k, (a, b) in enumerate(zip(ours, theirs, strict=False)) if a != b), 0
            )
            if shared and (len(ours) > shared + 1 or len(theirs) > shared + 1):
                siblings[".".join(ours[:shared])][ours[shared]].add(theirs[shared])
    assert len(siblings) > 5
    for package, graph in siblings.items():
        try:
            TopologicalSorter(graph).prepare()
        except CycleError as error:
            pytest.fail(f"a cycle of packages in {package}: {' → '.join(error.args[1])}")


# -- size ----------------------------------------------------------------------------------------

# Tokens of Python: names, operators, numbers and strings but docstrings, as Python 3.11 reads them.
# Lines of scripts, sheets and templates in src. Lines of src with the word Any, but for imports.
# Whoever makes one of them less lowers the budget, too; nobody raises one. They hold what the podium,
# the calm board, copies, the open inputs and friends without a server were allowed to add.
BUDGETS = {"src": 421_300, "product": 451_000, "tests": 481_200, "front": 11_800, "any": 466}
