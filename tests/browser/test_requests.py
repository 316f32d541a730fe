"""How often a browser asks before the first click: a page has one style sheet and one script."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from starlette.requests import Request
from starlette.types import Scope

from diablerie.games import ALL
from diablerie.web.edges import logs
from tests.browser.conftest import WIDE, Running, same_share
from tests.browser.players import SHORT, go_on, sit_down, table_of

pytestmark = [pytest.mark.browser, pytest.mark.slow]

MOST = 10
MARK = "counted"
Asked = Callable[[str, Any], list[str]]


@pytest.fixture
def asked(chromium: Browser, server: Running, monkeypatch: pytest.MonkeyPatch) -> Asked:
    """What the server is asked for when a browser that keeps no files opens an address.

    Counted is everything until the page is complete and half a second more: the document, what
    the service worker fetches to keep, the icon. Only a table's stream is left out, which begins
    when the script runs and has no end. A cookie tells this browser's requests from those of
    other pages, which may still be asking.
    """

    found: list[str] = []
    note = logs.AccessLog.on_response

    def heard(access: logs.AccessLog, scope: Scope, status: int, seconds: float) -> None:
        if MARK in Request(scope).cookies:
            found.append(f"{scope['method']} {scope['path']}")
        note(access, scope, status, seconds)

    def opened(address: str, cookies: Any) -> list[str]:
        with chromium.new_context(viewport=WIDE) as context:
            context.add_cookies([*cookies, {"name": MARK, "value": "1", "url": server.home}])
            context.add_init_script(same_share(9))
            page = context.new_page()
            found.clear()
            page.goto(address)
            page.wait_for_timeout(500)
            expect(page.locator(":root.scripted")).to_have_count(1)
            return [one for one in found if not one.endswith("/stream")]

    monkeypatch.setattr(logs.AccessLog, "on_response", heard)
    return opened


def check(asked: Asked, page: Page, address: str) -> None:
    found = asked(address, page.context.cookies())
    assert [one for one in found if one.endswith("/app.js")], found
    assert len(found) <= MOST, found


def test_the_landing_page(server: Running, visit: Callable[..., Page], asked: Asked):
    check(asked, visit(), server.home)


@pytest.mark.parametrize(
    "game", [name if name == "coals" else pytest.param(name, marks=pytest.mark.ci) for name in ALL]
)
def test_pages_of_a_game(server: Running, visit: Callable[..., Page], asked: Asked, game: str):
    page = visit()
    page.click(f"#game-{game} button[value=bots]")
    expect(page.locator("#prompt")).to_be_visible()
    check(asked, page, page.url)
    for address in (f"/learn/{game}", f"/rules/{game}"):
        check(asked, page, server.home + address)


@pytest.mark.ci
def test_a_replay(server: Running, visit: Callable[..., Page], asked: Asked):
    page = visit()
    sit_down(page, "coals", 1, **SHORT)
    expect(page.locator("#decide")).to_be_visible()
    go_on(server, page)
    check(asked, page, f"{server.home}/t/{table_of(page)}/replay")
