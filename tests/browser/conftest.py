"""A real server on this machine, and Chromium to look at it.

Where there is no Chromium these tests are skipped, except in CI: there it is a failure.
"""

import os
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from diablerie.daily.challenge import utc_day
from diablerie.table.state import nonce_exchange
from diablerie.web.process.serve import bind
from diablerie.web.process.server_process import Server, ServerProcess
from tests.browser.stage import house, stage, table  # noqa: F401 (fixtures)
from tests.daily.challenges import FEW, beginning

CHROMIUM = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
PLAYED = {
    "test_advice", "test_duel", "test_kitchen", "test_requests", "test_shares", "test_tails",
    "test_underworld", "test_whole_games",
}  # fmt: skip
WIDE, NARROW = {"width": 1440, "height": 900}, {"width": 390, "height": 844}
expect.set_options(timeout=30_000)  # machines that test are busy


def executable() -> str | None:
    """The browser to test with: the one that the variable CHROMIUM names, or the first found."""
    chosen = os.environ.get("CHROMIUM")
    if chosen and not shutil.which(chosen):
        pytest.fail(f"CHROMIUM names {chosen}, which is not installed")
    return next(filter(None, map(shutil.which, [chosen] if chosen else CHROMIUM)), None)


class Running:
    """A server in a thread; `stop` and `start` are a restart on the same port and database."""

    def __init__(self, db: Path, tempo: float = 0.0) -> None:
        self.db, self.tempo = db, tempo
        self.port = 0
        self.start()

    def start(self) -> None:
        listening = bind("127.0.0.1", self.port)
        self.port = listening.getsockname()[1]
        self.house = ServerProcess(listening, "127.0.0.1", str(self.db), tempo=self.tempo)
        self.house.authority.limits = Unlimited()
        self.house.analyst.games = 20  # from each position: enough for a picture
        # Whatever day it is, today's challenge is the first of the list.
        today = utc_day(time.time())
        self.house.app.state.calendar = beginning(today - timedelta(days=300 * len(FEW)))
        ready = threading.Event()
        self.server = Server(self.house, ready.set)
        self.thread = threading.Thread(target=self.server.run, args=([listening],))
        self.thread.start()
        assert ready.wait(60)
        while not all(self.house.compiler.compiled().values()):
            time.sleep(0.1)

    def stop(self) -> None:
        self.server.should_exit = True
        self.thread.join(60)
        assert not self.thread.is_alive()

    @property
    def home(self) -> str:
        return f"http://127.0.0.1:{self.port}"


class Unlimited:
    """No bounds: all the browsers of these tests have one address."""

    def take(self, kind: str, client: str) -> None:
        """Let everything pass."""

    count = count_here = take

    def place(self, client: str) -> AbstractContextManager[bool]:
        return nullcontext(True)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Three groups that take about equally long, each with one server and one browser.

    They are the tours of every page, the games that are played, and the rest.
    """
    here = Path(__file__).parent
    for item in items:
        if item.path.parent == here:
            name = item.path.stem
            group = (
                "pages" if name == "test_every_page" else "games" if name in PLAYED else "browser"
            )
            item.add_marker(pytest.mark.xdist_group(group))


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    running = Running(tmp_path_factory.mktemp("server") / "tables.db")
    yield running
    running.stop()


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A browser on a busy machine is waited for."""
    monkeypatch.setattr(nonce_exchange, "NONCE_GRACE_SECONDS", 120.0)


@pytest.fixture
def same_bots(server: Running) -> None:
    """The devils of a test draw the same, too."""
    server.house.jobs.driver._player._seeds.seed(1)


def same_share(browser: int) -> str:
    """A script: what a test's browsers throw in is the same whenever it runs, each its own."""
    first = 7 + 16 * browser
    return f"let k = {first}; crypto.getRandomValues = (bytes) => bytes.fill(k++)"


# Not for the whole session: while it runs, no other test could use asyncio.run.
@pytest.fixture(scope="package")
def chromium() -> Iterator[Browser]:
    yield from browser()


def browser() -> Iterator[Browser]:
    """The system's Chromium, for one fixture."""
    found = executable()
    if found is None:
        if os.environ.get("CI"):
            pytest.fail("Chromium is missing, and in CI these tests must run")
        pytest.skip("Chromium is not installed: apt-get install chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def visit(chromium: Browser, server: Running, same_bots: None) -> Iterator[Callable[..., Page]]:
    """A fresh browser at the landing page; what its console complains about fails the test."""
    contexts: list[BrowserContext] = []
    complaints: list[str] = []

    def visited(viewport: Any = WIDE, scripted: bool = True, **more: Any) -> Page:
        more.setdefault("reduced_motion", "reduce")
        context = chromium.new_context(viewport=viewport, java_script_enabled=scripted, **more)
        context.add_init_script(f"{{ {same_share(len(contexts))} }}")
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda said: _complaint(said, complaints))
        page.goto(server.home)
        return page

    yield visited
    for context in contexts:
        context.close()
    assert not complaints


def _complaint(said: Any, complaints: list[str]) -> None:
    # a refused form and a server that is away are part of the tests
    expected = "the server responded with a status of 4", "net::ERR_"
    if said.type == "error" and not any(text in said.text for text in expected):
        complaints.append(said.text)
