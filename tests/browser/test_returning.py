"""Pages that are looked at again after their connections died without a word."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from diablerie.table.commands import chat, decisions, groups, lobby
from diablerie.table.state.visitors import visitor_of
from tests.browser.conftest import NARROW, Running
from tests.browser.players import (
    SHORT,
    advice,
    caught_up,
    sit_down,
    table_of,
    wait_until,
    with_friends,
)
from tests.browser.proxy import Proxy
from tests.browser.sound_stub import HEARD

pytestmark = [pytest.mark.browser, pytest.mark.slow]
BO = visitor_of("somebody else, elsewhere")
JSON = {"accept": "application/json"}


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
    expect(page.locator("#chat")).to_contain_text("Here I am")
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
    expect(page.locator("#people-panel")).to_contain_text("Opa")


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


STAGED = """() => { window.staged = [];
    new MutationObserver((all) => { for (const { addedNodes } of all) for (const el of addedNodes)
        if (el.className === "stage") staged.push(el); }).observe(document.body, { childList: true }); }"""


def test_a_slow_phone_that_slept_is_shown_the_end_and_no_noise(
    server: Running, visit: Callable[..., Page], proxy: Proxy
):
    page = visit(NARROW, reduced_motion="no-preference")
    page.goto(proxy.home)
    sit_down(page, "coals", 2, **SHORT)
    caught_up(server, page)
    page.evaluate(HEARD)
    page.evaluate(STAGED)
    look_away(page)
    proxy.swallow()
    authority, table = server.house.authority, table_of(page)
    for _ in range(3000):
        live = authority.live(table)
        if live.status == "over":
            break
        if 0 in live.pending:
            owner = str(live.seats[0].owner)
            decisions.decide(authority, table, owner, live.ply, advice(live, 0), 0)
        else:
            page.wait_for_timeout(2)
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": 6})
    look_back(page)
    expect(page.locator("#ending")).to_be_visible()
    page.wait_for_function("begun.length >= 8")
    assert page.evaluate("staged.length") == 1, "the scene of the end"
    heard = page.evaluate("begun.length")
    assert heard < 60, "its sounds and the music, not those of the plies before"


def test_eight_tabs_of_a_browser_are_all_answered_and_follow_their_tables(
    server: Running, visit: Callable[..., Page]
):
    """Over HTTP/1.1 a browser has six connections to a server; all of these tabs are in sight."""
    first = visit()
    form = {"game": "coals", "here": "1", "open": "1"}
    made = first.request.post(f"{server.home}/tables", form=form, headers=JSON).json()["url"]
    tabs = [first, *(first.context.new_page() for _ in range(7))]
    for tab in tabs:
        tab.goto(server.home + made)
    wait_until(lambda: server.house.authority.hub.listeners() <= 4, "the tabs keep their streams")
    authority, table = server.house.authority, table_of(first)
    lobby.sit(authority, table, BO, name="Bo")
    chat.chat(authority, table, BO, "Here I am")
    for tab in tabs:  # with a stream or without
        expect(tab.locator("#chat")).to_contain_text("Here I am")
        assert tab.evaluate("fetch('/healthz').then((answer) => answer.status)") == 200
