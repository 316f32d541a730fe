"""Do the tests notice? A sample of small mistakes, made by cosmic-ray, and the tests run on each.

    python -m tools.mutants 2028                 # the 400 mutants of a seed; stopped, it goes on
    python -m tools.mutants 2028 --first 80      # so many of them, spread in the same way
    python -m tools.mutants 2028 --minutes 4     # as far as it comes in that time
    python -m tools.mutants 2028 --only compiled # what is tested compiled; a second process may
                                                 # try the uncompiled at the same time

All runs in two copies of the checkout (compiled and uncompiled, since mistakes are made in them), in
a folder of `mutants` that is named by what was copied. First
the suite runs there once under coverage.py (`tools/reached.py`): twice, since what Numba compiles is
only seen uncompiled, and is tested uncompiled. Then lines are drawn, each package's share by its
lines, and one mistake in each line. A mutant's tests are those that execute its statement, the
cheapest first. A statement outside of functions has the tests that import its module, too, and what
fewer than three tests execute has the others of its module; until they have taken `budget` seconds
of processor time. All mutants are tried with the cheapest tests (`QUICK` seconds) before those that
have survived these are tried with the rest, so that what is stopped early has tried many. Each
mutant's tests run in a fork of this process, which has imported the libraries already, but not
diablerie.
"""

import ast
import hashlib
import json
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cache
from importlib import import_module
from itertools import chain, islice
from math import inf
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import click
from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator, operator_names
from cosmic_ray.work_item import MutationSpec
from coverage import Coverage, CoverageData

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = {name: f"src/diablerie/{name}" for name in ("table", "web", "engine", "bots", "lab")}
PACKAGES["rules"] = "src/diablerie/games/*/rules"
LEFT_OUT = re.compile(r"/migrations/|/__init__\.py$")
SAME = re.compile(r"(?<!_Is)(_Is|_IsNot)$|RemoveDecorator$")  # as good: `is` for small numbers
KINDS = ("compiled", "uncompiled")
MARKS = "not nightly and not browser and not slow and not ci"
PYTEST = ["-x", "-p", "no:cacheprovider", "-m", MARKS]
LEFT_TO_OTHERS = (  # tests of these cost more than they find in the packages above
    "browser", "storm", "storm_planted", "site", "learning", "envs", "art", "planted",
    "tools", "client", "test_docs.py", "test_examples.py", "test_first_pass.py",
    "test_hosting.py", "test_interpreter.py", "test_locked.py", "test_mutants.py",
    "test_notebook.py", "test_outside.py", "test_package.py", "test_prose.py", "test_readme.py",
    "test_structure.py", "test_terms.py", "test_docstrings.py", "test_messages.py",
)  # fmt: skip
COMPILED_ONLY = r"tests/(table|web|api|lab)$"
UNCOMPILED_ONLY = r"tests(/games.*)?$"
PIECE = 12  # test files that are recorded together
SECONDS = {False: "6", True: "3"}  # of a test when it is recorded: compiled, uncompiled
PRELOADED = (
    "pytest", "hypothesis", "numba", "sqlalchemy.ext.asyncio", "alembic.command", "babel.messages",
    "starlette.applications", "starlette.testclient", "httpx", "uvicorn", "jinja2", "cryptography",
    "cryptography.hazmat.primitives.asymmetric.ed25519", "scipy.optimize", "openskill.models",
    "markdown_it", "PIL.Image", "tinycss2", "grimp", "_pytest.assertion.rewrite",
)  # fmt: skip
FIRST_FILES, FIRST_TESTS = 8, 60  # of a mutant: run before the others are collected
QUICK = 5.0  # seconds of tests that every mutant has before any has more
IDLE = 60  # seconds in which tests may only wait, beside twice what they took
FEW = 3  # tests that execute a statement: then the others of its module are run, too
MEMORY = 8 << 30  # bytes that a mutant's tests may have
OUTCOMES = ("killed", "endless", "timeout", "survived")
KILLED = ("killed", "endless")


