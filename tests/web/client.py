"""A browser without a screen: requests straight into the application, cookies kept."""

import asyncio
import re
import time
from collections.abc import Callable
from typing import Any

import httpx
from starlette.applications import Starlette

from diablerie.web.edges.cookies import COOKIE_CHECK_QUERY

PATIENCE = 90.0  # seconds that `until` waits
HOME = "http://localhost:8666"
PAGE = {"accept": "text/html,application/xhtml+xml", "sec-fetch-site": "same-origin"}
SCRIPT = {"accept": "application/json", "sec-fetch-site": "same-origin"}


class Client:
    """One browser: `page` asks as a person's does, `call` as our script."""

    def __init__(self, app: Starlette, address: str = "10.0.0.1") -> None:
        self.app = app
        self.address = address
        self.cookies = httpx.Cookies()

    def request(self, method: str, url: str, **more: Any) -> httpx.Response:
        return asyncio.run(self._request(method, url, **more))

    async def _request(self, method: str, url: str, **more: Any) -> httpx.Response:
        inside = httpx.ASGITransport(self.app, client=(self.address, 1))
        async with httpx.AsyncClient(
            transport=inside, base_url=HOME, cookies=self.cookies
        ) as client:
            answer = await client.request(method, url, **more)
            self.cookies = client.cookies
        if location := answer.headers.get("location"):  # the mark is tried in test_cookie_check.py
            answer.headers["location"] = re.sub(rf"[?&]{COOKIE_CHECK_QUERY}", "", location)
        return answer

    def page(self, url: str, **more: Any) -> httpx.Response:
        return self.request("GET", url, headers=PAGE, follow_redirects=True, **more)

    def get(self, url: str) -> httpx.Response:
        return self.request("GET", url, headers=SCRIPT)

    def send(self, url: str, /, **fields: Any) -> httpx.Response:
        """A form, as a browser without script sends it."""
        return self.request("POST", url, headers=PAGE, data=fields)

    def call(self, url: str, /, **fields: Any) -> httpx.Response:
        """A form, as our script sends it."""
        return self.request("POST", url, headers=SCRIPT, data=fields)

    def open(self, **fields: Any) -> str:
        """Open a table of COALS; its address."""
        answer = self.call("/tables", **{"game": "coals", "here": "1", **fields})
        assert answer.status_code == 200, answer.text
        return str(answer.json()["url"])

    def act(self, table: str, do: str, seat: int = 0, **fields: Any) -> httpx.Response:
        """Decide, having seen the latest."""
        ply = self.data(table)["ply"]
        return self.call(f"{table}/decide", **{"seat": seat, "ply": ply, "do": do, **fields})

    def data(self, table: str) -> Any:
        return self.get(f"{table}.json").json()


def fields(html: str, action: str) -> dict[str, str]:
    """The hidden fields of the form with this action."""
    form = re.search(rf'<form[^>]*action="{re.escape(action)}".*?</form>', html, re.DOTALL)
    assert form, f"no form {action}"
    found = re.findall(r'<input type="hidden" name="([^"]*)" value="([^"]*)"', form[0])
    return dict(found)


def words(html: str) -> list[str]:
    """What can be read on a page: its text, and the values of its fields."""
    values = re.findall(r'(?:value|max|title|aria-label|data-[a-z]+)="([^"]*)"', html)
    return re.findall(r"\w+", re.sub(r"<[^>]*>", " ", html) + " ".join(values))


def until(done: Callable[[], bool]) -> None:
    """Wait until something is done, which other threads or processes do."""
    last = time.monotonic() + PATIENCE
    while not done():
        assert time.monotonic() < last
        time.sleep(0.02)
