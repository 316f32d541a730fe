"""A database that several processes share: PostgreSQL, which runs the statements of SQLite, too."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, cast

import sqlalchemy as sa
from sqlalchemy.exc import OperationalError

from diablerie.table.storage.database import ClosingPool, Database, Unfit

if TYPE_CHECKING:
    import psycopg

DATABASE_CONNECT_SECONDS = 5  # seconds to wait for a server that does not answer
KEEPALIVE = {"keepalives_idle": 5, "keepalives_interval": 2, "keepalives_count": 3}
CONNECTIONS = 24  # of one process: its writers, readers and bots
WRITERS = 12  # threads of a process that write for whoever is served


class ServedDatabase(Database):
    """A database of a PostgreSQL server."""

    shared = True
    writers = WRITERS

    def _connect(self, url: sa.URL, durable: bool, busy: float, writes: bool) -> sa.Engine:
        try:
            return sa.create_engine(
                url,
                hide_parameters=True,  # errors are logged, and parameters hold keys and secrets
                poolclass=ClosingPool,
                pool_size=CONNECTIONS,
                pool_use_lifo=True,
                pool_timeout=busy,
                connect_args={
                    "connect_timeout": DATABASE_CONNECT_SECONDS,
                    "client_encoding": "utf8",
                    "options": _options(url, durable, busy),
                    **KEEPALIVE,
                },
            )
        except ImportError:
            from diablerie.engine import extras  # takes a tenth of all imports, in a browser

            raise ValueError(
                f"PostgreSQL needs psycopg, which is not installed: {extras.install('postgres')}"
            ) from None

    def _readers(self) -> tuple[sa.Engine, sa.Engine]:
        view = self.engine.execution_options(
            isolation_level="REPEATABLE READ", postgresql_readonly=True
        )
        return view, self.engine.execution_options(isolation_level="AUTOCOMMIT")

    def require_letters(self) -> None:
        """Raise Unfit for a database in SQL_ASCII, which stores bytes and not letters."""
        with self.engine.connect() as connection:
            encoding = connection.exec_driver_sql("SHOW server_encoding").scalar_one()
        if encoding == "SQL_ASCII":
            raise Unfit(
                "its encoding is SQL_ASCII, which does not know what its bytes mean: "
                "make a database by `createdb -E UTF8 -T template0 NAME`"
            )

    @contextmanager
    def transaction(self, began: float) -> Iterator[sa.Connection]:
        """See `Database.transaction`; the server lets several write at one moment."""
        with self.engine.begin() as connection:
            yield connection

    def check_writes(self, connection: sa.Connection, trouble: str) -> None:
        """See `Database.check_writes`."""
        shown = connection.exec_driver_sql("SHOW transaction_read_only").scalar_one()
        if shown != "off":
            raise OperationalError(None, None, ValueError("the database is read-only"))

    def damage(self, connection: sa.Connection) -> str:
        """See `Database.damage`; the server looks after its files itself."""
        return ""

    def listening(self) -> "psycopg.Connection":
        """A driver's connection outside the pool, in autocommit mode; the caller closes it.

        Raises DBAPIError.
        """
        pooled = self.engine.raw_connection()
        raw = cast("psycopg.Connection", pooled.driver_connection)
        pooled.detach()
        raw.autocommit = True
        return raw


def _options(url: sa.URL, durable: bool, busy: float) -> str:
    """The `options` of every connection to PostgreSQL; those of the address come last and win."""
    settings = {
        "lock_timeout": f"{int(busy * 1000)}ms",
        "idle_in_transaction_session_timeout": "60s",
        "synchronous_commit": "on" if durable else "off",
    }
    own = [f"-c {name}={value}" for name, value in settings.items()]
    from_url = url.query.get("options", "")
    return " ".join([*own, from_url if isinstance(from_url, str) else " ".join(from_url)]).strip()
