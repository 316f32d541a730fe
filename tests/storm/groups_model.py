"""Groups and their series, as the commands so far have made them: a plain model."""

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from diablerie.engine import verbs
from diablerie.engine.verbs import SEATS
from diablerie.table.commands.history import series_of
from diablerie.table.errors import BadInput, NotFound
from diablerie.table.state.table_state import FINISHED_TABLE
from tests.storm.ledger import Doing, Rows, Violated
from tests.storm.seats_model import Refusal, Table

if TYPE_CHECKING:
    from tests.storm.simulation import Simulation

COMMANDS = ("create", "join", "depart", "change", "remove", "renew")
ROWS = {"groups", "members", "member_devices", "series"}


@dataclass
class Group:
    """A group: its members' names and colours by number, and who plays at which browser."""

    id: str
    link: str
    name: str
    was: str = ""  # its link before the last renewal
    last: int = 1
    members: dict[int, tuple[str, int]] = field(default_factory=dict)
    devices: set[tuple[int, str]] = field(default_factory=set)
    former: dict[int, str] = field(default_factory=dict)  # names before the last change
    series: dict[tuple[str, int], tuple[Any, ...]] = field(default_factory=dict)

    def at(self, who: str) -> list[int]:
        """The members who play at a browser."""
        return sorted(n for n, owner in self.devices if owner == who and n in self.members)


