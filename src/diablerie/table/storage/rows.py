"""Rows of a table: which field of `TableState` is which column, what a change writes, and the way back.

A match is played again from its plies, beginning at its last snapshot. Rows that no table of these
rules could have written are a CorruptTable, which says where.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, fields, replace
from functools import lru_cache
from typing import Any, NoReturn

import sqlalchemy as sa

from diablerie.engine.fair import Aborted, DiceStream
from diablerie.engine.game import Game
from diablerie.engine.match import Match
from diablerie.engine.options import OptionValues, settle
from diablerie.engine.plies import Event, Ply, PlyKind
from diablerie.engine.sources import source_digest
from diablerie.engine.text import Line, UserError, say
from diablerie.runtime.serving import with_pauses
from diablerie.table.state.nonce_exchange import dice_stream
from diablerie.table.state.outcomes import outcomes
from diablerie.table.state.table_state import (
    CHAT_LINES_KEPT,
    FINISHED_TABLE,
    OPEN_TABLE,
    RUNNING,
    ChatLine,
    TableSeat,
    TableState,
    TakeBackRequest,
)
from diablerie.table.state.take_back import standing
from diablerie.table.storage import schema
from diablerie.table.storage.store import Statement, Stored, Write
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
ERROR_LETTERS_SHOWN = 120  # characters of an error that people are shown


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
    row = {**match_row(live), "key": key.hex()}
    return [sa.insert(schema.matches).values(row), _seat_rows(live)]


def _seat_rows(live: TableState) -> Write:
    """The write that inserts all seats of a table."""
    seats = [{"match": live.id, "seat": info.seat, **_seat(info)} for info in live.seats]
    return Write(sa.insert(schema.seats), seats)


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
    # Plies and lines of chat are only appended: all that are not in the first state are new.
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
    return writes + (_said(after, said) if said else [])


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
    if len(after.seats) != len(before.seats):
        # All anew: a personal link is unique, and may have moved to a row before its own.
        return [*writes, sa.delete(s).where(s.c.match == before.id), _seat_rows(after)]
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


def moved_up(live: TableState, places: Mapping[int, int]) -> list[Statement]:
    """The writes that give lines of chat to the seats to which their players moved up."""
    c = schema.chat
    here = sa.update(c).where(c.c.match == live.id)
    # Everybody moves to a seat that nobody has any more: first who left, then the lowest seats.
    order = sorted(places.items(), key=lambda move: (move[1], move[0]))
    moves = [(was, now) for was, now in order if was != now]
    return [here.where(c.c.seat == was).values(seat=now) for was, now in moves]


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
        # Selected from the members, so that nobody is counted who was removed meanwhile.
        here = sa.select(*row.values()).where(m.group_id == live.group, m.member == info.member)
        if info.member:
            writes.append(sa.insert(schema.series).from_select([*row], here))
    return writes


def _said(live: TableState, said: Sequence[ChatLine]) -> list[Statement]:
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


# -- loading -----------------------------------------------------------------------------------


class CorruptTable(UserError):
    """Rows that these rules could not have written."""


def live_of(stored: Stored, games: Mapping[str, Game], shortcut: bool = True) -> TableState:
    """The table that these rows describe; without `shortcut` every ply is played again.

    With it the match goes on from the snapshot, if these sources wrote one. Raises CorruptTable,
    whatever is wrong with the rows.
    """
    try:
        live = standing(_live(stored, games, shortcut))
        _checked(live, stored)
    except CorruptTable:
        raise
    except Exception as error:  # what is damaged may fail in any way
        spoiled(say("its data are damaged."), error)
    return live


def further(live: TableState, stored: Stored) -> TableState | None:
    """The table with what is new in its rows (see `Queries.further`), if that is simply more.

    None where it has to be read as a whole.
    """
    row = stored.match
    match = live.match
    if match is None or row.status == OPEN_TABLE:
        return None
    try:
        seats = tuple(_info(seat) for seat in stored.seats)
        if [info.name for info in seats] != [info.name for info in live.seats]:
            return None
        match = match.copy()
        for n, ply in enumerate(stored.plies):
            _append(match, _read(live.ply + n, ply))
        said = (*live.chat, *_chat(stored))
        after = replace(
            live,
            **match_fields(row, live.game),
            seats=seats,
            match=match,
            chat=said[-CHAT_LINES_KEPT:],
        )
        _checked(after, stored)
        return standing(after)
    except Exception:  # read as a whole it will say what is wrong
        return None


def spoiled(where: Line, error: Exception) -> NoReturn:
    """Raise CorruptTable: `where` says what cannot be read, `error` how that showed."""
    line = getattr(error, "line", None)
    if not isinstance(line, Line):
        text = f"{type(error).__name__}: {error}"[:ERROR_LETTERS_SHOWN]
        line = Line("{shown}", {"shown": text.encode("unicode_escape").decode()})
    raise CorruptTable(say("{where} ({why})", where=where, why=line)) from error


def _live(stored: Stored, games: Mapping[str, Game], shortcut: bool) -> TableState:
    row = stored.match
    game = _game(row, games)
    seats = tuple(_info(seat) for seat in stored.seats)
    if [info.seat for info in seats] != list(range(len(seats))) or len(seats) not in game.seats:
        raise CorruptTable(say("its seats do not fit the game."))
    plies = tuple(_read(n, ply) for n, ply in with_pauses(enumerate(stored.plies)))
    header = match_fields(row, game)
    begun = row.status != OPEN_TABLE
    match = _match(stored, game, header["options"], seats, plies, shortcut) if begun else None
    return TableState(**header, seats=seats, match=match, chat=_chat(stored))


def _chat(stored: Stored) -> tuple[ChatLine, ...]:
    return tuple(ChatLine(c.id, c.seat, c.text, c.at) for c in stored.chat)


def _game(row: Fetched, games: Mapping[str, Game]) -> Game:
    if row.game not in games:
        raise CorruptTable(say("the game “{game}” is not installed here.", game=row.game[:40]))
    game = games[row.game]
    if row.rules != game.version and row.status != OPEN_TABLE:
        raise CorruptTable(
            say(
                "it was played by version {old} of the rules, but this is version {new}.",
                old=row.rules,
                new=game.version,
            )
        )
    return game


def _info(row: Fetched) -> TableSeat:
    return TableSeat(**{f.name: getattr(row, f.name) for f in fields(TableSeat)})


def _read(n: int, row: Fetched) -> Ply:
    """The ply of a row, which must be number `n` (from 0)."""
    if row.ply != n:
        raise CorruptTable(say("ply {n} is missing.", n=n + 1))
    try:
        read = json.loads(row.events)
        if isinstance(read, dict):
            return Ply(
                row.seat, (), row.since, row.at, PlyKind(read["note"]), read["to"], read["by"]
            )
        return Ply(row.seat, tuple(Event(*event) for event in read), row.since, row.at)
    except (ValueError, TypeError, KeyError) as error:
        spoiled(say("ply {n} is damaged.", n=n + 1), error)


def _match(
    stored: Stored,
    game: Game,
    options: OptionValues,
    seats: Sequence[TableSeat],
    plies: Sequence[Ply],
    shortcut: bool,
) -> Match:
    row = stored.match
    key = bytes.fromhex(row.key)
    earlier = earlier_of(row)
    fair = dice_stream(key, seats, row.aborted, earlier, row.by_lines)
    names = [info.name for info in seats]
    match = Match.opening(game, seats=len(seats), fair=fair, names=names, options=options)
    match.taken = stored.match.taken
    shot = stored.snapshot
    if shortcut and shot and shot.layout == layout() and shot.ply <= len(plies):
        with suppress(ValueError):  # not the bytes of a state
            match = match.resumed(plies[: shot.ply], shot.state)
    for n in with_pauses(range(match.ply, len(plies))):
        try:
            _append(match, plies[n])
        except Exception as error:
            spoiled(say("ply {n} is impossible.", n=n + 1), error)
    return match


def _append(match: Match, ply: Ply) -> None:
    """Append a ply. Raises ValueError for a row that is none, or several."""
    before = match.ply
    match.append(ply)
    if match.ply != before + 1:
        raise ValueError("it is not one decision with the chance that follows it")


def _checked(live: TableState, stored: Stored) -> None:
    """Raise CorruptTable where each part can be read but they contradict each other."""
    if hashlib.sha256(bytes.fromhex(stored.match.key)).hexdigest() != live.commitment:
        raise CorruptTable(say("its key does not match its commitment."))
    if live.match is None:
        return
    if not live.plies or live.match.waits_for_chance:
        raise CorruptTable(say("the last chance outcome is missing."))
    if live.status != (FINISHED_TABLE if live.match.over else RUNNING):
        status = live.status[:20]
        raise CorruptTable(
            say("it is marked “{status}”, but its plies say otherwise.", status=status)
        )
