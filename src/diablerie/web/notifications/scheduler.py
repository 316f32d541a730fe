"""The bell: calls those whose turn it is and who are not here, once, and not before a while.

Who is called hears of all tables in one message, and nothing more until a page was looked at. A
table's webhook hears of a turn once. Who has a page open is not called: the page does that.
"""

import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from cachetools import LRUCache

from diablerie.runtime.background import Background
from diablerie.table.authority import Authority
from diablerie.table.commands.subscriptions import CALLS, Hook, Push
from diablerie.table.errors import Refused
from diablerie.table.outbound.https_post import Courier, Undelivered
from diablerie.table.state.table_state import PERSON, RUNNING, TableState
from diablerie.table.state.visitors import Visitor
from diablerie.web.notifications import messages, web_push
from diablerie.web.notifications.executor import BoundedExecutor
from diablerie.web.notifications.vapid_keys import Keys

log = logging.getLogger(__name__)
WINDOW = 60.0  # seconds from a turn's begin to the call: what comes meanwhile is told with it
PAUSES = (60.0, 600.0, 3600.0)  # seconds until it is tried again
EVERY = 1.0  # seconds between two looks, while somebody is to be called
KEPT = 10_000  # tables of which it is remembered what their webhooks know
TABLES = 50  # of one person that are looked at
DUE = "call"  # what the process that calls is told by the others
Key = tuple[str, str]  # "push" and a visitor, or "hook" and a table


