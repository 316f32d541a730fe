"""The host's device is the table in the middle: two guests play, one goes home and comes back."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, FrameLocator, Page, expect

from tests.site.conftest import Visit
from tests.site.test_friends import SEEN
from tests.site.test_meeting import (
    asked,
    at_the_table,
    come,
    meetable,  # noqa: F401 (a fixture)
    point,  # noqa: F401 (a fixture)
)

pytestmark = [
    pytest.mark.ci,
    pytest.mark.browser,
    pytest.mark.slow,
    pytest.mark.xdist_group("wasm"),
]
TABLET = {"width": 1180, "height": 820}


def open_tools(host: Visit) -> None:
    """Unfold the host's menu."""
    tools = host.shown.locator("#tools")
    if tools.get_attribute("open") is None:
        tools.locator("> summary").click()


def page_of(guest: Page) -> FrameLocator:
    """The page that a guest is shown."""
    return guest.frame_locator("iframe.page")


def test_the_hosts_device_is_the_table_for_two_guests(
    meetable: Path,  # noqa: F811
    visit: Callable[..., Visit],
    chromium: Browser,
) -> None:
    host = visit(meetable, viewport=TABLET).awake()
    body = "game=coals&way=screen"
    host.page.evaluate("(body) => diablerie.visit({ method: 'POST', url: '/tables', body })", body)
    screen = host.shown
    screen.locator("[data-screen]").wait_for(timeout=60_000)
    url = host.page.url.partition("#")[2].partition("?")[0].removesuffix("/screen")
    link = asked(host, url)
    home_of_ann, ann = come(chromium, link, "Ann")
    at_the_table(ann, url, 0)  # before Bob comes: seats go by who is there first
    home_of_bob, bob = come(chromium, link, "Bob")
    at_the_table(bob, url, 1)
    host.page.keyboard.press("Escape")  # the card
    screen.get_by_role("button", name="Begin with 2 people").click()
    expect(screen.locator("#coals-heap")).to_be_visible()
    expect(page_of(ann).locator("#hand")).to_have_count(1, timeout=60_000)

    # Bob goes home, and a devil plays for him until he is back
    open_tools(host)
    screen.get_by_role("button", name="Let a devil play for Bob").click()
    expect(page_of(bob).get_by_role("button", name="I am back")).to_be_visible()
    expect(screen.locator("form[action$=give_to_bot]")).to_have_count(1)  # Ann's
    assert ann.evaluate(SEEN, url)["seats"][1]["bot"]
    page_of(bob).get_by_role("button", name="I am back").click()
    expect(screen.locator("form[action$=give_to_bot]")).to_have_count(2)

    # the game ends for all, and each page says so
    open_tools(host)
    screen.locator("#delete > summary").click()
    screen.get_by_role("button", name="End it").click()
    expect(screen.locator("[data-screen]")).to_have_count(0)
    for page in (ann, bob):
        expect(page_of(page).locator("h1")).to_contain_text("no such table", timeout=60_000)
    assert host.complaints == []
    home_of_ann.close()
    home_of_bob.close()
