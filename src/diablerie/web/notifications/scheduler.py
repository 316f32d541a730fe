"""The scheduler of notifications: players whose turn it is get a web push, tables have webhooks.

A player gets one message for all tables, WEBHOOK_DELAY_SECONDS after the turn began, and no
other until they look at a page. Whoever has a page of the table open gets none, but is looked for
again: they may leave it without a decision. A webhook gets one message a turn.
"""

import logging
import queue
import threading
from collections.abc import Callable, Mapping, Sequence

from cachetools import LRUCache

from diablerie.runtime.background import Background, Failures
from diablerie.runtime.clock import SYSTEM_CLOCK, Clock
from diablerie.table.authority import Authority
from diablerie.table.commands.subscriptions import Hook, Push
from diablerie.table.errors import Refused
from diablerie.table.outbound import Courier, Undelivered
from diablerie.table.state.table_state import PERSON, RUNNING, TableSeat, TableState
from diablerie.table.state.visitors import Visitor
from diablerie.web.notifications import messages
from diablerie.web.notifications.messages import Keys

# -- who sends, so that nobody waits ---------------------------------------------------------------

log = logging.getLogger(__name__)
PILE = 500  # jobs in the queue; more are dropped
WORKERS = 2
Job = Callable[[], object]


class BoundedExecutor(Background):
    """Runs jobs in threads of its own. It logs what a job raises and goes on."""

    def __init__(
        self, workers: int = WORKERS, pile: int = PILE, clock: Clock = SYSTEM_CLOCK
    ) -> None:
        self._pile: queue.Queue[Job] = queue.Queue(pile)
        self._full = False
        super().__init__("post", self._run, clock, threads=workers)

    def put(self, job: Job) -> bool:
        """Queue a job; return False if the queue is full. Never waits."""
        try:
            self._pile.put_nowait(job)
        except queue.Full:
            if not self._full:
                log.warning("too much to send: some is dropped")
            self._full = True
            return False
        self._full = False
        self.wake()
        return True

    def stop(self, timeout: float = 1.0) -> None:
        """Stop after the jobs in the queue, or after `timeout` seconds; the rest is dropped."""
        stop = super().stop
        self.put(lambda: stop(0.0))  # after what waits already
        self.join(timeout)
        stop(0.0)

    def _run(self) -> float | None:
        try:
            job = self._pile.get_nowait()
        except queue.Empty:
            return None
        try:
            job()
        except Exception:
            log.exception("something could not be sent")
        return 0.0


# -- who is notified, and when ---------------------------------------------------------------------

WEBHOOK_DELAY_SECONDS = 60.0  # seconds from the begin of a turn to its notification
WEBHOOK_BACKOFF = (60.0, 600.0, 3600.0)  # seconds until a failed message is sent again: the backoff
DUE_CHECK_SECONDS = 1.0  # seconds between two checks while a notification is due
TURNS_REMEMBERED = 10_000  # tables of which is remembered the last turn that their webhook got
MOST_TABLES_IN_MESSAGE = 50  # of one person, which one message may be about
Key = tuple[str, str]  # "push" and a visitor, or "hook" and a table


