"""The machine of `test_lifecycle`: how it gives commands, and what must hold after each of them.

A command that is refused is refused for the reason that the model gives, and changes nothing. After
each command every table is read from the database again, once from its snapshot and once by playing
all its plies, and must be what the model says.
"""

import secrets
from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any, ClassVar, TypeVar

import pytest
import sqlalchemy as sa
from hypothesis import Phase
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
)

from diablerie.engine import fair, files, verbs
from diablerie.engine.plies import PlyKind
from diablerie.engine.queries import legal_actions, redacted
from diablerie.engine.record import copy
from diablerie.engine.verbs import WATCHER
from diablerie.runtime.clock import SimulatedClock
from diablerie.table.authority import Authority
from diablerie.table.bots.deadlines import Deadlines
from diablerie.table.commands import decisions, lobby
from diablerie.table.errors import (
    Refused,
)
from diablerie.table.state.nonce_exchange import PROMISED
from diablerie.table.state.table_state import BOT, OPEN, OVER, RUNNING, TableState
from diablerie.table.storage import loading, schema
from diablerie.table.storage.store import Store
from tests.table.conftest import ANN, BO, CY, GAMES
from tests.table.lifecycle_model import Chair, Refusal, Table, facts_of

PACE, SLICE = 60, 30.0  # seconds of a turn clock, and of the model's steps while time passes
PHASES = [Phase.generate, Phase.shrink]
MOST = 3  # tables at a time
VISITORS = [ANN, BO, CY]
Step = TypeVar("Step", bound=Callable[..., None])
STEPS: dict[str, str] = {}  # by name: the status of the tables that it is for, "" for all


def step(status: str = "") -> Callable[[Step], Step]:
    """A step of the machine: something that a visitor does at a table about a seat."""

    def noted(function: Step) -> Step:
        STEPS[function.__name__] = status
        return function

    return noted


