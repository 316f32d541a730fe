"""The command `diablerie train`: progress to stderr, how it went to stdout, weights to a file."""

from pathlib import Path

import msgspec
from rich.console import Console
from rich.table import Table

from diablerie.lab.intervals import Estimate
from diablerie.lab.progress import reported
from diablerie.lab.telling import left_off, put
from diablerie.lab.train.config import Training
from diablerie.lab.train.running import Interrupted, Lap, Trained, conduct


def run(
    config: Training,
    *,
    out: Path,
    file: Path | None,
    workers: int | None,
    on: str = "",
    report: Path | None,
    words: str,
) -> bool:
    """Conduct a training and write what was learnt; False if Ctrl-C ended it early.

    words: the command that was given, for file and report.
    """
    err, last = Console(stderr=True), [""]

    def heard(lap: Lap) -> None:
        last[0] = f"generation {lap.generation + 1} of {config.generations} learnt"

    try:
        with reported(err, lambda: last[0]) as progress:
            found = conduct(config, file=file, workers=workers, on=on, progress=progress,
                            command=words, heard=heard)  # fmt: skip
    except Interrupted as early:
        left_off(err, early, file)
        return False
    write(found, out)
    put(table(found))
    print(f"{out}: {out.stat().st_size:,} bytes; search:value={out} plays by it")
    if report:
        from diablerie.lab.train.page import page

        report.write_text(page(found, words), "utf-8")
    return True


def write(found: Trained, out: Path) -> None:
    """Write what was learnt, whole or not at all."""
    half = out.with_name(f"{out.name}.part")
    half.write_bytes(msgspec.json.format(msgspec.json.encode(found.learnt)) + b"\n")
    half.replace(out)


def table(found: Trained) -> Table:
    """How well every generation was judged before it was played."""
    made = Table(title=f"{found.config.game}: mean squared error of what positions were taken for")
    for heading in ("seats", "generation", "by hand", "learnt", "smaller by"):
        made.add_column(heading, justify="right", no_wrap=True)
    for lap in sorted(found.laps, key=lambda one: (one.seats, one.generation)):
        made.add_row(str(lap.seats), str(lap.generation + 1), told(lap.hand), told(lap.learnt),
                     told(lap.better))  # fmt: skip
    return made


def told(one: Estimate | None) -> str:
    """An estimate in a cell."""
    return f"{one.value:.4f} [{one.low:.4f}, {one.high:.4f}]" if one else "–"
