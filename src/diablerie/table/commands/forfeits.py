"""Forfeits: what the last of a game owes the others. A group writes them, and any member strikes them out.

Only browsers of the group see them. Which one is drawn follows from the match's id, never from its
dice: the dice are proved to all, and forfeits are shown to members alone.
"""

from collections.abc import Sequence
from hashlib import sha256
from typing import NamedTuple

import sqlalchemy as sa

from diablerie.api import Frozen
from diablerie.engine.text import say
from diablerie.table.commands.command import Asker
from diablerie.table.commands.groups import Group, commit_by_link, group_command
from diablerie.table.errors import BadInput, Forbidden, NotFound, TooMany
from diablerie.table.state.table_state import BOT, TableState
from diablerie.table.state.visitors import Visitor, skeleton, visible_text
from diablerie.table.storage import schema
from diablerie.table.tables import Tables

MOST_FORFEITS = 5  # of a group
LONGEST_FORFEIT = 60  # letters
DRAWN_BY = "forfeit"  # in the hash that draws, so that it is like no other hash of a match


class Forfeit(NamedTuple):
    """One forfeit: its number within the group, what is owed, and when it was written (Unix time)."""

    number: int
    text: str
    made: float


class Owed(NamedTuple):
    """What the last of a game owe: their seats, and the forfeit."""

    seats: tuple[int, ...]
    text: str


def forfeits_of(tables: Tables, group: str) -> list[Forfeit]:
    """The forfeits of the group with this id, the oldest first. Raises Unavailable."""
    rows = tables.store.rows(schema.forfeits, "group_id", group)
    return [Forfeit(row.number, row.text, row.made) for row in rows]


class ForfeitWriting(Frozen):
    """Add a forfeit to those of the group."""

    text: str


@group_command(ForfeitWriting)
def write(asker: Asker, group: Group, asked: ForfeitWriting) -> None:
    """Add a forfeit. Raises Forbidden, BadInput, TooMany, WrongTime if two write at once."""
    _require_member(group)
    known = forfeits_of(asker.tables, group.id)
    text = visible_text(asked.text, LONGEST_FORFEIT)
    if not text:
        raise BadInput(say("What does the last place owe? Write it down."))
    if skeleton(text).casefold() in {skeleton(one.text).casefold() for one in known}:
        raise BadInput(say("This forfeit is there already."))
    if len(known) >= MOST_FORFEITS:
        raise TooMany(say("Five forfeits are the most: strike one out first."))
    number = next(n for n in range(1, MOST_FORFEITS + 1) if n not in {one.number for one in known})
    row = {"group_id": group.id, "number": number, "text": text, "made": asker.now}
    # Of two who write at once, both would take this number, and one is refused by the key.
    commit_by_link(asker.tables, group, [sa.insert(schema.forfeits).values(row)])


class ForfeitStriking(Frozen):
    """Strike out the forfeit with this number, whoever wrote it."""

    number: int


@group_command(ForfeitStriking)
def strike(asker: Asker, group: Group, asked: ForfeitStriking) -> None:
    """Strike out a forfeit. Raises Forbidden, NotFound."""
    _require_member(group)
    if asked.number not in {one.number for one in forfeits_of(asker.tables, group.id)}:
        raise NotFound(say("This forfeit has been struck out already."))
    f = schema.forfeits
    here = sa.delete(f).where(f.c.group_id == group.id, f.c.number == asked.number)
    commit_by_link(asker.tables, group, [here])


def _require_member(group: Group) -> None:
    if not group.mine:
        raise Forbidden(say("First say who is playing on this device."))


# -- at the end of a game ------------------------------------------------------------------------


def owed(
    tables: Tables, live: TableState, last: Sequence[int], visitor: Visitor | None
) -> Owed | None:
    """What these seats owe after a finished match, as a browser of its group is told.

    None for other browsers, where nothing is written, and where only bots are last. Raises Unavailable.
    """
    owing = tuple(seat for seat in last if live.seats[seat].kind != BOT)
    if not owing or visitor is None or not tables.store.members_at(live.group, visitor):
        return None
    drawn = drawn_forfeit(live.id, forfeits_of(tables, live.group), live.changed)
    return Owed(owing, drawn.text) if drawn else None


def drawn_forfeit(match: str, forfeits: Sequence[Forfeit], ended: float) -> Forfeit | None:
    """The forfeit of a match that ended then: the same whenever it is asked, if it is not struck out.

    What was written later is not among them, or whoever knows the last could choose.
    """
    there = [one for one in forfeits if one.made <= ended]
    return min(there, key=lambda one: _rank(match, one), default=None)


def _rank(match: str, one: Forfeit) -> bytes:
    return sha256(f"{DRAWN_BY} {match} {one.number}".encode()).digest()
