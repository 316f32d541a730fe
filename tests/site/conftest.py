"""The static site, built once with COASTERS, on a server of its own, as a browser gets it."""

import functools
import json
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser, BrowserContext, FrameLocator, Page

from diablerie.engine.sources import cache_root
from diablerie.games import ALL, OURS
from diablerie.site.folder import build_steps, digests
from diablerie.site.modules import CannotBuild
from tests.browser.conftest import browser

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "coasters" / "src" / "coasters"
PHONE = {"width": 390, "height": 844}
AWAKE = 120_000  # milliseconds within which Python runs, on a busy machine
HASTY = ("cookies: `${DATA}/cookies.json`", "cookies: `${DATA}/cookies.json`, tempo: 0")


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """For one module alone: while it runs, no other test of its worker could use asyncio.run."""
    yield from browser()


@pytest.fixture(scope="package")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that `diablerie site` makes where COASTERS is installed.

    The variable SITE may name one that was made before.
    """
    if made := os.environ.get("SITE"):
        return Path(made)
    if not shutil.which("node") or not shutil.which("npm"):
        pytest.skip("there is no node")
    if not find_spec("ziglang"):
        pytest.skip("there is no linker for WebAssembly")
    outside, folder = tmp_path_factory.mktemp("outside"), tmp_path_factory.mktemp("site") / "made"
    shutil.copytree(EXAMPLE, outside / "coasters", ignore=shutil.ignore_patterns("__pycache__"))
    about = outside / "coasters-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: coasters\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[diablerie.games]\ncoasters = coasters:GAME\n")
    paths = {"PYTHONPATH": str(outside), "DIABLERIE_CACHE": str(cache_root())}
    command = [sys.executable, "-m", "diablerie", "site", str(folder)]
    done = subprocess.run(
        command, env={**os.environ, **paths}, capture_output=True, text=True, check=False
    )
    if "npm failed" in done.stderr or "pip failed" in done.stderr:
        pytest.skip(done.stderr.strip().splitlines()[-1])
    assert done.returncode == 0, done.stderr[-3000:]
    return folder


@pytest.fixture(scope="package")
def hasty(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same, but bots do not wait before they decide."""
    folder = tmp_path_factory.mktemp("hasty") / "made"
    shutil.copytree(built, folder)
    return hastened(folder)


@pytest.fixture(scope="package")
def shipped(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site as it ships, with all games, or that of the variable SITE."""
    if made := os.environ.get("SITE"):
        return Path(made)
    folder = tmp_path_factory.mktemp("shipped") / "made"

    def build() -> None:
        for _, step in build_steps(folder, [game for game in ALL.values() if game in OURS]):
            step()

    try:
        with ThreadPoolExecutor(1) as apart:  # the module's Playwright may have this thread's loop
            apart.submit(build).result()
    except CannotBuild as error:
        pytest.skip(str(error))
    return folder


@pytest.fixture(scope="package")
def little(shipped: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same, but bots do not wait before they decide."""
    folder = tmp_path_factory.mktemp("hasty little") / "made"
    shutil.copytree(shipped, folder)
    return hastened(folder)


def hastened(folder: Path) -> Path:
    """The folder, changed so that bots do not wait before they decide."""
    worker = (folder / "worker.js").read_text("utf-8")
    assert HASTY[0] in worker
    (folder / "worker.js").write_text(worker.replace(*HASTY), "utf-8")
    told = json.loads((folder / "site.json").read_text("utf-8"))
    told["files"] = digests(folder)
    (folder / "site.json").write_text(json.dumps(told), "utf-8")
    return folder


class Files(SimpleHTTPRequestHandler):
    """A plain server of files."""

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


@pytest.fixture
def host() -> Iterator[Callable[[Path], str]]:
    """A function that serves a folder, below an address that is not the root of its host."""
    servers: list[ThreadingHTTPServer] = []

    def serve(folder: Path) -> str:
        handler = functools.partial(Files, directory=str(folder.parent))
        server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        servers.append(server)
        return f"http://localhost:{server.server_port}/{folder.name}/"

    yield serve
    for server in servers:
        server.shutdown()
        server.server_close()


class Visit:
    """A browser at the site."""

    def __init__(self, context: BrowserContext, address: str, opened: bool = True) -> None:
        self.context, self.address = context, address
        self.asked = list[str]()  # what it requested over the network
        self.complaints = list[str]()
        self.page = self.open() if opened else context.new_page()

    def open(self) -> Page:
        """A new window, at the site."""
        page = self.context.new_page()
        page.on("request", lambda request: self.asked.append(request.url))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.goto(self.address)
        return page

    def awake(self) -> "Visit":
        """Wait until Python shows a page."""
        self.page.wait_for_selector("html.running", state="attached", timeout=AWAKE)
        self.page.wait_for_selector("iframe.page", timeout=AWAKE)
        return self

    @property
    def shown(self) -> FrameLocator:
        """The page that is shown."""
        return self.page.frame_locator("iframe.page")

    def fetch(self, path: str) -> str:
        """What a script of the page gets for an address."""
        told = self.shown.locator("body").evaluate(
            "(_, path) => fetch(path).then((answer) => answer.text())", path
        )
        return str(told)


def began(visit: Visit, **fields: str) -> str:
    """Have a game of TAILS begin as by a form, against as many devils as usual; its address."""
    sent = urlencode({"game": "tails", "way": "bots", **fields})
    visit.page.evaluate("(body) => diablerie.visit({ method: 'POST', url: '/tables', body })", sent)
    visit.shown.locator("[data-table]").wait_for(timeout=60_000)
    return visit.page.url.partition("#")[2].partition("?")[0]


def stored(page: Page) -> None:
    """Wait until the service worker has all files of the site, style sheets among them."""
    ready = "() => navigator.serviceWorker.ready.then((found) => found.active.state)"
    assert page.evaluate(ready) in ("activating", "activated")


def kept(page: Page) -> None:
    """Wait until the site is stored, and Python's memory."""
    stored(page)
    there = "async () => Boolean(await caches.match(new URL('kept/memory', location)))"
    while not page.evaluate(there):
        page.wait_for_timeout(100)


@pytest.fixture
def visit(chromium: Browser, host: Callable[[Path], str]) -> Iterator[Callable[..., Visit]]:
    """A function that opens a new browser at a folder's site."""
    visits: list[Visit] = []

    def visited(folder: Path, opened: bool = True, **more: Any) -> Visit:
        more = {"viewport": PHONE, "reduced_motion": "reduce", **more}
        visits.append(Visit(chromium.new_context(**more), host(folder), opened))
        return visits[-1]

    yield visited
    for one in visits:
        one.context.close()
