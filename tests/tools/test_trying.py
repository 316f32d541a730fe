"""Mutants are drawn by a seed, tried where nothing is written, and counted."""

import asyncio
import importlib.util
import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from starlette.requests import Request
from tools.mutants import browsing, python, reach, script, trial
from tools.mutants.places import PLACES, ROOT
from tools.mutants.report import difference, survivors, table, wilson
from tools.mutants.running import Reach, read, script_job
from tools.mutants.sampling import Mutant, made, sample
from tools.mutants.site import sitecustomize

from diablerie.web.html import assets

# -- samples and results -----------------------------------------------------------------------


SHARES = {"table": 12, "script": 6}


def test_equal_seeds_draw_equal_samples_of_the_size_that_is_asked_for() -> None:
    one = sample(7, SHARES)
    assert one == sample(7, SHARES)
    assert one != sample(8, SHARES)
    assert Counter(mutant.place for mutant in one) == SHARES
    assert len({mutant.name for mutant in one}) == 18
    assert max(Counter(m.kind for m in one if m.place == "table").values()) == 1
    assert sum(place.share for place in PLACES) >= 400
    assert made("table", one[0].path, one[0].number) == one[0]


def test_wilsons_interval() -> None:
    assert wilson(1, 10) == pytest.approx((0.0179, 0.4042), abs=1e-4)
    assert wilson(0, 10)[0] == 0
    assert wilson(0, 0) == (0, 1)


def mutant(place: str, line: int) -> Mutant:
    return Mutant(place, "a.py", line, line, line, "text", "f('a')\nkept", "f('ax')\nkept")


def test_a_report_counts_what_was_tried_and_shows_survivors_as_differences() -> None:
    mutants = [mutant("table", 1), mutant("table", 2), mutant("web", 3), mutant("web", 4)]
    results = {
        "a.py:1#1": {"state": "killed"},
        "a.py:2#2": {"state": "survived", "tests": 9},
        "a.py:3#3": {"state": "survived", "why": "no test reaches it"},
    }
    rows = table(mutants, results).splitlines()
    assert rows[2:] == [
        "| table | 2 | 1 | 1 | 50 | 9 to 91 |",
        "| web | 1 | 0 | 1 | 0 | 0 to 79 |",
        "| **all** | 3 | 1 | 2 | 33 | 6 to 79 |",
    ]
    assert list(survivors(mutants, results)) == [
        "a.py:2#2 (text; 9 tests reach it)\n- f('a')\n+ f('ax')",
        "a.py:3#3 (text; no test reaches it)\n- f('a')\n+ f('ax')",
    ]
    assert difference(mutants[0]) == "- f('a')\n+ f('ax')"


def test_the_tests_that_reach_a_line_are_run_the_quickest_first(tmp_path: Path) -> None:
    (tmp_path / "test_a.py").write_text("")
    found = {
        "tests": [["t::slow", 5.0], ["t::quick", 0.1], ["t::far", 0.1]],
        "lines": {"a.py": {"2": [0, 1], "9": [2]}},
    }
    os.chdir(tmp_path)
    reach.kept(tmp_path, "test_a.py").write_text(json.dumps(found))
    (tmp_path / "imported").mkdir()
    for process, line in enumerate((1, 3)):
        imported = tmp_path / "imported" / f"{process}.json"
        imported.write_text(json.dumps({"a.py": [line]}))
    known = Reach(tmp_path, tmp_path, ["test_a.py"])
    job = known.job(mutant("table", 2))
    assert (job["tests"], job["cold"]) == (["t::quick", "t::slow"], False)
    assert known.job(mutant("table", 1))["cold"]
    assert known.job(mutant("table", 3))["cold"]
    assert known.job(mutant("table", 4))["tests"] == []


def test_the_tests_that_enter_a_block_of_the_script(tmp_path: Path) -> None:
    (tmp_path / "a.js").write_text("f(() => {\n  g(1);\n});\nh(2);")
    known = [
        {"test": "x", "seconds": 2, "reached": ["a.js:8"]},
        {"test": "y", "seconds": 1, "reached": ["a.js:8"]},
        {"test": "z", "seconds": 1, "reached": ["b.js:8"]},
    ]
    source = (tmp_path / "a.js").read_text()
    for number, (_, start, *_) in enumerate(script.edits(source)):
        one = Mutant("script", "a.js", number, 1, 1, "constant", "", "")
        assert script_job(tmp_path, one, known)["tests"] == ["y", "x"]
        assert start > 0


