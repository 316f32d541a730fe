"""Figures for Prometheus: on a port of their own, so that they are not on the public path.

What is counted names no table, person or address.
"""

import threading
from collections.abc import Iterator
from wsgiref.simple_server import WSGIServer

from cachetools import LRUCache
from prometheus_client import CollectorRegistry, Counter, Histogram, start_http_server
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector
from starlette.types import ASGIApp, Scope

from diablerie.table.authority import Authority
from diablerie.table.health import Health
from diablerie.table.live import OPEN, OVER, RUNNING, Live
from diablerie.web.logs import Answered

BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)  # seconds
KEPT = 20_000  # tables whose length is remembered
STREAM = "/stream"  # how the routes end whose answers last


class Metrics:
    """The figures of one server, in a registry of their own."""

    def __init__(self, authority: Authority, health: Health) -> None:
        self.registry = CollectorRegistry()
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
        self._seen: LRUCache[str, int] = LRUCache(KEPT)
        self._server: WSGIServer | None = None
        self._thread: threading.Thread | None = None
        self.registry.register(Standing(authority, health))
        authority.tables.listen(self._played)

    def serve(self, port: int, host: str = "127.0.0.1") -> None:
        """Answer at a port. Raises OSError if it is taken."""
        self._server, self._thread = start_http_server(port, host, self.registry)

    def close(self) -> None:
        """Answer no more."""
        if self._server is not None and self._thread is not None:
            self._server.shutdown()
            self._server.server_close()
            self._thread.join()

    def _played(self, live: Live) -> None:
        before = self._seen.get(live.id, live.ply)
        self._seen[live.id] = live.ply
        self.plies.labels(live.game.name).inc(max(0, live.ply - before))


class Standing(Collector):
    """How it stands at the moment of asking."""

    def __init__(self, authority: Authority, health: Health) -> None:
        self._authority, self._health = authority, health

    def collect(self) -> Iterator[Metric]:
        """All gauges."""
        healthy = not self._health.trouble
        yield GaugeMetricFamily("diablerie_healthy", "1 if the database takes writes", healthy)
        streams = self._authority.hub.listeners()
        yield GaugeMetricFamily("diablerie_streams", "Pages that listen to a table", streams)
        tables = GaugeMetricFamily("diablerie_tables", "Tables by status", labels=["status"])
        if healthy:
            counts = self._authority.store.counted()
            for status in (OPEN, RUNNING, OVER):
                tables.add_metric([status], counts.get(status, 0))
        yield tables


class Measured(Answered):
    """ASGI middleware: how long every route takes."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        super().__init__(app)
        self.metrics = metrics

    def note(self, scope: Scope, status: int, seconds: float) -> None:
        """Count it, by its route as it is written, which names no table."""
        route = getattr(scope.get("route"), "path", "none")
        if not route.endswith(STREAM):
            self.metrics.requests.labels(route, str(status or 500)).observe(seconds)
