"""The table under load: people who think, at many tables, each told to several browsers.

    python -m bench load                                  # what is found in a few minutes
    python -m bench load --tables 50,100,200 --seconds 30 --json load.json
    python -m bench load --tables 40 --every 4 --turns 6 --split --against ../main
    taskset --cpu-list 1 python -m bench load --tables 300 --every 5 --core 0

Every table has as many browsers as streams; those beyond its seats watch. Once in `--every` seconds
one who is to decide does, at random, by what its page offers: real HTTP, one connection a stream.
A decision counts as told when the last of the table's browsers has it. The load is raised step by
step; behind every figure of time stands the CPU time of the server's processes.

With `--bound` a bare Starlette (bench/bound.py) is measured in turns with ours, and their ratio told.
With `--against` a second server runs the code of another checkout, and both are measured in turns,
with their ratio: the same machine is up to twice as slow when others use it, so figures of two runs
tell little.
"""

import argparse
import asyncio
import json
import random
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from rich.progress import Progress

from bench.browsers import Browser, Refused, request
from bench.server import Running, serving
from bench.timing import console, machine, note

GAMES = {"coals": 4, "tails": 2, "underworld": 4, "kitchen": 4}  # and how many sit there
ENOUGH = 100.0  # milliseconds from a decision to the last browser, at the 99th of 100
BOUND = "bound"  # the name of the server that only commits and sends
OTHER = "other"  # that of another checkout


@dataclass
class Step:
    """What was measured with so many tables. Times in ms, CPU in ms a decision, memory in MB."""

    tables: int
    streams: int
    seconds: float
    decisions: int
    rate: float
    p50: float
    p99: float
    answered: float
    cpu: float
    idle: float
    memory: float
    sent: float
    frame: float  # bytes that the median browser gets for a decision
    split: dict[str, float]  # CPU in ms a decision, by kind of work
    server: str = ""

    @property
    def good(self) -> bool:
        """Whether it was quick enough."""
        return self.p99 <= ENOUGH


class Table:
    """One table, its browsers, and how long its decisions took to be told."""

    def __init__(self, number: int, port: int, streams: int) -> None:
        self.number, self.port, self.streams = number, port, streams
        self.game = list(GAMES)[number % len(GAMES)]
        self.rng = random.Random(number)
        self.browsers: list[Browser] = []
        self.told: list[float] = []
        self.answered: list[float] = []
        self.sent = 0
        self.frames: list[int] = []

    async def open(self) -> None:
        """Open it, take all seats, and listen."""
        seats = min(GAMES[self.game], self.streams)
        people = [Browser(self.port, self.number * self.streams + i) for i in range(self.streams)]
        plan = {"game": self.game, "here": 1, "open": seats - 1, "bots": 0}
        url = (await people[0].post("/tables", plan))["url"]
        for one in people[1:seats]:
            await one.post(f"{url}/sit", {})
        await asyncio.gather(*(one.listen(url) for one in people))
        self.close()
        self.browsers = people

    def close(self) -> None:
        """Listen no more."""
        for one in self.browsers:
            one.close()
        self.browsers = []

    async def play(self, every: float, until: float) -> None:
        """Decide once in a while, the first time at some moment of it."""
        await asyncio.sleep(self.rng.random() * every)
        while (began := time.perf_counter()) < until:
            await self.decide()
            await asyncio.sleep(max(0.0, began + every - time.perf_counter()))

    async def decide(self) -> None:
        """Somebody who is to decide does; where nobody is, or it was no good, it begins anew."""
        deciding = [one for one in self.browsers if one.choices]
        try:
            await (self._decided(self.rng.choice(deciding)) if deciding else self.open())
        except Refused:
            await self.open()

    async def _decided(self, one: Browser) -> None:
        ply, sent, began = one.ply, [b.received for b in self.browsers], time.perf_counter()
        await one.decide(self.rng)
        self.answered.append(time.perf_counter() - began)
        await asyncio.gather(*(b.beyond(ply) for b in self.browsers))
        self.told.append(max(b.heard for b in self.browsers) - began)
        got = [b.received - before for b, before in zip(self.browsers, sent, strict=True)]
        self.sent += sum(got)
        self.frames += got


async def step(
    server: Running, tables: list[Table], asked: argparse.Namespace, progress: Progress
) -> Step:
    """Play at all these tables for a while."""
    idle = -server.cpu
    await asyncio.sleep(asked.idle)
    idle += server.cpu
    for table in tables:
        table.told, table.answered, table.sent, table.frames = [], [], 0, []
    task = progress.add_task(f"{len(tables)} tables", total=asked.seconds)
    began, spent, split = time.perf_counter(), -server.cpu, Counter(server.spent)
    playing = [asyncio.create_task(t.play(asked.every, began + asked.seconds)) for t in tables]
    while (gone := time.perf_counter() - began) < asked.seconds:
        progress.update(task, completed=gone)
        await asyncio.sleep(0.2)
    await asyncio.gather(*playing)
    took, spent = time.perf_counter() - began, spent + server.cpu
    progress.remove_task(task)
    if asked.split:
        await asyncio.sleep(1.5)  # it writes once a second
    kinds = {name: all_of - split[name] for name, all_of in server.spent.items()}
    return _measured(server, tables, asked, took, spent, idle, kinds)


