"""A node of the simulation: what a server process has, without its sockets and its compiler."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from diablerie.engine.game import Game
from diablerie.games import ALL
from diablerie.table.authority import Authority
from diablerie.table.bots.driver import Driver
from diablerie.table.cluster.claimed_turns import ClaimedTurns
from diablerie.table.cluster.cluster_node import ClusterNode
from diablerie.table.outbound import Undelivered
from diablerie.table.state.table_state import TableState
from diablerie.web.notifications.cluster_scheduler import ClusterScheduler
from diablerie.web.process.server_process import BackgroundJobs
from tests.storm.ledger import Violated
from tests.storm.simulated import Crash, NodeClock, NodeFile
from tests.table.toy import TOY

if TYPE_CHECKING:
    from tests.storm.simulation import Simulation

GAMES: dict[str, Game] = {"toy": TOY, "coals": ALL["coals"], "tails": ALL["tails"]}
BOTS = ("random", "sensible")
AWAY_AFTER = 4.0  # seconds after which the others may let a bot play for somebody
TEMPO = 0.4  # seconds between the actions of bots
RESTART = (0.3, 4.0)  # seconds after which a node that has crashed is there again


class NoKeys:
    """Instead of the keys of web push, whose messages the simulation does not encrypt."""

    private = SimpleNamespace(sign=lambda _: {})

    def make(self) -> None:
        """Nothing is needed."""


class CourierModel:
    """Brings what is sent to browsers and webhooks; some of it gets lost, and some answers."""

    def __init__(self, world: "Simulation", random: Random) -> None:
        self._world, self._random = world, random

    def post(self, address: Any, body: bytes, _: Any) -> int:
        """Bring a message; returns the status of the answer. Raises Undelivered."""
        lost = self._world.rates["message lost"]
        if self._random.random() < lost:
            raise Undelivered("it is lost")
        try:
            self._world.calls.post(f"{address.origin}{address.path}", body)
        except Violated as error:
            self._world.violate(error)
        if self._random.random() < lost:
            self._world.trouble_now()
            return 503
        return 201


class House:
    """One node, from each `open` to the next crash."""

    def __init__(self, number: int, world: "Simulation", file: Path) -> None:
        self.number, self.up, self.world = number, False, world
        self.random = Random(f"{world.seed} node {number}")
        self._file, self._timeline, self._disk = file, world.timeline, world.disk
        self.clock = NodeClock(world.timeline, number)
        self.clock.alive = self.alive
        self.lives = 0
        self.since = 0.0  # when it was opened

    def open(self) -> None:
        """Start everything that a server process starts. A database that refuses delays it."""
        self._disk.crashed.discard(self.number)
        self.lives += 1
        try:
            with self.world.ledger.does(self.number, "open"):
                self._make()
        except Crash:
            self.crash("while it starts")
        except ValueError:  # the file is locked
            self._timeline.later(1.0, self.open)
        else:
            self.up, self.since = True, self._timeline.passed
            self._timeline.note("node", self.number, "is up")

    def _make(self) -> None:
        clock, world = self.clock, self.world
        self.store = NodeFile(self._file, world.server, self._disk, clock, self.number)
        self.node = ClusterNode(self.store, clock=clock, tempo=TEMPO, threads=1)
        clock.messages = lambda: any(one.ready for one in self.store.listeners)
        self.authority = Authority(
            self.store, GAMES, clock=clock, node=self.node, away_after=AWAY_AFTER
        )
        self.authority.listen(self._told)
        self.authority.attendance.on_visit.append(world.calls.looked)
        courier = CourierModel(world, self.random)
        scheduler = ClusterScheduler(self.authority, self.node, NoKeys(), courier, 2.0)  # type: ignore[arg-type]
        self.jobs = BackgroundJobs(self.authority, scheduler, TEMPO, self._sweep)
        turns = ClaimedTurns(self.authority, self.node)
        self.driver = Driver(self.authority, turns, workers=1, seed=self.random.getrandbits(32))
        self.jobs.start()
        self.driver.start()

    def _sweep(self) -> None:
        self.authority.sweep()

    def _told(self, live: TableState) -> None:
        """A change is told: it must be stored by now."""
        try:
            self.world.ledger.follows(self.number, live)
        except Violated as error:
            self.world.violate(error)

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
        self.world.trouble_now()
        self.up = False
        self._disk.crashed.add(self.number)
        self._timeline.forget(self.number)
        if hasattr(self, "store"):
            with suppress(Crash):
                self.store.close()
        self._timeline.later(self.random.uniform(*RESTART), self.open)

    def close(self) -> None:
        """End, as a server process that is stopped."""
        if self.up:
            with self.world.ledger.does(self.number, "close"):
                self.driver.stop()
                self.jobs.stop()
                self.store.close()
            self.up = False
