"""Recollections: what a devil remembers of a group's series, told once at the beginning of a game.

Only where all who are seated belong to the group, only what the group's page shows, and nothing twice
in an evening. What is told is stored, so that it stays as it is and is known to be said; the sentences
themselves are in web/frames/recollection_lines.py. Nothing that plays reads any of it.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from hashlib import sha256
from typing import NamedTuple

import sqlalchemy as sa

from diablerie.table.commands.evenings import beginning
from diablerie.table.commands.history import Series, series_of
from diablerie.table.state.table_state import BOT, RUNNING, TableState
from diablerie.table.storage import schema
from diablerie.table.storage.store import Conflict
from diablerie.table.storage.store_queries import Fetched
from diablerie.table.tables import Tables

LEAD = "lead"  # who has won most games of the series
LOSS = "loss"  # who has lost most at one stroke in this game
TEMPER_COUNT = 4  # of devils, from the second seat on
SENTENCES_OF_A_KIND = 5  # of each temper and kind
OPENING_PLIES = 2  # for each seat, that are the beginning of a game
CHOSEN_BY = "recollection"  # in the hash that chooses, so that it is like no other hash of a match


class Recollection(NamedTuple):
    """What the devil of a seat tells: of which kind, which of its sentences, of whom and how many."""

    seat: int
    kind: str
    number: int
    name: str
    n: int


class Memory(NamedTuple):
    """Something that the series holds of a member."""

    kind: str
    member: int
    n: int


def temper_of(seat: int) -> int:
    """The temper of a seat's devil."""
    return (seat - 1) % TEMPER_COUNT


def recalled(tables: Tables, live: TableState) -> Recollection | None:
    """What a devil tells at the beginning of this game, whoever asks and how often; None if nothing.

    Raises Unavailable.
    """
    at_its_beginning = live.status == RUNNING and live.ply <= OPENING_PLIES * len(live.seats)
    if not (live.group and at_its_beginning and not live.taken):
        return None
    names = {m.member: m.name for m in tables.store.rows(schema.members, "group_id", live.group)}
    if not _among_themselves(live, names):
        return None
    rows = tables.store.rows(schema.recollections, "group_id", live.group)
    if all(row.match != live.id for row in rows):
        rows = _remembered(tables, live, rows)
    row = next((row for row in rows if row.match == live.id), None)
    if row is None or row.member not in names or live.seats[row.seat].kind != BOT:
        return None
    return Recollection(row.seat, row.kind, row.number, names[row.member], row.n)


def _among_themselves(live: TableState, names: dict[int, str]) -> bool:
    """Whether devils play with members of the group, and with nobody else."""
    people = [info for info in live.seats if info.kind != BOT]
    return 0 < len(people) < len(live.seats) and all(info.member in names for info in people)


def _remembered(tables: Tables, live: TableState, rows: Sequence[Fetched]) -> Sequence[Fetched]:
    """The rows with one for this match, which is stored, if there is anything left to tell."""
    now = tables.clock()
    told = sorted((row.at, row.seat, row.kind, row.number) for row in rows)
    first = beginning([*(at for at, *_ in told), now])
    said = {(temper_of(seat), kind, number) for _, seat, kind, number in told[first:]}
    memories = memories_of(series_of(tables, live.group), live.game.name)
    chosen = min(_left(live, memories, said), key=lambda one: _rank(live.id, one), default=None)
    if chosen is None:
        return rows
    seat, memory, number = chosen
    row = {"group_id": live.group, "match": live.id, "seat": seat, "number": number, "at": now}
    # Whoever asks at the same time chooses the same, unless the series has just changed.
    with suppress(Conflict):
        tables.store.commit(sa.insert(schema.recollections).values(row | memory._asdict()))
    return tables.store.rows(schema.recollections, "group_id", live.group)


def memories_of(series: Series, game: str) -> list[Memory]:
    """What of a series devils remember before this game."""
    memories = []
    first, *others = series.standings or (None,)
    if first and first.wins > max((one.wins for one in others), default=0):
        memories.append(Memory(LEAD, first.member, first.wins))
    memories += [
        Memory(LOSS, record.member, record.n)
        for record in series.records
        if record.loss and record.game == game
    ]
    return memories


def _left(
    live: TableState, memories: Sequence[Memory], said: set[tuple[int, str, int]]
) -> Iterator[tuple[int, Memory, int]]:
    """What the devils of a table can still tell in this evening: seat, memory, number of the sentence."""
    for info in live.seats:
        for memory in memories if info.kind == BOT else ():
            for number in range(SENTENCES_OF_A_KIND):
                if (temper_of(info.seat), memory.kind, number) not in said:
                    yield info.seat, memory, number


def _rank(match: str, one: tuple[int, Memory, int]) -> bytes:
    seat, memory, number = one
    return sha256(f"{CHOSEN_BY} {match} {seat} {memory.kind} {number}".encode()).digest()
