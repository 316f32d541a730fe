"""`python -m tests.storm_planted [NAMES] [--seeds N]`: which planted faults the simulation finds.

Each fault is simulated in a process of its own, seed by seed, until something fails. The table says
what failed, at which seed and step, and after how many seconds of processor time.
"""

import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import click

from tests.storm_planted.faults import Fault, all_faults, plant

TOLD = 110  # characters of what is said of a failure
FOUND, SILENT = 3, 0  # exit status of a simulation that failed, and of one that did not


class Answer(NamedTuple):
    """What became of one fault: `how` is what failed first, "" if nothing did."""

    fault: Fault
    how: str
    seed: int
    seconds: float  # of processor time
    ended: bool = True  # false: its time was over before all seeds were simulated

    def __str__(self) -> str:
        told = self.how or ("nothing failed" if self.ended else "its time was over")
        seed = str(self.seed) if self.how else "-"
        return f"{self.fault.name:<34} {self.fault.kind:<9} {seed:>4} {self.seconds:>5.0f}  {told}"


@click.command()
@click.argument("names", nargs=-1)
@click.option("--seeds", default=5, help="So many seeds for each fault, at most.")
@click.option("--first", default=0, help="The first seed.")
@click.option("--seconds", default=900, help="At most so long for each fault.")
@click.option("--side", default=1, help="So many faults at once.")
@click.option("--alone", hidden=True, help="Simulate this fault here, in this process.")
def main(
    names: Sequence[str], seeds: int, first: int, seconds: int, side: int, alone: str | None
) -> None:
    """Simulate the whole system with each planted fault (or those named), and tell what is found."""
    faults = {fault.name: fault for fault in all_faults()}
    if alone:
        sys.exit(simulated(faults[alone], range(first, first + seeds)))
    if unknown := sorted(set(names) - set(faults)):
        raise click.UsageError(f"there is no fault {', '.join(unknown)}")
    chosen = [faults[name] for name in names] or list(faults.values())
    answers = list[Answer]()
    click.echo(f"{'fault':<34} {'kind':<9} seed  secs  what failed")
    with click.progressbar(length=len(chosen), file=sys.stderr, show_pos=True) as bar:
        for answer in answered(chosen, seeds, first, seconds, side):
            answers.append(answer)
            click.echo(f"\r{answer}" if sys.stderr.isatty() else str(answer))
            bar.update(1)
    for kind in dict.fromkeys(fault.kind for fault in chosen):
        of = [answer for answer in answers if answer.fault.kind == kind]
        click.echo(f"{kind}: {sum(bool(one.how) for one in of)} of {len(of)} found")
    missing = [answer.fault for answer in answers if not answer.how]
    click.echo(f"all: {len(answers) - len(missing)} of {len(answers)} found")
    for fault in missing:
        click.echo(f"not found: {fault.name} ({fault.file}): {fault.wrong}")


def answered(
    faults: Sequence[Fault], seeds: int, first: int, seconds: int, side: int
) -> Iterator[Answer]:
    """What became of each fault, as soon as it is known."""
    with ThreadPoolExecutor(side) as pool:
        waiting = [pool.submit(apart, fault, seeds, first, seconds) for fault in faults]
        for done in as_completed(waiting):
            yield done.result()


def apart(fault: Fault, seeds: int, first: int, seconds: int) -> Answer:
    """Simulate a fault in a process of its own."""
    command = [sys.executable, "-m", "tests.storm_planted", "--alone", fault.name]
    command += ["--seeds", str(seeds), "--first", str(first)]
    environment = os.environ | {"PYTHONHASHSEED": "0"}  # sets of strings have an order of their own
    try:
        ran = subprocess.run(
            command, env=environment, capture_output=True, text=True, timeout=seconds, check=False
        )
    except subprocess.TimeoutExpired:
        return Answer(fault, "", first, float(seconds), ended=False)
    if ran.returncode not in (FOUND, SILENT):
        told = " ".join(ran.stderr.split())[-TOLD:]
        return Answer(fault, f"exit status {ran.returncode}: {told}", first, 0.0)
    seed, spent, how = ran.stdout.splitlines()[-3:]
    return Answer(fault, how, int(seed), float(spent))


def simulated(fault: Fault, seeds: Sequence[int]) -> int:
    """Simulate seed after seed with the fault until something fails.

    Prints the last seed, the seconds of processor time, and what failed.
    """
    plant(fault)
    from tests.storm.simulation import simulate

    how = ""
    for seed in seeds:
        with TemporaryDirectory() as folder:
            try:
                simulate(seed, Path(folder))
            except Exception as error:
                how = shortened(error)
                break
    print(f"{seed}\n{time.process_time():.1f}\n{how}")
    return FOUND if how else SILENT


def shortened(error: Exception) -> str:
    """The kind of a failure and the beginning of what it says."""
    text = re.sub(r"\s+", " ", str(error)).strip()
    return f"{type(error).__name__}: {text}"[:TOLD]


if __name__ == "__main__":
    main()
