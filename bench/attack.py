"""What one hostile address costs a player elsewhere: the latency of moves, without and under attack.

    python -m bench attack                                # every attack, five runs
    python -m bench attack --only "GET / x32" --runs 1 --seconds 5

The server has one core and the attacker another, in processes of their own. The player is this
process: one move every 0.2 s, answered when it is on disk. The attacker comes from 127.0.0.2 and up,
an address for each run, so each run begins with what a fresh address may ask for at once. The player
shares the attacker's core, which is nice (by 10): what the player waits for is the server.
"""

import argparse
import asyncio
import http.client
import json
import multiprocessing
import os
import random
import statistics
import tempfile
import time
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from multiprocessing.synchronize import Event
from typing import Any
from urllib.parse import urlencode

from bench.browsers import request
from bench.load import warmed
from bench.server import Running, serving
from bench.timing import note

SERVER, ATTACKER = 0, 1  # cores
NICE = 10  # of the attacker, who is not to keep the player waiting for their core
EVERY = 0.2  # seconds between two moves
MEDIAN, P95 = 2.0, 4.0  # times what it is without an attack: what is accepted
PATIENCE = 30.0
HEADERS = {"accept": "application/json", "sec-fetch-site": "same-origin"}
FORM = {"content-type": "application/x-www-form-urlencoded"}
PUSH = {"endpoint": "https://push.example/x", "p256dh": "A" * 87, "auth": "A" * 22}
Tally = dict[str, int]  # what became of the attacker's requests, by status
Attack = Callable[["Target", Tally], Coroutine[Any, Any, None]]


class Target:
    """The server as the attacker sees it: its port, a table there, the own address."""

    def __init__(self, port: int, table: str, source: str) -> None:
        self.port, self.table, self.source = port, table, source

    async def connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """A new connection from the attacker's address."""
        return await asyncio.open_connection("127.0.0.1", self.port, local_addr=(self.source, 0))


def sent(target: Target, method: str, path: str, accept: str, form: dict[str, str]) -> bytes:
    """A request, as it goes over the wire."""
    body = urlencode(form)
    lines = [
        f"{method} {path.replace('TABLE', target.table)} HTTP/1.1",
        f"host: 127.0.0.1:{target.port}", f"accept: {accept}", "sec-fetch-site: same-origin",
        *([f"content-type: {FORM['content-type']}", f"content-length: {len(body)}"] if form else []),
    ]  # fmt: skip
    return ("\r\n".join(lines) + "\r\n\r\n" + body).encode()


