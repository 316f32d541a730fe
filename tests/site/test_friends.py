"""A guest at the site of another phone: invited by a link, let in by an answer, and back again.

The channel is lost for a moment, the host's page is loaded anew, and the host's browser is killed.
"""

import os
import signal
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Error, Page, expect

from tests.browser.conftest import executable
from tests.site.conftest import AWAKE, PHONE, Visit, began
from tests.site.relay import led_over_relay, unreachable
from tests.site.test_site import table

pytestmark = [
    pytest.mark.ci,
    pytest.mark.browser,
    pytest.mark.slow,
    pytest.mark.xdist_group("wasm"),
]
SEEN = "(url) => diablerie.fetched(new Request(url + '.json'), window).then((a) => a.json())"
# a screen that stays on while somebody holds it
WAKE_LOCK = """
window.held = [];
const request = async () => {
  const lock = Object.assign(new EventTarget(), { release: () => lock.dispatchEvent(new Event("release")) });
  held.push(lock);
  return lock;
};
Object.defineProperty(navigator, "wakeLock", { value: { request } });
"""


def let_in(host: Visit, guest: BrowserContext, url: str, way: Callable[[str], str] = str) -> Page:
    """Invite a guest to a table; the guest's window, once it shows a page. way: changes the offer."""
    host.page.evaluate("(url) => diablerie.invite(url)", url)
    card = host.page.locator("dialog.friends")
    expect(card.locator("svg.qr")).to_be_visible()
    expect(card).to_contain_text("Keep this page open")
    page = guest.new_page()
    page.goto(way(card.locator("input[readonly]").input_value()))
    admitted(host, page, way)
    return page


def admitted(host: Visit, page: Page, way: Callable[[str], str] = str) -> None:
    """Have a guest join whose window asks whether to; way: see `let_in`."""
    page.locator("dialog.friends button.primary").click()  # "Join"
    page.locator("dialog.friends input").wait_for()
    answer = page.locator("dialog.friends input").input_value()
    other = host.context.new_page()  # where the host's phone opens a link
    other.goto(answer if way is str else unreachable(answer))
    expect(other.locator("dialog.friends h2")).to_contain_text("comes to the other window")
    other.close()
    page.wait_for_selector("iframe.page", timeout=AWAKE)
    expect(host.page.locator("dialog.friends[open]")).to_have_count(0)


def seated(page: Page) -> None:
    """Have the guest sit down, and see the board."""
    shown = page.frame_locator("iframe.page")
    shown.locator("#sit-name").fill("Ann")
    shown.locator("form[action$='/sit'] button").click()
    # whoever waits for a seat sees a board, too
    expect(shown.locator("#sit-name")).to_have_count(0, timeout=60_000)
    expect(shown.locator("[data-region=board] svg").first).to_be_visible(timeout=60_000)


def decided(host: Visit, page: Page, url: str) -> int:
    """Have the guest decide; the plies of which the guest's browser was told that they are kept."""
    while not (mine := page.evaluate(SEEN, url))["legal"]:
        seen = table(host, url)
        if seen["legal"]:
            decide(host.page, url, seen)
    assert decide(page, url, mine) == 200
    return int(mine["ply"]) + 1


def decide(page: Page, url: str, data: dict) -> int:
    """Send the first legal decision; the status of the answer."""
    body = f"seat={data['viewer']}&ply={data['ply']}&send=1&do={data['legal'][0]['do']}"
    return page.evaluate(
        """async ([url, body]) => {
          const type = "application/x-www-form-urlencoded";
          const headers = { "content-type": type, accept: "application/json" };
          const sent = new Request(`${url}/decide`, { method: "POST", body, headers });
          return (await diablerie.fetched(sent, window)).status;
        }""",
        [url, body],
    )


