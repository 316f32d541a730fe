"""How tables are laid out, as SQL of SQLite: `python -m tests.table.layout` writes it anew.

What changes here needs a migration, too (CONTRIBUTING.md).
"""

from pathlib import Path

from sqlalchemy.dialects import sqlite
from sqlalchemy.schema import CreateIndex, CreateTable

from diablerie.table.storage.schema import metadata

KEPT = Path(__file__).parent / "golden" / "layout.sql"


def laid_out() -> str:
    """All statements that make the tables."""
    said = []
    for table in metadata.sorted_tables:
        indices = sorted(table.indexes, key=lambda index: str(index.name))
        for made in (CreateTable(table), *map(CreateIndex, indices)):
            text = str(made.compile(dialect=sqlite.dialect())).strip()
            said.append("\n".join(line.rstrip() for line in text.splitlines()) + ";\n")
    return "\n".join(said)


def main() -> None:
    """Write tests/table/golden/layout.sql."""
    KEPT.write_text(laid_out(), "utf-8")


if __name__ == "__main__":
    main()
