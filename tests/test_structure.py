"""How the code is laid out: names that occur once, imports without cycles, documents that are true."""

import ast
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from importlib import import_module
from importlib.metadata import packages_distributions
from itertools import chain
from pathlib import Path

import pytest

from diablerie.engine.sources import sources

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
    "__init__", "__main__", "buffers", "cli", "decisions", "errors", "groups", "history",
    "matches", "metrics", "preferences", "replay", "report", "settings",
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


@cache
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


def test_a_constant_says_of_what():
    """So no two modules have one of the same name, but for the rooms of games."""
    where = defaultdict(set)
    for name, tree in modules().items():
        if ".games." in name or ".versions." in name:
            continue
        for node in tree.body:
            targets = (
                node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", node)]
            )
            named = {one.id for one in targets if isinstance(one, ast.Name)}
            for constant in filter(str.isupper, named):
                if len(constant) > 1:  # else a type variable
                    where[constant].add(name)
    assert len(where) > 600
    assert not {name: sorted(there) for name, there in where.items() if len(there) > 1}


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


# -- lines -------------------------------------------------------------------------------------

MOST_PARALLEL = 1 / 1000  # assignments of several values to several names, to a line
SUITES = ("body", "orelse", "finalbody")


def parallel(tree: ast.AST) -> Iterator[int]:
    """The lines of assignments of several displayed values at once; swaps count, too."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Assign) or not isinstance(node.value, ast.Tuple):
            continue
        if any(isinstance(target, ast.Tuple) for target in node.targets):
            yield node.lineno


def crowded(tree: ast.AST) -> Iterator[int]:
    """The lines on which a statement begins beside another one, or beside its own header."""
    for node in ast.walk(tree):
        header = getattr(node, "lineno", 0)
        for suite in SUITES:
            statements = getattr(node, suite, None)
            last = header
            for statement in statements if isinstance(statements, list) else ():
                # A decorated function begins with its decorator; `...` is the whole body of a stub.
                first = min(
                    [
                        statement.lineno,
                        *(d.lineno for d in getattr(statement, "decorator_list", ())),
                    ]
                )
                if first <= last and not stub(statement):
                    yield first
                last = statement.end_lineno


def stub(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def conditions_in_conditions(tree: ast.AST) -> Iterator[int]:
    """The lines of `a if b else c if d else e`: a reader stops there, an `if` is read on."""
    for node in ast.walk(tree):
        if isinstance(node, ast.IfExp):
            inside = (node.test, node.body, node.orelse)
            if any(isinstance(one, ast.IfExp) for one in inside):
                yield node.lineno


def test_crowded_lines_and_parallel_assignments_are_found():
    text = "a, b = c, d\na, b = pair\ne = 1; f = 2\nif e: f = 3\nif f:\n    e = 4\ndef g(): ...\n"
    assert list(parallel(ast.parse(text))) == [1]
    assert sorted(crowded(ast.parse(text))) == [3, 4]


def test_no_condition_stands_in_a_condition():
    """Outside what is compiled: a changed module there compiles every game anew."""
    text = "a = b if c else d\na = b if c else (d if e else f)\n"
    assert list(conditions_in_conditions(ast.parse(text))) == [2]
    compiled = dict(sources())
    found = [
        f"{name}:{line}"
        for name, tree in modules().items()
        if name not in compiled
        for line in conditions_in_conditions(tree)
    ]
    assert found == []


def test_a_line_holds_one_statement_and_hardly_ever_two_assignments():
    pairs, lines, two = [], 0, []
    for name, tree in modules().items():
        lines += tree.body[-1].end_lineno or 0 if tree.body else 0
        pairs += [f"{name}:{line}" for line in parallel(tree)]
        two += [f"{name}:{line}" for line in crowded(tree)]
    assert lines > 10_000
    assert two == []
    assert len(pairs) <= lines * MOST_PARALLEL, pairs


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
DOTTED = re.compile(r"diablerie(?:_exact)?(?:\.\w+)+")


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


def docstrings(tree: ast.Module) -> Iterator[str]:
    kinds = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
    for node in ast.walk(tree):
        if isinstance(node, kinds):
            yield ast.get_docstring(node) or ""


def test_every_name_in_a_docstring_exists():
    tried = 0
    for module, tree in modules().items():
        for words in chain.from_iterable(map(quoted, docstrings(tree))):
            if DOTTED.fullmatch(words):
                assert exists(words), (module, words)
                tried += 1
            elif PATH.fullmatch(words):
                assert there(words), (module, words)
                tried += 1
    assert tried > 10


SHORT = re.compile(r"(?<![\w./:-])[a-z_]\w*(?:\.\w+)+(?![\w/:-]|\.\w)")  # such as `plies.PlyKind`
# checked above; a room of each game; no part of the package; not installed
ELSEWHERE = {"diablerie", "ui", "tools", "torch", "cupy"}
FILES = re.compile(r"\.(?:c|css|html|m?js|json|jsonl|md|npz|po|py|svg|toml|txt)$")


def test_every_short_dotted_name_in_a_docstring_exists():
    """Such a name begins with a module of ours; in backticks also with what its module speaks of."""
    tried, wrong = 0, []
    for module, tree in modules().items():
        known = spoken_of(tree)
        for text in (re.sub("(?m)^    .*", "", one) for one in docstrings(tree)):
            marked = [one for words in quoted(text) for one in SHORT.findall(words)]
            for dotted in {*SHORT.findall(text), *marked}:
                first = dotted.partition(".")[0]
                if FILES.search(dotted) or first in known or first in packages() | ELSEWHERE:
                    continue
                homes = [name for name in modules() if name.endswith(f".{first}")]
                if homes or dotted in marked:
                    places = [f"{home.removesuffix(first)}{dotted}" for home in homes]
                    tried += 1
                    if not any(map(exists, places)):
                        wrong.append((module, dotted))
    assert wrong == []
    assert tried > 10


def spoken_of(tree: ast.Module) -> set[str]:
    """The names, arguments and attributes in the code of a module."""
    found = set()
    for node in ast.walk(tree):
        for field in ("id", "arg", "attr"):
            if isinstance(word := getattr(node, field, None), str):
                found.add(word)
    return found


@cache
def packages() -> set[str]:
    """The names of all packages that could be imported, ours left out."""
    return {*sys.stdlib_module_names, *packages_distributions()} - {"diablerie"}
