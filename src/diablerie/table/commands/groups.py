"""Groups: a household with one permanent link, its members, the browsers they play at, and its tables.

Whoever has the link belongs to the group and may do everything here. A member is a name and a
colour; a browser is at the group as one member, or as several who share a screen. Removing a member
deletes the name and its browsers, whoever else plays at them, and the last one removes the group.
What a removed member has played stays in the series for the others (commands/history.py), without the
name.
"""

import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple

import sqlalchemy as sa
from msgspec import Struct

from diablerie.api import Empty, Frozen
from diablerie.engine.game import Game
from diablerie.engine.text import say
from diablerie.engine.verbs import SEATS
from diablerie.table.commands import lobby
from diablerie.table.commands.command import Asker, P, R, site_command
from diablerie.table.errors import BadInput, Forbidden, NotFound, TooMany, WrongTime
from diablerie.table.state.table_state import OPEN_SEAT, OPEN_TABLE, TableState
from diablerie.table.state.turn_clock import DAY_SECONDS
from diablerie.table.state.visitors import (
    Visitor,
    chosen_name,
    fresh_id,
    skeleton,
    visible_name,
)
from diablerie.table.storage import schema
from diablerie.table.storage.store import Conflict, Statement, Write
from diablerie.table.storage.store_queries import Fetched
from diablerie.table.tables import Tables

MOST_MEMBERS = 24  # members of a group
MOST_DEVICES = 100  # of a group
DEVICE_CODE_LENGTH = 16  # characters of a visitor that tell a group's devices apart
# seconds after which a group that nobody has opened is forgotten
UNUSED_GROUP_SECONDS = 2 * 365 * DAY_SECONDS
PRESENT_SECONDS = 60.0  # seconds for which who has the page open counts as here
PRESENCE_NOTE_SECONDS = 15.0  # seconds between two notes of that
NOBODY_NAMED = say("First say who is playing on this device.")
MOST_TABLES_LISTED = 8  # tables of a group that are not over


# -- what a group is -----------------------------------------------------------------------------


class Device(NamedTuple):
    """A browser of a member: a code for it, when it was last here, whether it is the one that asks."""

    code: str
    seen: float  # Unix time
    mine: bool


class Member(NamedTuple):
    """One person of a group, and the browsers at which they play."""

    number: int
    name: str
    colour: int  # of this seat, if it is free
    devices: tuple[Device, ...]

    @property
    def seen(self) -> float:
        """When the member was last here, 0 if never."""
        return max((device.seen for device in self.devices), default=0.0)

    @property
    def mine(self) -> bool:
        """Whether the member plays at the browser that asks."""
        return any(device.mine for device in self.devices)


class Group(NamedTuple):
    """A group as one browser sees it."""

    id: str
    name: str
    link: str
    members: tuple[Member, ...]

    @property
    def mine(self) -> list[Member]:
        """Who plays at the browser that asks."""
        return [member for member in self.members if member.mine]

    def member(self, number: int) -> Member:
        """One member. Raises NotFound."""
        for member in self.members:
            if member.number == number:
                return member
        raise NotFound(say("This person does not belong to the group, or no longer does."))


class GroupMaking(Frozen):
    """Make a group of this name with one member, the person who asks."""

    name: str
    person: str


@site_command(GroupMaking)
def create(asker: Asker, asked: GroupMaking) -> Group:
    """Make a group with one member, at this browser. Raises BadInput, TooMany."""
    asker.count("tables")
    called = _group_name(asked.name)
    first = _person_name(asked.person)
    group = fresh_id()
    now = asker.now
    link = _fresh_link()
    row = {"id": group, "name": called, "link": link, "last": 1, "created": now, "used": now}
    member = {"group_id": group, "member": 1, "name": first, "colour": 0}
    device = {"group_id": group, "member": 1, "owner": asker.visitor, "seen": now}
    asker.tables.store.commit(
        sa.insert(schema.groups).values(row),
        sa.insert(schema.members).values(member),
        sa.insert(schema.member_devices).values(device),
    )
    return find(asker.tables, link, asker.visitor)


