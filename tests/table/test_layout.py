"""The tables in a database are laid out as they were; who changes them migrates what there is."""

import pytest

from tests.table.layout import DIALECTS, FOLDER, laid_out


@pytest.mark.parametrize("name", DIALECTS)
def test_tables_are_laid_out_as_they_were(name: str):
    """If it was meant to change: a migration, then `make golden`."""
    assert laid_out(name) == (FOLDER / f"{name}.sql").read_text("utf-8")
