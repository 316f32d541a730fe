"""The mutation tool: mistakes are what they are called, samples are fair, nothing is written."""

import ast
import importlib.util
import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from tools.mutants import browsing, python, reach, script, trial
from tools.mutants.places import PLACES, ROOT, files_of, holds_compiled, is_compiled, module_of
from tools.mutants.report import difference, survivors, table, wilson
from tools.mutants.running import Reach, read, script_job
from tools.mutants.sampling import Mutant, made, sample
from tools.mutants.site import sitecustomize


def mistakes(source: str, kind: str, **manner: bool) -> list[str]:
    """What the statement becomes by each mistake of a kind."""
    return [one.after for one in python.changes(source, **manner) if one.kind == kind]


@pytest.mark.parametrize(
    ("kind", "source", "after"),
    [
        ("comparison", "f(a < b)", ["f(a <= b)"]),
        ("comparison", "f(a in b, c is d)", ["f(a not in b, c is d)", "f(a in b, c is not d)"]),
        ("and, or", "f(a and b)", ["f(a or b)"]),
        ("arithmetic", "f(a + b)", ["f(a - b)"]),
        ("arithmetic", "a += b // c", ["a -= b // c", "a += b * c"]),
        ("sign or not", "f(-a, not b)", ["f(a, not b)", "f(-a, b)"]),
        ("condition", "if a:\n    b()", ["if not a:\n    ..."]),
        ("condition", "f(a if not b else c)", ["f(a if b else c)"]),
        ("condition", "f([a for a in b if a])", ["f([a for a in b if not a])"]),
        ("constant", "f(0, 3000, True, 0.5)",
         ["f(1, 3000, True, 0.5)", "f(0, 6000, True, 0.5)", "f(0, 3000, False, 0.5)",
          "f(0, 3000, True, 0.75)"]),
        ("text", "f('a', '')", ["f('ax', '')"]),
        ("swapped arguments", "f(a, b, c)", ["f(b, a, c)"]),
        ("swapped arguments", "say('{x} hits {y}.', x=a, y=b)", ["say('{x} hits {y}.', x=b, y=a)"]),
        ("dropped keyword", "f(a, b=1, c=2)", ["f(a, b=1)"]),
        ("opposite function", "f(min(a), any(b))", ["f(max(a), any(b))", "f(min(a), all(b))"]),
        ("off by one", "f(range(n), range(a, n, 2))",
         ["f(range(n + 1), range(a, n, 2))", "f(range(n), range(a, n + 1, 2))"]),
        ("loop never run", "for a in b:\n    c()", ["for a in ():\n    ..."]),
        ("returned value", "def f():\n    return a\n    return None", ["return None"]),
        ("statement", "def f():\n    a.b = 1\n    c()\n    raise d", ["pass"] * 3),
        ("decorator", "@cache\n@property\ndef f(): ...", ["@property\ndef f():\n    ..."]),
    ],
)  # fmt: skip
def test_a_mistake_is_what_it_is_called(kind: str, source: str, after: list[str]) -> None:
    assert mistakes(source, kind) == after


@pytest.mark.parametrize(
    "source",
    [
        '"""A text of 1 or 2."""',
        "__all__ = ['a', 'b']",
        "from a import b",
        "def f(a: int | None = a) -> 'B': pass",
        "log.error('told %s', 1)",
        "say('Only the wording.')",
        "f'{a} of'",
        "raise a",
        "@rule\ndef f(s):\n    return s.a + 1",
        "if TYPE_CHECKING:\n    a = 1",
    ],
)
def test_what_tests_need_not_notice_is_left_alone(source: str) -> None:
    assert python.changes(source) == []


def test_constants_that_are_frozen_into_compiled_code_and_measures_of_a_drawing_are_left_alone():
    source = "A = 3\n\ndef f():\n    return circle(7, 'edge', 'M0 0')"
    assert "A = 4" in mistakes(source, "constant")
    assert mistakes(source, "constant", frozen=True) == ["return circle(8, 'edge', 'M0 0')"]
    assert mistakes(source, "constant", drawn=True) == ["A = 3"][:0]
    assert mistakes(source, "text", drawn=True) == ["return circle(7, 'edgex', 'M0 0')"]