# -- which groups there are ----------------------------------------------------------------------


def find(tables: Tables, link: str, visitor: Visitor | None) -> Group:
    """The group with this link, as a browser sees it. Raises NotFound, Unavailable."""
    row = tables.store.row(schema.groups, "link", link[:64])
    if row is None:
        raise _no_such_group()
    return _group_of(tables, row, visitor)


def _no_such_group() -> NotFound:
    return NotFound(
        say(
            "This link does not lead to a group, or no longer does. It may have been renewed: "
            "open the group from the front page, or ask somebody in it for the new link."
        )
    )


def group_of_table(tables: Tables, table: str, visitor: Visitor | None) -> Group:
    """The group that a table counts for. Raises NotFound, and Forbidden for others' browsers."""
    row = tables.store.row(schema.groups, "id", tables.live(table).group)
    if row is None:
        raise NotFound(say("This table does not belong to a group, or no longer does."))
    group = _group_of(tables, row, visitor)
    if not group.mine:
        raise Forbidden(say("This device does not belong to the group: open the group’s link."))
    return group


def groups_of(tables: Tables, visitor: Visitor) -> list[Group]:
    """The groups to which somebody at this browser belongs, by name. Raises Unavailable."""
    g = schema.groups
    d = schema.member_devices
    known = sa.select(d.c.group_id).where(d.c.owner == visitor)
    rows = tables.store.select(sa.select(g).where(g.c.id.in_(known)).order_by(g.c.name, g.c.id))
    return [_group_of(tables, row, visitor) for row in rows]


def _group_of(tables: Tables, row: Fetched, visitor: Visitor | None) -> Group:
    people = tables.store.rows(schema.members, "group_id", row.id)
    devices = tables.store.rows(schema.member_devices, "group_id", row.id)
    members = []
    for one in people:
        theirs = tuple(
            Device(device.owner[:DEVICE_CODE_LENGTH], device.seen, device.owner == visitor)
            for device in devices
            if device.member == one.member
        )
        members.append(Member(one.member, one.name, one.colour, theirs))
    return Group(row.id, row.name, row.link, tuple(members))


def look_in(tables: Tables, group: Group, visitor: Visitor) -> None:
    """Note that a browser shows the group's page. Raises Unavailable."""
    g = schema.groups
    d = schema.member_devices
    now = tables.clock()
    if all(member.seen > now - PRESENCE_NOTE_SECONDS for member in group.mine):
        return  # a page that stays open asks every few seconds, and writes seldom
    here = sa.update(d).where(d.c.group_id == group.id, d.c.owner == visitor)
    used = sa.update(g).where(g.c.id == group.id, g.c.used < now - DAY_SECONDS)
    tables.store.commit(here.values(seen=now), used.values(used=now))


# -- what whoever has the link may do ------------------------------------------------------------


@dataclass(frozen=True)
class GroupCommand(Generic[P, R]):
    """A command of a group: who gives it has the group's link. Called as a `TableCommand` is."""

    takes: Callable[P, Any]
    work: Callable[[Asker, Group, Any], R]

    def do(
        self, tables: Tables, link: str, visitor: Visitor | None, asked: Struct, client: str = ""
    ) -> R:
        """What the command answers. Raises NotFound, WrongTime, and what it raises itself."""
        group = find(tables, link, visitor)
        return self.work(Asker(tables, visitor, client=client), group, asked)

    def __call__(
        self, tables: Tables, link: str, visitor: Visitor | None, *args: P.args, **named: P.kwargs
    ) -> R:
        """What the command answers. Raises NotFound, WrongTime, and what it raises itself."""
        return self.do(tables, link, visitor, self.takes(*args, **named))


