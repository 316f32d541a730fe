"""Over TLS: browsers come back by TLS alone, and no neighbour can plant a cookie."""

import asyncio
from http.cookies import SimpleCookie
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette

from tests.web.client import SCRIPT, Client

KEPT = ("Secure", "Path=/")


class Visit:
    """Requests as a proxy with TLS passes them on, cookies kept as a browser does."""

    def __init__(self, app: Starlette, scheme: str = "https") -> None:
        self.app, self.home = app, f"{scheme}://localhost:8666"
        self.jar: dict[str, str] = {}

    def ask(self, method: str, path: str, **form: Any) -> httpx.Response:
        return asyncio.run(self._ask(method, path, form))

    async def _ask(self, method: str, path: str, form: Any) -> httpx.Response:
        transport = httpx.ASGITransport(self.app, client=("10.0.0.7", 1))
        headers = SCRIPT | {"cookie": "; ".join(f"{k}={v}" for k, v in self.jar.items())}
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
    assert list(visit.jar) == ["diablerie"]
    assert visit.ask("GET", f"{table}.json").json()["own"] == [0, 1]
    visit.jar["__Host-diablerie"] = "x" * 40
    assert visit.ask("GET", f"{table}.json").json()["own"] == [0, 1]


@pytest.mark.parametrize("path", ["/", "/nothing"])
def test_a_cookie_from_before_is_renamed_once_and_still_known(app: Starlette, path: str) -> None:
    before, visit = Visit(app, "http"), Visit(app)
    table = before.open()
    visit.jar = {**before.jar, "language": "de", "other": "not ours"}
    answer = visit.ask("GET", path)
    assert visit.jar == {
        "__Host-diablerie": before.jar["diablerie"],
        "__Host-language": "de",
        "other": "not ours",
    }
    assert "content-language" in answer.headers
    assert answer.headers["content-language"] == "de"
    again = visit.ask("GET", f"{table}.json")
    assert again.json()["own"] == [0, 1]
    assert again.headers.get_list("set-cookie") == []


def test_a_planted_cookie_counts_for_nothing(app: Starlette) -> None:
    visit = Visit(app)
    table = visit.open()
    visit.jar["diablerie"] = "planted-by-a-neighbour"
    assert visit.ask("GET", f"{table}.json").json()["own"] == [0, 1]
    assert set(visit.jar) == {"__Host-diablerie"}


def test_a_new_choice_replaces_the_cookie_from_before(app: Starlette) -> None:
    visit = Visit(app)
    visit.jar["theme"] = "dark"
    visit.ask("POST", "/settings", theme="light")
    assert visit.jar["__Host-theme"] == "light"
    assert "theme" not in visit.jar
    assert Client(app).get("/").status_code == 200
