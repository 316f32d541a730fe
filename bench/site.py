"""The static site in headless Chromium: how soon one can play, what it weighs, what bots take.

The site is built in a folder of its own, unless the variable SITE names one. A plain server of
files serves it uncompressed. What is measured says how busy the machine is, too. A quarter of a core
is a control group of Linux (`cpu.cfs_quota_us`), which only root can make.
"""

import functools
import os
import re
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page, Playwright, sync_playwright

from bench.timing import note, row

CHROMIUM = ("chromium-headless-shell", "chromium", "google-chrome")
PATIENCE = 120_000  # milliseconds
RUNS = 3
DECISIONS = 8  # of an Oberteufel
QUARTER = Path(
    "/sys/fs/cgroup/cpu/diablerie-bench"
)  # the group of processes with a quarter of a core
PERIOD = 100_000  # microseconds, of which the group has a quarter
IN_GROUP = """#!/bin/sh
echo $$ > {group}/cgroup.procs
exec {browser} "$@"
"""
KIND = re.compile(rb"--type=([\w-]+)")  # of a process of Chromium
LONG_TASKS = """
window.longest = [0];
new PerformanceObserver((list) => {
  for (const one of list.getEntries()) longest.push(one.duration);
}).observe({ type: "longtask", buffered: true });
"""
REMEMBERED = """async () => {
  const kept = new URL("kept/memory", location);
  while (!(await caches.match(kept))) await new Promise((done) => setTimeout(done, 50));
}"""  # waits until Python's memory is kept
SHOWN = """async ([wanted, patience]) => {
  const found = () => document.querySelector("iframe.page")?.contentDocument?.querySelector(wanted);
  const end = performance.now() + patience;
  while (!found()) {
    if (performance.now() > end) throw new Error(`there is no ${wanted}`);
    await new Promise((done) => setTimeout(done, 50));
  }
}"""  # Playwright's own waiting asks for one frame after another, and painting them takes time
PAINTED = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN"


class Files(SimpleHTTPRequestHandler):
    """A plain server of files, which counts what it sends."""

    sent = 0

    def copyfile(self, source: Any, outputfile: Any) -> None:
        """Send a file, and count its bytes."""
        Files.sent += os.fstat(source.fileno()).st_size
        super().copyfile(source, outputfile)

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


