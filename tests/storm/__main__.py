"""`python -m tests.storm SEED [--seeds N] [--history]`: see tests/storm/simulation.py."""

import os
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from tests.storm.invariants import Violated
from tests.storm.simulation import BEGIN, simulate


@click.command()
@click.argument("seed", type=int)
@click.option("--seeds", default=1, help="So many seeds, beginning with SEED.")
@click.option("--history", is_flag=True, help="Print everything that happened.")
def main(seed: int, seeds: int, history: bool) -> None:
    """Simulate the whole system from one seed."""
    if os.environ.get("PYTHONHASHSEED") != "0":  # sets of strings have an order of their own
        os.environ["PYTHONHASHSEED"] = "0"
        os.execv(sys.executable, [sys.executable, "-m", "tests.storm", *sys.argv[1:]])
    hours = began = 0.0
    began = time.process_time()
    failed = []
    for number in range(seed, seed + seeds):
        with TemporaryDirectory() as folder:
            try:
                world = simulate(number, Path(folder))
            except Violated as error:
                failed.append(number)
                click.echo(error)
                continue
        seconds = world.timeline.monotonic() - BEGIN
        hours += world.size.tables * seconds / 3600
        click.echo(
            f"seed {number}: {world.steps} steps, {seconds:.0f} s simulated, "
            f"{world.counts['acknowledged']} decisions, {world.counts['pages']} pages, "
            f"history {world.digest()[:12]}"
        )
        if history:
            click.echo("\n".join(world.timeline.history))
    minutes = (time.process_time() - began) / 60
    click.echo(f"{hours / minutes:.0f} simulated table-hours in a minute of processor time")
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
