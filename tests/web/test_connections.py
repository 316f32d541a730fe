"""How many connections one client may have, and how many files the server may open."""

import asyncio
import logging
import resource
import socket
import subprocess
import sys
import threading
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from uvicorn.server import ServerState

from diablerie.table.presence.rate_limits import RATES, Limits, Rate
from diablerie.web.edges import logs
from diablerie.web.process import serve, sockets
from diablerie.web.process.server_process import Server, ServerProcess
from diablerie.web.process.sockets import (
    IN_A_ROW,
    Connections,
    LimitedProtocol,
    LimitedSocket,
    listening_socket,
)
from tests.simulated_clock import SimulatedClock

GET = b"GET / HTTP/1.1\r\nhost: x\r\n\r\n"


def answered(counted: Connections, tries: int) -> list[bool]:
    """Which of several connections, held open together, get an answer."""

    async def app(scope: Any, receive: Any, send: Any) -> None:
        headers = [(b"content-length", b"2")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": b"ok"})

    async def run() -> list[bool]:
        config = uvicorn.Config(app, lifespan="off", log_config=None)
        config.load()
        state, loop, found, held = ServerState(), asyncio.get_running_loop(), [], []

        def made() -> LimitedProtocol:
            own = {"connections": counted}
            return LimitedProtocol(config=config, server_state=state, app_state=own)

        with listening_socket("127.0.0.1", 0) as bound:
            listening = LimitedSocket.over(bound, counted)
        async with await loop.create_server(made, sock=listening, backlog=IN_A_ROW):
            for _ in range(tries):
                with suppress(ConnectionResetError):
                    reader, writer = await asyncio.open_connection(*listening.getsockname())
                    held.append(writer)
                    writer.write(GET)
                    found.append(b"200 OK" in await asyncio.wait_for(reader.read(1000), 30))
                    continue
                found.append(False)
            for writer in held:
                writer.close()
            while state.connections:
                await asyncio.sleep(0.01)
        return found

    return asyncio.run(run())


def test_one_client_has_so_many_connections_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sockets, "MOST_CONNECTIONS_OF_CLIENT", 3)
    counted = Connections(Limits(SimulatedClock()), ())
    assert answered(counted, 5) == [True] * 3 + [False] * 2
    assert answered(counted, 3) == [True] * 3, "those that were closed count no more"


def test_new_connections_of_one_client_are_limited_in_time() -> None:
    limits = Limits(SimulatedClock(), {**RATES, "connections": Rate(2, 1.0)})
    assert answered(Connections(limits, ()), 4) == [True, True, False, False]


def test_what_is_refused_is_closed_before_anything_is_made_for_it() -> None:
    limits = Limits(SimulatedClock(), {**RATES, "connections": Rate(2, 1.0)})
    count = sockets.REFUSED_IN_A_ROW
    with listening_socket("127.0.0.1", 0) as bound, ExitStack() as held:
        listening = held.enter_context(LimitedSocket.over(bound, Connections(limits, ())))
        listening.setblocking(False)
        address = listening.getsockname()
        for _ in range(count + 3):
            held.enter_context(socket.create_connection(address))
        accepted = [held.enter_context(listening.accept()[0]) for _ in range(2)]
        assert [one.getpeername()[0] for one in accepted] == ["127.0.0.1"] * 2
        with pytest.raises(BlockingIOError):
            listening.accept()
        bound.setblocking(False)
        assert bound.accept()[0].close() is None, "after so many others get their turn"
        with pytest.raises(BlockingIOError):
            bound.accept()


def test_a_refused_connection_is_closed_after_a_pause_and_many_are_not_held(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sockets, "MOST_CONNECTIONS_HELD", 2)
    later: list[Any] = []
    limits = Limits(SimulatedClock(), {**RATES, "connections": Rate(1, 1.0)})
    counted = Connections(limits, (), lambda *call: later.append(call))
    with listening_socket("127.0.0.1", 0) as bound, ExitStack() as held:
        listening = held.enter_context(LimitedSocket.over(bound, counted))
        listening.setblocking(False)
        tries = [
            held.enter_context(socket.create_connection(listening.getsockname())) for _ in range(4)
        ]
        held.enter_context(listening.accept()[0])
        with pytest.raises(BlockingIOError):
            listening.accept()
        with pytest.raises(ConnectionResetError):
            tries[3].recv(1)
        for one in tries[1:3]:
            one.setblocking(False)
            with pytest.raises(BlockingIOError):
                one.recv(1)
            one.setblocking(True)
        assert [seconds for seconds, *_ in later] == [sockets.REFUSED_CLOSE_SECONDS] * 2
        for _, close, *arguments in later:
            close(*arguments)
        for one in tries[1:3]:
            with pytest.raises(ConnectionResetError):
                one.recv(1)


