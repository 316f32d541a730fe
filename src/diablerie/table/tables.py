"""Tables in memory: one change at a time, written, then kept, then told."""

import itertools
import logging
import re
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace

from cachetools import LRUCache

from diablerie.engine.game import Game
from diablerie.engine.text import say
from diablerie.games import ALL
from diablerie.table import loading, rows
from diablerie.table.attendance import AWAY, Attendance
from diablerie.table.clock import Clock
from diablerie.table.errors import (
    Forbidden,
    NotFound,
    Preparing,
    Refused,
    Stale,
    Unavailable,
    Unplayable,
)  # fmt: skip
from diablerie.table.hours import Hours
from diablerie.table.hub import Hub
from diablerie.table.limits import Limits
from diablerie.table.live import EMPTY, OPEN, Live, SeatInfo
from diablerie.table.pace import timed
from diablerie.table.playing import begin
from diablerie.table.shares import phase
from diablerie.table.store import Conflict, Store, Stored, Write
from diablerie.table.visitors import Visitor

log = logging.getLogger(__name__)
KEPT = 512  # tables in memory
STRIPES = 64
ATTEMPTS = 5
ID = re.compile(r"[\w-]{1,32}", re.ASCII)  # what `fresh_id` makes, and older ones did


Step = Callable[[Live], Live | None]  # what a table becomes; None: it is removed


