"""Tables in memory. A change is written, then kept in memory, then told to the listeners."""

import itertools
import logging
import random
import re
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace

from cachetools import LRUCache

from diablerie.compiling.units import units_of_hints
from diablerie.engine.game import Game, no_game
from diablerie.games import ALL
from diablerie.runtime.clock import SYSTEM_CLOCK, Clock
from diablerie.table.errors import (
    BadInput,
    NotFound,
    Preparing,
    Refused,
    Stale,
    Unavailable,
    UnreadableTable,
)
from diablerie.table.node import PRESENCE_NEWS, TABLE_NEWS, Node
from diablerie.table.presence.hub import AWAY_SECONDS, Attendance, Hub
from diablerie.table.state.nonce_exchange import phase
from diablerie.table.state.table_state import OPEN_TABLE, TableState
from diablerie.table.state.transitions import begin_match
from diablerie.table.state.turn_clock import timed
from diablerie.table.storage import rows
from diablerie.table.storage.store import Conflict, Statement, Store, Stored

log = logging.getLogger(__name__)
TABLES_IN_MEMORY = 4096  # tables in memory
TABLES_HEARD = 20_000  # tables whose changes by other processes are counted
STRIPES = 64
# seconds, longer each time
ATTEMPTS = 12
STEP_BACK = 0.005
ID = re.compile(r"[\w-]{1,32}", re.ASCII)  # what `fresh_id` makes, and older ones did
Step = Callable[[TableState], TableState | None]  # what a table becomes; None: it is removed


