"""KITCHEN's duel on the page: the fighters press the stove, or it goes on by itself."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from diablerie.table.live import Live
from tests.browser.conftest import NARROW, WIDE, Running
from tests.browser.players import SHORT, advice, live_of, sit_down
from tests.browser.test_kitchen import decide, opened, ready

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """Its devils leave people time to look: a page that lags behind tells nothing in beats."""
    running = Running(tmp_path_factory.mktemp("server") / "tables.db", tempo=0.2)
    yield running
    running.stop()


PACING = "document.body.classList.contains('pacing')"
MOVING = "document.body.classList.contains('moving')"
PRESS = "[data-region=ask] button.press"
CLICK = """(target) => {
    const click = new MouseEvent("click", {bubbles: true});
    return Number(document.querySelector(target)?.dispatchEvent(click) ?? false);
}"""  # at once: what is clicked goes when the duel is over
LISTEN = """() => {
    const place = document.getElementById("announcer");
    window.heard = [];
    const hear = () => window.heard.push(place.textContent);
    new MutationObserver(hear).observe(place, {childList: true});
}"""


def shown(page: Page) -> bool:
    """Wait until everything stands still, or is told in beats, which is True."""
    while page.evaluate(MOVING):
        if page.evaluate(PACING):
            return True
        page.wait_for_timeout(10)
    return False


def fought(live: Live) -> bool:
    """Whether a duel has been fought to its end."""
    return any(event.text == "jump" for ply in live.plies for event in ply.events)


def duel_told(server: Running, page: Page) -> bool:
    """Play seat 0 keenly against a devil until the page tells a duel in beats; False if none is,
    or if one is over that was not told.
    """
    while (live := live_of(server, page)).status != "over":
        if page.evaluate(PACING):
            return True
        if fought(live) and page.get_attribute("#now", "data-ply") == str(live.ply):
            return shown(page)
        if 0 in live.pending:
            live, seat = ready(server, page)
            if shown(page):
                return True
            decide(page, advice(live, seat), keen=True)
            while live_of(server, page).ply == live.ply:
                page.wait_for_timeout(10)
        page.wait_for_timeout(30)
    return False


def duel(server: Running, visit: Callable[..., Page], **more: object) -> Page:
    """A page that tells a duel now. Sensible devils flee from most of them, so not every game has
    one that is fought.
    """
    for _ in range(5):
        page = opened(visit(reduced_motion="no-preference", **more), 1, 1)
        if duel_told(server, page):
            return page
    raise AssertionError("five games without a duel")


@pytest.mark.parametrize("by", ["button", "stove"])
def test_the_presser_presses_and_nothing_is_sent(
    server: Running, visit: Callable[..., Page], by: str
):
    page = duel(server, visit, viewport=NARROW if by == "stove" else WIDE)
    sent: list[str] = []
    page.on("request", lambda request: sent.append(f"{request.method} {request.url}"))
    ply = live_of(server, page).ply
    target = PRESS if by == "button" else "[data-region=board] .pacer"
    pressed = 0
    while page.evaluate(PACING) and pressed < 200:
        pressed += page.evaluate(CLICK, target)
        page.wait_for_timeout(20)
    assert pressed > 0
    assert not [request for request in sent if request.startswith("POST")]
    assert live_of(server, page).ply >= ply
    expect(page.locator(PRESS)).to_have_count(0)


def test_a_duel_goes_on_by_itself_and_tells_its_end_at_the_end(
    server: Running, visit: Callable[..., Page]
):
    page = duel(server, visit)
    page.evaluate(LISTEN)
    expect(page.locator(".log li.new").last).not_to_be_visible()
    assert "jumps" not in page.locator("#announcer").inner_text()
    expect(page.locator("body.pacing")).to_have_count(0)
    page.wait_for_timeout(100)
    assert any("jumps" in text for text in page.evaluate("window.heard"))


def test_a_duel_can_be_skipped(server: Running, visit: Callable[..., Page]):
    page = duel(server, visit)
    page.evaluate("document.querySelector('[data-skip]').click()")
    expect(page.locator("body.pacing")).to_have_count(0, timeout=2000)


def test_who_wants_no_motion_sees_the_end_at_once(server: Running, visit: Callable[..., Page]):
    for _ in range(5):
        page = opened(visit(), 1, 1)
        assert not duel_told(server, page)
        if fought(live_of(server, page)):
            return
    raise AssertionError("five games without a duel")


def test_a_settlement_of_coals_is_told_in_beats_and_a_press_ends_it(
    server: Running, visit: Callable[..., Page]
):
    page = visit(reduced_motion="no-preference")
    sit_down(page, "coals", 1, **SHORT)
    for _ in range(3000):
        if page.evaluate(PACING):
            break
        live = live_of(server, page)
        asked = page.locator(f'#decide input[name="ply"][value="{live.ply}"]').count()
        if asked and not page.evaluate(MOVING):  # the page is not left behind
            owner, text = str(live.seats[0].owner), advice(live, 0)
            server.house.authority.play.act(live.id, owner, 0, live.ply, [text])
        page.wait_for_timeout(30)
    expect(page.locator(PRESS)).to_have_text("Go on")
    expect(page.locator(".slate-text").last).to_be_attached()
    page.evaluate(CLICK, PRESS)
    expect(page.locator("body.pacing")).to_have_count(0, timeout=2000)
    expect(page.locator(".slate-text").last).to_be_visible()
