"""Browsers that play, over a network that loses, delays, repeats and reorders what they send."""

from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple

from diablerie.engine.verbs import WATCHER
from diablerie.table.authority import Authority
from diablerie.table.commands import chat, decisions, lobby, seats
from diablerie.table.errors import Refused, Repeated, TooMany, Unavailable
from diablerie.table.state.table_state import OPEN, OVER, RUNNING, TableState
from diablerie.table.state.visitors import visitor_of
from tests.storm.simulated import Crash

if TYPE_CHECKING:
    from tests.storm.simulation import Simulation

TRIES = 6  # times that a browser sends the same request
PATIENCE = 3.0  # seconds until it sends it again
WAIT = (0.2, 1.6)  # seconds between two things that a person does


class Page(NamedTuple):
    """What a browser has been shown of a table: `seen` is a digest of the record and the log."""

    viewer: int
    ply: int
    status: str
    seen: str
    asked: tuple[int, ...]  # own seats that are to decide
    moves: tuple[tuple[str, ...], ...]  # what each of those may do
    lines: int  # of chat


class Decision(NamedTuple):
    """A decision that was acknowledged."""

    table: str
    ply: int
    seat: int
    text: str


@dataclass
class Request:
    """Something a browser asks for; sent again until there is an answer."""

    name: str
    table: str
    command: Callable[[Authority], Any]
    done: Callable[[Any], None]
    tries: int = 0
    answered: bool = False


def page_of(authority: Authority, live: TableState, who: Any) -> Page:
    """What a browser is shown of a table: only what its first seat may know."""
    own = live.seats_of(who)
    viewer = own[0] if own else WATCHER
    if live.match is None:
        return Page(viewer, 0, live.status, "", (), (), len(live.chat))
    asked = tuple(s for s in own if s in live.pending and not live.seats[s].driver)
    moves = tuple(tuple(move.text for move in live.position(s).moves) for s in asked)
    return Page(
        viewer,
        live.ply,
        live.status,
        seen_by(authority, live, viewer),
        asked,
        moves,
        len(live.chat),
    )


def seen_by(authority: Authority, live: TableState, viewer: int) -> str:
    """A digest of the record and the log, as a viewer has them."""
    assert live.match is not None
    log = "\n".join(str(line) for entry in authority.log(live, viewer) for line in entry.lines)
    return sha256(live.match.seen_by(viewer).tobytes() + log.encode()).hexdigest()[:16]


