"""Firefox, driven by Marionette, its own protocol: JSON over a socket, each message with its length."""

import json
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

PROGRAMS = ("firefox-esr", "firefox")
PORT = 'user_pref("marionette.port", {});\n'
PATIENCE = 180_000  # milliseconds that a script may take


def installed() -> str | None:
    """The program, if there is one."""
    return next(filter(None, map(shutil.which, PROGRAMS)), None)


class Firefox:
    """A window of Firefox."""

    def __init__(self, port: int) -> None:
        for _ in range(600):
            with suppress(ConnectionRefusedError):
                self._socket = socket.create_connection(("127.0.0.1", port))
                break
            time.sleep(0.1)
        self._reader = self._socket.makefile("rb")
        self._read()  # who speaks
        self.do("WebDriver:NewSession")
        self.do("WebDriver:SetTimeouts", script=PATIENCE, pageLoad=PATIENCE)

    def do(self, command: str, **parameters: Any) -> Any:
        """A command of WebDriver; its value. Raises RuntimeError."""
        sent = json.dumps([0, 1, command, parameters]).encode()
        self._socket.sendall(b"%d:%s" % (len(sent), sent))
        _, _, error, value = self._read()
        if error:
            raise RuntimeError(f"{error['error']}: {error['message']}")
        return value

    def open(self, address: str) -> None:
        """Visit a page anew. WebDriver's own command to refresh asks no service worker."""
        for one in ("about:blank", address):
            self.do("WebDriver:Navigate", url=one)

    def _read(self) -> Any:
        length = b""
        while (digit := self._reader.read(1)) != b":":
            length += digit
        return json.loads(self._reader.read(int(length)))

    def close(self) -> None:
        self._reader.close()
        self._socket.close()

    def run(self, script: str, *given: Any) -> Any:
        """What an asynchronous function's body returns, run in the page."""
        body = f"const done = arguments[arguments.length - 1]; (async (...given) => {{ {script} }})"
        end = "(...arguments).then((value) => done({ value }), (error) => done({ error: String(error) }))"
        told = self.do("WebDriver:ExecuteAsyncScript", script=body + end, args=given, sandbox=None)
        assert "error" not in told["value"], told["value"]
        return told["value"].get("value")


@contextmanager
def firefox(program: str, work: Path) -> Iterator[Firefox]:
    """A new Firefox, with a profile of its own in an empty folder."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    (work / "user.js").write_text(PORT.format(port))
    command = [program, "--headless", "--marionette", "--no-remote", "--profile", str(work)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            with closing(Firefox(port)) as window:
                yield window
        finally:
            process.kill()
