"""The version of a database: created when new, upgraded from 0.3.0, refused when older or newer.

A version is the number of an Alembic revision. Every change of the tables since 0.3.0, whose version
is INITIAL, is a file in `versions`. A new database gets its tables from `schema` instead, and one of
HEAD is only asked for its version: neither imports Alembic, which would make every start slower.
`tests/table/test_migrations.py` checks that `schema`, HEAD and the files agree.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

import sqlalchemy as sa

from diablerie.table.storage import schema
from diablerie.table.storage.database import SERVED

HEAD = "0017"
INITIAL = "0011"  # of 0.3.0: what comes after it is in `versions`
UNVERSIONED = "0001"  # tables without a version, older than all files
MIGRATION_LOCK = 0xD1AB1E  # PostgreSQL's advisory lock: one process at a time changes the tables
MIGRATIONS_FOLDER = Path(__file__).parent

version_table = sa.Table(  # as Alembic creates it
    "alembic_version",
    sa.MetaData(),
    sa.Column("version_num", sa.String(32), nullable=False),
    sa.PrimaryKeyConstraint("version_num", name="alembic_version_pkc"),
)


class OtherVersion(ValueError):
    """A database of a version that this program cannot use as it is. The message is a sentence."""


def prepare(engine: sa.Engine) -> None:
    """Create the tables or upgrade them to HEAD, in one transaction.

    Raises OtherVersion, and changes nothing, for databases newer than HEAD or older than 0.3.0.
    """
    if version_of(engine) == HEAD:
        return
    with _without_foreign_keys(engine) as connection, connection.begin():
        if engine.dialect.name == SERVED:
            connection.execute(sa.select(sa.func.pg_advisory_xact_lock(MIGRATION_LOCK)))
        version = read_version(connection)  # another process may have been faster
        if version == "":
            schema.metadata.create_all(connection)
            write_version(connection, HEAD)
        elif version != HEAD:
            upgrade(connection)


def require_head(engine: sa.Engine) -> None:
    """Raise OtherVersion for a database that `prepare` would change or refuse."""
    version = version_of(engine)
    if version != HEAD:
        raise OtherVersion(
            f"its tables are of version {version or 'none'}, this program's of {HEAD}: "
            "`diablerie serve` upgrades them when it starts"
        )


def version_of(engine: sa.Engine) -> str:
    """The version of a database, "" without tables; only reads. Raises OtherVersion."""
    with engine.connect().execution_options(reading=True) as connection:
        return read_version(connection)


def read_version(connection: sa.Connection) -> str:
    """The version of a database, "" without tables.

    Raises OtherVersion if it is newer than HEAD or older than 0.3.0.
    """
    tables = sa.inspect(connection).get_table_names()
    version = None
    if version_table.name in tables:
        version = connection.execute(sa.select(version_table.c.version_num)).scalar()
    if version is None:
        if schema.matches.name not in tables:
            return ""
        version = UNVERSIONED
    # Versions are numbers with leading zeros, so they compare as texts.
    if version > HEAD:
        raise OtherVersion(
            f"its tables are of version {version[:8]!r}, this program's of {HEAD}: "
            "a newer diablerie has changed them, so update this one"
        )
    if version < INITIAL:
        raise OtherVersion(
            "its tables are older than those of diablerie 0.3.0, the oldest it reads"
        )
    return str(version)


def write_version(connection: sa.Connection, version: str) -> None:
    """Note the version that the tables have now."""
    version_table.create(connection, checkfirst=True)
    connection.execute(sa.delete(version_table))
    connection.execute(sa.insert(version_table).values(version_num=version))


def upgrade(connection: sa.Connection) -> None:
    """Bring tables of 0.3.0 or later to HEAD by the files of `versions`.

    Everything happens in the connection's transaction. The files form one line, in order of names.
    """
    from alembic.operations import Operations
    from alembic.runtime.migration import MigrationContext

    version = read_version(connection)
    with Operations.context(MigrationContext.configure(connection)):
        for _, name, _ in sorted(iter_modules([str(MIGRATIONS_FOLDER / "versions")])):
            revision = import_module(f"{__name__}.versions.{name}")
            if revision.revision > version:
                revision.upgrade()
    write_version(connection, HEAD)


@contextmanager
def _without_foreign_keys(engine: sa.Engine) -> Iterator[sa.Connection]:
    """A connection on which SQLite may rebuild a table without deleting the rows of its children.

    SQLite changes a column by making the table anew and dropping the old one, which would delete
    by ON DELETE CASCADE. PostgreSQL needs none of this.
    """
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
