"""From the sample to the results: what reaches the mutants, and the processes that try them.

Results are a JSON Lines file, a line for every trial, in the order in which they ended; a mutant
that has one is not tried again, so a run that was stopped goes on.
"""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path
from typing import Any

from tools.mutants import script
from tools.mutants.places import PLACES, Place, answering
from tools.mutants.reach import kept
from tools.mutants.sampling import Mutant
from tools.mutants.tree import surroundings

QUICK = "not nightly and not browser"
Job = dict[str, Any]  # a mutant, and the tests to be run for it
BUDGET = 20.0  # seconds of tests for one mutant: what they do not notice counts as not noticed


class Reach:
    """What was recorded: by line of the house, the tests that run it, and how long each takes."""

    def __init__(self, tree: Path, folder: Path, tests: Iterable[str]) -> None:
        self.tree = tree
        self.seconds: dict[str, float] = {}
        self.lines: dict[str, dict[int, set[str]]] = {}
        self.imported: dict[str, set[int]] = {}
        for imported in sorted((folder / "imported").glob("*.json")):
            for name, found in json.loads(imported.read_text()).items():
                self.imported.setdefault(name, set()).update(found)
        for test in tests:
            self._add(json.loads(kept(folder, test).read_text()))

    def _add(self, found: dict[str, Any]) -> None:
        names = [name for name, _ in found["tests"]]
        self.seconds |= dict(found["tests"])
        for path, by_line in found["lines"].items():
            for line, numbers in by_line.items():
                tests = self.lines.setdefault(path, {}).setdefault(int(line), set())
                tests.update(names[number] for number in numbers)

    def job(self, mutant: Mutant, again: bool = False) -> Job:
        """What `trial` has to know: the tests that reach a mutant, the quickest first.

        again: the slowest too, which have not been tried before.
        """
        lines = range(mutant.line, mutant.last + 1)
        cold = any(line in self.imported.get(mutant.path, ()) for line in lines)
        by_line = self.lines.get(mutant.path, {})
        chosen = [by_line.get(line, set()) for line in lines]
        if cold:
            chosen = [one for path in self._with(mutant.path) for one in self._all(path)]
        names = sorted(set().union(*chosen), key=lambda name: (self.seconds[name], name))
        tests = self._within_budget(names)
        if again:
            tests += [name for name in self._within_budget(names[::-1]) if name not in tests]
        spent = sum(self.seconds[name] for name in tests)
        return {
            "mutant": mutant.name, "path": mutant.path, "number": mutant.number,
            "cold": cold, "tests": tests, "seconds": spent,
        }  # fmt: skip

    def _within_budget(self, names: Iterable[str]) -> list[str]:
        tests: list[str] = []
        spent = 0.0
        for name in names:
            spent += self.seconds[name]
            if spent > BUDGET:
                break
            tests.append(name)
        return tests

    def _all(self, path: str) -> Iterable[set[str]]:
        return self.lines.get(path, {}).values()

    def _with(self, path: str) -> list[str]:
        """A file, and those of its folder that import it: what is declared there is used there."""
        name = Path(path).stem
        wanted = re.compile(rf"^\s*(from|import) .*\b{name}\b", re.MULTILINE)
        folder = Path(path).parent
        users = [f"{folder}/{one.name}" for one in (self.tree / folder).glob("*.py")]
        return [path, *(one for one in users if wanted.search((self.tree / one).read_text()))]


def record(tree: Path, folder: Path, tests: list[str], processes: int = 1) -> None:
    """Record what these test files reach, as far as that is not known."""
    (folder / "imported").mkdir(parents=True, exist_ok=True)
    os.chdir(tree)
    new = [one for one in tests if not kept(folder, one).exists()]
    environment = surroundings(tree) | {"REACH_FOLDER": str(folder)}
    with ThreadPoolExecutor(processes) as pool:
        parts = _dealt(new, processes)
        list(pool.map(lambda part: _pytest(tree, environment, "reach", QUICK, part), parts))
    for one in new:
        path = kept(folder, one)
        if not path.exists():  # all of it skipped, or left out
            path.write_text(json.dumps({"tests": [], "lines": {}}))


def test_files(place: Place, tree: Path) -> list[str]:
    """The files of a place's tests."""
    found: list[str] = []
    for name in answering(place, tree):
        path = tree / name
        inside = sorted(path.rglob("test_*.py")) if path.is_dir() else [path]
        found += [one.relative_to(tree).as_posix() for one in inside]
    return found