def _measured(
    server: Running, tables: list[Table], asked: argparse.Namespace, took: float, spent: float,
    idle: float, kinds: dict[str, float],
) -> Step:  # fmt: skip
    told = sorted(x * 1000 for t in tables for x in t.told)
    answered = [x * 1000 for t in tables for x in t.answered]
    cuts = statistics.quantiles(told, n=100) if len(told) > 1 else [float("nan")] * 99
    streams, n = asked.streams * len(tables), max(1, len(told))
    return Step(
        tables=len(tables),
        streams=streams,
        seconds=took,
        decisions=len(told),
        rate=len(told) / asked.seconds,
        p50=cuts[49],
        p99=cuts[98],
        answered=statistics.median(answered) if answered else float("nan"),
        cpu=spent / n * 1000,
        idle=idle / asked.idle * 100,
        memory=server.memory,
        sent=sum(t.sent for t in tables) / n / asked.streams,
        frame=statistics.median([size for t in tables for size in t.frames] or [0]),
        split=_split(kinds, spent, n),
    )


def _split(kinds: dict[str, float], spent: float, decisions: int) -> dict[str, float]:
    """Milliseconds a decision by kind of work, with what is left of all."""
    split = {name: seconds / decisions * 1000 for name, seconds in kinds.items()}
    return split | {"http": spent / decisions * 1000 - sum(split.values())} if split else {}


HEAD = (
    "tables  streams  decisions/s   p50 ms   p99 ms  answer ms  CPU ms/decision  idle CPU %"
    "  RSS MB  kB/stream  bytes/frame  median"
)


def shown(step: Step, empty: float) -> str:
    """A step as a line under `HEAD`."""
    each = (step.memory - empty) * 1000 / max(1, step.streams)
    return (
        f"{step.tables:>6}  {step.streams:>7}  {step.rate:>11.1f}  {step.p50:>7.1f}"
        f"  {step.p99:>7.1f}  {step.answered:>9.1f}  {step.cpu:>15.2f}"
        f"  {step.idle:>10.1f}  {step.memory:>6.0f}  {each:>9.0f}  {step.sent:>11.0f}"
        f"  {step.frame:>6.0f}  {step.server}"
        + " ".join(f" {name} {ms:.2f}" for name, ms in step.split.items())
    )


async def climb(servers: dict[str, Running], asked: argparse.Namespace) -> list[Step]:
    """More and more tables, until it takes too long; the steps that were measured."""
    tables: dict[str, list[Table]] = {name: [] for name in servers}
    steps: list[Step] = []
    empty = {name: server.memory for name, server in servers.items()}
    note(f"memory of the server without tables: {max(empty.values()):.0f} MB")
    note(HEAD)
    with Progress(console=console, transient=True) as progress:
        for count in asked.tables:
            for name, server in servers.items():
                await opened(server, tables[name], count, asked.streams, progress)
            for _ in range(asked.turns):
                for name, server in servers.items():
                    one = replace(await step(server, tables[name], asked, progress), server=name)
                    steps.append(one)
                    note(shown(one, empty[name]))
            if not steps[-1].good and not asked.on:
                break
    for table in (table for group in tables.values() for table in group):
        table.close()
    return steps


async def opened(
    server: Running, tables: list[Table], count: int, streams: int, progress: Progress
) -> None:
    """Open so many tables at a server."""
    port = int(server.address.rpartition(":")[2])
    task = progress.add_task("opening", total=count, completed=len(tables))
    while len(tables) < count:
        table = Table(len(tables), port, streams)
        await table.open()
        tables.append(table)
        progress.update(task, completed=len(tables))
    progress.remove_task(task)


def everything(arguments: Sequence[str] = ()) -> None:
    """The curve, and the largest number of tables that is quick enough."""
    asked = options().parse_args(arguments)
    serve = {name: getattr(asked, name) for name in ("db", "workers", "split", "core")}
    with tempfile.TemporaryDirectory() as folder, ExitStack() as running:
        servers = {"": running.enter_context(serving(folder, **serve))}
        if asked.against:
            other = serving(folder, **serve, checkout=asked.against)
            servers = {"this": servers[""], OTHER: running.enter_context(other)}
        if asked.bound:
            bare = serving(folder, core=asked.core, program="bench.bound")
            servers = {**servers, BOUND: running.enter_context(bare)}
        for server in servers.values():
            asyncio.run(warmed(server))
        steps = asyncio.run(climb(servers, asked))
    for name in servers:
        _conclude(name, [one for one in steps if one.server == name], asked)
    for reference in (BOUND, OTHER):
        if reference in servers:
            _compare(steps, reference)
    if asked.json:
        wanted = {name: value for name, value in vars(asked).items() if name != "db"}
        told = {"machine": machine(), "asked": wanted, "steps": [asdict(s) for s in steps]}
        Path(asked.json).write_text(json.dumps(told, indent=1) + "\n")


