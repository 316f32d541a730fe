"""The shortest history of a failing seed that simple tries find.

Browsers, tables, troubles and kinds of faults are left out, as long as the same invariant still
fails; the rest is simulated with the same dice. What is left out is part of the report, so that it
can be simulated again, and gives the same history byte for byte.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from tests.storm.ledger import Violated
from tests.storm.simulation import RATES, SIZES, Size, simulate

RUNS = 60  # at most, until a history is short enough
LINES = 40  # of it that are shown


class Failure(NamedTuple):
    """A seed that fails: what does not hold, and the history up to there."""

    seed: int
    size: Size
    error: Violated
    history: Sequence[str]

    def __str__(self) -> str:
        table = self.error.table
        told = [line for line in self.history if _tells(line, table)]
        dropped = max(0, len(told) - LINES)
        left = ",".join(sorted(self.size.without))
        whole = replace(self.size, without=frozenset())
        size = next((name for name, one in SIZES.items() if one == whole), "")
        again = f'make storm SEED={self.seed} SIZE={size} WITHOUT="{left}"'
        return "\n".join(
            [f"seed {self.seed}: {self.error}", f"again: {again}"]
            + [f"… {dropped} lines before …"] * bool(dropped)
            + told[dropped:]
        )


def _tells(line: str, table: str) -> bool:
    return "fault" in line or " node " in line.split(" at node")[0] or not table or table in line


def failure(seed: int, size: Size) -> Failure | None:
    """How a seed fails; None if everything holds."""
    with TemporaryDirectory() as folder:
        try:
            simulate(seed, Path(folder), size)
        except Violated as error:
            return Failure(seed, size, error, error.history)
    return None


def shortened(found: Failure, tried: Callable[[int], None] = lambda _: None) -> Failure:
    """A shorter history of the same failure. `tried` is told how many have been tried."""
    names = [f"table {n}" for n in range(found.size.tables)]
    names += [f"trouble {n}" for n in range(10)] + list(RATES)
    names += [f"browser {n}" for n in range(found.size.browsers)]
    names = [name for name in names if name not in found.size.without]
    width, runs = max(1, len(names) // 2), 0
    while names and runs < RUNS:
        rest = list(names)
        while rest and runs < RUNS:
            part, rest = rest[:width], rest[width:]
            size = replace(found.size, without=found.size.without | set(part))
            runs += 1
            tried(runs)
            shorter = failure(found.seed, size)
            if shorter and shorter.error.invariant == found.error.invariant:
                found, names = shorter, [name for name in names if name not in part]
        if width == 1:
            break
        width = max(1, width // 3)
    return found
