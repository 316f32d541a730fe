"""The mutation driver's own parts: what it draws, and what it makes of results."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def test_a_sample_is_the_same_for_a_seed_and_leaves_out_what_is_as_good(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mutants = pytest.importorskip("tools.mutants")
    monkeypatch.chdir(tmp_path)
    path = Path("src/diablerie/lab/one.py")
    path.parent.mkdir(parents=True)
    path.write_text("def f(a: int | None, b: int = 2) -> bool:\n    return a < b and b < 3\n")

    def sample(seed: str, name: str) -> list[tuple[str, int]]:
        session = mutants.WorkDB(name, mutants.WorkDB.Mode.create)
        mutants.drawn(session, seed, 6)
        left = [item.mutations[0] for item in session.pending_work_items]
        return sorted((one.operator_name, one.occurrence) for one in left)

    first = sample("1", "a.sqlite")
    assert len(first) == 6
    assert first == sample("1", "b.sqlite") != sample("2", "c.sqlite")
    assert not any(name.endswith("_Is") or "BitOr" in name for name, _ in first)


def test_what_takes_too_long_does_not_count_as_killed() -> None:
    mutants = pytest.importorskip("tools.mutants")
    one = {"package": "lab", "line": "a.py:3 core/AddNot", "diff": "- x"}
    outcomes = ["killed"] * 8 + ["timeout", "survived"]
    told = mutants.report([one | {"outcome": outcome} for outcome in outcomes])
    assert "| lab | 10 | 8 | 1 | 0 | 1 | 80% | 49% to 94% |" in told
    assert told.count("a.py:3") == 2


def test_the_suite_runs_without_pytests_cache() -> None:
    """As a mutant's tests do: an error in a fixture of all tests would leave no test to fail."""
    words = ["-q", "-n0", "-p", "no:cacheprovider", "tests/test_fair.py"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *words], cwd=ROOT, check=False, capture_output=True
    )
    assert done.returncode == 0, done.stdout.decode()
