"""A group's tables: open one in a game, and sit down at one, as members of the group."""

from collections.abc import Mapping, Sequence

from diablerie.api import Sitting
from diablerie.engine.game import Game
from diablerie.engine.text import say
from diablerie.table.commands import groups, lobby
from diablerie.table.commands.groups import Group, Member
from diablerie.table.errors import BadInput, NotFound, WrongTime
from diablerie.table.state.table_state import OPEN_TABLE, TableState
from diablerie.table.state.visitors import Visitor
from diablerie.table.tables import Tables

NOBODY_NAMED = say("First say who is playing on this device.")
MOST_TABLES_LISTED = 8  # tables of a group that are not over


def tables_of(tables: Tables, group: Group) -> list[TableState]:
    """The tables of a group that are not over, newest first. Raises Unavailable."""
    return tables.lives(tables.store.tables_of_group(group.id, MOST_TABLES_LISTED))


def here(tables: Tables, group: Group, lives: Sequence[TableState]) -> set[int]:
    """The members who are here: they look at the group's page, or at one of these tables."""
    now = tables.clock()
    present = {one.number for one in group.members if one.seen > now - groups.PRESENT_SECONDS}
    for live in lives:
        shown = zip(live.seats, tables.attendance.of(live), strict=True)
        present |= {info.member for info, presence in shown if presence.here}
    return present & {one.number for one in group.members}


def start(
    tables: Tables,
    link: str,
    visitor: Visitor,
    game: str,
    members: Sequence[int],
    *,
    options: Mapping[str, str] | None = None,
    share: bool = False,
    client: str = "",
) -> TableState:
    """Open a table for a group, with these members at this browser and an open seat for each other.

    The others are the members who are present now; without any, as many seats as the game's least
    are. Raises NotFound, BadInput, TooMany.
    """
    group = groups.find(tables, link, visitor)
    chosen = tables.game(game)
    players = _players(group, members)
    present = here(tables, group, tables_of(tables, group)) | {one.number for one in players}
    seats = _seats(chosen, len(players), len(present))
    placed = _placed(players, seats)
    return lobby.open_table(
        tables,
        visitor,
        game,
        [lobby.HERE if seat in placed else "open" for seat in range(seats)],
        options=options,
        names=[placed[seat].name if seat in placed else "" for seat in range(seats)],
        share=share,
        client=client,
        group=group.id,
        members={seat: one.number for seat, one in placed.items()},
    )


def sit(
    tables: Tables,
    link: str,
    visitor: Visitor,
    table: str,
    members: Sequence[int],
    *,
    share: bool = False,
) -> TableState:
    """Take open seats of a group's table for these members, each in their colour if it is free.

    Raises NotFound, BadInput, WrongTime.
    """
    group = groups.find(tables, link, visitor)
    live = tables.live(table)
    if live.group != group.id:
        raise NotFound(say("This table belongs to another group."))
    players = _players(group, members)
    there = {info.member for info in live.seats}
    coming = [one for one in players if one.number not in there]
    if not coming:
        return live
    if live.status != OPEN_TABLE or len(coming) > live.free:
        raise WrongTime(say("There are not enough free seats at this table: open another."))
    for one in coming:
        free = [info.seat for info in live.seats if info.kind == "open"]
        seat = one.colour if one.colour in free else None
        try:
            asked = Sitting(seat, one.name, share)
            live = lobby.sit.do(tables, table, visitor, asked, member=one.number)
        except WrongTime:
            live = tables.live(table)
            if one.number not in {info.member for info in live.seats}:
                raise  # else the member has sat down meanwhile, as by a second click
    return live


def _players(group: Group, members: Sequence[int]) -> list[Member]:
    mine = {one.number for one in group.mine}
    players = [group.member(number) for number in dict.fromkeys(members)]
    if not players or any(one.number not in mine for one in players):
        raise BadInput(NOBODY_NAMED)
    return players


def _seats(game: Game, players: int, present: int) -> int:
    """The number of seats: for all who are present, if the game has so many."""
    if players > game.seats[-1]:
        raise BadInput(say("{game} is for at most {n} players.", game=game.title, n=game.seats[-1]))
    return next((n for n in game.seats if n >= max(2, present)), game.seats[-1])


def _placed(players: Sequence[Member], seats: int) -> dict[int, Member]:
    """The members by seat: each in their colour, if nobody took it first."""
    placed: dict[int, Member] = {}
    for one in players:
        free = [seat for seat in range(seats) if seat not in placed]
        placed[one.colour if one.colour in free else free[0]] = one
    return placed
