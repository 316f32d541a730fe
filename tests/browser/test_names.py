"""Numbers in a picture, one kind at a time: a devil's while a sentence names it, steps while one carries."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import NARROW, Running
from tests.browser.stage import Stage, board, classes, frame, square, told

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def piece(name: str) -> str:
    return square(0, 0, id=name)


def says(*names: str) -> str:
    """The last events, a piece named in each."""
    return "".join(f'<li>Devil <span data-names="{name}">1</span></li>' for name in names)


def test_a_piece_is_named_while_one_of_the_last_three_sentences_names_it(stage: Stage):
    listed = f'<ul class="latest">{says("a", "b", "c")}</ul>'
    page = stage(board(piece("a") + piece("b") + piece("c") + piece("d"), listed))
    for name in "abc":
        assert "named" in classes(page, f"#{name}")
    later = f'<ul class="latest">{says("b", "c", "d")}</ul>'
    told(page, frame(page, 5, ask=later), "5.a")
    assert "named" not in classes(page, "#a")
    assert "named" in classes(page, "#d")


def test_while_a_list_is_open_all_is_named_that_may_be_picked(stage: Stage):
    goal = square(50, 0, data_action="go 1 b1")
    picture = f'<g id="a" data-pick="one"></g><g data-for="one">{goal}</g>'
    button = '<button name="do" value="go 1 b1">Devil 1 to b1</button>'
    listed = f"<details><summary>List</summary><ul class='actions'>{button}</ul></details>"
    page = stage(board(picture, listed))
    assert "named" not in classes(page, "#a")
    page.locator("summary").click()
    page.wait_for_selector("#a.named", state="attached")
    page.locator("summary").click()
    page.wait_for_selector("#a:not(.named)", state="attached")


def test_a_lesson_of_kitchen_has_numbers_at_the_devils_and_steps_only_beside_what_is_carried(
    server: Running, visit: Callable[..., Page]
):
    page = visit(NARROW)
    page.goto(f"{server.home}/learn/kitchen?step=3")
    numbers = page.locator(".board .devil.seat-0 > g > .badge:visible")
    assert sorted(numbers.all_text_contents()) == ["1", "2", "3"]
    expect(page.locator(".board .devil.seat-2 > g > .badge:visible")).to_have_count(0)
    expect(page.locator(".goals.on.carried .cost:visible").first).to_have_text("1")
    page.mouse.move(1, 1)
    page.locator("#kitchen-devil-0-1").click()
    expect(page.locator(".goals.on .goal:visible")).not_to_have_count(0)
    expect(page.locator(".goals.on .cost:visible")).to_have_count(0)