def group_command(
    takes: Callable[P, Any],
) -> Callable[[Callable[[Asker, Group, Any], R]], GroupCommand[P, R]]:
    """A decorator that makes a function the command of a group which takes this struct."""
    return lambda work: GroupCommand(takes, work)


class Joining(Frozen):
    """Let a member play at this browser: one there is, or (`member` 0) a new one.

    A new one without a colour (-1) gets the first that is free.
    """

    member: int = 0
    name: str = ""
    colour: int = -1


@group_command(Joining)
def join(asker: Asker, group: Group, asked: Joining) -> Group:
    """Let a member play at this browser; see `Joining`. Raises BadInput, TooMany."""
    tables = asker.tables
    member = asked.member
    if sum(len(one.devices) for one in group.members) >= MOST_DEVICES:
        raise TooMany(say("The group cannot have more devices: remove one first."))
    writes = list[Statement]()
    if member:
        group.member(member)
    else:
        member, writes = _newcomer(tables, group, asked.name, asked.colour)
    device = {"group_id": group.id, "member": member, "owner": asker.known, "seen": asker.now}
    writes.append(sa.insert(schema.member_devices).values(device))
    if not any(one.number == member for one in group.mine):  # else it plays here already
        commit_by_link(tables, group, writes)
    return _joined(tables, group, asker.known)


def _joined(tables: Tables, group: Group, visitor: Visitor) -> Group:
    """The group after a browser joined: its link may be a new one by now, told to no other browser."""
    row = tables.store.row(schema.groups, "id", group.id)
    now = _group_of(tables, row, visitor) if row else None
    if now is None or not now.mine:
        raise _no_such_group()
    return now


def _newcomer(tables: Tables, group: Group, name: str, colour: int) -> tuple[int, list[Statement]]:
    """The number of a new member, and what is written of it. Raises BadInput, TooMany."""
    if len(group.members) >= MOST_MEMBERS:
        raise TooMany(say("The group is full: remove somebody first."))
    called = _unused_name(group, name)
    if not 0 <= colour < SEATS:
        taken = {member.colour for member in group.members}
        colour = next((one for one in range(SEATS) if one not in taken), 0)
    # Numbers are never given twice: finished games keep those of members who were removed.
    g = schema.groups.c
    last = tables.store.select(sa.select(g.last).where(g.id == group.id))
    number = (last[0][0] if last else 0) + 1
    # If two join at once, the count has changed for the second, whose writes are all refused.
    counted = sa.update(schema.groups).where(g.id == group.id, g.last == number - 1)
    row = {"group_id": group.id, "member": number, "name": called, "colour": colour}
    writes: list[Statement] = [
        Write(counted.values(last=number), expect=1),
        sa.insert(schema.members).values(row),
    ]
    return number, writes


class Leaving(Frozen):
    """Have this member no longer play at this browser."""

    member: int


@group_command(Leaving)
def leave(asker: Asker, group: Group, asked: Leaving) -> None:
    """Have a member no longer play at this browser. Raises NotFound."""
    d = schema.member_devices
    number = group.member(asked.member).number
    here = sa.delete(d).where(
        d.c.group_id == group.id, d.c.owner == asker.visitor, d.c.member == number
    )
    commit_by_link(asker.tables, group, [here])


class DeviceForgetting(Frozen):
    """Have nobody of the group play at a device of a member, by its code.

    With `renewing` the group's link is a new one: who has the old one cannot come back by it.
    """

    member: int
    device: str
    renewing: bool = False


@group_command(DeviceForgetting)
def forget(asker: Asker, group: Group, asked: DeviceForgetting) -> str:
    """Have nobody of the group play at a device; the group's link from then on. Raises NotFound."""
    d = schema.member_devices
    if asked.device not in {one.code for one in group.member(asked.member).devices}:
        raise NotFound(say("This device does not belong to the group, or no longer does."))
    lost = sa.delete(d).where(
        d.c.group_id == group.id, d.c.owner.startswith(asked.device, autoescape=True)
    )
    return commit_by_link(asker.tables, group, [lost], asked.renewing)