def flood(
    path: str, side: int, method: str = "GET", accept: str = "text/html", **form: str
) -> Attack:
    """One request again and again, on `side` connections that are kept open."""

    async def attack(target: Target, tally: Tally) -> None:
        text = sent(target, method, path, accept, form)

        async def one() -> None:
            while True:
                with suppress(OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
                    reader, writer = await target.connect()
                    try:
                        while await answered(reader, writer, text, tally):
                            pass
                    finally:
                        writer.close()
                tally["closed"] = tally.get("closed", 0) + 1

        await asyncio.gather(*(one() for _ in range(side)))

    return attack


async def answered(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, text: bytes, tally: Tally
) -> bool:
    """Ask once and read the answer; whether the connection stays open."""
    writer.write(text)
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
    status = head.split(" ")[1]
    tally[status] = tally.get(status, 0) + 1
    lengths = [line for line in head.split("\r\n") if line.startswith("content-length:")]
    if not lengths:
        return False
    await reader.readexactly(int(lengths[0].split(":")[1]))
    return "connection: close" not in head


def half_open(rate: int, most: int, text: bytes = b"GET / HTTP/1.1\r\nX: ") -> Attack:
    """New connections that send half a request and wait: so many a second, so many held."""

    async def attack(target: Target, tally: Tally) -> None:
        held: list[asyncio.StreamWriter] = []
        while True:
            began = time.perf_counter()
            for _ in range(rate // 10):
                with suppress(OSError):
                    _, writer = await target.connect()
                    writer.write(text)
                    held.append(writer)
                    tally["opened"] = tally.get("opened", 0) + 1
            for writer in held[:-most]:
                writer.close()
            del held[:-most]
            await asyncio.sleep(max(0.0, began + 0.1 - time.perf_counter()))

    return attack


def rematches(side: int) -> Attack:
    """Resign and play again, at `side` tables at once."""

    async def attack(target: Target, tally: Tally) -> None:
        async def one(number: int) -> None:
            cookie, url = "", ""
            while True:
                with suppress(OSError, ValueError, KeyError):  # refused
                    if not url:
                        form = {"game": "coals", "way": "here"}
                        head, body = await post(target, "/tables", form, cookie)
                        count(tally, head)
                        found = [x for x in head.split("\r\n") if x.startswith("set-cookie: diab")]
                        cookie = found[0][12:].partition(";")[0] if found else cookie
                        url = json.loads(body)["url"]
                    for path, more in (("resign", {"seat": "0"}), ("rematch", {})):
                        head, body = await post(target, f"{url}/{path}", more, cookie)
                        count(tally, head)
                    url = json.loads(body)["url"]

        await asyncio.gather(*(one(n) for n in range(side)))

    return attack


def count(tally: Tally, head: str) -> None:
    """Note the status of an answer."""
    status = head.split(" ")[1] if " " in head else "closed"
    tally[status] = tally.get(status, 0) + 1


async def post(
    target: Target, path: str, form: dict[str, str], cookie: str = ""
) -> tuple[str, bytes]:
    """A form of the attacker's."""
    return await request(target.port, "POST", path, form, cookie, source=target.source)


ATTACKS: dict[str, Attack] = {
    "GET / x8": flood("/", 8),
    "GET / x32": flood("/", 32),
    "GET / x128": flood("/", 128),
    "GET /t/ID x32": flood("TABLE", 32),
    "GET /rules x32": flood("/rules/coals", 32),
    "GET static x32": flood("/static/x/base.css", 32),
    "404 x32": flood("/nothing", 32),
    "frames x32": flood("TABLE/frame", 32, accept="application/json"),
    "API x32": flood("/api/v1TABLE", 32, accept="application/json"),
    "chat x32": flood("TABLE/chat", 32, "POST", text="hm"),
    "push x32": flood("/push", 32, "POST", "application/json", **PUSH),
    "rematch x8": rematches(8),
    "half open 150/s": half_open(150, 1400),
    "slow bodies 400/s": half_open(
        400, 4000, b"POST /tables HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 9\r\n\r\n"
    ),
}


def attacking(name: str, target: Target, begun: Event, end: Event, told: Any) -> None:
    """Attack until told to end, in a process of its own."""
    os.sched_setaffinity(0, {ATTACKER})
    os.nice(NICE)
    tally: Tally = {}

    async def run() -> None:
        task = asyncio.create_task(ATTACKS[name](target, tally))
        begun.set()
        while not end.is_set() and not task.done():
            await asyncio.sleep(0.05)
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task

    asyncio.run(run())
    told.put(tally)


class Player:
    """Somebody elsewhere who plays both seats of a table, on one connection."""

    def __init__(self, port: int, number: int) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        self._rng, self._number, self._cookie, self.table = random.Random(1), number, "", ""
        self.open()

    def open(self) -> None:
        """Open a table of COALS."""
        self.table = json.loads(self._asked("POST", "/tables", {"game": "coals", "way": "here"}))[
            "url"
        ]

    def _asked(self, method: str, path: str, form: dict[str, Any] | None = None) -> bytes:
        self._number += 1  # another address each time: the player is to meet no limit
        far = f"10.{self._number >> 16 & 255}.{self._number >> 8 & 255}.{self._number & 255}"
        headers = HEADERS | FORM | {"x-forwarded-for": far, "cookie": self._cookie}
        body = urlencode(form) if form is not None else None
        try:
            self._connection.request(method, path, body, headers)
            answer = self._connection.getresponse()
        except (http.client.HTTPException, OSError):  # it was kept open for too long
            self._connection.close()
            self._connection.request(method, path, body, headers)
            answer = self._connection.getresponse()
        text = answer.read()
        if answer.status != 200:
            raise RuntimeError(f"{method} {path}: {answer.status} {text[:200]!r}")
        given = (answer.getheader("set-cookie") or "").partition(";")[0]
        if given.startswith("diablerie="):  # others are of preferences
            self._cookie = given
        return text

    def move(self) -> float:
        """Decide at random; the seconds until it is answered."""
        data = json.loads(self._asked("GET", f"{self.table}.json"))
        if data["status"] == "over":
            self.open()
            return self.move()
        seat = data["pending"][0]
        seen = json.loads(self._asked("GET", f"{self.table}.json?as={seat}"))
        form = {"seat": seat, "ply": seen["ply"], "do": self._rng.choice(seen["legal"])["do"]}
        began = time.perf_counter()
        self._asked("POST", f"{self.table}/decide", form)
        return time.perf_counter() - began

    def play(self, seconds: float) -> list[float]:
        """The milliseconds of each move in so many seconds."""
        until, took = time.perf_counter() + seconds, list[float]()
        while (began := time.perf_counter()) < until:
            took.append(self.move() * 1000)
            time.sleep(max(0.0, began + EVERY - time.perf_counter()))
        return took


def figures(took: Sequence[float]) -> tuple[float, float]:
    """The median and the 95th of 100."""
    return statistics.median(took), statistics.quantiles(took, n=20)[18]


def attacked(
    player: Player, name: str, target: Target, seconds: float
) -> tuple[list[float], Tally]:
    """The moves of a player while the server is attacked, and what the attacker was answered."""
    spawn = multiprocessing.get_context("spawn")
    begun, end, told = spawn.Event(), spawn.Event(), spawn.Queue()
    process = spawn.Process(target=attacking, args=(name, target, begun, end, told))
    process.start()
    try:
        begun.wait()
        took = player.play(seconds)
    finally:
        end.set()
    tally = told.get(timeout=PATIENCE)
    process.join()
    return took, tally


def one_run(server: Running, asked: argparse.Namespace, run: int, names: Sequence[str]) -> None:
    """All attacks once, each after a while without one."""
    port = int(server.address.rpartition(":")[2])
    player = Player(port, 100_000 * run)
    mine = asyncio.run(
        post(Target(port, "", "127.0.0.1"), "/tables", {"game": "coals", "way": "here"})
    )
    table = json.loads(mine[1])["url"]
    player.play(2.0)
    calm = figures(player.play(asked.seconds))
    note(f"run {run}: {'no attack':<20} {calm[0]:>7.1f} {calm[1]:>8.1f}")
    for number, name in enumerate(names):
        target = Target(port, table, f"127.0.{run}.{number + 2}")
        took, tally = attacked(player, name, target, asked.seconds)
        middle, late = figures(took)
        good = middle <= MEDIAN * calm[0] and late <= P95 * calm[1]
        each = ", ".join(f"{n / asked.seconds:.0f}/s {what}" for what, n in sorted(tally.items()))
        note(
            f"run {run}: {name:<20} {middle:>7.1f} {late:>8.1f}  {middle / calm[0]:>5.2f}"
            f"  {late / calm[1]:>5.2f}  {'good' if good else 'SLOW'}   {each}"
        )


def everything(arguments: Sequence[str] = ()) -> None:
    """Every attack, several times."""
    asked = options().parse_args(arguments)
    names = [name for name in ATTACKS if not asked.only or name in asked.only]
    os.sched_setaffinity(0, {ATTACKER})
    note("ms of a move: median, p95; both in times of those without an attack; what was answered")
    for run in range(1, asked.runs + 1):
        with tempfile.TemporaryDirectory() as folder, serving(folder, core=SERVER) as server:
            asyncio.run(warmed(server))
            one_run(server, asked, run, names)


def options() -> argparse.ArgumentParser:
    """What may be asked for."""
    parser = argparse.ArgumentParser(prog="python -m bench attack", description=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=12.0, help="of each attack")
    parser.add_argument("--only", action="append", metavar="ATTACK", help="one of these attacks")
    return parser
