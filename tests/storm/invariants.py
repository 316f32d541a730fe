"""What must hold every few steps of a simulation, and when all is quiet at its end."""

from math import inf
from typing import TYPE_CHECKING, Any

from diablerie.engine import files, verbs
from diablerie.engine.queries import redacted
from diablerie.engine.record import copy
from diablerie.engine.rng import seeded
from diablerie.engine.verbs import CHANCE, WATCHER
from diablerie.table.cluster.leader import LOCK
from diablerie.table.commands import history
from diablerie.table.state.table_state import BOT, FINISHED_TABLE, OPEN_TABLE, PERSON, RUNNING
from diablerie.table.storage import rows
from tests.storm.house import GAMES
from tests.storm.ledger import Violated
from tests.storm.seats_model import Table

if TYPE_CHECKING:
    from tests.storm.simulation import Simulation

WHOLE = 6  # looks at tables until one is played again from the start, and not from its snapshot
SOON = 20.0  # seconds in which a bot decides, or a turn clock is noticed, when nothing fails


class Invariants:
    """Looks at the nodes, and at the tables that have changed since the last look."""

    def __init__(self, world: "Simulation") -> None:
        self._world = world
        self._stamps: dict[str, tuple[int, int, int]] = {}
        self._due: dict[str, tuple[int, float]] = {}
        self.checks = 0

    def after_steps(self) -> None:
        """Look at the nodes and at what has changed. Raises Violated."""
        world = self._world
        self._leaders()
        world.answers.caches()
        for table, kept in world.ledger.rows.items():
            if self._stamps.get(table) != kept.stamp:
                self._table(table)
        self._stamps = {table: kept.stamp for table, kept in world.ledger.rows.items()}
        self._turns()
        if world.is_quiet:
            self._nobody_waits()

    def _table(self, table: str, whole: bool = False) -> None:
        """The product reads what is stored, from a snapshot or from the start, and it is the same."""
        self.checks += 1
        world, t = self._world, self._world.model.tables[table]
        stored = world.checker.load(table)
        if stored is None:
            raise Violated("a table that is stored can be read", table)
        try:
            ways = (True, False) if whole or self.checks % WHOLE == 0 else (True,)
            lives = [rows.live_of(stored, GAMES, shortcut=one) for one in ways]
        except rows.CorruptTable as error:
            raise Violated("every table can be read", table, error) from error
        for live in lives:
            world.ledger.follows(-1, live)
            if live.stamp != world.ledger.rows[table].stamp:
                raise Violated("what is read is what is stored", table, live.stamp)
            if live.match and t.match and live.match.state.tobytes() != t.match.state.tobytes():
                raise Violated("the position follows from the plies", table, live.ply)
            if live.match and live.match.draws != draws_of(t):
                raise Violated("the next die follows the last draw", table, live.match.draws)
            if [p._replace(at=0.0) for p in live.plies] != [p._replace(at=0.0) for p in t.plies]:
                raise Violated("plies are only appended", table, live.ply)
        self._twins(t)

    def _twins(self, t: Table) -> None:
        """Whoever may not know something sees the same of two matches that differ only in that."""
        if t.match is None or t.status != RUNNING:
            return
        for viewer in (WATCHER, *range(len(t.chairs))):
            seen = redacted(t.match.state, viewer)
            twin = copy(seen)
            verbs.guess(twin, viewer, seeded(len(t.plies)))
            if redacted(twin, viewer).tobytes() != seen.tobytes():
                raise Violated("twins look the same", t.id, viewer)

    def _turns(self) -> None:
        """A turn is noted where a bot is due, and nowhere else; and bots are not late."""
        world = self._world
        rows = {row["match"]: row for row in world.ledger.select("SELECT * FROM turns")}
        for table, t in world.model.tables.items():
            due = t.status == RUNNING and any(_driven(t, seat) for seat in t.pending)
            if due != (table in rows):
                raise Violated("a turn is noted where a bot is due, and nowhere else", table, due)
            if not due:
                self._due.pop(table, None)
                continue
            alone = all(_driven(t, seat) for seat in range(len(t.chairs)))
            if bool(rows[table]["alone"]) != alone:
                raise Violated("bots that are alone wait for somebody who looks", table, alone)
            plies, since = self._due.get(table, (-1, 0.0))
            if plies != len(t.plies):
                self._due[table] = len(t.plies), world.timeline.passed
            elif world.is_quiet and not alone:
                late = world.timeline.passed - max(since, world.quiet_since + SOON)
                if late > SOON:
                    raise Violated("bots decide soon", table, late)

    def _leaders(self) -> None:
        leaders = [house for house in self._world.houses if house.up and house.jobs.leads()]
        holder = self._world.server.locks.get(LOCK)
        sure = [house for house in leaders if holder in house.store.listeners]
        if len(sure) > 1 or (len(leaders) > 1 and not sure):
            raise Violated("one node leads", "", [house.number for house in leaders])

    def _nobody_waits(self) -> None:
        """Where a turn clock runs, a bot decides when its time is over."""
        world = self._world
        for t in world.model.tables.values():
            for seat, chair in enumerate(t.chairs):
                asked, quiet = chair.asked, world.quiet_since
                late = SOON if asked > quiet + SOON else 2 * SOON  # uptimes differ for a while
                waits = t.pace and chair.due and t.status == RUNNING and seat in t.pending
                if waits and world.timeline.passed - max(asked, quiet) > t.pace + late:
                    raise Violated("turn clocks run out", t.id, (seat, chair.due))

    # -- when all is quiet --------------------------------------------------------------------------

    def unfinished(self) -> list[str]:
        """The running tables where a bot is due, or somebody who knows of the table."""
        return [t.id for t in self._world.model.tables.values() if self._somebody_plays(t)]

    def _somebody_plays(self, t: Table) -> bool:
        if t.status != RUNNING or all(_driven(t, seat) for seat in range(len(t.chairs))):
            return False
        left = self._world.size.without
        # After people have stopped, a clock may take a game on to where one of them is due
        went_on = self._world.still and len(t.plies) > self._world.left_at.get(t.id, 0)
        knowing = {
            browser.who
            for browser in self._world.browsers
            if t.id in browser.tables and f"browser {browser.number}" not in left and not went_on
        }
        return any(_driven(t, seat) or t.chairs[seat].owner in knowing for seat in t.pending)

    def at_end(self) -> None:
        """Nobody waits, everything that was shown is stored, every finished match is sound."""
        world = self._world
        for table, t in world.model.tables.items():
            self._table(table, whole=True)
            if self._somebody_plays(t):
                raise Violated("nobody waits for ever", table, t.pending)
            if t.status == OPEN_TABLE and not t.free and not t.awaited:
                raise Violated("full tables begin", table)
            if t.status == FINISHED_TABLE:
                self._verify(t)
        world.answers.at_end()
        world.secrets.at_end()
        world.calls.at_end()
        leading = [house.number for house in world.houses if house.jobs.leads()]
        if len(leading) != 1:
            raise Violated("one node leads", "", leading)
        for house in world.houses:
            if house.store.trouble:
                raise Violated("every node writes again", "", house.store.trouble)
            with world.ledger.does(house.number, "look"):
                self._lists(house)
                world.groups.told(house.authority)
                self._streams(house)

    def look_around(self) -> None:
        """Nodes look at who is where, as pages have them do all the time."""
        for house in self._world.houses:
            with self._world.ledger.does(house.number, "look"):
                for live in house.authority.lives(list(self._world.model.tables)):
                    house.authority.presence(live)

    def _verify(self, t: Table) -> None:
        authority = self._world.houses[0].authority
        text = authority.export(authority.live(t.id), WATCHER)
        try:
            match = files.parse_match(text.encode(), GAMES, dice=True)
        except files.Damaged as error:
            raise Violated("`verify` passes", t.id, error) from error
        if [p.events for p in match.plies] != [p.events for p in t.plies]:
            raise Violated("the file is the match", t.id)

    def _lists(self, house: Any) -> None:
        """Lists have each table where it belongs."""
        tables, at = self._world.model.tables.values(), house.authority
        public = {t.id for t in tables if t.public and t.status != FINISHED_TABLE}
        if {live.id for live in at.listing(limit=1000)} != public:
            raise Violated("public tables are listed", "", house.number)
        for browser in self._world.browsers:
            own = [t for t in tables if t.seats_of(browser.who)]
            mine = {t.id for t in own if t.status != FINISHED_TABLE}
            if {live.id for live in at.mine(browser.who, 1000)} != mine:
                raise Violated("one's own tables are listed", "", browser.number)
            past = {one.table: one for one in history.finished_games(at, browser.who)}
            if set(past) != {t.id for t in own if t.status == FINISHED_TABLE}:
                raise Violated("finished games are listed", "", browser.number)
            for t in own:
                if t.id in past and t.match:
                    won = [gain > 0 for gain in t.match.returns()]
                    if [seat.won for seat in past[t.id].seats] != won:
                        raise Violated("it is known who has won", t.id, won)

    def _streams(self, house: Any) -> None:
        """Streams show the latest, nobody is present who is not there, and nothing leaks."""
        world, told = self._world, 0
        for browser in world.browsers:
            for table, (node, life, _, _) in browser.streams.items():
                if (node, life) != (house.number, house.lives):
                    continue  # another node's, or broken by a crash and not opened again yet
                told += 1
                page, rows = browser.pages.get(table), world.ledger.rows.get(table)
                if page and rows and page.live.stamp != rows.stamp:
                    raise Violated("every stream tells of the last change", table, page.live.stamp)
        if house.authority.hub.listeners() != told:
            raise Violated("streams that are closed are forgotten", "", house.number)
        for table, t in world.model.tables.items():
            seen = house.authority.presence(house.authority.live(table))
            for seat, chair in enumerate(t.chairs):
                if chair.kind != PERSON:
                    continue
                here, due = world.is_here(table, chair.owner), seen[seat].due
                if seen[seat].here != here:
                    raise Violated("who is here is known", table, (house.number, seat))
                if not here and not chair.stand_in and (due or inf) > house.authority.clock():
                    raise Violated("who is away can be replaced", table, (house.number, seat, due))


def draws_of(t: Table) -> int:
    """How much chance has drawn from the table's own key; its dice are numbered by that."""
    return sum(event.seat == CHANCE for ply in t.plies[t.taken :] for event in ply.events)


def _driven(t: Table, seat: int) -> bool:
    return t.chairs[seat].kind == BOT or t.chairs[seat].stand_in
