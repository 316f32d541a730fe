"""Any of several processes killed under play, and the database too: nothing is lost or done twice.

Clients play over HTTP at tables that two processes serve and two others let bots play at, on one
PostgreSQL. Who gets no answer, or is told that nothing can be written now, asks again.
"""

import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from http.client import HTTPException
from typing import Any

import pytest

from diablerie.table.storage.store import Store
from tests import postgres
from tests.table.test_crash import Client, check, counted, playing, seated

PATIENCE = 90.0  # seconds in which everybody must have come further


class Patient(Client):
    """A client to whom 503 is no answer."""

    unanswered = 0

    def ask(self, method: str, path: str, **form: Any) -> tuple[int, dict[str, Any]]:
        try:
            status, answer = super().ask(method, path, **form)
            if status == 503:
                raise OSError(answer)
        except (OSError, HTTPException):
            self.unanswered += 1
            raise
        return status, answer


def kill(process: int) -> None:
    """Kill a process, unless it has ended because it did not find its database when it started."""
    with suppress(ProcessLookupError):
        os.kill(process, signal.SIGKILL)


def _runs(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


class House:
    """A database, and beside it two processes that answer and two that let bots play."""

    def __init__(self) -> None:
        self.database = postgres.started(hasty=False)
        self.db = self.database.create("tables")
        Store(self.db).close()
        self.parent = subprocess.Popen(
            [sys.executable, "-m", "tests.table.killed_house", self.db],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
        )
        self.port = self._told()
        self.web = [self.start("web") for _ in range(2)]
        self.bots = [self.start("bots") for _ in range(2)]

    def _told(self) -> int:
        assert self.parent.stdout is not None
        return int(self.parent.stdout.readline())

    def start(self, kind: str) -> int:
        assert self.parent.stdin is not None
        print(kind, file=self.parent.stdin, flush=True)
        return self._told()

    def restart_ended(self) -> None:
        """Start again what ended because its database was away when it started.

        The parent of a real server does so. On a busy machine a process may still be starting when
        the database is killed.
        """
        for kind, processes in (("web", self.web), ("bots", self.bots)):
            for n, process in enumerate(processes):
                if not _runs(process):
                    processes[n] = self.start(kind)

    def kill_web(self, rng: random.Random) -> None:
        n = rng.randrange(2)
        kill(self.web[n])
        self.web[n] = self.start("web")

    def kill_bots(self, rng: random.Random) -> None:
        n = rng.randrange(2)
        kill(self.bots[n])
        self.bots[n] = self.start("bots")

    def kill_database(self, _: random.Random) -> None:
        self.database.kill()
        self.database.revive()

    def close(self) -> None:
        for process in (*self.web, *self.bots):
            kill(process)
        self.parent.communicate()
        self.database.remove()


@pytest.fixture
def house() -> Iterator[House]:
    made = House()
    yield made
    made.close()


def further(house: House, clients: list[Patient]) -> None:
    """Everybody decides a few more times: nobody is stuck."""
    before = [len(client.accepted) for client in clients]
    until = time.monotonic() + PATIENCE
    while any(len(c.accepted) < n + 3 for c, n in zip(clients, before, strict=True)):
        assert time.monotonic() < until, [len(client.accepted) for client in clients]
        house.restart_ended()
        time.sleep(0.05)


def played_while_killed(house: House, rounds: int) -> list[Patient]:
    """Clients who played while one of each kind was killed, so many times: nothing is lost."""
    rng, over = random.Random(8), threading.Event()
    clients = [Patient(house.port, random.Random(n), over) for n in range(3)]
    seated(clients)
    with playing(clients):
        for _ in range(rounds):
            for kills in (house.kill_web, house.kill_bots, house.kill_database):
                time.sleep(rng.uniform(0.0, 0.3))
                kills(rng)
                further(house, clients)
    accepted = [one for client in clients for one in client.accepted]
    counted(check(house.db, accepted), accepted)
    return clients


@pytest.mark.slow
@pytest.mark.parametrize(
    "rounds", [pytest.param(1, id="once"), pytest.param(14, id="often", marks=pytest.mark.nightly)]
)
def test_whatever_is_killed_nothing_is_lost_or_done_twice_and_nobody_is_stuck(
    house: House, rounds: int
) -> None:
    clients = played_while_killed(house, rounds)
    assert sum(len(client.accepted) for client in clients) >= 27 * rounds
    assert sum(client.unanswered for client in clients) >= rounds, "the database was away"
