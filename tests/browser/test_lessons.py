"""Lessons on a phone: the sentence, the control it asks for and the place on the board are in sight."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from diablerie.games import ALL
from tests.browser.conftest import NARROW, Running
from tests.languages import LANGUAGES

pytestmark = [pytest.mark.browser, pytest.mark.slow]

# What of a page is asked of the learner and is not wholly seen, without anything scrolled or opened.
UNSEEN = """() => {
  const bare = (el) => el.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const box = (el) => el.getBoundingClientRect();
  const inside = (el) => {
    const step = box(document.querySelector(".lesson-step"));
    const { top, bottom } = box(el);
    return top >= step.top - 1 && bottom <= Math.min(innerHeight, step.bottom) + 1;
  };
  const met = (el) => {
    const { left, top, width, height } = box(el);
    for (const k of [0.5, 0.25, 0.75]) for (const l of [0.5, 0.15, 0.85]) {
      const found = document.elementFromPoint(left + k * width, top + l * height);
      if (found?.closest("[data-region=board]")) return true;
    }
    return false;
  };
  const told = [...document.querySelectorAll("#step-title, #step-title ~ p")];
  const buttons = ".actions:not(.many) button, .lesson-step > form button";
  const controls = `#lesson-next, #amount-slider, #amount-send, ${buttons}`;
  const asked = [...document.querySelectorAll(controls)];
  const wanted = [...document.querySelectorAll("[data-region=board] [data-wanted]")].filter(bare);
  const named = (el) => el.id || el.textContent.trim();
  const hidden = [...told, ...asked].filter((el) => bare(el) && !inside(el)).map(named);
  if (wanted.length && !wanted.some(met)) hidden.push("the place on the board");
  const any = wanted.length || asked.some(bare) || document.querySelector("[data-assign-send]");
  if (!any) hidden.push("no control at all");
  const lost = (el) => getComputedStyle(el).display === "contents";
  const groups = [...document.querySelectorAll("[data-region=board] g")];
  if (groups.some(lost)) hidden.push("a place in the picture");
  return hidden;
}"""


@pytest.mark.parametrize(
    "language",
    ["de", *(pytest.param(one, marks=pytest.mark.ci) for one in ("en", *LANGUAGES) if one != "de")],
)
def test_every_step_of_every_lesson_is_in_sight_with_its_control_and_its_place(
    server: Running, visit: Callable[..., Page], language: str
):
    page, unseen = visit(NARROW, locale=language, has_touch=True), {}
    for game in ALL.values():
        for step in range(1, len(game.lesson.steps) + 1 if game.lesson else 1):
            page.goto(f"{server.home}/learn/{game.name}?step={step}")
            page.wait_for_load_state("load")
            if found := page.evaluate(UNSEEN):
                unseen[f"{game.name} {step}"] = found
    assert unseen == {}


def test_the_duel_of_kitchen_is_pressed_by_the_learner(server: Running, visit: Callable[..., Page]):
    page = visit(NARROW, reduced_motion="no-preference")
    duel = next(n for n, step in enumerate(ALL["kitchen"].lesson.steps, 1) if "jump" in step.then)
    page.goto(f"{server.home}/learn/kitchen?step={duel + 1}")
    press = page.locator(".press")
    expect(press).to_be_focused()
    expect(page.locator("#lesson-next")).to_be_hidden()
    for pressed in range(4):
        expect(press).to_have_attribute("aria-disabled", "false")
        press.dispatch_event("click")  # at once: who waits too long is passed over
        if not pressed:
            expect(press).to_have_attribute("aria-disabled", "true")
    page.click("#lesson-next")
    expect(page.locator("[data-wanted]").first).to_be_visible()
    expect(press).to_have_count(0)  # it is not pressed again


def test_a_step_asks_while_nothing_of_the_step_before_waits(
    server: Running, visit: Callable[..., Page]
):
    page = visit(NARROW, reduced_motion="no-preference")
    pact = next(n for n, one in enumerate(ALL["coals"].lesson.steps, 1) if one.want == ("bet 100",))
    page.goto(f"{server.home}/learn/coals?step={pact - 1}")
    expect(page.locator("body.pacing")).to_be_attached()
    page.goto(f"{server.home}/learn/coals?step={pact}")
    expect(page.locator("#amount-send")).to_be_visible()
    expect(page.locator("body.pacing")).to_have_count(0)