def copy_checkout() -> Path:
    """Copy what git does not ignore to where mistakes can be made, unless it is there already."""
    listed = ["git", "ls-files", "-co", "--exclude-standard"]
    names = subprocess.run(listed, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    paths = [name for name in names.splitlines() if (ROOT / name).is_file()]
    digest = hashlib.sha256()
    for path in paths:
        digest.update(path.encode() + hashlib.sha256((ROOT / path).read_bytes()).digest())
    folder = ROOT / "mutants" / digest.hexdigest()[:12]
    for kind in KINDS:
        if not (folder / kind / "copied").exists():
            shutil.rmtree(folder / kind, ignore_errors=True)
            for path in paths:
                (folder / kind / "tree" / path).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / path, folder / kind / "tree" / path)
            (folder / kind / "copied").touch()
    return folder


@cache
def operators() -> dict[str, Any]:
    """Cosmic-ray's operators by name, those that need no arguments."""
    found = {name: get_operator(name) for name in sorted(operator_names())}
    return {
        name: one() for name, one in found.items() if not one.arguments() and not SAME.search(name)
    }


@cache
def parsed(path: str) -> tuple[list[Any], list[tuple[tuple[int, int], tuple[int, int]]]]:
    """A file's nodes as cosmic-ray counts them, and where its annotations begin and end."""
    text = Path(path).read_text("utf-8")
    types = []
    for node in ast.walk(ast.parse(text)):
        for part in (getattr(node, "annotation", None), getattr(node, "returns", None)):
            if part:
                end = part.end_lineno, part.end_col_offset
                types.append(((part.lineno, part.col_offset), end))
    return list(ast_nodes(get_ast(text))), types


class Mistake(NamedTuple):
    """What an operator can do to a file: to which node, and which of its ways."""

    path: str
    operator: str
    node: int
    way: int
    start: tuple[int, int]
    end: tuple[int, int]

    def spec(self) -> MutationSpec:
        """As cosmic-ray names it: by how often the operator could have been used before."""
        operator = operators()[self.operator]
        before = map(operator.mutation_positions, parsed(self.path)[0][: self.node])
        occurrence = sum(1 for _ in chain.from_iterable(before)) + self.way
        return MutationSpec(self.path, self.operator, occurrence, self.start, self.end)

    def text(self) -> str:
        """The file with the mistake in it."""
        spec = self.spec()
        operator = get_operator(spec.operator_name)()
        return str(mutate_code(Path(self.path).read_text("utf-8"), operator, spec.occurrence))

    def possible(self) -> bool:
        """Whether that is Python: a mistake that no import survives would be killed too easily."""
        try:
            compile(self.text(), self.path, "exec", dont_inherit=True)
        except (SyntaxError, AttributeError):  # the latter by an operator that cannot do it
            return False
        return True


def mistakes(path: str, line: int) -> list[Mistake]:
    """All that cosmic-ray can do to a line; what it does to annotations is left out."""
    nodes, types = parsed(path)
    near = [k for k, one in enumerate(nodes) if one.start_pos[0] <= line <= one.end_pos[0]]
    return [
        Mistake(path, name, k, way, start, end)
        for name, operator in operators().items()
        for k in near
        for way, (start, end) in enumerate(operator.mutation_positions(nodes[k]))
        if start[0] == line and not any(first <= start < last for first, last in types)
    ]


