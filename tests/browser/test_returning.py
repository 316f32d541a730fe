"""Pages that are looked at again after their connections died without a word."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from diablerie.table.commands import chat, groups, lobby
from diablerie.table.state.visitors import visitor_of
from tests.browser.conftest import Running
from tests.browser.players import table_of, with_friends
from tests.browser.proxy import Proxy

pytestmark = [pytest.mark.browser, pytest.mark.slow]
BO = visitor_of("somebody else, elsewhere")


@pytest.fixture
def proxy(server: Running) -> Iterator[Proxy]:
    made = Proxy(server.port)
    yield made
    made.shut()


def look_away(page: Page) -> None:
    hidden(page, True)


def look_back(page: Page) -> None:
    hidden(page, False)


def hidden(page: Page, away: bool) -> None:
    page.evaluate(
        """(away) => {
            Object.defineProperty(document, "hidden", { value: away, configurable: true });
            document.dispatchEvent(new Event("visibilitychange"));
        }""",
        away,
    )


def waiting_room(page: Page, proxy: Proxy) -> str:
    """A table that waits for another player, once its stream is there."""
    page.goto(proxy.home)
    with page.expect_response(lambda answer: "/stream" in answer.url):
        with_friends(page, "coals", "value=friends")
    return table_of(page)


def test_a_table_is_right_again_though_all_old_connections_are_dead(
    server: Running, visit: Callable[..., Page], proxy: Proxy
):
    page = visit()
    table, authority = waiting_room(page, proxy), server.house.authority
    look_away(page)
    page.evaluate("Promise.all([1, 2, 3, 4].map(() => fetch('/healthz')))")  # kept by the browser
    assert proxy.swallow() > 1
    lobby.sit(authority, table, BO, name="Bo")
    chat.chat(authority, table, BO, "Here I am")
    look_back(page)
    expect(page.locator("#chat")).to_contain_text("Here I am", timeout=15_000)
    expect(page.locator("#connection")).to_be_hidden()


def test_a_group_is_right_again_though_all_old_connections_are_dead(
    server: Running, visit: Callable[..., Page], proxy: Proxy
):
    page = visit()
    page.goto(proxy.home)
    page.click("#new-group summary")
    page.fill("#group-name", "The Hoofs")
    page.fill("#group-person", "Oma")
    page.click("form[action='/groups'] button")
    expect(page.locator("#people-panel")).to_be_visible()
    link = page.url.rpartition("/")[2]
    look_away(page)
    page.evaluate("Promise.all([1, 2, 3, 4].map(() => fetch('/healthz')))")
    assert proxy.swallow() > 1
    groups.join(server.house.authority, link, BO, name="Opa")
    look_back(page)
    expect(page.locator("#people-panel")).to_contain_text("Opa", timeout=8_000)


def test_the_offline_page_gives_way_when_the_server_is_there_again(
    visit: Callable[..., Page], proxy: Proxy
):
    page = visit()
    page.goto(f"{proxy.home}/settings")
    page.wait_for_function("() => navigator.serviceWorker.controller")
    proxy.shut()
    page.goto(f"{proxy.home}/rules/coals")
    expect(page.locator("[data-offline]")).to_be_visible()
    proxy.open()
    page.evaluate("dispatchEvent(new Event('online'))")
    expect(page.locator("#glance-title")).to_be_visible()
    page.goto(f"{proxy.home}/offline")
    page.evaluate("window.mark = true; dispatchEvent(new Event('online'))")
    page.evaluate("fetch('/healthz')")
    assert page.evaluate("window.mark"), "who asks for that page itself gets it"
