"""Every example in a docstring is run as it stands, with few games; or it is no code and says so here."""

import ast
import re
from functools import cache
from importlib.util import find_spec

import pytest

from tests.test_structure import modules

pytestmark = pytest.mark.xdist_group("sources")

NO_CODE = {  # formats, file layouts and sketches, by the module they stand in
    "diablerie.art.devil": "calls beside what they draw",
    "diablerie.client": "needs a server: tests/client plays whole games",
    "diablerie.engine.compile_notice": "the line that is told",
    "diablerie.engine.files": "the lines of a match file",
    "diablerie.engine.lesson": "a sketch of a lesson",
    "diablerie.table.authority": "names of commands",
    "diablerie.table.cluster": "a list of modules",
    "diablerie.table.commands.command": "which decorator makes which command",
    "diablerie.table.presence.hub": "a sketch of a stream",
    "diablerie.table.state.nonce_exchange": "a list of phases",
    "diablerie.testing": "the two lines of a test module: examples/coasters has them",
    "diablerie.web.frames.patch": "what a patch looks like",
}
BEFORE = {  # what an example takes as given
    "diablerie.engine.match": "from diablerie.engine.match import Match\n"
    "from diablerie.games import ALL\nGAME = ALL['coals']",
    "diablerie.engine.record": "from typing import Annotated\n"
    "from diablerie.engine.record import Grid, Record, Row, i8, i32, record",
    "diablerie.envs.batch": "import diablerie",
    "diablerie.envs.open_spiel": "import pyspiel, diablerie.envs.open_spiel",
}
NEEDS = {
    "diablerie.envs.gymnasium": "gymnasium",
    "diablerie.envs.open_spiel": "pyspiel",
    "diablerie.envs.pettingzoo": "pettingzoo",
    "diablerie.lab.dataset": "pyarrow",
}


def example(docstring: str) -> str:
    """The indented lines of a docstring, without their indentation."""
    lines = [line for line in docstring.splitlines() if line.startswith("    ")]
    return "\n".join(line[4:] for line in lines)


def documented(tree: ast.Module) -> list[ast.Module | ast.ClassDef | ast.FunctionDef]:
    """A module, its classes and functions, and what is defined in those."""
    found, queue = [], [tree]
    while queue:
        found.append(node := queue.pop())
        kinds = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
        queue += [child for child in node.body if isinstance(child, kinds)][::-1]
    return found


@cache
def examples() -> dict[str, str]:
    """All examples, by module; with a number where a module has several."""
    found = {}
    for name, tree in modules().items():
        blocks = [
            text for node in documented(tree) if (text := example(ast.get_docstring(node) or ""))
        ]
        found.update({name if len(blocks) == 1 else f"{name} {k}": b for k, b in enumerate(blocks)})
    assert len(found) > 15
    return found


def test_what_is_no_code_is_still_there():
    assert NO_CODE.keys() <= examples().keys()


@pytest.mark.ci
def test_every_example_runs(tmp_path, monkeypatch):
    """One test for all: to find the examples before any test runs takes seconds in each worker."""
    monkeypatch.chdir(tmp_path)  # some write files
    for name in sorted(examples().keys() - NO_CODE.keys()):
        if name in NEEDS and not find_spec(NEEDS[name]):
            continue
        code = re.sub(r"\b(games|generations)=[\d_]+", r"\1=2", examples()[name])
        code = re.sub(r"\bworkers=\d+", "workers=1", code)
        code = re.sub(r"\bdecisions=[\d_]+", "decisions=2000", code)
        assert code.strip()
        try:
            exec(compile(f"{BEFORE.get(name, '')}\n{code}", name, "exec"), {})
        except Exception as error:
            error.add_note(f"in the example of {name}")
            raise