def sample(seed: str, size: int) -> Iterator[tuple[str, Mistake]]:
    """The mutants of a seed, the packages in turns, so that the first ones are spread, too."""
    lines: dict[str, list[tuple[str, int]]] = {}
    for package, pattern in PACKAGES.items():
        paths = sorted(str(path) for path in Path().glob(pattern + "/**/*.py"))
        texts = {path: Path(path).read_text("utf-8") for path in paths if not LEFT_OUT.search(path)}
        lines[package] = [(p, k) for p in texts for k in range(1, texts[p].count("\n") + 1)]
    turns = []
    for package, places in lines.items():
        random.Random(f"{seed} {package}").shuffle(places)
        share = round(size * len(places) / sum(map(len, lines.values())))
        turns += [((k + 0.5) / share, package) for k in range(share)]
    for turn, package in sorted(turns):
        found: list[Mistake] = []
        while not found:
            path, line = lines[package].pop()
            found = mistakes(path, line)
            random.Random(f"{seed} {turn} {package}").shuffle(found)
            found = list(islice(filter(Mistake.possible, found), 1))
        yield package, found[0]


def kept_sample(kept: Path, seed: str, size: int) -> list[tuple[str, Mistake]]:
    """The sample, from a file if it was drawn before: that takes a quarter of a minute."""
    if not kept.exists():
        drawn = json.dumps(list(sample(seed, size)))
        kept.with_suffix(".part").write_text(drawn)
        kept.with_suffix(".part").replace(kept)
    return [(package, Mistake(*one)) for package, one in json.loads(kept.read_text("utf-8"))]


def pieces() -> Iterator[tuple[str, bool, list[str]]]:
    """What is recorded at a time: a name, whether uncompiled, the files."""
    folders = defaultdict(list)
    for path in sorted(map(str, Path("tests").rglob("test_*.py"))):
        if path.split("/")[1] not in LEFT_TO_OTHERS:
            folders[str(Path(path).parent)].append(path)
    for uncompiled in (False, True):
        for folder, paths in folders.items():
            if re.match(COMPILED_ONLY if uncompiled else UNCOMPILED_ONLY, folder):
                continue
            for first in range(0, len(paths), PIECE):
                name = f"{'uncompiled' if uncompiled else 'compiled'}-{folder}-{first}"
                yield name.replace("/", "-"), uncompiled, paths[first : first + PIECE]


def record(folder: Path, way: bool, end: float) -> bool:
    """Which test executes which lines, as far as it is not known yet; whether all of it is now.

    way: whether uncompiled.
    """
    for name, uncompiled, paths in pieces():
        if uncompiled != way or (folder / name / "done").exists():
            continue
        if time.monotonic() > end:
            return False
        shutil.rmtree(folder / name, ignore_errors=True)
        env = {**os.environ, "REACHED": str(folder / name), "REACHED_SECONDS": SECONDS[uncompiled]}
        env |= {"NUMBA_DISABLE_JIT": "1"} if uncompiled else {}
        env.pop("PYTHONDONTWRITEBYTECODE", None)  # what the mutants' tests import is compiled now
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-n0",
            "-m",
            MARKS,
            "-p",
            "tools.reached",
            *paths,
        ]
        with (folder.parent / "record.log").open("a") as log:
            print(f"== {name}", file=log, flush=True)
            began = time.monotonic()
            subprocess.run(command, env=env, check=False, stdout=log, stderr=log)
        parts = [str(path) for path in (folder / name).glob("data.*")]
        whole = Coverage(data_file=folder / name / "data", config_file=False)
        whole.combine(parts)
        whole.save()
        (folder / name / "done").touch()
        click.echo(f"{name}: {time.monotonic() - began:.0f} s", err=True)
    return True


