"""Killed at any moment, the server loses nothing that it answered, and does nothing twice.

Several clients play over HTTP while the server process is killed with SIGKILL again and again.
A client that got no answer asks again with the same sequence number, as a browser does.
"""

import contextlib
import http.client
import json
import os
import random
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlencode

import pytest

from diablerie.engine.queries import legal_actions
from diablerie.engine.replay import Replay
from diablerie.games import ALL
from diablerie.table.state.table_state import TableState
from diablerie.table.storage.rows import live_of
from diablerie.table.storage.store import Store

HEADERS = {"Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json"}
LONGEST_SILENCE = 180.0  # seconds; on a busy machine many a restart is killed before it answers


class House:
    """The server's place; it is forked anew from a process that has imported all it needs."""

    def __init__(self, db: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.db, self.server = db, 0
        self.parent = subprocess.Popen(
            [sys.executable, "-m", "tests.table.crash_house", str(self.port), str(db)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
        )

    def start(self) -> None:
        assert self.parent.stdin is not None
        assert self.parent.stdout is not None
        print("start", file=self.parent.stdin, flush=True)
        self.server = int(self.parent.stdout.readline())

    def kill(self) -> None:
        assert self.parent.stdout is not None
        os.kill(self.server, signal.SIGKILL)
        assert int(self.parent.stdout.readline()) == signal.SIGKILL


class Decision(NamedTuple):
    """What a client was told is accepted; `ply` is that of the page it saw."""

    table: str
    seat: int
    ply: int
    text: str


@dataclass
class Client:
    """One browser, with a seat at each of its tables; plays until told to stop."""

    port: int
    rng: random.Random
    over: threading.Event
    cookie: str = ""  # which the server makes
    tables: dict[str, int] = field(default_factory=dict)
    accepted: list[Decision] = field(default_factory=list)
    retried: int = 0

    def ask(self, method: str, path: str, **form: Any) -> tuple[int, dict[str, Any]]:
        """One request. Raises OSError or HTTPException if the answer does not come."""
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        try:
            headers = HEADERS | {"Cookie": self.cookie}
            line.request(method, path, urlencode(form) if form else None, headers)
            answer = line.getresponse()
            said = json.loads(answer.read())
            given = (answer.getheader("set-cookie") or "").partition(";")[0]
            self.cookie = given if given.startswith("diablerie=") else self.cookie
            return answer.status, said
        finally:
            line.close()

    def surely(self, method: str, path: str, **form: Any) -> tuple[int, dict[str, Any]]:
        """Ask until there is an answer. Raises the last failure after LONGEST_SILENCE."""
        first = True
        patience = time.monotonic() + LONGEST_SILENCE
        while True:
            try:
                return self.ask(method, path, **form)
            except (OSError, http.client.HTTPException):
                if time.monotonic() > patience:
                    raise
                self.retried += method == "POST" and first
                first = False
                time.sleep(0.01)

    def play(self) -> None:
        """Decide wherever it is one's turn."""
        while not self.over.is_set():
            for table, seat in list(self.tables.items()):
                self.decide(table, seat)

    def decide(self, table: str, seat: int) -> None:
        """One decision, if one is due; another match when this one is over."""
        _, seen = self.surely("GET", f"/t/{table}.json?as={seat}")
        if seen["status"] == "over":
            _, answer = self.surely("POST", f"/t/{table}/rematch")
            del self.tables[table]
            self.tables[answer["url"].removeprefix("/t/")] = seat
        elif seen["legal"]:
            text = self.rng.choice(seen["legal"])["do"]
            form = {"seat": seat, "ply": seen["ply"], "do": text}
            status, answer = self.surely("POST", f"/t/{table}/decide", **form)
            if status == 200 or answer["code"] == "repeated":
                self.accepted.append(Decision(table, seat, seen["ply"], text))
            else:
                assert answer["code"] == "stale", answer
        else:
            time.sleep(0.01)


@contextmanager
def playing(clients: list[Client]) -> Iterator[None]:
    """All clients play, each in a thread; what goes wrong in one is raised here."""
    wrong: list[BaseException] = []

    def run(play: Callable[[], None]) -> None:
        try:
            play()
        except BaseException as error:
            wrong.append(error)

    threads = [threading.Thread(target=run, args=(client.play,), daemon=True) for client in clients]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        for client in clients:
            client.over.set()
    for thread in threads:
        thread.join(60)
    if wrong:
        raise wrong[0]


def stored(db: str | Path, tables: set[str]) -> dict[str, TableState]:
    """The tables as they are on disk."""
    store = Store(db)
    found = {table: store.load(table) for table in tables}
    store.close()
    return {table: live_of(one, ALL) for table, one in found.items() if one}


def check(db: str | Path, accepted: list[Decision]) -> dict[str, TableState]:
    """Every accepted decision is in its table's log, at a place of its own."""
    tables = stored(db, {one.table for one in accepted})
    places = set()
    for one in accepted:
        plies = tables[one.table].plies
        own = [k for k in range(one.ply, len(plies)) if plies[k].seat == one.seat]
        assert own, f"lost: {one}"
        k = own[0]
        assert plies[k].events[0].text == one.text, f"not what was accepted: {one}"
        places.add((one.table, k))
    assert len(places) == len(accepted)
    return tables


def decided(live: TableState, seat: int) -> int:
    """How often a seat decided by itself: what the table played for a poor one does not count."""
    assert live.match is not None
    past, count = Replay(live.match), 0
    for ply in live.plies:
        if ply.seat == seat:
            single = len(legal_actions(live.game, past.state, seat)) == 1
            count += not (single and past.state.node in live.game.forced)
        past.step(ply)
    return count


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    made = House(tmp_path / "tables.db")
    with made.parent:
        made.start()
        yield made
        with contextlib.suppress(ProcessLookupError):
            made.kill()
        made.parent.communicate()


def seated(clients: list[Client], bots: int = 1) -> None:
    """Tables in a ring: each client has a seat at its own and at that of the one before."""
    for host, guest in zip(clients, clients[1:] + clients[:1], strict=True):
        form = {"game": "coals", "here": 1, "open": 1, "bots": bots}
        _, opened = host.surely("POST", "/tables", **form)
        table = opened["url"].removeprefix("/t/")
        guest.surely("POST", f"/t/{table}/sit")
        host.tables[table], guest.tables[table] = 0, 1


def counted(tables: dict[str, TableState], accepted: list[Decision]) -> None:
    """No seat has decided more often than it was told."""
    for table, seat in {(one.table, one.seat) for one in accepted}:
        mine = [one for one in accepted if (one.table, one.seat) == (table, seat)]
        assert decided(tables[table], seat) == len(mine)


def gone_on(clients: list[Client], decisions: int) -> None:
    """Wait until so many more decisions are accepted, however busy the machine is."""

    def told() -> int:
        return sum(len(client.accepted) for client in clients)

    enough = told() + decisions
    patience = time.monotonic() + LONGEST_SILENCE
    while told() < enough:
        assert time.monotonic() < patience, "nobody can play"
        time.sleep(0.005)


def played_while_killed(house: House, kills: int) -> list[Client]:
    """Clients who played while the server was killed so often: nothing is lost or done twice."""
    rng, over = random.Random(8), threading.Event()
    clients = [Client(house.port, random.Random(n), over) for n in range(4)]
    seated(clients)
    with playing(clients):
        for _ in range(kills):
            if rng.random() < 0.9:  # else it may be killed while it starts
                clients[0].surely("GET", "/healthz")
                gone_on(clients, rng.randint(1, 2))
            time.sleep(rng.uniform(0.0, 0.1))
            house.kill()
            check(house.db, [one for client in clients for one in list(client.accepted)])
            house.start()
    accepted = [one for client in clients for one in client.accepted]
    counted(check(house.db, accepted), accepted)
    return clients


@pytest.mark.slow
@pytest.mark.parametrize("kills", [3, pytest.param(50, marks=pytest.mark.ci)])
def test_a_killed_server_loses_nothing_and_repeats_nothing(house: House, kills: int) -> None:
    clients = played_while_killed(house, kills)
    assert sum(len(client.accepted) for client in clients) > kills
    # A kill may find nobody who has just sent something; so many do not.
    assert sum(client.retried for client in clients) > kills / 4 - 2
