"""One simulation: two nodes, one database, browsers that play, faults, and then quiet.

Everything runs in one thread on simulated time, and every choice is drawn from the seed, so a seed
gives the same history each time, byte for byte. What one browser, table or fault draws does not
depend on the others, so that a history can be shortened (see `shorten`); but what people do with a
draw, and how often faults come, depends on what has been done so far (see `variety`). After
`Size.faults` seconds nothing fails any more, and every game has to come to its end.
"""

import asyncio
import hashlib
import logging
import random
import secrets
from collections import Counter
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

from diablerie.bots.basic import RandomBot, SensibleBot
from diablerie.engine.queries import redacted
from diablerie.table.commands import chat, lobby
from diablerie.table.node import TABLE_NEWS
from diablerie.table.state import table_state
from diablerie.table.state.table_state import TableState
from diablerie.table.storage import rows
from diablerie.web.notifications import messages
from tests.storm import lobby_model, troubles
from tests.storm.answers import Answers
from tests.storm.calls_model import Calls
from tests.storm.groups_model import Groups
from tests.storm.habits import Habits
from tests.storm.house import BOTS, House
from tests.storm.invariants import Invariants
from tests.storm.ledger import Ledger, Violated
from tests.storm.network import Command, command
from tests.storm.people import PACED, PACES, Person
from tests.storm.secrets_model import Secrets
from tests.storm.shared_file import ServerModel, SharedFile
from tests.storm.simulated import BEGIN, Crash, Disk, Timeline
from tests.storm.table_model import TableModel
from tests.storm.variety import Variety

FAULTS, END = 60.0, 900.0  # seconds during which things fail, and until all games must be over
CALM = 30.0  # seconds during which people do all sorts of things though nothing fails any more
PATIENT = 8.0  # seconds after which people resign rather than play a game to its end
EAGER = 6.0  # times as often others come between where nobody has come between yet
ODD = 0.6  # probability that somebody who need not decide does something else
EVERY = 30  # steps between two looks at the nodes, for each table: about a second
CHAT, SNAPSHOT = 6, 8  # lines that are kept, plies to a snapshot: fewer, so that both happen often
INTERLEAVE = 0.15  # probability that others come first, which is no fault
AT_ONCE = 0.7  # probability that somebody who is told of a table sits down at once
SEVERAL = 0.4  # probability that two come first, and not one
SKEW = (
    0.0,
    0.0,
    -3600.0,
    -5.0,
    5.0,
    3600.0,
)  # seconds that a node's clock may be wrong all the time
RATES = {
    "request lost": 0.05, "request twice": 0.15, "answer lost": 0.05, "stream breaks": 0.02,
    "message lost": 0.1, "news lost": 0.1, "interleave": INTERLEAVE,
    "commit fails": 0.01, "commit is not confirmed": 0.01,
    "crash before commit": 0.003, "crash after commit": 0.003,
}  # fmt: skip


@dataclass(frozen=True)
class Size:
    """How much is simulated; `without` names what is left out, as `table 3` or `commit fails`."""

    tables: int = 20
    browsers: int = 80
    faults: float = FAULTS
    calm: float = CALM
    games: tuple[str, ...] = ("toy", "toy", "toy", "coals", "tails")
    without: frozenset[str] = frozenset()


SMALL = Size(2, 5, 10.0, 12.0, ("toy", "toy", "toy", "coals"))  # as in `make test`
SHORT = Size(faults=10.0, calm=6.0)  # as in `make nightly`
SIZES = {"small": SMALL, "short": SHORT, "long": Size()}
LASTING = ("news lost",)  # faults that nodes have to cope with at any time, within a few seconds
LATE = ("interleave", "commit fails")  # what goes on while people still do all sorts of things


