"""One simulation: two nodes, one database, browsers that play, faults, and then quiet.

    python -m tests.storm 7                   # the seed 7; status 1 if something does not hold
    python -m tests.storm 0 --seeds 200       # the seeds 0 to 199

Everything runs in one thread on simulated time, and every choice is drawn from the seed, so a seed
gives the same history each time, byte for byte. After `FAULTS` seconds nothing fails any more, and
every game has to come to its end.
"""

import asyncio
import hashlib
import logging
import random
import secrets
import sqlite3
from collections import Counter, defaultdict
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

from diablerie.table.commands import lobby
from diablerie.table.state.table_state import RUNNING, TableState
from diablerie.table.storage import loading
from tests.storm.clients import Browser, Decision, Page, Request
from tests.storm.house import BOTS, GAMES, House
from tests.storm.invariants import Invariants, Violated
from tests.storm.shared_file import ServerModel, SharedFile
from tests.storm.simulated import BEGIN, Crash, Disk, Timeline

FAULTS, END = 60.0, 900.0  # seconds during which things fail, and until all games must be over
EVERY = 20  # steps between two looks at the tables
HISTORY = 40  # lines of it that a failing seed prints
RATES = {
    "request lost": 0.05, "request twice": 0.05, "answer lost": 0.05, "stream breaks": 0.02,
    "interleave": 0.1, "commit fails": 0.01, "commit is not confirmed": 0.01,
    "crash before commit": 0.002, "crash after commit": 0.002,
}  # fmt: skip
TROUBLES = (
    "disk full",
    "file locked",
    "clock jumps",
    "node killed",
    "connections cut",
    "power cut",
)


@dataclass(frozen=True)
class Size:
    """How much is simulated."""

    tables: int = 20
    browsers: int = 80
    faults: float = FAULTS