# -- nothing is written ------------------------------------------------------------------------


THING = "def add(a, b):\n    return a + b\n\n\nLIMIT = 3\n"


@pytest.fixture
def thing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "thing.py"
    path.write_text(THING)
    return path


def test_a_mistake_is_put_into_functions_that_run_and_into_no_file(thing: Path) -> None:
    spec = importlib.util.spec_from_file_location("thing", thing)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    add = module.add
    (number,) = (one.number for one in python.changes(THING) if one.kind == "arithmetic")
    assert add(2, 3) == 5
    assert trial.exchanged("thing.py", number)
    assert add(2, 3) == -1
    (limit,) = (one.number for one in python.changes(THING) if one.after == "LIMIT = 4")
    assert not trial.exchanged("thing.py", limit)  # what ran at the import needs a new process
    assert thing.read_text() == THING


def test_a_new_process_imports_the_module_with_the_mistake(
    thing: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (limit,) = (one.number for one in python.changes(THING) if one.after == "LIMIT = 4")
    monkeypatch.setattr(sitecustomize, "ASKED", json.dumps(["thing.py", limit]))
    space: dict[str, int] = {}
    exec(sitecustomize.Mistaken("thing", str(thing)).get_code("thing"), space)
    assert space["LIMIT"] == 4
    assert thing.read_text() == THING


def test_the_script_is_changed_in_the_folder_that_the_tool_runs_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    live = ROOT / browsing.STATIC / "live.js"
    before = live.read_bytes()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(assets, "FOR_EVER", assets.FOR_EVER)
    copy = browsing.STATIC / "live.js"
    copy.parent.mkdir(parents=True)
    browsing._served(copy, "changed")
    assert copy.read_text() == "changed"
    assert live.read_bytes() == before


def test_a_browser_that_tests_share_keeps_no_script_from_one_mistake_to_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(assets, "FOR_EVER", assets.FOR_EVER)
    browsing._served(tmp_path / "live.js", "changed")
    asked = Request(
        {"type": "http", "path_params": {"digest": assets.static_digest(), "name": "live.js"}}
    )
    assert asyncio.run(assets.static_file(asked)).headers["cache-control"] == "no-store"


TESTS = """import thing
import time

def test_adds():
    assert thing.add(2, 3) == 5

def test_adds_nothing():
    assert thing.add(2, 0) == 2

def test_is_broken():
    assert False
"""


def test_a_trial_says_which_test_noticed_and_a_test_that_always_fails_does_not_count(
    thing: Path, tmp_path: Path
) -> None:
    (tmp_path / "test_thing.py").write_text(TESTS)
    numbers = {one.kind: one.number for one in python.changes(THING)}
    broken, nothing, adds = (
        f"test_thing.py::{name}" for name in ("test_is_broken", "test_adds_nothing", "test_adds")
    )
    jobs = [
        {"mutant": name, "path": "thing.py", "number": number, "cold": False, "tests": tests,
         "seconds": 1.0}
        for name, number, tests in (
            ("a", numbers["arithmetic"], [broken, nothing, adds]),
            ("b", numbers["arithmetic"], [nothing]),
            ("c", numbers["returned value"], [nothing]),
            ("d", numbers["arithmetic"], []),
        )
    ]  # fmt: skip
    (tmp_path / "jobs").write_text(json.dumps(jobs))
    environment = {
        **os.environ, "PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT}",
        "TRIALS_JOBS": str(tmp_path / "jobs"), "TRIALS_RESULTS": str(tmp_path / "results"),
    }  # fmt: skip
    command = (sys.executable, "-m", "pytest", "-p", "tools.mutants.trial", "test_thing.py")
    subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, check=False)
    found = {line["mutant"]: line for line in read(tmp_path / "results")}
    assert {name: line["state"] for name, line in found.items()} == {
        "a": "killed", "b": "survived", "c": "killed", "d": "survived",
    }  # fmt: skip
    assert found["a"]["test"] == adds
    assert found["d"]["why"] == "no test reaches it"
    assert thing.read_text() == THING
