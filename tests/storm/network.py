"""Browsers on a network that loses, delays, repeats and reorders what they send, and their streams."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

from diablerie.engine.verbs import WATCHER
from diablerie.table.authority import Authority
from diablerie.table.errors import Refused, TooMany, Unavailable
from diablerie.table.state.table_state import TableState
from diablerie.table.state.visitors import visitor_of
from tests.storm.ledger import Violated
from tests.storm.simulated import Crash

if TYPE_CHECKING:
    from tests.storm.simulation import Simulation

TRIES = 6  # times that a browser sends the same request
TOLD = 10  # plies of the log on a page
PATIENCE = 3.0  # seconds until it sends it again


@dataclass
class Command:
    """What a browser asks for: a function of `table.commands`, and what it is called with."""

    name: str
    who: str
    table: str
    args: tuple[Any, ...]
    call: Callable[[Authority], Any]
    more: dict[str, Any] = field(default_factory=dict)
    made: list[str] = field(default_factory=list)  # tables that it has opened

    @property
    def makes(self) -> str:
        """The table that it has opened last."""
        return self.made[-1] if self.made else ""

    def reaches(self, table: str) -> bool:
        """Whether it may change this table."""
        return self.table in ("*", table) or table in self.made

    def __str__(self) -> str:
        return f"{self.name} {' '.join(map(str, self.args))}".strip()


def command(
    function: Any, who: str, table: str, *args: Any, client: str = "", **more: Any
) -> Command:
    """A command of `table.commands` whose arguments are a table, who asks, and these.

    With a `client` it counts for the rate limit, as by web.
    """

    def call(at: Authority) -> Any:
        if client:
            at.limits.take(function.operation.limit, client)
        return function(at, table, who, *args, **more)

    return Command(function.__name__, who, table, args, call, {**more, "client": client})


@dataclass
class Request:
    """A command under way; sent again until there is an answer."""

    command: Command
    done: Callable[[Any], None]
    tries: int = 0
    answered: bool = False


class Page(NamedTuple):
    """What a browser has been shown of a table: `seen` is a digest of the record and the log."""

    viewer: int
    live: TableState
    seen: str
    asked: tuple[int, ...]  # own seats that are to decide
    moves: tuple[tuple[str, ...], ...]  # what each of those may do


def page_of(authority: Authority, live: TableState, who: Any) -> Page:
    """What a browser is shown of a table: only what its first seat may know."""
    own = live.seats_of(who)
    viewer = own[0] if own else WATCHER
    if live.match is None:
        return Page(viewer, live, "", (), ())
    asked = tuple(s for s in own if s in live.pending and not live.seats[s].driver)
    moves = tuple(tuple(move.text for move in live.position(s).moves) for s in asked)
    entries = authority.log(live, viewer, max(0, live.ply - TOLD))
    log = [line for entry in entries for line in entry.lines]
    return Page(viewer, live, digest(live.position(viewer).record.tobytes(), log), asked, moves)


def digest(record: bytes, log: list[Any]) -> str:
    """A digest of a record and a log, as a viewer has them."""
    return sha256(record + "\n".join(map(str, log)).encode()).hexdigest()[:16]


class Browser:
    """One browser: its visitor, what it was last shown of each table, and how it asks."""

    def __init__(self, number: int, world: "Simulation") -> None:
        self.number, self.world = number, world
        self.random = Random(f"{world.seed} browser {number}")
        self.secret = f"the secret of browser number {number}"
        self.who = visitor_of(self.secret)
        self.address = f"10.0.0.{number}"
        self.tables: list[str] = []
        self.pages: dict[str, Page] = {}
        self.streams: dict[str, tuple[int, int, Any, Any]] = {}
        self.since: dict[str, float] = {}  # when its stream of a table was opened
        self.busy: Request | None = None

    # -- requests -----------------------------------------------------------------------------------

    def ask(self, command: Command, done: Callable[[Any], None] = lambda _: None) -> None:
        """Send a command, and again if no answer comes in time."""
        self.busy = Request(command, done)
        self._send(self.busy)

    def _send(self, request: Request) -> None:
        timeline, rates = self.world.timeline, self.world.rates
        request.tries += 1
        copies = 1 + (self.random.random() < rates["request twice"])
        for _ in range(copies):
            if self.random.random() >= rates["request lost"]:
                node = self.random.randrange(len(self.world.houses))
                timeline.later(self.delay(), lambda node=node: self.arrive(request, node), node)  # type: ignore[misc]
        timeline.later(PATIENCE, lambda: self._again(request))

    def delay(self) -> float:
        """Seconds that a message is on its way."""
        return self.random.expovariate(1 / 0.08)

    def _again(self, request: Request) -> None:
        if request.answered:
            return
        if request.tries < TRIES:
            self._send(request)
        else:
            request.answered, self.busy = True, None

    def arrive(self, request: Request, node: int) -> None:
        """A request comes to a node, whose answer may get lost."""
        house, command = self.world.houses[node], request.command
        if not house.up:
            return
        with self.world.ledger.does(node, command.name, command) as doing:
            try:
                answer = command.call(house.authority)
            except Crash:
                house.crash(f"during {command.name}")
                return
            except Unavailable:
                return  # 503: tried again
            except Refused as error:
                answer = error
            except Exception as error:
                wrong = Violated("what fails is refused", command.table, repr(error))
                wrong.__cause__ = error
                self.world.violate(wrong)
                return
            what = type(answer).__name__ if isinstance(answer, Refused) else "ok"
            self.world.timeline.note(
                f"browser {self.number}, {command.table}: {command} at node {node}: {what}"
            )
            try:
                self.world.answers.check(house, doing, answer)
            except Violated as error:  # perhaps within a transaction of the other node
                self.world.violate(error)
        if self.random.random() >= self.world.rates["answer lost"]:
            self.world.timeline.later(self.delay(), lambda: self._answered(request, answer))

    def _answered(self, request: Request, answer: Any) -> None:
        if not request.answered:
            request.answered = True
            self.busy = None if self.busy is request else self.busy
            request.done(answer)

    # -- streams ------------------------------------------------------------------------------------

    def connect(self, table: str) -> bool:
        """Have a stream of this table, from some node; whether there is one."""
        if table in self.streams:
            node, life, _, _ = self.streams[table]
            house = self.world.houses[node]
            if house.up and house.lives == life:
                if self.random.random() >= self.world.rates["stream breaks"]:
                    return True
                self.close(table)
            else:
                self.cut(table)
        node = self.random.randrange(len(self.world.houses))
        house = self.world.houses[node]
        if not house.up:
            return False
        with self.world.ledger.does(node, "stream"):
            manager = house.authority.hub.subscribe(table, self.who, self.address)
            try:
                news = at_once(manager.__aenter__())
            except TooMany as error:
                raise Violated("who has few pages may open another", table, self.number) from error
        self._announce(news.event)
        self.streams[table] = node, house.lives, manager, news
        self.since[table] = self.world.timeline.passed
        self.read(table)
        return True

    def _announce(self, event: asyncio.Event) -> None:
        """Have the world know when an event is set: it need not ask all streams after each step."""
        world, told = self.world, event.set

        def announced() -> None:
            world.woken = True
            told()

        event.set = announced  # type: ignore[method-assign]

    def cut(self, table: str) -> None:
        """A stream has broken, which nobody has told its node."""
        del self.streams[table]

    def close(self, table: str) -> None:
        """Close the stream of a table."""
        node, life, manager, _ = self.streams[table]
        self.cut(table)
        house = self.world.houses[node]
        if house.up and house.lives == life:
            with self.world.ledger.does(node, "stream"):
                at_once(manager.__aexit__(None, None, None))

    def wake(self) -> None:
        """Read what the streams have news of."""
        for table in list(self.streams):
            node, life, _, news = self.streams[table]
            house = self.world.houses[node]
            if house.up and house.lives == life and news.event.is_set():
                news.event.clear()
                self.read(table)

    def read(self, table: str) -> None:
        """Read a table from the node of its stream; the page arrives a little later."""
        node = self.streams[table][0]
        house = self.world.houses[node]
        try:
            with self.world.ledger.does(node, "read"):
                live = house.authority.live(table)
                page = page_of(house.authority, live, self.who)
        except Crash:
            house.crash("while a page is read")
        except Refused as error:
            if table not in self.world.model.tables:  # deleted
                self.close(table)
                with suppress(ValueError):
                    self.tables.remove(table)
                return
            self.world.timeline.note(f"browser {self.number}, {table}: {type(error).__name__}")
            self.streams[table][3].event.set()  # tried again
        else:
            self.world.answers.delivered(house, self, page)
            self.world.timeline.later(self.delay(), lambda: self._shown(table, page))

    def _shown(self, table: str, page: Page) -> None:
        before = self.pages.get(table)
        if before is None or page.live.stamp >= before.live.stamp:
            self.pages[table] = page


def at_once(coroutine: Any) -> Any:
    """The result of a coroutine that waits for nothing."""
    try:
        coroutine.send(None)
    except StopIteration as end:
        return end.value
    raise RuntimeError("this coroutine waits")
