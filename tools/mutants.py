"""Do the tests notice? A sample of small mistakes, made by cosmic-ray, and the tests run on each.

    python -m tools.mutants 2028                 # the 400 mutants of a seed; stopped, it goes on
    python -m tools.mutants 2028 --first 80      # so many of them, spread in the same way

Lines are drawn first, each package's share by its lines, then one mistake in each line. All runs in
a copy of the checkout in the folder `mutants`, where results stay. A mutant's tests are those that
import its module, the 16 nearest files (same folder first), until they have taken
`budget` seconds of processor time. What Numba compiles, such as the games' rules, is tested uncompiled.
"""

import ast
import json
import os
import random
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click
import grimp
from cosmic_ray.commands import init
from cosmic_ray.mutating import mutate_and_test
from cosmic_ray.work_db import WorkDB, use_db
from cosmic_ray.work_item import MutationSpec, TestOutcome

from diablerie.engine.sources import sources
from diablerie.lab.statistics import wilson

ROOT = Path(__file__).resolve().parent.parent
FOLDER, TREE = ROOT / "mutants", ROOT / "mutants/tree"
PACKAGES = {name: f"src/diablerie/{name}" for name in ("table", "web", "engine", "bots", "lab")}
PACKAGES["rules"] = "src/diablerie/games/*/rules"
LEFT_OUT = re.compile(r"/migrations/|/__init__\.py$")
SAME = re.compile(r"(?<!_Is)(_Is|_IsNot)$|RemoveDecorator$")  # as good: `is` for small numbers
PYTEST = [sys.executable, "-m", "pytest", "-x", "-n0", "-p", "tools.time_budget"]
PYTEST += ["-m", "not nightly and not browser and not slow"]
NEAREST = 16  # test files for a mutant
PATIENCE = 15  # seconds on the clock for one of processor time, then it is a timeout
OUTCOMES = ("killed", "timeout", "survived")
passes: set[tuple[str, str]] = set()  # tests known to pass on the sound code, by NUMBA_DISABLE_JIT


