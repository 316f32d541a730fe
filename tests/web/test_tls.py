"""Over TLS: browsers come back by TLS alone, and no neighbour can plant a cookie."""

import asyncio
from http.cookies import SimpleCookie
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette

from tests.web.client import SCRIPT

KEPT = ("Secure", "Path=/")


class Visit:
    """Requests as a proxy with TLS passes them on, cookies kept as a browser does."""

    def __init__(self, app: Starlette, scheme: str = "https") -> None:
        self.app, self.home = app, f"{scheme}://localhost:8666"
        self.jar: dict[str, str] = {}

    def ask(self, method: str, path: str, sent: str = "", **form: Any) -> httpx.Response:
        """Ask for a page, with this Cookie header, or with the cookies that are kept."""
        jar = "; ".join(f"{k}={v}" for k, v in self.jar.items())
        return asyncio.run(self._ask(method, path, sent or jar, form))

    async def _ask(self, method: str, path: str, cookie: str, form: Any) -> httpx.Response:
        transport = httpx.ASGITransport(self.app, client=("10.0.0.7", 1))
        headers = {**SCRIPT, "cookie": cookie.encode("latin-1")}
        async with httpx.AsyncClient(transport=transport, base_url=self.home) as client:
            answer = await client.request(method, path, headers=headers, data=form or None)
        for line in answer.headers.get_list("set-cookie"):
            for name, morsel in SimpleCookie(line).items():
                if morsel["max-age"] == "0":
                    self.jar.pop(name, None)
                else:
                    self.jar[name] = morsel.value
                if self.home.startswith("https"):
                    assert all(word in line for word in KEPT)
                    assert "Domain" not in line
        return answer

    def open(self) -> str:
        return str(self.ask("POST", "/tables", game="coals", way="here").json()["url"])


def test_browsers_are_told_to_come_by_tls_where_there_is_tls(app: Starlette) -> None:
    told = "strict-transport-security"
    assert Visit(app).ask("GET", "/").headers[told] == "max-age=31536000"
    assert Visit(app).ask("GET", "/nothing").headers[told]
    assert told not in Visit(app, "http").ask("GET", "/").headers


def test_cookies_belong_to_this_host_alone(app: Starlette) -> None:
    visit = Visit(app)
    table = visit.open()
    visit.ask("POST", "/settings", theme="dark")
    assert {"__Host-diablerie", "__Host-theme"} <= set(visit.jar)
    assert [name for name in visit.jar if not name.startswith("__Host-")] == []
    assert visit.ask("GET", f"{table}.json").json()["own"] == [0, 1]
    assert visit.ask("POST", "/forget").status_code == 200


def test_without_tls_cookies_are_what_they_were(app: Starlette) -> None:
    visit = Visit(app, "http")
    table = visit.open()
    assert set(visit.jar) == {"diablerie", "known"}
    assert visit.ask("GET", f"{table}.json").json()["own"] == [0, 1]
    visit.jar["__Host-diablerie"] = "x" * 40
    assert visit.ask("GET", f"{table}.json").json()["own"] == [0, 1]


def test_a_planted_cookie_counts_for_nothing(app: Starlette) -> None:
    """Not for whoever has a cookie, nor for a new visitor, even with a secret that is genuine."""
    thief, visit, new = Visit(app), Visit(app), Visit(app)
    theirs, table = thief.open(), visit.open()
    planted = {"diablerie": thief.jar["__Host-diablerie"], "language": "de", "theme": "dark"}
    for one in (visit, new):
        one.jar = planted | one.jar
    assert visit.ask("GET", f"{table}.json").json()["own"] == [0, 1]
    answer = new.ask("GET", theirs)
    assert answer.headers["content-language"] == "en"
    assert answer.headers.get_list("set-cookie") == []
    assert new.ask("GET", f"{theirs}.json").json()["own"] == []
    own = new.open()
    assert new.jar["__Host-diablerie"] != planted["diablerie"]
    assert thief.ask("GET", f"{own}.json").json()["own"] == []
    assert new.ask("GET", f"{own}.json").json()["own"] == [0, 1]


SMUGGLED = ["{0}=x; {0}={1}", "{0}={1}; {0}=x"]
BY_OTHER_NAMES = ["\xa0{0}={1}", "\x85{0}={1}", "={0}={1}", "{0}{1}", "__host-diablerie={1}"]


@pytest.mark.parametrize("sent", SMUGGLED + BY_OTHER_NAMES)
def test_a_cookie_that_no_browser_would_send_so_counts_for_nothing(
    app: Starlette, sent: str
) -> None:
    visit = Visit(app)
    table = visit.open()
    cookie = sent.format("__Host-diablerie", visit.jar["__Host-diablerie"])
    assert owned(visit, table, cookie) == []
    assert owned(visit, table, f" other=1;\t__Host-diablerie={visit.jar['__Host-diablerie']} ")


def owned(visit: Visit, table: str, cookie: str) -> Any:
    return visit.ask("GET", f"{table}.json", sent=cookie).json()["own"]