class NotificationScheduler:
    """Decides whom to notify; a `BoundedExecutor` sends the messages."""

    def __init__(
        self,
        authority: Authority,
        keys: Keys,
        courier: Courier | None = None,
        window: float = WEBHOOK_DELAY_SECONDS,
    ) -> None:
        self.keys = keys
        self._authority = authority
        self._subscriptions = authority.subscriptions
        self._courier = courier or Courier()
        self._window = window
        self._post = BoundedExecutor(clock=authority.clock)
        self._send: Callable[[Callable[[], None]], object] = self._post.put
        self._lock = threading.Lock()
        self._due: dict[Key, float] = {}  # when, by the authority's clock
        self._notified: set[str] = set()  # visitors notified who have not looked at a page since
        self._heard: LRUCache[str, int] = LRUCache(
            TURNS_REMEMBERED
        )  # by table: the last turn its webhook got
        self._tries: dict[Key, int] = {}
        self._background = Background(
            "scheduler",
            self._run,
            authority.clock,
            failures=Failures(backoff=DUE_CHECK_SECONDS, expected=Refused, said="the scheduler"),
        )

    def start(self) -> None:
        """Start. Turns that began before the server was stopped are notified, too."""
        self.listen()
        self._post.start()
        self._anew()
        self._background.start()

    def listen(self) -> None:
        """Subscribe to changes of tables and to visits of pages."""
        self._authority.listen(self.on_change)
        self._authority.attendance.on_visit.append(self.looked)

    def lead(self) -> None:
        """Become the leader of several processes. One alone has nobody to lead."""

    def follow(self) -> None:
        """Another process has become the leader."""

    def _anew(self) -> None:
        """Look at every subscription: none is known yet."""
        self._send(self._begin)

    def stop(self) -> None:
        """Stop the threads."""
        self._background.stop(0.0)
        self._post.stop()

    def _begin(self) -> None:
        self.keys.make()
        for owner in self._subscriptions.owners():
            if any(push.told for push in self._subscriptions.of(Visitor(owner))):
                self._notified.add(owner)
            else:
                self._later(("push", owner), self._window)
        for table in self._subscriptions.hooked():
            self._later(("hook", table), self._window)

    # -- what the scheduler is told: these methods never wait -----------------------------------

    def on_change(self, live: TableState) -> None:
        """A table has changed: schedule notifications of those who are to decide."""
        if live.status != RUNNING or not live.pending:
            return
        for seat in live.pending:
            owner = live.seats[seat].owner
            if owner in self._subscriptions.owners() and owner not in self._notified:
                self._later(("push", str(owner)), self._window)
        if live.id in self._subscriptions.hooked():
            self._later(("hook", live.id), self._window)

    def looked(self, visitor: Visitor) -> None:
        """A visitor looks at a page, so they may be notified again."""
        if visitor in self._notified:
            self._notified.discard(visitor)
            self._send(lambda: self._subscriptions.mark(visitor, False))

    def greet(self, hook: Hook) -> None:
        """A table has a new webhook: send it a first message."""
        live = self._authority.live(hook.table)
        message = messages.webhook_greeting(hook, live)
        self._send(lambda: self._noted(hook, message))

    def _later(self, key: Key, seconds: float) -> None:
        with self._lock:
            self._due.setdefault(key, self._authority.clock() + seconds)
        self._background.wake()

    # -- what it does, in its own thread -------------------------------------------------------

    def look(self) -> None:
        """Send every notification that is due."""
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
        if visitor in self._notified:
            return
        due = self._due_of(visitor)
        waiting = [live for live in due if self._absent(live, visitor)]
        if due and not waiting:
            self._later(("push", visitor), self._window)
        if not waiting:
            return
        self._notified.add(visitor)
        if not self._send(lambda: self._pushed(visitor, waiting)):
            self._again(("push", visitor))

    def _due_of(self, visitor: Visitor) -> list[TableState]:
        """The tables where a visitor is to decide."""
        if known := self._authority.mine(visitor, MOST_TABLES_IN_MESSAGE):
            self._authority.catch_up(*(live.id for live in known))  # news may be late, or lost
        lives = self._authority.mine(visitor, MOST_TABLES_IN_MESSAGE)
        return [live for live in lives if _waits_for(live, visitor)]

    def _absent(self, live: TableState, visitor: Visitor | None = None) -> list[int]:
        """The seats, of all or of one visitor, that are due and have no page of the table open."""
        presence = self._authority.presence(live)
        own = (s for s in _people(live) if visitor in (None, s.owner))
        return [s.seat for s in own if not presence[s.seat].here]

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
            message = messages.push_message(push, tables)
            messages.push(self._courier, self.keys, push, message, self._authority.clock())
        except messages.SubscriptionGone:
            self._subscriptions.forget(push.id)
        except Undelivered as error:
            log.info("a browser could not be notified: %s", error)
        except Exception:
            log.exception("a browser could not be notified")
        else:
            return True
        return False

    def _again(self, key: Key) -> None:
        """Schedule a failed message again, after the next of WEBHOOK_BACKOFF."""
        self._notified.discard(key[1])
        tries = self._tries.get(key, 0)
        if tries < len(WEBHOOK_BACKOFF):
            self._tries[key] = tries + 1
            self._later(key, WEBHOOK_BACKOFF[tries])
        else:
            self._tries.pop(key, None)

    def _tell(self, table: str) -> None:
        try:
            self._authority.catch_up(table)
            live = self._authority.live(table)
            hook = self._subscriptions.hook_of(table)
        except Refused:
            return
        if hook is None or hook.given_up or not _people(live):
            return
        turn = live.plies[-1].since
        left = live.changed + self._window - self._authority.clock()
        seats = self._absent(live)
        if turn in (self._heard.get(table), hook.heard):
            return
        if left > 0 or not seats:
            self._later(("hook", table), min(left, self._window) if left > 0 else self._window)
            return
        self._heard[table] = turn
        message = messages.turn_message(hook, live, seats, self._authority.deadlines(live))
        self._send(lambda: self._noted(hook, message, turn))

    def _noted(self, hook: Hook, message: Mapping[str, object], turn: int = -1) -> None:
        self._subscriptions.note(hook, messages.post(self._courier, hook.url, message), turn)

    def _run(self) -> float | None:
        self.look()
        return DUE_CHECK_SECONDS if self._due else None


def _people(live: TableState) -> list[TableSeat]:
    """The seats of people who are to decide."""
    infos = (live.seats[k] for k in live.pending) if live.status == RUNNING else ()
    return [info for info in infos if info.kind == PERSON and not info.driver]


def _waits_for(live: TableState, visitor: Visitor) -> bool:
    return any(info.owner == visitor for info in _people(live))
