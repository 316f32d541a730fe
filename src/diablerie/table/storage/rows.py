"""Rows of a table: which field of `TableState` is which column, and what is written at a change."""

import json
from collections.abc import Sequence
from dataclasses import asdict, fields, replace
from functools import lru_cache
from typing import Any

import sqlalchemy as sa

from diablerie.engine.fair import Aborted, DiceStream
from diablerie.engine.game import Game
from diablerie.engine.options import settle
from diablerie.engine.plies import Ply, PlyKind
from diablerie.engine.sources import source_digest
from diablerie.table.state.outcomes import outcomes
from diablerie.table.state.table_state import (
    FINISHED_TABLE,
    ChatLine,
    TableSeat,
    TableState,
    TakeBackRequest,
)
from diablerie.table.storage import schema
from diablerie.table.storage.store import Statement, Write
from diablerie.table.storage.store_queries import Fetched

SNAPSHOT_PLIES = 32  # a snapshot for so many plies
CODED_FIELDS = (
    "game",
    "options",
    "earlier",
    "request",
)  # fields that are something else in their column
# All others that have a column are what it holds.
PLAIN_FIELDS = [
    f.name for f in fields(TableState) if f.name in schema.matches.c and f.name not in CODED_FIELDS
]


@lru_cache(maxsize=1)
def layout() -> str:
    """The digest of the sources: only a snapshot that the same sources wrote can be read."""
    return source_digest()


def match_row(live: TableState) -> dict[str, object]:
    """The row of `matches` that holds a table, without its key."""
    return {name: getattr(live, name) for name in PLAIN_FIELDS} | {
        "game": live.game.name,
        "rules": live.game.version,  # a table opened before an update is played by the newer ones
        "options": json.dumps(live.option_texts),
        "group_id": live.group,
        "earlier": json.dumps([asdict(start) for start in live.earlier]),
        "request": json.dumps(live.request) if live.request else "",
    }


def match_fields(row: Fetched, game: Game) -> dict[str, Any]:
    """The fields of `TableState` that such a row holds. Raises ValueError and others if it is damaged."""
    return {name: getattr(row, name) for name in PLAIN_FIELDS} | {
        "game": game,
        "options": settle(game.options, json.loads(row.options)),
        "group": row.group_id,
        "earlier": earlier_of(row),
        "request": _request(row),
    }


def earlier_of(row: Fetched) -> tuple[Aborted, ...]:
    """The last of the aborted starts of a table's row."""
    read = json.loads(row.earlier)
    return tuple(Aborted(start["commitment"], tuple(start["hashes"])) for start in read)


def _request(row: Fetched) -> TakeBackRequest | None:
    """The request to take back in a table's row, if there is one."""
    if not row.request:
        return None
    seat, to, agreed = json.loads(row.request)
    return TakeBackRequest(int(seat), int(to), tuple(map(int, agreed)))


def created(live: TableState, key: bytes) -> list[Statement]:
    """The writes that insert a new table: its match and its seats."""
    seats = [{"match": live.id, "seat": info.seat, **_seat(info)} for info in live.seats]
    row = {**match_row(live), "key": key.hex()}
    return [sa.insert(schema.matches).values(row), Write(sa.insert(schema.seats), seats)]


def stamped(before: TableState, after: TableState) -> TableState:
    """`after` with a new revision, if more than plies and chat has changed."""
    rest = replace(after, match=before.match, chat=before.chat, version=before.version)
    return after if rest == before else replace(after, revision=before.revision + 1)


def difference(before: TableState, after: TableState, shared: bool = False) -> list[Statement]:
    """The writes that turn the rows of one state of a table into those of the next.

    Where two processes change a table at once, one of them fails: by the key of plies and chat,
    or by the revision of the rest. With `shared` plies and chat fail, too, if another process has
    changed the rest meanwhile: whoever has just lost a seat no longer decides or writes there.
    """
    writes = _revised(before, after, shared)
    fresh = after.plies[before.ply :]
    if after.group and after.status == FINISHED_TABLE != before.status:
        writes += _series(after)
    if fresh:
        plies = [_ply(after.id, before.ply + i, ply) for i, ply in enumerate(fresh)]
        writes.append(Write(sa.insert(schema.plies), plies))
        if (
            after.status == FINISHED_TABLE
            or after.ply // SNAPSHOT_PLIES > before.ply // SNAPSHOT_PLIES
        ):
            writes += _snapshot(after)
    said = [line for line in after.chat if not before.chat or line.id > before.chat[-1].id]
    return writes + (_chat(after, said) if said else [])


