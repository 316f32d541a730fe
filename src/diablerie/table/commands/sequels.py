"""The next table of a match: a rematch, or one that goes on from a step of a match or of a file."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import msgspec

from diablerie.api import Frozen, Rematching
from diablerie.bots.levels import USUAL_LEVEL
from diablerie.engine.files import Damaged, parse_match
from diablerie.engine.foreign_json import BadJson, read_json
from diablerie.engine.game import Game, no_game
from diablerie.engine.match import Match
from diablerie.engine.plies import resigned
from diablerie.engine.text import say
from diablerie.runtime.serving import apart
from diablerie.table.commands.command import Asker, change, site_command, table_command
from diablerie.table.commands.lobby import (
    ALLOWED,
    begun,
    bot_on,
    bot_spec,
    checked_options,
    fresh_table,
    person_on,
)
from diablerie.table.errors import (
    BadFile,
    BadInput,
    Forbidden,
    WrongTime,
)
from diablerie.table.state.nonce_exchange import (
    unshared,
)
from diablerie.table.state.table_state import (
    FINISHED_TABLE,
    RUNNING,
    TableSeat,
    TableState,
)
from diablerie.table.state.transitions import pending_after, start_from_plies
from diablerie.table.storage import rows, schema
from diablerie.table.tables import Tables

# bytes: the longest matches have half of that, and are read in 0.04 s
LONGEST_SAVED_BYTES = 256 * 1024


@table_command(Rematching)
def rematch(asker: Asker, asked: Rematching) -> TableState:
    """Open another table for the same players. Asked twice, it is the same table, unless removed.

    Only a table that is made counts for the client's limit. Raises Forbidden, WrongTime, TooMany,
    and BadInput for a game that there is not, or that so many cannot play.
    """
    followed = change(asker, partial(_followed, game=asked.game))
    return begun(asker.tables, followed.rematch)


def _followed(live: TableState, asker: Asker, game: str) -> TableState:
    """The table with the one where its players go on, which is made with this change.

    game: which they play there; "" is the same one.
    """
    if not live.seats_of(asker.visitor):
        raise Forbidden(say("Only the players may ask for another game."))
    if live.status != FINISHED_TABLE:
        raise WrongTime(say("This game is not over yet."))
    if rematch_of(asker.tables, live):
        return live
    asker.count("tables")
    fresh, key = _next(asker.tables, live, asker.tables.game(game) if game else live.game)
    asker.more_writes = lambda _: rows.created(fresh, key)
    return replace(live, rematch=fresh.id)


def rematch_of(tables: Tables, live: TableState) -> str:
    """The table where these players go on; "" if there is none (any more). Raises Unavailable."""
    return live.rematch if live.rematch and tables.store.stamps([live.rematch]) else ""


def _next(tables: Tables, old: TableState, game: Game) -> tuple[TableState, bytes]:
    """Another table for the players of this one as it stands, and its key. Raises BadInput."""
    known = {row.member for row in tables.store.rows(schema.members, "group_id", old.group)}
    seats = tuple(  # those of people who were removed from the group are open
        TableSeat(info.seat) if info.member and info.member not in known else _again(info)
        for info in old.seats
    )
    options = old.options
    if game is not old.game:
        options = checked_options(game, len(seats), {})
        seats = tuple(_for_any_game(info) for info in seats)
    fresh, key = fresh_table(tables, game, options, old.host, seats)
    return replace(
        fresh,
        public=old.public,
        hints=old.hints,
        pace=old.pace,
        group=old.group,
        screen=old.screen,
    ), key


def _again(info: TableSeat) -> TableSeat:
    # Its personal link stays with the old table: no two seats may have the same one.
    again = replace(unshared(info), stand_in="", link=None)
    return replace(again, wanted=None, wanted_name="", declined=None)


def _for_any_game(info: TableSeat) -> TableSeat:
    """The seat with the usual bot in place of one that may know a single game."""
    return info if info.bot in ("", *ALLOWED) else replace(info, bot=USUAL_LEVEL.name)


class Exploring(Frozen):
    """Go on from a finished match after its first `step` plies.

    The visitor plays `seat` (None: who is to decide there) and bots all others: `bot` or, if that is
    "", those of the match, and usual ones in place of its people. Chance is drawn anew.
    """

    step: int
    seat: int | None = None
    bot: str = ""


@table_command(Exploring)
def explore(asker: Asker, asked: Exploring) -> TableState:
    """Open a table that goes on from a finished match; see `Exploring`.

    Raises WrongTime where there is nothing to play, and for a seat that has resigned by then,
    BadInput for a seat or bot there is not, TooMany.
    """
    asker.count("tables")
    old = asker.tables.live(asker.table)
    spec = asked.bot and bot_spec(asked.bot)
    if old.status != FINISHED_TABLE or not 1 <= asked.step <= old.ply:
        raise WrongTime(say("You can play on from any step of a finished match."))
    if asked.seat is not None and asked.seat not in range(len(old.seats)):
        raise BadInput(say("There is no such seat."))
    assert old.match is not None
    bots = [spec or info.driver or USUAL_LEVEL.name for info in old.seats]
    return _go_on(asker, Past(old.match, asked.step, old.id), asked.seat, bots)


class Past(NamedTuple):
    """A match up to a step. `table` is where it was played, "" if it comes from elsewhere."""

    match: Match
    step: int
    table: str = ""


def _go_on(asker: Asker, past: Past, seat: int | None, bots: Sequence[str]) -> TableState:
    """Open a table that goes on from a past; chance is drawn anew.

    The visitor plays `seat` (None: who is to decide there), and `bots` has for each seat the bot
    that plays it otherwise. Raises WrongTime.
    """
    tables = asker.tables
    plies = past.match.plies[: past.step]
    pending = pending_after(past.match, past.step)
    if not pending:
        raise WrongTime(say("The game is over after this step: go back to an earlier one."))
    gone = resigned(plies)
    if seat in gone:
        raise WrongTime(say("The player on this seat has resigned: a bot plays on to the end."))
    asked = (*pending, *range(past.match.seats))
    mine = next(one for one in asked if one not in gone) if seat is None else seat
    seats = tuple(
        person_on(i, "", asker) if i == mine else bot_on(i, bot) for i, bot in enumerate(bots)
    )
    game = past.match.game
    fresh, key = fresh_table(tables, game, past.match.options, asker.known, seats)
    fresh = replace(fresh, status=RUNNING, hints=True, origin=past.table, taken=past.step)
    begun_at_step = start_from_plies(fresh, key, plies, tables.clock())
    # The table and what has happened there are written at once: nobody finds one without the other.
    begins = tables.node.writes(fresh, begun_at_step)
    tables.store.commit(*rows.created(begun_at_step, key), *begins)
    live = tables.live(fresh.id)
    tables.tell(live)
    return live


# -- matches that come as files ------------------------------------------------------------------


class Beginning(msgspec.Struct):
    """What the first line of a match file says about its format, game and rules."""

    diablerie: int
    game: str
    version: int


class End(msgspec.Struct):
    """The last line of what `export` writes of a running match."""

    running: bool = False


class FileContinuing(Frozen):
    """Go on from the match in a file's bytes after its first `step` plies.

    step: None for all of an unfinished match. The visitor plays `seat` (None: who is to decide
    there) and the bot all others, since a file does not say who they were. Chance is drawn anew.
    """

    data: bytes
    step: int | None = None
    seat: int | None = None
    bot: str = ""


@site_command(FileContinuing)
def continue_file(asker: Asker, asked: FileContinuing) -> TableState:
    """Open a table that goes on from the match in a file; see `FileContinuing`.

    Raises TooMany, BadFile, BadInput for a seat or bot there is not, WrongTime for a
    seat that has resigned, or if the game is over after the step.
    """
    asker.count("tables")
    spec = bot_spec(asked.bot or USUAL_LEVEL.name)
    game = _game(asked.data, asker.tables.games)
    match = apart(lambda: _match(asked.data, game))
    if asked.step is None and match.over:
        raise BadFile(say("This game is over: say after which step you play on."))
    after = match.ply if asked.step is None else asked.step
    if not 1 <= after <= match.ply:
        raise BadFile(say("This match has no step {n}.", n=after))
    if asked.seat is not None and asked.seat not in range(match.seats):
        raise BadInput(say("There is no such seat."))
    return _go_on(asker, Past(match, after), asked.seat, [spec] * match.seats)


def _game(data: bytes, games: Mapping[str, Game]) -> Game:
    """The game of a match file, whose rules are of the same version here. Raises BadFile."""
    rows = data.removesuffix(b"\n").split(b"\n")
    # The first line alone tells game and version, before anything of the file is played.
    try:
        head = read_json(rows[0], Beginning)
    except BadJson:
        raise BadFile(say("This is not a match file.")) from None
    if head.game not in games:
        raise BadFile(no_game(head.game, games))
    game = games[head.game]
    if head.version != game.version:
        raise BadFile(
            say(
                "This game was played by version {old} of the rules, but this is version {new}.",
                old=head.version,
                new=game.version,
            )
        )
    if _for_reading(rows[-1]):
        raise BadFile(
            say(
                "This file is only for reading: a table wrote it while the game was running, "
                "without what was hidden."
            )
        )
    return game


def _for_reading(row: bytes) -> bool:
    try:
        return read_json(row, End).running
    except BadJson:
        return False


def _match(data: bytes, game: Game) -> Match:
    """The match of a file, which is over or waits for a decision. Raises BadFile."""
    try:
        match = parse_match(data, {game.name: game})
    except Damaged as error:
        raise BadFile(
            say("This match file is damaged: line {line} is wrong.", line=error.line)
        ) from None
    if not match.plies or (match.waits_for_chance and not match.over):
        raise BadFile(say("This match file stops where nobody is to decide."))
    return match
