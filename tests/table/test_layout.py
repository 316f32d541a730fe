"""The tables in a database are laid out as they were; who changes them migrates what there is."""

from tests import snapshots
from tests.table.layout import KEPT, laid_out


def test_tables_are_laid_out_as_they_were():
    """If it was meant to change: a migration, then `make golden`."""
    snapshots.compare(KEPT, laid_out())