def run(
    tree: Path, folder: Path, mutants: list[Mutant], again: bool = False, processes: int = 1
) -> None:
    """Try all that have no result yet; `again`: those that survived, too."""
    done = {line["mutant"]: line for line in read(folder / "results.jsonl")}
    left: dict[Place, list[Mutant]] = {}
    for place in PLACES:
        mine = [one for one in mutants if one.place == place.name]
        todo = [m for m in mine if m.name not in done or (again and survived(done[m.name]))]
        if todo:
            left[place] = todo
    python = {place: mine for place, mine in left.items() if not place.scripted}
    _try_python(tree, folder, python, set(done), processes)
    for place in left:  # these change the copy's script, so nothing else may read it meanwhile
        if place.scripted:
            jobs = _script_jobs(tree, folder, test_files(place, tree), left[place])
            _try(tree, folder, place, jobs)


def _try_python(
    tree: Path, folder: Path, left: dict[Place, list[Mutant]], tried: set[str], processes: int
) -> None:
    tests = {place: test_files(place, tree) for place in left}
    record(tree, folder / "reach", sorted(set().union(*tests.values())), processes)
    parts: list[tuple[Place, list[Job]]] = []
    for place, mutants in left.items():
        reach = Reach(tree, folder / "reach", tests[place])
        jobs = [reach.job(mutant, mutant.name in tried) for mutant in mutants]
        jobs.sort(key=lambda job: -float(job["seconds"]))
        parts += [(place, part) for part in _dealt(jobs, processes)]
    parts.sort(key=lambda part: -sum(float(job["seconds"]) for job in part[1]))
    with ThreadPoolExecutor(processes) as pool:
        list(pool.map(lambda part: _try(tree, folder, *part), parts))


def _dealt(things: list[Any], hands: int) -> list[list[Any]]:
    """What there is, dealt out in turns; no hand stays empty."""
    return [part for k in range(hands) if (part := things[k::hands])]


def _script_jobs(tree: Path, folder: Path, tests: list[str], left: list[Mutant]) -> list[Job]:
    """The tests of the script alone: those that play whole games on a server take too long."""
    alone = [one for one in tests if "tests.browser.stage" in (tree / one).read_text("utf-8")]
    kept_in = folder / "reach-script"
    kept_in.mkdir(parents=True, exist_ok=True)
    environment = surroundings(tree) | {"BROWSING_REACH": str(kept_in)}
    _pytest(tree, environment, "browsing", "", alone)
    known = [json.loads(path.read_text()) for path in sorted(kept_in.glob("*.json"))]
    return [script_job(tree, one, known) for one in left]


def script_job(tree: Path, mutant: Mutant, known: list[dict[str, Any]]) -> Job:
    """The tests that enter the block of a mistake, the quickest first; or its file, or any."""
    block = script.block_of((tree / mutant.path).read_text("utf-8"), mutant.number)
    place = f"{Path(mutant.path).name}:{block}"
    file = f"{Path(mutant.path).name}:"
    inside = [one for one in known if any(name.startswith(file) for name in one["reached"])]
    chosen = [one for one in known if place in one["reached"]] if block else inside or known
    chosen.sort(key=lambda one: one["seconds"])
    return {
        "mutant": mutant.name, "path": mutant.path, "number": mutant.number,
        "tests": [one["test"] for one in chosen],
    }  # fmt: skip


def _try(tree: Path, folder: Path, place: Place, jobs: list[Job]) -> None:
    todo = folder / f"jobs-{jobs[0]['mutant'].replace('/', '.')}.json"
    todo.write_text(json.dumps(jobs))
    environment = surroundings(tree) | {
        "TRIALS_JOBS": str(todo), "TRIALS_RESULTS": str(folder / "results.jsonl"),
    }  # fmt: skip
    files = sorted({name.partition("::")[0] for job in jobs for name in job["tests"]})
    print(f"{place.name}: {len(jobs)} mutants", flush=True)
    how = ("browsing", "") if place.scripted else ("trial", QUICK)
    _pytest(tree, environment, *how, files or ["tests/conftest.py"])


def _pytest(tree: Path, environment: dict[str, str], plugin: str, which: str, files: Any) -> None:
    options = ("-p", f"tools.mutants.{plugin}", "-p", "no:cacheprovider", "-m", which)
    command = (sys.executable, "-m", "pytest", *options, *files)
    subprocess.run(command, cwd=tree, env=environment, check=False)


def survived(result: dict[str, Any]) -> bool:
    """Whether no test noticed it."""
    return result["state"] != "killed"


def read(results: Path) -> list[dict[str, Any]]:
    """The lines of a file of results; none if there is none yet. The latest of a mutant counts."""
    if not results.exists():
        return []
    return [json.loads(line) for line in results.read_text("utf-8").splitlines()]


def write_sample(path: Path, seed: int, mutants: list[Mutant]) -> None:
    """The sample beside its results."""
    path.write_text(json.dumps({"seed": seed, "mutants": [asdict(one) for one in mutants]}))
