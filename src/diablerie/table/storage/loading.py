"""From rows to `TableState`: a table as it was written, or a sentence that says what is wrong with it."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import fields, replace
from typing import NoReturn

from diablerie.engine.game import Game
from diablerie.engine.match import Match
from diablerie.engine.options import OptionValues
from diablerie.engine.plies import Event, Ply, PlyKind
from diablerie.engine.text import Line, UserError, say
from diablerie.runtime.serving import paced
from diablerie.table.state.nonce_exchange import dice_stream
from diablerie.table.state.table_state import (
    CHAT_LINES_KEPT,
    FINISHED_TABLE,
    OPEN_TABLE,
    RUNNING,
    ChatLine,
    TableSeat,
    TableState,
)
from diablerie.table.state.take_back import standing
from diablerie.table.storage.rows import earlier_of, layout, match_fields
from diablerie.table.storage.store import Stored
from diablerie.table.storage.store_queries import Fetched

ERROR_LETTERS_SHOWN = 120  # characters of an error that people are shown


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
    plies = tuple(_read(n, ply) for n, ply in paced(enumerate(stored.plies)))
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
    for n in paced(range(match.ply, len(plies))):
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