class Record:
    """What is known of the tests: which pass, what they take, and what they execute."""

    def __init__(self, folder: Path) -> None:
        self.took: dict[bool, dict[str, float]] = {False: {}, True: {}}
        self.users: dict[str, list[str]] = defaultdict(list)
        self.data: dict[bool, list[CoverageData]] = {False: [], True: []}
        for name, uncompiled, _ in pieces():
            if not (folder / name / "done").exists():
                continue
            for line in (folder / name / "tests.jsonl").read_text("utf-8").splitlines():
                one = json.loads(line)
                if one["outcome"] == "passed":
                    self.took[uncompiled][one["test"]] = one["took"]
                    for fixture in one["shared"]:
                        self.users[fixture].append(one["test"])
            self.data[uncompiled].append(CoverageData(str(folder / name / "data")))
            self.data[uncompiled][-1].read()
        self.known: dict[tuple[str, bool], dict[int, set[str]]] = {}

    def lines(self, path: str, uncompiled: bool) -> dict[int, set[str]]:
        """The tests that execute each line; "" where it was executed on import."""
        if (path, uncompiled) not in self.known:
            found: dict[int, set[str]] = defaultdict(set)
            for data in self.data[uncompiled]:
                for file in data.measured_files():  # the folder may have been moved since
                    if file.endswith("/" + path):
                        for line, contexts in data.contexts_by_lineno(file).items():
                            for one in contexts:
                                found[line].update(self.users.get(one, [one]))
            self.known[path, uncompiled] = found
        return self.known[path, uncompiled]

    def tests(self, path: str, line: int, uncompiled: bool) -> list[list[str]]:
        """Those of a statement, best first, then others of its module, each list in its order."""
        lines, took = self.lines(path, uncompiled), self.took[uncompiled]
        where = statement(path, line)
        found = set().union(*(lines.get(k, set()) for k in where)) & took.keys()
        inside = set().union(*(tests for tests in lines.values() if "" not in tests)) & took.keys()
        lists = [found]
        if on_import(path, where[0]):  # other processes import what they never call
            lists = [found & inside, importing(path, took.keys()), found, inside]
        elif 0 < len(found) < FEW:
            lists = [found, inside]
        for k, one in enumerate(lists):
            lists[k] = one.difference(*lists[:k])
        return [self.ordered(one, took) for one in lists]

    def ordered(self, tests: set[str], took: dict[str, float]) -> list[str]:
        """One case of each function before any has a second; the cheapest first."""
        cases: Counter[str] = Counter()
        ranked = []
        for test in sorted(tests, key=lambda one: (took[one], one)):
            function = test.partition("[")[0]
            ranked.append((cases[function], took[test], test))
            cases[function] += 1
        return [test for _, _, test in sorted(ranked)]


def importing(path: str, tests: Iterable[str]) -> set[str]:
    """The tests of files that import a module by its name, themselves or by a helper."""
    parent, _, name = (
        path.removeprefix("src/").removesuffix(".py").replace("/", ".").rpartition(".")
    )
    imports = re.compile(rf"^from {parent} import \(?[^)]*?\b{name}\b|{parent}\.{name}\b", re.M)
    files = {test.partition("::")[0] for test in tests}
    named = {file for file in files if imports.search(with_helpers(file))}
    return {test for test in tests if test.partition("::")[0] in named}


@cache
def with_helpers(file: str) -> str:
    """The text of a test file, and of the modules of the tests that it imports."""
    text = Path(file).read_text("utf-8")
    found = re.findall(r"^from (tests[\w.]*) import (\w+)", text, re.MULTILINE)
    names = {name for parent, child in found for name in (parent, f"{parent}.{child}")}
    paths = [Path(name.replace(".", "/") + ".py") for name in sorted(names)]
    return "\n".join([text, *(path.read_text("utf-8") for path in paths if path.exists())])


def on_import(path: str, line: int) -> bool:
    """Whether a line is executed when its module is imported: it is in no function."""
    functions = ast.FunctionDef | ast.AsyncFunctionDef
    nodes = ast.walk(ast.parse(Path(path).read_text("utf-8")))
    inside = [one for one in nodes if isinstance(one, functions)]
    return not any(one.body[0].lineno <= line <= (one.end_lineno or line) for one in inside)


def statement(path: str, line: int) -> range:
    """The lines of the smallest statement around a line; of one with a body, its head."""
    best = range(line, line + 1)
    size = 10**9
    for node in ast.walk(ast.parse(Path(path).read_text("utf-8"))):
        if isinstance(node, ast.stmt | ast.ExceptHandler | ast.match_case):
            body = getattr(node, "body", None) or getattr(node, "cases", None)
            first = min(
                (one.lineno for one in getattr(node, "decorator_list", [])),
                default=getattr(node, "lineno", line),
            )
            last = getattr(node, "end_lineno", line)
            if body and hasattr(body[0], "lineno"):
                last = max(body[0].lineno - 1, first)
            if first <= line <= last and last - first < size:
                best, size = range(first, last + 1), last - first
    return best