class GroupName(Frozen):
    """Give the group this name."""

    name: str


@group_command(GroupName)
def rename(asker: Asker, group: Group, asked: GroupName) -> None:
    """Give the group another name. Raises BadInput."""
    g = schema.groups
    here = sa.update(g).where(g.c.id == group.id)
    commit_by_link(asker.tables, group, [here.values(name=_group_name(asked.name))])


class MemberChange(Frozen):
    """Give a member this name and this colour (-1: the old one)."""

    member: int
    name: str
    colour: int


@group_command(MemberChange)
def change(asker: Asker, group: Group, asked: MemberChange) -> None:
    """Give a member another name and colour. Raises NotFound, BadInput."""
    m = schema.members
    before = group.member(asked.member)
    values = {"name": _unused_name(group, asked.name, before.name), "colour": before.colour}
    if 0 <= asked.colour < SEATS:
        values["colour"] = asked.colour
    here = sa.update(m).where(m.c.group_id == group.id, m.c.member == asked.member)
    commit_by_link(asker.tables, group, [here.values(values)])


class MemberRemoval(Frozen):
    """Remove a member. `renewing`: see `DeviceForgetting`."""

    member: int
    renewing: bool = False


@group_command(MemberRemoval)
def remove(asker: Asker, group: Group, asked: MemberRemoval) -> str:
    """Remove a member; the group's link, or "" if nobody is left and the group is gone, too.

    Their browsers are forgotten as those of other members, too, but for the one that asks. A seat in
    a running game stays until it ends. Raises NotFound.
    """
    m = schema.members
    d = schema.member_devices
    g = schema.groups
    number = group.member(asked.member).number
    browsers = sa.select(d.c.owner).where(d.c.group_id == group.id, d.c.member == number)
    # Who asks may play at the same browser as another member, and goes on.
    forgotten = d.c.owner.in_(browsers.where(d.c.owner != (asker.visitor or "")))
    nobody_left = ~sa.select(m.c.member).where(m.c.group_id == group.id).exists()
    writes = [  # in this order: each is about what those before have left
        sa.delete(d).where(d.c.group_id == group.id, (d.c.member == number) | forgotten),
        sa.delete(m).where(m.c.group_id == group.id, m.c.member == number),
        sa.delete(g).where(g.c.id == group.id, nobody_left),
    ]
    link = commit_by_link(asker.tables, group, writes, asked.renewing)
    return link if asker.tables.store.row(g, "id", group.id) else ""


@group_command(Empty)
def renew(asker: Asker, group: Group, asked: Empty) -> str:
    """Replace the group's link by a new one, which is returned."""
    return commit_by_link(asker.tables, group, [], True)


def commit_by_link(
    tables: Tables, group: Group, writes: Sequence[Statement], renewing: bool = False
) -> str:
    """Commit what somebody does who has the group's link, in one step with a new link if wanted.

    The group's link from then on. Raises NotFound if the link has been renewed since the group was
    read, WrongTime if something else has changed.
    """
    g = schema.groups
    link = _fresh_link() if renewing else group.link
    # The link is written even if it stays: nothing is done if it has been renewed meanwhile.
    same_link = sa.update(g).where(g.c.id == group.id, g.c.link == group.link)
    try:
        tables.store.commit(Write(same_link.values(link=link), expect=1), *writes)
    except Conflict:
        find(tables, group.link, None)  # raises NotFound if it was the link
        raise WrongTime(say("The group has changed. Look again.")) from None
    return link


def _fresh_link() -> str:
    return secrets.token_urlsafe(16)


def _group_name(text: str) -> str:
    called = visible_name(text)
    if not called:
        raise BadInput(say("What is the group called?"))
    return called


def _person_name(text: str) -> str:
    called = chosen_name(text)
    if not called:
        raise BadInput(say("Who are you? Give a name."))
    return called


