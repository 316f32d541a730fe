"""A process that answers browsers: all its parts, made, started and stopped; and its background jobs.

The jobs are for all tables: bots, turn clocks, notifications, tables that wait, the sweep. A process
that has its database alone does all of that. Of several that share one, other processes play for bots
(`diablerie bots`), and the leader (`table/cluster/leader.py`) does the rest.
"""

import gc
import logging
import os
import socket
from collections.abc import Callable
from contextlib import ExitStack

from starlette.middleware import Middleware
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from diablerie.compiling.rules_compiler import RulesCompiler
from diablerie.runtime.background import Background
from diablerie.table.authority import Authority
from diablerie.table.bots.deadlines import Deadlines
from diablerie.table.bots.driver import BOT_SECONDS, Driver
from diablerie.table.bots.match_analysis import Analyst
from diablerie.table.bots.waiting_tables import WaitingTables
from diablerie.table.cluster.cluster_node import ClusterNode
from diablerie.table.errors import Unavailable
from diablerie.table.node import Node
from diablerie.table.storage.database import file_of
from diablerie.table.storage.lock import Lock
from diablerie.table.storage.store import Health, Store
from diablerie.web.app import Services, create_app
from diablerie.web.edges.metrics import METRICS_FOLDER_VARIABLE, Metrics
from diablerie.web.edges.network_switch import NetworkSwitch
from diablerie.web.edges.security import FirstScheme
from diablerie.web.edges.settings import host_name, metrics_address, own_hosts, trusted_proxies
from diablerie.web.html.reach import EVERYWHERE
from diablerie.web.notifications.cluster_scheduler import ClusterScheduler
from diablerie.web.notifications.messages import Keys, key_file
from diablerie.web.notifications.scheduler import NotificationScheduler
from diablerie.web.process.sockets import LimitedServer, SecondSocket
from diablerie.web.routes.meeting import closed_rooms
from diablerie.web.routes.rules import load_pictures

log = logging.getLogger("diablerie.web")


# -- background jobs -------------------------------------------------------------------------------


class BackgroundJobs:
    """Runs the jobs of this process from `start` to `stop`, some of them while it leads."""

    def __init__(
        self,
        authority: Authority,
        scheduler: NotificationScheduler,
        tempo: float,
        sweep: Callable[[], None],
    ) -> None:
        """`tempo` is the bots' (see `turn_queue`); `sweep` is called when this process leads."""
        self._authority = authority
        self._scheduler = scheduler
        self._sweep = sweep
        self._node = authority.node
        self._leader = self._node.leader(self._begin, self._end)
        self.deadlines = Deadlines(authority, self.leads)
        self.waiting = WaitingTables(authority, self.leads)
        self.driver = Driver(authority, tempo=tempo) if self._node.plays_bots else None

    def leads(self) -> bool:
        """Whether this process does what one process does for all."""
        return self._leader.leads

    def start(self) -> None:
        """Begin, and become the leader if there is none."""
        if self.driver:
            self.driver.start()
        self.deadlines.start()
        self.waiting.start()
        self._scheduler.start()
        try:
            self._node.start()
        except Unavailable:
            log.error("the other processes are not heard of yet")
        try:
            self._leader.elect()
        except Exception as error:
            log.error("there is no leader yet: %s", " ".join(str(error).split()))

    def stop(self) -> None:
        """End; another process leads a sweep later."""
        self.waiting.stop()
        if self.driver:
            self.driver.stop()
        self.deadlines.stop()
        self._scheduler.stop()
        self._node.stop()
        self._leader.resign()

    def _begin(self) -> None:
        self.deadlines.wake()
        self._scheduler.lead()
        self._node.queue_bots(self._authority.lives)
        self._sweep()

    def _end(self) -> None:
        self.deadlines.wake()
        self._scheduler.follow()


# -- the process -----------------------------------------------------------------------------------

SWEEP_SECONDS = 24 * 3600  # seconds between two sweeps
YOUNG_OBJECTS = 10_000  # new objects between two looks for cycles; Python's own number is 700
YOUNG_COLLECTIONS = 3  # looks at new objects between two at younger ones, which take up to 60 ms
MIDDLE_COLLECTIONS = (
    150  # of these between two at all: half a second at 300 tables, nothing else runs
)


