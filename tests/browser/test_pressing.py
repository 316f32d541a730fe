"""The script alone: nothing moves or covers what a pointer presses, so that no click is lost."""

import pytest
from playwright.sync_api import Page

from tests.browser.stage import NEXT_TASK, NOW, Stage, board, frame, picture, told

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


def test_a_refusal_does_not_move_what_is_pressed(stage: Stage):
    form = '<form data-form="act" action="/t/x/decide"><button id="send">GO</button></form>'
    page = stage(board("", ask=form, more=FOLDED))
    page.evaluate("replies.push('later')")
    page.click("#send")
    presses(page, "summary")
    page.evaluate("answer({ status: 422, title: 'REFUSED' })")
    page.evaluate(NEXT_TASK)
    assert page.inner_text("[data-refusal=act]") == ""
    page.mouse.up()
    page.clock.run_for(60)
    assert page.inner_text("[data-refusal=act]") == "REFUSED"
    assert page.locator("details").evaluate("el => el.open")


def test_the_page_does_not_glide_to_the_podium_under_what_is_pressed(stage: Stage):
    page = stage(board("", more=FOLDED), at="/t/x", moving=True)
    page.add_style_tag(content="#ending { margin: 2500px 0 }")
    told(page, frame(page, ply=9, ask=END), "9.a")
    page.wait_for_function("scrollY > 0", polling=10)
    page.mouse.move(500, 400)
    page.mouse.down()
    ways = page.evaluate(f"(async () => [await {LATER}, await {LATER}, await {LATER}])()")
    assert 0 < ways[1] == ways[2] < 2000
    page.mouse.up()


LATER = "new Promise((go) => scheduler.postTask(() => go(scrollY), { delay: 100 }))"


END = f"""{NOW}<div class="ending" id="ending" data-announce="OVER">{picture("")}</div>"""
