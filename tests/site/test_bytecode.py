"""What a browser gets of a module: all that runs, and nothing that only type checkers read."""

import ast
import importlib.util
from pathlib import Path
from textwrap import dedent
from types import FunctionType

import pytest

from diablerie.site.bytecode import compile_folder, strip

SOURCE = """
from typing import TYPE_CHECKING, NamedTuple, overload
import functools

if TYPE_CHECKING:
    import not_there
elif functools:
    chosen: str = "else"

class Point(NamedTuple):
    x: int
    y: int = 2

@overload
def twice(n: int) -> int: ...
@overload
def twice(n: str) -> str: ...
def twice(n: "not_there.Number", *, times: int = 2) -> "not_there.Number":
    count: int = times
    other: int
    return n * count

@functools.singledispatch
def kind(x: object) -> str:
    return "object"

@kind.register
def _(x: int) -> str:
    return "int"

class Stub:
    if TYPE_CHECKING:
        def unknown(self) -> int: ...
"""


def stripped(source: str) -> str:
    return ast.unparse(strip(ast.parse(dedent(source))))


def test_what_runs_stays():
    room: dict[str, object] = {}
    exec(stripped(SOURCE), room)
    assert eval("Point(1), twice(3), kind(1), kind('a'), chosen", room) == (
        (1, 2),
        6,
        "int",
        "object",
        "else",
    )


def test_what_type_checkers_read_goes():
    left = stripped(SOURCE)
    assert "overload\n" not in left.partition("import functools")[2]
    assert "not_there" not in left
    assert "unknown" not in left
    assert "def twice(n, *, times=2):" in left
    assert "count = times" in left


@pytest.mark.parametrize(
    "kept", ["class A:\n    x: int", "@read\ndef f(x: int):\n    pass", "def f():\n    x: int"]
)
def test_annotations_that_somebody_reads_stay(kept: str):
    assert stripped(kept) == ast.unparse(ast.parse(kept))


def test_a_folder_is_compiled(tmp_path: Path):
    for name in ("a.py", "own/b.py", "api/c.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("def f(x: int) -> int:\n    return x\n")
    compile_folder(tmp_path, ["own/b.py"], ["api"], ["api"])
    left = sorted(p.relative_to(tmp_path).as_posix() for p in tmp_path.rglob("*.py*"))
    assert left == ["a.pyc", "api/c.pyc", "own/b.py"]
    assert function(tmp_path / "a.pyc").__annotations__ == {}
    assert set(function(tmp_path / "api/c.pyc").__annotations__) == {"x", "return"}
    assert lines(tmp_path / "a.pyc") == {None}
    positions = list(function(tmp_path / "a.pyc").__code__.co_positions())
    assert len(positions) == len(function(tmp_path / "a.pyc").__code__.co_code) // 2
    assert 2 in lines(tmp_path / "api/c.pyc")


def lines(compiled: Path) -> set[int | None]:
    return {line for _, _, line in function(compiled).__code__.co_lines()}


def function(compiled: Path) -> FunctionType:
    found = importlib.util.spec_from_file_location("compiled", compiled)
    assert found
    assert found.loader
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    made: FunctionType = module.f
    return made