class Chosen:
    """A pytest plugin: runs these tests in this order, and keeps what failed first."""

    def __init__(self, tests: list[str], result: Path) -> None:
        files = {test.partition("::")[0]: k for k, test in reversed(list(enumerate(tests)))}
        self.rank = {t: (files[t.partition("::")[0]], k) for k, t in enumerate(tests)}
        self.result = result

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        """Those chosen; a mistake may have taken some away."""
        items[:] = [item for item in items if item.nodeid in self.rank]
        items.sort(key=lambda item: self.rank[item.nodeid])

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Write down what failed."""
        if report.failed:
            self.result.write_text(report.nodeid, "utf-8")

    def pytest_collectreport(self, report: Any) -> None:
        """Write down what could not be imported."""
        if report.failed:
            self.result.write_text(report.nodeid, "utf-8")


def run(tests: list[str], uncompiled: bool, budget: float, limit: float) -> tuple[str, str]:
    """The outcome of these tests, and which of them was the first to fail."""
    with TemporaryDirectory() as folder:
        result = Path(folder, "failed")
        child = os.fork()
        if not child:
            _run_here(tests, uncompiled, budget, limit, result)
        ended, status = _awaited(child, IDLE + 2 * limit)
        with suppress(ProcessLookupError):
            os.killpg(child, signal.SIGKILL)  # and the processes it has left
        if not ended:
            os.wait4(child, 0)
            return "timeout", ""
        if os.WIFSIGNALED(status) and os.WTERMSIG(status) in (signal.SIGXCPU, signal.SIGKILL):
            return "endless", ""
        failed = result.read_text("utf-8") if result.exists() else ""
        code = os.waitstatus_to_exitcode(status)
        return (
            ("survived", "") if code in (0, 5) and not failed else ("killed", failed or str(code))
        )


def _awaited(child: int, idle: float) -> tuple[int, int]:
    """The process and its status; 0 if it has only waited for so many seconds.

    A process that wants a processor and gets none does not wait: other jobs may be as busy as they
    like.
    """
    ended, status, waited = 0, 0, 0.0
    looked = time.monotonic()
    while not ended and waited < idle:
        time.sleep(0.02)
        if (now := time.monotonic()) > looked + 1:
            waited += 0 if _busy(child) else now - looked
            looked = now
        ended, status, _ = os.wait4(child, os.WNOHANG)
    return ended, status


def _busy(session: int) -> bool:
    """Whether a thread of the session is running, waits for a processor or for the disk."""
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            words = stat.read_text().rpartition(")")[2].split()
            if int(words[3]) == session:
                threads = [one.read_text() for one in stat.parent.glob("task/*/stat")]
                if any(one.rpartition(")")[2].split()[0] in "RD" for one in threads):
                    return True
    return False


def _run_here(
    tests: list[str], uncompiled: bool, budget: float, limit: float, result: Path
) -> None:
    """In the fork: never returns."""
    code = 70
    try:
        os.setsid()
        with (result.parent / "log").open("w") as log:
            os.dup2(log.fileno(), 1)
            os.dup2(log.fileno(), 2)
        resource.setrlimit(resource.RLIMIT_CPU, (int(limit), int(limit) + 5))
        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
        sys.dont_write_bytecode = True
        os.environ |= {"NUMBA_DISABLE_JIT": str(int(uncompiled)), "TIME_BUDGET": str(budget)}
        import_module("numba.core.config").reload_config()
        for name in [one for one in sys.modules if one.partition(".")[0] == "tools"]:
            del sys.modules[name]  # it was imported from elsewhere
        pytest = import_module("pytest")
        files = sorted({test.partition("::")[0] for test in tests})
        words = [*PYTEST, "-n0", "-W", "ignore::pytest.PytestAssertRewriteWarning"]
        words += ["-p", "tools.time_budget", *files]
        code = int(pytest.main(words, plugins=[Chosen(tests, result)]))
    finally:
        sys.stdout.flush()
        os._exit(code)


class Trial:
    """Tries mutants; a test that fails on the sound code, too, is left out."""

    def __init__(self, known: Record) -> None:
        self.known = known
        self.sound: dict[tuple[str, bool], bool] = {}

    def fails_anyway(self, test: str, uncompiled: bool) -> bool:
        """Whether a test fails by itself on the sound code."""
        if (test, uncompiled) not in self.sound:
            outcome = run([test], uncompiled, inf, 90)[0]
            self.sound[test, uncompiled] = outcome == "survived"
        return not self.sound[test, uncompiled]

    def stages(self, path: str, line: int, uncompiled: bool, budget: float) -> Iterator[list[str]]:
        """The tests of a mutant, in parts: the first few, then the others, within the budget."""
        took, left = self.known.took[uncompiled], 2 * budget
        files: set[str] = set()
        first: list[str] = []
        rest: list[str] = []
        for test in chain.from_iterable(self.known.tests(path, line, uncompiled)):
            if self.sound.get((test, uncompiled)) is False or took[test] > left:
                continue
            left -= took[test]
            file = test.partition("::")[0]
            if len(first) < FIRST_TESTS and (file in files or len(files) < FIRST_FILES):
                files.add(file)
                first.append(test)
            else:
                rest.append(test)
        yield from filter(None, (first, rest))

    def of(self, mistake: Mistake, uncompiled: bool, budget: float) -> dict[str, Any]:
        """What the tests say of a mutant."""
        path = Path(mistake.path)
        text, stat = path.read_text("utf-8"), path.stat()
        mutant, line = mistake.text(), mistake.start[0]
        old, new = set(text.splitlines()), set(mutant.splitlines())
        changed = [f"- {one}" for one in text.splitlines() if one not in new]
        changed += [f"+ {one}" for one in mutant.splitlines() if one not in old]
        place = {"path": str(path), "line": line, "kind": mistake.operator}
        outcome, by, number, began = "survived", "", 0, time.monotonic()
        took = self.known.took[uncompiled]
        for tests in self.stages(str(path), line, uncompiled, budget):
            while tests:
                total = min(budget, sum(took[test] for test in tests))
                limit = 20 + 2 * total + 3 * max(took[test] for test in tests)
                path.write_text(mutant, "utf-8")
                try:
                    outcome, by = run(tests, uncompiled, budget, limit)
                finally:
                    path.write_text(text, "utf-8")
                    os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))
                if not (by in took and self.fails_anyway(by, uncompiled)):
                    break
                outcome, tests = "survived", [test for test in tests if test != by]
            number += len(tests)
            if outcome != "survived":
                break
        seconds = round(time.monotonic() - began, 1)
        said = {"outcome": outcome, "by": by, "tests": number, "seconds": seconds, "budget": budget}
        return place | said | {"changed": changed}


class Results:
    """What is known of the mutants of a sample, in a file; two processes may add to it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        lines = path.read_text("utf-8").splitlines() if path.exists() else []
        self.known = {one["number"]: one for one in map(json.loads, lines)}  # the last counts

    def wants(self, number: int, budget: float) -> bool:
        """Whether a mutant has not been tried, or has survived tests of fewer seconds."""
        one = self.known.get(number)
        return one is None or (one["outcome"] == "survived" and one["budget"] < budget)

    def keep(self, number: int, told: dict[str, Any]) -> None:
        """Add or replace what is known, and tell it in a line."""
        self.known[number] = {"number": number} | told
        with self.path.open("a") as file:
            file.write(json.dumps(self.known[number]) + "\n")
        place = f"{told['path']}:{told['line']} {told['tests']} tests {told['seconds']} s"
        click.echo(f"{number + 1}: {told['outcome']} {place}", err=True)

    def all(self) -> list[dict[str, Any]]:
        """In the order of the sample."""
        return [self.known[number] for number in sorted(self.known)]