class Simulation:
    """The world of one seed."""

    def __init__(self, seed: int, folder: Path, size: Size | None = None) -> None:
        self.seed, self.size = seed, size or Size()
        self.timeline = Timeline(seed)
        self.rates, self.odd = dict(RATES), 0.25
        self.file = folder / "tables.db"
        self.server = ServerModel(self.timeline.monotonic)
        self.disk = Disk(self.timeline, {})
        self.checker = SharedFile(self.file, self.server)
        self.houses = [House(n, self.file, self.server, self.timeline, self.disk) for n in range(2)]
        self.browsers = [Browser(n, self) for n in range(self.size.browsers)]
        self.decisions: defaultdict[str, list[Decision]] = defaultdict(list)
        self.lines: defaultdict[str, set[str]] = defaultdict(set)
        self.shown: defaultdict[str, dict[tuple[int, int], str]] = defaultdict(dict)
        self.counts: Counter[str] = Counter()
        self.invariants = Invariants(self)
        self.steps = 0

    # -- what happens -------------------------------------------------------------------------------

    def run(self) -> None:
        """Simulate until all games are over. Raises Violated."""
        chance = random.Random(self.seed + 1)
        random.seed(self.seed + 2)
        with (
            patch.object(secrets, "token_bytes", lambda n=32: chance.randbytes(n)),
            patch.object(secrets, "randbits", chance.getrandbits),
        ):
            asyncio.run(self._run())

    async def _run(self) -> None:
        for house in self.houses:
            house.open()
        self.disk.rates = self.rates
        for number in range(self.size.tables):
            self.timeline.later(
                self.timeline.random.uniform(0.0, self.size.faults / 3),
                lambda n=number: self._table(n),
            )  # type: ignore[misc]
        for browser in self.browsers:
            browser.later()
        for _ in range(3 + self.timeline.random.randrange(6)):
            trouble = self.timeline.random.choice(TROUBLES)
            at = self.timeline.random.uniform(2.0, self.size.faults)
            self.timeline.later(at, lambda trouble=trouble: self._trouble(trouble))  # type: ignore[misc]
        await self._until(self.size.faults)
        self._heal()
        await self._until(self.size.faults + 30.0)
        await self._until(END, lambda: not self.unfinished())
        await self._until(self.timeline.monotonic() - BEGIN + 30.0)
        self.invariants.after_step()
        self.invariants.at_end()
        for house in self.houses:
            house.close()
        self.checker.close()

    async def _until(self, seconds: float, done: Any = lambda: False) -> None:
        while self.timeline.step(BEGIN + seconds):
            self.steps += 1
            await asyncio.sleep(0)
            for browser in self.browsers:
                browser.wake()
            if self.steps % EVERY == 0:
                self.invariants.after_step()
                if done():
                    return

    def unfinished(self) -> list[str]:
        """The running tables where a bot is due, or somebody who knows of the table.

        A browser that was never answered does not know of the table that it has opened.
        """
        tables = [self.live(table) for table in self.checker.tables((RUNNING,))]
        return [live.id for live in tables if self.somebody_plays(live)]

    def somebody_plays(self, live: TableState) -> bool:
        """Whether a seat that is to decide is a bot's, or of a browser that knows the table."""
        knowing = {browser.who for browser in self.browsers if live.id in browser.tables}
        infos = [live.seats[seat] for seat in live.pending]
        return any(info.driver or info.owner in knowing for info in infos)

    def _table(self, number: int) -> None:
        """A browser opens a table, and others are told its link."""
        draw = self.timeline.random
        game = draw.choice(["toy", "toy", "coals", "tails"])
        people = draw.sample(self.browsers, 4)
        host, bots = people[0], draw.randrange(0, 3)
        plan = ["me", *["open"] * draw.randrange(0, 2), *(draw.choice(BOTS) for _ in range(bots))]
        plan += ["sensible"] * (len(plan) < 2)
        plan = plan[:4]
        options = {"goal": "210"} if game == "coals" else {}
        pace = draw.choice([0, 60])
        opened: list[str] = []

        def done(answer: Any) -> None:
            if isinstance(answer, TableState) and not opened:
                opened.append(answer.id)
                for browser in people:
                    browser.tables.append(answer.id)
                for browser in people[1 : 1 + plan.count("open")]:
                    sit = Request(
                        "sit",
                        answer.id,
                        lambda at, b=browser: lobby.sit(at, answer.id, b.who),
                        lambda _: None,
                    )  # type: ignore[misc]
                    browser.ask(sit)

        host.ask(
            Request(
                f"open {game}", f"new-{number}",
                lambda at: lobby.open_table(at, host.who, game, plan, options=options, pace=pace),
                done,
            )
        )  # fmt: skip

    def _trouble(self, trouble: str) -> None:
        """One of the faults that last for a while, or hit a whole node."""
        draw, seconds = self.timeline.random, self.timeline.random.uniform(0.5, 8.0)
        self.timeline.note("fault:", trouble)
        self.counts[trouble] += 1
        house = draw.choice(self.houses)
        if trouble == "disk full":
            self.disk.full = True
            self.timeline.later(seconds, lambda: setattr(self.disk, "full", False))
        elif trouble == "file locked":
            lock = sqlite3.connect(self.file, timeout=0.0, isolation_level=None)
            with suppress(sqlite3.OperationalError):  # it is locked already
                lock.execute("BEGIN IMMEDIATE")
            self.timeline.later(seconds, lock.close)
        elif trouble == "clock jumps":
            house.clock.offset += draw.choice([-3600.0, -5.0, 5.0, 3600.0])
        elif trouble == "node killed" and house.up:
            house.crash("killed")
        elif trouble == "connections cut":
            self.server.terminate("pg_locks")
            self.server.terminate("listening")
        elif trouble == "power cut":
            self._power_cut()

    def _power_cut(self) -> None:
        """Both machines stop, and the end of the file's journal is a half-written page."""
        journal = self.file.with_name(self.file.name + "-wal")
        kept = {path: path.read_bytes() for path in (self.file, journal) if path.exists()}
        for house in self.houses:
            if house.up:
                house.crash("the power is cut")
        self.checker.engine.dispose()
        for path, content in kept.items():
            torn = self.timeline.random.randbytes(700) if path == journal else b""
            path.write_bytes(content + torn)

    def _heal(self) -> None:
        self.timeline.note("nothing fails from now on")
        self.disk.rates, self.disk.full, self.odd = {}, False, 0.02
        self.rates = dict.fromkeys(self.rates, 0.0)

    def delay(self) -> float:
        """Seconds that a message is on its way."""
        return self.timeline.random.expovariate(1 / 0.08)

    # -- what browsers are told ------------------------------------------------------------------------

    def acknowledged(self, said: Decision) -> None:
        """A browser was told that its decision is accepted."""
        self.counts["acknowledged"] += 1
        self.decisions[said.table].append(said)
        self.invariants.acknowledged(said, self.live(said.table))

    def repeated(self, table: str, ply: int, seat: int, text: str) -> None:
        """A browser was told that its decision had been accepted before."""
        plies = self.live(table).plies[ply:]
        if not any(p.seat == seat and p.events and p.events[0].text == text for p in plies):
            raise Violated("what was accepted before is stored", table, (ply, seat, text))

    def said(self, table: str, words: str, answer: Any) -> None:
        """A browser was told that its line is written."""
        if isinstance(answer, TableState):
            self.lines[table].add(words)

    def delivered(self, table: str, page: Page) -> None:
        """A node has made a page for a browser."""
        self.counts["pages"] += 1
        if page.seen:
            known = self.shown[table].setdefault((page.viewer, page.ply), page.seen)
            if known != page.seen:
                raise Violated("viewers agree", table, (page.viewer, page.ply))

    # -- the database beside the nodes -------------------------------------------------------------------

    def live(self, table: str) -> TableState:
        """A table as the database has it. Raises Violated if it is not there."""
        stored = self.checker.load(table)
        if stored is None:
            raise Violated("a table that was told of is there", table)
        return loading.live_of(stored, GAMES)

    def at(self, live: TableState, ply: int) -> TableState:
        """A table as it stood at an earlier ply."""
        assert live.match is not None
        return replace(live, match=live.match.at(ply))

    def digest(self) -> str:
        """A digest of the whole history: equal seeds give equal ones."""
        return hashlib.sha256("\n".join(self.timeline.history).encode()).hexdigest()

    def told(self, error: Violated) -> str:
        """What a failing seed prints: what does not hold, and the lines that may have led to it."""
        lines = [
            line
            for line in self.timeline.history
            if "fault" in line or "node" in line.split(" at ")[0] or error.table in line
        ]
        dropped = max(0, len(lines) - HISTORY)
        return "\n".join([f"seed {self.seed}: {error}", f"… {dropped} lines …", *lines[dropped:]])


def simulate(seed: int, folder: Path, size: Size | None = None) -> Simulation:
    """Run one seed. Raises Violated, with the history in short."""
    logging.disable(logging.CRITICAL)
    world = Simulation(seed, folder, size)
    try:
        world.run()
    except Violated as error:
        raise Violated(world.told(error), error.table) from error
    except Crash:
        raise Violated(world.told(Violated("a crash stays in its node"))) from None
    finally:
        logging.disable(logging.NOTSET)
    return world
