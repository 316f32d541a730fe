"""Matches that come from elsewhere as files: a new table goes on from such a match."""

from collections.abc import Mapping

import msgspec

from diablerie.bots.levels import USUAL_LEVEL
from diablerie.engine.files import Damaged, parse_match
from diablerie.engine.foreign_json import BadJson, read_json
from diablerie.engine.game import Game, no_game
from diablerie.engine.match import Match
from diablerie.engine.text import say
from diablerie.runtime.serving import apart
from diablerie.table.commands import lobby
from diablerie.table.errors import BadFile, BadInput, Preparing
from diablerie.table.state.table_state import TableState
from diablerie.table.state.visitors import Visitor
from diablerie.table.tables import Tables

# bytes: the longest matches have half of that, and are read in 0.04 s
LONGEST_SAVED_BYTES = 256 * 1024


class Beginning(msgspec.Struct):
    """What the first line of a match file says about its format, game and rules."""

    diablerie: int
    game: str
    version: int


class End(msgspec.Struct):
    """The last line of what `export` writes of a running match."""

    running: bool = False


def continue_file(
    tables: Tables,
    visitor: Visitor,
    data: bytes,
    step: int | None = None,
    seat: int | None = None,
    bot: str = "",
    client: str = "",
) -> TableState:
    """Open a table that goes on from the match in a file's bytes after its first `step` plies.

    step: None for all of an unfinished match. The visitor plays `seat` (None: who is to decide
    there) and the bot all others, since a file does not say who they were; chance is drawn anew.
    Raises TooMany, Preparing, BadFile, BadInput for a seat or bot there is not, WrongTime for a
    seat that has resigned, or if the game is over after the step.
    """
    tables.limits.take("tables", client)
    spec = lobby.bot_spec(bot or USUAL_LEVEL.name)
    game = _game(data, tables.games)
    if not tables.ready(game.name):
        raise Preparing(game.title)
    match = apart(lambda: _match(data, game))
    if step is None and match.over:
        raise BadFile(say("This game is over: say after which step you play on."))
    after = match.ply if step is None else step
    if not 1 <= after <= match.ply:
        raise BadFile(say("This match has no step {n}.", n=after))
    if seat is not None and seat not in range(match.seats):
        raise BadInput(say("There is no such seat."))
    return lobby.go_on(tables, visitor, match, after, seat, [spec] * match.seats)


def _game(data: bytes, games: Mapping[str, Game]) -> Game:
    """The game of a match file, whose rules are of the same version here. Raises BadFile."""
    rows = data.removesuffix(b"\n").split(b"\n")
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
