"""Several processes on one database: authorities of this one, each with its own memory.

The database is a PostgreSQL server, or the model of one that the simulation uses (`tests/storm`).
"""

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from diablerie.runtime.clock import SYSTEM_CLOCK
from diablerie.table.authority import Authority
from diablerie.table.cluster.cluster_node import ClusterNode
from diablerie.table.storage.store import Store
from tests.storm.shared_file import ServerModel, SharedFile
from tests.table.conftest import GAMES, Clock

PATIENCE = 60.0  # seconds; machines that test are busy


class Ticks(Clock):
    """Unix time and the monotonic clock, both set by hand."""

    def monotonic(self) -> float:
        return self.now


class One(NamedTuple):
    """A process: what it knows, and what it shares."""

    authority: Authority
    node: ClusterNode


Opening = Callable[..., One]


@pytest.fixture(params=["postgresql", "model"])
def opening(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Opening]:
    """Opens another process on the database; with `threads` for that many bots."""
    opened: list[One] = []
    model = request.param == "model"
    served, server = "" if model else request.getfixturevalue("served"), ServerModel()

    def one(threads: int = 0, tempo: float = 0.0, clock: Clock | None = None) -> One:
        file = tmp_path / "tables.db"
        store = SharedFile(file, server) if model else Store(served, durable=False)
        node = ClusterNode(store, tempo=tempo, threads=threads, clock=clock or SYSTEM_CLOCK)
        opened.append(One(Authority(store, GAMES, node=node), node))
        return opened[-1]

    yield one
    for made in opened:
        made.node.stop()
        made.authority.store.close()


@pytest.fixture
def two(opening: Opening) -> tuple[One, One]:
    return opening(), opening()


def wait(done: Callable[[], bool]) -> None:
    until = time.monotonic() + PATIENCE
    while not done():
        assert time.monotonic() < until
        time.sleep(0.01)
