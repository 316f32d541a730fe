"""The mutation driver's own parts: what it draws, and what it makes of results."""

import os
import re
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
    Path("one.py").write_text(
        "def f(a: int | None, b: int = 2) -> str | None:\n    return a < b and b < 3\n"
    )
    assert {one.operator for one in mutants.mistakes("one.py", 1)} == {"core/NumberReplacer"}
    specs = [one.spec() for one in mutants.mistakes("one.py", 2)]
    found = {(spec.operator_name, spec.occurrence): spec for spec in specs}
    assert ("core/ReplaceComparisonOperator_Lt_LtE", 1) in found
    assert not any(name.endswith("Lt_Is") for name, _ in found)
    text = Path("one.py").read_text("utf-8")
    two = mutants.operators()["core/ReplaceComparisonOperator_Lt_LtE"]
    assert mutants.mutate_code(text, two, 1).endswith("return a < b and b <= 3\n")
    number = found["core/NumberReplacer", 2]  # those of the first line count, too
    assert (number.start_pos[0], number.module_path) == (2, Path("one.py"))


def test_what_is_no_python_is_no_mutant(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mutants = pytest.importorskip("tools.mutants")
    monkeypatch.chdir(tmp_path)
    text = "def f(\n    *,\n    a,\n):\n    if b := len(a) * 2:\n        return b\n    return 0\n"
    Path("two.py").write_text(text)
    found = {line: mutants.mistakes("two.py", line) for line in (2, 5)}
    assert found[2]
    assert not any(one.possible() for one in found[2])  # `&,`
    possible = {one.operator: one.possible() for one in found[5]}
    assert possible["core/ReplaceBinaryOperator_Mul_Add"]
    assert not possible["core/AddNot"]  # `if not b := a`


SOURCE = """
from functools import cache

LIMIT = 3


def shared():
    return LIMIT


def alone(n):
    while n > 0:
        n -= 1
    return n


def never():
    return 1
"""
TESTS = """
import subprocess
import sys

import pytest
from diablerie import one


@pytest.fixture(scope="module")
def made():
    return one.shared()


def test_first(made):
    assert made == 3


def test_second(made):
    assert made < 9


def test_alone():
    assert one.alone(2) == 0


def test_elsewhere():
    subprocess.run([sys.executable, "-c", "from diablerie import one; one.alone(1)"], check=True)


def test_that_fails():
    one.never()
    raise ValueError
"""
TRIAL = """
import os, sys
from pathlib import Path
from tools import mutants

mutants.MARKS = ""
assert mutants.record(Path("reached").resolve(), False, float("inf"))
known = mutants.Record(Path("reached"))
trial = mutants.Trial(known)
path = "src/diablerie/one.py"
for line in map(int, sys.argv[1:]):
    print(line, *[",".join(one.partition("::")[2] for one in some)
                  for some in known.tests(path, line, False)], sep="|")
    for one in mutants.mistakes(path, line)[:1]:
        told = trial.of(one, False, 5.0)
        print("=", line, one.operator, one.spec().occurrence, told["outcome"], told["by"][-10:])
"""


@pytest.mark.ci
@pytest.mark.slow
def test_a_mutants_tests_are_those_that_execute_its_line(tmp_path: Path) -> None:
    """In a process of its own, which forks: what is recorded, what is chosen, and the outcomes."""
    pytest.importorskip("tools.mutants")
    for name, text in (("src/diablerie/one.py", SOURCE), ("tests/lab/test_one.py", TESTS)):
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).write_text(text)
    (tmp_path / "src/diablerie/__init__.py").touch()
    (tmp_path / "trial.py").write_text(TRIAL)
    path = os.pathsep.join([str(tmp_path / "src"), str(tmp_path), str(ROOT)])
    lines = [4, 8, 12, 18]
    done = subprocess.run(
        [sys.executable, "trial.py", *map(str, lines)],
        cwd=tmp_path, env={**os.environ, "PYTHONPATH": path}, check=False, capture_output=True,
        text=True,
    )  # fmt: skip
    told = done.stdout.splitlines()
    assert done.returncode == 0, done.stdout + done.stderr
    chosen = {int(a): b for a, _, b in (x.partition("|") for x in told if x[0] != "=")}
    # a constant: whatever calls anything of the module; what failed by itself is nobody's test
    assert set(re.findall(r"\w+", chosen[4])) == {
        "test_first", "test_second", "test_alone", "test_elsewhere"
    }  # fmt: skip
    assert set(chosen[8].partition("|")[0].split(",")) == {"test_first", "test_second"}
    assert set(chosen[12].partition("|")[0].split(",")) == {"test_alone", "test_elsewhere"}
    assert chosen[18] == ""  # only what fails by itself executes it
    outcomes = {tuple(one.split()[1:4]): one.split()[4:] for one in told if one.startswith("=")}
    assert outcomes["4", "core/NumberReplacer", "0"][0] == "killed"
    assert {one[0] for key, one in outcomes.items() if key[0] == "18"} == {"survived"}
    assert (tmp_path / "src/diablerie/one.py").read_text() == SOURCE


