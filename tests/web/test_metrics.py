"""Figures for Prometheus: true, without names, and not on the public path."""

from collections.abc import Iterator

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families
from starlette.applications import Starlette

from diablerie.table.authority import Authority
from diablerie.table.storage.store import Health
from diablerie.web.app import Services, create_app
from diablerie.web.edges.metrics import Metrics
from diablerie.web.process import serve, server_process
from tests.web.client import Client


@pytest.fixture
def metrics(authority: Authority) -> Metrics:
    return Metrics(authority, Health(authority.store))


@pytest.fixture
def app(authority: Authority, metrics: Metrics) -> Starlette:
    return create_app(authority, Services(metrics=metrics))


def shown(metrics: Metrics) -> Iterator[tuple[str, dict[str, str], float]]:
    from prometheus_client import generate_latest

    text = generate_latest(metrics.registry).decode()
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            yield sample.name, sample.labels, sample.value


def value(metrics: Metrics, name: str, **labels: str) -> float:
    return sum(v for n, had, v in shown(metrics) if n == name and labels.items() <= had.items())


def test_figures_follow_what_happens(ann: Client, metrics: Metrics, authority: Authority):
    table = ann.open(open="1")
    assert value(metrics, "diablerie_tables", status="open") == 1
    ann.call(f"{table}/fill", bot="random")
    assert ann.act(table, "bet 20").status_code == 200
    assert ann.act(table, "bet 20").status_code != 200
    assert value(metrics, "diablerie_tables", status="running") == 1
    assert value(metrics, "diablerie_plies_total", game="coals") >= 1
    count = "diablerie_request_seconds_count"
    assert value(metrics, count, route="/t/{id}/decide", status="200") == 1
    assert value(metrics, count, route="/t/{id}/decide") == 2
    assert value(metrics, "diablerie_healthy") == 1
    secret = table.rpartition("/")[2]
    assert all(secret not in str(sample) for sample in shown(metrics))


def test_an_ill_database_is_told(ann: Client, metrics: Metrics, authority: Authority):
    authority.store._note_trouble("disk full")
    assert value(metrics, "diablerie_healthy") == 0
    assert not [labels for name, labels, _ in shown(metrics) if name == "diablerie_tables"]


def test_the_public_path_has_none(ann: Client):
    assert ann.get("/metrics").status_code == 404


def test_a_port_of_its_own(authority: Authority, monkeypatch: pytest.MonkeyPatch):
    health = Health(authority.store)
    monkeypatch.delenv("DIABLERIE_METRICS", raising=False)
    assert server_process.metrics_of(authority, health) is None
    with serve.bind("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        monkeypatch.setenv("DIABLERIE_METRICS", str(port))
        with pytest.raises(ValueError, match=f"DIABLERIE_METRICS={port}"):
            server_process.metrics_of(authority, health)
    monkeypatch.setenv("DIABLERIE_METRICS", "many")
    with pytest.raises(ValueError, match="no port"):
        server_process.metrics_of(authority, health)
    monkeypatch.setenv("DIABLERIE_METRICS", str(port))
    made = server_process.metrics_of(authority, health)
    assert made is not None
    assert "diablerie_healthy 1.0" in httpx.get(f"http://127.0.0.1:{port}/metrics").text
    made.close()
    with pytest.raises(httpx.ConnectError):
        httpx.get(f"http://127.0.0.1:{port}/metrics")