@dataclass
class Browser:
    """One browser: its visitor, the tables it knows, and what it was last shown of each."""

    number: int
    world: "Simulation"
    tables: list[str] = field(default_factory=list)
    pages: dict[str, Page] = field(default_factory=dict)
    streams: dict[str, tuple[int, int, Any, Any]] = field(default_factory=dict)
    busy: Request | None = None

    def __post_init__(self) -> None:
        self.who = visitor_of(f"browser {self.number}")
        self.random = self.world.timeline.random

    def later(self, seconds: float | None = None) -> None:
        """Think of something to do in a while."""
        self.world.timeline.later(
            self.random.uniform(*WAIT) if seconds is None else seconds, self.think
        )

    # -- what a person does -----------------------------------------------------------------------

    def think(self) -> None:
        """Decide where it is this person's turn, or do something else."""
        self.later()
        if self.busy or not self.tables:
            return
        table = self.random.choice(self.tables)
        if self.connect(table) and (page := self.pages.get(table)):
            if page.status == RUNNING and page.asked and self.random.random() < 0.9:
                self.decide(table, page)
            elif self.random.random() < self.world.odd:
                self.something(table, page)

    def decide(self, table: str, page: Page) -> None:
        """Do one of the things that the page offers."""
        k = self.random.randrange(len(page.asked))
        seat = page.asked[k]
        if not page.moves[k]:
            return
        text = self.random.choice(page.moves[k])

        def done(answer: Any) -> None:
            if isinstance(answer, TableState):
                made = [
                    n
                    for n in range(page.ply, answer.ply)
                    if (ply := answer.plies[n]).seat == seat
                    and ply.events
                    and ply.events[0].text == text
                ]
                self.world.acknowledged(Decision(table, made[0] if made else -1, seat, text))
            elif isinstance(answer, Repeated):
                self.world.repeated(table, page.ply, seat, text)

        act = lambda at: decisions.act(at, table, self.who, seat, page.ply, [text])  # noqa: E731
        self.ask(Request(f"act {seat} {text}", table, act, done))

    def something(self, table: str, page: Page) -> None:
        """Talk, take back, leave the seat to a bot, come back, resign."""
        seat, words = page.viewer, f"line {self.number} {page.ply}"
        ways: list[tuple[str, Callable[[Authority], Any]]] = [
            ("chat", lambda at: chat.post_message(at, table, self.who, words)),
        ]
        if seat != WATCHER and page.status == RUNNING:
            ways += [
                ("take back", lambda at: decisions.take_back(at, table, self.who, seat, page.ply)),
                ("hand over", lambda at: seats.hand_over(at, table, self.who, seat)),
                ("relieve", lambda at: seats.relieve_bot(at, table, self.who, seat)),
                ("rename", lambda at: lobby.rename(at, table, self.who, seat, words[:20])),
            ]
            if self.random.random() < 0.1:
                ways.append(("resign", lambda at: seats.resign(at, table, self.who, seat)))
        if page.status == OPEN:
            ways.append(("sit", lambda at: lobby.sit(at, table, self.who)))
            if seat != WATCHER and self.random.random() < 0.3:
                ways.append(("leave", lambda at: lobby.leave(at, table, self.who, seat)))
        if page.status == OVER:
            ways.append(("rematch", lambda at: lobby.rematch(at, table, self.who)))
        name, command = self.random.choice(ways)
        done = (
            (lambda answer: self.world.said(table, words, answer)) if name == "chat" else _nothing
        )
        self.ask(Request(name, table, command, done))

    # -- the network ------------------------------------------------------------------------------

    def ask(self, request: Request) -> None:
        """Send a request, and again if no answer comes in time."""
        self.busy, timeline = request, self.world.timeline
        request.tries += 1
        copies = 1 + timeline.chance(self.world.rates["request twice"])
        for _ in range(copies):
            if not timeline.chance(self.world.rates["request lost"]):
                node = self.random.randrange(len(self.world.houses))
                timeline.later(
                    self.world.delay(), lambda node=node: self._arrive(request, node), node
                )  # type: ignore[misc]
        timeline.later(PATIENCE, lambda: self._again(request))

    def _again(self, request: Request) -> None:
        if request.answered:
            return
        if request.tries < TRIES:
            self.ask(request)
        else:
            request.answered, self.busy = True, None

    def _arrive(self, request: Request, node: int) -> None:
        house = self.world.houses[node]
        if not house.up:
            return
        try:
            answer = request.command(house.authority)
        except Crash:
            house.crash(f"during {request.name}")
            return
        except Unavailable:
            return  # 503: tried again
        except Refused as error:
            answer = error
        what = type(answer).__name__ if isinstance(answer, Refused) else "ok"
        self.world.timeline.note(
            f"browser {self.number}, {request.table}: {request.name} at node {node}: {what}"
        )
        if not self.world.timeline.chance(self.world.rates["answer lost"]):
            self.world.timeline.later(self.world.delay(), lambda: self._answered(request, answer))

    def _answered(self, request: Request, answer: Any) -> None:
        request.done(answer)
        if not request.answered:
            request.answered = True
            self.busy = None

    # -- streams ----------------------------------------------------------------------------------

    def connect(self, table: str) -> bool:
        """Have a stream of this table, from some node; whether there is one."""
        if table in self.streams:
            node, life, _, _ = self.streams[table]
            house = self.world.houses[node]
            if house.up and house.lives == life:
                if not self.world.timeline.chance(self.world.rates["stream breaks"]):
                    return True
                self.close(table)
            else:
                del self.streams[table]
        node = self.random.randrange(len(self.world.houses))
        house = self.world.houses[node]
        if not house.up:
            return False
        manager = house.authority.hub.subscribe(table, self.who, f"10.0.0.{self.number}")
        try:
            news = _at_once(manager.__aenter__())
        except TooMany:
            return False
        self.streams[table] = node, house.lives, manager, news
        self.read(table)
        return True

    def close(self, table: str) -> None:
        """Close the stream of a table."""
        _, _, manager, _ = self.streams.pop(table)
        _at_once(manager.__aexit__(None, None, None))

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
            page = page_of(house.authority, house.authority.live(table), self.who)
        except Crash:
            house.crash("while a page is read")
        except Refused:
            self.streams[table][3].event.set()  # tried again
        else:
            self.world.delivered(table, page)
            self.world.timeline.later(self.world.delay(), lambda: self._shown(table, page))

    def _shown(self, table: str, page: Page) -> None:
        before = self.pages.get(table)
        if before is None or (page.ply, page.lines) >= (before.ply, before.lines):
            self.pages[table] = page


def _nothing(_: Any) -> None:
    """The answer does not matter."""


def _at_once(coroutine: Any) -> Any:
    """The result of a coroutine that waits for nothing."""
    try:
        coroutine.send(None)
    except StopIteration as end:
        return end.value
    raise RuntimeError("this coroutine waits")
