"""The schema as SQL of SQLite. Whoever changes it adds a migration (CONTRIBUTING, “Add a column”)."""

from pathlib import Path

from sqlalchemy.dialects import sqlite
from sqlalchemy.schema import CreateIndex, CreateTable

from diablerie.table.storage.schema import metadata

KEPT = Path(__file__).parent / "golden" / "layout.sql"


def laid_out() -> str:
    """All statements that create the tables and their indices, in SQLite's SQL."""
    statements = []
    for table in metadata.sorted_tables:
        indices = sorted(table.indexes, key=lambda index: str(index.name))
        for statement in (CreateTable(table), *map(CreateIndex, indices)):
            text = str(statement.compile(dialect=sqlite.dialect())).strip()
            statements.append("\n".join(line.rstrip() for line in text.splitlines()) + ";\n")
    return "\n".join(statements)
