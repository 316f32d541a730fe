"""Whole games of TAILS in the browser, and how the picture answers: turning, lighting."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from diablerie.games.tails.rules.notation import ACTION_NAMES
from diablerie.games.tails.rules.state import CELLS, Node
from diablerie.table.state.table_state import TableState
from tests.browser.conftest import NARROW, WIDE, Running
from tests.browser.players import (
    after,
    caught_up,
    go_on,
    play_out,
    press,
    sit_down,
)

pytestmark = [pytest.mark.browser, pytest.mark.slow]


# until the tile in hand lies where it is pressed
LANDED = """() => Promise.all(document.querySelector(".hand").getAnimations({ subtree: true })
  .filter((each) => each.effect.getComputedTiming().endTime < Infinity).map((each) => each.finished))
"""


def sit(page: Page, bots: int) -> None:
    """Open a table for one person and so many devils who play at once."""
    sit_down(page, "tails", bots, bot="imp")
    expect(page.locator("#tails-board")).to_be_visible()


def on_the_board(page: Page, text: str) -> None:
    """Cells are clicked; a tile is turned with the knob until it lies as wanted, then laid."""
    if text in ACTION_NAMES[:CELLS]:
        press(page.locator(f'#tails-board [data-action="{text}"]'))
        return
    for _ in range(12):  # an event that arrives meanwhile shows the tile as it came
        if page.get_attribute("#lay-it", "data-action") == text:
            break
        press(page.locator("#turner [data-cycle-step='1']"))
    press(page.locator(f'#lay-it[data-action="{text}"]'))


@pytest.mark.parametrize("plies", [12, pytest.param(10**6, marks=pytest.mark.ci)])
def test_two_play_a_whole_game_on_the_board(
    server: Running, visit: Callable[..., Page], plies: int
):
    page = visit()
    sit(page, 1)
    play_out(server, {0: page}, on_the_board, until=plies)
    go_on(server, page)
    expect(page.locator("#ending")).to_be_visible()
    assert page.locator("#tails-board .tile").count() == CELLS
    expect(page.locator("#cells-left")).to_have_count(0)


# -- how the picture answers -------------------------------------------------------------------


def until_turning(server: Running, page: Page) -> None:
    """A table at which a tile that can be turned is in hand."""
    sit(page, 1)
    go_on(server, page, at(Node.ROTATION))
    caught_up(server, page)
    page.evaluate(LANDED)


def at(node: Node) -> Callable[[TableState], bool]:
    return lambda live: live.match is not None and live.match.state.node == node


def picked(page: Page) -> str | None:
    return page.get_attribute(".hand .picked", "data-preview")


@pytest.mark.parametrize(
    "viewport",
    [pytest.param(WIDE, id="wide", marks=pytest.mark.ci), pytest.param(NARROW, id="narrow")],
)
def test_the_tile_in_hand_turns_by_click_by_r_and_by_two_knobs(
    server: Running, visit: Callable[..., Page], viewport: dict[str, int]
):
    page = visit(viewport)
    until_turning(server, page)
    assert picked(page) == "lay 0"
    page.click(".hand .frame", force=True)  # the middle of the cell, however the tile is turned
    assert picked(page) == "lay 1"
    page.keyboard.press("r")
    assert picked(page) == "lay 2"
    assert page.get_attribute("#lay-it", "data-action") == "lay 2"
    page.locator("#turner [data-cycle-step='-1']").click()
    assert picked(page) == "lay 1"
    visible = page.locator(".hand .option").evaluate_all(
        "all => all.map((el) => getComputedStyle(el).visibility)"
    )
    assert visible == ["hidden", "visible", "hidden"]
    page.hover('.actions button[value="lay 0"]')
    assert page.locator('.hand [data-preview="lay 0"]').is_visible()
    page.focus("#call-0")
    page.keyboard.press("r")
    assert picked(page) == "lay 1"
    page.click("#lay-it")
    expect(page.locator("#lay-it[data-action='lay 1']")).to_have_count(0)


def test_a_devil_lights_his_whole_tail_and_nothing_else(
    server: Running, visit: Callable[..., Page]
):
    page = visit()
    sit(page, 1)
    go_on(server, page, after(60))
    caught_up(server, page)
    body = page.locator("#tails-board .body").filter(has_not_text="0 tiles").first
    key = body.get_attribute("data-light")
    body.focus()
    lit = page.locator("#tails-board .lit[data-lights]")
    assert lit.count() >= 2
    lights = lit.evaluate_all("all => all.map((el) => el.dataset.lights)")
    assert all(key in shared.split() for shared in lights)  # a line may join two bodies
    page.keyboard.press("Tab")
    expect(page.locator(f'#tails-board .lit[data-lights~="{key}"]')).to_have_count(0)
