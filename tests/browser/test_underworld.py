"""Whole games of UNDERWORLD in the browser, by clicking on the board; plans in any order."""

import re
import time
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from diablerie.engine import verbs
from diablerie.engine.queries import redacted
from diablerie.engine.rng import seeded
from diablerie.games.underworld.rules.notation import ACTION_TEXTS
from diablerie.games.underworld.rules.state import Node
from tests.browser.conftest import NARROW, WIDE, Running
from tests.browser.players import arrived, caught_up, go_on, live_of, press, sit_down

pytestmark = [pytest.mark.browser, pytest.mark.slow]

PLANS = (Node.SWAP1, Node.SWAP2, Node.TAKE, Node.LAY)


def clicks(s, seat: int) -> list[str]:
    """What a sensible player points at for one whole decision: each a spot's notation."""
    spots, rng = [], seeded(int(s.turns))
    while True:
        action = verbs.advise(s, seat, rng)
        spots.append(ACTION_TEXTS.format(action))
        verbs.apply(s, seat, action)
        if s.node not in PLANS:
            return spots


def decide(server: Running, page: Page, seat: int) -> None:
    live = caught_up(server, page)
    assert live.match is not None
    spots = clicks(redacted(live.match.state, seat), seat)
    for spot in spots:
        found = page.locator(f'[data-region=board] [data-action="{spot}"]').last
        expect(found).to_be_attached()
        press(found)
        if len(spots) > 1:  # the next is clicked when this one is drafted
            drafted = re.compile(rf"(^|;)\s*{re.escape(spot)}$")
            expect(page.locator("#now")).to_have_attribute("data-draft", drafted)
    if len(spots) > 1:
        press(page.locator("#send"))
    arrived(server, page, seat, live.ply)


AT_NIGHT = pytest.mark.nightly


@pytest.mark.parametrize(
    ("seats", "size", "plies"),  # those clicked; then a devil plays to the end
    [
        (4, NARROW, 40),
        pytest.param(4, NARROW, 10**6, marks=pytest.mark.ci),
        pytest.param(2, WIDE, 10**6, marks=AT_NIGHT),
        pytest.param(6, WIDE, 10**6, marks=AT_NIGHT),
    ],
)
def test_a_whole_game_by_clicking_on_the_board(
    server: Running, visit: Callable[..., Page], seats: int, size: dict[str, int], plies: int
):
    page = visit(size, has_touch=size == NARROW)
    sit_down(page, "underworld", seats - 1)
    expect(page.locator("#uw-board")).to_be_visible()
    while (live := live_of(server, page)).status != "over" and live.ply < plies:
        if 0 in live.pending:
            decide(server, page, 0)
        else:
            time.sleep(0.005)
    go_on(server, page)
    expect(page.locator("#ending")).to_be_visible()
    assert live_of(server, page).match.over


def begin(page: Page) -> None:
    """Place the disk, and wait for the first turn."""
    page.locator('#uw-spaces [data-action^="place"].can').first.click()
    expect(page.locator("#uw-sign-swap")).to_be_visible()


def test_a_swap_is_pointed_at_in_any_order_shown_and_called_off(
    server: Running, visit: Callable[..., Page]
):
    page = visit()
    sit_down(page, "underworld", 1)
    caught_up(server, page)
    begin(page)
    ply = caught_up(server, page).ply
    page.click("#uw-sign-swap")
    cards = page.locator('#uw-spaces [data-action^="exchange"].can')
    later, earlier = (cards.nth(i).get_attribute("data-action")[-2:] for i in (9, 4))
    page.locator(f'[data-action="exchange {later}"]').first.click()
    page.locator(f'[data-action="swap; exchange {earlier}; with {later}"]').first.click()
    expect(page.locator("#draft")).to_contain_text(str(earlier))
    assert live_of(server, page).ply == ply
    page.click("text=Start over")
    expect(page.locator("#draft")).to_have_count(0)
    expect(page.locator("#uw-sign-swap")).to_be_visible()
