"""The server as a process: it answers, refuses a taken port, and stops cleanly."""

import io
import json
import logging
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import httpx
import pytest

from diablerie.compiling.rules_compiler import RulesCompiler
from diablerie.table.storage.lock import Lock
from diablerie.web.edges import logs
from diablerie.web.process import serve, server_process
from diablerie.web.process.server_process import ServerProcess

SOURCES = Path(serve.__file__).parents[2]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def started(
    port: int, folder: Path, *options: str, python: Sequence[str] = ()
) -> subprocess.Popen[str]:
    """A server with these options, its Python with its own."""
    command = [sys.executable, *python, "-m", "diablerie", "serve"]
    command += ["--port", str(port), "--no-open"]
    command += ["--db", str(folder / "tables.db"), *options]
    return subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(SOURCES), "COLUMNS": "200"},
    )


def answering(port: int, patience: float = 60) -> float:
    """Seconds until the server answers."""
    began = time.monotonic()
    while time.monotonic() - began < patience:
        try:
            httpx.get(f"http://127.0.0.1:{port}/healthz").raise_for_status()
        except httpx.HTTPError:
            time.sleep(0.05)
        else:
            return time.monotonic() - began
    raise AssertionError("no answer")


@pytest.fixture
def server(tmp_path: Path) -> Iterator[tuple[subprocess.Popen[str], int]]:
    port = free_port()
    process = started(port, tmp_path)
    answering(port)
    yield process, port
    process.kill()
    process.communicate()


@pytest.mark.slow
def test_a_table_leaves_nothing_open(tmp_path: Path) -> None:
    """Python tells what its owner did not close: from 3.13 on databases, too."""
    port = free_port()
    process = started(port, tmp_path, "--tempo", "0", python=("-W", "error"))
    try:
        answering(port, 300)
        home = f"http://127.0.0.1:{port}"
        with httpx.Client(
            base_url=home, headers={"accept": "application/json"}, timeout=60
        ) as client:
            table = client.post("/tables", data={"game": "coals", "way": "bots"}).json()["url"]
            some_plies(client, table)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
    finally:
        process.kill()
        process.communicate()
    assert process.returncode == 0
    assert "Warning" not in err
    assert "Exception ignored" not in err


def some_plies(client: httpx.Client, table: str) -> None:
    """Play there until five plies are decided, the devils' among them."""
    until = time.monotonic() + 120
    while (seen := client.get(f"{table}.json").json())["ply"] < 5:
        assert time.monotonic() < until
        if seen["legal"]:
            action = seen["legal"][0]["do"]
            decided = {"seat": seen["viewer"], "ply": seen["ply"], "do": action, "send": 1}
            client.post(f"{table}/decide", data=decided)
        time.sleep(0.05)


@pytest.mark.slow
@pytest.mark.parametrize(
    "wanted", [pytest.param(signal.SIGINT, marks=pytest.mark.ci), signal.SIGTERM]
)
def test_the_server_stops_though_a_stream_is_open(server, wanted: signal.Signals):
    process, port = server
    home = f"http://127.0.0.1:{port}"
    with httpx.Client(base_url=home, headers={"accept": "application/json"}, timeout=60) as client:
        table = client.post("/tables", data={"game": "coals", "way": "bots"}).json()["url"]
        with client.stream("GET", f"{table}/stream") as stream:
            lines = stream.iter_lines()
            assert next(lines)
            process.send_signal(wanted)
            for _ in lines:
                pass
        out, err = process.communicate(timeout=60)
    assert home in out
    assert out.startswith("a new database: ")
    assert "Traceback" not in out + err
    assert process.returncode in (0, -signal.SIGTERM)


LIBRARIES = "import numba, sqlalchemy, starlette, uvicorn"


def processor_time_of_libraries() -> float:
    """What a process takes that only imports what a server cannot do without."""
    before = os.times()
    subprocess.run([sys.executable, "-c", LIBRARIES], check=True)
    after = os.times()
    return sum(after[2:4]) - sum(before[2:4])


@pytest.mark.slow
def test_a_later_start_takes_less_than_three_times_its_libraries(tmp_path: Path):
    """Counted in processor time, which on an idle machine is all there is to wait for.

    The libraries are timed before and after it, since machines differ and others use them, too.
    `make compile` has compiled the rules; compiling would be another process's time anyway.
    """
    libraries = processor_time_of_libraries()
    port = free_port()
    (tmp_path / "later").mkdir()
    process = started(port, tmp_path / "later")
    try:
        answering(port)
        times = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
        libraries += processor_time_of_libraries()
        assert sum(map(int, times[11:13])) / os.sysconf("SC_CLK_TCK") < 3 * libraries / 2
    finally:
        process.kill()
        process.communicate()


