"""Compiling beforehand: which games are ready, what waits for them, and the processes that compile."""

import multiprocessing
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from multiprocessing import forkserver, resource_tracker
from pathlib import Path
from typing import Any

import pytest

from diablerie.bots.spec import parse_bot
from diablerie.compiling import forks, rules_compiler
from diablerie.compiling.forks import Compilation
from diablerie.compiling.rules_compiler import CompileProgress, Job, RulesCompiler
from diablerie.compiling.units import (
    BOTS_UNIT,
    CHANCES_UNIT,
    LEARNT_UNIT,
    SEARCH_UNIT,
    TABLE_STEPS,
    TABLE_UNIT,
    UNITS,
    compile_unit,
    is_compiled,
    mark_unit,
    needed,
    unit_of,
    units_of_hints,
    units_of_play,
)
from diablerie.engine.game import Game
from diablerie.engine.sources import compile_seconds
from diablerie.games import ALL
from diablerie.runtime.child_processes import ctrl_c_blocked
from diablerie.table.authority import Authority
from diablerie.table.bots.driver import BOT_COMPILED_LOOK_SECONDS, BotPlayer
from diablerie.table.bots.waiting_tables import WaitingTables
from diablerie.table.commands import decisions, lobby
from diablerie.table.errors import Preparing
from tests.compiling import stand_ins
from tests.simulated_clock import SimulatedClock
from tests.stores import new_store
from tests.table.conftest import ANN, GAMES, Clock
from tests.table.test_driver import wait
from tests.table.toy import HERE


def test_each_unit_has_its_steps(game: Game) -> None:
    for unit in UNITS.values():
        assert sum(1 for _ in unit.work(game)) == unit.steps


def test_units_come_after_what_they_build_on() -> None:
    assert needed(TABLE_UNIT) == ("moves", "choices", TABLE_UNIT)
    judging = ("values", "glance", "appraisal")
    assert needed(BOTS_UNIT) == ("moves", "choices", "advice", TABLE_UNIT, *judging, BOTS_UNIT)
    assert needed(CHANCES_UNIT) == (*needed(BOTS_UNIT), CHANCES_UNIT)


def test_a_search_is_compiled_unasked_only_where_a_level_needs_it() -> None:
    for name in ("coals", "kitchen"):
        assert set(UNITS) - set(units_of_play(ALL[name])) == {SEARCH_UNIT}
    for name in ("tails", "underworld"):
        assert units_of_play(ALL[name]) == list(UNITS)
    assert units_of_hints(ALL["coals"], 5) == (LEARNT_UNIT, CHANCES_UNIT)
    assert units_of_hints(ALL["underworld"], 5) == (SEARCH_UNIT, CHANCES_UNIT)


