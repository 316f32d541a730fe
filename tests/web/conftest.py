"""A server without a network: the application over a table of its own, and browsers for it."""

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from starlette.applications import Starlette

from diablerie.table.authority import Authority
from diablerie.web.app import create_app
from tests.stores import new_store
from tests.web.client import Client


@pytest.fixture(autouse=True)
def own_hook(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a test's server does with threads that fail is over with the test."""
    monkeypatch.setattr(threading, "excepthook", threading.excepthook)


@pytest.fixture
def authority(tmp_path: Path) -> Iterator[Authority]:
    store = new_store(tmp_path / "tables.db")
    yield Authority(store)
    store.close()


@pytest.fixture
def app(authority: Authority) -> Starlette:
    return create_app(authority)


@pytest.fixture
def browser(app: Starlette) -> Callable[[], Client]:
    """A fresh browser, each with an address of its own."""
    count = iter(range(1, 250))
    return lambda: Client(app, f"10.0.0.{next(count)}")


@pytest.fixture
def ann(browser: Callable[[], Client]) -> Client:
    return browser()


@pytest.fixture
def bo(browser: Callable[[], Client]) -> Client:
    return browser()


@pytest.fixture
def link(ann: Client) -> str:
    """The page of a group of Oma's, at Ann's browser."""
    answer = ann.send("/groups", name="The Hoofs", person="Oma")
    assert answer.status_code == 303
    return str(answer.headers["location"])
