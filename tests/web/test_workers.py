"""Several processes under one command: started, started anew, ended; and what is refused."""

import json
import logging
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar

import httpx
import pytest
import sqlalchemy as sa

from diablerie import cli
from diablerie.runtime.clock import Clock
from diablerie.table.storage.store import Store
from diablerie.web.process import workers
from diablerie.web.process.workers import (
    LONGEST_RESTART_SECONDS,
    QUICK_END_SECONDS,
    RESTART_SECONDS,
    Child,
    Plan,
    run_child,
)
from tests.postgres import OWNER
from tests.web.client import until
from tests.web.test_serve import SOURCES, answering, free_port

PATIENCE = 90.0


# -- what is refused -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["serve", "--workers", "2"], "a SQLite file has one process"),
        (["serve", "--bots", "1"], "a SQLite file has one process"),
        (["bots"], "with a SQLite file they play in `diablerie serve`"),
        (["serve", "--db", "postgresql://u:geheim@127.0.0.1:1/x"], "Connection refused"),
        (["bots", "--db", "postgresql://u:geheim@127.0.0.1:1/x"], "Connection refused"),
        (["doctor", "--db", "postgresql://u:geheim@127.0.0.1:1/x"], "Connection refused"),
        (["serve", "--db", "mysql://u:geheim@localhost/x"], "only SQLite and PostgreSQL"),
        (["serve", "--db", "sqlite://"], "a database in memory"),
        (["serve", "--db", "sqlite:///"], "a database in memory"),
        (["serve", "--db", ":memory:"], "a database in memory"),
        (["serve", "--db", "sqlite:///file::memory:?uri=true"], "a database in memory"),
        (["serve", "--db", "sqlite:///file:x?mode=memory&uri=true"], "a database in memory"),
    ],
)
def test_what_cannot_be_is_one_line_and_status_2(
    words: list[str],
    told: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    more = [] if "--db" in words else ["--db", str(tmp_path / "tables.db")]
    port = ["--port", "0", "--no-open"] if words[0] == "serve" else []
    monkeypatch.setattr(sys, "argv", ["diablerie", *words, *more, *port])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert ended.value.code == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert told in line
    assert "geheim" not in line
    assert not list(tmp_path.iterdir()), "nothing was made"


# -- a process that is looked after ----------------------------------------------------------------


class Process:
    """Dies when it is told to."""

    exitcode = -9

    def __init__(self, started: list["Process"], **_: object) -> None:
        self.alive, self.sentinel = False, 0
        self.waited: list[float | None] = []
        started.append(self)

    def start(self) -> None:
        self.alive = True

    def is_alive(self) -> bool:
        return self.alive

    def close(self) -> None:
        assert not self.alive

    def join(self, patience: float | None = None) -> None:
        self.waited.append(patience)

    def kill(self) -> None:
        self.alive = False


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[Process]:
    made: list[Process] = []
    context = SimpleNamespace(
        Process=lambda **words: Process(made, **words), Pipe=workers.SPAWN.Pipe
    )
    monkeypatch.setattr(workers, "SPAWN", context)
    return made


def test_who_has_died_at_once_runs_only_when_it_has_lived_a_while(started: list[Process]) -> None:
    now = [1000.0]
    child = Child("web-1", print, clock=Clock(monotonic=lambda: now[0]))
    assert not child.steady
    child.keep_running()
    assert child.steady
    started[0].alive = False
    assert not child.steady
    child.keep_running()
    now[0] += LONGEST_RESTART_SECONDS
    child.keep_running()
    assert started[1].alive
    assert not child.steady, "it has died at once before"
    now[0] += QUICK_END_SECONDS
    assert child.steady


def test_what_ends_a_process_is_a_line_of_json_in_the_log(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(_: Plan) -> None:
        raise OSError("too many clients already")

    monkeypatch.setattr(workers, "end_with_parent", lambda _: None)
    root = logging.getLogger()
    monkeypatch.setattr(root, "handlers", root.handlers[:])
    with pytest.raises(SystemExit):
        run_child(workers.SPAWN.Pipe()[0], fail, Plan("", "", None, "info", False))
    (line,) = capsys.readouterr().err.splitlines()
    assert "too many clients" in json.loads(line)["trace"]


def test_who_dies_is_started_anew_and_after_growing_pauses_if_it_dies_at_once(
    started: list[Process],
) -> None:
    now = [1000.0]
    child = Child("web-1", print, clock=Clock(monotonic=lambda: now[0]))
    child.keep_running()
    child.keep_running()
    assert len(started) == 1
    now[0] += QUICK_END_SECONDS
    started[-1].alive = False
    child.keep_running()
    assert len(started) == 2, "it had lived long enough: at once"
    for n in range(12):
        started[-1].alive = False
        child.keep_running()
        pause = min(LONGEST_RESTART_SECONDS, RESTART_SECONDS * 2**n)
        now[0] += pause - 0.01
        child.keep_running()
        assert len(started) == 2 + n
        now[0] += 0.02
        child.keep_running()
        assert len(started) == 3 + n


def test_who_does_not_end_in_time_is_killed(started: list[Process]) -> None:
    child = Child("web-1", print)
    child.join(2.0)
    assert not started, "it never ran: nothing is waited for"
    child.keep_running()
    child.join(2.0)
    assert started[0].waited == [2.0, None]
    assert not started[0].alive


class Staff(Child):
    """What `run` has for children, and how it treats them."""

    made: ClassVar[list["Staff"]] = []

    def __init__(self, name: str, work: Callable[..., None], *words: Any, clock: Clock) -> None:
        super().__init__(name, work, *words, clock=clock)
        self.told: list[Any] = [name, work.__name__, *words[1:]]
        self.made.append(self)

    def keep_running(self) -> None:
        self.told.append("looked at")

    def terminate(self) -> None:
        self.told.append("told to end")

    def join(self, patience: float) -> None:
        self.told.append(patience)


def test_so_many_are_looked_after_and_have_one_time_to_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each in its turn gets what is left of it, the last ones a moment."""
    monkeypatch.setattr(Staff, "made", [])
    monkeypatch.setattr(workers, "Child", Staff)
    monkeypatch.setattr(workers, "gather_metrics", lambda *_: None)
    stop = threading.Event()
    monkeypatch.setattr(stop, "wait", lambda _: stop.set())
    monkeypatch.setattr(workers, "stopping", lambda: stop)
    now = iter((0.0, 100.0, 101.0, 105.0, 150.0))  # the first when the clock is made
    clock = Clock(monotonic=lambda: next(now))
    plan = workers.Plan("127.0.0.1", str(tmp_path / "tables.db"), None, "info", False)
    with socket.socket() as listening:
        workers.supervise(listening, plan, 2, 1, lambda: None, clock)
        answers, running = Staff.made[0].told[3:5]
        web = ("run_web_process", listening, answers, running, 3)
        assert [child.told for child in Staff.made] == [
            ["web-1", *web, "looked at", "told to end", 7.0],
            ["web-2", *web, "looked at", "told to end", 3.0],
            ["bots-1", "run_bots_process", workers.BOT_THREADS, "looked at", "told to end", 0.1],
        ]
        assert listening.fileno() == -1, "it is closed in the end"


def test_who_lets_bots_play_has_so_many_threads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Enough(Exception):
        pass

    def node(store: Store, **words: object) -> None:
        assert words == {"tempo": 0.5, "threads": 3}
        raise Enough

    monkeypatch.setattr("diablerie.table.cluster.cluster_node.ClusterNode", node)
    monkeypatch.setattr(workers, "stopping", threading.Event)
    plan = workers.Plan("127.0.0.1", str(tmp_path / "tables.db"), 0.5, "info", False)
    with pytest.raises(Enough):
        workers.run_bots_process(plan, 3)


# -- all of it -------------------------------------------------------------------------------------


def children(pid: int) -> list[int]:
    """The processes that run our code under the one that looks after them."""
    told = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    commands = {int(one): Path(f"/proc/{one}/cmdline").read_bytes() for one in told}
    return [one for one, command in commands.items() if b"spawn_main" in command]


def gone(pid: int) -> bool:
    return not Path(f"/proc/{pid}").exists()


def test_a_child_is_killed_with_its_parent_and_frees_the_port(
    request: pytest.FixtureRequest,
) -> None:
    parent = subprocess.Popen(
        [sys.executable, "-m", "tests.web.stubborn"],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": f"{SOURCES}{os.pathsep}{SOURCES.parent}"},
    )
    request.addfinalizer(parent.kill)
    assert parent.stdout
    port, pid = map(int, parent.stdout.readline().split())
    assert parent.stdout.readline() == "listening\n"
    parent.kill()
    parent.wait()
    try:
        until(lambda: gone(pid))
    finally:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    with socket.socket() as again:
        again.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        again.bind(("127.0.0.1", port))
    parent.stdout.close()


@pytest.mark.slow
@pytest.mark.nightly
@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGKILL])
def test_they_answer_are_counted_together_and_end_together(
    served: str, ending: signal.Signals, request: pytest.FixtureRequest
) -> None:
    port, figures = free_port(), free_port()
    words = ["serve", "--db", served, "--workers", "2", "--port", str(port), "--no-open"]
    house = subprocess.Popen(
        [sys.executable, "-m", "diablerie", *words],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": str(SOURCES), "DIABLERIE_METRICS": str(figures)},
    )
    request.addfinalizer(house.kill)  # also where the test fails before its end
    answering(port, PATIENCE)
    until(lambda: len(children(house.pid)) == 3)
    first = children(house.pid)
    os.kill(first[0], signal.SIGKILL)
    until(lambda: len(set(children(house.pid)) - set(first)) == 1)
    for _ in range(20):
        assert httpx.get(f"http://127.0.0.1:{port}/rules/coals", timeout=60).status_code == 200
    told = httpx.get(f"http://127.0.0.1:{figures}/metrics", timeout=60).text
    counts = [line for line in told.splitlines() if "_count" in line and "/rules/{game}" in line]
    assert [float(line.split()[-1]) for line in counts] == [20.0], "of both processes together"
    assert "diablerie_healthy 1.0" in told
    last = children(house.pid)
    house.send_signal(ending)
    house.wait(PATIENCE)
    until(lambda: all(gone(pid) for pid in last))
    with socket.socket() as again:
        again.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        again.bind(("127.0.0.1", port))


@pytest.mark.slow
@pytest.mark.nightly
def test_where_connections_are_used_up_the_log_stays_lines_of_json(
    served: str, request: pytest.FixtureRequest
) -> None:
    few = as_one_who_has_few(served, 2)
    port = free_port()
    words = ["serve", "--db", few, "--workers", "2", "--port", str(port), "--no-open"]
    house = subprocess.Popen(
        [sys.executable, "-m", "diablerie", *words],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(SOURCES)},
    )
    request.addfinalizer(house.kill)
    assert house.stderr
    ended, lines = 0, list[str]()
    with house.stderr as log:
        while ended < 3:
            line = log.readline()
            assert line, lines
            lines.append(line)
            ended += "it is started anew" in json.loads(line)["event"]
        house.send_signal(signal.SIGTERM)
        rest = log.read().splitlines()
    assert all(json.loads(line)["event"] for line in rest)
    assert house.wait(PATIENCE) == 0


def as_one_who_has_few(served: str, connections: int) -> str:
    """The address for somebody who may have so many connections at once."""
    engine = sa.create_engine(served, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.exec_driver_sql(f"CREATE ROLE few LOGIN CONNECTION LIMIT {connections}")
        connection.exec_driver_sql(f"GRANT {OWNER} TO few")
    engine.dispose()
    return served.replace(f"//{OWNER}@", "//few@")
