"""The folders that mutants come from, each with its tests, and what is left out of them."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
HOUSE = "src/diablerie"


@dataclass(frozen=True)
class Place:
    """A folder: its name, its files, the tests it answers to, and its share of the sample."""

    name: str
    files: tuple[str, ...]
    tests: tuple[str, ...]
    share: int

    @property
    def scripted(self) -> bool:
        """Whether it holds the page's script, and not Python."""
        return self.files[0].endswith(".js")


def _views(game: str) -> Place:
    room = f"{HOUSE}/games/{game}/ui"
    of_all = ("contract", "golden", "messages", "refusals", "pictures")
    shared = tuple(f"tests/test_{one}.py" for one in of_all)
    return Place(f"{game}/ui", (f"{room}/**/*.py",), (f"tests/games/{game}", *shared), 14)


PLACES = (
    Place("engine", (f"{HOUSE}/engine/**/*.py",), ("tests/test_*.py",), 50),
    Place("bots", (f"{HOUSE}/bots/**/*.py",), ("tests/bots",), 40),
    Place("lab", (f"{HOUSE}/lab/**/*.py",), ("tests/lab",), 65),
    Place("table", (f"{HOUSE}/table/**/*.py",), ("tests/table",), 80),
    Place("web", (f"{HOUSE}/web/**/*.py",), ("tests/web", "tests/api"), 80),
    Place("script", (f"{HOUSE}/web/static/*.js",), ("tests/browser",), 60),
    *(_views(game) for game in ("coals", "tails", "underworld", "kitchen")),
)

# Changed by nobody any more, or run by hand alone.
LEFT_OUT = ("table/storage/migrations/versions/", "lab/cli.py")


def files_of(place: Place, root: Path = ROOT) -> Iterator[str]:
    """The files that its mutants come from, in order, named as from the root."""
    for pattern in place.files:
        for path in sorted(root.glob(pattern)):
            name = path.relative_to(root).as_posix()
            if not any(part in name for part in LEFT_OUT):
                yield name


def answering(place: Place, root: Path = ROOT) -> list[str]:
    """The test files and folders, named as from the root."""
    found = (sorted(root.glob(pattern)) for pattern in place.tests)
    return [path.relative_to(root).as_posix() for paths in found for path in paths]


def module_of(path: str) -> str:
    """The name under which a file of the house is imported."""
    parts = Path(path).relative_to("src").with_suffix("").parts
    return ".".join(part for part in parts if part != "__init__")


COMPILED = {"rule", "inlined", "njit", "overload", "jit", "vectorize", "register_jitable"}


def is_compiled(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether Numba makes machine code of it: changing that would take minutes a mutant."""
    names = {
        part
        for one in function.decorator_list
        for part in ast.unparse(one).split("(")[0].split(".")
    }
    return bool(names & COMPILED)


def holds_compiled(source: str) -> bool:
    """Whether compiled code is made from a file's own functions: its constants are frozen then."""
    return any(
        is_compiled(node)
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    )
