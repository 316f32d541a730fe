"""How tables are laid out in a database, in SQL: `python -m tests.table.layout` writes it anew.

What changes here needs a migration, too (CONTRIBUTING.md).
"""

from pathlib import Path

from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.schema import CreateIndex, CreateTable

from diablerie.table.schema import metadata

FOLDER = Path(__file__).parent / "golden"
DIALECTS = {"sqlite": sqlite.dialect(), "postgresql": postgresql.dialect()}


def laid_out(name: str) -> str:
    """All statements that make the tables in a kind of database."""
    said = []
    for table in metadata.sorted_tables:
        indices = sorted(table.indexes, key=lambda index: str(index.name))
        for made in (CreateTable(table), *map(CreateIndex, indices)):
            text = str(made.compile(dialect=DIALECTS[name])).strip()
            said.append("\n".join(line.rstrip() for line in text.splitlines()) + ";\n")
    return "\n".join(said)


def main() -> None:
    """Write tests/table/golden/KIND.sql."""
    for name in DIALECTS:
        (FOLDER / f"{name}.sql").write_text(laid_out(name), "utf-8")


if __name__ == "__main__":
    main()
