"""The version of a database: laid out when new, upgraded when old, refused when newer.

Each change of the tables is a file in `versions`, run by Alembic. A database that has the
version of this program is only asked for it, and a new one is laid out from `schema` at once, so
Alembic is imported for upgrades alone. `tests/table/test_migrations.py` holds `schema`, `HEAD`
and the files together.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import sqlalchemy as sa

from diablerie.table.storage import schema
from diablerie.table.storage.database import SERVED

HEAD = "0009"
FIRST = "0001"  # what tables without a version are taken for; 0002 adds only what they lack
ALONE = 0xD1AB1E  # the lock under which one of several processes changes the tables
FOLDER = Path(__file__).parent

version = sa.Table(  # as Alembic makes it
    "alembic_version",
    sa.MetaData(),
    sa.Column("version_num", sa.String(32), nullable=False),
    sa.PrimaryKeyConstraint("version_num", name="alembic_version_pkc"),
)


class OtherVersion(ValueError):
    """A database of a version that this program cannot use as it is."""


def prepare(engine: sa.Engine) -> None:
    """Bring a database to HEAD, in one transaction. Raises OtherVersion for newer ones."""
    if found(engine) == HEAD:
        return
    with _unbound(engine) as connection, connection.begin():
        if engine.dialect.name == SERVED:
            connection.execute(sa.select(sa.func.pg_advisory_xact_lock(ALONE)))
        there = stamp(connection)  # another process may have been faster
        if there == "":
            schema.metadata.create_all(connection)
            _stamp(connection, HEAD)
        elif there != HEAD:
            upgrade(connection)


def expect(engine: sa.Engine) -> None:
    """Raise OtherVersion for a database that `prepare` would have to change."""
    there = found(engine)
    if there != HEAD:
        raise OtherVersion(
            f"its tables are of version {there or 'none'}, this program's of {HEAD}: "
            "`diablerie serve` upgrades them when it starts"
        )


def found(engine: sa.Engine) -> str:
    """The version of a database as it is, read only: see `stamp`."""
    with engine.connect().execution_options(reading=True) as connection:
        return stamp(connection)


def stamp(connection: sa.Connection) -> str:
    """The version a database has, "" for one without tables. Raises OtherVersion."""
    names = sa.inspect(connection).get_table_names()
    written = None
    if version.name in names:
        written = connection.execute(sa.select(version.c.version_num)).scalar()
    if written is None:
        return FIRST if schema.matches.name in names else ""
    if written > HEAD:
        raise OtherVersion(
            f"its tables are of version {written[:8]!r}, this program's of {HEAD}: "
            "a newer diablerie has changed them, so update this one"
        )
    return str(written)


def upgrade(connection: sa.Connection) -> None:
    """Run the files of `versions` that a database lacks, inside the connection's transaction."""
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(FOLDER).replace("%", "%%"))
    config.attributes["connection"] = connection
    names = sa.inspect(connection).get_table_names()
    if schema.matches.name in names and version.name not in names:
        _stamp(connection, FIRST)
    command.upgrade(config, "head")


def _stamp(connection: sa.Connection, number: str) -> None:
    version.create(connection)
    connection.execute(sa.insert(version).values(version_num=number))


@contextmanager
def _unbound(engine: sa.Engine) -> Iterator[sa.Connection]:
    """A connection on which SQLite makes a table anew without deleting what refers to it."""
    with engine.connect() as connection:
        if engine.dialect.name != "sqlite":
            yield connection
            return
        raw = connection.connection.driver_connection
        assert raw is not None
        raw.execute("PRAGMA foreign_keys=OFF")
        try:
            yield connection
        finally:
            raw.execute("PRAGMA foreign_keys=ON")
