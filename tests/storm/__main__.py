"""`python -m tests.storm SEED [--seeds N] [--size small] [--history] [--without "table 3,…"]`."""

import os
import sys
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import click

from tests.storm.ledger import Violated
from tests.storm.shorten import Failure, shortened
from tests.storm.simulation import SIZES, Size, simulate


class Told(NamedTuple):
    """What one seed gave: figures, or how it failed."""

    seed: int
    failed: str = ""
    steps: int = 0
    hours: float = 0.0  # simulated, of all tables
    seconds: float = 0.0  # of processor time
    decisions: int = 0
    checks: int = 0
    digest: str = ""


def one(seed: int, size: Size, short: bool) -> Told:
    """Simulate one seed."""
    began = time.process_time()
    with TemporaryDirectory() as folder:
        try:
            world = simulate(seed, Path(folder), size)
        except Violated as error:
            found = Failure(seed, size, error, error.history)
            return Told(seed, str(shortened(found) if short else found))
    hours = world.size.tables * world.timeline.passed / 3600
    return Told(
        seed, "", world.steps, hours, time.process_time() - began,
        world.answers.counts["acknowledged"], world.ledger.explained, world.digest(),
    )  # fmt: skip


@click.command()
@click.argument("seed", type=int)
@click.option("--seeds", default=1, help="So many seeds, beginning with SEED.")
@click.option("--jobs", default=os.cpu_count() or 1, help="Processes side by side.")
@click.option(
    "--size",
    type=click.Choice(list(SIZES)),
    default="long",
    help="Small: two tables and few browsers, as in `make test`; short: ten seconds of faults, as "
    "in `make nightly`.",
)
@click.option("--without", default="", help="What to leave out, as a failing seed says it.")
@click.option("--history", is_flag=True, help="Print everything that happened (of one seed).")
@click.option("--shorten/--no-shorten", default=True, help="Look for a shorter history.")
def main(
    seed: int, seeds: int, jobs: int, size: str, without: str, history: bool, shorten: bool
) -> None:
    """Simulate the whole system from one seed, or from several."""
    if os.environ.get("PYTHONHASHSEED") != "0":  # sets of strings have an order of their own
        os.environ["PYTHONHASHSEED"] = "0"
        os.execv(sys.executable, [sys.executable, "-m", "tests.storm", *sys.argv[1:]])
    left = frozenset(filter(None, without.split(",")))
    chosen = replace(SIZES[size], without=left)
    if history:
        with TemporaryDirectory() as folder:
            click.echo("\n".join(simulate(seed, Path(folder), chosen).timeline.history))
        return
    told = []
    with ProcessPoolExecutor(max_workers=min(jobs, seeds)) as pool:
        runs = [pool.submit(one, number, chosen, shorten) for number in range(seed, seed + seeds)]
        with click.progressbar(length=seeds, label="seeds", file=sys.stderr) as bar:
            for run in as_completed(runs):
                told.append(run.result())
                click.echo(line_of(told[-1]))
                bar.update(1)
    conclude(told)


def line_of(one: Told) -> str:
    """What a seed gave, in a line, or how it failed."""
    return one.failed or (
        f"seed {one.seed}: {one.steps} steps, {one.decisions} answers, {one.checks} changes "
        f"explained, {one.seconds:.1f} s of processor time, history {one.digest[:12]}"
    )


def conclude(told: list[Told]) -> None:
    """Print what all seeds gave together; status 1 if one has failed."""
    well = [one for one in told if not one.failed]
    seconds = sum(one.seconds for one in well) or 1.0
    click.echo(
        f"{len(well)} of {len(told)} seeds hold; {sum(one.steps for one in well) / seconds:.0f} "
        f"steps in a second, and {60 * sum(one.hours for one in well) / seconds:.1f} simulated "
        "table-hours in a minute, of processor time"
    )
    sys.exit(len(well) < len(told))


if __name__ == "__main__":
    main()
