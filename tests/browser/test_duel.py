"""KITCHEN's duel on the page: the fighters press the stove, or it goes on by itself."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from diablerie.engine import verbs
from diablerie.engine.queries import legal_actions
from diablerie.games.kitchen.rules.state import Node
from diablerie.table.commands import decisions, lobby
from diablerie.table.state.table_state import TableState
from diablerie.table.state.visitors import visitor_of
from tests.browser.conftest import NARROW, Running
from tests.browser.players import advice, live_of, sit_down, table_of, wait_until

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SMALL = {"width": 800, "height": 600}  # a smaller picture costs less to be moved
FAST = "document.documentElement.dataset.speed = 'fast'"  # as by the page of settings
PACING = "document.body.classList.contains('pacing')"
MOVING = "document.body.classList.contains('moving')"
PRESS = "[data-region=ask] button.press"
GO_ON = "[data-region=board] button.press"
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


def keen(live: TableState, seat: int) -> str:
    """What leads to a duel, if anything does at once; else what is sensible."""
    assert live.match is not None
    for action in legal_actions(live.game, live.match.state, seat):
        after = live.match.state.copy()
        verbs.apply(after, seat, action)
        if after.node in (Node.DEFEND, Node.STOVE):
            return live.game.notation.format_action(live.match.state, seat, action)
    return advice(live, seat)


def duel(server: Running, visit: Callable[..., Page], **more: object) -> Page:
    """A page that tells a duel now."""
    page = before(server, visit, **more)
    act(server, live_of(server, page))
    expect(page.locator("body.pacing")).to_have_count(1)
    return page


def before(server: Running, visit: Callable[..., Page], **more: object) -> Page:
    """A page just before a duel; how it came to that is played behind its back."""
    page = visit(**{"reduced_motion": "no-preference", "viewport": SMALL, **more})
    sit_down(page, "kitchen", 0, open=1)
    authority, table = server.house.authority, table_of(page)
    lobby.sit(authority, table, visitor_of("who fights with the page"), name="Bo")
    wait_until(lambda: authority.live(table).match is not None, "the shares did not come")
    while (live := authority.live(table)).match.state.node != Node.DEFEND:
        act(server, live)
    expect(page.locator("#now")).to_have_attribute("data-ply", str(live.ply))
    page.evaluate(FAST)
    expect(page.locator("body.moving")).to_have_count(0)
    return page


def act(server: Running, live: TableState) -> None:
    """The lowest seat that is to decide does, for a duel."""
    seat = min(live.pending)
    owner = str(live.seats[seat].owner)
    decisions.decide(server.house.authority, live.id, owner, live.ply, keen(live, seat), seat)


@pytest.mark.parametrize("by", ["button", pytest.param("stove", marks=pytest.mark.ci)])
def test_the_presser_presses_and_nothing_is_sent(
    server: Running, visit: Callable[..., Page], by: str
):
    page = duel(server, visit, viewport=NARROW if by == "stove" else SMALL)
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
    page.wait_for_function("() => window.heard.some(text => text.includes('jumps'))")


@pytest.mark.ci
def test_a_duel_can_be_skipped(server: Running, visit: Callable[..., Page]):
    page = duel(server, visit)
    page.evaluate("document.querySelector('[data-skip]').click()")
    expect(page.locator("body.pacing")).to_have_count(0, timeout=2000)


def test_who_wants_no_motion_sees_the_end_at_once(server: Running, visit: Callable[..., Page]):
    page = before(server, visit, reduced_motion="reduce")
    paced = "() => { window.paced ||= document.body.classList.contains('pacing'); }"
    page.evaluate(f"new MutationObserver({paced}).observe(document.body, {{attributes: true}})")
    act(server, live_of(server, page))
    ply = str(live_of(server, page).ply)
    expect(page.locator("#now")).to_have_attribute("data-ply", ply)
    expect(page.locator(".log")).to_contain_text("jumps")
    assert not page.evaluate("window.paced")


@pytest.mark.ci
def test_a_settlement_of_coals_is_told_in_beats_and_a_press_ends_it(
    server: Running, visit: Callable[..., Page]
):
    page = visit(reduced_motion="no-preference", viewport=SMALL)
    sit_down(page, "coals", 1)  # so long that a round is settled before the end
    expect(page.locator("#decide")).to_be_visible()
    page.evaluate(FAST)
    for _ in range(3000):
        if page.evaluate(PACING):
            break
        live = live_of(server, page)
        asked = page.locator(f'#decide input[name="ply"][value="{live.ply}"]').count()
        if asked and not page.evaluate(MOVING):  # the page is not left behind
            owner, text = str(live.seats[0].owner), advice(live, 0)
            decisions.decide(server.house.authority, live.id, owner, live.ply, text, 0)
        page.wait_for_timeout(30)
    expect(page.locator(GO_ON)).to_have_text("Continue")
    expect(page.locator(".slate-text").last).to_be_attached()
    slate, button = page.locator("[data-pacer]").bounding_box(), page.locator(GO_ON).bounding_box()
    assert slate
    assert button
    assert abs(button["y"] + button["height"] / 2 - slate["y"] - slate["height"]) < 20
    assert slate["x"] < button["x"] < slate["x"] + slate["width"]
    page.evaluate(CLICK, GO_ON)
    expect(page.locator("body.pacing")).to_have_count(0, timeout=2000)
    expect(page.locator(".slate-text").last).to_be_visible()