def test_every_mistake_of_a_real_file_compiles_is_another_code_and_keeps_its_lines() -> None:
    path = "src/diablerie/table/turns.py"
    source = (ROOT / path).read_text("utf-8")
    plain = ast.dump(ast.parse(source))
    lines = {node.lineno for node in ast.walk(ast.parse(source)) if isinstance(node, ast.stmt)}
    for number in range(python.count(source)):
        change, tree = python.changed(source, number)
        assert ast.dump(tree) != plain
        assert change.before != change.after
        assert change.line in lines
        assert change.line <= change.last
        compile(tree, path, "exec")
    assert python.count(source) > 30


def test_compiled_code_is_known() -> None:
    (function,) = ast.parse("@numba.njit(cache=True)\ndef f(): ...").body
    assert isinstance(function, ast.FunctionDef)
    assert is_compiled(function)
    assert holds_compiled((ROOT / "src/diablerie/bots/tree.py").read_text("utf-8"))
    assert not holds_compiled((ROOT / "src/diablerie/table/chat.py").read_text("utf-8"))
    assert module_of("src/diablerie/table/__init__.py") == "diablerie.table"


# -- the script --------------------------------------------------------------------------------


def edited(source: str, kind: str) -> list[str]:
    numbers = range(script.count(source))
    found = (script.changed(source, number) for number in numbers)
    return [text for change, text in found if change.kind == kind]


@pytest.mark.parametrize(
    ("kind", "source", "after"),
    [
        ("comparison", "f(a === b, c < d);", ["f(a !== b, c < d);", "f(a === b, c <= d);"]),
        ("and, or", "f(a && b ?? c);", ["f(a || b ?? c);", "f(a && b && c);"]),
        ("arithmetic", "f(a + -b, i++);", ["f(a - -b, i++);", "f(a + -b, i--);"]),
        ("sign or not", "f(!a, -b);", ["f(a, -b);", "f(!a, b);"]),
        ("constant", "f(1, 2500, true);", ["f(1, 2500, false);", "f(1, 5000, true);",
                                           "f(2, 2500, true);"]),
        ("text", 'f("a", "");', ['f("ax", "");']),
        ("condition", "if (a && b) c();", ["if (!(a && b)) c();"]),
        ("returned value", "  return a;", ["return undefined;"]),
        ("statement", "  a.b(c);", [""]),
    ],
)  # fmt: skip
def test_a_mistake_in_the_script_is_what_it_is_called(
    kind: str, source: str, after: list[str]
) -> None:
    found = [text.strip() for text in edited(source, kind)]
    assert sorted(found) == sorted(after)


def test_patterns_comments_templates_and_imports_stay() -> None:
    source = 'import { a } from "./b.js"; // 1\nx = y.replace(/[a-z]+ 1/g, `${1} 2`);'
    assert not edited(source, "constant")
    assert edited(source, "text") == []
    assert 'ok = a / 2; // "' in edited('ok = a * 2; // "', "arithmetic")


def test_marks_tell_of_blocks_and_change_nothing_else() -> None:
    source = "const f = (a) => {\n  if (a) { return { a: 1 }; }\n};\nf(2);"
    marked = script.marked(source, "x.js")
    assert marked.count("console.debug") == 2
    for line, start in ((1, source.index("{")), (2, source.index("{ return"))):
        marked = marked.replace(script.MARK.format(f'"reached x.js:{line}:{start}"'), "")
    assert marked == source
    numbers = [n for n in range(script.count(source)) if script.edits(source)[n][0] == "constant"]
    assert [script.block_of(source, n) for n in numbers] == [source.index("{ return"), None]


def test_every_file_of_the_script_is_read_and_has_room_for_mistakes() -> None:
    place = next(one for one in PLACES if one.scripted)
    files = list(files_of(place))
    assert len(files) > 15
    for path in files:
        source = (ROOT / path).read_text("utf-8")
        assert script.count(source) > 5
        assert all(
            script.changed(source, n)[1] != source for n in range(0, script.count(source), 9)
        )


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
    (tmp_path / "imported.json").write_text(json.dumps({"a.py": [1, 3]}))
    known = Reach(tmp_path, tmp_path, ["test_a.py"])
    job = known.job(mutant("table", 2))
    assert (job["tests"], job["cold"]) == (["t::quick", "t::slow"], False)
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
    copy = browsing.STATIC / "live.js"
    copy.parent.mkdir(parents=True)
    browsing._served(copy, "changed")
    assert copy.read_text() == "changed"
    assert live.read_bytes() == before


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
