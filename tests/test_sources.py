"""The compile cache is named by what compiled code is made from, and by nothing else."""

import subprocess
import sys

import pytest

from diablerie.engine import sources
from diablerie.engine.sources import imported

NAMES = {name for name, _ in sources.sources()}


def test_every_module_with_compiled_code_counts():
    for name, path in sources._modules():
        if "@rule" in path.read_text() and ".sources" not in name and ".compile" not in name:
            assert name in NAMES, name


def test_what_compiled_code_takes_constants_from_counts():
    assert "diablerie.games.coals.rules.state" in NAMES
    assert "diablerie.games.tails.rules.state" in NAMES


def test_nothing_that_is_only_looked_at_counts():
    assert not {n for n in NAMES if ".ui" in n or ".web" in n or ".table" in n}


def test_data_counts_where_it_may_be_frozen_and_not_where_it_is_handed_over(tmp_path):
    module = tmp_path / "m.py"
    for path in (module, tmp_path / "table.json", tmp_path / "policy.json"):
        path.write_text("")
    assert [name for name, _ in sources._files([("m", module)])] == ["m", "m/table.json"]
    assert not {n for n in NAMES if n.endswith("policy.json")}


def test_imports_for_type_checks_only_do_not_count(tmp_path):
    module = tmp_path / "m.py"
    module.write_text(
        "from typing import TYPE_CHECKING\n"
        "if TYPE_CHECKING:\n    from pack.game import Game\n"
        "def f():\n    from . import late\n"
    )
    modules = {"pack.m": module, "pack.late": module, "pack.game": module}
    assert imported(modules, "pack.m") == ["typing", "pack.late"]


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("import os.path as p, re", ["os.path", "re"]),
        ("from pack import late as l, nothing  # later", ["pack.late", "pack"]),
        (
            "from pack import (\n    late,  # one, of (two)\n    game,\n)",
            ["pack.late", "pack.game"],
        ),
        ("from pack.late import *", ["pack.late"]),
        ("try:\n    x()\nexcept ImportError:\n    from .game import y", ["pack.game"]),
        ("if typing.TYPE_CHECKING:\n    import a\n\n    import b\nimport c", ["c"]),
    ],
)
def test_imports_are_found_however_they_are_written(line, names, tmp_path):
    module = tmp_path / "m.py"
    module.write_text(line + "\n")
    modules = {"pack.m": module, "pack.late": module, "pack.game": module}
    assert imported(modules, "pack.m") == names


def test_two_processes_give_their_machine_code_different_symbols():
    """Else code of one game, met in the cache, would be run for another's of the same name."""
    program = (
        "import diablerie.engine.numba_internals as n; print(next(n.FunctionIdentity._unique_ids))"
    )
    told = [
        subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
        for _ in range(2)
    ]
    first, second = (int(one.stdout) for one in told)
    assert abs(first - second) > 1_000_000  # far more than a process compiles
