"""Faces at the seats: who reacts, and who has met with something great or terrible."""

import pytest
from playwright.sync_api import Page

from tests.browser.stage import NOW, Stage, board, frame, house, picture, square, stage, table, told

pytestmark = [pytest.mark.browser]
__all__ = ["house", "stage", "table"]  # fixtures

PLACES = square(20, 30, data_player="1")
SEATS = '<ul><li id="seat-1">Bo</li><li id="seat-2">Cy</li></ul><div data-region="chat"></div>'
SAID = """<ol id="chat"><li id="said-{0}" class="seat-{1}"><svg class="avatar"><use href="#head-sly"/></svg>
schemes</li></ol>"""
TWO_MINUTES = 120_000


def open_table(stage: Stage, sound: bool = False) -> Page:
    page = stage(board(PLACES, ask=NOW, more=SEATS), at="/t/x")
    page.add_style_tag(content=".seat-face { position: fixed; }")
    if sound:
        page.evaluate("document.documentElement.dataset.sound = 'on'")
    return page


def faced(page: Page, ply: int, *lines: tuple[int, str, str]) -> None:
    faces = "".join(f"{ply}\t{seat}\t{mood}\t{words}\n" for seat, mood, words in lines)
    told(page, frame(page, ply=ply, faces=faces), f"{ply}.a")


def middle(page: Page, selector: str) -> tuple[float, float]:
    box = page.locator(selector).bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_a_face_is_shown_at_its_place_for_two_seconds(stage: Stage):
    page = open_table(stage)
    faced(page, 5, (1, "burnt", "I knew it."))
    assert page.locator(".seat-face.seat-1 use").get_attribute("href") == "#head-burnt"
    assert page.locator(".seat-face[aria-hidden=true]").count() == 1
    at, face = middle(page, "[data-player='1']"), middle(page, ".seat-face")
    assert abs(at[0] - face[0]) < 60  # where the window allows
    assert page.locator(".seat-face p").count() == 0  # nobody wants sounds here
    page.clock.run_for(2100)
    assert page.locator(".seat-face").count() == 0
    faced(page, 5, (1, "burnt", ""))  # it was shown
    assert page.locator(".seat-face").count() == 0
    faced(page, 6, (2, "triumph", ""))  # beside the name, where the picture has no place
    assert page.locator(".seat-face.seat-2").count() == 1


def test_a_devil_says_something_at_most_every_two_minutes_and_nothing_twice(stage: Stage):
    page = open_table(stage, sound=True)
    faced(page, 5, (1, "burnt", "I knew it."))
    assert page.inner_text(".seat-face p") == "I knew it."
    faced(page, 6, (2, "sly", "How kind."))
    assert page.locator(".seat-face.seat-2 p").count() == 0
    page.clock.run_for(TWO_MINUTES + 1000)
    faced(page, 7, (1, "burnt", "I knew it."))
    assert page.locator(".seat-face.seat-1").count() == 1
    assert page.locator(".seat-face p").count() == 0
    faced(page, 8, (2, "sly", "How kind."))
    assert page.inner_text(".seat-face p") == "How kind."


def test_who_reacts_shows_a_face_at_once_and_no_line_at_the_edge(stage: Stage):
    page = open_table(stage)
    told(page, frame(page, ply=4, chat=SAID.format(3, 2)), "4.b")
    assert page.locator(".seat-face.seat-2 use").get_attribute("href") == "#head-sly"
    page.clock.run_for(2100)
    told(page, frame(page, ply=4, chat=SAID.format(3, 2), board=picture(PLACES)), "4.c")
    assert page.locator(".seat-face").count() == 0


def test_a_face_that_a_scene_covers_is_seen_after_it(stage: Stage):
    page = open_table(stage)
    faced(page, 5, (1, "burnt", ""))
    page.evaluate("document.body.insertAdjacentHTML('beforeend', '<div class=stage></div>')")
    page.clock.run_for(6000)
    assert page.locator(".seat-face").count() == 1
    page.evaluate("document.querySelector('.stage').remove()")
    page.clock.run_for(1500)
    assert page.locator(".seat-face").count() == 1
    page.clock.run_for(1000)
    assert page.locator(".seat-face").count() == 0
