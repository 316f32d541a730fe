"""Warming up: which games are ready, what waits for them, and the child that compiles."""

import json
import threading
from pathlib import Path

import pytest

from diablerie.engine.game import Game
from diablerie.games import ALL
from diablerie.table.authority import Authority
from diablerie.table.bots import compile_rules
from diablerie.table.bots.compile_rules import STEPS, CompileProgress, RulesCompiler
from diablerie.table.bots.waiting_tables import WaitingTables
from diablerie.table.commands import lobby
from diablerie.table.errors import Preparing
from diablerie.table.storage.store import Store
from tests.table.conftest import ANN, GAMES, Clock
from tests.table.toy import HERE


def test_the_tour_has_its_steps(game: Game) -> None:
    assert sum(1 for _ in compile_rules.tour(game)) == STEPS


@pytest.fixture
def cold(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(compile_rules, "compiled_marker", lambda game: tmp_path / f"{game}.ready")
    monkeypatch.setattr(compile_rules.os, "nice", lambda _: 0)  # this process is no child


def run(child: str, monkeypatch: pytest.MonkeyPatch) -> tuple[RulesCompiler, list[str], list[int]]:
    """A warm-up whose child is this program."""
    popen = compile_rules.subprocess.Popen

    def instead(command: list[str], **rest: object) -> object:
        return popen([command[0], "-c", child], **rest)  # type: ignore[call-overload]

    monkeypatch.setattr(compile_rules.subprocess, "Popen", instead)
    ready, steps, done = [], [], threading.Event()
    warming = RulesCompiler({"toy": GAMES["toy"]})

    def when_ready(game: str) -> None:
        ready.append(game)
        done.set()

    warming.start(when_ready, lambda _, progress: steps.append(progress.done))
    assert done.wait(20)
    return warming, ready, steps


LINES = "".join(f"print('{json.dumps({'game': 'toy', 'done': n + 1})}')\n" for n in range(STEPS))


@pytest.mark.usefixtures("cold")
def test_the_child_tells_its_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    warming, ready, steps = run("print('a warning')\n" + LINES, monkeypatch)
    assert (ready, steps) == (["toy"], list(range(1, STEPS + 1)))
    assert warming.progress() == {"toy": CompileProgress(STEPS, STEPS, True)}


@pytest.mark.usefixtures("cold")
def test_a_child_that_fails_keeps_no_game_waiting(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    warming, ready, _ = run("raise SystemExit('no room')", monkeypatch)
    assert ready == ["toy"]
    assert warming.ready("toy")
    assert "no room" in caplog.text


@pytest.mark.usefixtures("cold")
def test_what_somebody_waits_for_is_compiled_next(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[str] = []
    warming, done = RulesCompiler(ALL), threading.Event()

    def lines(name: str) -> list[str]:
        started.append(name)
        if len(started) == 1:
            assert not warming.ready("kitchen")
        return [json.dumps({"game": name, "done": STEPS})]

    def when_ready(game: str) -> None:
        if len(started) == len(ALL):
            done.set()

    monkeypatch.setattr(warming, "_lines", lines)
    warming.start(when_ready)
    assert done.wait(20)
    first, *rest = (name for name in ALL if name != "kitchen")
    assert started == [first, "kitchen", *rest]


@pytest.mark.usefixtures("cold")
def test_the_real_child_compiles_and_leaves_a_mark(capfd: pytest.CaptureFixture[str]) -> None:
    compile_rules.main(["coals"])
    assert told(capfd) == [{"game": "coals", "done": n + 1} for n in range(STEPS)]
    assert RulesCompiler(ALL).ready("coals")


@pytest.mark.usefixtures("cold")
def test_of_what_another_process_has_compiled_the_steps_are_told_all_the_same(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compile_rules, "tour", lambda _: pytest.fail("it is done already"))
    compile_rules.compiled_marker("coals").touch()
    compile_rules.main(["coals"])
    assert told(capfd) == [{"game": "coals", "done": n + 1} for n in range(STEPS)]


def told(capfd: pytest.CaptureFixture[str]) -> list[object]:
    return [json.loads(line) for line in capfd.readouterr().out.splitlines()]


def test_the_child_is_a_process_of_this_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Meanwhile another has compiled the game, so that it has little to do."""
    monkeypatch.setenv("DIABLERIE_CACHE", str(tmp_path))
    warming = RulesCompiler({"coals": ALL["coals"]})
    assert warming.progress() == {"coals": CompileProgress()}
    compile_rules.compiled_marker("coals").touch()
    assert list(warming._compiled("coals")) == [
        CompileProgress(n + 1, STEPS, n + 1 == STEPS) for n in range(STEPS)
    ]


@pytest.mark.usefixtures("cold")
def test_what_is_marked_is_ready_at_once_and_told_at_the_start() -> None:
    """Tables may wait for it since the house was closed."""
    assert not RulesCompiler(GAMES).ready("toy")
    compile_rules.compiled_marker("toy").touch()
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
    store, compiled = Store(tmp_path / "x.db", durable=False), [False]
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
    store, compiled = Store(tmp_path / "x.db", durable=False), [True]
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
