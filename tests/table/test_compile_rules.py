"""Warming up: which games are ready, what waits for them, and the child that compiles."""

import json
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from diablerie.bots.spec import parse_bot
from diablerie.engine.game import Game
from diablerie.games import ALL
from diablerie.runtime.clock import SimulatedClock
from diablerie.table.authority import Authority
from diablerie.table.bots import compile_rules, compile_units
from diablerie.table.bots.bot_player import PREPARING, BotPlayer, unit_of
from diablerie.table.bots.compile_process import Compilation, CompileProcess
from diablerie.table.bots.compile_rules import CompileProgress, Job, RulesCompiler
from diablerie.table.bots.compile_units import (
    BOTS,
    CHANCES,
    LEARNT,
    SEARCH,
    STEPS,
    TABLE,
    UNITS,
    needed,
)
from diablerie.table.bots.waiting_tables import WaitingTables
from diablerie.table.commands import decisions, lobby
from diablerie.table.errors import Preparing
from tests.stores import new_store
from tests.table.conftest import ANN, GAMES, Clock
from tests.table.toy import HERE


def test_each_unit_has_its_steps(game: Game) -> None:
    for unit in UNITS.values():
        assert sum(1 for _ in unit.work(game)) == unit.steps


def test_units_come_after_what_they_build_on() -> None:
    assert needed(TABLE) == ("moves", "choices", TABLE)
    judging = ("values", "glance", "appraisal")
    assert needed(BOTS) == ("moves", "choices", "advice", TABLE, *judging, BOTS)
    assert needed(CHANCES) == (*needed(BOTS), CHANCES)