class ServerProcess:
    """The parts of a server: store, authority, background jobs, rules compiler, pages."""

    def __init__(
        self,
        listening: socket.socket,
        host: str,
        db: str,
        tempo: float | None = None,
        network: NetworkSwitch | None = None,
    ) -> None:
        """`network` can open and close the server; without it `host` decides once for all."""
        self.network = network or NetworkSwitch(everywhere=host in EVERYWHERE)
        self.port = listening.getsockname()[1]
        self._daily = Background("daily", self._sweep_daily)
        self._loading = Background("loading", self.load, once=True)
        self.proxies = trusted_proxies()
        hosts = {socket.gethostname(), *own_hosts()} | ({host_name(host)} if host else set())
        with ExitStack() as held:
            self._make(db, tempo, hosts, held)
            self._held = held.pop_all()

    def _make(self, db: str, tempo: float | None, hosts: set[str], held: ExitStack) -> None:
        """Make the parts; what has to be closed is `held`, also if a later part cannot be made."""
        path = file_of(db)
        # A file has one process, which the lock makes sure of; a shared database needs a node.
        self.lock = None if path is None else Lock(path)
        if self.lock:
            held.callback(self.lock.release)
        self.store = Store(db)
        held.callback(self.store.close)
        self.health = Health(self.store)
        self.compiler = RulesCompiler()
        tempo = BOT_SECONDS if tempo is None else tempo
        several = self.store.database.shared
        self.node = ClusterNode(self.store, tempo=tempo) if several else Node(self.store)
        self.authority = Authority(
            self.store,
            can=self.compiler.can,
            node=self.node,
        )
        self.analyst = Analyst(self.authority)
        self.metrics = metrics_of(self.authority, self.health)
        if self.metrics:
            held.callback(self.metrics.close)
        keys = Keys(key_file(path))
        self.scheduler = (
            ClusterScheduler(self.authority, self.node, keys)
            if isinstance(self.node, ClusterNode)
            else NotificationScheduler(self.authority, keys)
        )
        self.jobs = BackgroundJobs(self.authority, self.scheduler, tempo, self.sweep)
        self.app = create_app(
            self.authority,
            Services(
                compiler=self.compiler,
                analyst=self.analyst,
                health=self.health,
                metrics=self.metrics,
                scheduler=self.scheduler,
                rooms=None if several else closed_rooms(),
            ),
            hosts=hosts,
            network=self.network,
            behind=behind(self.proxies),
        )

    def open(self) -> None:
        """Start the background jobs, and have the rules compiled that are not compiled yet."""
        self.health.start()
        self.jobs.start()
        self.analyst.start()
        self.compiler.start()
        self._daily.start(SWEEP_SECONDS)
        self._loading.start()

    def load(self) -> None:
        """Load what pictures need, and what is compiled of games, before somebody waits for it."""
        for game in self.authority.games.values():
            if not self._loading.stopping:
                load_pictures(game)

    def sweep(self) -> None:
        """Delete abandoned tables and what expired; never raises."""
        try:
            self.authority.sweep()
        except Exception:
            log.exception("tables that were given up could not be removed")

    def _sweep_daily(self) -> float:
        if self.jobs.leads():
            self.sweep()
        return SWEEP_SECONDS

    def close(self) -> None:
        """Stop everything that `open` started, and close what is held: the database, its lock."""
        self._daily.stop(0.0)
        self._loading.stop(0.0)
        self.health.stop()
        self.compiler.stop()
        self.jobs.stop()
        self.analyst.stop()
        self.app.state.painter.stop()
        self._held.close()


def behind(proxies: str | list[str]) -> list[Middleware]:
    """The middleware that reads what trusted proxies say of a request; none if there are none."""
    if not proxies:
        return []
    return [Middleware(FirstScheme), Middleware(ProxyHeadersMiddleware, trusted_hosts=proxies)]


def metrics_of(authority: Authority, health: Health) -> Metrics | None:
    """Metrics for Prometheus if DIABLERIE_METRICS names a port, see docs/hosting.md.

    Raises ValueError, with a sentence, for a port that cannot be used.
    """
    if not metrics_address():
        return None
    metrics = Metrics(authority, health)
    if not os.environ.get(METRICS_FOLDER_VARIABLE):  # else the supervisor serves them
        metrics.serve_as_told()
    return metrics


def collect_less_garbage() -> None:
    """Have Python look for cycles seldom, and not among what is there at the start.

    Frames are many small objects without cycles. To look through them again and again took a tenth
    of the time. Yet a look at 50,000 objects stops everything for a tenth of a second.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG_OBJECTS, YOUNG_COLLECTIONS, MIDDLE_COLLECTIONS)


class Server(LimitedServer):
    """A server, with streams that end when it stops."""

    def __init__(self, process: ServerProcess, ready: Callable[[], None]) -> None:
        super().__init__(process.app, process.authority.limits, process.proxies)
        self.process = process
        self.ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to answer, and then start everything else."""
        await super().startup(sockets)
        self.process.network.attach(SecondSocket(self, self.process.port))
        self.ready()
        self.process.open()
        collect_less_garbage()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Close the streams first, because uvicorn waits for open requests."""
        self.process.authority.hub.close()
        if rooms := self.process.app.state.meeting:
            rooms.close()
        await super().shutdown(sockets)
        self.process.close()