class Simulation:
    """The world of one seed."""

    def __init__(self, seed: int, folder: Path, size: Size | None = None) -> None:
        self.seed, self.size = seed, size or Size()
        left = self.size.without
        self.timeline = Timeline(seed)
        self.rates = {name: 0.0 if name in left else rate for name, rate in RATES.items()}
        self.odd, self.is_quiet, self.quiet_since, self.last_trouble = ODD, False, 0.0, 0.0
        self.hurried = False  # whether people resign rather than play to the end
        self.file = folder / "tables.db"
        self.server = ServerModel(self.timeline.monotonic, self._loses)
        self.disk = Disk(self.timeline, {})
        self.checker = SharedFile(self.file, self.server)
        self.ledger = Ledger(self, self.file)
        self.open_until_the_end = ExitStack()
        self.open_until_the_end.callback(self.checker.close)
        self.open_until_the_end.callback(self.ledger.close)
        self.model, self.groups, self.calls = TableModel(self), Groups(self), Calls(self)
        self.answers, self.habits, self.secrets = Answers(self), Habits(self), Secrets(self)
        self.violation: Violated | None = None
        self.disk.committed, self.disk.failed = self.ledger.committed, self._failed
        self.disk.wrong = lambda why: self.violate(Violated("commits are durable", "", why))
        self.timeline.does, self.timeline.competes = self.ledger.does, self.compete
        self.houses = [House(n, self, self.file) for n in range(2)]
        for house in self.houses:
            house.clock.offset = house.random.choice(SKEW)
        self.sleepers = self.size.faults <= 30 and not seed % 4  # turn clocks take long to run out
        self.browsers = [Person(n, self) for n in range(self.size.browsers)]
        self.links: list[tuple[str, str]] = []  # tables and secrets of personal links
        self.variety = Variety(self)
        self.disk.eager, self.disk.untried = self.eager, self.variety.untried
        self.counts: Counter[str] = Counter()
        self.invariants = Invariants(self)
        self.steps, self.still = 0, False
        self.left_at: dict[str, int] = {}  # plies of each table when people stopped
        self.woken = False  # whether a stream may have news

    # -- what happens -------------------------------------------------------------------------------

    def run(self) -> None:
        """Simulate until all games are over. Raises Violated."""
        chance = Random(self.seed + 1)
        random.seed(self.seed + 2)
        with ExitStack() as stack:
            for where, name, what in (
                (secrets, "token_bytes", lambda n=32: chance.randbytes(n)),
                (secrets, "randbits", chance.getrandbits),
                *((bot, "choose", self._choosing(bot.choose)) for bot in (RandomBot, SensibleBot)),
                (messages, "encrypted", lambda _, message: message),
                (rows, "SNAPSHOT_PLIES", SNAPSHOT),
                *((at, "CHAT_LINES_KEPT", CHAT) for at in (chat, rows, table_state, lobby_model)),
            ):
                stack.enter_context(patch.object(where, name, what))
            stack.callback(self.open_until_the_end.close)
            asyncio.run(self._run())

    def _choosing(self, choose: Any) -> Any:
        def checked(bot: Any, s: Any, seat: int, rng: Any) -> Any:
            if redacted(s, seat).tobytes() != s.tobytes():
                self.violate(Violated("bots see what their seat may", "", (seat, str(s))))
            return choose(bot, s, seat, rng)

        return checked

    async def _run(self) -> None:
        for house in self.houses:
            house.open()
        self.disk.rates = self.rates
        await self._live()
        await self._end()

    async def _live(self) -> None:
        """What people do, and what fails, until there is quiet."""
        left = self.size.without
        for number in range(self.size.tables):
            if f"table {number}" not in left:
                draw = Random(f"{self.seed} table {number}")
                at = draw.uniform(0.0, self.size.faults / 3)
                self.timeline.later(at, lambda n=number, draw=draw: self._table(n, draw))  # type: ignore[misc]
        for browser in self.browsers:
            if f"browser {browser.number}" not in left:
                browser.later()
                if browser.number % 5 == 0:
                    self.timeline.later(0.1, partial(self._founds, browser))
        troubles.plan(self)
        await self.until(self.size.faults)
        self.heal()
        await self.until(self.size.faults + self.size.calm)
        self.odd = 0.0  # people only decide from now on, and talk afterwards
        self.disk.mend({})
        self.timeline.later(PATIENT, lambda: setattr(self, "hurried", True))
        await self.until(END, lambda: not self.invariants.unfinished())
        await self.until(self.timeline.passed + 5.0)  # games may have begun meanwhile
        await self.until(END, lambda: not self.invariants.unfinished())

    async def _end(self) -> None:
        self.still = True  # people do nothing, and what is known at one node gets known at all
        self.left_at = {t.id: len(t.plies) for t in self.model.tables.values()}
        for browser in self.browsers[::2]:
            browser.leave_all()
        seen: dict[str, Any] = {}
        while seen != (now := self._stamps()):  # a clock may run out meanwhile
            seen = now
            await self.until(END, lambda: not self.invariants.unfinished())
            await self.until(self.timeline.passed + 8.0)
            self.invariants.look_around()
            await self.until(self.timeline.passed + 5.0)
        self._checked()
        self.invariants.at_end()
        self._checked()
        for house in self.houses:
            house.close()

    def _stamps(self) -> dict[str, Any]:
        """Where each table is: equal as long as nothing changes."""
        return {table: rows.stamp for table, rows in self.ledger.rows.items()}

    def _founds(self, person: Person) -> None:
        self.habits.create(person)

    async def until(self, seconds: float, done: Any = lambda: False) -> None:
        while self.timeline.step(BEGIN + seconds):
            self.steps += 1
            await asyncio.sleep(0)
            if self.woken:
                self.woken = False
                for browser in self.browsers:
                    browser.wake()
            self._checked()
            if self.steps % (EVERY * self.size.tables) == 0:
                self.invariants.after_steps()
                if done():
                    return

    def _failed(self, fault: str) -> None:
        self.trouble_now()
        self.quiet_since = self.timeline.passed  # what must hold soon, holds soon after this
        self.variety.met(fault)

    def _loses(self, message: str) -> bool:
        # what else is told is asked for late
        may = not self.is_quiet or message.split(" ")[1] == TABLE_NEWS
        return may and self.timeline.chance(self.rates["news lost"])

    def violate(self, error: Violated) -> None:
        """Note that something does not hold, where nobody could raise it."""
        self.violation = self.violation or error

    def _checked(self) -> None:
        if self.violation:
            raise self.violation

    def _table(self, number: int, draw: Random) -> None:
        self.opens(str(number), draw.choice(self.browsers), draw)

    def opens(self, name: str, host: Person, draw: Random) -> None:
        """A browser opens a table, and three others are told its link."""
        game = draw.choice(self.size.games)
        others = [one for one in self.browsers if one is not host]
        people = [host, *draw.sample(others, min(3, len(others)))]
        bots = draw.randrange(0, 3)
        plan = [
            "me",
            *["open"] * draw.choice([0, 1, 2, 2]),
            *(draw.choice(BOTS) for _ in range(bots)),
        ]
        plan = (plan + ["sensible"] * (len(plan) < 2))[:4]
        options = {"goal": "210"} if game == "coals" else {}
        more: dict[str, Any] = {
            "pace": draw.choice(PACED if self.sleepers else PACES),
            "share": draw.choice([False, True]),
        }

        def done(answer: Any) -> None:
            if not isinstance(answer, TableState):
                return
            for browser in people:
                browser.tables.append(answer.id)
            for browser in people[1 : 1 + plan.count("open")]:
                here = f"browser {browser.number}" not in self.size.without
                if here and draw.random() < AT_ONCE:  # the others take their time
                    browser.ask(command(lobby.sit, browser.who, answer.id, share=more["share"]))

        who = host.who  # whatever the browser becomes until this is done

        def call(at: Any) -> Any:
            return lobby.open_table(at, who, game, plan, options=options, **more)

        if f"browser {host.number}" not in self.size.without:
            asked = Command("open_table", who, f"new {name}", (game, plan), call, dict(more))
            host.ask(asked, done)

    def heal(self) -> None:
        """Nothing fails any more but what may fail at any time."""
        self.timeline.note("nothing fails from now on")
        self.disk.mend({name: rate for name, rate in self.rates.items() if name in LATE})
        self.odd = ODD / 2
        self.rates = {name: rate if name in LASTING else 0.0 for name, rate in self.rates.items()}
        self.is_quiet, self.quiet_since = True, self.timeline.passed

    def compete(self, node: int) -> bool:
        """Between two transactions of a node, others ask the other one about the same table."""
        command, other = self.ledger.doing[-1].command, self.houses[1 - node]
        if command is None or not other.up:
            return False
        people = [one for one in self.browsers if command.table in one.pages]
        many = min(len(people), 1 + self.timeline.chance(SEVERAL))
        asked = [
            one.compete(command, other.number)
            for one in self.timeline.random.sample(people, many)
            if other.up
        ]
        return any(asked)

    def eager(self) -> float:
        """The probability that others come between: larger for what nobody has come between yet."""
        doing, rate = self.ledger.doing, self.disk.rates.get("interleave", 0.0)
        command = doing[-1].command if doing else None
        return min(0.8, EAGER * rate) if command and self.variety.is_new(command) else rate

    def why(self, command: Command) -> Any:
        """For what reason a command is refused now, as the models have it; None if it is accepted."""
        models = self.model, self.groups, self.calls, self.secrets
        return next((why for one in models if (why := one.why(command))), None)

    def trouble_now(self) -> None:
        """Something has failed: what is allowed only then is allowed for a while."""
        self.last_trouble = self.timeline.passed

    # -- what people know of each other ------------------------------------------------------------------

    @property
    def crowded(self) -> bool:
        """Whether there are as many tables as there should be."""
        return len(self.model.tables) > 2 * self.size.tables

    def browsers_of(self, live: TableState) -> list[Person]:
        """The browsers that have a seat at a table."""
        owners = {info.owner for info in live.seats}
        return [browser for browser in self.browsers if browser.who in owners]

    def invite(self, live: TableState) -> None:
        """Tell a few people of a table."""
        draw = Random(f"{self.seed} invited {live.created}")
        for browser in draw.sample(self.browsers, min(3, len(self.browsers))):
            browser.tables.append(live.id)

    def is_here(self, table: str, who: str | None, seconds: float = 0.0) -> bool:
        """Whether a browser has had a page of a table open for so long."""
        people = [browser for browser in self.browsers if browser.who == who]
        return any(self.streams_well(one, table, seconds) for one in people)

    def streams_well(self, browser: Person, table: str, seconds: float) -> bool:
        """Whether a browser has had a stream of a table for so long, from a node that runs."""
        if table not in browser.streams:
            return False
        node, life, _, _ = browser.streams[table]
        house = self.houses[node]
        return (
            house.up
            and house.lives == life
            and browser.since[table] + seconds <= self.timeline.passed
        )

    def digest(self) -> str:
        """A digest of the whole history: equal seeds give equal ones."""
        return hashlib.sha256("\n".join(self.timeline.history).encode()).hexdigest()


def simulate(seed: int, folder: Path, size: Size | None = None) -> Simulation:
    """Run one seed. Raises Violated, with the history in short."""
    world = Simulation(seed, folder, size)
    carry_out(world)
    return world


def carry_out(world: Simulation) -> None:
    """Run a simulation. Raises Violated, with the history in short."""
    logging.disable(logging.CRITICAL)
    try:
        world.run()
    except Violated as later:
        error = world.violation or later  # the first of several
        error.history = world.timeline.history
        raise error from error.__cause__
    except Exception as later:
        error = world.violation or Violated("nothing else fails", "", repr(later))
        error.history = world.timeline.history
        raise error from (error.__cause__ or later)
    except Crash:
        raise Violated("a crash stays in its node") from None
    finally:
        logging.disable(logging.NOTSET)
