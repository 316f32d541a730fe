"""Games on paper, on screens and as pixels: sheets are whole, and backs hide what is in front."""

import io
from collections.abc import Callable

import numpy as np
import pytest
from playwright.sync_api import Page

from tests.browser.conftest import NARROW, Running
from tests.browser.test_every_page import BEYOND

pytest.importorskip("PIL")
from PIL import Image

pytestmark = [pytest.mark.browser, pytest.mark.slow]
LINE_HEIGHT = """(el) => {
  const range = document.createRange();
  range.selectNodeContents(el.querySelector(".tagline, li"));
  return range.getClientRects()[0].height;
}"""

# Nothing is left of the page but one of its sheets; where it is.
ALONE = """(n) => {
  window.sheets ??= [...document.querySelectorAll("svg.page")];
  document.querySelector("main").replaceChildren(window.sheets[n]);
  const { x, y, width, height } = window.sheets[n].getBoundingClientRect();
  return { x, y, width, height };
}"""


@pytest.mark.parametrize("paper", ["a4", pytest.param("letter", marks=pytest.mark.ci)])
def test_a_game_on_paper_is_seen_whole_on_every_screen(
    server: Running, visit: Callable[..., Page], paper: str
):
    page = visit()
    page.goto(f"{server.home}/print/coals?paper={paper}")
    for width in (1440, 860, 830, 630, 600, 460, 430, NARROW["width"], 350, 340, 320):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate(BEYOND) <= 0, width
        # The sheets become smaller, what tells how they are made does not, and nothing of it is cut.
        for words in page.locator(".words").all():
            assert words.evaluate(LINE_HEIGHT) > 15, width
            assert words.evaluate("el => el.scrollWidth <= el.clientWidth"), width
            assert words.evaluate("el => el.scrollHeight <= el.clientHeight"), width


@pytest.mark.parametrize("name", ["kitchen", "tails"])
def test_what_is_dark_in_front_is_dark_behind(
    server: Running, visit: Callable[..., Page], name: str
):
    """Whoever prints on thin paper sees dark lines through light backs: a value, a kind of tile."""
    page = visit()
    page.goto(f"{server.home}/print/{name}")
    page.emulate_media(media="print")
    front, back = (pixels(page, n) for n in (0, 1))
    behind = np.fliplr(back)
    # What else is on these pages, further down, has no back.
    cards = slice(len(front) // 4)
    drawn = front[cards] < 90
    assert drawn.mean() > 0.05
    assert (behind[cards][drawn] < 100).mean() > 0.88


def pixels(page: Page, n: int) -> "np.ndarray":
    """How bright each pixel of a sheet is. It changes the page."""
    sheet = page.screenshot(clip=page.evaluate(ALONE, n), full_page=True)
    return np.asarray(Image.open(io.BytesIO(sheet)).convert("L"))
