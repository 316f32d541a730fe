"""The database as it stands after each commit, read by plain SQL beside the product's own queries.

After every transaction of a node the ledger sees which tables have changed, and asks the model
whether what the node was doing explains the change. A change that nothing explains is a violation.
"""

import json
import sqlite3
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from diablerie.engine.plies import Event, Ply, PlyKind
from diablerie.table.state.nonce_exchange import PROMISED_PLEDGE
from diablerie.table.state.table_state import OPEN_TABLE

if TYPE_CHECKING:
    from tests.storm.simulation import Simulation

Row = Mapping[str, Any]
FIXED = ("game", "options", "hints", "origin", "taken", "pace", "created", "group_id")
HEADER = (
    *("status", "public", "host", "rematch", "waits", "commitment", "aborted", "earlier"),
    *("request", "key"),
)


Stamp = tuple[int, int, int]  # how far a table is: its revision, plies, and last line of chat
Facts = tuple[tuple[Any, ...], tuple[Any, ...]]


class Violated(AssertionError):
    """Something that must hold does not, at this table."""

    def __init__(self, invariant: str, table: str = "", why: object = "") -> None:
        super().__init__(f"{invariant}: table {table or '-'}: {why}")
        self.invariant, self.table = invariant, table
        self.history: list[str] = []


@dataclass
class Doing:
    """What a node does: a command of a browser, or a step of a worker."""

    node: int
    name: str
    command: Any = None
    commits: int = 0
    overtaken: bool = False  # whether the other node has done something meanwhile
    idle: bool = False  # whether the command would have changed nothing before that
    stamps: dict[str, Stamp] = field(default_factory=dict)  # of tables; -1: it has not changed that


class Rows(NamedTuple):
    """The rows of one table but for its plies, of which there are `plies`."""

    match: Row
    seats: list[Row]
    chat: list[Row]
    plies: int

    @property
    def stamp(self) -> Stamp:
        """How far the table is, as `TableState.stamp`."""
        return self.match["revision"], self.plies, self.chat[-1]["id"] if self.chat else 0


def facts_of_rows(rows: Rows) -> Facts:
    """What `facts_of_state` says of the same table."""
    m = rows.match
    asked = json.loads(m["request"]) if m["request"] else None
    header = (
        *(m["status"], bool(m["public"]), m["host"], m["rematch"], m["waits"], m["commitment"]),
        *(m["aborted"], m["hints"], m["origin"], m["taken"], m["pace"], m["created"]),
        *(m["group_id"], asked and (asked[0], asked[1], tuple(asked[2]))),
        tuple(tuple(seat[name] for name in SEAT) for seat in rows.seats),
    )
    return header, tuple((c["id"], c["seat"], c["text"], c["at"]) for c in rows.chat)


SEAT = (
    *("seat", "kind", "name", "owner", "link", "bot", "stand_in", "nonce", "pledge", "called"),
    *("label", "due", "member", "wanted", "wanted_name", "declined"),
)


def facts_of_state(live: Any) -> Facts:
    """All that is stored of a table but for its plies, as a node has it in memory, and its chat."""
    asked = live.request
    header = (
        *(live.status, live.public, live.host, live.rematch, live.waits, live.commitment),
        *(live.aborted, live.hints, live.origin, live.taken, live.pace, live.created),
        *(live.group, asked and (asked.seat, asked.to, tuple(asked.agreed))),
        tuple(tuple(getattr(info, name) for name in SEAT) for info in live.seats),
    )
    return header, tuple((line.id, line.seat, line.text, line.at) for line in live.chat)


