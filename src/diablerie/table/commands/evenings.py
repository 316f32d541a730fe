"""Evenings: the games that a group has finished one after the other, with no long pause between."""

from collections.abc import Sequence

from diablerie.table.state.table_state import FINISHED_TABLE, TableState
from diablerie.table.storage import schema
from diablerie.table.tables import Tables

PAUSE_SECONDS = 6 * 3600.0  # seconds from one end to the next after which another evening has begun
MOST_GAMES = 12  # games of an evening that are shown, the latest


def last_evening(tables: Tables, group: str) -> list[TableState]:
    """The finished tables of the last evening of the group with this id, in the order of their ends.

    Those that were deleted since are missing. Raises Unavailable.
    """
    rows = tables.store.rows(schema.series, "group_id", group)
    ends = sorted({(row.at, row.match) for row in rows})
    first = beginning([at for at, _ in ends])
    lives = tables.lives([match for _, match in ends[first:][-MOST_GAMES:]])
    return [live for live in lives if live.status == FINISHED_TABLE]


def beginning(ends: Sequence[float]) -> int:
    """The number of the first end that belongs to the last evening."""
    number = max(0, len(ends) - 1)
    while number and ends[number] - ends[number - 1] <= PAUSE_SECONDS:
        number -= 1
    return number
