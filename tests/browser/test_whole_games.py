"""Whole games of COALS in the browser: by clicking, by keyboard, without a script."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import NARROW, Running
from tests.browser.players import (
    advice,
    by_clicking,
    by_keyboard,
    live_of,
    play_out,
    table_of,
    take_turn,
)

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_two_browsers_and_a_bot_play_a_whole_game_one_by_mouse_and_one_by_touch(
    server: Running, visit: Callable[..., Page]
):
    ann, bo = visit(), visit(NARROW, has_touch=True)
    ann.click("#game-coals summary")
    ann.fill("#coals-names", "Ann")
    ann.fill("#coals-bots", "1")
    ann.click("#game-coals details form button.primary")
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
    ann.click("text=Once more")
    expect(ann.locator("#decide")).to_be_visible()
    bo.click("text=To the rematch")
    expect(bo.locator("#decide")).to_be_visible()
    assert table_of(bo) == table_of(ann)


def test_a_whole_game_by_keyboard_and_the_list_of_actions_alone(
    server: Running, visit: Callable[..., Page]
):
    page = visit()
    start = page.locator("#game-coals button[value=bots]")
    for _ in range(30):
        if start.evaluate("el => el === document.activeElement"):
            break
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator("#decide")).to_be_visible()
    play_out(server, {0: page}, by_keyboard)
    expect(page.locator("#ending")).to_be_visible()


def test_a_whole_game_without_a_script(server: Running, visit: Callable[..., Page]):
    page = visit(scripted=False)
    page.click("#game-coals summary")
    page.fill("#coals-open", "0")
    page.fill("#coals-bots", "1")
    page.click("#game-coals details form button.primary")
    while live_of(server, page).status != "over":
        live = live_of(server, page)
        if 0 not in live.pending:
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
    play_out(server, {0: page}, by_clicking, until=12)
    page.reload()
    play_out(server, {0: page}, by_clicking, until=24)
    ply = live_of(server, page).ply
    server.stop()
    server.start()
    assert live_of(server, page).ply >= ply
    take_turn_when_due(server, page)
    play_out(server, {0: page}, by_clicking, until=ply + 12)
    assert live_of(server, page).ply > ply


def take_turn_when_due(server: Running, page: Page) -> None:
    """The page notices by itself that the server is back."""
    while 0 not in live_of(server, page).pending:
        page.wait_for_timeout(50)
    take_turn(server, page, 0, by_clicking)
