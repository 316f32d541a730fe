"""What a page is like to watch while devils play: nothing on it jumps by itself."""

import time
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from diablerie.games import ALL
from diablerie.table.commands import chat, decisions, seats
from tests.browser.conftest import NARROW, WIDE, Running
from tests.browser.players import advice, live_of, shown, sit_down

pytestmark = [pytest.mark.browser, pytest.mark.slow]

PLIES = 20  # of each game, and all of them in the nightly tests
MOST = 0.1  # what is called good
SHIFTS = """window.shifts = [];
const named = ({ node, currentRect, previousRect }) => [node?.id || node?.className || node?.nodeName,
    currentRect.x - previousRect.x, currentRect.y - previousRect.y].join(" ");
new PerformanceObserver((list) => {
    for (const { value, sources, hadRecentInput } of list.getEntries())
        if (!hadRecentInput) shifts.push([value, sources.map(named)]);
}).observe({ type: "layout-shift" });"""


@pytest.mark.parametrize(
    "size",
    [pytest.param(WIDE, id="desktop", marks=pytest.mark.ci), pytest.param(NARROW, id="phone")],
)
@pytest.mark.parametrize("game", ALL)
@pytest.mark.parametrize(
    "plies", [PLIES, pytest.param(10**6, marks=pytest.mark.nightly, id="whole")]
)
def test_nothing_shifts_while_devils_play(
    server: Running, visit: Callable[..., Page], game: str, size: dict[str, int], plies: int
):
    """Decides elsewhere, since input excuses what shifts after it."""
    page = visit(size, reduced_motion="no-preference")
    sit_down(page, game, 3)
    page.click("#first button")  # known
    expect(page.locator("#now")).to_be_attached()
    page.evaluate("document.getElementById('first')?.remove()")
    page.evaluate(SHIFTS)
    authority = server.house.authority
    while (live := live_of(server, page)).status != "over" and live.ply < plies:
        if 0 in live.pending and shown(page) == live.ply:
            owner, text = str(live.seats[0].owner), advice(live, 0)
            decisions.decide(authority, live.id, owner, live.ply, text, 0)
        time.sleep(0.05)
    shifts = page.evaluate("shifts")
    assert sum(value for value, _ in shifts) <= MOST, sorted(shifts)[-8:]


@pytest.mark.parametrize(
    "size",
    [pytest.param(WIDE, id="desktop", marks=pytest.mark.ci), pytest.param(NARROW, id="phone")],
)
@pytest.mark.parametrize("game", ALL)
def test_nothing_shifts_while_people_come_and_go(
    server: Running, visit: Callable[..., Page], game: str, size: dict[str, int]
):
    """Bo goes away, a devil sits in, Bo is back, talks and pulls a face; Ann only looks."""
    authority = server.house.authority
    page = visit(size, reduced_motion="no-preference")
    page.goto(f"{server.home}/friends/{game}")
    page.fill("#host-name", "Ann")
    page.click("button[value=friends]")
    bo = visit(size)
    bo.goto(page.url)
    bo.fill("#sit-name", "Bo")
    bo.click("form[data-form=sit] button")
    page.click("button[name=devils][value='0']")
    expect(page.locator("#now")).to_be_attached()
    expect(bo.locator("#now")).to_be_attached()
    page.evaluate("document.getElementById('first')?.remove()")
    page.evaluate(SHIFTS)
    live = live_of(server, page)
    ann, other = (str(info.owner) for info in live.seats)
    before, authority.attendance.away_after = authority.attendance.away_after, 0.0
    try:
        bo.goto("about:blank")
        expect(page.locator("#seat-1.away")).to_be_attached()
        seats.give_to_bot(authority, live.id, ann, 1)
        expect(page.locator("#seat-1 .danger")).to_be_attached()
    finally:
        authority.attendance.away_after = before
    bo.goto(page.url)
    seats.relieve_bot(authority, live.id, other, 1)
    for said in ("Here I am again", ":cheers:"):
        chat.chat(authority, live.id, other, said)
    expect(page.locator("#seat-1 .danger")).to_have_count(0)
    expect(page.locator("[data-region=chat]")).to_contain_text("Here I am again")
    shifts = page.evaluate("shifts")
    assert sum(value for value, _ in shifts) <= MOST, sorted(shifts)[-8:]
