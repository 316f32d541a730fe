"""Text of twice the size on phones: no page scrolls sideways, and every control is on the screen."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import NARROW, WIDE, Running
from tests.browser.measures import SEEN, SQUEEZED
from tests.browser.test_every_page import (
    BEYOND,
    LINES,
    SMALLEST,
    called,
    daily,
    game,
    group,
    hot_seat,
    landing,
    lesson_samples,
    other_games,
    texts,
    waiting_room,
)

pytestmark = [pytest.mark.browser, pytest.mark.slow]
TOURS = (
    landing,
    waiting_room,
    daily,
    group,
    hot_seat,
    called,
    game,
    lesson_samples,
    texts,
    other_games,
)
OFTEN = (waiting_room, hot_seat)  # the others in CI
SIZE = "(size) => (document.documentElement.style.fontSize = size)"

# Controls beyond the edge that no element of the page scrolls into view.
LOST = f"""() => {{
  {SEEN}
  const scrolled = (el) => {{
    for (let up = el.parentElement; up && up !== document.body; up = up.parentElement)
      if (/auto|scroll/.test(getComputedStyle(up).overflowX)) return true;
    return false;
  }};
  const controls = "a[href], button, input:not([type=hidden]), select, summary";
  const lost = [...document.querySelectorAll(controls)].filter((el) => {{
    if (!seen(el) || el.closest("svg, .hidden-visually, .skip-link, .told")) return false;
    const {{ left, right, width }} = el.getBoundingClientRect();
    return width > 2 && (left < -1 || right > innerWidth + 1) && !scrolled(el);
  }});
  return lost.map((el) => el.textContent.trim() || el.id);
}}"""


# Controls that lie on one another: in the bar, and those that float at the window's edge.
COVERED = """() => {
  const seen = (el) => el.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const kinds = ".bar :is(a, button), .nudge a, .connection";
  const controls = [...document.querySelectorAll(kinds)].filter(seen);
  const boxes = controls.map((el) => [el.textContent.trim() || el.ariaLabel, el.getBoundingClientRect()]);
  const across = (a, b) => a.left < b.right - 1 && b.left < a.right - 1;
  const meet = (a, b) => across(a, b) && a.top < b.bottom - 1 && b.top < a.bottom - 1;
  const under = ([, a], i) => boxes.slice(i + 1).filter(([, b]) => meet(a, b));
  return boxes.flatMap(under).map(([name]) => name);
}"""
EVERYTHING = """() => {
  document.body.classList.add("moving");
  document.getElementById("nudge").innerHTML = "<a href='#asked'>" + "Du bist am Zug ".repeat(4) + "</a>";
  const notice = document.getElementById("connection");
  Object.assign(notice, { hidden: false, textContent: notice.dataset.lost });
}"""


def wrong(page: Page, where: str) -> list[str]:
    """What a page at twice the size of text has beyond the edge of two phones, or in thin columns."""
    page.wait_for_load_state("load")
    found = []
    page.evaluate("document.getElementById('refused-here')?.remove()")  # placed for another size
    page.evaluate(SIZE, "32px")
    for size in (NARROW, SMALLEST):
        page.set_viewport_size(size)
        beyond, lost = page.evaluate(BEYOND), page.evaluate(LOST)
        thin = page.evaluate(SQUEEZED) if size == NARROW else []
        if beyond > 0 or lost or thin:
            found.append(f"{where}, {size['width']}: {beyond} too wide, lost: {lost}, thin: {thin}")
    page.set_viewport_size(NARROW)
    page.evaluate(SIZE, "")
    return found


@pytest.mark.parametrize(
    "tour", [pytest.param(one, marks=() if one in OFTEN else pytest.mark.ci) for one in TOURS]
)
def test_no_page_is_wider_than_the_screen(server: Running, visit: Callable[..., Page], tour: Any):
    page = visit(NARROW, locale="de")
    found = [one for where in tour(server, page) for one in wrong(page, where)]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    "locale", ["de", *(pytest.param(one, marks=pytest.mark.ci) for one in ("ro", "fr", "en"))]
)
def test_no_control_lies_on_another_while_something_moves(
    server: Running, visit: Callable[..., Page], locale: str
):
    page = visit(NARROW, locale=locale)
    json = {"accept": "application/json"}
    form = {"game": "underworld", "here": "1", "open": "1"}
    made = page.request.post(f"{server.home}/tables", form=form, headers=json).json()["url"]
    page.goto(server.home + made)
    page.evaluate(EVERYTHING)
    for size in (WIDE, {"width": 640, "height": 800}, NARROW, SMALLEST):
        page.set_viewport_size(size)
        for text in ("16px", "32px"):
            page.evaluate(SIZE, text)
            where = f"{size['width']}, {text}"
            assert page.evaluate(COVERED) == [], where
            if size["width"] < 1000:
                assert page.evaluate(LOST) == [], where
            skip = page.locator("[data-skip]")
            assert skip.is_visible(), where
            assert skip.evaluate("el => el.getBoundingClientRect().height") >= 24, where


@pytest.mark.parametrize("name", ["😈" * 24, "W" * 24])
def test_a_long_name_in_a_sentence_stands_in_one_line(
    server: Running, visit: Callable[..., Page], name: str
):
    page = visit(NARROW)
    form = {"game": "coals", "here": "2", "names": f"{name},Bo"}
    json = {"accept": "application/json"}
    made = page.request.post(f"{server.home}/tables", form=form, headers=json).json()["url"]
    page.goto(server.home + made)
    told = page.locator("main .who", has_text=name).first
    expect(told).to_be_visible()
    assert told.evaluate(LINES) == 1
    assert told.evaluate("el => el.scrollWidth > el.clientWidth"), "it is cut"
    assert page.evaluate(BEYOND) <= 0
