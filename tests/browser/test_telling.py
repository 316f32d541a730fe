"""What the page tells by itself: how much time is left, and what happens out of sight."""

import pytest
from playwright.sync_api import Page

from tests.browser.stage import NOW, Stage, board, classes, frame, house, stage, table, told

pytestmark = [pytest.mark.browser]
__all__ = ["house", "stage", "table"]  # fixtures


@pytest.mark.parametrize(
    ("left", "text", "hurry"),
    [
        (30 * 3600, "1d 6h", False),
        (24 * 3600, "1d 0h", False),
        (2 * 3600 + 300, "2h 5m", False),
        (3599, "59:59", False),
        (65, "1:05", False),
        (20, "0:20", True),
        (-3, "0:00", True),
    ],
)
def test_the_time_that_is_left_is_told_by_the_clock_of_the_house(
    stage: Stage, left: int, text: str, hurry: bool
):
    page = stage(board(""), at="/t/x")
    page.evaluate("document.documentElement.lang = 'en'")
    due = f'{NOW}<time id="left" data-due="{7000 + left}"></time>'
    told(page, frame(page, ask=due) | {"now": 7000}, "5.a")
    assert page.inner_text("#left") == text
    assert ("hurry" in classes(page, "#left")) == hurry


BELOW = """<div style="height: 3000px"></div><section class="talk-chat" data-region="chat">
    <ol id="chat"></ol></section><div id="nudge" data-turn="YOUR TURN"></div>"""


def said(page: Page, *lines: str) -> None:
    """Somebody says these lines; they are all the chat there is."""
    chat = "".join(f'<li id="said-{text}">{text}</li>' for text in lines)
    told(page, frame(page, chat=f'<ol id="chat">{chat}</ol>'), lines[-1])


def test_what_is_said_where_one_has_not_scrolled_to_is_told_at_the_edge(stage: Stage):
    page = stage(board("", "", BELOW), at="/t/x")
    said(page, "hm")
    nudge = page.locator("#nudge")
    assert nudge.inner_text() == "hm"
    assert nudge.locator("a").get_attribute("href") == "#talk"
    page.evaluate("document.querySelector('.talk-chat').scrollIntoView()")
    page.wait_for_function("!document.querySelector('#nudge a')")
    said(page, "hm", "ho")
    assert nudge.inner_text() == ""


def test_one_s_turn_is_told_only_where_the_board_cannot_be_seen(stage: Stage):
    page = stage(board("", "", BELOW), at="/t/x")
    turn = f'{NOW}<p class="prompt mine">Choose.</p>'
    told(page, frame(page, ask=turn), "5.a")
    assert page.inner_text("#nudge") == ""
    page.evaluate("document.querySelector('.talk-chat').scrollIntoView()")
    page.wait_for_function("document.querySelector('#nudge').textContent === 'YOUR TURN'")
    page.evaluate("scrollTo(0, 0)")
    page.wait_for_function("!document.querySelector('#nudge a')")
