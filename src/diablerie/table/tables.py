"""Tables in memory. A change is written, then kept in memory, then told to the listeners."""

import logging
import random
import re
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace

from cachetools import LRUCache

from diablerie.compiling.units import BOTS_UNIT, units_of_hints
from diablerie.engine.game import Game, no_game
from diablerie.games import ALL
from diablerie.runtime.clock import SYSTEM_CLOCK, Clock
from diablerie.table.errors import (
    BadInput,
    NotFound,
    Refused,
    Stale,
    Unavailable,
    UnreadableTable,
)
from diablerie.table.node import TABLE_NEWS, TABLES_IN_MEMORY, Node, Overtaken
from diablerie.table.presence.hub import AWAY_SECONDS, Attendance, Hub
from diablerie.table.state.nonce_exchange import phase
from diablerie.table.state.table_state import OPEN_TABLE, TableState
from diablerie.table.state.transitions import begin_match
from diablerie.table.state.turn_clock import timed
from diablerie.table.storage import rows
from diablerie.table.storage.store import Conflict, Statement, Store, Stored

log = logging.getLogger(__name__)
STRIPES = 64
# seconds, longer each time
ATTEMPTS = 12
STEP_BACK = 0.005
ID = re.compile(r"[\w-]{1,32}", re.ASCII)  # what `fresh_id` makes, and older ones did
Step = Callable[[TableState], TableState | None]  # what a table becomes; None: it is removed
MoreWrites = Callable[[TableState], Sequence[Statement]]  # further writes of a change