def try_all(
    kind: str,
    chosen: list[tuple[str, Mistake]],
    results: Results,
    budget: float,
    end: float,
) -> None:
    """Record what is not recorded yet, and try what has not been tried yet, until the end."""
    uncompiled, reached = kind == "uncompiled", results.path.parent / "reached"
    if not record(reached, uncompiled, end):
        return
    for name in PRELOADED:
        import_module(name)
    trial, compiled = Trial(Record(reached)), compiled_modules()
    for seconds in (min(QUICK, budget), budget):
        for number, (package, drawn) in enumerate(chosen):
            module = drawn.path.removeprefix("src/").removesuffix(".py").replace("/", ".")
            if (module in compiled) != uncompiled or not results.wants(number, seconds):
                continue
            if time.monotonic() > end:
                return
            told = trial.of(drawn, uncompiled, seconds)
            results.keep(number, {"package": package, **told})


def report(results: list[dict[str, Any]]) -> str:
    """A table of the figures, and what has survived, as Markdown."""
    from diablerie.lab.statistics import wilson

    counts = Counter((one["package"], one["outcome"]) for one in results)
    counts += Counter(("all", one["outcome"]) for one in results)
    rows = [f"| package | mutants | {' | '.join(OUTCOMES)} | killed, % | 95 % interval |"]
    rows.append("|---|" + "--:|" * 7)
    for package in [*PACKAGES, "all"]:
        here = [counts[package, outcome] for outcome in OUTCOMES]
        if total := sum(here):
            share = wilson(sum(counts[package, one] for one in KILLED) / total, total)
            told = f"{share.value:.0%} | {share.low:.0%} to {share.high:.0%}"
            rows.append(f"| {package} | {total} | {' | '.join(map(str, here))} | {told} |")
    for one in (one for one in results if one["outcome"] not in KILLED):
        rows += [f"\n- {one['outcome']}: {one['path']}:{one['line']} {one['kind']}\n"]
        rows += [f"      {line}" for line in one["changed"]]
    return "\n".join(rows)