def test_a_guest_without_python_plays_and_comes_back_to_the_same_seat(
    shipped: Path,
    visit: Callable[..., Visit],
    chromium: Browser,
) -> None:
    host = visit(shipped, opened=False)
    host.context.add_init_script(WAKE_LOCK)
    host.page = host.open()
    host.awake()
    url = began(host, way="", here="1", open="1")
    context = chromium.new_context(viewport=PHONE, reduced_motion="reduce", locale="de-DE")
    sizes: dict[str, int] = {}  # a file may be asked of the cache again
    context.on(
        "response", lambda got: sizes.update({got.url: int(got.headers.get("content-length", 0))})
    )
    assert host.page.evaluate("held.length") == 0
    page = let_in(host, context, url)
    seated(page)
    expect(page.frame_locator("iframe.page").locator("html[lang=de]")).to_have_count(1)
    assert sum(sizes.values()) < 500_000, sizes  # and no Python
    assert [seat["name"] for seat in table(host, url)["seats"]][1] == "Ann"
    assert page.evaluate(SEEN, url)["viewer"] == 1
    ply = decided(host, page, url)
    assert table(host, url)["ply"] >= ply

    assert host.page.evaluate("held.length") == 1  # the screen stays on
    host.page.evaluate("held[0].release()")  # as when another app is shown
    host.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    assert host.page.evaluate("held.length") == 2

    host.page.reload()  # the channel is gone; the guest is told, and comes back by another one
    host.awake()
    expect(page.locator("#site-notice")).to_contain_text("neue Einladung", timeout=60_000)
    again = let_in(host, context, url)
    assert again.evaluate(SEEN, url)["viewer"] == 1
    assert again.evaluate(SEEN, url)["ply"] >= ply
    assert host.complaints == []
    context.close()


def test_a_guest_goes_on_when_the_way_to_the_host_is_back(
    shipped: Path, visit: Callable[..., Visit], chromium: Browser
) -> None:
    host = visit(shipped).awake()
    url = began(host, way="", here="1", open="1")
    context = chromium.new_context(viewport=PHONE, reduced_motion="reduce")
    relays = []

    def way(offer: str) -> str:
        led, relay = led_over_relay(offer)
        relays.append(relay)
        return led

    page = let_in(host, context, url, way)
    seated(page)
    ply = decided(host, page, url)
    [relay] = relays
    relay.cut = True
    expect(page.locator("#site-notice")).to_contain_text("trying again", timeout=60_000)
    expect(page.locator("#site-notice")).to_contain_text("new invitation", timeout=90_000)
    relay.cut = False
    expect(page.locator("#site-notice")).to_be_hidden(timeout=60_000)
    assert page.evaluate(SEEN, url)["ply"] >= ply
    assert decided(host, page, url) > ply
    assert host.complaints == []
    context.close()


def test_nothing_acknowledged_is_lost_when_the_hosts_browser_is_killed(
    shipped: Path, host: Callable[[Path], str], chromium: Browser, tmp_path: Path
) -> None:
    address, profile = host(shipped), tmp_path / "profile"
    guest = chromium.new_context(viewport=PHONE, reduced_motion="reduce")

    def at_home() -> Visit:
        """The host's browser, which stores on the disk."""
        context = chromium.browser_type.launch_persistent_context(
            profile, executable_path=executable(), args=["--no-sandbox"], viewport=PHONE
        )
        return Visit(context, address).awake()

    one = at_home()
    url = began(one, way="", here="1", open="1")
    page = let_in(one, guest, url)
    seated(page)
    for _ in range(2):
        ply = decided(one, page, url)
        kill(profile)
        with suppress(Error):
            one.context.close()
        one = at_home()
        assert table(one, url)["ply"] >= ply
        page = let_in(one, guest, url)
        assert page.evaluate(SEEN, url)["viewer"] == 1
    one.context.close()
    guest.close()


def kill(profile: Path) -> None:
    """End the browser that has a profile at once, as a machine does that needs its memory."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            words = (process / "cmdline").read_bytes().decode().split("\0")
            if f"--user-data-dir={profile}" in words and not any("--type=" in one for one in words):
                found.append(int(process.name))
    assert found
    for one in found:
        os.kill(one, signal.SIGKILL)
