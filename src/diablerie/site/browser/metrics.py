"""A stand-in for prometheus-client: nobody asks a browser for figures, so none are counted."""

from __future__ import annotations


class CollectorRegistry:
    """A registry that keeps nothing."""

    def __init__(self, *_: object, **__: object) -> None:
        """Whatever a metric, a registry or a collector is made with."""

    def register(self, _: object) -> None:
        """Without effect."""

    def labels(self, *_: object) -> CollectorRegistry:
        """Itself, whatever the labels are."""
        return self

    def inc(self, _: float = 1) -> None:
        """Without effect."""

    def observe(self, _: float) -> None:
        """Without effect."""


class Collector(CollectorRegistry):
    """A class to derive from."""


Counter = Histogram = GaugeMetricFamily = Metric = MultiProcessCollector = CollectorRegistry


def start_http_server(*_: object) -> None:
    """Raise OSError: a browser serves nothing."""
    raise OSError("a browser serves nothing")
