"""The tables in a database are laid out as they were; who changes them migrates what there is."""

from tests.table.layout import KEPT, laid_out


def test_tables_are_laid_out_as_they_were():
    """If it was meant to change: a migration, then `make golden`."""
    assert laid_out() == KEPT.read_text("utf-8")
