"""The script's mutants: one Chromium, one pytest process, a file of the copy changed for each.

A pytest plugin, like `trial`; but nothing forks, since a browser's connection cannot. The script is
served from the copy, so every trial makes the house read it anew. With `BROWSING_REACH` the tests
run once, over a script that tells the console of every block that is entered.
"""

import json
import os
import signal
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, expect

from tools.mutants import script
from tools.mutants.trial import descendants

STATIC = Path("src/diablerie/web/static")
LONGEST = 60.0  # seconds for a test
WAIT = 8000  # milliseconds until an expectation is given up: the sound script needs far less


class Browsing:
    """Instead of the tests: tries the mutants of `TRIALS_JOBS`, or records what the tests reach."""

    def __init__(self) -> None:
        self.failed: tuple[str, str] | None = None
        self.sound: dict[str, bool] = {}

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Every job in turn, with all tests that enter its block."""
        if folder := os.environ.get("BROWSING_REACH"):
            self._record(session.items, Path(folder))
            return True
        items = {item.nodeid: item for item in session.items}
        results = Path(os.environ["TRIALS_RESULTS"])
        for job in json.loads(Path(os.environ["TRIALS_JOBS"]).read_text()):
            began = time.monotonic()
            found = self._tried([items[name] for name in job["tests"] if name in items], job)
            found |= {"mutant": job["mutant"], "seconds": round(time.monotonic() - began, 1)}
            with results.open("a") as file:
                file.write(json.dumps(found | {"tests": len(job["tests"])}) + "\n")
        return True

    def _tried(self, items: list[pytest.Item], job: dict[str, Any]) -> dict[str, Any]:
        path = Path(job["path"])
        source = path.read_text("utf-8")
        _, mistaken = script.changed(source, job["number"])
        for item in items:
            _served(path, mistaken)
            try:
                found = self._ran(item)
            finally:
                _served(path, source)
            if found and self._is_sound(item):
                return {"state": "killed", "test": item.nodeid, "why": found}
        return {"state": "survived"} | ({} if items else {"why": "no test reaches it"})

    def _is_sound(self, item: pytest.Item) -> bool:
        if item.nodeid not in self.sound:
            self.sound[item.nodeid] = self._ran(item) is None
        return self.sound[item.nodeid]

    def _ran(self, item: pytest.Item) -> str | None:
        """Run one test; why it failed, if so. What its module shares stays as it is."""
        self.failed = None
        item.session._setupstate.teardown_exact(item)
        item._initrequest()  # type: ignore[attr-defined]
        beside = [
            one for one in item.session.items if one.parent is item.parent and one is not item
        ]
        timer = threading.Timer(LONGEST, _stop)
        timer.start()
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=next(iter(beside), None))
        timer.cancel()
        return self.failed[1] if self.failed else None

    def _record(self, items: list[pytest.Item], folder: Path) -> None:
        sources = {path: path.read_text("utf-8") for path in sorted(STATIC.glob("*.js"))}
        heard: set[str] = set()
        _listen(heard)
        for path, source in sources.items():
            _served(path, script.marked(source, path.name))
        try:
            for item in items:
                name = item.nodeid.replace("/", ".").replace("::", "--")
                file = folder / f"{name}.json"
                if file.exists():
                    continue
                heard.clear()
                began = time.monotonic()
                if self._ran(item) is None:
                    kept = {"seconds": round(time.monotonic() - began, 1), "reached": sorted(heard)}
                    file.write_text(json.dumps({"test": item.nodeid} | kept))
        finally:
            for path, source in sources.items():
                _served(path, source)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep the first failure."""
        if (report.failed or report.skipped) and not self.failed:
            said = str(getattr(report.longrepr, "reprcrash", None) or report.longrepr)
            self.failed = report.nodeid, said.replace("\n", " ")[-300:]


def _stop() -> None:
    """A page that never rests is ended from outside: nothing it is asked would be answered."""
    for pid in descendants(os.getpid()):
        with suppress(OSError):
            if b"--type=renderer" in Path(f"/proc/{pid}/cmdline").read_bytes():
                os.kill(pid, signal.SIGKILL)


def _served(path: Path, source: str) -> None:
    """From now on the house serves this, also to pages that name the script by its old address."""
    from diablerie.web.html import assets

    path.write_text(source, "utf-8")
    assets.FOR_EVER = "no-store"  # or a browser that several tests share would go on with the old
    assets.contents.cache_clear()
    assets.static_digest.cache_clear()


def _listen(heard: set[str]) -> None:
    """Hear what marked blocks tell, on every page of every test."""
    plain = BrowserContext.new_page

    def listening(context: BrowserContext) -> Any:
        page = plain(context)
        page.on("console", lambda said: _hear(said.text, heard))
        return page

    BrowserContext.new_page = listening  # type: ignore[method-assign]


def _hear(text: str, heard: set[str]) -> None:
    if text.startswith("reached "):
        name, _, block = text.removeprefix("reached ").split(":")
        heard.add(f"{name}:{block}")


def pytest_configure(config: pytest.Config) -> None:
    """Take the place of pytest's own loop."""
    config.pluginmanager.register(Browsing(), "browsing")


def pytest_collection_finish() -> None:
    """After the tests' own conftest has been heard."""
    expect.set_options(timeout=WAIT)
    plain = BrowserContext.new_page

    def impatient(context: BrowserContext) -> Any:
        page = plain(context)
        page.set_default_timeout(WAIT)
        return page

    BrowserContext.new_page = impatient  # type: ignore[method-assign]