class Ledger:
    """Reads the file after each commit, and has the changes explained."""

    def __init__(self, world: "Simulation", file: Path) -> None:
        self._world, self._file = world, file
        self._connection: sqlite3.Connection | None = None
        self.rows: dict[str, Rows] = {}
        self._headers: defaultdict[str, dict[int, Any]] = defaultdict(dict)  # by revision
        self._chats: defaultdict[str, dict[int, Any]] = defaultdict(dict)  # by their last line
        self.changed: dict[str, tuple[float, int]] = {}  # when each table was changed, and by whom
        self.doing: list[Doing] = []
        self.lives: dict[str, int] = {}  # of the node that has changed each table
        self.own: dict[str, Stamp] = {}  # what the last change of each table has changed; else -1
        self.uptime = 0.0
        self.explained = 0  # changes

    @contextmanager
    def does(self, node: int, name: str, command: Any = None) -> Iterator[Doing]:
        """What is done in this context, is done for this reason."""
        self.doing.append(Doing(node, name, command))
        try:
            yield self.doing[-1]
        finally:
            self.doing.pop()

    def close(self) -> None:
        """Close the connection; the next query opens another."""
        if self._connection:
            self._connection.close()
            self._connection = None

    def select(self, statement: str, *values: Any) -> list[Row]:
        """The rows that a query finds."""
        if self._connection is None:
            self._connection = sqlite3.connect(self._file, isolation_level=None)
            self._connection.row_factory = sqlite3.Row
        with closing(self._connection.execute(statement, values)) as cursor:
            return cursor.fetchall()

    def plies(self, table: str, since: int = 0) -> list[Ply]:
        """The plies of a table from number `since` on, which must be whole."""
        rows = self.select(
            "SELECT * FROM plies WHERE match = ? AND ply >= ? ORDER BY ply", table, since
        )
        if [row["ply"] for row in rows] != list(range(since, since + len(rows))):
            raise Violated("each ply is stored once", table, [row["ply"] for row in rows])
        return [_ply(row) for row in rows]

    def committed(self, node: int, written: frozenset[str]) -> None:
        """A node has committed a transaction that has written to these tables of the database."""
        world = self._world
        try:
            if not self.doing or self.doing[-1].node != node:
                raise Violated("only what is asked for is done", "", written)
            doing = self.doing[-1]
            for outer in self.doing[:-1]:
                outer.idle = outer.idle or bool(outer.command and world.model.idle(outer.command))
                outer.overtaken = True
            if written & {"matches", "seats", "plies", "chat"}:
                self._tables(doing)
            world.groups.committed(doing, written)
            world.calls.committed(written)
            world.secrets.committed(doing, written)
            if "hours" in written:
                self._hours()
        except Violated as error:
            world.violate(error)
        except Exception as error:
            made = Violated("every change can be explained", "", repr(error))
            made.__cause__ = error
            world.violate(made)

    def _hours(self) -> None:
        """Uptime never goes back, and never faster than time itself."""
        (row,) = self.select("SELECT seconds FROM hours")
        passed = self._world.timeline.passed
        if not self.uptime <= row["seconds"] <= passed + 1.0:
            raise Violated("uptime goes on", "", (self.uptime, row["seconds"], passed))
        self.uptime = row["seconds"]

    def read(self) -> dict[str, Rows]:
        """All tables as they are stored."""
        seats: defaultdict[str, list[Row]] = defaultdict(list)
        chat: defaultdict[str, list[Row]] = defaultdict(list)
        for row in self.select("SELECT * FROM seats ORDER BY match, seat"):
            seats[row["match"]].append(row)
        for row in self.select("SELECT * FROM chat ORDER BY match, id"):
            chat[row["match"]].append(row)
        counted = self.select("SELECT match, count(*) AS n FROM plies GROUP BY match")
        plies = {row["match"]: row["n"] for row in counted}
        return {
            row["id"]: Rows(row, seats[row["id"]], chat[row["id"]], plies.get(row["id"], 0))
            for row in self.select("SELECT * FROM matches")
        }

    def _tables(self, doing: Doing) -> None:
        now = self.read()
        fresh = [table for table in now if table not in self.rows]
        changed = [t for t in now if t in self.rows and not _same(now[t], self.rows[t])]
        before, self.rows = self.rows, now
        doing.commits += bool(fresh or changed or len(before) > len(now))
        for table in before:
            if table not in now:
                self._gone(table)
                self._world.model.removed(doing, table)
        for table in [*fresh, *changed]:
            after = now[table]
            revision, _, said = after.stamp
            known = before[table].stamp if table in before else (-1, -1, -1)
            both = zip(known, after.stamp, strict=True)
            doing.stamps[table] = tuple(-1 if old == new else new for old, new in both)  # type: ignore[assignment]
            header, chat = facts_of_rows(after)
            if (
                self._headers[table].setdefault(revision, header) != header
                or self._chats[table].setdefault(said, chat) != chat
            ):
                raise Violated("every change has another stamp", table, after.stamp)
            self._keys(table, before.get(table), after)
            self._world.model.changed(doing, after)
            self.changed[table] = (
                self._world.timeline.passed,
                -1 if doing.overtaken else doing.node,
            )
            self.lives[table] = self._world.houses[doing.node].lives
            self.own[table] = doing.stamps[table]
            self.explained += 1

    def _keys(self, table: str, old: Rows | None, new: Rows) -> None:
        """The revision counts the changes; what was fixed when a table was opened stays."""
        if old is None:
            return
        same = all(old.match[name] == new.match[name] for name in HEADER)
        same = same and list(map(tuple, old.seats)) == list(map(tuple, new.seats))
        if new.match["revision"] - old.match["revision"] != (not same):
            raise Violated("the revision counts the changes", table, new.match["revision"])
        if any(old.match[name] != new.match[name] for name in FIXED):
            raise Violated("what a table was opened with stays", table)
        if old.match["status"] != OPEN_TABLE and _shares(old) != _shares(new):
            raise Violated("what the dice are bound to stays", table)
        rekeyed = old.match["key"] != new.match["key"]
        aborted = new.match["aborted"] != old.match["aborted"]
        if rekeyed != aborted or rekeyed != (old.match["commitment"] != new.match["commitment"]):
            raise Violated("the dice are fixed before the nonces are shown", table)

    def _gone(self, table: str) -> None:
        for part in (
            "seats",
            "plies",
            "snapshots",
            "analyses",
            "results",
            "chat",
            "hooks",
            "turns",
        ):
            if self.select(f"SELECT 1 FROM {part} WHERE match = ?", table):
                raise Violated("nothing is left of a table that was deleted", table, part)

    def follows(self, node: int, live: Any) -> None:
        """A node has this table in memory, or has shown it: each part of it was stored so once.

        Plies, chat, and the rest may be changed by two nodes at once without a conflict.
        """
        if live.id in self._world.model.gone:
            return
        revision, plies, said = live.stamp
        known: tuple[Any, Any] = (
            self._world.model.standing(live.id, self._headers[live.id].get(revision), plies),
            self._chats[live.id].get(said),
        )
        if None in known or live.id not in self.rows or plies > self.rows[live.id].plies:
            raise Violated("what is told is stored", live.id, (node, live.stamp))
        for want, got in zip(known, facts_of_state(live), strict=True):
            if want != got:
                why = [(was, told) for was, told in zip(want, got, strict=False) if was != told]
                raise Violated("nodes know a table as it is stored", live.id, (node, why))


def _shares(rows: Rows) -> list[tuple[str, ...]]:
    """What the seats have given to the dice, and the hashes of their names: files are proved by it.

    A promise that is still to be kept is no part of it: who comes after the start makes one for
    rematches.
    """
    pledges = ["" if s["pledge"] == PROMISED_PLEDGE else s["pledge"] for s in rows.seats]
    return [(s["nonce"], p, s["label"]) for s, p in zip(rows.seats, pledges, strict=True)]


def _same(one: Rows, other: Rows) -> bool:
    if one.plies != other.plies or tuple(one.match) != tuple(other.match):
        return False
    pairs = ((one.seats, other.seats), (one.chat, other.chat))
    return all(list(map(tuple, a)) == list(map(tuple, b)) for a, b in pairs)


def _ply(row: Row) -> Ply:
    read = json.loads(row["events"])
    if isinstance(read, dict):
        kind, to, by = PlyKind(read["note"]), read["to"], read["by"]
        return Ply(row["seat"], (), row["since"], row["at"], kind, to, by)
    return Ply(row["seat"], tuple(Event(*one) for one in read), row["since"], row["at"])
