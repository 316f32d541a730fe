"""A node of the simulation: what a server process has, without its sockets and its compiler."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from diablerie.engine.game import Game
from diablerie.games import ALL
from diablerie.table.authority import Authority
from diablerie.table.bots.driver import Driver
from diablerie.table.cluster.claimed_turns import ClaimedTurns
from diablerie.table.cluster.cluster_node import ClusterNode
from diablerie.web.notifications.scheduler import NotificationScheduler
from diablerie.web.process.jobs import BackgroundJobs
from tests.storm.shared_file import ServerModel
from tests.storm.simulated import Crash, Disk, NodeClock, NodeFile, Timeline
from tests.table.toy import TOY

GAMES: dict[str, Game] = {"toy": TOY, "coals": ALL["coals"], "tails": ALL["tails"]}
BOTS = ("random", "sensible", "search:nodes=100")
TEMPO = 0.4  # seconds between the actions of bots
RESTART = (1.0, 12.0)  # seconds after which a node that has crashed is there again


class NoKeys:
    """Instead of the keys of web push, which the simulation does not send."""

    def make(self) -> None:
        """Nothing is needed."""


class CourierModel:
    """Receives what webhooks are told; some of it gets lost."""

    def __init__(self, timeline: Timeline) -> None:
        self._timeline, self.posts = timeline, list[bytes]()

    def post(self, _: Any, body: bytes, __: Any) -> int:
        """Receive a message; returns the status of the answer."""
        if self._timeline.chance(0.2):
            return 503
        self.posts.append(body)
        return 204


class House:
    """One node, from each `open` to the next crash."""

    def __init__(
        self, number: int, file: Path, server: ServerModel, timeline: Timeline, disk: Disk
    ) -> None:
        self.number, self.up = number, False
        self._file, self._server, self._timeline, self._disk = file, server, timeline, disk
        self.clock = NodeClock(timeline, number)
        self.clock.alive = self.alive
        self.courier = CourierModel(timeline)
        self.down: list[Callable[[], None]] = []  # called when it crashes
        self.lives = 0

    def open(self) -> None:
        """Start everything that a server process starts. A database that refuses delays it."""
        self._disk.crashed.discard(self.number)
        self.lives += 1
        try:
            self._make()
        except Crash:
            self.crash("while it starts")
        except ValueError:  # the file is locked
            self._timeline.later(1.0, self.open)
        else:
            self.up = True
            self._timeline.note("node", self.number, "is up")

    def _make(self) -> None:
        clock, seed = self.clock, self._timeline.random.getrandbits(32)
        self.store = NodeFile(self._file, self._server, self._disk, clock, self.number)
        self.node = ClusterNode(self.store, clock=clock, tempo=TEMPO, threads=2)
        clock.messages = lambda: any(one.ready for one in self.store.listeners)
        self.authority = Authority(self.store, GAMES, clock=clock, node=self.node)
        bell = NotificationScheduler(self.authority, NoKeys(), self.courier, window=2.0)  # type: ignore[arg-type]
        self.jobs = BackgroundJobs(self.authority, bell, TEMPO, self._sweep, self.node)
        turns = ClaimedTurns(self.authority, self.node)
        self.driver = Driver(self.authority, turns, workers=2, seed=seed)
        self.jobs.start()
        for game in GAMES:
            self.jobs.waiting.compiled(game)
        self.driver.start()

    def _sweep(self) -> None:
        self.authority.sweep()

    def alive(self, step: Callable[[], Any]) -> Any:
        """Do something as this node; false if it has crashed."""
        try:
            return step()
        except Crash:
            self.crash("within a transaction")
            return False

    def crash(self, why: str) -> None:
        """The process dies; the server notices that its connections are closed."""
        self._timeline.note("node", self.number, "crashes", why)
        self.up = False
        self._disk.crashed.add(self.number)
        self._timeline.forget(self.number)
        if hasattr(self, "store"):
            with suppress(Crash):
                self.store.close()
        for tell in self.down:
            tell()
        low, high = RESTART
        self._timeline.later(self._timeline.random.uniform(low, high), self.open)

    def close(self) -> None:
        """End, as a server process that is stopped."""
        if self.up:
            self.driver.stop()
            self.jobs.stop()
            self.store.close()
            self.up = False