class Tables:
    """Loads tables, changes them under a lock, and tells the listeners afterwards."""

    def __init__(
        self,
        store: Store,
        games: Mapping[str, Game] = ALL,
        *,
        clock: Clock = SYSTEM_CLOCK,
        ready: Callable[[str], bool] = lambda _: True,
        can: Callable[[str, str], bool] = lambda *_: True,
        all_ready: Callable[[], bool] | None = None,
        away_after: float = AWAY_SECONDS,
        node: Node | None = None,
    ) -> None:
        """Before `ready` says that a game's rules are compiled, its matches wait.

        Before `can` says so of a unit of them (`compiling/units.py`), bots, hints or analyses do.
        To ask either is a wish; `all_ready` asks of all games without one.
        `node` is what this process shares with others on the same database; without one the
        process is alone, and `clock` is its clock.
        """
        self.node = node or Node(store, clock=clock)
        self.clock = self.node.clock
        self.uptime = self.node.uptime
        self.limits = self.node.limits
        self.store = store
        self.games = games
        self.ready = ready
        self.can = can
        self.all_ready = all_ready or (lambda: all(map(ready, games)))
        self.attendance = Attendance(self.clock, away_after, self.node.others)
        self.hub = Hub(self.attendance, self.clock)
        self._listeners: list[Callable[[TableState], None]] = []
        self._locks = [threading.Lock() for _ in range(STRIPES)]
        self._guard = threading.Lock()
        self._cache: LRUCache[str, TableState] = LRUCache(TABLES_IN_MEMORY)
        self._old: LRUCache[str, TableState] = LRUCache(
            TABLES_IN_MEMORY
        )  # what others have changed since
        self._news: LRUCache[str, int] = LRUCache(TABLES_HEARD)  # of others' changes, by table
        self._versions = itertools.count(1)
        self._unreadable: LRUCache[str, str] = LRUCache(
            TABLES_IN_MEMORY
        )  # what was logged, by table
        self.node.listen(TABLE_NEWS, self.refresh)
        self.node.listen(PRESENCE_NEWS, self.hub.publish)
        self.node.missed.append(self.catch_up)
        self.node.swept.append(self.catch_up)

    def can_advise(self, live: TableState) -> bool:
        """Whether hints and analyses of a match can be made. If not, what they need comes next."""
        units = units_of_hints(live.game, len(live.seats))
        can = [self.can(live.game.name, unit) for unit in units]  # a wish for each
        return all(can)

    def listen(self, listener: Callable[[TableState], None]) -> None:
        """Have a function called, in the changing thread, after every change of a table."""
        self._listeners.append(listener)

    def live(self, table: str) -> TableState:
        """The table as it stands.

        Raises NotFound, Preparing while its rules are compiled, UnreadableTable, Unavailable.
        """
        with self._guard:
            live = self._cache.get(table)
        if live:
            return live
        with self._locked(table):
            return self._load(table)

    def lives(self, tables: Sequence[str]) -> list[TableState]:
        """Those of these tables that exist and can be read."""
        lives = []
        for table in tables:
            try:
                lives.append(self.live(table))
            except (NotFound, Preparing, UnreadableTable):  # removed meanwhile, or not to be read
                continue
        return lives

    def refresh(self, table: str) -> None:
        """Forget a table in memory, because another process has changed it. Never waits."""
        with self._guard:
            self._news[table] = self._news.get(table, 0) + 1
            if old := self._cache.pop(table, None):
                self._old[table] = old
        self.hub.publish(table)

    def game(self, name: str) -> Game:
        """The game of this name. Raises BadInput if there is none."""
        if name not in self.games:
            raise BadInput(no_game(name, self.games))
        return self.games[name]

    def catch_up(self, *tables: str) -> None:
        """Forget those of these tables (none: all) that others have changed. Raises Unavailable."""
        if not self.node.shared:
            return
        with self._guard:
            chosen = tables or tuple(self._cache)
            known = {table: self._cache[table] for table in chosen if table in self._cache}
        stamps = self.store.stamps(list(known)) if known else {}
        for table, live in known.items():
            if stamps.get(table) != live.stamp:
                self.refresh(table)

    def _load(self, table: str) -> TableState:
        with self._guard:
            if table in self._cache:
                return self._cache[table]
            heard = self._news.get(table, 0)
            old = self._old.pop(table, None)
        known = old and self.store.load(table, *old.stamp[1:])
        if old and known and (live := rows.further(old, known)):
            return self._keep(live, heard)
        stored = self.store.load(table) if ID.fullmatch(table) else None
        if stored is None:
            raise NotFound
        game = self.games.get(stored.match.game)
        if game and stored.match.status != OPEN_TABLE and not self.ready(game.name):
            raise Preparing(game.title)
        try:
            return self._keep(rows.live_of(stored, self.games), heard)
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

    def _locked(self, table: str) -> AbstractContextManager[None]:
        return self.clock.held(self._locks[hash(table) % STRIPES])

    def change(
        self,
        table: str,
        step: Step,
        also: Callable[[TableState], Sequence[Statement]] = lambda _: (),
    ) -> TableState:
        """Change a table by one step: write it, keep it, tell the listeners. Returns the new state.

        If another process was first, the step is taken again from the newer state. `also` gives
        further writes for the same transaction. Raises what `step` and `live` raise, and Stale if
        others are first again and again.
        """
        for attempt in range(ATTEMPTS):
            if attempt > 1:  # other processes were first: let them finish
                self.clock.sleep(random.uniform(0.0, attempt * STEP_BACK))
            with self._locked(table):
                with self._guard:
                    heard = self._news.get(table, 0)
                before = self._load(table)
                try:
                    after = step(before)
                except Refused:
                    if not self._outdated(before):
                        raise
                    continue
                if after is not None and after is not before:
                    after = self._stamped(before, after)
                if after is before:
                    if self._outdated(before):
                        continue
                    return before
                try:
                    live = self._commit(before, after, also, heard)
                except (Conflict, Unavailable) as error:  # perhaps it was written: look again
                    self.refresh(table)  # and tell the streams, which may have missed it, too
                    if isinstance(error, Unavailable):
                        raise
                    continue
            self.tell(live)
            return live
        raise Stale(self.live(table).ply)

    def _commit(
        self,
        before: TableState,
        after: TableState | None,
        also: Callable[[TableState], Sequence[Statement]],
        heard: int,
    ) -> TableState:
        if after is None:
            self.store.commit(*rows.removed(before))
            self.forget(before.id)
            return before
        jobs = self.node.job_writes(before, after)
        difference = rows.difference(before, after, self.node.shared)
        self.store.commit(*difference, *jobs, *also(after))
        return self._keep(after, heard)

    def _stamped(self, before: TableState, after: TableState) -> TableState:
        """The table after a change, with turn clocks and revision; `before` if all stays as it is."""
        if after.pace:
            after = timed(before, after, self.uptime.now())
        stamped = rows.stamped(before, after)
        return before if stamped.stamp == before.stamp else stamped

    def _outdated(self, live: TableState) -> bool:
        """Whether another process has changed a table; then it is read anew, by streams, too."""
        if not self.node.shared or self.store.stamps([live.id]).get(live.id) == live.stamp:
            return False
        self.refresh(live.id)
        return True

    def _keep(self, live: TableState, heard: int = 0) -> TableState:
        """Keep a state of a table in memory, unless another process has changed it since `heard`."""
        fresh = replace(live, version=next(self._versions))
        with self._guard:
            if self._news.get(fresh.id, 0) == heard:
                self._cache[fresh.id] = fresh
            else:
                self._cache.pop(fresh.id, None)
        return fresh

    def forget(self, table: str) -> None:
        """Forget a table in memory, so that the next call of `live` reads it from the database."""
        with self._guard:
            self._cache.pop(table, None)
            self._old.pop(table, None)

    def tell(self, live: TableState) -> None:
        """Tell listeners, streams and other processes that a table has changed."""
        self.hub.publish(live.id)
        self.node.tell(TABLE_NEWS, live.id)
        for listener in self._listeners:
            try:
                listener(live)
            except Exception:  # the change is stored, whatever a listener does
                log.exception("a listener of table %s", live.id)

    def started(self, live: TableState, waiting: bool = True) -> TableState:
        """The table with its match begun, if all seats are taken and its rules are compiled.

        With `waiting` the match starts only when all promised nonces are there.
        """
        if live.status != OPEN_TABLE or live.free:
            return live
        if waiting and phase(live):
            return replace(live, waits=live.waits or self.clock())
        if not self.ready(live.game.name):
            return live
        return begin_match(live, self.store.key(live.id), self.clock())
