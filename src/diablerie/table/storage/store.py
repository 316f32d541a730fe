"""The store: writes tables, plies, seats and chat to the database and reads them back.

A change is some statements, which one transaction does or undoes as a whole. SQLite is embedded
and has one process; PostgreSQL runs the same statements for several. What differs between the two
stands in their `Database` (database.py, served_database.py).
"""

import logging
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import sqlalchemy as sa
from sqlalchemy.exc import DataError, DBAPIError, IntegrityError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from diablerie.engine.text import say
from diablerie.runtime.background import Background
from diablerie.runtime.clock import SYSTEM_CLOCK, Clock
from diablerie.runtime.serving import suspends
from diablerie.table.errors import BadInput, Unavailable
from diablerie.table.storage import database, migrations
from diablerie.table.storage.database import Database
from diablerie.table.storage.served_database import ServedDatabase
from diablerie.table.storage.store_queries import Queries, Stored, T

log = logging.getLogger(__name__)
__all__ = ["Conflict", "Statement", "Store", "Stored", "Write"]
FILE_LOCK_SECONDS = 5.0  # seconds to wait for another process's lock on the file
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
        self._clock = clock
        kind = ServedDatabase if database.is_shared(where) else Database
        self.database = kind(where, durable=durable, busy=busy, writes=lay, clock=clock)
        self.engine = self.database.engine
        self._writers = ThreadPoolExecutor(self.database.writers, "writer")
        self.trouble = ""
        with self._closed_if_unfit(where):
            self.database.require_letters()
            if lay:
                migrations.prepare(self.engine)
        self._files = database.files(where) if lay else {}
        if lay and (main := database.file_of(where)):  # not before it proved to be a database
            database.make_private(main)

    @contextmanager
    def _closed_if_unfit(self, where: str | Path) -> Iterator[None]:
        """Close all again if the store cannot be opened. Raises ValueError, with a sentence."""
        try:
            yield
        except BaseException as error:
            self.close()
            named = database.named(where)
            if isinstance(error, migrations.OtherVersion | database.Unfit):
                raise ValueError(f"{named}: {error}") from None
            if isinstance(error, DBAPIError):
                why = database.database_error(error)
                raise ValueError(f"{named}: cannot be opened as a database: {why}") from None
            raise

    def close(self) -> None:
        """Close all connections; those that threads still use, as soon as they have done."""
        self._writers.shutdown(wait=False)
        self.engine.dispose()
        self.engine.pool.dispose()  # the new pool: a thread at work may yet ask for a connection

    def commit(self, *writes: Statement) -> None:
        """Do all writes, durably, or none. Raises Conflict, BadInput, Unavailable."""

        def write_all(connection: sa.Connection) -> None:
            for one in writes:
                write = one if isinstance(one, Write) else Write(one)
                written = connection.execute(write.statement, write.rows)
                if write.expect not in (None, written.rowcount):
                    # as if the database had refused a key that is there already: see `writing`
                    raise IntegrityError(None, None, ValueError("another change came first"))

        self.write(write_all)

    @suspends
    def write(self, work: Callable[[sa.Connection], T]) -> T:
        """What `work` returns, in a transaction. Raises Conflict, BadInput, Unavailable."""
        began = self._clock.monotonic()

        def in_transaction() -> T:
            with self.writing(began) as connection:
                return work(connection)

        return self._clock.apart(in_transaction, self._writers)

    @contextmanager
    def writing(self, began: float | None = None) -> Iterator[sa.Connection]:
        """A transaction, whose thread waits; `began`: when it was asked for. Raises as `write`."""
        began = self._clock.monotonic() if began is None else began
        try:
            with self.answering(), self.database.transaction(began) as connection:
                yield connection
        except IntegrityError as error:
            raise Conflict(str(error.orig)) from error
        self._clear_trouble()

    def check(self, *, deep: bool = False) -> None:
        """Check that the database takes writes, and with `deep` that its file is not damaged.

        Raises Unavailable, and then `trouble` says why.
        """
        with self.answering():
            with self.database.transaction(self._clock.monotonic()) as connection:
                self.database.check_writes(connection, self.trouble)
            if deep and (problem := self._read(self.database.damage)):
                self._note_trouble(f"{DAMAGED}: {problem}")
                raise Unavailable
        self._clear_trouble()

    @contextmanager
    def answering(self) -> Iterator[None]:
        """Turn the errors of the database into Unavailable, Conflict or BadInput.

        At the end it also raises Unavailable if the file was removed or replaced: nobody may be
        told that a write succeeded which went into a file that is gone.
        """
        try:
            yield
        except IntegrityError:  # `writing` makes a Conflict of it
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
        def on_connection() -> T:
            engine = self.database.alone if single else self.database.view
            with self.answering(), engine.connect() as connection:
                return work(connection)

        return self._clock.apart(on_connection)


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