class Groups:
    """All groups, compared with what is stored after each transaction that writes to them."""

    def __init__(self, world: "Simulation") -> None:
        self._world = world
        self.groups: dict[str, Group] = {}
        self.links: set[str] = set()  # all that there ever were
        self._counted = False  # whether a match is over that counts

    def by_link(self, link: str) -> Group | None:
        """The group that has this link now."""
        return next((one for one in self.groups.values() if one.link == link), None)

    def only_member(self, group: str, who: str, t: Table) -> tuple[int, str]:
        """Who sits down at a group's table: the one member at this browser who does not play yet."""
        known = self.groups.get(group)
        there = {chair.member for chair in t.chairs}
        free = [n for n in known.at(who) if n not in there] if known else []
        return (free[0], known.members[free[0]][0]) if known and len(free) == 1 else (0, "")

    # -- what is refused ----------------------------------------------------------------------------

    def why(self, command: Any) -> Refusal:
        """For what reason a command about a group is refused now."""
        if command.name == "start":
            link, _, members = command.args
            group = self.by_link(link)
            if group is None:
                return NotFound
            if any(one not in group.members for one in members):
                return NotFound
            return None if set(members) <= set(group.at(command.who)) and members else BadInput
        if command.name not in COMMANDS or command.name == "create":
            return None
        group, args = self.by_link(command.args[0]), command.args
        if group is None:
            return NotFound
        if command.name in ("depart", "change", "remove") and args[1] not in group.members:
            return NotFound
        names = {name.casefold() for name, _ in group.members.values()}
        if command.name == "change" and args[2] != group.members[args[1]][0]:
            return BadInput if args[2].casefold() in names else None
        if command.name == "join":
            if args[1]:
                return None if args[1] in group.members else NotFound
            return BadInput if args[2].casefold() in names else None
        return None

    # -- what a command does ------------------------------------------------------------------------

    def committed(self, doing: Doing, written: frozenset[str]) -> None:
        """Something of groups was written: it is what the command does, and no more."""
        if not written & ROWS and not self._counted:
            return
        self._counted = False
        command = doing.command
        if command and command.name == "redeem":
            was, now = command.args[:2]
            for group in self.groups.values():
                group.devices = {(n, now if who == was else who) for n, who in group.devices}
        if command and command.name in COMMANDS:
            if (refused := self.why(command)) is not None:
                raise Violated("what must be refused is refused", "", (str(command), refused))
            before = self._facts()
            getattr(self, f"_{command.name}")(command)
            doing.commits += self._facts() != before
        self._compare(doing)

    def _create(self, command: Any) -> None:
        known = {row["id"] for row in self._rows("groups")} - set(self.groups)
        (row,) = (row for row in self._rows("groups") if row["id"] in known)
        made = self.groups[row["id"]] = Group(row["id"], row["link"], command.args[0])
        made.members[1], made.devices = (command.args[1], 0), {(1, command.who)}
        self.links.add(made.link)

    def _join(self, command: Any) -> None:
        link, member, name = command.args
        group = self.by_link(link)
        assert group is not None
        if not member:
            taken = {colour for _, colour in group.members.values()}
            free = next((one for one in range(SEATS) if one not in taken), 0)
            group.last += 1
            member = group.last
            group.members[member] = name, free
        group.devices.add((member, command.who))

    def _depart(self, command: Any) -> None:
        group = self.by_link(command.args[0])
        assert group is not None
        group.devices.discard((command.args[1], command.who))

    def _change(self, command: Any) -> None:
        link, member, name, colour = command.args
        group = self.by_link(link)
        assert group is not None
        group.former[member] = group.members[member][0]
        group.members[member] = name, colour

    def _remove(self, command: Any) -> None:
        group = self.by_link(command.args[0])
        assert group is not None
        del group.members[command.args[1]]
        gone = {who for n, who in group.devices if n == command.args[1]}
        group.devices = {one for one in group.devices if one[1] not in gone}
        if not group.members:
            del self.groups[group.id]

    def _renew(self, command: Any) -> None:
        group = self.by_link(command.args[0])
        (row,) = self._world.ledger.select(
            "SELECT link FROM groups WHERE id = ?", group and group.id
        )
        if group is None or row["link"] in self.links:
            raise Violated("a new link is a new one", "", row["link"])
        group.was, group.link = group.link, row["link"]
        self.links.add(group.link)

    def finished(self, table: str, t: Table, rows: Rows) -> None:
        """A match is over: it counts, for those who belong to its group still."""
        group = self.groups.get(rows.match["group_id"])
        if group is None or t.match is None or t.status != FINISHED_TABLE:
            return
        self._counted = True
        won = [gain > 0 for gain in t.match.returns()]
        count = t.match.game.points if verbs.actor(t.match.state) == verbs.OVER else None
        points = [float(one) for one in count(t.match.state)] if count else [None] * len(won)
        for seat, chair in enumerate(t.chairs):
            if chair.member in group.members:
                row = rows.match["game"], won[seat], points[seat]
                group.series[table, chair.member] = row

    # -- what is stored, and what is told -------------------------------------------------------------

    def _rows(self, name: str) -> list[Any]:
        return self._world.ledger.select(f"SELECT * FROM {name}")

    def _facts(self) -> tuple[Any, ...]:
        groups = self.groups.values()
        return (
            sorted((one.id, one.link, one.name, one.last) for one in groups),
            sorted((g.id, n, *who) for g in groups for n, who in g.members.items()),
            sorted((g.id, *device) for g in groups for device in g.devices),
            sorted((g.id, *key, *row) for g in groups for key, row in g.series.items()),
        )

    def _compare(self, doing: Doing) -> None:
        stored = (
            sorted((r["id"], r["link"], r["name"], r["last"]) for r in self._rows("groups")),
            sorted(
                (r["group_id"], r["member"], r["name"], r["colour"]) for r in self._rows("members")
            ),
            sorted((r["group_id"], r["member"], r["owner"]) for r in self._rows("member_devices")),
            sorted(
                (r["group_id"], r["match"], r["member"], r["game"], bool(r["won"]), r["points"])
                for r in self._rows("series")
            ),
        )
        for want, got in zip(self._facts(), stored, strict=True):
            if want != got:
                raise Violated("groups are as was asked for", "", (doing.name, want, got))

    def told(self, authority: Any) -> None:
        """The series that is shown is the sum of the matches that have counted."""
        for group in self.groups.values():
            played = Counter(n for _, n in group.series)
            won = Counter(n for (_, n), row in group.series.items() if row[1])
            want = {who[0]: (played[n], won[n]) for n, who in group.members.items() if played[n]}
            series = series_of(authority, group.id)
            told = {one.name: (one.games, one.wins) for one in series.standings}
            counted = {table for table, _ in group.series}
            gone = sum(table not in self._world.model.tables for table in counted)
            if told != want or (series.matches, series.erased) != (len(counted), gone):
                raise Violated("a series is the sum of its matches", "", (want, told, series))
