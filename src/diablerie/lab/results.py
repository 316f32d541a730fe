"""The file of a tournament: JSON Lines, its terms and then one line per finished game.

A file is gone on with, or refused whole with the line that is wrong; nothing in it is changed.
"""

from collections.abc import Iterable, Mapping
from math import isfinite
from pathlib import Path
from types import TracebackType
from typing import IO, Any

import msgspec

from diablerie.lab.config import Terms
from diablerie.lab.pairing import Plan
from diablerie.lab.runner import Result

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]


class BadFile(ValueError):
    """A file that does not hold these results; the message names file and line."""


class Ledger:
    """The results of a tournament so far, in memory and, with a path, on disk."""

    def __init__(self, terms: Terms, plans: Iterable[Plan], path: str | Path | None = None) -> None:
        self.terms, self.path = terms, Path(path) if path is not None else None
        self.plans = {plan.number: plan for plan in plans}
        self.results: dict[int, Result] = {}
        self._out = self.path.open("ab") if self.path else None
        try:
            self._go_on()
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> "Ledger":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:  # fmt: skip
        self.close()

    def close(self) -> None:
        """Close the file."""
        if self._out:
            self._out.close()

    @property
    def missing(self) -> list[Plan]:
        """The games that are still to be played."""
        return [plan for number, plan in self.plans.items() if number not in self.results]

    def add(self, result: Result) -> None:
        """Keep the result of a game, at once."""
        self._write(result)
        self.results[result.game] = result

    def _go_on(self) -> None:
        """Read what the file holds, or begin it."""
        if self.path and self._out:
            if not alone(self._out):
                raise BadFile(f"{self.path}: another tournament is writing to it")
            data = self.path.read_bytes()
            if data:
                self._read(data)
            else:
                self._write(self.terms)

    def _write(self, line: msgspec.Struct) -> None:
        if self._out:
            self._out.write(msgspec.json.encode(line) + b"\n")
            self._out.flush()

    def _read(self, data: bytes) -> None:
        rows = data.split(b"\n")
        if rows.pop():
            raise self._bad(len(rows) + 1, "it is cut off; remove that line to go on")
        self._same(self._line(rows[0], Terms, 1))
        for n, row in enumerate(rows[1:], 2):
            result = self._line(row, Result, n)
            wrong = fault(self.terms, self.plans, self.results, result)
            if wrong:
                raise self._bad(n, wrong)
            self.results[result.game] = result

    def _line(self, row: bytes, kind: type[Any], n: int) -> Any:
        try:
            return msgspec.json.decode(row, type=kind)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise self._bad(n, f"not a line of a tournament's file ({error})") from None

    def _same(self, found: Terms) -> None:
        for name in Terms.__struct_fields__:
            theirs, ours = getattr(found, name), getattr(self.terms, name)
            if theirs != ours:
                a, b = (msgspec.json.encode(x).decode()[:80] for x in (theirs, ours))
                raise self._bad(1, f"another tournament, {name} {a}, not {b}")

    def _bad(self, line: int, why: str) -> BadFile:
        return BadFile(f"{self.path}, line {line}: {why}")


def alone(file: IO[bytes]) -> bool:
    """Lock a file against other processes, where the system can; False if one has it."""
    if fcntl:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
    return True


def fault(
    terms: Terms, plans: Mapping[int, Plan], known: Mapping[int, Result], found: Result
) -> str:
    """What is wrong with a result that a file holds; "" if nothing is."""
    if found.game not in plans:
        return f"there is no game {found.game}"
    if found.game in known:
        return f"game {found.game} is there twice"
    if found.players != names(terms, plans[found.game]):
        return f"game {found.game} is not between these players"
    lists = found.returns, found.decisions, found.seconds
    if any(len(numbers) != terms.seats for numbers in lists):
        return f"game {found.game} has not a number for each of {terms.seats} seats"
    sound = all(-1 <= x <= 1 for x in found.returns) and abs(sum(found.returns)) < 1e-9
    if not sound or min(found.decisions) < 0 or not all(isfinite(x) for x in found.seconds):
        return f"game {found.game} cannot have ended so"
    return ""


def names(terms: Terms, plan: Plan) -> tuple[str, ...]:
    """The players of a game, by seat."""
    return tuple(terms.players[player] for player in plan.players)
