"""Compiling beforehand: in which order, by which processes, and who plays by it from when on."""

import multiprocessing
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from multiprocessing import forkserver, resource_tracker
from pathlib import Path
from typing import Any

import pytest

from diablerie.bots.spec import parse_bot
from diablerie.compiling import LOWEST_PRIORITY, forks, rules_compiler
from diablerie.compiling.forks import Compilation
from diablerie.compiling.rules_compiler import Job, RulesCompiler
from diablerie.compiling.units import (
    BOTS_UNIT,
    CHANCES_UNIT,
    LEARNT_UNIT,
    SEARCH_UNIT,
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
from diablerie.games import ALL
from diablerie.runtime.child_processes import ctrl_c_blocked
from diablerie.table.authority import Authority
from diablerie.table.bots.driver import BotPlayer, stands_in
from diablerie.table.commands import decisions, lobby
from tests.compiling import stand_ins
from tests.stores import new_store
from tests.table.conftest import ANN, GAMES, Clock
from tests.table.test_driver import wait


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


@pytest.fixture
def one_core(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rules_compiler.os, "cpu_count", lambda: 1)


@pytest.fixture
def no_fork_server() -> Iterator[None]:
    """Whoever has started one."""
    forkserver._forkserver._stop()  # type: ignore[attr-defined]
    yield
    forkserver._forkserver._stop()  # type: ignore[attr-defined]


def test_a_fork_server_that_others_have_started_is_left_to_them(no_fork_server: None) -> None:
    forks.dismiss()
    forkserver.ensure_running()
    forks.dismiss()
    server = forkserver._forkserver  # type: ignore[attr-defined]
    assert server._forkserver_pid is not None


@contextmanager
def started(compiler: RulesCompiler, *told: Any) -> Iterator[None]:
    """Started with these arguments, and stopped afterwards."""
    compiler.start(*told)
    try:
        yield
    finally:
        compiler.stop()


def run(work: forks.Work) -> tuple[RulesCompiler, set[str]]:
    """A compiler whose processes do this with each unit, when all is done."""
    told: list[str] = []
    compiler = RulesCompiler({"toy": GAMES["toy"]}, work=work, takes_over=False)
    with started(compiler, told.append):
        wait(lambda: not compiler._left())
        wait(lambda: forkserver._forkserver._forkserver_pid is None)  # type: ignore[attr-defined]
    return compiler, set(told)


@pytest.mark.usefixtures("cold")
def test_the_processes_compile_all_units_and_none_is_left() -> None:
    compiler, told = run(stand_ins.tell)
    assert told == {"toy"}
    assert compiler.compiled() == {"toy": True}
    assert not compiler.failed


@pytest.mark.usefixtures("cold", "no_fork_server")
def test_whoever_compiles_or_prepares_it_has_the_lowest_priority(tmp_path: Path) -> None:
    log = tmp_path / "log"
    run(partial(stand_ins.weigh, log))
    assert set(log.read_text().split()) == {str(LOWEST_PRIORITY)}


@pytest.mark.usefixtures("cold")
def test_a_unit_that_fails_leaves_its_game_interpreted(
    caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    compiler, _ = run(stand_ins.fail)
    assert compiler.compiled() == {"toy": False}
    assert compiler.failed
    assert "the rules of toy could not be compiled" in caplog.text
    assert "no room for moves" in capfd.readouterr().err


@pytest.mark.usefixtures("cold", "no_fork_server")
def test_processes_that_cannot_start_leave_games_interpreted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    resource_tracker.ensure_running()  # else it would be what cannot start
    monkeypatch.setattr(multiprocessing.spawn, "_python_exe", b"/bin/false")
    assert run(stand_ins.tell)[0].failed


@pytest.mark.usefixtures("cold", "one_core")
def test_what_play_needs_comes_first_game_by_game(monkeypatch: pytest.MonkeyPatch) -> None:
    order: list[Job] = []

    def steps(_: forks.Compilation, work: forks.Work, game: str, unit: str) -> list[int]:
        order.append(Job(game, unit))
        return [UNITS[unit].steps]

    monkeypatch.setattr(forks.Compilation, "steps", steps)
    compiler = RulesCompiler(ALL, takes_over=False)
    assert not compiler.can("coals", SEARCH_UNIT), "no level asks for it, but this bot does"
    with started(compiler):
        wait(lambda: not compiler._left(), 60)
    play = [Job(game, unit) for game in ALL for unit in needed(BOTS_UNIT)]
    assert order[: len(play)] == play
    assert order[-1] == Job("coals", SEARCH_UNIT)
    assert len(order) == len(set(order))


KILLED = """
import sys, time
from functools import partial
from pathlib import Path
from diablerie.compiling.rules_compiler import RulesCompiler
from tests.compiling import stand_ins
RulesCompiler(work=partial(stand_ins.stick, Path(sys.argv[1])), takes_over=False).start()
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
def test_a_unit_that_is_compiled_leaves_its_mark() -> None:
    assert list(compile_unit("coals", "choices")) == [1, 2]
    assert is_compiled("coals", "choices")
    assert not RulesCompiler(ALL, takes_over=False).can("coals", BOTS_UNIT)
    for unit in UNITS:
        list(compile_unit("coals", unit))
    assert RulesCompiler(ALL, takes_over=False).can("coals", CHANCES_UNIT)


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
        assert RulesCompiler(ALL, takes_over=False).can("kitchen", SEARCH_UNIT)
    else:
        with pytest.raises(SystemExit):
            rules_compiler.compile_games(["kitchen"])


def test_strong_bots_and_hints_play_as_archdevils_until_what_they_need_is_compiled(
    tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    compiled: set[str] = set()
    store = new_store(tmp_path / "x.db")
    authority = Authority(store, clock=clock, can=lambda _, unit: unit in compiled)
    table = lobby.open_table(authority, ANN, "coals", ["oberteufel", "devil", "me"], hints=True).id
    player = BotPlayer(authority)
    asked: list[str] = []
    monkeypatch.setattr(player, "_choice", lambda *args: asked.append(type(args[-1]).__name__))
    assert stands_in(authority, authority.live(table))
    player.play_due_turn(table)
    assert asked[0] == "FallibleBot"
    assert decisions.ask_hints(authority, table, ANN, 2)
    compiled |= {LEARNT_UNIT, CHANCES_UNIT}
    assert not stands_in(authority, authority.live(table))
    asked.clear()
    player.play_due_turn(table)
    assert asked[0] == "StrongestBot"
    assert decisions.ask_hints(authority, table, ANN, 2)
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