def test_a_statement_of_several_lines_is_one() -> None:
    mutants = pytest.importorskip("tools.mutants")
    here = str(Path(mutants.__file__))
    text = Path(here).read_text("utf-8").splitlines()
    first = next(k for k, line in enumerate(text, 1) if line.startswith("PRELOADED = ("))
    last = next(k for k, line in enumerate(text, 1) if k > first and line.startswith(")"))
    assert mutants.statement(here, first + 1) == range(first, last + 1)
    head = next(k for k, line in enumerate(text, 1) if line.startswith("def report("))
    assert mutants.statement(here, head) == range(head, head + 1)


def test_what_is_in_no_function_is_executed_on_import(tmp_path: Path) -> None:
    mutants = pytest.importorskip("tools.mutants")
    path = tmp_path / "one.py"
    path.write_text("A = 1\n\n\ndef f(a: int = 2) -> int:\n    b = 1\n    return b\n")
    assert [mutants.on_import(str(path), line) for line in (1, 4, 5, 6)] == [
        True, True, False, False
    ]  # fmt: skip


def test_a_mutant_outside_of_functions_has_the_tests_that_import_its_module() -> None:
    mutants = pytest.importorskip("tools.mutants")
    tests = ["tests/test_mutants.py::test_a", "tests/lab/test_numbers.py::test_b"]
    found = mutants.importing("src/diablerie/lab/statistics.py", tests)
    assert found == {"tests/lab/test_numbers.py::test_b"}
    tests.append("tests/table/test_layout.py::test_c")  # by tests/table/layout.py
    found = mutants.importing("src/diablerie/table/storage/schema.py", tests)
    assert found == {"tests/table/test_layout.py::test_c"}


def test_a_timeout_does_not_count_as_killed_but_an_endless_loop_does() -> None:
    mutants = pytest.importorskip("tools.mutants")
    one = {"package": "lab", "path": "a.py", "line": 3, "kind": "core/AddNot", "changed": ["- x"]}
    outcomes = ["killed"] * 7 + ["endless", "timeout", "survived"]
    told = mutants.report([one | {"outcome": outcome} for outcome in outcomes])
    assert "| lab | 10 | 7 | 1 | 1 | 1 | 80% | 49% to 94% |" in told
    assert told.count("a.py:3") == 2


def test_the_suite_runs_without_pytests_cache() -> None:
    """As a mutant's tests do: an error in a fixture of all tests would leave no test to fail."""
    words = ["-q", "-n0", "-p", "no:cacheprovider", "tests/test_fair.py"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *words], cwd=ROOT, check=False, capture_output=True
    )
    assert done.returncode == 0, done.stdout.decode()