def test_a_running_server_limits_connections(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where another event loop is installed (uvloop), which would not ask the socket."""
    monkeypatch.setattr(sockets, "REFUSED_CLOSE_SECONDS", 0.0)
    listening = serve.bind("127.0.0.1", 0)
    house = ServerProcess(listening, "127.0.0.1", str(tmp_path / "tables.db"))
    house.authority.limits = Limits(SimulatedClock(), {**RATES, "connections": Rate(2, 1.0)})
    ready, found = threading.Event(), list[bool]()
    server = Server(house, ready.set)
    thread = threading.Thread(target=server.run, args=([listening],))
    thread.start()
    try:
        assert ready.wait(60)
        for _ in range(3):
            with socket.create_connection(listening.getsockname()) as one:
                try:
                    one.sendall(GET.replace(b"x", b"localhost"))
                    found.append(one.recv(100).startswith(b"HTTP/1.1 200"))
                except (ConnectionResetError, BrokenPipeError):
                    found.append(False)
    finally:
        server.should_exit = True
        thread.join(30)
    assert found == [True, True, False]


def test_the_declared_proxy_has_no_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sockets, "MOST_CONNECTIONS_OF_CLIENT", 1)
    assert answered(Connections(Limits(SimulatedClock()), ["127.0.0.1"]), 3) == [True] * 3


def test_connections_are_counted_by_the_first_half_of_ipv6(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sockets, "MOST_CONNECTIONS_OF_CLIENT", 2)
    counted = Connections(Limits(SimulatedClock()), ())
    found = [counted.open(f"2001:db8:1:2::{n}") for n in range(3)]
    assert (found[0], found[2]) == ("2001:db8:1:2::/64", None)
    assert counted.open("2001:db8:1:3::1") is not None
    counted.close("2001:db8:1:2::/64")
    assert counted.open("2001:db8:1:2::9") is not None
    assert counted.open("::ffff:10.1.1.1") == "10.1.1.1", "a mapped address is the IPv4 one"


def raised(soft: int, hard: int, wanted: int) -> tuple[str, str]:
    """What a process with these limits of open files has after raising it, and what it logs."""
    code = (
        "import resource as r; from diablerie.web.process import sockets as o;"
        f"r.setrlimit(r.RLIMIT_NOFILE, ({soft}, {hard}));"
        f"print(o.raise_limit({wanted}), *r.getrlimit(r.RLIMIT_NOFILE))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.strip(), done.stderr.strip()


def test_the_limit_of_open_files_is_raised_or_told() -> None:
    assert resource.getrlimit(resource.RLIMIT_NOFILE)[1] >= 900
    assert raised(200, 900, 800) == ("800 800 900", "")
    assert raised(850, 900, 800) == ("850 850 900", "")
    limit, told = raised(200, 900, 1000)
    assert limit == "900 900 900"
    assert told == "only 900 files may be open at once, 1000 are wanted: see ulimit -n"


def test_a_connection_that_cannot_be_accepted_is_logged_once_a_minute() -> None:
    now, told = [0.0], []
    seldom = logs.Seldom(lambda: now[0])

    class Kept(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            told.append(logs.JsonLines().format(record))

    logger = logging.Logger("asyncio")
    logger.addFilter(seldom)
    logger.addHandler(Kept())
    for second in range(121):
        now[0] = float(second)
        for n in range(10):
            error = OSError(24, "Too many open files")
            text = f"socket.accept() out of system resource\nsocket: fd={n}"
            logger.error(text, exc_info=(OSError, error, None))
    assert len(told) == 3
    assert "Too many open files" in told[0]
    assert "trace" not in told[0]
