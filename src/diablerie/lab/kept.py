"""A file of results as they come: JSON Lines, a config and then one line per finished job.

A file is gone on with, or refused whole with the line that is wrong; nothing in it is changed.
"""

from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Generic, Self, TypeVar

import msgspec

from diablerie.engine.text import Line, say
from diablerie.lab.errors import BadFile

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

Row = TypeVar("Row", bound=msgspec.Struct)


class Kept(Generic[Row]):
    """The results of jobs so far, in memory by the number of the job and, with a path, on disk.

    What a file is of says a subclass: `row` is the struct of its lines, `of` the number of a
    row's job, `games` how many games a job has, `fault` what is wrong with a row.
    """

    row: type[Row]

    def __init__(
        self, config: msgspec.Struct, jobs: Iterable[Any], path: str | Path | None = None
    ) -> None:
        self.config, self.path = config, Path(path) if path is not None else None
        self.jobs = {job.number: job for job in jobs}
        self.played: dict[int, Row] = {}
        self._out = self.path.open("ab") if self.path else None
        try:
            self._go_on()
        except BaseException:
            self.close()
            raise

    @property
    def specs(self) -> tuple[str, ...]:
        """The bots that play: those of one's own have modules that workers need."""
        return ()

    def of(self, row: Row) -> int:
        """The number of the job that a row is the result of."""
        raise NotImplementedError

    def games(self, job: Any) -> int:
        """How many games a job has."""
        return 1

    def fault(self, row: Row) -> Line | None:
        """What is wrong with a row that a file holds; None if nothing is."""
        raise NotImplementedError

    def __enter__(self) -> Self:
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
    def missing(self) -> list[Any]:
        """The jobs that are still to be done."""
        return [job for number, job in self.jobs.items() if number not in self.played]

    @property
    def done(self) -> int:
        """How many games are played."""
        return sum(self.games(self.jobs[number]) for number in self.played)

    def add(self, row: Row) -> None:
        """Keep the result of a job, at once."""
        self._write(row)
        self.played[self.of(row)] = row

    def _go_on(self) -> None:
        """Read what the file holds, or begin it."""
        if self.path and self._out:
            if not lock(self._out):
                raise BadFile(say("{file}: another process is writing to it", file=self.path))
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
        self._same(self._line(rows[0], type(self.config), 1))
        for n, row in enumerate(rows[1:], 2):
            self._take(row, n)

    def _take(self, row: bytes, n: int) -> None:
        """Take over a line, the n-th."""
        result = self._line(row, self.row, n)
        wrong = self.fault(result)
        if wrong:
            raise self._bad(n, wrong)
        self.played[self.of(result)] = result

    def _line(self, row: bytes, kind: type[Any], n: int) -> Any:
        try:
            return msgspec.json.decode(row, type=kind)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise self._bad(
                n, say("not a line of such a file ({error})", error=str(error))
            ) from None

    def _same(self, found: msgspec.Struct) -> None:
        wrong = self.other(found)
        if wrong:
            raise self._bad(1, wrong)

    def other(self, found: msgspec.Struct) -> Line | None:
        """In what a config is another one; None if it is the same."""
        for name in self.config.__struct_fields__:
            theirs, ours = getattr(found, name), getattr(self.config, name)
            if theirs != ours:
                a, b = (msgspec.json.encode(x).decode()[:80] for x in (theirs, ours))
                return say("another config, {name} {a}, not {b}", name=name, a=a, b=b)
        return None

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
