"""Between rows and `Live`: what is written when a table changes, and how it is read back."""

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import sqlalchemy as sa

from diablerie.engine.compile import digest
from diablerie.engine.fair import Fair
from diablerie.engine.game import Game
from diablerie.engine.match import Event, Match
from diablerie.engine.options import settle
from diablerie.engine.record import from_bytes
from diablerie.table import schema
from diablerie.table.live import OPEN, OVER, Live, Ply, Said, SeatInfo
from diablerie.table.store import Stored, Write

KEPT_CHAT = 200
SNAPSHOT = 32  # a snapshot for so many plies


@lru_cache(maxsize=1)
def layout() -> str:
    """What snapshots must have been written by: these very sources."""
    return digest()


# -- writing -----------------------------------------------------------------------------------


def created(live: Live, key: bytes) -> list[Write]:
    """A new table."""
    row = {
        "id": live.id,
        "game": live.game.name,
        "rules": live.game.version,
        "options": json.dumps(options_text(live.game, live.options)),
        "key": key.hex(),
        "commitment": live.commitment,
        "status": live.status,
        "public": live.public,
        "host": live.host,
        "created": live.created,
        "rematch": "",
    }
    seats = [{"match": live.id, **_seat(info)} for info in live.seats]
    return [Write(sa.insert(schema.matches), [row]), Write(sa.insert(schema.seats), seats)]


def options_text(game: Game, options: Mapping[str, Any]) -> dict[str, str]:
    """Options as their texts."""
    return {o.name: o.format(options[o.name]) for o in game.options}


def _seat(info: SeatInfo) -> dict[str, Any]:
    return {
        "seat": info.seat,
        "kind": info.kind,
        "name": info.name,
        "owner": info.owner,
        "bot": info.bot,
        "stand_in": info.stand_in,
        "nonce": info.nonce,
    }


def seated(table: str, before: SeatInfo, after: SeatInfo) -> Write:
    """A seat that changes, if it still is what it was."""
    s = schema.seats
    same = [s.c[name] == value for name, value in _seat(before).items()]
    return Write(sa.update(s).where(s.c.match == table, *same).values(**_seat(after)), expect=1)


def changed(live: Live, **values: Any) -> Write:
    """New values in a table's header, if its status still is what it was."""
    m = schema.matches
    here = sa.update(m).where(m.c.id == live.id, m.c.status == live.status)
    return Write(here.values(**values), expect=1)


def continued(live: Live, rematch: str) -> Write:
    """The table where the players go on, unless there is one already."""
    m = schema.matches
    here = sa.update(m).where(m.c.id == live.id, m.c.rematch == "")
    return Write(here.values(rematch=rematch), expect=1)


def played(before: Live, after: Live) -> list[Write]:
    """The plies that `after` has more, and the end of the match if it came."""
    first = before.seq
    rows = [_ply(before.id, first + i, ply) for i, ply in enumerate(after.plies[first:])]
    writes = [Write(sa.insert(schema.plies), rows)]
    if after.status != before.status:
        writes.append(changed(before, status=after.status))
    if after.status == OVER or after.seq // SNAPSHOT > before.seq // SNAPSHOT:
        writes += _snapshot(after)
    return writes


def _ply(table: str, seq: int, ply: Ply) -> dict[str, Any]:
    return {
        "match": table,
        "seq": seq,
        "seat": ply.seat,
        "events": json.dumps(ply.events),
        "at": ply.at,
        "since": ply.since,
    }


def _snapshot(live: Live) -> list[Write]:
    assert live.match is not None
    s = schema.snapshots
    row = {
        "match": live.id,
        "seq": live.seq,
        "layout": layout(),
        "state": live.match.state.tobytes(),
    }
    return [Write(sa.delete(s).where(s.c.match == live.id)), Write(sa.insert(s), [row])]


def said(live: Live, line: Said) -> list[Write]:
    """A line of chat; the oldest go."""
    c = schema.chat
    row = {"match": live.id, "seat": line.seat, "text": line.text, "at": line.at}
    writes = [Write(sa.insert(c), [row])]
    if len(live.chat) >= KEPT_CHAT:
        old = live.chat[-KEPT_CHAT].id
        writes.append(Write(sa.delete(c).where(c.c.match == live.id, c.c.id <= old)))
    return writes


def linked(table: str, seat: int, link: str) -> Write:
    """A new personal link."""
    s = schema.seats
    here = sa.update(s).where(s.c.match == table, s.c.seat == seat)
    return Write(here.values(link=link), expect=1)


def removed(table: str) -> list[Write]:
    """A table and all that hangs on it."""
    parts = (schema.chat, schema.snapshots, schema.plies, schema.seats)
    gone = [Write(sa.delete(part).where(part.c.match == table)) for part in parts]
    return [*gone, Write(sa.delete(schema.matches).where(schema.matches.c.id == table))]


# -- reading -----------------------------------------------------------------------------------


def live_of(stored: Stored, games: Mapping[str, Game]) -> Live:
    """The table as its rows have it."""
    row = stored.match
    game = games[row.game]
    options = settle(game.options, json.loads(row.options))
    seats = tuple(_info(seat) for seat in stored.seats)
    plies = tuple(_read(ply) for ply in stored.plies)
    return Live(
        row.id,
        game,
        options,
        row.status,
        row.public,
        row.host,
        row.commitment,
        row.created,
        seats,
        plies,
        None if row.status == OPEN else _match(stored, game, options, seats, plies),
        chat_of(stored),
        row.rematch,
    )


def chat_of(stored: Stored) -> tuple[Said, ...]:
    """The chat."""
    return tuple(Said(c.id, c.seat, c.text, c.at) for c in stored.chat[-KEPT_CHAT:])


def _info(row: Any) -> SeatInfo:
    return SeatInfo(row.seat, row.kind, row.name, row.owner, row.bot, row.stand_in, row.nonce)


def _read(row: Any) -> Ply:
    events = tuple(Event(*event) for event in json.loads(row.events))
    return Ply(row.seat, events, row.at, row.since)


def _match(
    stored: Stored,
    game: Game,
    options: Mapping[str, Any],
    seats: Sequence[SeatInfo],
    plies: Sequence[Ply],
) -> Match:
    fair = Fair(bytes.fromhex(stored.match.key), tuple(info.nonce for info in seats))
    names = [info.name for info in seats]
    match = Match.opening(game, seats=len(seats), fair=fair, names=names, options=options)
    done = 0
    shot = stored.snapshot
    if shot and shot.layout == layout() and shot.seq <= len(plies):
        done = shot.seq
        match.events = [event for ply in plies[:done] for event in ply.events]
        match.state = from_bytes(match.state.dtype, shot.state)
    for ply in plies[done:]:
        for event in ply.events:
            match.apply(event)
    return match
