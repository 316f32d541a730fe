"""Being called, on the page: clocks, nudges, notifications, an app; over https and without."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import NARROW, Running, executable
from tests.browser.players import with_friends

STAGES = Path(__file__).parent / "stages"
SELECTED = """(({ value, selectionStart, selectionEnd }) =>
  value.slice(selectionStart, selectionEnd))(document.getElementById("invite"))"""
KEPT = """caches.keys().then((names) => Promise.all(names.map(async (name) => {
  const found = await (await caches.open(name)).keys();
  return found.map((one) => new URL(one.url).pathname);
})))"""
pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture
def plain(
    server: Running, chromium: Browser, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[Running, Page]]:
    """A page that came by plain http from another machine, as browsers see it."""
    args = ["--no-sandbox", "--host-resolver-rules=MAP table.test 127.0.0.1"]
    binary = chromium.browser_type.launch(executable_path=executable(), args=args)
    monkeypatch.setattr("diablerie.web.edges.security.Guard._known", lambda *_: True)
    yield server, binary.new_page(viewport=NARROW)
    binary.close()


def opened(page: Page, **fields: str) -> str:
    """A table of COALS with an open seat; its address."""
    home = re.match(r"https?://[^/]*", page.url)
    assert home
    form = {"game": "coals", "here": "1", "open": "1", **fields}
    headers = {"accept": "application/json"}
    answer = page.request.post(f"{home[0]}/tables", form=form, headers=headers)
    return home[0] + str(answer.json()["url"])


def sends(page: Page, url: str, **form: str) -> None:
    answer = page.request.post(url, form=form, headers={"accept": "application/json"})
    assert answer.ok


def test_on_a_telephone_nothing_is_missed_wherever_one_has_scrolled(
    server: Running, visit: Callable[..., Page]
):
    ann, bo = visit(NARROW), visit()
    url = opened(ann, clock="600")
    ann.goto(url)
    sends(bo, f"{url}/sit")
    clock, nudge = ann.locator("#clock-0 time"), ann.locator("#nudge a")
    expect(clock).to_have_text(re.compile(r"9:\d\d"))
    shown = clock.text_content()
    expect(clock).not_to_have_text(shown or "")

    expect(nudge).to_have_count(0)  # the board is there, and one's turn
    sends(bo, f"{url}/chat", text="Hello down there")
    expect(nudge).to_contain_text("Hello down there")
    box = nudge.bounding_box()
    assert box
    assert box["y"] + box["height"] <= 844
    assert box["height"] >= 24
    expect(ann.locator("#nudge")).to_have_attribute("role", "status")
    nudge.click()
    expect(ann.locator("#talk")).to_be_in_viewport()
    expect(ann.locator("#nudge")).not_to_contain_text("Hello")

    ann.locator("#tools > summary").click()
    ann.locator("text=Fair dice").scroll_into_view_if_needed()
    expect(nudge).to_have_text("It is your turn")
    nudge.click()
    expect(ann.locator("#asked")).to_be_in_viewport()
    expect(nudge).to_have_count(0)

    ann.locator("#manners > summary").click()
    ann.click("text=Mute Player 2 for me")
    expect(ann.locator("#unheard")).to_be_visible()
    sends(bo, f"{url}/chat", text="Second words")
    expect(ann.locator("#unheard")).to_contain_text("2 lines")
    expect(nudge.filter(has_text="Second words")).to_have_count(0)  # but perhaps one's turn
    ann.locator("#manners > summary").click()
    ann.click("text=Show Player 2’s lines again")
    expect(ann.locator("#chat")).to_contain_text("Second words")
    ann.locator("#manners > summary").click()
    ann.click("text=Report it")
    expect(ann.locator("[data-refusal=report]")).to_contain_text("Thank you")


def test_who_wants_it_is_called_while_the_page_is_in_the_background(
    server: Running, visit: Callable[..., Page]
):
    ann, bo = visit(), visit()
    ann.add_init_script(path=STAGES / "calling.js")
    ann.goto(f"{server.home}/settings")
    for name in ("sound", "vibration"):
        expect(ann.locator(f"input[name={name}][value='']")).to_be_checked()
    ann.check("input[name=vibration][value=on]")
    ann.click("text=Save")
    ann.goto(f"{server.home}/settings")
    expect(ann.locator("input[name=vibration][value=on]")).to_be_checked()
    knob = ann.locator("[data-call=call]")
    expect(knob).to_have_attribute("aria-checked", "false")
    knob.click()
    expect(knob).to_have_attribute("aria-checked", "true")

    url = opened(ann)
    ann.goto(url)
    ann.evaluate("Object.defineProperty(document, 'hidden', { value: true })")
    sends(bo, f"{url}/sit")
    expect(ann).to_have_title("Your turn: COALS")
    shown = ["Your turn: COALS", {"tag": "turn", "data": {"url": url.removeprefix(server.home)}}]
    assert ann.evaluate("heard.then(() => told)") == [shown]
    assert ann.evaluate("badges") == [1]
    assert ann.evaluate("shaken") == [[120, 60, 120]]
    assert ann.evaluate("sounded") == 0

    ann.goto(f"{server.home}/settings")
    knob.click()
    expect(knob).to_have_attribute("aria-checked", "false")
    ann.reload()
    expect(knob).to_have_attribute("aria-checked", "false")


def test_a_browser_asks_to_be_pushed_shows_what_comes_and_withdraws_it(
    server: Running, visit: Callable[..., Page]
):
    """The worker's own code, on a stage: Chromium without a screen has no push service."""
    page = visit(bypass_csp=True)
    page.add_init_script(path=STAGES / "pushing.js")
    page.goto(f"{server.home}/settings")
    knob, callbacks = page.locator("[data-call=push]"), server.house.authority.subscriptions
    knob.click()
    expect(knob).to_have_attribute("aria-checked", "true")
    key = server.house.scheduler.keys.public
    assert page.evaluate("wanted") == {"userVisibleOnly": True, "applicationServerKey": key}
    assert len(callbacks.owners()) == 1
    page.reload()
    expect(page.locator("#calls")).to_contain_text("notifies 1 browser of yours")
    knob.click()
    expect(knob).to_have_attribute("aria-checked", "false")
    assert callbacks.owners() == set()

    code = page.request.get(f"{server.home}/sw.js").text()
    push = {"title": "Your turn", "body": "COALS waits.", "url": "/t/a"}
    seen = page.evaluate((STAGES / "worker.js").read_text().partition("\n")[2], [code, push])
    more = {"body": "COALS waits.", "tag": "turn", "renotify": True, "data": {"url": "/t/a"}}
    assert seen == {"shown": ["Your turn", more], "opened": ["/t/a"]}


