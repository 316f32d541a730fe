"""What operators ask a server: metrics for Prometheus, and whether it is healthy.

Metrics have a port of their own, so that the public cannot read them. None of them names a table,
a person or an address.
"""

import os
import threading
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import sqlalchemy as sa
from cachetools import LRUCache
from prometheus_client import CollectorRegistry, Counter, Histogram, start_http_server
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Scope

import diablerie
from diablerie.compiling.rules_compiler import RulesCompiler
from diablerie.table.authority import Authority
from diablerie.table.state.table_state import FINISHED_TABLE, OPEN_TABLE, RUNNING, TableState
from diablerie.table.storage import schema
from diablerie.table.storage.store import Health, Store
from diablerie.web.edges.logs import ResponseTimer
from diablerie.web.edges.settings import METRICS, metrics_address

if TYPE_CHECKING:
    from wsgiref.simple_server import WSGIServer

BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)  # seconds
TABLES_MEASURED = 20_000  # tables whose number of plies is remembered
# where prometheus-client keeps metrics of several processes
METRICS_FOLDER_VARIABLE = "PROMETHEUS_MULTIPROC_DIR"
STREAM_ENDING = "/stream"  # the end of routes whose responses last as long as the client listens


class Figures:
    """A registry of metrics, and the port that serves it."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self._server: WSGIServer | None = None
        self._thread: threading.Thread | None = None

    def serve(self, port: int, host: str = "127.0.0.1") -> None:
        """Serve the metrics at a port. Raises OSError if it is taken."""
        self._server, self._thread = start_http_server(port, host, self.registry)

    def serve_as_told(self) -> bool:
        """Serve at [HOST:]PORT from DIABLERIE_METRICS; return whether that is set.

        Without a host, only this machine can connect. Raises ValueError, with a sentence, if the
        port cannot be opened.
        """
        address = metrics_address()
        if address is None:
            return False
        host, port = address
        try:
            self.serve(port, host)
        except OSError as error:
            setting = os.environ[METRICS]
            raise ValueError(f"{METRICS}={setting}: no port to listen on ({error})") from None
        return True

    def close(self) -> None:
        """Close the port."""
        if self._server is not None and self._thread is not None:
            self._server.shutdown()
            self._server.server_close()
            self._thread.join()


class Metrics(Figures):
    """The metrics of one process.

    If the environment variable METRICS_FOLDER_VARIABLE names a folder, prometheus-client keeps them
    in files there,
    for the process that serves the metrics of all.
    """

    def __init__(self, authority: Authority, health: Health) -> None:
        super().__init__()
        self.requests = Histogram(
            "diablerie_request_seconds",
            "Time to the end of an answer; streams are not counted",
            ("route", "status"),
            buckets=BUCKETS,
            registry=self.registry,
        )
        self.plies = Counter(
            "diablerie_plies", "Plies played here", ("game",), registry=self.registry
        )
        self._counted: LRUCache[str, int] = LRUCache(TABLES_MEASURED)
        self.registry.register(Gauges(authority.store, health, authority.hub.listeners))
        authority.listen(self._played)

    def _played(self, live: TableState) -> None:
        before = self._counted.get(live.id, live.ply)
        self._counted[live.id] = live.ply
        self.plies.labels(live.game.name).inc(max(0, live.ply - before))


class Gathered(Figures):
    """The metrics of several processes that share the tables, read from their files."""

    def __init__(self, store: Store, health: Health) -> None:
        super().__init__()
        MultiProcessCollector(self.registry)  # type: ignore[no-untyped-call]
        self.registry.register(Gauges(store, health, lambda: _looking(store)))


def _looking(store: Store) -> int:
    """How many pages are subscribed to a table, in all live processes."""
    k = schema.presence.c
    p = schema.processes.c
    wanted = sa.select(sa.func.sum(k.pages)).where(k.process.in_(sa.select(p.id)))
    (row,) = store.select(wanted)
    return int(row[0] or 0)


class Gauges(Collector):
    """Gauges, read when Prometheus asks: health, open streams, tables by status."""

    def __init__(self, store: Store, health: Health, streams: Callable[[], int]) -> None:
        self._store = store
        self._health = health
        self._streams = streams

    def collect(self) -> Iterator[Metric]:
        """All gauges."""
        healthy = not self._health.trouble
        yield GaugeMetricFamily("diablerie_healthy", "1 if the database takes writes", healthy)
        streams = GaugeMetricFamily("diablerie_streams", "Pages that listen to a table")
        tables = GaugeMetricFamily("diablerie_tables", "Tables by status", labels=["status"])
        if healthy:
            streams.add_metric([], self._streams())
            counts = self._store.counted()
            for status in (OPEN_TABLE, RUNNING, FINISHED_TABLE):
                tables.add_metric([status], counts.get(status, 0))
        yield streams
        yield tables


class RequestMetrics(ResponseTimer):
    """ASGI middleware that counts requests and their time by route."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        super().__init__(app)
        self.metrics = metrics

    def on_response(self, scope: Scope, status: int, seconds: float) -> None:
        """Count the request by its route (`/t/{id}`), which names no table."""
        route = getattr(scope.get("route"), "path", "none")
        if not route.endswith(STREAM_ENDING):
            self.metrics.requests.labels(route, str(status or 500)).observe(seconds)


async def healthz(request: Request) -> Response:
    """GET /healthz, for a supervisor or a load balancer; it says which rules are compiled, too.

    It waits for no thread and no database: `Health` checks the database at intervals.
    """
    health: Health = request.app.state.health
    compiler: RulesCompiler | None = request.app.state.compiler
    compiled = compiler.compiled() if compiler else {}
    rules = {name: "compiled" if done else "interpreted" for name, done in compiled.items()}
    said: dict[str, object] = {"version": diablerie.__version__, "rules": rules}
    running, of = request.app.state.processes()
    if running < of:
        said["processes"] = {"running": running, "of": of}
    if health.trouble:
        return JSONResponse({"status": "unhealthy", "database": health.trouble, **said}, 503)
    return JSONResponse({"status": "ok" if running == of else "degraded", **said})