class LifecycleMachine(RuleBasedStateMachine):
    """Up to three tables of three visitors, on one database, with a simulated clock.

    A subclass has the steps: methods with `@step`.
    """

    address: ClassVar[str]
    tally: ClassVar[Counter[tuple[str, str]]]  # how often each command was accepted and refused

    def __init__(self) -> None:
        super().__init__()
        chance = Random(2026)
        self.patch = pytest.MonkeyPatch()
        self.patch.setattr(secrets, "token_bytes", lambda n=32: chance.randbytes(n))
        self.patch.setattr(secrets, "randbits", chance.getrandbits)
        self.clock = SimulatedClock(1000.0)
        self.tables: list[Table] = []
        self.gone: list[str] = []
        self.gone_since: list[str] = []  # the last look
        self.verified: set[str] = set()
        self.touched: set[str] = set()  # tables to look at
        self.stored: dict[str, Any] = {}  # the rows of tables when they were last looked at
        self.nonces = self.steps = 0
        self._open()

    def _open(self) -> None:
        self.store = Store(self.address, durable=False, clock=self.clock)
        self.authority = Authority(self.store, GAMES, clock=self.clock)
        self.deadlines = Deadlines(self.authority)
        self.deadlines.start()
        self._run(self.clock())
        self.seen: dict[tuple[str, str], float] = {}
        self.began = self.clock()
        self.touched |= {t.id for t in self.tables}

    def _run(self, until: float) -> None:
        while self.clock.step(until):
            pass
        self.clock.sleep(until - self.clock())

    def _close(self) -> None:
        self.deadlines.stop()
        self.store.close()

    def teardown(self) -> None:
        with self.store.writing() as connection:
            for table in reversed(schema.metadata.sorted_tables):
                if table.name in ("matches", "hours"):
                    connection.execute(sa.delete(table))
        self._close()
        self.patch.undo()

    # -- how commands are given -------------------------------------------------------------

    @property
    def now(self) -> float:
        return self.authority.uptime.now()

    def give(self, command: Callable[..., Any], t: Table, *args: Any, why: Refusal) -> Any:
        """Give a command that is refused for this reason, or accepted."""
        name = command.__name__
        if why is None:
            self.touched.add(t.id)
            answer = command(self.authority, t.id, *args)
            self.tally[name, "accepted"] += 1
            return answer
        known = t.id not in self.touched and t.id in self.stored
        before = self.stored[t.id] if known else self.rows(t.id)
        with pytest.raises(Refused) as caught:
            command(self.authority, t.id, *args)
        assert type(caught.value) is why, caught.value
        assert self.rows(t.id) == before
        self.tally[name, "refused"] += 1
        return None

    def change(
        self, command: Callable[..., Any], t: Table, *args: Any, why: Refusal, plies: int = 0
    ) -> bool:
        """Give a command that plays nothing but so many plies; whether it is accepted."""
        answer = self.give(command, t, *args, why=why)
        if why is None:
            live = answer if isinstance(answer, TableState) else self.authority.live(t.id)
            t.follow(live, self.now)
            assert len(t.fresh) == plies
        return why is None

    def started(self, t: Table, waiting: bool = True) -> None:
        """What follows where the last seat may have been taken."""
        t.start_if_full(self.clock(), waiting)
        t.follow(self.authority.live(t.id), self.now)

    def rows(self, table: str) -> Any:
        return self.store.load(table)

    def forget(self, t: Table) -> None:
        self.tables.remove(t)
        self.gone.append(t.id)
        self.gone_since.append(t.id)

    # -- what begins, and what several steps share ---------------------------------------------------

    @initialize(
        seats=st.integers(2, 4), bots=st.integers(0, 3), pace=st.sampled_from([0, PACE]),
        promised=st.booleans(), played=st.sampled_from([0, 9, 99]),
    )  # fmt: skip
    def begin_with_a_full_table(
        self, seats: int, bots: int, pace: int, promised: bool, played: int
    ) -> None:
        """The first table, perhaps in the middle of its game, or after it."""
        bots = min(bots, seats - 1)
        plan = ["me", *["open"] * (seats - 1 - bots), *["sensible"] * bots]
        pledge = PROMISED if promised else ""
        t = self.opened(ANN, plan, name="Ada", public=True, pace=pace, pledge=pledge)
        for number in range(1, seats - bots):
            lobby.sit(self.authority, t.id, VISITORS[number % 3])
            t.sit(number, VISITORS[number % 3])
        self.started(t)
        self.play_on(t, played, Random(seats))

    @rule(
        names=st.lists(st.deferred(lambda: st.sampled_from(sorted(STEPS))), unique=True, min_size=1),
        number=st.integers(0, 2**32),
    )  # fmt: skip
    def somebody_does_something(self, names: list[str], number: int) -> None:
        """Some of the steps, one after the other."""
        for name in names:
            self.steps += 1
            self.do(name, Random(f"{number} {self.steps}"))
            self.is_as_the_model_says()

    def do(self, name: str, luck: Random) -> None:
        """A step, mostly at a table where it fits, by the owner of a seat that there is."""
        self.have_some(STEPS[name], luck)
        fit = [t for t in self.tables if STEPS[name] in ("", t.status)]
        t = luck.choice(fit if fit and luck.random() < 0.75 else self.tables)
        seat = luck.randrange(len(t.chairs) + (luck.random() < 0.2))
        who = t.owner(seat) or t.host
        who = luck.choice(VISITORS) if luck.random() < 0.3 else who
        getattr(self, name)(t, who, seat, luck)

    def have_some(self, status: str, luck: Random) -> None:
        """Mostly see to it that there is a table of this status."""
        running = [t for t in self.tables if t.status == RUNNING]
        if status == OVER and running and luck.random() < 0.8:
            self.play_on(running[0], 99, luck)
        pledge = luck.choice(["", PROMISED])
        if not self.tables or (len(self.tables) < MOST and not self.having(status)):
            self.opened(BO, ["open", "me", "open"], name="", public=True, pace=0, pledge=pledge)
        if status == RUNNING and not running:
            self.start(luck.choice(self.tables))

    def having(self, status: str) -> bool:
        return any(t.status == status for t in self.tables) or status not in (OPEN, RUNNING)

    def start(self, t: Table) -> None:
        if t.status == OPEN and not any(chair.pledge for chair in t.chairs):
            for seat in t.free:
                lobby.sit(self.authority, t.id, CY)
                t.sit(seat, CY)
            self.started(t)
            self.touched.add(t.id)

    def opened(
        self, who: str, plan: list[str], *, name: str, public: bool, pace: int, pledge: str
    ) -> Table:
        live = lobby.open_table(
            self.authority, who, "toy", plan, names=[name], public=public, pace=pace, pledge=pledge
        )
        t = Table(live.id, who, [Chair() for _ in plan], self.clock(), pace, public=public)
        for seat, what in enumerate(plan):
            called = "" if seat else name
            if what == "me":
                t.sit(seat, who, called, pledge)
            elif what != "open":
                t.seat_bot(seat, called)
        self.tables.append(t)
        self.touched.add(t.id)
        self.started(t)
        self.tally["open_table", "accepted"] += 1
        return t

    def play_on(self, t: Table, count: int, luck: Random) -> None:
        for _ in range(count):
            if t.status == RUNNING:
                self.decide(t, luck.choice(t.pending), luck.randrange(100))

    def decide(self, t: Table, seat: int, pick: int) -> None:
        assert t.match is not None
        chair, texts, now = t.chairs[seat], self.legal(t, seat, pick), len(t.plies)
        if chair.kind == BOT or chair.stand_in:
            texts = texts[:1]
            answer = self.give(decisions.decide_as_bot, t, seat, now, texts[0], why=None)
        else:
            answer = self.give(
                decisions.decide, t, chair.owner, now, "; ".join(texts), seat, why=None
            )
        t.follow(answer, self.now)
        told = [(ply.seat, ply.events[0].text) for ply in t.fresh]
        assert told[: len(texts)] == [(seat, text) for text in texts]
        self.check_forced(t, now + len(texts))

    def legal(self, t: Table, seat: int, pick: int) -> list[str]:
        """A legal decision of a seat, with the plan that it begins."""
        assert t.match is not None
        game, s, texts = t.match.game, redacted(t.match.state, seat), list[str]()
        while not texts or (verbs.pending(s) >> seat & 1 and int(s.node) in game.plan):
            actions = legal_actions(game, s, seat)
            action = actions[pick % len(actions)]
            texts.append(game.notation.format_action(s, seat, action))
            s = copy(s)
            verbs.apply(s, seat, action)
        return texts

    def check_forced(self, t: Table, since: int) -> None:
        """What follows a decision by itself had no alternative."""
        assert t.match is not None
        for k in range(since, len(t.plies)):
            assert t.plies[k].kind is PlyKind.MOVE
            past = t.match.at(k)
            assert int(past.state.node) in past.game.forced
            assert len(past.actions(t.plies[k].seat)) == 1

    def promise(self, t: Table, luck: Random) -> None:
        """Perhaps all seats are taken by browsers whose hashes are in: then nonces are shown."""
        if t.status != OPEN or luck.random() < 0.5:
            return
        for seat in t.free:
            lobby.sit(self.authority, t.id, CY, share=True)
            t.sit(seat, CY, pledge=PROMISED)
            self.started(t)
        for seat, chair in enumerate(t.chairs):
            if chair.pledge == PROMISED and chair.owner:
                self.share(t, chair.owner, seat, luck)

    def nonce_of(self, pledge: str) -> str:
        told = (f"nonce {n}" for n in range(self.nonces + 1))
        return next((nonce for nonce in told if fair.pledge(nonce) == pledge), "")

    def wait(self, slices: int) -> None:
        """Devils decide where a turn clock runs out."""
        for _ in range(slices):
            before = self.now
            self._run(self.clock() + SLICE)
            for t in self.tables:
                late = [s for s, c in enumerate(t.chairs) if 0 < c.due <= self.now]
                assert all(t.chairs[seat].due > before for seat in late)
                at = t.chairs[late[0]].due if late else self.now
                t.follow(self.authority.live(t.id), at)
                self.touched |= {t.id} if late else set()
                over = [ply.seat for ply in t.fresh if ply.kind is PlyKind.DEADLINE]
                assert over == late
                moved = {ply.seat for ply in t.fresh if ply.kind is PlyKind.MOVE}
                assert moved >= set(late)
                assert bool(t.fresh) == bool(late)

    # -- what must hold after each command --------------------------------------------------------

    @invariant()
    def is_as_the_model_says(self) -> None:
        assert sorted(self.store.all()) == sorted(t.id for t in self.tables)
        for t in [t for t in self.tables if t.id in self.touched]:
            stored = self.stored[t.id] = self.rows(t.id)
            read = loading.live_of(stored, GAMES, shortcut=False)
            for live in (read, loading.live_of(stored, GAMES), self.authority.live(t.id)):
                assert facts_of(live) == t.facts()
                assert (live.match is None) == (t.match is None)
                if t.match and live.match and read.match:
                    assert live.match.taken == t.taken
                    assert live.match.state.tobytes() == read.match.state.tobytes()
            if read.match:
                t.match = read.match
                assert (t.status == OVER) == read.match.over
                self.somebody_can_decide(t)
            if t.status == OVER and t.id not in self.verified:
                self.verify(t, read)
        self.touched.clear()

    def somebody_can_decide(self, t: Table) -> None:
        for seat in t.pending:
            chair = t.chairs[seat]
            assert chair.kind == BOT or chair.stand_in or seat not in t.resigned

    def verify(self, t: Table, live: TableState) -> None:
        """The match file is whole, and its dice are those that the key draws."""
        self.verified.add(t.id)
        text = self.authority.export(live, WATCHER).encode()
        told = files.parse_match(text, GAMES, dice=True)
        assert [(p.kind, p.seat, p.events) for p in told.plies] == [
            (p.kind, p.seat, p.events) for p in t.plies
        ]
        assert told.over

    @invariant()
    def nothing_is_left_of_what_is_gone(self) -> None:
        while self.gone_since:
            table = self.gone_since.pop()
            for part in (schema.seats, schema.plies, schema.chat, schema.snapshots):
                assert not self.store.rows(part, "match", table)
