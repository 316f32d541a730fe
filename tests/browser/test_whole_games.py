"""Whole games of COALS in the browser: by clicking, by keyboard, without a script."""

import time
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import NARROW, Running
from tests.browser.players import (
    OPENS,
    SHORT,
    advice,
    by_clicking,
    by_keyboard,
    fill_in,
    live_of,
    play_out,
    set_up,
    sit_down,
    tab_to,
    table_of,
    take_turn,
    wait_until,
)

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_two_browsers_and_a_bot_play_a_whole_game_by_clicking(
    server: Running, visit: Callable[..., Page]
):
    ann, bo = visit(), visit(NARROW, has_touch=True)
    sit_down(ann, "coals", 1, open=1, names="Ann", **SHORT)
    invitation = ann.input_value("#invite")
    bo.goto(invitation)
    bo.fill("#sit-name", "Bo")
    bo.click("text=Take a seat")
    play_out(server, {0: ann, 1: bo}, by_clicking)
    winners = [name for name in ("Ann", "Bo", "Devil Flint") if name in ann.inner_text("#ending")]
    for page in (ann, bo):
        expect(page.locator("#ending")).to_be_visible()
        for name in winners:
            expect(page.locator("#ending")).to_contain_text(name)
    ann.click("text=Play again")
    bo.click("text=To the next game")
    for page in (ann, bo):  # neither begins without the other's part of the dice
        expect(page.locator("#decide")).to_be_visible()
    assert table_of(bo) == table_of(ann)


def test_a_whole_game_by_keyboard_and_the_list_of_actions_alone(
    server: Running, visit: Callable[..., Page]
):
    page = visit()
    for link in ("#game-coals a[href^='/friends/']", "a[href^='/setup/']"):
        tab_to(page, page.locator(link))
        page.keyboard.press("Enter")
        expect(page.locator("h1")).to_contain_text("COALS")
    tab_to(page, fill_in(page, "coals", 2, **SHORT))
    page.keyboard.press("Enter")
    expect(page.locator("#decide")).to_be_visible()
    play_out(server, {0: page}, by_keyboard)
    expect(page.locator("#ending")).to_be_visible()


@pytest.mark.ci
def test_a_whole_game_without_a_script(server: Running, visit: Callable[..., Page]):
    page = visit(scripted=False)
    set_up(page, "coals")
    page.fill("#coals-open", "0")
    page.fill("#coals-bots", "1")
    page.click("#coals-variants > summary")
    page.fill("#coals-goal", "300")
    page.click(OPENS)
    while (live := live_of(server, page)).status != "over":
        if 0 not in live.pending:
            time.sleep(0.005)
            continue
        page.goto(page.url)
        text = advice(live, 0)
        if text.startswith("bet"):
            page.fill("#amount", text.removeprefix("bet "))
            page.click("#amount-send")
        else:
            page.click(f'.actions button[value="{text}"]')
    page.goto(page.url)
    expect(page.locator("#ending")).to_be_visible()
    page.click("text=Watch the replay")
    expect(page.locator("#replay-count")).to_contain_text("Step 1 of")
    page.click("#replay-on")
    expect(page.locator("#replay-count")).to_contain_text("Step 2 of")


def test_a_reload_and_a_server_restart_in_mid_game_lose_nothing(
    server: Running, visit: Callable[..., Page]
):
    page = visit()
    page.click("#game-coals button[value=bots]")
    play_out(server, {0: page}, by_clicking, until=3)
    page.reload()
    play_out(server, {0: page}, by_clicking, until=6)
    ply = live_of(server, page).ply
    server.stop()
    server.start()
    assert live_of(server, page).ply >= ply
    take_turn_when_due(server, page)
    play_out(server, {0: page}, by_clicking, until=ply + 4)
    assert live_of(server, page).ply > ply


def take_turn_when_due(server: Running, page: Page) -> None:
    """The page notices by itself that the server is back."""
    wait_until(lambda: 0 in live_of(server, page).pending, "the bots did not go on")
    take_turn(server, page, 0, by_clicking)