class Tables:
    """Loads tables, changes them under a lock, and tells the listeners afterwards."""

    def __init__(
        self,
        store: Store,
        games: Mapping[str, Game] = ALL,
        *,
        clock: Clock = SYSTEM_CLOCK,
        can: Callable[[str, str], bool] = lambda *_: True,
        away_after: float = AWAY_SECONDS,
        node: Node | None = None,
        alone: bool = False,
    ) -> None:
        """`can` says whether a unit of a game's rules (`compiling/units.py`) is compiled.

        Before that the strongest bots play, and advise, as archdevils do, and analyses wait.
        `node` is what this process shares with others on the same database; without one the
        process is alone, and `clock` is its clock. `alone`: one browser has all the tables, as on
        the static site, and who opens one there may end it at any time.
        """
        self.alone = alone
        self.node = node or Node(store, clock=clock)
        self.clock = self.node.clock
        self.uptime = self.node.uptime
        self.limits = self.node.limits
        self.memory = self.node.memory
        self.store = store
        self.games = games
        self.can = can
        self.attendance = Attendance(self.clock, away_after, self.node.others)
        self.hub = Hub(self.attendance, self.clock)
        self._listeners: list[Callable[[TableState], None]] = []
        self._locks = [threading.Lock() for _ in range(STRIPES)]
        self._guard = threading.Lock()
        # What was logged, by table
        self._unreadable: LRUCache[str, str] = LRUCache(TABLES_IN_MEMORY)
        self.node.read_anew(self.refresh, self.hub.publish, self.catch_up)

    def can_play(self, game: str, unit: str) -> bool:
        """Whether bots that need this unit play as they are: the usual ones always do."""
        return unit == BOTS_UNIT or self.can(game, unit)

    def can_advise(self, live: TableState) -> bool:
        """Whether what hints and analyses of a match are made by at their best is compiled."""
        return all(self.can(live.game.name, u) for u in units_of_hints(live.game, len(live.seats)))

    def listen(self, listener: Callable[[TableState], None]) -> None:
        """Have a function called, in the changing thread, after every change of a table."""
        self._listeners.append(listener)

    def live(self, table: str) -> TableState:
        """The table as it stands.

        Raises NotFound, UnreadableTable, Unavailable.
        """
        if live := self.memory.get(table):
            return live
        with self._held(table):
            return self._load(table)

    def lives(self, tables: Sequence[str]) -> list[TableState]:
        """Those of these tables that exist and can be read."""
        lives = []
        for table in tables:
            try:
                lives.append(self.live(table))
            except (NotFound, UnreadableTable):  # removed meanwhile, or not to be read
                continue
        return lives

    def refresh(self, table: str) -> None:
        """Have a table read anew, by streams, too, for it is no more as in memory. Never waits."""
        self.memory.outdate(table)
        self.hub.publish(table)

    def game(self, name: str) -> Game:
        """The game of this name. Raises BadInput if there is none."""
        if name not in self.games:
            raise BadInput(no_game(name, self.games))
        return self.games[name]

    def catch_up(self, *tables: str) -> None:
        """Forget those of these tables (none: all) that others have changed. Raises Unavailable."""
        for table in self.node.outdated(self.memory.lives(tables)):
            self.refresh(table)

    def _load(self, table: str) -> TableState:
        if live := self.memory.recalled(table):
            return live
        stored = self.store.load(table) if ID.fullmatch(table) else None
        if stored is None:
            raise NotFound
        try:
            return self.memory.keep(rows.live_of(stored, self.games))
        except rows.CorruptTable as error:
            raise self._log_unreadable(stored, error) from error

    def _log_unreadable(self, stored: Stored, error: rows.CorruptTable) -> UnreadableTable:
        table = stored.match.id
        with self._guard:
            known = self._unreadable.get(table) == str(error)
            self._unreadable[table] = str(error)
        if not known:
            log.error("table %s cannot be read: %s", table, error)
        return UnreadableTable(error.line)

    @contextmanager
    def reading(self, live: TableState) -> Iterator[None]:
        """A context for reading the past of a table.

        Raises UnreadableTable for a ply that cannot be played, NotFound for a table that is gone.
        """
        try:
            yield
        except Refused:
            raise
        except Exception as error:
            stored = self.store.load(live.id)
            if stored is None:
                raise NotFound from error
            try:
                rows.live_of(stored, self.games, shortcut=False)
            except rows.CorruptTable as spoiled:
                raise self._log_unreadable(stored, spoiled) from error
            raise  # its rows are fine: the mistake is ours

    @contextmanager
    def _held(self, table: str) -> Iterator[None]:
        """A context in which nobody else in this process reads or changes a table."""
        with self.clock.held(self._locks[hash(table) % STRIPES]), self.memory.held(table):
            yield

    def change(
        self,
        table: str,
        step: Step,
        more_writes: MoreWrites = lambda _: (),
    ) -> TableState:
        """Change a table by one step: write it, keep it, tell the listeners. Returns the new state.

        If another change was first, the step is taken again from the newer state. `more_writes` gives
        further writes for the same transaction. Raises what `step` and `live` raise, and Stale if
        others are first again and again.
        """
        for attempt in range(ATTEMPTS):
            if attempt > 1:  # let those finish who were first
                self.clock.sleep(random.uniform(0.0, attempt * STEP_BACK))
            with self._held(table):
                before = self._load(table)
                try:
                    live = self._changed(before, step, more_writes)
                except Overtaken:
                    self.refresh(table)
                    continue
            if live is None:
                return before
            self.tell(live)
            return live
        raise Stale(self.live(table).ply)

    def _changed(
        self, before: TableState, step: Step, more_writes: MoreWrites
    ) -> TableState | None:
        """The table after a step, written; None if all stays as it is. Raises Overtaken."""
        try:
            after = step(before)
        except Refused:
            self.node.confirm(before)  # what is refused may be right by now
            raise
        if after is not None and after is not before:
            after = self._stamped(before, after)
        if after is before:
            self.node.confirm(before)
            return None
        try:
            return self._written(before, after, more_writes)
        except Conflict as error:
            raise Overtaken from error
        except Unavailable:  # perhaps it was written
            self.refresh(before.id)
            raise

    def _written(
        self, before: TableState, after: TableState | None, more_writes: MoreWrites
    ) -> TableState:
        if after is None:
            self.store.commit(*rows.removed(before))
            self.forget(before.id)
            return before
        self.store.commit(*self.node.writes(before, after), *more_writes(after))
        return self.memory.keep(after)

    def _stamped(self, before: TableState, after: TableState) -> TableState:
        """The table after a change, with turn clocks and revision; `before` if all stays as it is."""
        if after.pace:
            after = timed(before, after, self.uptime.now())
        stamped = rows.stamped(before, after)
        return before if stamped.stamp == before.stamp else stamped

    def forget(self, table: str) -> None:
        """Forget a table in memory, so that the next call of `live` reads it from the database."""
        self.memory.forget(table)

    def tell(self, live: TableState) -> None:
        """Tell streams, listeners and the node that a table has changed."""
        self.hub.publish(live.id)
        self.node.tell(TABLE_NEWS, live.id)
        for listener in self._listeners:
            try:
                listener(live)
            except Exception:  # the change is stored, whatever a listener does
                log.exception("a listener of table %s", live.id)

    def started(self, live: TableState, waiting: bool = True) -> TableState:
        """The table with its match begun, if all seats are taken.

        With `waiting` the match starts only when all promised nonces are there.
        """
        if live.status != OPEN_TABLE or live.free:
            return live
        if waiting and phase(live):
            return replace(live, waits=live.waits or self.clock())
        return begin_match(live, self.store.key(live.id), self.clock())
