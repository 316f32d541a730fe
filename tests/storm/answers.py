"""What nodes answer and show: each answer for a reason that the model has, each page as it is stored."""

import json
from collections import Counter, defaultdict, deque
from typing import TYPE_CHECKING, Any

from diablerie.engine.queries import redacted
from diablerie.table.errors import BadInput, Refused, TooMany, WrongTime
from diablerie.table.presence.rate_limits import RATES
from diablerie.table.state.table_state import OPEN_TABLE, RUNNING, TableState
from tests.storm.groups_model import COMMANDS
from tests.storm.ledger import Doing, Violated
from tests.storm.network import TOLD, Page, digest
from tests.storm.seats_model import Table

if TYPE_CHECKING:
    from tests.storm.house import House
    from tests.storm.simulation import Simulation

LIMITED = {"decide": "moves", "chat": "chat"}  # commands, by what counts them
EXPORTS = 6  # pages until one's file is looked at, too
STALE = 12.0  # seconds after which a node knows what another has changed, when nothing fails


class Answers:
    """Compares what is told with the model and the ledger, at the moment when it is told."""

    def __init__(self, world: "Simulation") -> None:
        self._world = world
        self.counts: Counter[str] = Counter()
        self.told: Counter[tuple[str, str]] = Counter()  # by command and what became of it
        self.shown: defaultdict[str, dict[tuple[int, int], str]] = defaultdict(dict)
        self._accepted: defaultdict[tuple[str, str], list[float]] = defaultdict(list)
        self._last: dict[
            tuple[int, str, int, int], tuple[int, int, int]
        ] = {}  # by life of a stream

    def check(self, house: "House", doing: Doing, answer: Any) -> None:
        """A command was answered. Raises Violated for an answer without a reason."""
        world, command = self._world, doing.command
        self.counts["answers"] += 1
        self.told[command.name, "refused" if isinstance(answer, Refused) else "accepted"] += 1
        if world.violation:
            return
        if isinstance(answer, TooMany):
            if command.more.get("client", "flood") != "flood":
                raise Violated("who asks seldom is not refused", "", (str(command), answer))
            return
        if isinstance(answer, Refused):
            if command.name in ("give_to_bot", "begin") and isinstance(answer, WrongTime):
                return  # who was here until just now
            if command.name in COMMANDS and isinstance(answer, WrongTime) and doing.overtaken:
                return  # the group has changed meanwhile
            if command.name == "share" and isinstance(answer, BadInput) and self._known(command):
                return  # a hash of a start that was broken off
            why = world.why(command)
            if doing.commits or (why is None and command.table not in world.model.gone):
                raise Violated("what may be done is done", command.table, (str(command), answer))
            if why is not None and not isinstance(answer, why):
                raise Violated(
                    "a refusal has its reason", command.table, (str(command), answer, why)
                )
            return
        self.counts["acknowledged"] += 1
        self._limits(command)
        if not (doing.commits or doing.idle or world.model.idle(command)):
            raise Violated("what is acknowledged is stored", command.table, str(command))
        if isinstance(answer, TableState):
            world.ledger.follows(house.number, answer)
            if answer.id in world.ledger.rows and doing.commits and not doing.overtaken:
                self._own(doing, answer)

    def _known(self, command: Any) -> bool:
        """Whether one of these hashes was sent before an earlier start was broken off."""
        rows = self._world.ledger.rows.get(command.table)
        return any(given in rows.match["earlier"] for given in command.args[0].values() if rows)

    def _limits(self, command: Any) -> None:
        """Both nodes together allow a client its burst, and then so many in each second."""
        kind, client = LIMITED.get(command.name, ""), command.more.get("client", "")
        if not kind or not client:
            return
        passed, accepted = self._world.timeline.passed, self._accepted[kind, client]
        accepted.append(passed)
        rate = RATES[kind]
        for k, at in enumerate(accepted):
            if len(accepted) - k > rate.burst + (passed - at) / rate.seconds + 1:
                raise Violated("clients are limited", "", (kind, client, len(accepted) - k))

    def _own(self, doing: Doing, answer: TableState) -> None:
        """An answer has what its own command has changed; the rest another node may know better."""
        own = doing.stamps.get(answer.id, answer.stamp)
        if any(0 <= wanted != known for wanted, known in zip(own, answer.stamp, strict=True)):
            raise Violated("an answer is of after the change", answer.id, (answer.stamp, own))

    def delivered(self, house: "House", browser: Any, page: Page) -> None:
        """A node has made a page for a browser."""
        world, live = self._world, page.live
        self.counts["pages"] += 1
        world.ledger.follows(house.number, live)
        self._not_behind(house, browser, live)
        t = world.model.tables.get(live.id)
        if t is None or live.match is None or t.match is None or not page.seen:
            return
        match = t.match if live.ply == len(t.plies) else t.match.at(live.ply)
        if live.position(page.viewer).record.tobytes() != (
            redacted(match.state, page.viewer).tobytes()
        ):
            raise Violated("viewers see what they may", live.id, (page.viewer, live.ply))
        if self.counts["pages"] % EXPORTS == 0:
            self._exported(house, t, page)
        known = self.shown[live.id].setdefault((page.viewer, live.ply), page.seen)
        if known != page.seen:
            raise Violated("viewers agree", live.id, (page.viewer, live.ply))

    def _exported(self, house: "House", t: Table, page: Page) -> None:
        """The file of a running match has what a viewer may know, and no dice."""
        with self._world.ledger.does(house.number, "export"):
            text = house.authority.export(page.live, page.viewer)
        if page.live.status != RUNNING:
            return
        told = [line for line in map(json.loads, text.splitlines()) if "do" in line]
        want = [
            {"ply": number, "seat": ply.seat, "do": ply.events[0].text}
            for number, ply in enumerate(t.plies[: page.live.ply], 1)
            if ply.seat == page.viewer and ply.events
        ]
        key = self._world.ledger.rows[t.id].match["key"]
        if [{name: line[name] for name in ("ply", "seat", "do")} for line in told] != want:
            raise Violated("a running match's file has one's own decisions", t.id, page.viewer)
        if key in text or any(owner and owner in text for owner in (c.owner for c in t.chairs)):
            raise Violated("secrets stay here", t.id, page.viewer)

    def _not_behind(self, house: "House", browser: Any, live: TableState) -> None:
        """A node knows at once what it has written, and soon what another has."""
        world = self._world
        stored = world.ledger.rows[live.id].stamp if live.id in world.ledger.rows else live.stamp
        stream = browser.number, live.id, house.lives, house.number
        if live.stamp < self._last.get(stream, live.stamp):
            raise Violated("a stream does not go back", live.id, (browser.number, live.stamp))
        self._last[stream] = live.stamp
        if live.stamp == stored:
            return
        at, by = world.ledger.changed[live.id]
        late = world.timeline.passed - max(at, world.quiet_since, house.since)
        own = zip(live.stamp, world.ledger.own[live.id], strict=True)
        by_this = by == house.number and house.lives == world.ledger.lives[live.id]
        if by_this and any(known < written for known, written in own):
            raise Violated("a node knows what it has written", live.id, (live.stamp, stored))
        if world.is_quiet and late > STALE:
            raise Violated("nodes soon know of a change", live.id, (live.stamp, stored, late))

    def at_end(self) -> None:
        """Every page that was shown is what the engine tells this viewer of the stored match."""
        for table, pages in self.shown.items():
            t = self._world.model.tables.get(table)
            if t is None or t.match is None:
                continue
            t.match.names = tuple(chair.called for chair in t.chairs)
            for viewer in sorted({viewer for viewer, _ in pages}):
                last: deque[Any] = deque(maxlen=TOLD)
                for number, step in enumerate(t.match.steps(viewer), 1):
                    last.append(step.lines)
                    told = pages.get((viewer, number))
                    lines = [line for told_then in last for line in told_then]
                    if told and told != digest(step.state.tobytes(), lines):
                        raise Violated("pages tell what happened", table, (viewer, number))

    def caches(self) -> None:
        """What nodes have in memory was stored so; when nothing fails, it is the latest."""
        world = self._world
        for house in world.houses:
            for table, live in (
                [(one.id, one) for one in house.authority.memory.lives()] if house.up else ()
            ):
                if table not in world.ledger.rows:
                    continue
                world.ledger.follows(house.number, live)
                at = world.ledger.changed[table][0]
                late = world.timeline.passed - max(at, world.quiet_since, house.since)
                stored = world.ledger.rows[table]
                if world.is_quiet and late > STALE and live.stamp != stored.stamp:
                    raise Violated("nodes soon know of a change", table, (house.number, late))
                if live.stamp == stored.stamp and world.model.tables[table].match:
                    self._state(house, live)

    def _state(self, house: "House", live: TableState) -> None:
        t = self._world.model.tables[live.id]
        assert t.match is not None
        if live.match is None or live.match.state.tobytes() != t.match.state.tobytes():
            raise Violated("nodes know the position", live.id, house.number)
        if live.status not in (OPEN_TABLE, RUNNING) and live.match.returns() != t.match.returns():
            raise Violated("nodes know how it ended", live.id, house.number)
