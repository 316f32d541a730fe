"""Databases of tests. The tables are created once and copied: to create them takes 11 ms each."""

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from diablerie.table.storage.store import Store


@cache
def empty() -> bytes:
    """The file of a database that has the tables and nothing in them."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "tables.db"
        Store(file, durable=False).close()
        return file.read_bytes()


def new_store(file: Path, **settings: Any) -> Store:
    """A store on a file, new or not, which does not wait for the disk. settings: of `Store`."""
    if not file.exists():
        file.touch(0o600)
        file.write_bytes(empty())
    return Store(file, durable=False, **settings)
