"""The script alone: nothing moves or covers what a pointer presses, so that no click is lost."""

import pytest
from playwright.sync_api import Page

from tests.browser.stage import NOW, Stage, board, frame, told

pytestmark = [pytest.mark.browser]

FOLDED = '<details id="tools"><summary>TOOLS</summary>INSIDE</details>'
TALL = '<p id="tall" style="height: 90px">TALL</p>'
# Resolves after the page's own observers have been called: a new one is called after them.
OBSERVED = """() => new Promise((done) => {
    new IntersectionObserver(done).observe(document.querySelector(".tools"));
})"""


def presses(page: Page, selector: str) -> None:
    page.locator(selector).hover()
    page.mouse.down()


def test_a_frame_waits_until_what_is_pressed_has_been_clicked(stage: Stage):
    page = stage(board("", more=FOLDED))
    presses(page, "summary")
    told(page, frame(page, ask=NOW + TALL), "5.b")
    assert page.locator("#tall").count() == 0
    page.mouse.up()
    assert page.locator("details").evaluate("el => el.open")
    page.clock.run_for(60)
    assert page.locator("#tall").count() == 1
    told(page, frame(page, ply=2, ask=NOW), "6.c")  # nothing is pressed any more
    page.locator("#tall").wait_for(state="detached")


def test_a_frame_does_not_wait_for_ever(stage: Stage):
    page = stage(board("", more=FOLDED))
    presses(page, "summary")
    told(page, frame(page, ask=NOW + TALL), "5.b")
    page.clock.run_for(900)
    assert page.locator("#tall").count() == 0
    page.clock.run_for(200)
    assert page.locator("#tall").count() == 1
    page.mouse.up()


def test_the_nudge_does_not_come_over_what_is_pressed(stage: Stage):
    page = stage()
    page.add_style_tag(content=".talk, .tools { margin-top: 2000px }")
    page.locator("[data-region=board]").scroll_into_view_if_needed()
    page.evaluate(OBSERVED)
    presses(page, "[data-region=board]")
    page.locator(".tools").evaluate("el => el.scrollIntoView()")
    page.evaluate(OBSERVED)
    assert page.locator("#nudge a").count() == 0
    page.mouse.up()
    page.clock.run_for(60)
    assert page.inner_text("#nudge a") == page.get_attribute("#nudge", "data-turn")