def _unused_name(group: Group, text: str, but: str = "") -> str:
    called = _person_name(text)
    taken = {skeleton(one.name).casefold() for one in group.members if one.name != but}
    if called != but and skeleton(called).casefold() in taken:
        raise BadInput(say("Somebody in the group already has this name: choose another one."))
    return called


# -- evenings ----------------------------------------------------------------------------------


def tables_of(tables: Tables, group: Group) -> list[TableState]:
    """The tables of a group that are not over, newest first. Raises Unavailable."""
    return tables.lives(tables.store.tables_of_group(group.id, MOST_TABLES_LISTED))


def here(tables: Tables, group: Group, lives: Sequence[TableState]) -> set[int]:
    """The members who are here: they look at the group's page, or at one of these tables."""
    now = tables.clock()
    present = {one.number for one in group.members if one.seen > now - PRESENT_SECONDS}
    for live in lives:
        shown = zip(live.seats, tables.attendance.of(live), strict=True)
        present |= {info.member for info, presence in shown if presence.here}
    return present & {one.number for one in group.members}


class EveningTable(Frozen):
    """Open a table of this game, with these members at this browser and a seat for each other.

    The others are the members who are present now; without any, as many seats as the game's least
    are. share: this browser will send a nonce for the dice.
    """

    game: str
    members: Sequence[int]
    options: Mapping[str, str] = {}
    share: bool = False


@group_command(EveningTable)
def open_evening(asker: Asker, group: Group, asked: EveningTable) -> TableState:
    """Open a table for a group; see `EveningTable`. Raises BadInput, TooMany."""
    tables = asker.tables
    game = tables.game(asked.game)
    players = _players(group, asked.members)
    present = here(tables, group, tables_of(tables, group)) | {one.number for one in players}
    seats = _seats(game, len(players), len(present))
    placed = _placed(players, seats)
    # A seat for each of the players; those who are present elsewhere find theirs open.
    opening = lobby.TableOpening(
        game.name,
        [lobby.HERE if seat in placed else OPEN_SEAT for seat in range(seats)],
        options=asked.options,
        names=[placed[seat].name if seat in placed else "" for seat in range(seats)],
        share=asked.share,
        group=group.id,
        members={seat: one.number for seat, one in placed.items()},
    )
    return lobby.open_table.do(tables, asker.known, opening, asker.client)


class EveningSeats(Frozen):
    """Take open seats of the group's table `table` for these members.

    share: this browser will send a nonce for the dice of each.
    """

    table: str
    members: Sequence[int]
    share: bool = False


@group_command(EveningSeats)
def sit(asker: Asker, group: Group, asked: EveningSeats) -> TableState:
    """Take open seats of a group's table for these members, each in their colour if it is free.

    Raises NotFound, BadInput, WrongTime.
    """
    live = asker.tables.live(asked.table)
    if live.group != group.id:
        raise NotFound(say("This table belongs to another group."))
    players = _players(group, asked.members)
    seated = {info.member for info in live.seats}
    coming = [one for one in players if one.number not in seated]
    if not coming:  # a second click
        return live
    if live.status != OPEN_TABLE or len(coming) > live.free:
        raise WrongTime(say("There are not enough free seats at this table: open another."))
    for one in coming:
        live = _seated(asker, live, one, asked.share)
    return live


def _seated(asker: Asker, live: TableState, one: Member, share: bool) -> TableState:
    """The table with a member seated, in their colour if it is free."""
    free = [info.seat for info in live.seats if info.kind == OPEN_SEAT]
    seat = one.colour if one.colour in free else None
    asked = lobby.MemberSitting(seat, one.name, share, one.number)
    try:
        return lobby.sit.do(asker.tables, live.id, asker.visitor, asked)
    except WrongTime:
        now = asker.tables.live(live.id)
        if one.number not in {info.member for info in now.seats}:
            raise
        return now  # the member has sat down meanwhile, as by a second click


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