class NotificationScheduler:
    """Rings from `start` to `stop`; what takes time is done by the post."""

    def __init__(
        self,
        authority: Authority,
        keys: Keys,
        courier: Courier | None = None,
        window: float = WINDOW,
    ) -> None:
        self.keys = keys
        self._authority, self._subscriptions = authority, authority.subscriptions
        self._courier, self._window = courier or Courier(), window
        self._post = BoundedExecutor(clock=authority.clock)
        self._send: Callable[[Callable[[], None]], object] = self._post.put
        self._lock = threading.Lock()
        self._due: dict[Key, float] = {}  # by the table's clock
        self._told: set[str] = set()  # visitors who were called and have not looked since
        self._heard: LRUCache[str, int] = LRUCache(KEPT)  # by table: the turn its webhook knows of
        self._node = authority.node
        self._known: set[str] = set()  # who wanted to be called when that was last looked at
        self.leading = not self._node.shared  # of several processes one calls, see `lead`
        self._tries: dict[Key, int] = {}
        self._background = Background(
            "bell",
            self._run,
            authority.clock,
            backoff=EVERY,
            expected=Refused,
            failure="the bell",
        )

    def start(self) -> None:
        """Begin; whoever waited to be called when the server stopped is called now."""
        self.listen()
        self._post.start()
        if self.leading:
            self._send(self._begin)
        self._background.start()

    def listen(self) -> None:
        """Hear of turns and of looks."""
        self._authority.listen(self.poke)
        self._authority.attendance.on_visit(self.looked)
        self._node.listen(CALLS, lambda _: self._renew())
        self._node.listen(DUE, self._asked)
        self._node.missed.append(self._anew)
        self._node.swept.append(self._renew)

    # -- where several processes share the tables ----------------------------------------------

    def lead(self) -> None:
        """Call for all processes from now on; who waited to be called is called now."""
        self.leading = True
        self._renew()
        self._send(self._begin)

    def follow(self) -> None:
        """Another process calls: it is told who is due."""
        self.leading = False
        with self._lock:
            self._due.clear()

    def _asked(self, key: str) -> None:
        kind, _, name = key.partition(" ")
        if self.leading:
            self._later((kind, name), self._window)

    def _anew(self) -> None:
        """Some may have asked in vain: whoever wants to be called is looked at."""
        if self.leading:
            self._send(self._begin)

    def _renew(self) -> None:
        """Others may have changed whom to call, and whom not to call again yet."""
        self._subscriptions.stale()
        self._told = self._subscriptions.notified()
        fresh = self._subscriptions.owners() - self._known
        self._known |= fresh
        for owner in fresh if self.leading else ():
            self._later(("push", owner), self._window)

    def stop(self) -> None:
        """End."""
        self._background.stop(0.0)
        self._post.stop()

    def _begin(self) -> None:
        self.keys.make()
        for owner in self._subscriptions.owners():
            if any(push.told for push in self._subscriptions.of(Visitor(owner))):
                self._told.add(owner)
            else:
                self._later(("push", owner), self._window)
        if self._node.shared:
            for table in self._subscriptions.hooked():
                self._later(("hook", table), self._window)

    # -- what is heard: never waits ------------------------------------------------------------

    def poke(self, live: TableState) -> None:
        """A table has changed: perhaps somebody is to be called."""
        if live.status != RUNNING or not live.pending:
            return
        for seat in live.pending:
            owner = live.seats[seat].owner
            if owner in self._subscriptions.owners() and owner not in self._told:
                self._later(("push", str(owner)), self._window)
        if live.id in self._subscriptions.hooked():
            self._later(("hook", live.id), self._window)

    def looked(self, visitor: Visitor) -> None:
        """Somebody looks at a table, and may be called again."""
        if visitor in self._told:
            self._told.discard(visitor)
            self._send(lambda: self._subscriptions.mark(visitor, False))

    def greet(self, hook: Hook) -> None:
        """A table has a new webhook: tell it so."""
        live = self._authority.live(hook.table)
        message = messages.greeting(hook, live)
        self._send(lambda: self._noted(hook, message))

    def _later(self, key: Key, seconds: float) -> None:
        if not self.leading:
            self._node.tell(DUE, " ".join(key))
            return
        with self._lock:
            self._due.setdefault(key, self._authority.clock() + seconds)
        self._background.wake()

    # -- what is done ------------------------------------------------------------------------------

    def look(self) -> None:
        """Call whoever is to be called by now."""
        now = self._authority.clock()
        with self._lock:
            ripe = [key for key, due in self._due.items() if due <= now]
            for key in ripe:
                del self._due[key]
        for kind, name in ripe:
            if kind == "push":
                self._call(Visitor(name))
            else:
                self._tell(name)

    def _call(self, visitor: Visitor) -> None:
        waiting = self._waiting(visitor)
        if not waiting or visitor in self._told or not self.leading:
            return
        self._told.add(visitor)
        if not self._send(lambda: self._pushed(visitor, waiting)):
            self._again(("push", visitor))

    def _waiting(self, visitor: Visitor) -> list[TableState]:
        """The tables that wait for somebody who is not there."""
        lives = self._authority.mine(visitor, TABLES)
        return [
            live
            for live in lives
            if any(live.seats[seat].owner == visitor for seat in self._absent(live))
        ]

    def _absent(self, live: TableState) -> list[int]:
        """The seats of people who are to decide and have no page open."""
        if live.status != RUNNING:
            return []
        here = self._authority.presence(live)
        infos = [live.seats[seat] for seat in live.pending]
        return [
            s.seat for s in infos if s.kind == PERSON and not s.driver and not here[s.seat].here
        ]

    def _pushed(self, visitor: Visitor, tables: Sequence[TableState]) -> None:
        key = "push", str(visitor)
        reached = [self._reached(push, tables) for push in self._subscriptions.of(visitor)]
        if any(reached):
            self._tries.pop(key, None)
            self._subscriptions.mark(visitor, True)
        elif visitor in self._subscriptions.owners():
            self._again(key)

    def _reached(self, push: Push, tables: Sequence[TableState]) -> bool:
        try:
            web_push.push(
                self._courier,
                self.keys,
                push,
                messages.pushed(push, tables),
                self._authority.clock(),
            )
        except web_push.SubscriptionGone:
            self._subscriptions.forget(push.id)
        except Undelivered as error:
            log.info("a browser could not be called: %s", error)
        except Exception:
            log.exception("a browser could not be called")
        else:
            return True
        return False

    def _again(self, key: Key) -> None:
        """What did not get through is tried again, a few times."""
        self._told.discard(key[1])
        tries = self._tries.get(key, 0)
        if tries < len(PAUSES):
            self._tries[key] = tries + 1
            self._later(key, PAUSES[tries])
        else:
            self._tries.pop(key, None)

    def _tell(self, table: str) -> None:
        try:
            live, hook = self._authority.live(table), self._subscriptions.hook_of(table)
        except Refused:
            return
        if hook is None or hook.given_up or live.status != RUNNING:
            return
        turn = live.plies[-1].since
        left = live.changed + self._window - self._authority.clock()
        seats = self._absent(live)
        if not seats or turn in (self._heard.get(table), hook.heard):
            return
        if left > 0:
            self._later(("hook", table), min(left, self._window))
            return
        self._heard[table] = turn
        message = messages.hooked(hook, live, seats, self._authority.deadlines(live))
        self._send(lambda: self._noted(hook, message, turn))

    def _noted(self, hook: Hook, message: Mapping[str, Any], turn: int = -1) -> None:
        self._subscriptions.note(hook, web_push.post(self._courier, hook.url, message), turn)

    def _run(self) -> float | None:
        self.look()
        return EVERY if self._due else None
