"""Who is served waits while the event loop goes on."""

import ast
import asyncio
import threading
import time
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from diablerie.runtime.clock import Clock, SingleThreadClock
from diablerie.runtime.serving import LONG_TURN_SECONDS, with_pauses
from tests.simulated_clock import SimulatedClock

CLOCK = Clock()


def served(*works: Callable[[], Any]) -> list[Any]:
    """What is returned or raised by functions that are served at once."""

    async def run() -> list[Any]:
        tasks = [CLOCK.serve(work) for work in works]
        return await asyncio.gather(*tasks, return_exceptions=True)

    return asyncio.run(run())


def test_what_waits_is_done_in_another_thread_and_the_rest_in_the_loops() -> None:
    here = threading.get_ident
    assert CLOCK.apart(here) == here()
    ((loop, apart, again),) = served(lambda: (here(), CLOCK.apart(here), here()))
    assert loop == again == here() != apart


def test_the_loop_goes_on_while_somebody_waits() -> None:
    free = threading.Event()
    assert served(lambda: CLOCK.apart(lambda: free.wait(60)), free.set) == [True, None]
    told: list[str] = []
    served(lambda: (CLOCK.sleep(0.01), told.append("late")), lambda: told.append("soon"))
    assert told == ["soon", "late"]


def test_errors_reach_who_waits() -> None:
    def waits() -> str:
        with pytest.raises(ZeroDivisionError):
            CLOCK.apart(lambda: 1 // 0)
        return "goes on"

    failed, went_on = served(lambda: CLOCK.apart(lambda: [][0]), waits)
    assert isinstance(failed, IndexError)
    assert went_on == "goes on"


def test_who_leaves_is_told_where_it_waits() -> None:
    free, told = threading.Event(), list[str]()

    def waits() -> None:
        try:
            CLOCK.apart(lambda: free.wait(60))
        finally:
            told.append("left")

    async def run() -> None:
        task = asyncio.create_task(CLOCK.serve(waits))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        free.set()

    asyncio.run(run())
    assert told == ["left"]


def test_a_lock_is_kept_while_its_holder_waits_and_stops_no_loop() -> None:
    lock, told = threading.Lock(), list[int]()

    def holds() -> None:
        with CLOCK.held(lock):
            told.append(1)
            CLOCK.apart(lambda: time.sleep(0.01))
            told.append(-1)

    served(holds, holds, holds)
    assert told == [1, -1] * 3


@pytest.mark.parametrize("clock", [SingleThreadClock(), SimulatedClock()])
def test_where_there_is_one_thread_it_does_everything(clock: Clock) -> None:
    here = threading.get_ident
    assert asyncio.run(clock.serve(lambda: (clock.apart(here), here()))) == (here(), here())


def test_who_takes_long_over_many_items_lets_others_have_their_turn() -> None:
    told: list[object] = []

    def long() -> None:
        for n in with_pauses(range(3)):
            told.append(n)
            until = time.monotonic() + 2 * LONG_TURN_SECONDS
            while time.monotonic() < until:
                pass

    served(long, lambda: told.append("other"))
    assert told == [0, "other", 1, 2]
    assert list(with_pauses("ab")) == ["a", "b"], "outside it goes on at once"


# -- where a function may be suspended ---------------------------------------------------------------

SOURCES = Path(__file__).parent.parent / "src" / "diablerie"
PROMISE = "never waits"  # in a docstring
CONTAINERS = {*dir(dict), *dir(list), *dir(set), *dir(str)}


class Function(NamedTuple):
    """A function of the sources, and where it stands; `home` is its class, "" if in none."""

    module: str
    home: str
    node: ast.FunctionDef

    @property
    def suspends(self) -> bool:
        """Whether it is marked."""
        return any(ast.unparse(one).endswith("suspends") for one in self.node.decorator_list)


@cache
def functions() -> tuple[Function, ...]:
    """The functions of the packages in which somebody may be served."""
    found = []
    for path in (
        path for room in ("runtime", "table", "web") for path in SOURCES.glob(f"{room}/**/*.py")
    ):
        for one in ast.parse(path.read_text("utf-8")).body:
            inside = one.body if isinstance(one, ast.ClassDef) else [one]
            home = one.name if isinstance(one, ast.ClassDef) else ""
            found += [
                Function(str(path), home, n) for n in inside if isinstance(n, ast.FunctionDef)
            ]
    return tuple(found)


def called(of: Function) -> Iterator[Function]:
    """What a function calls, not in functions that it only makes.

    A method of another object may be that of any class which has one of this name, unless texts,
    dicts, lists or sets have it, too.
    """
    left: list[ast.AST] = [*of.node.body]
    while left:
        one = left.pop()
        if isinstance(one, ast.FunctionDef | ast.Lambda):
            continue
        left += ast.iter_child_nodes(one)
        if not isinstance(one, ast.Call):
            continue
        what = one.func
        if isinstance(what, ast.Name):
            yield from (f for f in functions() if f.node.name == what.id and not f.home)
        if isinstance(what, ast.Attribute):
            if what.attr in CONTAINERS:
                continue
            own = isinstance(what.value, ast.Name) and what.value.id == "self"
            same = [f for f in functions() if f.node.name == what.attr and bool(f.home)]
            yield from (f for f in same if not own or (f.module, f.home) == of[:2])


def waiting(of: Function) -> list[str]:
    """By which functions one comes to another that is marked; [] if it does not."""
    ways = {of: [of.node.name]}
    left = [of]
    while left:
        one = left.pop()
        for next_one in called(one):
            if next_one in ways:
                continue
            ways[next_one] = [*ways[one], next_one.node.name]
            if next_one.suspends:
                return ways[next_one]
            left.append(next_one)
    return []


def test_what_never_waits_calls_nothing_that_suspends() -> None:
    promised = [
        one for one in functions() if PROMISE in (ast.get_docstring(one.node) or "").lower()
    ]
    assert len(promised) > 8
    assert [way for one in promised if (way := waiting(one))] == []


def test_what_suspends_is_found() -> None:
    marked = {one.node.name for one in functions() if one.suspends}
    assert marked >= {"apart", "with_pauses", "sleep", "acquire", "held", "write", "_read"}
    setting_aside = [one for one in functions() if "parent.switch(" in ast.unparse(one.node)]
    assert [(one.node.name, one.suspends) for one in setting_aside] == [("_until", True)]
    changing = [one for one in functions() if (one.home, one.node.name) == ("Tables", "change")]
    assert changing
    assert all(map(waiting, changing))
