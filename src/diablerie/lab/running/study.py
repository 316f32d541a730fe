"""What a study is, a few functions, and its results so far, which a later run continues.

The file of the results has JSON Lines: a config, then one line for each finished job. A run never
changes a line that is there, and refuses a file with a wrong line whole.
"""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import IO, Any, Generic, NamedTuple, Self, TypeVar

import msgspec

from diablerie.engine.foreign_json import BadJson, read_json
from diablerie.engine.text import Line, say
from diablerie.lab.running.errors import BadFile
from diablerie.lab.running.processes import Stop
from diablerie.lab.running.settings import StudyConfig

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]


def different_field(theirs: msgspec.Struct, ours: msgspec.Struct) -> Line | None:
    """The sentence that names the first field in which two configs differ; None if none does."""
    for name in ours.__struct_fields__:
        there = getattr(theirs, name)
        here = getattr(ours, name)
        if there != here:
            return different_config(name, there, here)
    return None


def different_config(name: str, theirs: object, ours: object) -> Line:
    """The sentence that a file's config differs in one field."""
    a, b = (msgspec.json.encode(x).decode()[:80] for x in (theirs, ours))
    return say("another config, {name} {a}, not {b}", name=name, a=a, b=b)


def check_writable(path: Path) -> None:
    """Find out whether a file can be written, before anything is played; leave it as it is.

    Raises OSError.
    """
    there = path.exists()
    with path.open("ab"):
        only_files(path)
    if not there:
        path.unlink()


def only_files(path: Path) -> None:
    """Refuse a device: it could be read without end, and is nothing to be replaced."""
    if not path.is_file():
        raise OSError(0, "not a file", path)


def lock_file(file: IO[bytes], wait: bool = False) -> bool:
    """Lock a file against other processes, where the system can; False if one has the lock.

    wait: return only once no other process has it.
    """
    if fcntl:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if wait:
                fcntl.flock(file, fcntl.LOCK_SH)
            return False
    return True


Config = TypeVar("Config", bound=StudyConfig)
Row = TypeVar("Row", bound=msgspec.Struct)
Summary = TypeVar("Summary")
Read = TypeVar("Read", bound=msgspec.Struct)


class Study(NamedTuple, Generic[Config, Row, Summary]):
    """Functions of a config. `play` and `warm` are pickled for the workers.

    row: a line of the file; jobs: all jobs, each with the attribute `number`, and `games` unless it
    is one game; warm: compiles what jobs need; play: a job's row (see `processes.Work`); is_sound:
    whether a row can be the result of a job; summary: what the results so far mean, given games a
    second if they are known, and None if they say nothing yet.

    unit: what a job is called in messages; where it is "game", `row.game` is its number, else
    `row.job`. enough: whether the results suffice although jobs are missing; status: text behind
    the counts of games while it runs; folder: where files of workers are written.
    """

    row: type[Row]
    jobs: Callable[[Config], Iterable[Any]]
    warm: Callable[[Config], None]
    play: Callable[[Config, Any, Stop], Any]
    is_sound: Callable[[Config, Any, Row], bool]
    summary: Callable[[Any, float | None], Summary | None]
    unit: str = "chunk"
    enough: Callable[[Any], bool] = lambda _: False
    status: Callable[[], str] = str
    folder: Path | None = None


