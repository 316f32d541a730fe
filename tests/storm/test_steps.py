"""Commands to tables in any order, drawn by Hypothesis, each compared with the simulation's model.

Nothing fails here, and a failing list of steps is shortened. Who adds a command adds it to what
people ask for (`Person.everything`) and to the model, or a test fails.
"""

import inspect
import os
import random
from collections import Counter
from itertools import product
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from diablerie.table.commands import chat, decisions, latecomers, lobby, seats, sequels
from diablerie.table.commands import command as declared
from diablerie.table.state.table_state import FINISHED_TABLE
from tests.storm.house import RESTART
from tests.storm.ledger import Violated
from tests.storm.network import Command, Page, Request, page_of
from tests.storm.people import Person
from tests.storm.simulation import RATES, Simulation, Size, carry_out

CALM = Size(1, 3, 0.0, 0.0, ("toy",), frozenset(RATES))
BEFORE = {  # what is done first, so that a step is accepted more often
    "answer_take_back": ["play", "request_take_back"], "request_take_back": ["play"],
    "take_back": ["play"], "begin": ["open_table", "sit", "sit", "pause"],
    "claim": ["link"], "return_seat": ["link", "claim"],
    "explore": ["open_table", "start", "resign", "resign"],
    "rematch": ["open_table", "start", "resign", "resign"],
    "share": ["open_table", "sit", "sit"],
    "fill": ["open_table"], "free": ["open_table", "sit"], "leave": ["open_table"],
    "delete_table": ["open_table"],
    "ask_seat": ["open_table", "fill"], "answer_seat": ["open_table", "fill", "ask_seat"],
}  # fmt: skip
OF_PEOPLE = (declared.StepCommand, declared.TableCommand, declared.SiteCommand)
NEVER = {"delete_names", "open_table"}  # are refused here
BEGIN = "open_table", "start", "play"
PLAYED = 1, 5, 20  # decisions in a row
OLD = 0.2  # probability that a page is old
MOST = 3  # tables that are not over
PAUSES = (1.0, 7.0, 65.0)  # seconds: bots decide; shares are waited for long enough; time is over


def commands() -> set[str]:
    """The names of the commands that change tables."""
    found = {"delete_names"}
    for module in (lobby, sequels, decisions, seats, latecomers, chat):
        members = inspect.getmembers(module, lambda one: isinstance(one, OF_PEOPLE))
        found |= {name for name, one in members if not isinstance(one, declared.Command)}
    # These change no table, or need a file.
    return found - {"ask_hints", "report", "continue_file"}


OTHERS = "again", "groups", "look", "pause", "play", "restart", "start"  # steps: see `Steps`
STEP = st.tuples(st.sampled_from(sorted([*commands(), *OTHERS])), st.integers(0, 2**32))
STEPS = st.lists(st.lists(STEP, min_size=1, max_size=12), max_size=10).map(
    lambda parts: [step for part in parts for step in part]
)
DRAWN = settings(
    deadline=None, database=None, suppress_health_check=list(HealthCheck), print_blob=False,
    phases=[Phase.generate, Phase.shrink],
)  # fmt: skip
ROUND = 4  # times that each command is tried at first


