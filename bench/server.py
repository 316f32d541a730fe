"""The table as a server: start, actions a second to durable storage, bytes a frame, memory."""

import json
import os
import random
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import httpx

from bench.timing import note, row

SCRIPT = {"accept": "application/json", "sec-fetch-site": "same-origin"}
CLIENTS = 4
SECONDS = 8.0
TABLES = 200
THINKING = 8  # tables
TICKS = os.sysconf("SC_CLK_TCK")
SMALLEST = 100  # bytes; shorter pieces of the stream are signs of life


@dataclass
class Running:
    """A server in a process of its own."""

    process: subprocess.Popen[str]
    address: str
    took: float  # seconds until it answered
    split: Path | None = None  # where it notes what its processor time is spent on

    @property
    def spent(self) -> dict[str, float]:
        """Seconds of processor time by kind of work, see split.py; empty if it notes none."""
        return json.loads(self.split.read_text()) if self.split and self.split.exists() else {}

    def client(self, number: int) -> httpx.Client:
        """A browser: from an address of its own, as far as the bounds per client see it."""
        far = {"x-forwarded-for": f"10.0.{number // 250}.{number % 250 + 1}"}
        return httpx.Client(base_url=self.address, headers=SCRIPT | far, timeout=30)

    @property
    def processes(self) -> list[int]:
        """Its own, and all that it has started."""
        started: dict[int, list[int]] = {}
        for stat in Path("/proc").glob("[0-9]*/stat"):
            with suppress(OSError):
                parent = int(stat.read_text().rpartition(")")[2].split()[1])
                started.setdefault(parent, []).append(int(stat.parent.name))
        found = [self.process.pid]
        for one in found:
            found += started.get(one, [])
        return found

    @property
    def memory(self) -> float:
        """Resident memory in MB; what processes share is counted for each."""
        kilobytes = 0
        for one in self.processes:
            found = re.search(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{one}/status").read_text())
            kilobytes += int(found[1]) if found else 0
        return kilobytes / 1024

    @property
    def cpu(self) -> float:
        """Seconds of processor time that they have taken, all threads included."""
        seconds = 0.0
        for one in self.processes:
            fields = Path(f"/proc/{one}/stat").read_text().rpartition(")")[2].split()
            seconds += (int(fields[11]) + int(fields[12])) / TICKS
        return seconds


@contextmanager
def serving(
    folder: str,
    cache: str | None = None,
    db: str = "",
    workers: int = 0,
    checkout: str = "",
    split: bool = False,
    core: int | None = None,
    program: str = "",
) -> Iterator[Running]:
    """A server on a fresh database in `folder`, or on `db`; ended with Ctrl-C.

    cache: the folder of compiled rules and bytecode, in place of the usual ones. workers: how many
    processes answer, on PostgreSQL; bots have none. checkout: the folder of another version, which
    is run instead. split: note what processor time is spent on. core: the only processor core that
    it may use. program: the module that is run in place of diablerie.
    """
    env = {**os.environ, "FORWARDED_ALLOW_IPS": "127.0.0.1", "DIABLERIE_TEMPO": "0"}
    if cache:
        env["DIABLERIE_CACHE"] = cache
        env["PYTHONPYCACHEPREFIX"] = f"{cache}/bytecode"
        env.pop("PYTHONDONTWRITEBYTECODE", None)  # as `make play` does
    if checkout:
        env["PYTHONPATH"] = str(Path(checkout).absolute() / "src")
    began = time.perf_counter()
    noted = Path(f"{folder}/{began}.split") if split else None
    if noted:
        env["BENCH_SPLIT"] = str(noted)
    program = program or ("bench.split" if split else "diablerie")
    command = [sys.executable, "-m", program, "serve", "--port", "0", "--no-open"]
    where = ["--db", db or f"{folder}/{began}.sqlite", "--log-level", "error"]
    several = ["--workers", str(workers), "--bots", "0"] if workers else []
    pinned = ["taskset", "--cpu-list", str(core)] if core is not None else []
    process = subprocess.Popen(
        [*pinned, *command, *where, *several],
        env=env, text=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        address = ""
        assert process.stdout is not None
        for line in process.stdout:
            if found := re.search(r"http://[^/\s]+", line):
                address = found[0]
                break
        httpx.get(address + "/", timeout=60).raise_for_status()
        running = Running(process, address, time.perf_counter() - began, noted)
        drain = threading.Thread(target=process.stdout.read, daemon=True)
        drain.start()
        yield running
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(10)


def everything() -> None:
    """All server figures."""
    with tempfile.TemporaryDirectory() as folder:
        starts(folder)
        with serving(folder) as server:
            actions(server)
            frames(server)
            memory(server)
        with serving(folder) as server:
            note(f"the same beside {THINKING} tables at which three Oberteufel think all the time:")
            devils(server)
            actions(server)


def starts(folder: str) -> None:
    """Seconds until the landing page answers, with nothing compiled and with everything."""
    with serving(folder, cache=f"{folder}/cache") as server:
        row("start to first page, nothing compiled", (server.took,) * 3, "s")
    took = []
    for _ in range(3):
        with serving(folder) as server:
            took.append(server.took)
    row("start to first page, compiled before", (sorted(took)[1], min(took), max(took)), "s")


@dataclass
class Player:
    """Plays both seats of a table of COALS at random, as fast as it is answered."""

    server: Running
    number: int
    until: float
    times: list[float] = field(default_factory=list)

    def run(self) -> None:
        """Until the time is over; a new table whenever a game is."""
        rng = random.Random(self.number)
        with self.server.client(self.number) as client:
            table = opened(client, "here")
            while time.perf_counter() < self.until:
                data = client.get(f"{table}.json").json()
                if data["status"] == "over":
                    table = opened(client, "here")
                elif not data["pending"]:  # the rules are still being compiled
                    time.sleep(0.2)
                else:
                    self.act(client, table, data, rng)

    def act(self, client: httpx.Client, table: str, data: dict, rng: random.Random) -> None:
        """One decision of the first seat that is to decide, timed."""
        seat = data["pending"][0]
        mine = client.get(f"{table}.json", params={"as": seat}).json()
        do = rng.choice(mine["legal"])["do"]
        form = {"seat": seat, "ply": mine["ply"], "do": do}
        # Another address each time: the bound is for people, not for this loop.
        far = {"x-forwarded-for": f"10.1.{rng.randrange(250)}.{rng.randrange(250)}"}
        began = time.perf_counter()
        answer = client.post(f"{table}/decide", data=form, headers=far)
        self.times.append(time.perf_counter() - began)
        answer.raise_for_status()


def opened(client: httpx.Client, way: str) -> str:
    """A new table of COALS."""
    answer = client.post("/tables", data={"game": "coals", "way": way})
    answer.raise_for_status()
    return str(answer.json()["url"])


def actions(server: Running) -> None:
    """Decisions a second over HTTP, each answered when it is on disk."""
    players = [Player(server, n, time.perf_counter() + SECONDS) for n in range(CLIENTS)]
    threads = [threading.Thread(target=player.run) for player in players]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    times = sorted(t * 1000 for player in players for t in player.times)
    cut = statistics.quantiles(times, n=100)
    note(f"{CLIENTS} clients for {SECONDS:.0f} s, each reads its position, then decides:")
    row("actions a second, durable (besides two reads each)", (len(times) / SECONDS,) * 3, "")
    row("answer to an action: median (p1 – p99)", (cut[49], cut[0], cut[98]), "ms")


def devils(server: Running) -> None:
    """Tables of KITCHEN without a person, whose bots search as fast as they can."""
    with server.client(60) as client:
        for _ in range(THINKING):
            plan = {"game": "kitchen", "here": "0", "open": "0", "bots": "3", "bot": "oberteufel"}
            client.post("/tables", data=plan).raise_for_status()
    time.sleep(2)


def frames(server: Running) -> None:
    """Bytes of the stream's frames while three bots and a person play."""
    sizes: list[int] = []
    with server.client(50) as client:
        table = opened(client, "bots")
        listener = threading.Thread(target=listen, args=(server, client, table, sizes))
        listener.start()
        rng, end = random.Random(1), time.perf_counter() + 6
        player = Player(server, 50, end)
        while time.perf_counter() < end:
            mine = client.get(f"{table}.json").json()
            if mine["pending"] == [] or 0 not in mine["pending"]:
                time.sleep(0.02)
                continue
            player.act(client, table, {"pending": [0]}, rng)
        listener.join()
    row("bytes of a frame on the wire, gzip: median (smallest – largest)",
        (statistics.median(sizes), min(sizes), max(sizes)), "bytes")  # fmt: skip


def listen(server: Running, client: httpx.Client, table: str, sizes: list[int]) -> None:
    """Collect the sizes of the stream's events, as they come, for five seconds."""
    end = time.perf_counter() + 5
    with (
        httpx.Client(base_url=server.address, cookies=client.cookies, timeout=2) as own,
        own.stream("GET", f"{table}/stream", headers={"accept": "text/event-stream"}) as stream,
    ):
        try:
            for chunk in stream.iter_raw():
                if len(chunk) > SMALLEST:
                    sizes.append(len(chunk))
                if time.perf_counter() > end:
                    return
        except httpx.ReadTimeout:
            return


def memory(server: Running) -> None:
    """Resident memory, before and with 200 tables at which bots have begun to play."""
    with tempfile.TemporaryDirectory() as folder, serving(folder) as idle:
        time.sleep(1)
        row("resident memory, idle", (idle.memory,) * 3, "MB")
        for number in range(TABLES):
            with idle.client(100 + number) as client:
                opened(client, "bots")
        time.sleep(3)
        row(f"resident memory, {TABLES} live tables", (idle.memory,) * 3, "MB")
