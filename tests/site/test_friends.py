"""A guest at the site of another phone: invited by a link, let in by an answer, and back after a reload."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.site.conftest import PHONE, Visit, began
from tests.site.test_site import table

pytestmark = [
    pytest.mark.ci,
    pytest.mark.browser,
    pytest.mark.slow,
    pytest.mark.xdist_group("wasm"),
]


def let_in(host: Visit, guest: BrowserContext, url: str) -> Page:
    """Invite a guest to a table; the guest's window, once it shows a page."""
    host.page.evaluate("(url) => diablerie.invite(url)", url)
    expect(host.page.locator("dialog.friends svg.qr")).to_be_visible()
    offer = host.page.locator("dialog.friends input[readonly]").input_value()
    page = guest.new_page()
    page.goto(offer)
    answer = page.locator("dialog.friends input").input_value()
    other = host.context.new_page()  # where the host's phone opens a link
    other.goto(answer)
    expect(other.locator("dialog.friends h2")).to_contain_text("comes to the other window")
    other.close()
    page.wait_for_selector("iframe.page", timeout=30_000)
    expect(host.page.locator("dialog.friends[open]")).to_have_count(0)
    return page


def test_a_guest_without_python_plays_and_comes_back_to_the_same_seat(
    shipped: Path,
    visit: Callable[..., Visit],
    chromium: Browser,
) -> None:
    host = visit(shipped).awake()
    url = began(host, way="", here="1", open="1")
    context = chromium.new_context(viewport=PHONE, reduced_motion="reduce", locale="de-DE")
    sizes: list[int] = []
    context.on("response", lambda got: sizes.append(int(got.headers.get("content-length", 0))))
    page = let_in(host, context, url)
    shown = page.frame_locator("iframe.page")
    shown.locator("#sit-name").fill("Ann")
    shown.locator("form[action$='/sit'] button").click()
    expect(shown.locator("html[lang=de]")).to_have_count(1)
    expect(shown.locator("[data-region=board] svg").first).to_be_visible(timeout=60_000)
    assert sum(sizes) < 500_000, sum(sizes)  # and no Python
    data = table(host, url)
    assert [seat["name"] for seat in data["seats"]][1] == "Ann"
    guest_sees = (
        "(url) => diablerie.fetched(new Request(url + '.json'), window).then((a) => a.json())"
    )
    assert page.evaluate(guest_sees, url)["viewer"] == 1
    while not (mine := page.evaluate(guest_sees, url))["legal"]:
        seen = table(host, url)
        if seen["legal"]:
            decide(host.page, url, seen)
    decide(page, url, mine)
    assert table(host, url)["ply"] > mine["ply"]

    host.page.reload()  # the channel is gone; the guest is told, and comes back by another one
    host.awake()
    expect(page.locator("#site-notice")).to_be_visible(timeout=60_000)
    again = let_in(host, context, url)
    assert again.evaluate(guest_sees, url)["viewer"] == 1
    assert again.evaluate(guest_sees, url)["ply"] > mine["ply"]
    assert host.complaints == []
    context.close()


def decide(page: Page, url: str, data: dict) -> None:
    body = f"seat={data['viewer']}&ply={data['ply']}&send=1&do={data['legal'][0]['do']}"
    page.evaluate(
        """([url, body]) => {
          const type = "application/x-www-form-urlencoded";
          const headers = { "content-type": type, accept: "application/json" };
          const sent = new Request(`${url}/decide`, { method: "POST", body, headers });
          return diablerie.fetched(sent, window);
        }""",
        [url, body],
    )
