"""A PostgreSQL of the tests’ own: in a folder of its own, reached by a socket in it, gone after.

Its programs come from the system's package. Where they are missing tests are skipped, and say so;
with CI=true that is a failure. initdb refuses to run as root, so root runs it as somebody else.
"""

import contextlib
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

import pytest
import sqlalchemy as sa

from diablerie.table.storage import migrations, schema

DEBIAN = Path("/usr/lib/postgresql")
USERS = ("postgres", "nobody")  # whom root lends it to
OWNER = "devil"
PATIENCE = 60.0
KILLED = ("fsync=off",)  # what a killed process has written the machine still knows
HASTY = (*KILLED, "full_page_writes=off", "synchronous_commit=off")
MODEST = ("listen_addresses=", "max_connections=200", "shared_buffers=32MB", "jit=off")


def programs() -> Path | None:
    """The folder of initdb and postgres: on the path, or where Debian keeps them."""
    found = shutil.which("postgres")
    if found and Path(found).with_name("initdb").exists():
        return Path(found).resolve().parent
    places = DEBIAN.glob("*/bin")
    newest = sorted(places, key=lambda p: int(p.parent.name) if p.parent.name.isdigit() else 0)
    return next((p for p in reversed(newest) if (p / "initdb").exists()), None)


def program(name: str) -> str:
    """Where a program of PostgreSQL is, one for its clients, too."""
    beside = (programs() or Path()) / name
    found = str(beside) if beside.exists() else shutil.which(name)
    assert found, f"{name} is not installed"
    return found


class Server:
    """One server, started and stopped; with `hasty` it may lose what it has said is written."""

    def __init__(self, hasty: bool = True) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="diablerie-pg-"))
        self.hasty = hasty
        self._as = _unprivileged()
        if self._as:
            os.chown(self.folder, pwd.getpwnam(self._as["user"]).pw_uid, -1)
        self._run("initdb", "-U", OWNER, "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def data(self) -> str:
        return str(self.folder / "data")

    def url(self, name: str = "postgres") -> str:
        return f"postgresql+psycopg://{OWNER}@/{name}?host={self.folder}"

    def start(self) -> None:
        """Start, and wait until it answers."""
        self._run("pg_ctl", "start", "-w", "-s", "-t", "60", "-l", str(self.folder / "log"), "-o",
                  " ".join(f"-c {setting}" for setting in self._settings()))  # fmt: skip

    def stop(self) -> None:
        """Stop at once, as a machine does that is switched off."""
        with contextlib.suppress(subprocess.CalledProcessError):
            self._run("pg_ctl", "stop", "-s", "-w", "-m", "immediate")

    def kill(self) -> None:
        """Kill all its processes, the first one first."""
        first = int((self.folder / "data" / "postmaster.pid").read_text().split()[0])
        others = Path(f"/proc/{first}/task/{first}/children").read_text().split()
        for number in (first, *map(int, others)):
            with contextlib.suppress(ProcessLookupError):
                os.kill(number, signal.SIGKILL)

    def revive(self) -> None:
        """Start it again after it was killed, as soon as its other processes have ended."""
        until = time.monotonic() + PATIENCE
        while True:
            try:
                self.start()
            except subprocess.CalledProcessError:
                assert time.monotonic() < until
                time.sleep(0.1)
            else:
                return

    def remove(self) -> None:
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def create(self, name: str, encoding: str = "UTF8") -> str:
        """A database of this name, without tables; its address."""
        engine = sa.create_engine(self.url(), isolation_level="AUTOCOMMIT")
        with engine.connect() as connection:
            connection.exec_driver_sql(
                f"CREATE DATABASE \"{name}\" ENCODING '{encoding}' TEMPLATE template0"
            )
        engine.dispose()
        return self.url(name)

    def _settings(self) -> list[str]:
        return [
            f"unix_socket_directories={self.folder}",
            *MODEST,
            *(HASTY if self.hasty else KILLED),
        ]

    def _run(self, program: str, *words: str) -> None:
        where = programs()
        assert where is not None
        command = [str(where / program), "-D", self.data, *words]
        output = None if program == "pg_ctl" and words[0] == "start" else subprocess.PIPE
        done = subprocess.run(
            command, stdout=output and subprocess.DEVNULL, stderr=output, cwd=self.folder,
            check=False, **self._as,
        )  # fmt: skip
        if done.returncode:
            raise subprocess.CalledProcessError(done.returncode, command, stderr=done.stderr)


def _unprivileged() -> dict[str, str]:
    """As whom a server runs, as arguments for subprocess; empty for who is not root."""
    if os.getuid():
        return {}
    names = {entry.pw_name for entry in pwd.getpwall()}
    return {"user": next(user for user in USERS if user in names)}


def missing() -> str:
    """Why no server can be started here, "" if one can."""
    try:
        import psycopg  # noqa: F401
    except ImportError:
        return "psycopg is not installed: make setup"
    return "" if programs() else "PostgreSQL is not installed: apt-get install postgresql"


def started(hasty: bool = True) -> Server:
    """A server that runs; where there can be none, the test is skipped, or in CI fails."""
    why = missing()
    if why and os.environ.get("CI") == "true":
        pytest.fail(why)
    if why:
        pytest.skip(why)
    server = Server(hasty)
    server.start()
    return server


def emptied(url: str) -> str:
    """A database with the tables and nothing in them."""
    engine = sa.create_engine(url)
    migrations.prepare(engine)
    with engine.begin() as connection:
        for table in reversed(schema.metadata.sorted_tables):
            connection.execute(sa.delete(table))
    engine.dispose()
    return url
