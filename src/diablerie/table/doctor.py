"""The doctor: what is wrong in a database, found by reading all of it and changing nothing."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from sqlalchemy.exc import DBAPIError

from diablerie.bots.analysis.analyse import load_analysis
from diablerie.engine.game import Game
from diablerie.games import ALL
from diablerie.table.errors import Unavailable
from diablerie.table.storage import database, migrations, rows, schema
from diablerie.table.storage.store import Store, Stored

PROBLEMS_EXPLAINED = 20  # problems of the file itself


class Finding(NamedTuple):
    """Something that is wrong: `table` is where, "" for the database itself; `why` a sentence."""

    table: str
    why: str


def opened(where: str, *, writes: bool = False) -> Store:
    """A database as it is; without `writes` it can only be read.

    Raises ValueError if there is no such database, or for one of another version.
    """
    path = database.file_of(where)
    if path is not None and not path.exists():
        raise ValueError(f"{path}: there is no such database")
    mode = "rw" if writes else "ro"
    address = path and f"sqlite:///file:{path.resolve()}?mode={mode}&uri=true"
    store = Store(address or where, lay=False)
    try:
        migrations.require_head(store.engine)
    except migrations.OtherVersion as error:
        store.close()
        raise ValueError(f"{database.named(where)}: {error}") from None
    except DBAPIError as error:
        if store.database.shared:
            store.close()
            raise ValueError(f"{database.named(where)}: {database.database_error(error)}") from None
        # what is wrong with a file is told among the findings
    except BaseException:
        store.close()
        raise
    return store


class DatabaseUnderCheck:
    """A database, opened to be read."""

    def __init__(self, where: str, games: Mapping[str, Game] = ALL) -> None:
        """Raises ValueError if there is no such database, or for one of another version."""
        self.store = opened(where)
        self._games = games

    def findings(self) -> Iterator[Finding]:
        """All that is wrong, the file first. `count` tables were read then."""
        self.count = 0
        try:
            yield from self._of_file()
            for table in self.store.all():
                self.count += 1
                yield from self._of_table(table)
        except (DBAPIError, Unavailable):
            yield Finding("", self.store.trouble or "the database cannot be read")
        finally:
            self.store.close()

    def _of_file(self) -> Iterator[Finding]:
        if self.store.engine.dialect.name != "sqlite":
            return
        with self.store.engine.connect().execution_options(reading=True) as connection:
            lines = connection.exec_driver_sql(
                f"PRAGMA integrity_check({PROBLEMS_EXPLAINED})"
            ).scalars()
            yield from (Finding("", str(line)) for line in lines.all() if line != "ok")
            orphans = connection.exec_driver_sql("PRAGMA foreign_key_check").all()
            for name, row, parent, *_ in orphans[:PROBLEMS_EXPLAINED]:
                yield Finding("", f"row {row} of {name} belongs to nothing in {parent}")

    def _of_table(self, table: str) -> Iterator[Finding]:
        try:
            stored = self.store.load(table)
            if stored is None:
                return
            live = rows.live_of(stored, self._games, shortcut=False)
        except rows.CorruptTable as error:
            yield Finding(table, str(error))
            return
        except Unavailable:
            yield Finding(table, f"its rows cannot be read: {self.store.trouble}")
            return
        shot = stored.snapshot
        if shot and shot.layout == rows.layout() and 0 < shot.ply <= live.ply:
            assert live.match is not None
            if live.match.at(shot.ply).state.tobytes() != shot.state:
                yield Finding(table, "its snapshot is not what its plies lead to")
        yield from self._of_analysis(stored)

    def _of_analysis(self, stored: Stored) -> Iterator[Finding]:
        row = self.store.row(schema.analyses, "match", stored.match.id)
        try:
            if row is not None:
                load_analysis(row.chances, len(stored.plies))
        except ValueError:
            yield Finding(stored.match.id, "its analysis is damaged (it is made again when asked)")