class Steps(Simulation):
    """Two nodes and three browsers, which do what a list of steps says: commands, and numbers.

    A number draws who gives the command and how; one that four divides, what is refused.
    """

    def __init__(self, steps: list[tuple[str, int]], folder: Path) -> None:
        super().__init__(0, folder, CALM)
        self.heal()
        self._steps, self._last = [(name, 0) for name in BEGIN] + steps, list[Command]()
        for house in self.houses:
            house.clock.offset = 0.0

    async def _live(self) -> None:
        await self.until(1.0)
        for name, number in self._steps:
            draw = Random(number)
            for one in BEFORE.get(name, []):
                await self._do(one, draw)
            await self._do(name, draw, number % 4 > 0, True)
            self.invariants.after_steps()
        await self.until(self.timeline.passed + 2.0)  # all answers have arrived
        for browser in self.browsers:
            browser.tables.clear()  # nobody waits for them

    async def _do(self, name: str, draw: Random, *wanted: bool) -> None:
        step = getattr(self, f"_{name}", None)
        await (step(draw) if step else self._any(name, draw, *wanted))

    async def _any(self, name: str, draw: Random, wanted: bool = True, other: bool = False) -> bool:
        """Somebody gives a command of this name that is accepted, or not; whether there is any.

        Where there is none, `other` has it given all the same.
        """
        pairs = list(product(self.browsers, self.model.tables))
        ways, fit = list[Command](), list[Command]()
        for browser, table in draw.sample(pairs, len(pairs)):
            browser.random, page = draw, self._page(browser, table, draw)
            ways = [one for one in browser.everything(table, page) if one.name == name]
            if fit := [one for one in ways if self.variety.may(one) == wanted]:
                break
        if fit or (ways and other):
            self._last.append(draw.choice(fit or ways))
            await self._again(draw)
        return bool(fit)

    def _page(self, browser: Person, table: str, draw: Random) -> Page:
        """A table as some node has it, or sometimes as this browser has seen it before."""
        node = self.houses[draw.randrange(2)]
        with self.ledger.does(node.number, "read"):
            fresh = page_of(node.authority, node.authority.live(table), browser.who)
        before, browser.pages[table] = browser.pages.get(table, fresh), fresh
        return before if draw.random() < OLD else fresh

    async def _again(self, draw: Random) -> None:
        """The last request comes, perhaps once more."""
        for command in self._last[-1:]:
            person = next((one for one in self.browsers if one.who == command.who), None)
            if person:  # who may be another visitor by now
                person.arrive(Request(command, person.done(command)), draw.randrange(2))
        await self.until(self.timeline.passed + 0.1)

    async def _play(self, draw: Random) -> None:
        for _ in range(draw.choice(PLAYED)):
            if not await self._any("act", draw):
                await self.until(self.timeline.passed + 0.5)

    async def _start(self, draw: Random) -> None:
        """Seats are taken, and what is promised for the dice comes in."""
        for name in ("sit", "share"):
            while await self._any(name, draw):
                pass

    async def _open_table(self, draw: Random) -> None:
        if sum(t.status != FINISHED_TABLE for t in self.model.tables.values()) < MOST:
            self.opens("", draw.choice(self.browsers), draw)
            await self.until(self.timeline.passed + 1.0)

    async def _groups(self, draw: Random) -> None:
        person = draw.choice(self.browsers)
        person.random = draw
        self.habits.something(person)
        await self.until(self.timeline.passed + 1.0)

    async def _look(self, draw: Random) -> None:
        """Somebody opens the page of a table, or closes all pages."""
        person = draw.choice(self.browsers)
        if self.model.tables and draw.random() < 0.7:
            person.connect(draw.choice(list(self.model.tables)))
        else:
            person.leave_all()

    async def _pause(self, draw: Random) -> None:
        await self.until(self.timeline.passed + draw.choice(PAUSES))

    async def _restart(self, draw: Random) -> None:
        draw.choice(self.houses).crash("it is restarted")
        await self.until(self.timeline.passed + RESTART[1])


def told_of(steps: list[tuple[str, int]]) -> Counter[tuple[str, str]]:
    """How often each command of these steps was accepted, and refused. Raises Violated."""
    with TemporaryDirectory() as folder:
        world = Steps(steps, Path(folder))
        try:
            carry_out(world)
        except Violated as error:
            error.add_note("\n".join(world.timeline.history))
            raise
    return world.answers.told


def test_every_command_has_a_step_that_is_accepted_and_one_that_is_refused() -> None:
    missing = set(product(commands(), ("accepted", "refused"))) - set(product(NEVER, ["refused"]))
    for first in range(0, 16 * ROUND, ROUND):
        names = sorted({name for name, _ in missing})
        numbers = range(first, first + ROUND)
        missing -= set(told_of([(name, number) for number in numbers for name in names]))
        if not missing:
            return
    raise AssertionError(missing)


@settings(DRAWN, max_examples=5, derandomize=True)
@given(STEPS)
def test_commands_in_any_order_do_what_the_model_says(steps: list[tuple[str, int]]) -> None:
    told_of(steps)


@pytest.mark.nightly
def test_the_same_with_seeds_drawn_now() -> None:
    number = int(os.environ.get("SEED", 0)) or random.SystemRandom().randrange(1, 2**32)
    print(f"SEED={number}")  # shown where it fails
    holds = test_commands_in_any_order_do_what_the_model_says.hypothesis.inner_test  # type: ignore[attr-defined]
    settings(DRAWN, max_examples=400)(seed(number)(given(STEPS)(holds)))()