@pytest.fixture
def cold(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("DIABLERIE_CACHE", str(tmp_path))
    monkeypatch.setattr(rules_compiler.os, "getloadavg", lambda: (0.0,) * 3)


@pytest.fixture
def one_core(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rules_compiler.os, "cpu_count", lambda: 1)


@pytest.fixture
def no_fork_server() -> Iterator[None]:
    forks.dismiss()
    yield
    forks.dismiss()


@contextmanager
def started(compiler: RulesCompiler, *told: Any) -> Iterator[None]:
    """Started with these arguments, and stopped afterwards."""
    compiler.start(*told)
    try:
        yield
    finally:
        compiler.stop()


def run(work: forks.Work) -> tuple[RulesCompiler, list[str], list[int]]:
    """A compiler whose processes do this with each unit, when all is done."""
    ready, steps = [], []
    compiler = RulesCompiler({"toy": GAMES["toy"]}, work=work)
    with started(compiler, ready.append, lambda _, progress: steps.append(progress.done)):
        wait(lambda: len(compiler._finished) == len(UNITS))
        wait(lambda: forkserver._forkserver._forkserver_pid is None)  # type: ignore[attr-defined]
    return compiler, ready, steps


@pytest.mark.usefixtures("cold")
def test_the_processes_tell_their_steps_and_none_is_left() -> None:
    compiler, ready, steps = run(stand_ins.tell)
    assert set(ready) == {"toy"}
    assert sorted({0, *steps}) == list(range(TABLE_STEPS + 1))
    assert compiler.progress() == {"toy": CompileProgress(TABLE_STEPS, TABLE_STEPS, True)}


@pytest.mark.usefixtures("cold")
def test_a_unit_that_fails_keeps_no_game_waiting(
    caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    compiler, ready, _ = run(stand_ins.fail)
    assert set(ready) == {"toy"}
    assert compiler.ready("toy")
    assert "the rules of toy could not be compiled" in caplog.text
    assert "no room for moves" in capfd.readouterr().err


@pytest.mark.usefixtures("cold", "no_fork_server")
def test_processes_that_cannot_start_keep_no_game_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    resource_tracker.ensure_running()  # else it would be what cannot start
    monkeypatch.setattr(multiprocessing.spawn, "_python_exe", b"/bin/false")
    assert set(run(stand_ins.tell)[1]) == {"toy"}


@contextmanager
def started_in_order(
    compiler: RulesCompiler, monkeypatch: pytest.MonkeyPatch, during: Callable[[Job], object]
) -> Iterator[list[Job]]:
    """The units in the order in which one lane compiles them; `during` is called with each."""
    order: list[Job] = []

    def steps(_: forks.Compilation, work: forks.Work, game: str, unit: str) -> list[int]:
        order.append(job := Job(game, unit))
        during(job)
        return [UNITS[unit].steps]

    monkeypatch.setattr(forks.Compilation, "steps", steps)
    with started(compiler):
        wait(lambda: not compiler._order(), 300)
        yield order


@pytest.mark.usefixtures("cold", "one_core")
def test_what_play_needs_comes_first_and_what_somebody_waits_for_before_that(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    compiler = RulesCompiler(ALL)
    wish = {Job("coals", "moves"): lambda: compiler.ready("kitchen"),
            Job("kitchen", "bots"): lambda: compiler.can("tails", SEARCH_UNIT)}  # fmt: skip
    first = Job("coals", "moves")
    kitchen = [Job("kitchen", unit) for unit in needed(BOTS_UNIT)]
    tails = [Job("tails", unit) for unit in needed(SEARCH_UNIT)]
    play = [Job(game, unit) for game in ("coals", "underworld") for unit in needed(BOTS_UNIT)]
    rest = [Job(game, unit) for unit in (LEARNT_UNIT, SEARCH_UNIT, CHANCES_UNIT) for game in ALL]
    unasked = [Job("coals", SEARCH_UNIT), Job("kitchen", SEARCH_UNIT)]
    rest = [job for job in rest if job not in (*unasked, *tails)]
    during = lambda job: wish.get(job, lambda: 0)()  # noqa: E731
    with started_in_order(compiler, monkeypatch, during) as order:
        assert order == [first, *kitchen, *tails, *play[1:], *rest]
        assert not compiler.can(*unasked[1])
        wait(lambda: compiler.can(*unasked[1]))
    assert order[-1] == unasked[1]


@pytest.mark.usefixtures("cold")
def test_wishes_for_all_games_do_not_interrupt_each_other_nor_what_is_nearly_done() -> None:
    clock = SimulatedClock(1000.0)
    compiler = RulesCompiler(ALL, clock)
    compiler._slowness = 10.0

    def running(job: Job, share: float) -> Compilation:
        spent = 10 * job.seconds * share
        compiler._running[job], compiler._began[job] = Compilation(), clock.monotonic() - spent
        return compiler._running[job]

    fresh, nearly = running(Job("coals", LEARNT_UNIT), 0.0), running(Job("tails", LEARNT_UNIT), 0.9)
    compiler.can("underworld", SEARCH_UNIT)
    assert (fresh.interrupted, nearly.interrupted) == (True, False)
    wished = running(Job("underworld", "moves"), 0.0)
    for game in ALL:
        compiler.can(game, SEARCH_UNIT)
    assert not wished.interrupted


@pytest.mark.usefixtures("cold", "one_core")
def test_of_what_is_waited_for_the_shortest_is_compiled_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    compiler = RulesCompiler(ALL)
    for game in ("coals", "tails"):
        compiler.can(game, SEARCH_UNIT)
    compiler.ready("coals")
    with started_in_order(compiler, monkeypatch, lambda _: None) as order:
        assert order.index(Job("coals", BOTS_UNIT)) < order.index(Job("tails", "moves"))


@pytest.mark.usefixtures("cold", "one_core", "no_fork_server")
@pytest.mark.parametrize("begun", [True, False], ids=["compiling", "importing"])
def test_a_wish_makes_room_at_once_and_what_was_interrupted_is_compiled_later(
    begun: bool, tmp_path: Path
) -> None:
    log = tmp_path / "log"
    compiler = RulesCompiler(
        {n: ALL[n] for n in ("coals", "kitchen")}, work=partial(stand_ins.stick, log)
    )
    compiler._slowness = 1000.0  # so that much is left, however long importing takes
    with started(compiler):
        wait(log.exists if begun else lambda: bool(compiler._running))
        assert not compiler.all_ready()
        assert not compiler.ready("kitchen")
        wait(lambda: not compiler._order(), 300)
    order = [line.split()[0] for line in log.read_text().splitlines()]
    kitchen = order.index("kitchen:moves")
    assert "coals:choices" not in order[:kitchen]
    assert order[kitchen + 1] == "kitchen:choices"
    assert "coals:moves" in order[kitchen:]
    assert compiler.all_ready()


KILLED = """
import sys, time
from functools import partial
from pathlib import Path
from diablerie.compiling.rules_compiler import RulesCompiler
from tests.compiling import stand_ins
RulesCompiler(work=partial(stand_ins.stick, Path(sys.argv[1]))).start()
time.sleep(600)
"""


@pytest.mark.slow
def test_a_killed_server_leaves_no_process_behind(tmp_path: Path) -> None:
    log, env = tmp_path / "log", {**os.environ, "DIABLERIE_CACHE": str(tmp_path)}
    env["PYTHONPATH"] = os.pathsep.join(sys.path)
    server = subprocess.Popen([sys.executable, "-c", KILLED, str(log)], env=env)
    wait(log.exists, 60)
    wait(lambda: log.read_text().endswith("\n"))
    stuck = int(log.read_text().split()[1])
    forked_by = parent_of(stuck)
    server.send_signal(signal.SIGKILL)
    server.wait()
    wait(lambda: parent_of(stuck) is None and parent_of(forked_by) is None, 20)


def parent_of(process: int | None) -> int | None:
    """The parent of a process that runs; None if it does not."""
    try:
        state, parent = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[:2]
    except FileNotFoundError:
        return None
    return None if state == "Z" else int(parent)


@pytest.mark.usefixtures("cold")
def test_the_seconds_that_are_told_count_what_comes_before_and_how_slow_it_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(rules_compiler.os, "cpu_count", lambda: 2)
    compiler = RulesCompiler(ALL)
    seconds = {game: step.seconds for game, step in compiler.progress().items()}
    assert seconds["coals"] < seconds["tails"] < seconds["kitchen"]
    compiler.ready("kitchen")
    alone = compiler.progress()["kitchen"].seconds
    assert seconds["coals"] < alone < seconds["kitchen"]  # of larger rules
    compiler._slowness = 3.0
    assert 3 * alone - 3 < compiler.progress()["kitchen"].seconds <= 3 * alone
    compiler._finished.add(Job("kitchen", "moves"))
    assert compiler.progress()["kitchen"].seconds < 3 * alone - 3


def test_a_usual_game_takes_as_long_as_is_said_where_it_is_compiled_at_first_use() -> None:
    for game in ALL:
        units = sum(Job(game, unit).seconds for unit in needed(BOTS_UNIT))
        assert units == pytest.approx(compile_seconds(game))


@pytest.mark.usefixtures("cold", "one_core")
def test_the_seconds_that_are_told_fall_while_a_unit_is_compiled_but_never_to_nothing() -> None:
    clock = SimulatedClock(1000.0)
    compiler = RulesCompiler(ALL, clock)
    compiler._slowness = 10.0
    first = Job("coals", "moves")
    whole = 10 * first.seconds

    def seconds() -> int:
        return compiler.progress()["coals"].seconds

    before = seconds()
    compiler._began[first] = clock.monotonic()
    assert seconds() == before
    clock.sleep(whole / 2)
    assert before - seconds() == pytest.approx(whole / 2, abs=1)
    clock.sleep(10 * whole)
    assert before - seconds() == pytest.approx(0.9 * whole, abs=1)


@pytest.mark.usefixtures("cold")
def test_the_seconds_that_are_told_follow_what_compiling_has_taken() -> None:
    clock = SimulatedClock(1000.0)
    compiler = RulesCompiler(ALL, clock)
    usual = Job("kitchen", "moves").seconds

    def left_after(game: str, times: float) -> float:
        """How long the next unit of this kind will take, now that this one took so long."""
        job = Job(game, "moves")
        compiler._running[job], compiler._began[job] = Compilation(), clock.monotonic()
        compiler._steps[job] = UNITS["moves"].steps
        clock.sleep(times * job.seconds)
        assert compiler._finish(job)
        return compiler._left(Job("kitchen", "moves"))

    assert left_after("coals", 1) == pytest.approx(usual)
    slow = left_after("tails", 5)
    assert usual < slow < 5 * usual
    assert usual < left_after("underworld", 1) < slow


@pytest.mark.usefixtures("cold")
def test_a_unit_that_is_compiled_leaves_its_mark() -> None:
    assert list(compile_unit("coals", "choices")) == [1, 2]
    assert is_compiled("coals", "choices")
    assert not RulesCompiler(ALL).ready("coals")
    for unit in UNITS:
        list(compile_unit("coals", unit))
    assert RulesCompiler(ALL).can("coals", CHANCES_UNIT)


@pytest.mark.usefixtures("cold", "no_fork_server")
def test_of_what_another_process_has_compiled_the_steps_are_told_all_the_same() -> None:
    mark_unit("coals", TABLE_UNIT)
    assert list(Compilation().steps(compile_unit, "coals", TABLE_UNIT)) == [1, 2, 3]


@pytest.mark.usefixtures("cold")
@pytest.mark.parametrize("works", [True, False])
def test_a_command_compiles_all_units_of_games(
    works: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    work = partial(stand_ins.mark, tmp_path) if works else stand_ins.fail
    monkeypatch.setattr(rules_compiler, "RulesCompiler", partial(RulesCompiler, work=work))
    if works:
        rules_compiler.compile_games(["kitchen"])
        rules_compiler.compile_games(["kitchen"])
        assert capfd.readouterr().out == "compiled the rules of kitchen\n"
        assert RulesCompiler(ALL).can("kitchen", SEARCH_UNIT)
    else:
        with pytest.raises(SystemExit):
            rules_compiler.compile_games(["kitchen"])


@pytest.mark.usefixtures("cold")
def test_what_is_marked_is_ready_at_once_and_told_at_the_start() -> None:
    """Tables may wait for it since the house was closed."""
    assert not RulesCompiler(GAMES).ready("toy")
    for unit in UNITS:
        mark_unit("toy", unit)
    compiler, ready = RulesCompiler(GAMES), list[str]()
    assert compiler.ready("toy")
    with started(compiler, ready.append):
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
    for seat, unit in ((0, BOTS_UNIT), (1, LEARNT_UNIT)):
        assert player.play_due_turn(table) == BOT_COMPILED_LOOK_SECONDS
        assert seat in authority.live(table).pending
        compiled.add(unit)
        assert player.play_due_turn(table) == 0.0
        assert seat not in authority.live(table).pending
    live = authority.live(table)
    with pytest.raises(Preparing):
        decisions.ask_hints(authority, live.id, ANN, 2)
    compiled |= {CHANCES_UNIT}
    assert decisions.ask_hints(authority, live.id, ANN, 2)
    store.close()


@pytest.mark.parametrize(
    ("game", "spec", "seats", "unit"),
    [
        ("underworld", "oberteufel", 4, LEARNT_UNIT),
        ("underworld", "oberteufel", 6, SEARCH_UNIT),
        ("coals", "oberteufel", 2, LEARNT_UNIT),
        ("coals", "oberteufel", 5, LEARNT_UNIT),
        ("tails", "oberteufel", 2, SEARCH_UNIT),
        ("coals", "net", 2, LEARNT_UNIT),
        ("kitchen", "devil", 2, BOTS_UNIT),
    ],
)
def test_a_bot_needs_what_it_plays_by(game: str, spec: str, seats: int, unit: str) -> None:
    assert unit_of(parse_bot(spec).make(ALL[game]), seats) == unit


def test_the_first_process_does_not_let_ctrl_c_through(monkeypatch: pytest.MonkeyPatch) -> None:
    tracker = resource_tracker.ResourceTracker()
    monkeypatch.setattr(resource_tracker, "ensure_running", tracker.ensure_running)
    with ctrl_c_blocked():
        resource_tracker.ensure_running()
        assert signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, [])
    tracker._stop()