def _revised(before: TableState, after: TableState, shared: bool) -> list[Statement]:
    m = schema.matches
    s = schema.seats
    same = after.revision == before.revision
    # A take-back ends a request to take back, which another process may have written meanwhile.
    back = any(ply.kind is PlyKind.TAKE_BACK for ply in after.plies[before.ply :])
    if same and not (back or shared):
        return []
    here = sa.update(m).where(m.c.id == before.id, m.c.revision == before.revision)
    if same:
        return [Write(here.values(revision=before.revision), expect=1)]
    writes: list[Statement] = [Write(here.values(**match_row(after)), expect=1)]
    for old, new in zip(before.seats, after.seats, strict=True):
        if old != new:
            seat = sa.update(s).where(s.c.match == before.id, s.c.seat == new.seat)
            writes.append(Write(seat.values(**_seat(new)), expect=1))
    return writes


def rekeyed(live: TableState, fair: DiceStream) -> list[Statement]:
    """The write that stores the key of this stream, if the table has its commitment now."""
    if live.commitment != fair.commitment:
        return []
    m = schema.matches
    here = sa.update(m).where(m.c.id == live.id, m.c.revision == live.revision)
    return [Write(here.values(key=fair.key.hex()), expect=1)]


def _seat(info: TableSeat) -> dict[str, object]:
    values = asdict(info)
    del values["seat"]
    return values


def _ply(table: str, number: int, ply: Ply) -> dict[str, object]:
    if ply.kind is PlyKind.MOVE:
        events = json.dumps(ply.events)
    else:
        events = json.dumps({"note": ply.kind, "to": ply.to, "by": ply.by})
    return {
        "match": table,
        "ply": number,
        "seat": ply.seat,
        "at": ply.at,
        "since": ply.since,
        "events": events,
    }


def _snapshot(live: TableState) -> list[Statement]:
    assert live.match is not None
    s = schema.snapshots
    state = live.match.state.tobytes()
    row = {"match": live.id, "ply": live.ply, "layout": layout(), "state": state}
    return [sa.delete(s).where(s.c.match == live.id), sa.insert(s).values(row)]


def _series(live: TableState) -> list[Statement]:
    """The writes that add a finished match to its group's series, for those who are members still."""
    assert live.match is not None
    m = schema.members.c
    writes = list[Statement]()
    at = live.plies[-1].at
    for info, ended in zip(live.seats, outcomes(live.match), strict=True):
        row = {
            "group_id": m.group_id,
            "match": sa.literal(live.id),
            "member": m.member,
            "game": sa.literal(live.game.name),
            "won": sa.literal(ended.won),
            "points": sa.literal(ended.points, sa.Float),
            "lost": sa.literal(ended.lost, sa.Float),
            "at": sa.literal(at),
        }
        here = sa.select(*row.values()).where(m.group_id == live.group, m.member == info.member)
        if info.member:
            writes.append(sa.insert(schema.series).from_select([*row], here))
    return writes


def _chat(live: TableState, said: Sequence[ChatLine]) -> list[Statement]:
    """The writes that add new lines and delete those that are no longer kept."""
    c = schema.chat
    old = sa.delete(c).where(c.c.match == live.id, c.c.id < live.chat[0].id)
    lines = [{"match": live.id, **line._asdict()} for line in said]
    return [Write(sa.insert(c), lines), old]


def removed(before: TableState) -> list[Statement]:
    """The write that deletes a table as it was read, with all that refers to it (CASCADE).

    If another process has changed more than plies and chat since, `Store.commit` raises Conflict.
    """
    m = schema.matches
    here = sa.delete(m).where(m.c.id == before.id, m.c.revision == before.revision)
    return [Write(here, expect=1)]
