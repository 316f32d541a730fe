"""The store: writes tables, plies, seats and chat to the database and reads them back.

A change is some statements, which one transaction does or undoes as a whole. SQLite is embedded
and has one process; PostgreSQL runs the same statements for several (see database.py).
"""

import logging
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, cast

import sqlalchemy as sa
from sqlalchemy.exc import DataError, DBAPIError, IntegrityError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from diablerie.engine.text import say
from diablerie.runtime.clock import SYSTEM_CLOCK, Clock
from diablerie.runtime.serving import suspends
from diablerie.table.errors import BadInput, Unavailable
from diablerie.table.storage import database, migrations
from diablerie.table.storage.store_queries import Queries, Stored, T

if TYPE_CHECKING:
    import psycopg
from diablerie.runtime.background import Background

log = logging.getLogger(__name__)
__all__ = ["Conflict", "Statement", "Store", "Stored", "Write"]
FILE_LOCK_SECONDS = 5.0  # seconds to wait for another process's lock on the file
# seconds that are left to wait for the file after a long wait for own threads
SHORT_FILE_WAIT_SECONDS = 0.05
LONGEST_THREAD_WAIT_SECONDS = 20.0  # seconds to wait for own threads, far more than they need
WRITERS = 12  # threads that write for whoever is served; a file has one
DAMAGED = "damaged"
CHECK_SECONDS = 5.0  # seconds between two checks
DEEP_CHECK_SECONDS = 3600.0  # seconds between two checks that read the whole file


class Conflict(Exception):
    """Another process or thread changed the same rows first; nothing was written."""


@dataclass(frozen=True)
class Write:
    """A statement with parameters, `rows`, or that must touch so many rows, `expect`."""

    statement: sa.Executable
    rows: Sequence[dict[str, object]] | None = None
    expect: int | None = None


Statement = sa.Executable | Write  # of a change


