"""Friends over data channels: two browsers of real Chromium, and the pages in this process."""

import asyncio
import base64
import http.server
import json
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib.resources import files
from pathlib import Path
from urllib.parse import urlencode

import pytest
from playwright.async_api import Page, async_playwright

from diablerie.site.guests import Guest
from diablerie.site.pages import Pages
from tests.browser.conftest import executable

STATIC = files("diablerie.site") / "static"
FORM = {"content-type": "application/x-www-form-urlencoded", "accept": "application/json"}
HOST = """async () => {
  const { Host } = await import("/friends.js");
  window.host = new Host((message) => window.heard(JSON.stringify(message)));
  window.told = (guest, text) => host.tell(guest, Uint8Array.from(atob(text), (one) => one.charCodeAt(0)));
}"""
GUEST = """async (offer) => {
  const { Remote, read } = await import("/friends.js");
  window.remote = new Remote();
  const waiting = new Map();
  let count = 0;
  remote.onmessage = async ({ data }) => {
    const { number, status, headers, part, end } = data;
    const answer = waiting.get(number);
    if (status) Object.assign(answer, { status, headers });
    if (part) answer.parts.push(part);
    if (!end) return;
    let stream = new Blob(answer.parts).stream();
    if (answer.headers["content-encoding"]) stream = stream.pipeThrough(new DecompressionStream("gzip"));
    answer.done({ status: answer.status, text: await new Response(stream).text() });
  };
  window.ask = (method, url, headers, body = "") => new Promise((done) => {
    const number = ++count;
    waiting.set(number, { parts: [], done });
    remote.postMessage({ number, method, url, headers, body: new TextEncoder().encode(body) });
  });
  return await remote.answer(read(offer));
}"""


async def nothing() -> None:
    """What was changed is stored already."""


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Serves the site's scripts."""

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    handler = lambda *given: Quiet(*given, directory=str(STATIC))  # noqa: E731
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


class House:
    """The host's browser, with pages that this process answers in place of a worker."""

    def __init__(self, page: Page, database: Path) -> None:
        self.page, self.pages = page, Pages(str(database))
        self.guests, self.told = dict[str, Guest](), dict[str, list[bytes]]()
        self._sending = asyncio.Queue[tuple[str, bytes]]()

    async def open(self, address: str) -> None:
        await self.page.goto(f"{address}/frame.html")
        await self.page.expose_function("heard", self.hear)
        await self.page.evaluate(HOST)
        self.task = asyncio.create_task(self._send())

    def hear(self, message: str) -> None:
        data = json.loads(message)
        name = data["guest"]
        if "who" in data:
            self.told[name] = []
            queue = self._sending.put_nowait
            self.guests[name] = Guest(
                self.pages, data["who"], lambda part: queue((name, part)), nothing
            )
        elif "text" in data:
            self.guests[name].receive(data["text"])

    async def _send(self) -> None:
        while True:
            name, part = await self._sending.get()
            self.told[name].append(part)
            text = base64.b64encode(part).decode()
            await self.page.evaluate("([name, text]) => told(name, text)", [name, text])


async def ask(guest: Page, url: str, fields: dict | None = None) -> dict:
    """What a guest's browser is answered."""
    method = "GET" if fields is None else "POST"
    sent = [method, url, FORM, urlencode(fields or {})]
    while (answer := await guest.evaluate("(sent) => ask(...sent)", sent))["status"] == 429:
        await asyncio.sleep(0.5)  # a guest has a stranger's limits
    assert answer["status"] == 200, answer
    return json.loads(answer["text"])


async def evening(address: str, database: Path) -> None:
    async with async_playwright() as play:
        browser = await play.chromium.launch(executable_path=executable())
        one, two = [await (await browser.new_context()).new_page() for _ in range(2)]
        house = House(one, database)
        await house.open(address)
        await two.goto(f"{address}/frame.html")
        form = urlencode({"game": "coals", "here": 1, "open": 1, "goal": 100}).encode()
        url = json.loads((await house.pages.answer("POST", "/tables", FORM, form)).body)["url"]
        offer = await one.evaluate("(url) => host.invite(url, '0123456789ab')", url)
        assert len(offer) < 400
        answer = await two.evaluate(GUEST, offer)
        await one.evaluate("(text) => host.accept(text)", answer)
        assert await two.evaluate("remote.welcome") == url
        with pytest.raises(Exception, match="used"):
            await one.evaluate("(text) => host.accept(text)", answer)
        await ask(two, f"{url}/sit", {"name": "Ann"})
        stakes = 0
        while True:
            mine = await ask(two, f"{url}.json")
            if mine["status"] == "over":
                break
            if mine["legal"]:
                choice = mine["legal"][-1]["do"]
                await ask(two, f"{url}/decide", decided(mine, choice))
                if choice.startswith("bet ") and choice != "bet 0":
                    theirs = json.loads((await house.pages.answer("GET", f"{url}.json", FORM)).body)
                    if theirs["legal"]:  # the stake is still secret
                        assert f'"{choice}"' not in json.dumps(theirs["log"])
                        stakes += 1
            theirs = json.loads((await house.pages.answer("GET", f"{url}.json", FORM)).body)
            if theirs["legal"]:
                fields = urlencode(decided(theirs, theirs["legal"][0]["do"])).encode()
                await house.pages.answer("POST", f"{url}/decide", FORM, fields)
        assert stakes
        house.task.cancel()
        house.pages.close()
        await browser.close()


def decided(data: dict, choice: str) -> dict:
    return {"seat": data["viewer"], "ply": data["ply"], "do": choice, "send": 1}


@pytest.mark.ci
@pytest.mark.skipif(not executable(), reason="no Chromium")
def test_a_game_is_played_to_its_end_over_a_channel_made_of_two_texts(
    address: str, tmp_path: Path
) -> None:
    with ThreadPoolExecutor(1) as apart:  # other tests' Playwright has this thread's loop
        apart.submit(asyncio.run, evening(address, tmp_path / "tables.db")).result()
