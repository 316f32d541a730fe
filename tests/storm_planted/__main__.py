"""`python -m tests.storm_planted [NAMES] [--seeds N] [--size small]`: which faults are found.

First every seed is simulated without a fault: one that fails then is left out, for it would find
anything. Then each fault is simulated in a process of its own, seed by seed, until something fails.
The table says what failed, at which seed and after how many lines of history, and how many seconds
of processor time that took.
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
NOTHING = Fault("", "", "", "", "", "")


class Asked(NamedTuple):
    """How to simulate: these seeds, which size (see `SIZES`), at most so many seconds a fault."""

    seeds: Sequence[int]
    size: str
    seconds: int


class Answer(NamedTuple):
    """What became of one fault: `how` is what failed first, "" if nothing did."""

    fault: Fault
    how: str
    seed: int
    line: int  # of the history, in which it failed
    seconds: float  # of processor time
    ended: bool = True  # false: its time was over before all seeds were simulated

    def __str__(self) -> str:
        told = self.how or ("nothing failed" if self.ended else "its time was over")
        where = f"{self.seed:>4} {self.line:>6}" if self.how else f"{'-':>4} {'-':>6}"
        return f"{self.fault.name:<32} {self.fault.kind:<8} {where} {self.seconds:>5.0f}  {told}"


@click.command()
@click.argument("names", nargs=-1)
@click.option("--seeds", default=5, help="So many seeds for each fault, at most.")
@click.option("--first", default=0, help="The first seed.")
@click.option(
    "--size", default="long", help="Small, as in `make test`; short, as in `make nightly`."
)
@click.option("--seconds", default=900, help="At most so long for each fault.")
@click.option("--side", default=1, help="So many faults at once.")
@click.option("--only", default="", help="Only these seeds, which are known to hold: 1,2,5.")
@click.option("--alone", hidden=True, help="Simulate this fault in this process; '': none.")
def main(
    names: Sequence[str],
    seeds: int,
    first: int,
    size: str,
    seconds: int,
    side: int,
    only: str,
    alone: str | None,
) -> None:
    """Simulate the whole system with each planted fault (or those named), and tell what is found."""
    faults = {fault.name: fault for fault in all_faults()}
    numbers = [int(one) for one in only.split(",")] if only else list(range(first, first + seeds))
    asked = Asked(numbers, size, seconds)
    if alone is not None:
        sys.exit(simulated(faults.get(alone, NOTHING), asked))
    if unknown := sorted(set(names) - set(faults)):
        raise click.UsageError(f"there is no fault {', '.join(unknown)}")
    if not only:
        asked = asked._replace(seeds=[one for one in numbers if holds(one, asked)])
    if not asked.seeds:
        raise click.ClickException("no seed holds without a fault")
    report([faults[name] for name in names] or list(faults.values()), asked, side)


def holds(seed: int, asked: Asked) -> bool:
    """Whether nothing fails in a seed without a fault; tells what does."""
    answer = apart(NOTHING, asked._replace(seeds=[seed]))
    if answer.how:
        click.echo(f"seed {seed} is left out, for it fails without a fault: {answer.how}")
    return not answer.how and answer.ended


def report(faults: Sequence[Fault], asked: Asked, side: int) -> None:
    """Simulate the faults, and print the table and the sums."""
    answers = list[Answer]()
    click.echo(f"{'fault':<32} {'kind':<8} seed   line  secs  what failed")
    with click.progressbar(length=len(faults), file=sys.stderr, show_pos=True) as bar:
        for answer in answered(faults, asked, side):
            answers.append(answer)
            click.echo(f"\r{answer}" if sys.stderr.isatty() else str(answer))
            bar.update(1)
    for kind in dict.fromkeys(fault.kind for fault in faults):
        of = [answer for answer in answers if answer.fault.kind == kind]
        click.echo(f"{kind}: {sum(bool(one.how) for one in of)} of {len(of)} found")
    missing = [answer.fault for answer in answers if not answer.how]
    click.echo(f"all: {len(answers) - len(missing)} of {len(answers)} found")
    for fault in missing:
        click.echo(f"not found: {fault.name} ({fault.file}): {fault.wrong}")


def answered(faults: Sequence[Fault], asked: Asked, side: int) -> Iterator[Answer]:
    """What became of each fault, as soon as it is known."""
    with ThreadPoolExecutor(side) as pool:
        waiting = [pool.submit(apart, fault, asked) for fault in faults]
        for done in as_completed(waiting):
            yield done.result()


def apart(fault: Fault, asked: Asked) -> Answer:
    """Simulate a fault in a process of its own."""
    command = [sys.executable, "-m", "tests.storm_planted", "--alone", fault.name]
    command += ["--only", ",".join(map(str, asked.seeds)), "--size", asked.size]
    environment = os.environ | {"PYTHONHASHSEED": "0"}  # sets of strings have an order of their own
    first = asked.seeds[0]
    try:
        ran = subprocess.run(
            command,
            env=environment,
            capture_output=True,
            text=True,
            timeout=asked.seconds,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return Answer(fault, "", first, 0, float(asked.seconds), ended=False)
    if ran.returncode not in (FOUND, SILENT):
        told = " ".join(ran.stderr.split())[-TOLD:]
        return Answer(fault, f"exit status {ran.returncode}: {told}", first, 0, 0.0)
    seed, line, spent, how = ran.stdout.splitlines()[-4:]
    return Answer(fault, how.strip(), int(seed), int(line), float(spent))


def simulated(fault: Fault, asked: Asked) -> int:
    """Simulate seed after seed with the fault until something fails.

    Prints the last seed, the lines of history, the seconds of processor time, and what failed.
    """
    if fault.name:
        plant(fault)
    from tests.storm.simulation import SIZES, simulate

    how, lines = " ", 0
    for seed in asked.seeds:
        with TemporaryDirectory() as folder:
            try:
                simulate(seed, Path(folder), SIZES[asked.size])
            except Exception as error:
                how, lines = shortened(error), len(getattr(error, "history", ()))
                break
    print(f"{seed}\n{lines}\n{time.process_time():.1f}\n{how}")
    return FOUND if how.strip() else SILENT


def shortened(error: Exception) -> str:
    """The kind of a failure and the beginning of what it says."""
    text = re.sub(r"\s+", " ", str(error)).strip()
    return f"{type(error).__name__}: {text}"[:TOLD]


if __name__ == "__main__":
    main()
