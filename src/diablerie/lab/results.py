"""The file of a tournament: JSON Lines, its config and then one line per finished game.

A file is gone on with, or refused whole with the line that is wrong; nothing in it is changed.
"""

from collections.abc import Iterable, Mapping
from math import isfinite
from pathlib import Path
from types import TracebackType
from typing import IO, Any

import msgspec

from diablerie.engine.text import Line, say
from diablerie.lab.config import Config
from diablerie.lab.errors import BadFile
from diablerie.lab.pairing import Fixture
from diablerie.lab.runner import Result

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]


class Results:
    """The results of a tournament so far, in memory and, with a path, on disk."""

    def __init__(
        self, config: Config, fixtures: Iterable[Fixture], path: str | Path | None = None
    ) -> None:
        self.config, self.path = config, Path(path) if path is not None else None
        self.fixtures = {fixture.number: fixture for fixture in fixtures}
        self.played: dict[int, Result] = {}
        self._out = self.path.open("ab") if self.path else None
        try:
            self._go_on()
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> "Results":
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
    def missing(self) -> list[Fixture]:
        """The games that are still to be played."""
        return [x for number, x in self.fixtures.items() if number not in self.played]

    def add(self, result: Result) -> None:
        """Keep the result of a game, at once."""
        self._write(result)
        self.played[result.game] = result

    def _go_on(self) -> None:
        """Read what the file holds, or begin it."""
        if self.path and self._out:
            if not lock(self._out):
                raise BadFile(say("{file}: another tournament is writing to it", file=self.path))
            data = self.path.read_bytes()
            if data:
                self._read(data)
            else:
                self._write(self.config)

    def _write(self, line: msgspec.Struct) -> None:
        if self._out:
            self._out.write(msgspec.json.encode(line) + b"\n")
            self._out.flush()

    def _read(self, data: bytes) -> None:
        rows = data.split(b"\n")
        if rows.pop():
            raise self._bad(len(rows) + 1, say("it is cut off; remove that line to go on"))
        self._same(self._line(rows[0], Config, 1))
        for n, row in enumerate(rows[1:], 2):
            result = self._line(row, Result, n)
            wrong = fault(self.config, self.fixtures, self.played, result)
            if wrong:
                raise self._bad(n, wrong)
            self.played[result.game] = result

    def _line(self, row: bytes, kind: type[Any], n: int) -> Any:
        try:
            return msgspec.json.decode(row, type=kind)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise self._bad(
                n, say("not a line of a tournament's file ({error})", error=str(error))
            ) from None

    def _same(self, found: Config) -> None:
        for name in Config.__struct_fields__:
            theirs, ours = getattr(found, name), getattr(self.config, name)
            if theirs != ours:
                a, b = (msgspec.json.encode(x).decode()[:80] for x in (theirs, ours))
                raise self._bad(
                    1, say("another tournament, {name} {a}, not {b}", name=name, a=a, b=b)
                )

    def _bad(self, line: int, why: Line) -> BadFile:
        return BadFile(say("{file}, line {line}: {why}", file=self.path, line=line, why=why))


def lock(file: IO[bytes]) -> bool:
    """Lock a file against other processes, where the system can; False if one has it."""
    if fcntl:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
    return True


def fault(
    config: Config, fixtures: Mapping[int, Fixture], known: Mapping[int, Result], found: Result
) -> Line | None:
    """What is wrong with a result that a file holds; None if nothing is."""
    n = found.game
    if n not in fixtures:
        return say("there is no game {n}", n=n)
    if n in known:
        return say("game {n} is there twice", n=n)
    if found.players != names(config, fixtures[n]):
        return say("game {n} is not between these players", n=n)
    lists = found.returns, found.decisions, found.seconds
    if any(len(numbers) != config.seats for numbers in lists):
        return say("game {n} has not a number for each of {seats} seats", n=n, seats=config.seats)
    sound = all(-1 <= x <= 1 for x in found.returns) and abs(sum(found.returns)) < 1e-9
    if not sound or min(found.decisions) < 0 or not all(isfinite(x) for x in found.seconds):
        return say("game {n} cannot have ended so", n=n)
    return None


def names(config: Config, fixture: Fixture) -> tuple[str, ...]:
    """The players of a game, by seat."""
    return tuple(config.players[player] for player in fixture.players)
