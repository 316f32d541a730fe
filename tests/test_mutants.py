"""The mutation driver's own parts: what it draws, and what it makes of results."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def test_nothing_begins_after_the_time_is_over(tmp_path: Path) -> None:
    (tmp_path / "test_two.py").write_text(
        "def test_one():\n    sum(range(3_000_000))\n\n\ndef test_two():\n    raise ValueError\n"
    )
    command = [sys.executable, "-m", "pytest", "-q", "-p", "tools.time_budget", str(tmp_path)]
    for budget, status in (("0.001", 0), ("1000", 1)):
        env = {"PYTHONPATH": str(ROOT), "TIME_BUDGET": budget, "PATH": ""}
        done = subprocess.run(command, cwd=tmp_path, env=env, check=False, capture_output=True)
        assert done.returncode == status, done.stdout


def test_mistakes_are_drawn_by_line_and_never_in_an_annotation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mutants = pytest.importorskip("tools.mutants")
    monkeypatch.chdir(tmp_path)
    Path("one.py").write_text("def f(a: int | None, b: int = 2) -> str | None:\n    return a < b\n")
    found = mutants.mistakes("one.py")
    assert {spec.operator_name for spec in found[1]} == {"core/NumberReplacer"}
    assert "core/ReplaceComparisonOperator_Lt_LtE" in {spec.operator_name for spec in found[2]}
    assert not any(spec.operator_name.endswith("Lt_Is") for spec in found[2])


def test_a_timeout_does_not_count_as_killed() -> None:
    mutants = pytest.importorskip("tools.mutants")
    one = {"package": "lab", "path": "a.py", "line": 3, "kind": "core/AddNot", "changed": ["- x"]}
    outcomes = ["killed"] * 8 + ["timeout", "survived"]
    told = mutants.report([one | {"outcome": outcome} for outcome in outcomes])
    assert "| lab | 10 | 8 | 1 | 1 | 80% | 49% to 94% |" in told
    assert told.count("a.py:3") == 2