def test_over_plain_http_the_page_says_what_browsers_do_not_allow(plain: tuple[Running, Page]):
    running, page = plain
    page.goto(f"http://table.test:{running.port}/settings")
    assert not page.evaluate("window.isSecureContext")
    expect(page.locator("[data-insecure]")).to_contain_text("Over plain http")
    expect(page.locator("[data-call=call]")).to_be_hidden()
    page.goto(f"http://table.test:{running.port}/")
    with_friends(page, "coals", "value=friends")
    expect(page.locator("[data-share]")).to_be_hidden()
    page.click("[data-copy=invite]")
    assert page.evaluate(SELECTED) == page.input_value("#invite")
    assert f"table.test:{running.port}/t/" in page.input_value("#invite")


def test_on_the_machine_itself_the_page_can_be_installed_and_keeps_no_table(
    server: Running, visit: Callable[..., Page]
):
    page = visit(NARROW)
    page.goto(f"{server.home}/settings")
    assert page.evaluate("window.isSecureContext")
    expect(page.locator("[data-insecure]")).to_be_hidden()
    expect(page.locator("[data-call=call]")).to_be_visible()
    page.evaluate("navigator.serviceWorker.ready.then(() => 1)")
    page.goto(opened(page, open="0", bots="1"))
    expect(page.locator("#decide")).to_be_visible()
    assert page.evaluate("Boolean(navigator.serviceWorker.controller)")
    paths = [path for cache in page.evaluate(KEPT) for path in cache]
    assert "/offline" in paths
    assert all(path == "/offline" or path.startswith("/static/") for path in paths)
    page.context.set_offline(True)
    page.goto(page.url)
    expect(page.locator("h1")).to_have_text("No connection")
    page.context.set_offline(False)
    expect(page.locator("#decide")).to_be_visible()
