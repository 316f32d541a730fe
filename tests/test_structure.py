"""How the code is laid out: names that occur once, imports without cycles, documents that are true."""

import ast
import re
from collections import defaultdict
from functools import cache
from graphlib import CycleError, TopologicalSorter
from importlib import import_module
from pathlib import Path

import pytest

pytestmark = pytest.mark.xdist_group("sources")
ROOT = Path(__file__).parent.parent
SRC = ROOT / "src"
DOCUMENTS = sorted(
    p
    for p in [
        *ROOT.glob("*.md"),
        *(ROOT / "docs").rglob("*.md"),
        *ROOT.glob("examples/*/README.md"),
    ]
    if p.name != "CHANGELOG.md"  # it tells of what was
)
MOST_REPEATED = 0.06  # share of the public names that may occur in more than one module

# A command keeps one name in the page's route, the API, the client and the table.
COMMANDS = {
    "chat", "decide", "export", "games", "join", "leave", "look", "open_table", "perft", "rematch",
    "serve", "share", "sit", "start", "verify", "walk",
}  # fmt: skip


@cache
def modules() -> dict[str, ast.Module]:
    """Every module of the package by its dotted name, parsed."""
    found = {}
    for path in (SRC / "diablerie").rglob("*.py"):
        parts = path.relative_to(SRC).with_suffix("").parts
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
    share = len(repeated.keys() - COMMANDS) / len(where)
    assert share <= MOST_REPEATED, repeated
    assert repeated.keys() >= COMMANDS, COMMANDS - repeated.keys()  # no name is listed in vain


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


# -- documents ---------------------------------------------------------------------------------

QUOTED = re.compile(r"`([^`\n]+)`")
PATH = re.compile(r"[\w.-]*[a-z][\w.-]*/(?:[\w.-]+/)*(?:[\w-]+\.(?:py|js|css|html|md|po))?")
HOMES = (
    "",
    "src/diablerie",
    "src/diablerie/web",
    "src/diablerie/web/templates",
    "src/diablerie/games/*",
    "tests",
)  # where a path in a document begins
DOTTED = re.compile(r"diablerie(?:\.\w+)+")


def quoted(text: str) -> list[str]:
    """What stands in backticks outside of blocks of code."""
    return QUOTED.findall(re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE))


def exists(dotted: str) -> bool:
    """Whether a dotted name is a module of ours, or can be reached from one by attributes."""
    parts = dotted.split(".")
    for cut in range(len(parts), 0, -1):
        if (name := ".".join(parts[:cut])) in modules():
            thing: object = import_module(name)
            for attribute in parts[cut:]:
                if not hasattr(thing, attribute):
                    return False
                thing = getattr(thing, attribute)
            return True
    return False


def there(path: str) -> bool:
    """Whether a path leads to something in one of HOMES; words in capitals stand for any name."""
    pattern = re.sub(r"\b[A-Z]{2,}\b", "*", path)
    return any(any(ROOT.glob(f"{home}/{pattern}".strip("/"))) for home in HOMES)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda p: p.name)
def test_every_path_and_name_in_a_document_exists(document):
    for words in quoted(document.read_text("utf-8")):
        if PATH.fullmatch(words):
            assert there(words), words
        elif DOTTED.fullmatch(words):
            assert exists(words), words


def test_every_name_in_a_docstring_exists():
    tried = 0
    for module, tree in modules().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                for words in quoted(ast.get_docstring(node) or ""):
                    if DOTTED.fullmatch(words):
                        assert exists(words), (module, words)
                        tried += 1
                    elif PATH.fullmatch(words):
                        assert there(words), (module, words)
                        tried += 1
    assert tried > 10