@pytest.fixture
def cold(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(compile_units, "compiled_marker", lambda game: tmp_path / f"{game}.ready")
    monkeypatch.setattr(compile_rules.os, "nice", lambda _: 0)  # this process is no child


def child(work: str) -> CompileProcess:
    """A child that does this with each `unit` instead of compiling it."""
    program = f"""
import sys, time
from diablerie.table.bots.compile_process import serve

def work(unit):
    {work}

serve(work)
"""
    return CompileProcess(["-c", program])


TELL = f"""
    for done in range({ {name: unit.steps for name, unit in UNITS.items()} }[unit.partition(":")[2]]):
        print('{{"done": %d}}' % (done + 1))
"""


def run(work: str) -> tuple[RulesCompiler, list[str], list[int]]:
    """A warm-up whose child does this with each unit."""
    ready, steps, done = [], [], threading.Event()
    warming = RulesCompiler({"toy": GAMES["toy"]}, process=child(work))

    def when_ready(game: str) -> None:
        ready.append(game)
        if len(warming._finished) == len(UNITS):
            done.set()

    warming.start(when_ready, lambda _, progress: steps.append(progress.done))
    assert done.wait(60)
    return warming, ready, steps


@pytest.mark.usefixtures("cold")
def test_the_child_tells_its_steps() -> None:
    warming, ready, steps = run("print('a warning')" + TELL)
    assert set(ready) == {"toy"}
    assert sorted({0, *steps}) == list(range(STEPS + 1))
    assert warming.progress() == {"toy": CompileProgress(STEPS, STEPS, True)}


@pytest.mark.usefixtures("cold")
def test_a_unit_that_fails_keeps_no_game_waiting(caplog: pytest.LogCaptureFixture) -> None:
    warming, ready, _ = run("raise SystemExit('no room')")
    assert set(ready) == {"toy"}
    assert warming.ready("toy")
    assert "no room" in caplog.text


@pytest.mark.usefixtures("cold")
def test_a_child_that_cannot_start_keeps_no_game_waiting() -> None:
    warming = RulesCompiler(
        {"toy": GAMES["toy"]}, process=CompileProcess(["-c", "raise SystemExit"])
    )
    ready, done = [], threading.Event()
    warming.start(lambda game: (ready.append(game), warming.can("toy", CHANCES) and done.set()))
    assert done.wait(60)
    assert set(ready) == {"toy"}


def started_in_order(
    warming: RulesCompiler, monkeypatch: pytest.MonkeyPatch, during: Callable[[Job], object]
) -> list[Job]:
    """The units in the order in which one lane compiles them; `during` is called with each."""
    started: list[Job] = []
    done = threading.Event()

    def lines(job: Job) -> list[str]:
        started.append(job)
        during(job)
        return [json.dumps({"done": UNITS[job.unit].steps})]

    def when_ready(game: str) -> None:
        if len(warming._finished) == len(ALL) * len(UNITS):
            done.set()

    monkeypatch.setattr(compile_rules.os, "cpu_count", lambda: 1)
    monkeypatch.setattr(warming, "_lines", lines)
    warming.start(when_ready)
    assert done.wait(20)
    return started


@pytest.mark.usefixtures("cold")
def test_what_play_needs_comes_first_and_what_somebody_waits_for_before_that(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    warming = RulesCompiler(ALL)
    wish = {Job("coals", "moves"): lambda: warming.ready("kitchen"),
            Job("kitchen", "bots"): lambda: warming.can("tails", SEARCH)}  # fmt: skip
    started = started_in_order(warming, monkeypatch, lambda job: wish.get(job, lambda: 0)())
    first = Job("coals", "moves")
    kitchen = [Job("kitchen", unit) for unit in needed(BOTS)]
    tails = [Job("tails", unit) for unit in needed(SEARCH)]
    play = [Job(game, unit) for game in ("coals", "underworld") for unit in needed(BOTS)]
    rest = [Job(game, unit) for unit in (LEARNT, SEARCH, CHANCES) for game in ALL]
    expected = [first, *kitchen, *tails, *play[1:], *(job for job in rest if job not in tails)]
    assert started == expected


@pytest.mark.usefixtures("cold")
def test_wishes_for_all_games_do_not_interrupt_each_other_nor_what_is_nearly_done() -> None:
    clock = SimulatedClock(1000.0)
    warming = RulesCompiler(ALL, clock)
    warming._slowness = 10.0

    def running(job: Job, spent: float) -> Compilation:
        warming._running[job], warming._began[job] = Compilation(), clock.monotonic() - spent
        return warming._running[job]

    whole = 10 * UNITS["learnt"].seconds
    fresh, nearly = running(Job("coals", LEARNT), 0.0), running(Job("tails", LEARNT), 0.9 * whole)
    warming.can("underworld", SEARCH)
    assert (fresh.interrupted, nearly.interrupted) == (True, False)
    wished = running(Job("underworld", "moves"), 0.0)
    for game in ALL:
        warming.can(game, SEARCH)
    assert not wished.interrupted


@pytest.mark.usefixtures("cold")
def test_of_what_is_waited_for_the_shortest_is_compiled_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    warming = RulesCompiler(ALL)
    for game in ("coals", "tails"):
        warming.can(game, SEARCH)
    warming.ready("kitchen")
    started = started_in_order(warming, monkeypatch, lambda _: None)
    games = list(dict.fromkeys(job.game for job in started))
    assert games[:3] == ["kitchen", "coals", "tails"]


@pytest.mark.usefixtures("cold")
@pytest.mark.parametrize("begun", [True, False], ids=["compiling", "importing"])
def test_a_wish_makes_room_at_once_and_what_was_interrupted_is_compiled_later(
    begun: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first unit takes for ever when it is compiled for the first time."""
    log = tmp_path / "log"
    work = f"""
    with open({str(log)!r}, "a+") as log:
        first = unit == "coals:moves" and not log.tell()
        print(unit, file=log)
    if first:
        time.sleep(600)
    {TELL}"""
    monkeypatch.setattr(compile_rules.os, "cpu_count", lambda: 1)
    games = {name: ALL[name] for name in ("coals", "kitchen")}
    warming, done = RulesCompiler(games, process=child(work)), threading.Event()
    warming.start(lambda _: done.set() if len(warming._finished) == 2 * len(UNITS) else None)
    if begun:
        while not log.exists():
            time.sleep(0.01)
    assert not warming.all_ready()
    assert not warming.ready("kitchen")
    assert done.wait(60)
    order = log.read_text().split()
    kitchen = order.index("kitchen:moves")
    assert "coals:choices" not in order[:kitchen]
    assert order[kitchen + 1] == "kitchen:choices"
    assert "coals:moves" in order[kitchen:]
    assert warming.all_ready()


@pytest.mark.usefixtures("cold")
def test_the_seconds_that_are_told_count_what_comes_before_and_how_slow_it_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(compile_rules.os, "cpu_count", lambda: 2)
    monkeypatch.setattr(compile_rules.os, "getloadavg", lambda: (0.0, 0.0, 0.0))
    warming = RulesCompiler(ALL)
    seconds = {game: step.seconds for game, step in warming.progress().items()}
    assert seconds["coals"] < seconds["tails"] < seconds["kitchen"]
    warming.ready("kitchen")
    assert warming.progress()["kitchen"].seconds == seconds["coals"]
    warming._slowness = 3.0
    assert 3 * seconds["coals"] - 3 < warming.progress()["kitchen"].seconds <= 3 * seconds["coals"]
    warming._finished.add(Job("kitchen", "moves"))
    assert warming.progress()["kitchen"].seconds < 3 * seconds["coals"] - 3


@pytest.mark.usefixtures("cold")
def test_the_seconds_that_are_told_fall_while_a_unit_is_compiled_but_never_to_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(compile_rules.os, "cpu_count", lambda: 1)
    monkeypatch.setattr(compile_rules.os, "getloadavg", lambda: (0.0,) * 3)
    clock = SimulatedClock(1000.0)
    warming = RulesCompiler(ALL, clock)
    warming._slowness = 10.0
    first, whole = Job("coals", "moves"), 10 * UNITS["moves"].seconds

    def seconds() -> int:
        return warming.progress()["coals"].seconds

    before = seconds()
    warming._began[first] = clock.monotonic()
    assert seconds() == before
    clock.sleep(whole / 2)
    assert before - seconds() == pytest.approx(whole / 2, abs=1)
    clock.sleep(10 * whole)
    assert before - seconds() == pytest.approx(0.9 * whole, abs=1)


@pytest.mark.usefixtures("cold")
def test_the_seconds_that_are_told_follow_what_compiling_has_taken(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(compile_rules.os, "getloadavg", lambda: (0.0,) * 3)
    clock, moves = SimulatedClock(1000.0), UNITS["moves"]
    warming = RulesCompiler(ALL, clock)

    def left_after(game: str, seconds: float) -> float:
        """How long the next unit of this kind will take, now that this one took so long."""
        job = Job(game, "moves")
        warming._running[job], warming._began[job] = Compilation(), clock.monotonic()
        warming._steps[job] = moves.steps
        clock.sleep(seconds)
        assert warming._finish(job)
        return warming._left(Job("kitchen", "moves"))

    assert left_after("coals", moves.seconds) == pytest.approx(moves.seconds)
    slow = left_after("tails", 5 * moves.seconds)
    assert moves.seconds < slow < 5 * moves.seconds
    assert moves.seconds < left_after("underworld", moves.seconds) < slow


@pytest.mark.usefixtures("cold")
def test_the_real_child_compiles_and_leaves_its_marks(capfd: pytest.CaptureFixture[str]) -> None:
    compile_rules.main(["coals:choices"])
    expected = [{"game": "coals", "unit": "choices", "done": n + 1} for n in range(2)]
    assert told(capfd) == expected
    assert not RulesCompiler(ALL).ready("coals")
    compile_rules.main(["coals"])
    assert told(capfd)[-1] == {"game": "coals", "unit": CHANCES, "done": 1}
    assert RulesCompiler(ALL).can("coals", CHANCES)
    assert compile_units.compiled_marker("coals").exists()


@pytest.mark.usefixtures("cold")
def test_of_what_another_process_has_compiled_the_steps_are_told_all_the_same(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    unit = UNITS["choices"]._replace(work=lambda _: pytest.fail("it is done already"))
    monkeypatch.setitem(compile_rules.UNITS, "choices", unit)
    compile_units.compiled_marker("coals").touch()
    compile_rules.main(["coals:choices"])
    assert [line["done"] for line in told(capfd)] == [1, 2]


def told(capfd: pytest.CaptureFixture[str]) -> list[dict[str, object]]:
    return [json.loads(line) for line in capfd.readouterr().out.splitlines()]


def test_the_child_is_a_process_of_this_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Meanwhile another has compiled the game, so that it has little to do."""
    monkeypatch.setenv("DIABLERIE_CACHE", str(tmp_path))
    warming = RulesCompiler({"coals": ALL["coals"]})
    assert not warming.progress()["coals"].ready
    compile_units.compiled_marker("coals").touch()
    job = Job("coals", TABLE)
    warming._running[job] = Compilation()
    assert list(warming._compiled(job)) == [1, 2, 3]
    warming.stop()
    assert list(warming._compiled(job)) == []


@pytest.mark.usefixtures("cold")
def test_what_is_marked_is_ready_at_once_and_told_at_the_start() -> None:
    """Tables may wait for it since the house was closed."""
    assert not RulesCompiler(GAMES).ready("toy")
    compile_units.compiled_marker("toy").touch()
    warming, ready, done = RulesCompiler(GAMES), [], threading.Event()
    assert warming.ready("toy")

    def when_ready(game: str) -> None:
        ready.append(game)
        done.set()

    warming.start(when_ready)
    assert done.wait(20)
    assert ready == ["toy"]


def test_a_table_waits_for_its_rules(
    tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, compiled = new_store(tmp_path / "x.db"), [False]
    authority = Authority(store, GAMES, clock=clock, ready=lambda _: compiled[0])
    monkeypatch.setattr(HERE, "start", None)  # nothing is run of what is not compiled
    live = lobby.open_table(authority, ANN, "toy", ["me", "random"])
    assert live.status == "open"
    monkeypatch.undo()
    compiled[0] = True
    WaitingTables(authority).compiled("toy")
    assert authority.live(live.id).status == "running"
    store.close()


def test_a_running_match_waits_after_an_update(tmp_path: Path, clock: Clock) -> None:
    store, compiled = new_store(tmp_path / "x.db"), [True]
    before = Authority(store, GAMES, clock=clock)
    table = lobby.open_table(before, ANN, "toy", ["me", "random"], public=True).id
    after = Authority(store, GAMES, clock=clock, ready=lambda _: compiled[0])
    compiled[0] = False
    with pytest.raises(Preparing):
        after.live(table)
    assert after.listing() == after.mine(ANN) == []
    told: list[str] = []
    after.listen(lambda live: told.append(live.id))
    compiled[0] = True
    WaitingTables(after).compiled("toy")
    assert told == [table]
    assert [live.id for live in after.listing()] == [table]
    store.close()


def test_bots_and_hints_wait_until_what_they_need_is_compiled(tmp_path: Path, clock: Clock) -> None:
    compiled: set[str] = set()
    store = new_store(tmp_path / "x.db")
    authority = Authority(store, clock=clock, can=lambda _, unit: unit in compiled)
    table = lobby.open_table(authority, ANN, "coals", ["devil", "oberteufel", "me"], hints=True).id
    player = BotPlayer(authority)
    for seat, unit in ((0, BOTS), (1, LEARNT)):
        assert player.play_due_turn(table) == PREPARING
        assert seat in authority.live(table).pending
        compiled.add(unit)
        assert player.play_due_turn(table) == 0.0
        assert seat not in authority.live(table).pending
    live = authority.live(table)
    with pytest.raises(Preparing):
        decisions.ask_hints(authority, live, ANN, 2)
    compiled |= {SEARCH, CHANCES}
    assert decisions.ask_hints(authority, live, ANN, 2)
    store.close()


@pytest.mark.parametrize(
    ("game", "spec", "seats", "unit"),
    [
        ("underworld", "oberteufel", 4, LEARNT),
        ("underworld", "oberteufel", 6, SEARCH),
        ("coals", "oberteufel", 2, LEARNT),
        ("coals", "oberteufel", 5, SEARCH),
        ("tails", "oberteufel", 2, SEARCH),
        ("coals", "net", 2, LEARNT),
        ("kitchen", "devil", 2, BOTS),
    ],
)
def test_a_bot_needs_what_it_plays_by(game: str, spec: str, seats: int, unit: str) -> None:
    assert unit_of(parse_bot(spec).make(ALL[game]), seats) == unit