def test_a_taken_port_is_one_clear_sentence_and_status_2(tmp_path: Path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        process = started(port, tmp_path)
        out, err = process.communicate(timeout=90)
    assert process.returncode == 2
    assert out == ""
    assert f"port {port}" in err
    assert len(err.splitlines()) == 1
    assert not (tmp_path / "tables.db").exists()


def test_logs_are_json_without_addresses_that_are_secrets(server):
    process, port = server
    home = f"http://127.0.0.1:{port}"
    with httpx.Client(base_url=home, headers={"accept": "application/json"}, timeout=60) as client:
        table = client.post("/tables", data={"game": "coals", "way": "bots"}).json()["url"]
        link = client.post(f"{table}/link", data={"seat": "0"}).json()["link"]
        cookie = client.cookies["diablerie"]
        client.get(link)
        client.post(link)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    lines = [json.loads(line) for line in err.splitlines()]
    assert {"/tables", "/t/{id}/link"} <= {line.get("route") for line in lines}
    for secret in (cookie, link.rpartition("/")[2], table.rpartition("/")[2]):
        assert secret not in err


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """A terminal to log to; the file that is logged to instead."""
    root, ours = logging.getLogger(), logging.getLogger("diablerie")
    before = root.handlers[:], root.level, ours.level
    monkeypatch.setattr(logs, "on_terminal", lambda: True)
    monkeypatch.setattr(logs, "file", lambda: tmp_path / "logs" / "diablerie.log")
    yield logs.file()
    for handler in root.handlers:
        handler.close()
    root.handlers[:], level, our_level = before
    root.setLevel(level)
    ours.setLevel(our_level)


def test_a_terminal_is_left_in_peace(terminal: Path, capsys):
    logs.configure("info")
    logging.getLogger("diablerie.http").info("request")
    assert capsys.readouterr().err == ""
    logging.getLogger("diablerie.web").error("it burns")
    assert json.loads(capsys.readouterr().err)["event"] == "it burns"
    kept = [json.loads(line)["event"] for line in terminal.read_text().splitlines()]
    assert kept == ["request", "it burns"]


def test_who_wants_to_see_it_all_sees_it(terminal: Path, capsys):
    logs.configure("info", verbose=True)
    logging.getLogger("diablerie.http").info("request")
    assert json.loads(capsys.readouterr().err)["event"] == "request"
    assert not terminal.exists()


def test_a_thread_that_fails_is_logged_in_one_line(terminal: Path, capsys):
    logs.configure("info")
    failing = threading.Thread(target=lambda: 1 / 0, name="devil")
    failing.start()
    failing.join()
    leaving = threading.Thread(target=sys.exit)
    leaving.start()
    leaving.join()
    line = json.loads(capsys.readouterr().err)
    assert line["event"] == "the thread devil has ended"
    assert "ZeroDivisionError" in line["trace"]


def test_a_crash_is_logged_with_its_trace():
    try:
        raise RuntimeError("boom")
    except RuntimeError:
        record = logging.LogRecord("d", logging.ERROR, "", 1, "crash %d", (7,), sys.exc_info())
    line = json.loads(logs.JsonLines().format(record))
    assert line["event"] == "crash 7"
    assert "boom" in line["trace"]


def test_the_link_says_where_to_go():
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        assert serve.local_link("0.0.0.0", listening) == f"http://localhost:{port}/"
        assert serve.local_link("127.0.0.1", listening) == f"http://127.0.0.1:{port}/"
        assert serve.local_link("::1", listening) == f"http://[::1]:{port}/"


@pytest.mark.parametrize(
    ("everywhere", "fixed"), [(True, True), (True, False), (False, True), (False, False)]
)
def test_what_the_start_tells_is_there_at_once_for_who_reads_a_pipe(
    everywhere: bool, fixed: bool, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(serve.reach, "network_address", lambda: "192.0.2.7")
    pipe = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(pipe))
    serve.greet("http://localhost:8666/", "secret", everywhere, fixed, open_browser=False)
    first, second = pipe.getvalue().decode().splitlines()
    assert "/secret" in first
    assert "others in your network" in second


def test_a_house_has_its_file_for_itself_until_it_is_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(RulesCompiler, "start", lambda *_: None)
    path = tmp_path / "tables.db"
    with serve.bind("127.0.0.1", 0) as listening:
        house = ServerProcess(listening, "127.0.0.1", str(path))
        house.open()
        with pytest.raises(ValueError, match="another diablerie"):
            Lock(path)
        house.close()
        Lock(path).release()


def test_answers_are_sent_at_once():
    """asyncio turns Nagle's algorithm off only on sockets that are named as TCP."""
    with serve.bind("127.0.0.1", 0) as listening:
        assert listening.proto == socket.IPPROTO_TCP


def test_a_server_loads_what_pictures_need_before_somebody_waits_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    loaded = list[str]()
    monkeypatch.setattr(server_process, "load_pictures", lambda game: loaded.append(game.name))
    with socket.create_server(("127.0.0.1", 0)) as listening:
        house = ServerProcess(listening, "127.0.0.1", str(tmp_path / "tables.db"))
        house.load()
        house.close()
    assert set(loaded) == set(house.authority.games)