def compiled_modules() -> set[str]:
    """What holds compiled code, or is imported by it."""
    told = "from diablerie.engine.sources import sources; print(*dict(sources()))"
    command = [sys.executable, "-c", told]
    return set(subprocess.run(command, check=True, capture_output=True, text=True).stdout.split())


@click.command(help=__doc__)
@click.argument("seed")
@click.option("--size", default=400, show_default=True, help="The mutants of the whole sample.")
@click.option("--first", default=10**6, help="Try only so many of them.")
@click.option("--budget", default=30.0, show_default=True, help="Seconds of tests for each.")
@click.option("--minutes", default=10**6, help="End after these; the same command goes on.")
@click.option("--only", type=click.Choice(KINDS), help="Try only what is tested in this way.")
def main(  # one parameter for each option
    seed: str, size: int, first: int, budget: float, minutes: int, only: str | None
) -> None:
    """Try what has not been tried yet, and print the figures."""
    end = time.monotonic() + 60 * minutes
    folder = copy_checkout()
    for kind in (only,) if only else KINDS:
        tree = folder / kind / "tree"
        os.chdir(tree)
        os.environ["PYTHONPATH"] = f"{tree}/src:{tree}"
        sys.path[:0] = [f"{tree}/src", str(tree)]
        chosen = kept_sample(folder / f"{seed}-{size}.sample.json", seed, size)[:first]
        try_all(kind, chosen, Results(folder / f"{seed}-{size}.jsonl"), budget, end)
    click.echo(report(Results(folder / f"{seed}-{size}.jsonl").all()))


if __name__ == "__main__":
    main()