class Store(Queries):
    """Opens the database at a path or SQLAlchemy address, and creates its tables if it is new.

    `durable=False` does not wait for the disk: for tests only. `busy` is how many seconds to wait
    for locks. Methods raise Unavailable for whatever the database refuses; `trouble` then says why,
    until a write succeeds.
    """

    def __init__(
        self,
        where: str | Path,
        *,
        durable: bool = True,
        busy: float = FILE_LOCK_SECONDS,
        lay: bool = True,
        clock: Clock = SYSTEM_CLOCK,
    ) -> None:
        """With `lay` false the database is not changed: no tables are created or upgraded.

        Raises ValueError, whose message is a sentence, for what is no database and for one of
        another version.
        """
        self._writer = threading.Lock()
        self._busy = busy
        self._clock = clock
        self.engine = database.connect(where, durable, busy, writes=lay)
        self.shared = self.engine.dialect.name == database.SERVED
        self._writers = ThreadPoolExecutor(WRITERS if self.shared else 1, "writer")
        # For statements that only read: several at one moment, and one by itself
        self._view = self._alone = self.engine.execution_options(reading=True)
        if self.shared:
            self._alone = self.engine.execution_options(isolation_level="AUTOCOMMIT")
            self._view = self.engine.execution_options(
                isolation_level="REPEATABLE READ", postgresql_readonly=True
            )
        self.trouble = ""
        try:
            if self.shared:
                database.expect_letters(self.engine)
            if lay:
                migrations.prepare(self.engine)
        except (migrations.OtherVersion, database.Unfit) as error:
            self.close()
            raise ValueError(f"{database.named(where)}: {error}") from None
        except DBAPIError as error:
            self.close()
            why = f"cannot be opened as a database: {database.database_error(error)}"
            raise ValueError(f"{database.named(where)}: {why}") from None
        except BaseException:
            self.close()
            raise
        self._files = database.files(where) if lay else {}
        if lay and (main := database.file_of(where)):  # not before it proved to be a database
            database.make_private(main)

    def close(self) -> None:
        """Close all connections; those that threads still use, as soon as they have done."""
        self._writers.shutdown(wait=False)
        self.engine.dispose()
        self.engine.pool.dispose()  # the new pool: a thread at work may yet ask for a connection

    def commit(self, *writes: Statement) -> None:
        """Do all writes, durably, or none. Raises Conflict, BadInput, Unavailable."""

        def done(connection: sa.Connection) -> None:
            for one in writes:
                write = one if isinstance(one, Write) else Write(one)
                written = connection.execute(write.statement, write.rows)
                if write.expect not in (None, written.rowcount):
                    raise IntegrityError(None, None, ValueError("another change came first"))

        self.write(done)

    @suspends
    def write(self, work: Callable[[sa.Connection], T]) -> T:
        """What `work` returns, in a transaction. Raises Conflict, BadInput, Unavailable."""
        began = self._clock.monotonic()

        def done() -> T:
            with self.writing(began) as connection:
                return work(connection)

        return self._clock.apart(done, self._writers)

    @contextmanager
    def writing(self, began: float | None = None) -> Iterator[sa.Connection]:
        """A transaction, whose thread waits; `began`: when it was asked for. Raises as `write`."""
        began = self._clock.monotonic() if began is None else began
        try:
            with self._answering(), self._transaction(began) as connection:
                yield connection
        except IntegrityError as error:
            raise Conflict(str(error.orig)) from error
        self._clear_trouble()

    def listening(self) -> "psycopg.Connection":
        """A driver's connection outside the pool, in autocommit mode; the caller closes it.

        Raises Unavailable.
        """
        with self._answering():
            pooled = self.engine.raw_connection()
        raw = cast("psycopg.Connection", pooled.driver_connection)
        pooled.detach()
        raw.autocommit = True
        return raw

    def check(self, *, deep: bool = False) -> None:
        """Check that the database takes writes, and with `deep` that its file is not damaged.

        Raises Unavailable, and then `trouble` says why.
        """
        with self._answering():
            with self._transaction(self._clock.monotonic()) as connection:
                if self.shared:
                    shown = connection.exec_driver_sql("SHOW transaction_read_only").scalar_one()
                    if shown != "off":
                        raise OperationalError(None, None, ValueError("the database is read-only"))
                elif self.trouble:
                    version = connection.exec_driver_sql("PRAGMA user_version").scalar_one()
                    connection.exec_driver_sql(f"PRAGMA user_version={version}")  # a real write
            if deep and not self.shared:
                check = "PRAGMA quick_check(1)"
                problem = self._read(lambda connection: connection.exec_driver_sql(check).scalar())
                if problem != "ok":
                    self._note_trouble(f"{DAMAGED}: {problem}")
                    raise Unavailable
        self._clear_trouble()

    @contextmanager
    def _transaction(self, began: float) -> Iterator[sa.Connection]:
        """A transaction that writes. On a SQLite file a process has one of them at a time.

        SQLite itself has no queue: whoever finds the file locked looks again after pauses of up
        to 0.1 seconds, others overtake, and after `busy` seconds it is an error. Here each waits
        for a lock, which wakes the next one at once. A lock of another process is waited for as
        before, for `busy` seconds, less those since it `began` to wait: so if another process
        keeps the file, those who wait are refused together, not one after the other.
        """
        if self.shared:
            with self.engine.begin() as connection:
                yield connection
            return
        if not self._writer.acquire(timeout=LONGEST_THREAD_WAIT_SECONDS):
            raise PoolTimeout(
                f"other changes have taken more than {LONGEST_THREAD_WAIT_SECONDS:.0f} seconds"
            )
        try:
            # However long own threads took: the file itself is tried at least for a moment.
            left = max(
                self._busy - (self._clock.monotonic() - began),
                min(self._busy, SHORT_FILE_WAIT_SECONDS),
            )
            waiting = self.engine.connect().execution_options(busy=left)
            with waiting as connection, connection.begin():
                yield connection
        finally:
            self._writer.release()

    @contextmanager
    def _answering(self) -> Iterator[None]:
        """Turn the errors of the database into Unavailable, Conflict or BadInput.

        At the end it also raises Unavailable if the file was removed or replaced: nobody may be
        told that a write succeeded which went into a file that is gone.
        """
        try:
            yield
        except IntegrityError:
            raise
        except DataError as error:  # SQLite would have taken it
            raise BadInput(say("This text cannot be saved.")) from error
        except DBAPIError as error:
            if getattr(error.orig, "sqlstate", None) in database.RETRY_STATES:
                raise Conflict(database.database_error(error)) from error
            self._note_trouble(database.database_error(error))
            raise Unavailable from error
        except PoolTimeout as error:
            self._note_trouble(str(error))
            raise Unavailable from error
        for path, identity in self._files.items():
            if database.identity(path) != identity:
                self._note_trouble(
                    "the file was removed or replaced while in use: put it back, "
                    "or restart diablerie to go on with the one that is there now"
                )
                raise Unavailable(
                    say(
                        "The table’s file was replaced while the server was running. Restart "
                        "the server; nothing was changed."
                    )
                )

    def _note_trouble(self, trouble: str) -> None:
        if trouble != self.trouble:
            log.error("database: %s", trouble)
        self.trouble = self.trouble if self.damaged else trouble

    def _clear_trouble(self) -> None:
        if self.trouble and not self.damaged:
            log.warning("the database takes writes again")
            self.trouble = ""

    @property
    def damaged(self) -> bool:
        """Whether a check found the file damaged; later successful writes do not change that."""
        return any(word in self.trouble for word in (DAMAGED, "malformed", "not a database"))

    @suspends
    def _read(self, work: Callable[[sa.Connection], T], single: bool = False) -> T:
        def done() -> T:
            engine = self._alone if single else self._view
            with self._answering(), engine.connect() as connection:
                return work(connection)

        return self._clock.apart(done)


# -- health ------------------------------------------------------------------------------------


class Health(Background):
    """Checks a store from `start` to `stop`, every CHECK_SECONDS."""

    def __init__(self, store: Store, clock: Clock = SYSTEM_CLOCK) -> None:
        super().__init__("health", self._run, clock)
        self._next_deep = clock.monotonic()
        self._store = store

    @property
    def trouble(self) -> str:
        """What the last check found wrong with the database, "" for nothing."""
        return self._store.trouble

    def check(self, *, deep: bool = False) -> None:
        """Check now; with `deep` read the whole file for damage."""
        try:
            self._store.check(deep=deep)
        except Unavailable:
            pass  # the store has noted why in `trouble`
        except Exception as error:
            self._store.trouble = f"{type(error).__name__}: {error}"

    def _run(self) -> float:
        deep = self._clock.monotonic() >= self._next_deep
        if deep:
            self._next_deep = self._clock.monotonic() + DEEP_CHECK_SECONDS
        self.check(deep=deep)
        return CHECK_SECONDS
