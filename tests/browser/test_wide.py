"""Boards use the width that a laptop has: what else is drawn stands beside them."""

from collections.abc import Callable

import pytest
from playwright.sync_api import FloatRect, Page

from tests.browser.conftest import Running
from tests.browser.players import after, go_on, sit_down

pytestmark = [pytest.mark.browser, pytest.mark.slow]

LAPTOP = {"width": 1280, "height": 800}


def box(page: Page, selector: str) -> FloatRect:
    found = page.locator(selector).first.bounding_box()
    assert found
    return found


@pytest.mark.parametrize(
    ("game", "board", "beside", "least"),
    [
        ("kitchen", ".kitchen .lava", ("#kitchen-tray", "#kitchen-points", ".dice"), 600),
        ("underworld", ".underworld .soil", ("#uw-player-0", "#uw-player-2"), 510),
    ],
)
def test_the_board_is_wide_and_what_stands_beside_it_is_in_the_window(
    server: Running,
    visit: Callable[..., Page],
    game: str,
    board: str,
    beside: tuple[str, ...],
    least: int,
):
    page = visit(LAPTOP)
    sit_down(page, game, 2)
    go_on(server, page, after(30))
    drawn, room = box(page, board), box(page, "[data-region=board]")
    assert drawn["width"] > least
    assert drawn["y"] + drawn["height"] <= 800
    for selector in beside:
        one = box(page, selector)
        assert one["x"] >= drawn["x"] + drawn["width"] - 1
        assert one["x"] + one["width"] <= room["x"] + room["width"] + 1
        assert room["y"] <= one["y"]
        assert one["y"] + one["height"] <= room["y"] + room["height"] + 1


@pytest.mark.parametrize(
    ("bots", "least"), [(1, 690), pytest.param(3, 720, marks=pytest.mark.ci), (5, 620)]
)
def test_the_furnace_is_wide_and_its_players_are_in_the_window(
    server: Running, visit: Callable[..., Page], bots: int, least: int
):
    page = visit(LAPTOP)
    sit_down(page, "coals", bots)
    drawn, room = box(page, "#coals-wall"), box(page, "[data-region=board]")
    assert drawn["width"] > least
    for seat in range(bots + 1):
        one = box(page, f"#coals-place-{seat}")
        assert one["y"] >= drawn["y"] + drawn["height"]
        assert one["y"] + one["height"] <= room["y"] + room["height"] + 1
        assert one["x"] >= room["x"] - 1
        assert one["x"] + one["width"] <= room["x"] + room["width"] + 1


def test_without_a_connection_the_devil_leaves_room_for_the_sentence(
    server: Running, visit: Callable[..., Page]
):
    page = visit(LAPTOP)
    page.goto(f"{server.home}/offline")
    again = box(page, "a.primary")
    assert again["y"] + again["height"] < 500
