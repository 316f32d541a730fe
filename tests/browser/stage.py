"""The script alone: a page of the house in Chromium, with a clock that is set by hand.

Streams and requests are noted, and answered as the test says, so that what the script does when a
connection is lost or an answer fails to come can be tried step by step. Nothing waits.
"""

import json
import re
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page

from diablerie.table.authority import Authority
from diablerie.table.storage.store import Store
from diablerie.web.app import create_app
from diablerie.web.html import assets
from tests.web.client import Client

Stage = Callable[..., Page]
NOW = '<span id="now" data-seat="0" data-ply="4"></span><p id="connection" hidden></p>'
STUBS = """
window.streams = [], window.asked = [], window.replies = [];
window.EventSource = class {
    static CONNECTING = 0; static OPEN = 1; static CLOSED = 2;
    constructor(url) { Object.assign(this, { url, readyState: 0, heard: {} }); streams.push(this); }
    addEventListener(kind, listener) { this.heard[kind] = listener; }
    close() { this.readyState = 2; this.shut = true; }
    opens() { this.readyState = 1; this.onopen(); }
    breaks(state = 2) { this.readyState = state; this.onerror(); }
    tells(data, id) { this.onmessage({ data: JSON.stringify(data), lastEventId: id }); }
};
window.fetched = window.fetch;
window.fetch = (url, { method = "GET", body = "", headers = {} } = {}) => {
    if (String(url).endsWith(".svg")) return fetched(url); // a game's scenes
    asked.push({ method, url: String(url), body: String(body), accept: headers.accept });
    const answered = ({ status = 200, headers, ...told }) => ({
        ok: status < 400, status, headers: new Headers(headers),
        json: async () => told, text: async () => JSON.stringify(told),
    });
    const reply = replies.shift() ?? { url: location.pathname };
    if (reply === "offline") return Promise.reject(new TypeError("offline"));
    if (reply !== "later") return Promise.resolve(answered(reply));
    return new Promise((done) => (window.answer = (late) => done(answered(late))));
};
"""


# Stands for the drawing, which would take most of the time.
SPOT = '<rect data-action="pull" width="5" height="5"/>'
BOARD = f'<svg viewBox="0 0 9 9" width="90" height="90">{SPOT}</svg>'


class Shelf(BaseHTTPRequestHandler):
    """Serves the house's static files, and a page at every other address."""

    page = ""

    def do_GET(self) -> None:
        _, first, *rest = urlsplit(self.path).path.split("/", 3)
        data = assets.contents().get(rest[-1], b"") if first == "static" else self.page.encode()
        kind = assets.TYPES[Path(rest[-1]).suffix] if first == "static" else "text/html"
        self.send_response(200)
        self.send_header("content-type", f"{kind}; charset=utf-8" if kind == "text/html" else kind)
        if first == "static":
            self.send_header("cache-control", assets.FOR_EVER)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    do_POST = do_GET  # noqa: N815

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def house(chromium: Browser) -> Iterator[tuple[str, Page]]:
    """Where static files are, and a page that keeps them."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Shelf)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    size = {"width": 1000, "height": 800}
    with chromium.new_context(viewport=size, reduced_motion="reduce") as context:
        page = context.new_page()
        page.clock.install(time=1000)
        page.clock.pause_at(1001)
        page.add_init_script(STUBS)
        yield f"http://127.0.0.1:{server.server_port}", page
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """Address and HTML of a table of COALS with somebody else, at the first decision."""
    folder = tmp_path_factory.mktemp("stage")
    with ThreadPoolExecutor(1) as elsewhere:  # a client cannot run where Playwright does
        return elsewhere.submit(opened, folder / "tables.db").result()


def opened(db: Path) -> tuple[str, str]:
    store = Store(db, durable=False)
    app = create_app(Authority(store))
    ann = Client(app)
    address = ann.open(open="1")
    Client(app, "10.0.0.2").call(f"{address}/sit", name="Bo")
    html = re.sub(r'<link rel="stylesheet".*?>', "", ann.page(address).text)
    board = re.compile(r'(<section [^>]*data-region="board"[^>]*>).*?(</section>)', re.DOTALL)
    html = board.sub(rf"\g<1>{BOARD}\g<2>", html)
    store.close()
    return address, html


@pytest.fixture
def stage(house: tuple[str, Page], table: tuple[str, str]) -> Iterator[Callable[..., Page]]:
    """Opens the table, or a page of this `main` of one's own; its clock stands still."""
    home, page = house
    complaints: list[str] = []

    def complain(error: Exception) -> None:
        complaints.append(str(error))

    def staged(main: str = "", at: str = "/", moving: bool = False) -> Page:
        script = f'<script type="module" src="{assets.address("app.js")}"></script>'
        url, Shelf.page = (at, f"<!doctype html>{script}{main}") if main else table
        page.emulate_media(reduced_motion="no-preference" if moving else "reduce")
        page.mouse.move(999, 799)
        page.goto(home + url)
        return page

    page.on("pageerror", complain)
    yield staged
    page.remove_listener("pageerror", complain)
    page.evaluate("() => { localStorage.clear(); sessionStorage.clear(); }")
    page.goto("about:blank")
    assert not complaints, complaints


NEXT_TASK = """new Promise((done) => {
  const channel = new MessageChannel();
  channel.port1.onmessage = () => done();
  channel.port2.postMessage(0);
})"""  # the clock, and so timeouts, stand still


def told(page: Page, data: Any, id: str) -> None:
    """The latest stream brings a frame. Whoever looks at the page next may see what it shows."""
    page.evaluate(f"streams.at(-1).tells({json.dumps(data)}, {json.dumps(id)})")
    page.evaluate(NEXT_TASK)  # each frame is a task of its own


def frame(page: Page, ply: int = 1, url: str = "", **regions: Any) -> dict[str, Any]:
    """A frame of the page's own viewpoint, with these regions."""
    where = url or urlsplit(page.url).path
    return {"ply": ply, "title": "TITLE", "url": where, "regions": regions}


def module(page: Page, name: str, expression: str) -> Any:
    """What an expression over a module `m` of the script gives on this page."""
    address = json.dumps(assets.address(name))
    return page.evaluate(f"import({address}).then(async (m) => {expression})")


def picture(inside: str) -> str:
    """A drawing."""
    return f'<svg viewBox="0 0 300 300" width="300" height="300">{inside}</svg>'


def board(inside: str, ask: str = "", more: str = "") -> str:
    """A table's page with this drawing."""
    svg = picture(inside)
    return f"""<main data-table="x" data-url="/t/x" data-have="4.a" data-failed="FAILED">
        <section data-region="board">{svg}</section><section data-region="ask" tabindex="-1">{NOW}
        {ask}<div data-refusal="act"></div></section>{more}</main>"""


def square(x: int, y: int, **data: str) -> str:
    """A square spot with these attributes."""
    words = " ".join(f'{name.replace("_", "-")}="{value}"' for name, value in data.items())
    return f'<rect x="{x}" y="{y}" width="40" height="40" {words}/>'


def sent(page: Page) -> list[str]:
    """The decisions that were sent."""
    found: list[str] = page.evaluate("asked.map((one) => new URLSearchParams(one.body).get('do'))")
    return found


def classes(page: Page, selector: str) -> set[str]:
    """The classes of an element."""
    return set(str(page.locator(selector).get_attribute("class") or "").split())
