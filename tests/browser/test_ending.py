"""The end of a game on the page: its scene, then the podium, and one sentence for the ear."""

import pytest
from playwright.sync_api import Page, Route

from diablerie.art.podium import Stand, podium
from diablerie.web.html import assets
from tests.browser.measures import LOUDEST
from tests.browser.sound_stub import HEARD
from tests.browser.stage import NOW, Stage, board, frame, house, picture, stage, table, told

pytestmark = [pytest.mark.browser]
__all__ = ["house", "stage", "table"]  # fixtures

STANDS = [Stand(0, "Ann", 2, "16"), Stand(1, "Bo", 1, "23"), Stand(2, "Cy", 2, "16")]
SENTENCE = "Bo wins. Revenge? 1. Bo: 23, 2. Ann: 16, 2. Cy: 16."
END = f"""{NOW}<div class="ending" id="ending" data-announce="{SENTENCE}"><p>Bo wins. Revenge?</p>
{podium(STANDS, "lose", "1. Bo: 23")}</div><button>Play again</button>"""
LOG = '<ol class="log"><li id="log-9-0">Bo turns 75</li><li id="log-9-1">The game is over</li></ol>'
MORE = '<div data-region="log"></div><p id="announcer" aria-live="polite"></p>'
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


STAGED = f"""<main data-table="x" data-url="/t/x" data-have="4.a" data-failed="FAILED"
    data-scenes="{assets.address("games/coals.svg")}"><section class="board" data-region="board">
    {picture("")}</section><section class="ask" data-region="ask" tabindex="-1">{NOW}</section>
    {MORE}</main>"""
THERE = "document.querySelector('svg.sprite [id=stage-hand]')"


def staged(stage: Stage) -> Page:
    page = stage(STAGED, at="/t/x", moving=True)
    page.wait_for_function(THERE)
    return page


def the_end(page: Page, before: str = "") -> dict[str, object]:
    return frame(page, ply=9, ask=END, log=LOG, moments=f"{before}9 burnt 0;")


def seen_once(page: Page) -> None:
    """The scene of the end, and after it the podium."""
    page.wait_for_selector(".stage .object", state="attached")
    assert page.locator(".stage .seat-0").count() == 1, "the end's, not the one before"
    page.evaluate("document.getAnimations().forEach((one) => one.finish())")
    page.wait_for_selector("#podium-1", state="attached")
    page.wait_for_function("!document.querySelector('.stage')")


def test_the_end_is_shown_though_it_was_missed(stage: Stage):
    page = staged(stage)
    page.evaluate(HEARD)
    told(page, the_end(page, before="8 burnt 1;") | {"past": True}, "9.a")
    seen_once(page)
    page.wait_for_function("begun.length >= 8")  # the music, too
    told(page, the_end(page) | {"past": True, "regions": {"ask": END + " "}}, "9.b")
    assert page.locator(".stage").count() == 0


def test_the_end_is_shown_though_much_came_before_and_comes_after_it(stage: Stage):
    page = staged(stage)
    page.evaluate("requestAnimationFrame = () => 0")
    frames = [
        frame(page, ply=n, log=f'<ol class="log"><li id="log-{n}-0">{n}</li></ol>')
        for n in range(5, 9)
    ]
    chats = [frame(page, ply=9, chat=f"<p>{n}</p>") for n in range(4)]
    for n, one in enumerate([*frames, the_end(page), *chats]):
        page.evaluate("([data, id]) => streams.at(-1).tells(data, id)", [one, f"9.{n}"])
    seen_once(page)


def test_who_goes_on_to_the_own_turn_sees_the_end(stage: Stage):
    page = staged(stage)
    page.evaluate("document.body.insertAdjacentHTML('beforeend', '<b data-skip>Skip</b>')")
    page.evaluate("document.querySelector('[data-skip]').click()")
    told(page, the_end(page), "9.a")
    seen_once(page)


def test_the_end_waits_for_who_looks_away(stage: Stage):
    page = staged(stage)
    page.evaluate("""window.away = (hidden) => {
        Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
        document.dispatchEvent(new Event("visibilitychange")); }""")
    page.evaluate("away(true)")
    told(page, the_end(page), "9.a")
    assert page.locator("#ending, .stage").count() == 0
    page.evaluate("away(false)")
    seen_once(page)


def test_the_end_waits_for_its_scene(stage: Stage, house: tuple[str, Page]):
    held: list[Route] = []
    house[1].route("**/coals.svg*", lambda route: held.append(route))
    page = stage(STAGED, at="/t/x", moving=True)
    told(page, the_end(page), "9.a")
    assert page.locator("#ending").count() == 0
    held[0].continue_()
    seen_once(page)
    page.unroute("**/coals.svg*")


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