def copy_checkout() -> None:
    """Copy what git does not ignore to where mistakes can be made."""
    shutil.rmtree(TREE, ignore_errors=True)
    listed = ["git", "ls-files", "-co", "--exclude-standard"]
    names = subprocess.run(listed, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    for name in names.splitlines():
        if (ROOT / name).is_file():
            (TREE / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, TREE / name)


def mistakes(path: str) -> dict[int, list[MutationSpec]]:
    """All that cosmic-ray can do to a file, by line; what it does to annotations is left out."""
    types: list[tuple[tuple[int, int], tuple[int, int]]] = []
    for node in ast.walk(ast.parse(Path(path).read_text("utf-8"))):
        for part in (getattr(node, "annotation", None), getattr(node, "returns", None)):
            if part:
                end = part.end_lineno, part.end_col_offset
                types.append(((part.lineno, part.col_offset), end))
    found: dict[int, list[MutationSpec]] = {}
    with TemporaryDirectory() as folder, use_db(f"{folder}/db", WorkDB.Mode.create) as database:
        init([Path(path)], database, {})
        for one in (item.mutations[0] for item in database.work_items):
            typed = any(first <= one.start_pos < last for first, last in types)
            if not typed and not SAME.search(one.operator_name):
                found.setdefault(one.start_pos[0], []).append(one)
    return found


def sample(seed: str, size: int) -> Iterator[tuple[str, MutationSpec]]:
    """The mutants of a seed, the packages in turns, so that the first ones are spread, too."""
    lines: dict[str, list[tuple[str, int]]] = {}
    for package, pattern in PACKAGES.items():
        paths = sorted(str(path.relative_to(TREE)) for path in TREE.glob(pattern + "/**/*.py"))
        texts = {path: Path(path).read_text("utf-8") for path in paths if not LEFT_OUT.search(path)}
        lines[package] = [(p, k) for p in texts for k in range(1, texts[p].count("\n") + 1)]
    known: dict[str, dict[int, list[MutationSpec]]] = {}
    turns = []
    for package, places in lines.items():
        random.Random(f"{seed} {package}").shuffle(places)
        share = round(size * len(places) / sum(map(len, lines.values())))
        turns += [((k + 0.5) / share, package) for k in range(share)]
    for turn, package in sorted(turns):
        found: list[MutationSpec] = []
        while not found:
            path, line = lines[package].pop()
            if path not in known:
                known[path] = mistakes(path)
            found = known[path].get(line, [])
        yield package, random.Random(f"{seed} {turn} {package}").choice(found)


def import_graph() -> grimp.ImportGraph:
    """Who imports what, in the package and the tests; a folder's tests import its conftest."""
    sys.path[:0] = [str(TREE / "src"), str(TREE)]
    graph = grimp.build_graph("diablerie", "tests", cache_dir=None)
    for conftest in [name for name in graph.modules if name.endswith(".conftest")]:
        for test in graph.find_descendants(conftest.rpartition(".")[0]):
            graph.add_import(importer=test, imported=conftest)
    return graph


def tests_of(graph: grimp.ImportGraph, module: str) -> list[str]:
    """The paths of the test files that import a module, the nearest ones, those first."""
    ways = []
    for test in graph.find_downstream_modules(module):
        if re.match(r"tests\..*\btest_\w+$", test):
            chain = graph.find_shortest_chain(importer=test, imported=module) or ()
            elsewhere = test.split(".")[1] not in module.split(".")
            ways.append((elsewhere, len(chain), test.replace(".", "/") + ".py"))
    return [path for _, _, path in sorted(ways)][:NEAREST]


def tried(spec: MutationSpec, tests: list[str], budget: float) -> dict[str, Any]:
    """What the tests say of a mutant. A test that fails on the sound code, too, is left out."""
    left_out: list[str] = []
    while True:
        words = [*PYTEST, *left_out, *tests]
        command = " ".join(f"'{word}'" for word in words)
        result = mutate_and_test([spec], command, PATIENCE * budget)
        outcome = "killed" if result.test_outcome is TestOutcome.KILLED else "survived"
        outcome = "timeout" if result.output == "timeout" else outcome
        failed = re.search(r"^(?:FAILED|ERROR) (\S+)", result.output or "", re.MULTILINE)
        if outcome != "killed" or not failed:
            break
        known = failed[1], os.environ["NUMBA_DISABLE_JIT"]
        if known in passes:
            break
        sound = subprocess.run([*PYTEST, failed[1]], check=False, capture_output=True)
        if sound.returncode == 0:
            passes.add(known)
            break
        left_out += ["--deselect", failed[1]]
    changed = [line for line in (result.diff or "").splitlines() if re.match(r"[-+] ", line)]
    place = {"path": str(spec.module_path), "line": spec.start_pos[0], "kind": spec.operator_name}
    by = failed[1] if failed else (result.output or "")[-200:] * (outcome == "killed")
    return place | {"outcome": outcome, "by": by, "changed": changed, "left_out": left_out[1::2]}


def report(results: list[dict[str, Any]]) -> str:
    """A table of the figures, and what has survived, as Markdown."""
    counts = Counter((one["package"], one["outcome"]) for one in results)
    counts += Counter(("all", one["outcome"]) for one in results)
    rows = [f"| package | mutants | {' | '.join(OUTCOMES)} | killed, % | 95 % interval |"]
    rows.append("|---|" + "--:|" * 6)
    for package in [*PACKAGES, "all"]:
        here = [counts[package, outcome] for outcome in OUTCOMES]
        if total := sum(here):
            share = wilson(here[0] / total, total)
            told = f"{share.value:.0%} | {share.low:.0%} to {share.high:.0%}"
            rows.append(f"| {package} | {total} | {' | '.join(map(str, here))} | {told} |")
    for one in (one for one in results if one["outcome"] != "killed"):
        rows += [f"\n- {one['outcome']}: {one['path']}:{one['line']} {one['kind']}\n"]
        rows += [f"      {line}" for line in one["changed"]]
    return "\n".join(rows)


@click.command(help=__doc__)
@click.argument("seed")
@click.option("--size", default=400, show_default=True, help="The mutants of the whole sample.")
@click.option("--first", default=10**6, help="Try only so many of them.")
@click.option("--budget", default=60.0, show_default=True, help="Seconds of tests for each.")
def main(seed: str, size: int, first: int, budget: float) -> None:
    """Try what has not been tried yet, and print the figures."""
    copy_checkout()
    os.chdir(TREE)
    os.environ |= {"PYTHONPATH": "src:.", "TIME_BUDGET": str(budget)}
    kept, graph, compiled = FOLDER / f"{seed}-{size}.jsonl", import_graph(), dict(sources())
    results = [json.loads(line) for line in kept.read_text().splitlines()] if kept.exists() else []
    for number, (package, spec) in enumerate(sample(seed, size)):
        if len(results) <= number < first:
            module = (
                str(spec.module_path).removeprefix("src/").removesuffix(".py").replace("/", ".")
            )
            os.environ["NUMBA_DISABLE_JIT"] = str(int(module in compiled))
            one = {"package": package, **tried(spec, tests_of(graph, module), budget)}
            results.append(one)
            with kept.open("a") as file:
                file.write(json.dumps(one) + "\n")
            click.echo(f"{number + 1}: {one['outcome']} {one['path']}:{one['line']}", err=True)
    click.echo(report(results))


if __name__ == "__main__":
    main()