def _conclude(name: str, steps: list[Step], asked: argparse.Namespace) -> None:
    """Say what the steps of one server come to."""
    title = f"{name}: " if name else ""
    if asked.turns > 1:
        for count in asked.tables:
            of = [one for one in steps if one.tables == count]
            cpu = statistics.median(one.cpu for one in of) if of else float("nan")
            kinds = (
                {k: statistics.median(one.split[k] for one in of) for k in of[0].split}
                if of
                else {}
            )
            told = ", ".join(f"{kind} {ms:.2f}" for kind, ms in kinds.items())
            note(f"{title}{count} tables: {cpu:.2f} ms CPU a decision (median of turns) {told}")
    good = [one for one in steps if one.good]
    if good:
        best = max(good, key=lambda one: one.rate)
        rate = f"{best.rate:.1f} decisions a second"
        note(f"{title}p99 ≤ {ENOUGH:.0f} ms: up to {best.tables} tables, {rate}")
    else:
        note(f"{title}p99 ≤ {ENOUGH:.0f} ms: not even {asked.tables[0]} tables")


def _compare(steps: list[Step], reference: str) -> None:
    """Say how many times as much processor time as with the reference a decision takes."""
    if silent := {one.server or "this" for one in steps if not one.decisions}:
        note(f"no ratio: {', '.join(silent)} took no decision")
        return
    times = {name: [s.cpu for s in steps if s.server == name] for name in (s.server for s in steps)}
    theirs = times.pop(reference)
    times.pop(BOUND, None)  # which is a reference itself
    for name, ours in times.items():
        ratios = [one / other for one, other in zip(ours, theirs, strict=True)]
        told = ", ".join(f"{ratio:.2f}" for ratio in ratios)
        median = statistics.median(ratios)
        note(f"{name or 'this'}: {median:.2f} times {reference} (turn by turn {told})")


async def warmed(server: Running) -> None:
    """Open a table of every game, and wait until all rules run compiled."""
    port = int(server.address.rpartition(":")[2])
    for game in GAMES:
        await request(port, "POST", "/tables", {"game": game, "here": 2, "open": 0, "bots": 0})
    while not compiled(json.loads((await request(port, "GET", "/healthz"))[1]).get("rules", {})):
        await asyncio.sleep(0.5)


def compiled(rules: dict[str, object]) -> bool:
    """Whether a server says that of all games; 0.3.0 says how many steps are done, of how many."""
    return all(
        said["done"] == said["of"] if isinstance(said, dict) else said == "compiled"
        for said in rules.values()
    )


def options() -> argparse.ArgumentParser:
    """What may be asked for."""
    parser = argparse.ArgumentParser(prog="python -m bench load", description=__doc__)
    parser.add_argument("--tables", type=_numbers, default=[25, 50, 100, 200, 400], metavar="N,N,…")
    parser.add_argument("--streams", type=int, default=4, help="browsers at each table")
    parser.add_argument("--every", type=float, default=20.0, help="seconds between decisions")
    parser.add_argument("--seconds", type=float, default=25.0, help="of each step")
    parser.add_argument("--idle", type=float, default=4.0, help="seconds of silence before it")
    parser.add_argument("--turns", type=int, default=1, help="how often each step is measured")
    parser.add_argument("--against", default="", help="a checkout of another version, to compare")
    parser.add_argument("--bound", action="store_true", help="beside a bare Starlette")
    parser.add_argument("--split", action="store_true", help="what CPU time is spent on")
    parser.add_argument("--on", action="store_true", help="go on when it is too slow")
    parser.add_argument("--db", default="", help="an empty PostgreSQL database, for its address")
    parser.add_argument("--workers", type=int, default=0, help="processes that answer, there")
    parser.add_argument("--core", type=int, help="the only core that the server may use")
    parser.add_argument("--json", default="", help="a file for the figures")
    return parser


def _numbers(text: str) -> list[int]:
    try:
        found = [int(part) for part in text.split(",")]
    except ValueError:
        raise argparse.ArgumentTypeError(f"“{text}” is not a list of numbers") from None
    if not found or min(found) < 1:
        raise argparse.ArgumentTypeError("at least one table")
    return sorted(found)


if __name__ == "__main__":
    everything(sys.argv[1:])
