"""Fixtures that all tests share, and how many processes run them."""

import gc
import os
import secrets
import zlib
from collections import Counter
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from jinja2 import FileSystemBytecodeCache

from diablerie.engine.compile_notice import SHOWN_NOTICE
from diablerie.engine.fair import DiceStream
from diablerie.engine.game import Game
from diablerie.engine.rng import below, seeded
from diablerie.games import ALL
from diablerie.web.html.templates import Templates
from tests import postgres, stores
from tests.scheduling import ByParameters

IN_CI = "in CI"
CHANCE = secrets.token_bytes
SHOWN_NOTICE.quiet = True  # what tests read on standard error does not depend on the cache


def pytest_xdist_auto_num_workers() -> int:
    """One worker more than there are cores: some often wait for a browser or a server."""
    return (os.cpu_count() or 1) + 1


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> ByParameters | None:
    """With `--dist loadgroup` what shares a module and parameters goes to one worker, too."""
    return ByParameters(config, log) if config.getvalue("dist") == "loadgroup" else None


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Say at the end how many tests were skipped, by reason, and which needed a second try."""
    reports = terminalreporter.stats.get("skipped", [])
    for reason, number in Counter(str(one.longrepr[-1]) for one in reports).most_common():
        terminalreporter.write_line(f"{number} skipped: {reason.removeprefix('Skipped: ')}")
    for report in terminalreporter.stats.get("rerun", []):
        terminalreporter.section(f"tried twice: {report.nodeid}")
        terminalreporter.write_line(report.longreprtext)


@pytest.fixture(scope="session", autouse=True)
def compiled_templates(pytestconfig: pytest.Config) -> None:
    """Templates of pages stay compiled for the next run: all of them take a second in a process."""
    if cache := getattr(pytestconfig, "cache", None):  # none with `-p no:cacheprovider`
        kept = FileSystemBytecodeCache(str(cache.mkdir("templates")))
        setattr(Templates, "bytecode_cache", property(lambda _: kept, lambda *_: None))  # noqa: B010


@pytest.fixture(scope="session", autouse=True)
def compiled_rules() -> None:
    """Tests run what is compiled: after its first use `diablerie.start` interprets nothing."""
    below(seeded(1), 6)


@pytest.fixture(autouse=True)
def same_dice(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    """The matches of a test have the same keys whenever it runs: it passes always or never.

    A test that replaces chance itself (`secrets.token_bytes`) draws its keys from there.
    """
    fresh = DiceStream.fresh
    seeds = count(zlib.crc32(request.node.name.encode()))

    def repeatable() -> DiceStream:
        if secrets.token_bytes is not CHANCE:
            return fresh()
        return DiceStream(DiceStream.seeded(next(seeds)).key)

    monkeypatch.setattr(DiceStream, "fresh", repeatable)


@pytest.fixture(params=sorted(ALL))
def game(request: pytest.FixtureRequest) -> Game:
    """Every game in turn."""
    return ALL[request.param]


@pytest.fixture(scope="session")
def server() -> Iterator[postgres.Server]:
    """A PostgreSQL of this process's own, started when the first test asks for it."""
    made = postgres.started()
    made.create("tables")
    yield made
    made.remove()


@pytest.fixture
def served(server: postgres.Server) -> str:
    """The address of a PostgreSQL database with the tables and nothing in them."""
    return postgres.emptied(server.url("tables"))


@pytest.fixture
def db(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where a test's tables are: a file, or a PostgreSQL database (see `pytest_generate_tests`)."""
    if getattr(request, "param", "sqlite") == "sqlite":
        file = tmp_path / "tables.db"
        file.write_bytes(stores.empty())
        return str(file)
    address: str = request.getfixturevalue("served")
    return address


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """What modules with ON_BOTH do to a database is done to each kind of database.

    With ON_BOTH = IN_CI only CI has PostgreSQL, too: nearly all statements of those modules are sent
    to PostgreSQL in `make test`, too, by others (those of groups by `web/test_several.py`).
    """
    both = getattr(metafunc.module, "ON_BOTH", False)
    if both and "db" in metafunc.fixturenames:
        marks = (pytest.mark.ci,) if both == IN_CI else ()
        served = pytest.param("postgresql", marks=marks)
        metafunc.parametrize("db", ["sqlite", served], indirect=True)


def pytest_configure() -> None:
    """Until all tests are collected nearly everything stays: to look for garbage takes seconds."""
    gc.disable()


def pytest_collection_finish() -> None:
    """Modules and items stay to the end: the garbage collector need not look at them again."""
    gc.freeze()
    gc.enable()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What one worker must do alone begins first, so that no other waits for it at the end."""
    if os.environ.get("CI"):
        try_browsers_twice(items)
    items.sort(key=lambda item: item.get_closest_marker("xdist_group") is None)


def try_browsers_twice(items: list[pytest.Item]) -> None:
    """Have a test in a browser tried once more if it fails; the end of the run prints why it did.

    Several pages and servers share two cores in CI, in an order that nobody chooses.
    """
    for item in items:
        if item.get_closest_marker("browser"):
            item.add_marker(pytest.mark.flaky(reruns=1))
