"""Do the tests notice? A sample of small mistakes, made by cosmic-ray, and the tests nearest to each.

    python -m tools.mutants 2028            # 400 mutants of the last commit; stopped, it goes on
    python -m tools.mutants 2028 --size 80  # so many

The last commit is cloned into a folder of `mutants`. There cosmic-ray makes one mistake at a time,
and `tools.quick` runs the tests nearest to the file with the mistake, uncompiled where Numba would
compile it. A mutant on which no test fails has survived; those whose tests take too long (that may
be the machine) or cannot be run at all (it is no Python any more) are counted apart.
"""

import os
import random
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import click
from cosmic_ray.commands import execute, init
from cosmic_ray.config import ConfigDict
from cosmic_ray.work_db import WorkDB
from cosmic_ray.work_item import WorkerOutcome, WorkResult

from tools import quick

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = {name: f"src/diablerie/{name}" for name in ("table", "web", "engine", "bots", "lab")}
PACKAGES["rules"] = "src/diablerie/games/*/rules"
LEFT_OUT = re.compile(r"/migrations/|/__init__\.py$")
SAME = re.compile(r"(?<!_Is)(_Is|_IsNot)$|RemoveDecorator$|BitOr")  # as good, or in an annotation
SECONDS = 120.0  # of the tests of a mutant
TESTS = [sys.executable, "-m", "tools.mutants", "nearest"]
OUTCOMES = ("killed", "timeout", "unrun", "survived")


def cloned() -> Path:
    """The folder of the last commit, where its clone lies in `tree`."""
    asked = ["git", "rev-parse", "--short=12", "HEAD"]
    commit = subprocess.run(asked, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    folder = ROOT / "mutants" / commit.strip()
    if not (folder / "tree").exists():
        subprocess.run(["git", "clone", "-q", str(ROOT), str(folder / "tree")], check=True)
    return folder


def drawn(session: WorkDB, seed: str, size: int) -> None:
    """List all mistakes and skip those that are not drawn; each package has its share by its files."""
    paths = {
        path: package
        for package, pattern in PACKAGES.items()
        for path in sorted(Path().glob(pattern + "/**/*.py"))
        if not LEFT_OUT.search(str(path))
    }
    init(paths, session, {})
    items = [(item.job_id, item.mutations[0]) for item in session.work_items]
    good = [job for job, one in items if not SAME.search(one.operator_name)]
    places = {job: (one.module_path, one.operator_name, one.occurrence) for job, one in items}
    kept = set(random.Random(seed).sample(sorted(good, key=lambda job: places[job]), size))
    others = [job for job, _ in items if job not in kept]
    session.set_multiple_results(others, WorkResult(WorkerOutcome.SKIPPED))


def nearest() -> int:
    """Run the tests nearest to the file with the mistake: the command that cosmic-ray gives."""
    told = "from diablerie.engine.sources import sources; print(*dict(sources()))"
    done = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, check=False)
    (path,) = quick.edited()
    module = path.removeprefix("src/").removesuffix(".py").replace("/", ".")
    os.environ["NUMBA_DISABLE_JIT"] = str(int(module in done.stdout.split()))
    return quick.main(["-x", "-n", "0", "-p", "no:cacheprovider"])


def told(session: WorkDB) -> list[dict[str, Any]]:
    """What became of each mutant that was tried."""
    places = {item.job_id: item.mutations[0] for item in session.work_items}
    found = []
    for job, result in session.results:
        if result.worker_outcome is WorkerOutcome.SKIPPED:
            continue
        path = str(places[job].module_path)
        output = result.output or ""
        ran = "killed" if result.is_killed else "survived"
        outcome = "timeout" if output == "timeout" else ran if "tests:" in output else "unrun"
        name = path.split("/")[2]
        package = "rules" if name == "games" else name
        line = f"{path}:{places[job].start_pos[0]} {places[job].operator_name}"
        found.append({"package": package, "outcome": outcome, "line": line, "diff": result.diff})
    return sorted(found, key=lambda one: str(one["line"]))


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
            share = wilson(here[0] / total, total)
            said = f"{share.value:.0%} | {share.low:.0%} to {share.high:.0%}"
            rows.append(f"| {package} | {total} | {' | '.join(map(str, here))} | {said} |")
    for one in (one for one in results if one["outcome"] != "killed"):
        rows += [f"\n- {one['outcome']}: {one['line']}\n"]
        rows += [f"      {line}" for line in (one["diff"] or "").splitlines()]
    return "\n".join(rows)


@click.command(help=__doc__)
@click.argument("seed")
@click.option("--size", default=400, show_default=True, help="The mutants of the sample.")
def main(seed: str, size: int) -> None:
    """Try what has not been tried yet, and print the figures."""
    if seed == "nearest":
        sys.exit(nearest())
    folder = cloned()
    os.chdir(folder / "tree")
    os.environ["PYTHONPATH"] = f"{folder}/tree/src:{folder}/tree:{os.environ.get('PYTHONPATH', '')}"
    session = WorkDB(folder / f"{seed}-{size}.sqlite", WorkDB.Mode.create)
    if not session.num_work_items:
        drawn(session, seed, size)
    settings = {"test-command": " ".join(TESTS), "timeout": SECONDS}
    config = ConfigDict(settings | {"distributor": {"name": "local"}})
    try:
        execute(session, config)
    finally:
        subprocess.run(["git", "checkout", "-q", "."], check=True)
        click.echo(report(told(session)))


if __name__ == "__main__":
    main()
