"""A child process that has imported everything, and compiles each unit in a fork of itself.

To import Numba and the games takes longer than to compile most units, so it is done once, and
while the server starts. The child gets the name of a unit and a pipe through a socket; its fork
tells through that pipe its `pid`, in JSON, and then what the compiler prints.
"""

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO

from diablerie.engine.sources import PACKAGE, cache_folder

PROGRAM = ("-m", "diablerie.table.bots.compile_rules", "-")
EVERY_GAME = "all"
LONGEST = 1024  # bytes of a unit's name, at most


def compiled_marker(game: str) -> Path:
    """The file that says that all units of this version of a game, or of EVERY_GAME, are in the cache."""
    return cache_folder() / f"{game}.ready"


class Compilation:
    """One unit being compiled. Another thread may `interrupt` it."""

    def __init__(self) -> None:
        self.interrupted = False
        self._lock = threading.Lock()
        self._pid: int | None = None

    def lines(self, process: "CompileProcess", unit: str) -> Iterator[str]:
        """Compile it in a fork, and yield what that tells until it ends."""
        stream = process.begin(unit)
        if stream is None:
            return
        with stream:
            for line in stream:
                if pid := _pid(line):
                    self._begun(pid)
                else:
                    yield line
        self._begun(None)

    def interrupt(self) -> None:
        """End it; `lines` ends, too. The functions compiled by then are in the cache."""
        with self._lock:
            self.interrupted = True
            self._kill()

    def _begun(self, pid: int | None) -> None:
        with self._lock:
            self._pid = pid
            if self.interrupted:
                self._kill()

    def _kill(self) -> None:
        if self._pid:
            with suppress(ProcessLookupError):
                os.kill(self._pid, signal.SIGKILL)


def _pid(line: str) -> int | None:
    """The process that a line names; None if it tells something else."""
    with suppress(ValueError):
        told = json.loads(line)
        if isinstance(told, dict):
            return told.get("pid")
    return None


class CompileProcess:
    """The child, started when it is needed. All threads may use it."""

    def __init__(self, program: Sequence[str] = PROGRAM) -> None:
        """program: the arguments of Python that run `serve`."""
        self._program, self._lock = program, threading.Lock()
        self._child: subprocess.Popen[bytes] | None = None
        self._socket: socket.socket | None = None
        self._closed = False

    def prepare(self) -> None:
        """Start the child, unless everything is compiled."""
        with self._lock:
            if not compiled_marker(EVERY_GAME).exists():
                self._start()

    def begin(self, unit: str) -> IO[str] | None:
        """What the fork will tell that compiles this unit; None after `close`."""
        with self._lock:
            if self._closed:
                return None
            self._start()
            assert self._socket is not None
            told, telling = os.pipe()
            try:
                with suppress(BrokenPipeError):
                    socket.send_fds(self._socket, [unit.encode()], [telling])
            finally:
                os.close(telling)
        return os.fdopen(told, errors="replace")

    def close(self) -> None:
        """End the child and its forks, for good."""
        with self._lock:
            self._closed = True
            if self._child:
                if self._child.poll() is None:
                    os.killpg(self._child.pid, signal.SIGKILL)
                self._child.wait()
            if self._socket:
                self._socket.close()

    def _start(self) -> None:
        """Start the child if there is none, or the last one has ended."""
        if self._closed or (self._child and self._child.poll() is None):
            return
        if self._socket:
            self._socket.close()
        self._socket, child_socket = socket.socketpair()
        paths = [str(PACKAGE.parent), *filter(None, [os.environ.get("PYTHONPATH")])]
        with child_socket:
            # In a session of its own, for Ctrl-C is the server's to handle.
            self._child = subprocess.Popen(
                [sys.executable, *self._program],
                stdin=child_socket.fileno(),
                stdout=subprocess.DEVNULL,
                env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
                start_new_session=True,
            )


def serve(compile_unit: Callable[[str], None]) -> None:
    """The child: compile the units that come in through the socket on standard input."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for the forks
    with socket.socket(fileno=os.dup(0)) as units:
        while True:
            unit, pipes, *_ = socket.recv_fds(units, LONGEST, 1)
            if not pipes:  # the server has ended
                return
            if not os.fork():
                units.close()
                _compile_and_exit(unit.decode(), pipes[0], compile_unit)
            os.close(pipes[0])


def _compile_and_exit(unit: str, pipe: int, compile_unit: Callable[[str], None]) -> None:
    """The fork. It never returns to what the child would do next."""
    status = 1
    try:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        os.dup2(pipe, 1)
        os.dup2(pipe, 2)
        os.close(pipe)
        print(json.dumps({"pid": os.getpid()}), flush=True)
        compile_unit(unit)
        status = 0
    except BaseException:
        traceback.print_exc()
    finally:
        with suppress(OSError):
            sys.stdout.flush()
        os._exit(status)