class Tables:
    """Loads tables, changes them under a lock, and tells the listeners afterwards."""

    def __init__(
        self,
        store: Store,
        games: Mapping[str, Game] = ALL,
        *,
        clock: Callable[[], float] | None = None,
        monotonic: Callable[[], float] = time.monotonic,
        ready: Callable[[str], bool] = lambda _: True,
        away_after: float = AWAY,
    ) -> None:
        """`ready` says whether a game's rules are compiled: before that its matches wait."""
        self.clock = clock or Clock()
        self.hours = Hours(store, self.clock, monotonic)
        self.store, self.games, self.ready = store, games, ready
        self.attendance = Attendance(self.clock, away_after)
        self.hub = Hub(self.attendance)
        self.limits = Limits(self.clock)
        self._listeners: list[Callable[[Live], None]] = []
        self._locks = [threading.Lock() for _ in range(STRIPES)]
        self._guard = threading.Lock()
        self._cache: LRUCache[str, Live] = LRUCache(KEPT)
        self._versions = itertools.count(1)
        self._told: LRUCache[str, str] = LRUCache(KEPT)  # what was logged of spoiled tables

    def listen(self, listener: Callable[[Live], None]) -> None:
        """Have a function called, in the changing thread, after every change of a table."""
        self._listeners.append(listener)

    def live(self, table: str) -> Live:
        """The table as it stands.

        Raises NotFound, Preparing while its rules are compiled, Unplayable, Unavailable.
        """
        with self._guard:
            live = self._cache.get(table)
        if live:
            return live
        with self._lock(table):
            return self._load(table)

    def lives(self, tables: Sequence[str]) -> list[Live]:
        """Those of these tables that are there and can be shown."""
        found = []
        for table in tables:
            try:
                found.append(self.live(table))
            except (NotFound, Preparing, Unplayable):  # removed meanwhile, or not to be shown
                continue
        return found

    def refresh(self, table: str) -> None:
        """Forget what is in memory: another process has changed the table."""
        with self._lock(table):
            self._drop(table)
        self.hub.publish(table)

    def _load(self, table: str) -> Live:
        with self._guard:
            if table in self._cache:
                return self._cache[table]
        stored = self.store.load(table) if ID.fullmatch(table) else None
        if stored is None:
            raise NotFound
        game = self.games.get(stored.match.game)
        if game and stored.match.status != OPEN and not self.ready(game.name):
            raise Preparing(game.title)
        try:
            return self._keep(loading.live_of(stored, self.games))
        except loading.Spoiled as error:
            raise self._unplayable(stored, error) from error

    def _unplayable(self, stored: Stored, error: loading.Spoiled) -> Unplayable:
        table = stored.match.id
        with self._guard:
            known = self._told.get(table) == str(error)
            self._told[table] = str(error)
        if not known:
            log.error("table %s cannot be read: %s", table, error)
        owners = frozenset(seat.owner for seat in stored.seats if seat.owner)
        return Unplayable(table, error.line, owners)

    @contextmanager
    def reading(self, live: Live) -> Iterator[None]:
        """While the past of a table is read: a ply that cannot be played is Unplayable."""
        try:
            yield
        except Refused:
            raise
        except Exception as error:
            stored = self.store.load(live.id)
            if stored is None:
                raise NotFound from error
            try:
                loading.live_of(stored, self.games, shortcut=False)
            except loading.Spoiled as spoiled:
                raise self._unplayable(stored, spoiled) from error
            raise  # its rows are fine: the mistake is ours

    def _lock(self, table: str) -> threading.Lock:
        return self._locks[hash(table) % STRIPES]

    def change(
        self, table: str, step: Step, also: Callable[[Live], Sequence[Write]] = lambda _: ()
    ) -> Live:
        """Change a table by one step: write, then keep, then tell. Returns it as it is then.

        Where another process was first the step is taken again, from what is there then. What
        `also` says for the new state is written in the same transaction.
        """
        for _ in range(ATTEMPTS):
            with self._lock(table):
                before = self._load(table)
                after = step(before)
                if after is before:
                    return before
                if after is not None and after.pace:
                    after = timed(before, after, self.hours.now())
                try:
                    live = self._commit(before, after, also)
                except Conflict:
                    self._drop(table)
                    continue
                except Unavailable:  # whether it was written is not known: look again
                    self._drop(table)
                    raise
            self.tell(live)
            return live
        raise Stale(self.live(table).ply)

    def _commit(
        self, before: Live, after: Live | None, also: Callable[[Live], Sequence[Write]]
    ) -> Live:
        if after is None:
            self.store.commit(rows.removed(before.id))
            self._drop(before.id)
            return before
        stamped = rows.stamped(before, after)
        self.store.commit([*rows.difference(before, stamped), *also(stamped)])
        return self._keep(stamped)

    def _keep(self, live: Live) -> Live:
        kept = replace(live, version=next(self._versions))
        with self._guard:
            self._cache[kept.id] = kept
        return kept

    def _drop(self, table: str) -> None:
        with self._guard:
            self._cache.pop(table, None)

    def tell(self, live: Live) -> None:
        """There are news of a table: its listeners hear of them."""
        self.hub.publish(live.id)
        for listener in self._listeners:
            try:
                listener(live)
            except Exception:  # the change stands, whoever fails to hear of it
                log.exception("a listener of table %s", live.id)

    # -- what a change of seats leads to -------------------------------------------------------

    def started(self, live: Live, waiting: bool = True) -> Live:
        """The table with its match begun, if all seats are taken and its rules are compiled.

        With `waiting` it waits for the shares in the dice that were promised.
        """
        full = all(info.kind != EMPTY for info in live.seats)
        if live.status != OPEN or not full:
            return live
        if waiting and phase(live):
            return replace(live, waits=live.waits or self.clock())
        if not self.ready(live.game.name):
            return live
        return begin(live, self.store.key(live.id), self.clock())

    def reseated(self, live: Live, *infos: SeatInfo) -> Live:
        """The table with some seats changed, and its match begun if they were the last."""
        fresh = {info.seat: info for info in infos}
        seats = tuple(fresh.get(info.seat, info) for info in live.seats)
        return self.started(replace(live, seats=seats))


def own(live: Live, visitor: Visitor, seat: int) -> SeatInfo:
    """The seat, which must be this visitor's. Raises Forbidden."""
    if seat not in live.seats_of(visitor):
        raise Forbidden(say("This is not your seat."))
    return live.seats[seat]
