"""Notifications and webhooks: who is called, why, and how often."""

import json
from typing import TYPE_CHECKING, Any

from diablerie.table.errors import Forbidden
from diablerie.table.state.table_state import PERSON, RUNNING
from tests.storm.ledger import Violated
from tests.storm.seats_model import Refusal

if TYPE_CHECKING:
    from tests.storm.simulation import Simulation

LAG = 15.0  # seconds that a message may be behind the table
SECRETS = ("key", "nonce", "record", "secret", "owner")


class Calls:
    """Receives what is sent to browsers and addresses, and compares it with the tables."""

    def __init__(self, world: "Simulation") -> None:
        self._world = world
        self.subscribed: set[str] = set()
        self.hooks: dict[str, str] = {}
        self._waiting: dict[tuple[str, int], float] = {}  # seats that are to decide; or were until
        self._owners: dict[tuple[str, int], str] = {}
        self._looked: dict[str, float] = {}
        self._told: dict[str, float] = {}  # who was called, and when
        self._turns: set[tuple[str, int]] = set()
        self.sent = 0

    def why(self, command: Any) -> Refusal:
        """For what reason a command about calls is refused now."""
        t = self._world.model.tables.get(command.table)
        return Forbidden if command.name == "hook" and t and not t.seats_of(command.who) else None

    def committed(self, written: frozenset[str]) -> None:
        """Note who is to decide where, and who wants to be called."""
        ledger, passed = self._world.ledger, self._world.timeline.passed
        if "pushes" in written:
            rows = ledger.select("SELECT * FROM pushes")
            self.subscribed = {row["endpoint"] for row in rows}
        if "hooks" in written or "matches" in written:
            rows = ledger.select("SELECT match, url FROM hooks")
            self.hooks = {row["match"]: row["url"] for row in rows}
        now: dict[tuple[str, int], str] = {}
        for t in self._world.model.tables.values():
            if t.status == RUNNING:
                for seat in t.pending:
                    chair = t.chairs[seat]
                    if chair.kind == PERSON and not chair.stand_in and chair.owner:
                        now[t.id, seat] = chair.owner
        for place in {*self._owners, *now}:
            if place in now:
                self._owners[place] = now[place]
                self._waiting[place] = float("inf")
            elif self._waiting.get(place) == float("inf"):
                self._waiting[place] = passed

    def at_end(self) -> None:
        """Every node knows who wants to be called, and which tables have a webhook. Raises Violated."""
        owners = {row["owner"] for row in self._world.ledger.select("SELECT owner FROM pushes")}
        for house in self._world.houses:
            with self._world.ledger.does(house.number, "look"):
                at = house.authority.subscriptions
                known = {table: at.hook_of(table) for table in self._world.model.tables}
                urls = {table: hook.url for table, hook in known.items() if hook}
                if urls != self.hooks or at.owners() != owners:
                    raise Violated("nodes know who is to be called", "", (house.number, urls))

    def looked(self, who: str) -> None:
        """A browser has looked at a page."""
        self._looked[who] = self._world.timeline.passed

    def post(self, url: str, body: bytes) -> None:
        """Something arrives. Raises Violated."""
        self.sent += 1
        message = json.loads(body)
        if any(f'"{word}"' in body.decode() for word in SECRETS):
            raise Violated("nothing secret is sent", "", message)
        if "push.example" in url:
            self._pushed(url, message)
        elif message["type"] == "turn":
            self._posted(url, message)

    def _was_asked(self, who: str | None, table: str) -> bool:
        since = self._world.timeline.passed - LAG
        return any(
            until >= since and (who is None or self._owners[place] == who)
            for place, until in self._waiting.items()
            if table in ("", place[0])
        )

    def _pushed(self, url: str, message: dict[str, Any]) -> None:
        """A browser is called while somebody waits for it, once until it looks at a page."""
        person = self._world.browsers[int(url.rpartition("/")[2])]
        table = message["url"].removeprefix("/t/").strip("/")
        if url not in self.subscribed:
            raise Violated("who has withdrawn is not called", table, url)
        if not self._was_asked(person.who, table) and not person.renewed:
            raise Violated("whoever is called is asked", table, message)
        stream = person.streams.get(table)
        if stream and self._world.streams_well(person, table, LAG):
            raise Violated("who is here is not called", table, url)
        before, looked = self._told.get(url), self._looked.get(person.who, -1.0)
        troubled = self._world.last_trouble
        if before is not None and looked < before and troubled < before:
            raise Violated("nobody is called twice", table, (url, before))
        self._told[url] = self._world.timeline.passed
        person.called()

    def _posted(self, url: str, message: dict[str, Any]) -> None:
        """A table's webhook is told of each turn once, and of the seats whose turn it is."""
        table, passed = message["table"], self._world.timeline.passed
        if self.hooks.get(table) != url:
            raise Violated("a webhook that is gone is not told", table, url)
        for one in message["seats"]:
            place = table, one["seat"]
            if self._waiting.get(place, -1.0) < passed - LAG:
                raise Violated("a webhook is told of who is asked", table, message)
        turn = table, message["ply"]
        troubled = self._world.last_trouble > passed - 90.0 or not self._world.is_quiet
        if turn in self._turns and not troubled:
            raise Violated("a turn is told once", table, message)
        self._turns.add(turn)