class Results(Generic[Config, Row, Summary]):
    """The results of jobs so far: in memory by the number of the job and, with a file, on disk.

    The constructor locks and reads the file, or begins it; it raises BadFile and OSError.
    """

    def __init__(
        self,
        study: Study[Config, Row, Summary],
        config: Config,
        file: str | Path | None = None,
    ) -> None:
        self.study = study
        self.config = config
        self.file = Path(file) if file is not None else None
        self.jobs = self.numbered_jobs()
        self.played: dict[int, Row] = {}  # by the number of the job
        self._out = self.file.open("ab") if self.file else None
        try:
            self._resume()
        except BaseException:
            self.close()
            raise

    def numbered_jobs(self) -> dict[int, Any]:
        """All jobs of the study by their number, done or not."""
        return {job.number: job for job in self.study.jobs(self.config)}

    def number(self, row: Any) -> int:
        """The number of the job that a line is the result of."""
        return int(row.game if self.study.unit == "game" else row.job)

    @property
    def missing(self) -> list[Any]:
        """The jobs that are still to be done."""
        return [job for number, job in self.jobs.items() if number not in self.played]

    @property
    def rows(self) -> list[Row]:
        """The results so far, in the order of their jobs."""
        return [self.played[number] for number in sorted(self.played)]

    @property
    def done(self) -> int:
        """How many games are played."""
        return _games(self.jobs[number] for number in self.played)

    @property
    def total(self) -> int:
        """How many games there are in all."""
        return _games(self.jobs.values())

    def summary(self, rate: float | None = None) -> Summary | None:
        """What the results mean; None if they say nothing yet. rate: games a second of this run."""
        return self.study.summary(self, rate)

    def add(self, row: Row) -> int:
        """Keep the result of a job, and write it at once; return its games. Raises OSError."""
        self._write(row)
        number = self.number(row)
        self.played[number] = row
        return _games([self.jobs[number]])

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        if self._out:
            self._out.close()

    # -- the file ----------------------------------------------------------------------------------

    def _resume(self) -> None:
        """Read what the file holds, or begin it."""
        if self.file and self._out:
            only_files(self.file)
            if not lock_file(self._out):
                raise BadFile(say("{file}: another process is writing to it", file=self.file))
            data = self.file.read_bytes()
            if data:
                self._read(data)
            else:
                self._write(self.config)

    def _write(self, line: msgspec.Struct) -> None:
        if self._out:
            self._out.write(msgspec.json.encode(line) + b"\n")
            self._out.flush()

    def _read(self, data: bytes) -> None:
        lines = data.split(b"\n")
        if lines.pop():
            raise self._bad_line(len(lines) + 1, say("it is cut off; remove that line to go on"))
        self._read_config(self._decoded(lines[0], type(self.config), 1))
        for n, line in enumerate(lines[1:], 2):
            self._read_row(line, n)

    def _read_config(self, config: Config) -> None:
        wrong = self.conflict(config)
        if wrong:
            raise self._bad_line(1, wrong)

    def _read_row(self, line: bytes, n: int) -> None:
        """Read the n-th line, a result."""
        row = self._decoded(line, self.study.row, n)
        wrong = self.mistake(row)
        if wrong:
            raise self._bad_line(n, wrong)
        self.played[self.number(row)] = row

    def _decoded(self, line: bytes, kind: type[Read], n: int) -> Read:
        try:
            return read_json(line, kind)
        except BadJson as error:
            why = say("not a line of such a file ({error})", error=str(error))
            raise self._bad_line(n, why) from None

    def mistake(self, row: Row) -> Line | None:
        """What is wrong with a line that the file holds; None if nothing is."""
        n = self.number(row)
        unit = self.study.unit
        if n not in self.jobs:
            return say("there is no {unit} {n}", unit=unit, n=n)
        if n in self.played:
            return say("{unit} {n} is there twice", unit=unit, n=n)
        if not self.study.is_sound(self.config, self.jobs[n], row):
            return say("{unit} {n} cannot have ended so", unit=unit, n=n)
        return None

    def conflict(self, config: Config) -> Line | None:
        """Why the file of this config cannot be continued; None if it can."""
        return different_field(config, self.config)

    def _bad_line(self, n: int, why: Line) -> BadFile:
        return BadFile(say("{file}, line {line}: {why}", file=self.file, line=n, why=why))


AnyResults = Results[Any, Any, Any]


def _games(jobs: Iterable[object]) -> int:
    return sum(getattr(job, "games", 1) for job in jobs)
