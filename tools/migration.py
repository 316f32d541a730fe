"""Write the next revision of the database: `python tools/migration.py "what for"`."""

import sqlite3
import sys
import tempfile
from contextlib import closing
from pathlib import Path

import sqlalchemy as sa
from alembic import command
from alembic.config import Config

from diablerie.table.storage import migrations

RELEASE = Path(__file__).parent.parent / "tests" / "table" / "databases" / "v0011.sql"


def main() -> int:
    """Compare `schema` with the tables of 0.3.0 after all revisions, and write the difference as one."""
    why = " ".join(sys.argv[1:]).strip()
    if not why:
        print('diablerie: say what for: make migration WHY="…"', file=sys.stderr)
        return 2
    following = f"{int(migrations.HEAD) + 1:04}"
    config = Config()
    config.set_main_option("script_location", str(migrations.MIGRATIONS_FOLDER))
    config.set_main_option("file_template", "v%%(rev)s_%%(slug)s")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "tables.db"
        with closing(sqlite3.connect(path)) as raw:
            raw.executescript(RELEASE.read_text("utf-8"))
        engine = sa.create_engine(f"sqlite:///{path}")
        with engine.begin() as connection:
            config.attributes["connection"] = connection
            # The tables as they are after all revisions: what `schema` has more is the new one.
            migrations.upgrade(connection)
            command.revision(config, why, autogenerate=True, rev_id=following)
        engine.dispose()
    print(f"Read it, then set HEAD to {following} in {migrations.__name__}.")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