def everything() -> None:
    """All limits of the static site, one after the other."""
    with TemporaryDirectory() as work, sync_playwright() as playwright:
        folder = Path(os.environ.get("SITE") or Path(work) / "site")
        if not folder.exists():
            subprocess.run([sys.executable, "-m", "diablerie", "site", folder], check=True)
        size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
        row("the folder", (size / 1e6,) * 3, "MB, of 25")
        note(f"load of the machine before: {os.getloadavg()[0]:.1f}")
        with served(folder) as address:
            with launched(playwright) as browser:
                visits(browser, address)
            with at_home(playwright, Path(work) / "profile") as context:
                decisions(context, address)
            with quarter(Path(work)) as slow, launched(playwright, slow) as browser:
                note("the whole browser on a quarter of a core:")
                visits(browser, address, 1)
    note(f"load of the machine after: {os.getloadavg()[0]:.1f}")


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The address at which a folder is served."""
    handler = functools.partial(Files, directory=str(folder))
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://localhost:{server.server_port}/"
    server.shutdown()
    server.server_close()


@contextmanager
def launched(playwright: Playwright, executable: str | None = None) -> Iterator[Browser]:
    """A browser: the first of `CHROMIUM` that there is, or another executable."""
    found = executable or next(filter(None, map(shutil.which, CHROMIUM)), None)
    browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
    yield browser
    browser.close()


@contextmanager
def at_home(playwright: Playwright, profile: Path) -> Iterator[BrowserContext]:
    """A browser that stores on the disk, as visitors have it, not in its memory."""
    found = next(filter(None, map(shutil.which, CHROMIUM)), None)
    context = playwright.chromium.launch_persistent_context(
        profile,
        executable_path=found,
        args=["--no-sandbox"],
        viewport={"width": 1440, "height": 900},
    )
    yield context
    context.close()


@contextmanager
def quarter(folder: Path) -> Iterator[str]:
    """An executable that starts the browser in a group which gets a quarter of a core.

    Raises OSError where such a group cannot be made.
    """
    QUARTER.mkdir(exist_ok=True)
    (QUARTER / "cpu.cfs_period_us").write_text(str(PERIOD))
    (QUARTER / "cpu.cfs_quota_us").write_text(str(PERIOD // 4))
    found = next(filter(None, map(shutil.which, CHROMIUM)))
    script = folder / "in-group"
    script.write_text(IN_GROUP.format(group=QUARTER, browser=found))
    script.chmod(0o755)
    yield str(script)
    while (QUARTER / "cgroup.procs").read_text():
        time.sleep(0.1)
    QUARTER.rmdir()


def visits(browser: Browser, address: str, runs: int = RUNS) -> None:
    """First visits, and second ones, online and offline."""
    first: dict[str, list[float]] = {
        "painted": [], "board": [], "decision": [], "processor": [], "sent": []
    }  # fmt: skip
    again: dict[str, list[float]] = {"online": [], "offline": []}
    for _ in range(runs):
        context = browser.new_context(viewport={"width": 1440, "height": 900})
        Files.sent = 0
        page = context.new_page()
        spent, began = processor_time(), time.perf_counter()
        page.goto(address)
        first["board"].append(begin(page))
        decidable(page)
        first["decision"].append(time.perf_counter() - began)
        first["processor"].append(processor_time() - spent)
        first["painted"].append(page.evaluate(PAINTED) / 1000)
        page.evaluate("navigator.serviceWorker.ready.then(() => true)")
        page.evaluate(REMEMBERED)
        first["sent"].append(Files.sent / 1e6)
        for way in again:
            context.set_offline(way == "offline")
            began = time.perf_counter()
            page.reload()
            decidable(page)
            again[way].append(time.perf_counter() - began)
        context.close()
    show("landing page painted", first["painted"], "s, of 1")
    show("from a game's button to its board", first["board"], "s, of 1")
    show("first visit until a decision can be made", first["decision"], "s, of 8")
    show("processor time of the browser until then", first["processor"], "s")
    show("transferred, of which nothing by the host compressed", first["sent"], "MB, of 10")
    for way, seconds in again.items():
        show(f"second visit until a decision can be made, {way}", seconds, "s, of 2")


def begin(page: Page) -> float:
    """Press the button of the first game at once; the seconds until its board is there."""
    began = time.perf_counter()
    page.click("#game-coals button[value=bots]")
    page.evaluate(SHOWN, ["[data-region=board] svg", PATIENCE])
    return time.perf_counter() - began


def decidable(page: Page) -> None:
    """Wait until a decision can be made."""
    page.evaluate(SHOWN, ["body:not([inert]) #decide", PATIENCE])


def show(what: str, figures: list[float], unit: str) -> None:
    """A row of one figure."""
    row(what, (sorted(figures)[len(figures) // 2], min(figures), max(figures)), unit)


def decisions(context: BrowserContext, address: str) -> None:
    """How long Oberteufel think, the longest task of the page meanwhile, and the memory of all."""
    page = context.new_page()
    bare = memory()  # with an empty page
    page.add_init_script(LONG_TASKS)
    page.goto(address)
    page.wait_for_selector("html.running", state="attached", timeout=PATIENCE)
    shown = page.frame_locator("iframe.page")
    shown.locator("body").wait_for(timeout=PATIENCE)
    fields = "game=underworld&here=1&bots=1&bot=oberteufel"
    page.evaluate(f"diablerie.visit({{ method: 'POST', url: '/tables', body: '{fields}' }})")
    shown.locator("#decide").wait_for(timeout=PATIENCE)
    page.evaluate("longest = [0]")
    url = page.url.partition("#")[2].partition("?")[0]
    taken = [thought(page, url) for _ in range(DECISIONS)]
    what = "until an Oberteufel of UNDERWORLD has decided, once, its pause included"
    show(what, [one for some in taken for one in some], "s, of 2")
    longest = page.evaluate("Math.max(...longest)")
    row("longest task of the page while it played", (longest,) * 3, "ms, of 50")
    show_memory(bare)


def thought(page: Page, url: str) -> list[float]:
    """Decide once, and the seconds of each decision of the devil that follows."""
    body = page.frame_locator("iframe.page").locator("body")
    ask = "(_, path) => fetch(path).then((answer) => answer.json())"
    data = body.evaluate(ask, f"{url}.json")
    sent = {"seat": data["viewer"], "ply": data["ply"], "do": data["legal"][0]["do"], "send": 1}
    act = (
        "(_, [path, sent]) => fetch(path, { method: 'POST', body: new URLSearchParams(sent),"
        " headers: { accept: 'application/json' } }).then((answer) => answer.json())"
    )
    began, ply, taken = time.perf_counter(), data["ply"] + 1, list[float]()
    body.evaluate(act, [f"{url}/decide", {name: str(value) for name, value in sent.items()}])
    while True:
        now = body.evaluate(ask, f"{url}.json")
        if now["ply"] > ply:
            taken.append(time.perf_counter() - began)
            began, ply = time.perf_counter(), now["ply"]
        if now["legal"] or now["status"] == "over":
            return taken
        time.sleep(0.02)


def show_memory(bare: dict[str, float]) -> None:
    """Rows of the browser's memory, by kind of process. bare: what it took with an empty page."""
    now = memory()
    whole = sum(now.values())
    added = whole - sum(bare.values())
    row("memory of all processes of the browser", (whole,) * 3, "MB")
    row("of which the site adds to an empty page", (added,) * 3, "MB, of 400")
    for kind in sorted(now):
        note(
            f"  {kind}: {bare.get(kind, 0):.0f} MB with an empty page, {now[kind]:.0f} MB with the site"
        )


def memory() -> dict[str, float]:
    """The memory (PSS) of all processes of the browser, in MB, by kind of process."""
    found: dict[str, float] = {}
    for kind, rolled_up in of_browser("smaps_rollup"):
        lines = rolled_up.splitlines()
        size = sum(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
        found[kind] = found.get(kind, 0) + size / 1000
    return found


def processor_time() -> float:
    """The seconds of processor time that all processes of the browser have used."""
    spent = [stat.rpartition(")")[2].split()[11:13] for _, stat in of_browser("stat")]
    return sum(int(ticks) for both in spent for ticks in both) / os.sysconf("SC_CLK_TCK")


def of_browser(file: str) -> Iterator[tuple[str, str]]:
    """The kind of each process of the browser, and its file of this name in /proc."""
    for process in below(os.getpid()):
        try:
            command, text = (process / "cmdline").read_bytes(), (process / file).read_text()
        except OSError:
            continue
        if b"chrom" in command:
            kind = KIND.search(command)
            yield kind[1].decode() if kind else "browser", text


def below(process: int) -> Iterator[Path]:
    """The folders in /proc of all processes that this one started, and of those that they did."""
    for children in Path(f"/proc/{process}/task").glob("*/children"):
        for child in map(int, children.read_text().split()):
            yield Path(f"/proc/{child}")
            yield from below(child)
