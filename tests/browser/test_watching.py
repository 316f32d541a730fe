"""What a page is like to watch while devils play: nothing on it jumps by itself."""

import time
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from diablerie.games import ALL
from diablerie.table.commands import decisions
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
