"""What must hold after each step of a simulation, and when all is quiet at its end."""

from typing import TYPE_CHECKING

import sqlalchemy as sa

from diablerie.engine import files, verbs
from diablerie.engine.plies import Ply
from diablerie.engine.queries import redacted
from diablerie.engine.record import copy
from diablerie.engine.rng import seeded
from diablerie.engine.verbs import WATCHER
from diablerie.table.authority import Authority
from diablerie.table.bots.bot_player import due
from diablerie.table.cluster.leader import LOCK
from diablerie.table.state.table_state import OPEN, OVER, RUNNING, TableState
from diablerie.table.storage import loading, schema
from tests.storm.clients import Decision, seen_by
from tests.storm.house import GAMES

if TYPE_CHECKING:
    from tests.storm.simulation import Simulation


class Violated(AssertionError):
    """Something that must hold does not, at this table."""

    def __init__(self, invariant: str, table: str = "", why: object = "") -> None:
        super().__init__(f"{invariant}: table {table or '-'}: {why}")
        self.table = table


class Invariants:
    """Reads the database beside the nodes, and compares it with what they have said."""

    def __init__(self, world: "Simulation") -> None:
        self._world, self._store = world, world.checker
        self._plies: dict[str, tuple[Ply, ...]] = {}
        self._commitments: dict[str, str] = {}
        self.stamps: dict[str, tuple[int, int, int]] = {}
        self.checks = 0

    def after_step(self) -> None:
        """Look at every table that has been changed since the last look. Raises Violated."""
        self._leaders()
        stamps = self._store.stamps(self._store.all())
        for table, stamp in stamps.items():
            if self.stamps.get(table) != stamp:
                self._table(table)
        self.stamps = stamps

    def _table(self, table: str) -> TableState:
        self.checks += 1
        stored = self._store.load(table)
        if stored is None:
            raise Violated("a table that is listed can be read", table)
        try:
            live = loading.live_of(stored, GAMES, shortcut=False)
            quick = loading.live_of(stored, GAMES)
        except loading.CorruptTable as error:
            raise Violated("every table can be read", table, error) from error
        if live.match and quick.match:
            same = live.match.state.tobytes() == quick.match.state.tobytes()
            if not same or live.ply != quick.ply:
                raise Violated("the snapshot is the match that was played", table, live.ply)
        self._appended(live)
        self._stored(live)
        self._turn(live)
        self._nodes(live)
        self._twins(live)
        return live

    def _appended(self, live: TableState) -> None:
        before, now = self._plies.get(live.id, ()), tuple(live.plies)
        if now[: len(before)] != before:
            raise Violated("plies are only appended", live.id, (len(before), len(now)))
        self._plies[live.id] = now
        if live.status != OPEN:
            known = self._commitments.setdefault(live.id, live.commitment)
            if known != live.commitment:
                raise Violated("the dice of a match that runs are fixed", live.id)

    def _stored(self, live: TableState) -> None:
        for said in self._world.decisions.get(live.id, ()):
            self.acknowledged(said, live)

    def acknowledged(self, said: Decision, live: TableState) -> None:
        """An acknowledged decision is stored where the answer said it is."""
        ply = live.plies[said.ply] if 0 <= said.ply < live.ply else None
        if ply is None or ply.seat != said.seat or ply.events[0].text != said.text:
            raise Violated("what was acknowledged is stored", live.id, said)

    def _turn(self, live: TableState) -> None:
        t = schema.turns.c
        rows = self._store.select(sa.select(t.match).where(t.match == live.id))
        if bool(rows) != (live.status == RUNNING and due(live) is not None):
            raise Violated("a turn is noted where a bot is due, and nowhere else", live.id, rows)

    def _nodes(self, live: TableState) -> None:
        for house in self._world.houses:
            if house.up:
                known = house.authority._cache.get(live.id)
                same = known and known.stamp == live.stamp and known.match and live.match
                if same and known.match.state.tobytes() != live.match.state.tobytes():
                    raise Violated("nodes agree on a table", live.id, house.number)

    def _twins(self, live: TableState) -> None:
        """Whoever may not know something sees the same of two matches that differ only in that."""
        if live.match is None or live.status != RUNNING:
            return
        for viewer in (WATCHER, *range(len(live.seats))):
            seen = redacted(live.match.state, viewer)
            twin = copy(seen)
            verbs.guess(twin, viewer, seeded(live.ply))
            if redacted(twin, viewer).tobytes() != seen.tobytes():
                raise Violated("twins look the same", live.id, viewer)

    def _leaders(self) -> None:
        leaders = [house for house in self._world.houses if house.up and house.jobs.leads()]
        holder = self._world.server.locks.get(LOCK)
        sure = [house for house in leaders if holder in house.store.listeners]
        if len(sure) > 1 or (len(leaders) > 1 and not sure):
            raise Violated("one node leads", "", [house.number for house in leaders])

    # -- when all is quiet --------------------------------------------------------------------------

    def at_end(self) -> None:
        """Nobody waits, everything that was shown is stored, every finished match is sound."""
        fresh = Authority(self._store, GAMES)  # who has read nothing yet
        for table in self._store.all():
            live = self._table(table)
            if live.status == RUNNING and self._world.somebody_plays(live):
                raise Violated("nobody waits for ever", table, live.pending)
            if live.status == OVER:
                self._verify(live)
            self._shown(fresh, live)
            self._said(live)
        leading = [house.number for house in self._world.houses if house.jobs.leads()]
        if len(leading) != 1:
            raise Violated("one node leads", "", leading)
        for house in self._world.houses:
            if house.store.trouble:
                raise Violated("every node writes again", "", house.store.trouble)

    def _verify(self, live: TableState) -> None:
        authority = self._world.houses[0].authority
        text = authority.export(authority.live(live.id), WATCHER)
        try:
            match = files.parse_match(text.encode(), GAMES, dice=True)
        except files.Damaged as error:
            raise Violated("`verify` passes", live.id, error) from error
        if [p.events for p in match.plies] != [p.events for p in live.plies]:
            raise Violated("the file is the match", live.id)

    def _shown(self, fresh: Authority, live: TableState) -> None:
        """Every page that was delivered is what the database gives, for every viewer alike."""
        for (viewer, ply), seen in self._world.shown.get(live.id, {}).items():
            if seen_by(fresh, self._world.at(live, ply), viewer) != seen:
                raise Violated("what was delivered is stored", live.id, (viewer, ply))
        for browser in self._world.browsers:
            page = browser.pages.get(live.id)
            if live.id in browser.streams and page and page.ply != live.ply:
                raise Violated("every stream tells of the last ply", live.id, (page.ply, live.ply))

    def _said(self, live: TableState) -> None:
        lines = {line.text for line in live.chat}
        for text in self._world.lines.get(live.id, ()):
            if text not in lines:
                raise Violated("what was said is stored", live.id, text)
