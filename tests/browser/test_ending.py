"""The end of a game on the page: its scene, then the podium, and one sentence for the ear."""

import pytest
from playwright.sync_api import Page

from diablerie.art.podium import Stand, podium
from diablerie.web.html import assets
from tests.browser.measures import LOUDEST
from tests.browser.stage import NOW, Stage, board, frame, house, stage, table, told

pytestmark = [pytest.mark.browser]
__all__ = ["house", "stage", "table"]  # fixtures

STANDS = [Stand(0, "Ann", 2, "16"), Stand(1, "Bo", 1, "23"), Stand(2, "Cy", 2, "16")]
SENTENCE = "Bo wins. Revenge? 1. Bo: 23, 2. Ann: 16, 2. Cy: 16."
END = f"""{NOW}<div class="ending" id="ending" data-announce="{SENTENCE}"><p>Bo wins. Revenge?</p>
{podium(STANDS, "lose", "1. Bo: 23")}</div><button>Play again</button>"""
LOG = '<ol class="log"><li id="log-9-0">Bo turns 75</li><li id="log-9-1">The game is over</li></ol>'
MORE = '<div data-region="log"></div><p id="announcer" aria-live="polite"></p>'
HEARD = """() => { window.begun = [];
    document.documentElement.dataset.sound = "on";
    window.AudioContext = class extends OfflineAudioContext {
        constructor() { super(1, 44100, 44100); } resume() {} };
    AudioScheduledSourceNode.prototype.start = (at) => begun.push(at);
    AudioScheduledSourceNode.prototype.stop = () => {}; }"""
NOTED = """() => { window.delays = [];
    const animate = Element.prototype.animate;
    Element.prototype.animate = function (frames, how) {
        if (this.id.startsWith("podium-")) delays.push(how.delay);
        return animate.call(this, frames, how); }; }"""


def ended(page: Page) -> None:
    told(page, frame(page, ply=9, ask=END, log=LOG), "9.a")


def test_the_end_is_heard_in_one_sentence_in_place_of_the_log(stage: Stage):
    page = stage(board("<g/>", more=MORE), at="/t/x")
    ended(page)
    assert page.inner_text("#announcer") == SENTENCE
    assert page.locator("#log-9-1").count() == 1
    told(page, frame(page, ply=9, ask=END + " ", log=LOG), "9.b")
    page.evaluate("document.getElementById('announcer').textContent = ''")
    told(page, frame(page, ply=9, ask=f"{END} again", log=LOG), "9.c")
    assert page.inner_text("#announcer") == ""  # it has been said


def test_the_devils_step_up_one_after_the_other_and_stand_still_under_reduced_motion(stage: Stage):
    page = stage(board("<g/>", more=MORE), at="/t/x", moving=True)
    page.evaluate(NOTED)
    ended(page)
    page.wait_for_function("delays.length === 3")
    assert page.evaluate("delays.toSorted((a, b) => a - b)") == [0, 380, 760]
    page = stage(board("<g/>", more=MORE), at="/t/x")
    ended(page)
    assert page.locator("#podium-1").count() == 1
    assert page.evaluate("document.getAnimations().length") == 0


def test_music_is_heard_when_the_first_steps_up(stage: Stage):
    page = stage(board("<g/>", more=MORE), at="/t/x")
    page.evaluate(HEARD)
    ended(page)
    assert (
        page.evaluate("begun.filter((at) => at >= 0.76).length") >= 8
    )  # four notes and their bass
    assert page.evaluate("Math.min(...begun)") == 0  # the last one steps up at once


@pytest.mark.parametrize("name", ["win", "lose"])
def test_music_is_loud_enough_and_ends(stage: Stage, name: str):
    page = stage(board("<g/>"), at="/t/x")
    loud, rest = page.evaluate(LOUDEST, [assets.address("sounds.js"), name, 2.6])
    assert 0.02 < loud < 1
    assert rest < 0.001


def test_the_end_comes_into_sight_on_a_phone(stage: Stage):
    page = stage(board("<g/>", more=MORE), at="/t/x")
    page.evaluate("document.querySelector('[data-region=board]').style.paddingBottom = '3000px'")
    ended(page)
    assert page.evaluate("document.getElementById('ending').getBoundingClientRect().top") < 800


def test_a_page_that_is_opened_at_the_end_says_and_moves_nothing(stage: Stage):
    page = stage(board("<g/>", ask=END, more=MORE), at="/t/x", moving=True)
    told(page, frame(page, ply=9, ask=f"{END} more", log=LOG), "9.a")
    assert page.locator("#podium-1").count() == 1
    assert page.evaluate("document.getAnimations().length") == 0
    assert SENTENCE not in page.inner_text("#announcer")
