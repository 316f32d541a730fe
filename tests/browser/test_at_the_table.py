"""At a table: who one is, whose turn it is, and how little else there is to press."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from diablerie.engine import verbs
from diablerie.games import ALL
from tests.browser.conftest import NARROW, WIDE, Running
from tests.browser.players import (
    SHORT,
    after,
    caught_up,
    go_on,
    live_of,
    sit_down,
    with_friends,
)

pytestmark = [pytest.mark.browser, pytest.mark.slow]

MOST = 10  # controls outside the board and the list of actions
# Every control that can be seen, but for the board and the form of the decision.
CONTROLS = """() => {
  const seen = (el) => el.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const kinds = "a[href], button, input:not([type=hidden]), select, textarea, summary";
  const apart = ".skip-link, [data-region=board], #decide";
  return [...document.querySelectorAll(kinds)]
    .filter((el) => seen(el) && el.getBoundingClientRect().width > 1 && !el.closest(apart))
    .map((el) => el.id || el.textContent.trim());
}"""
OUTLINE = "el => getComputedStyle(el).outlineColor"
BORDER = "el => getComputedStyle(el).borderTopColor"
# The players of COALS and UNDERWORLD are shown in the picture, those of the others beside it.
OF_EACH_KIND = pytest.mark.parametrize(
    "game", ["underworld", pytest.param("kitchen", marks=pytest.mark.ci)]
)
GROUND = "el => getComputedStyle(el).backgroundColor"


def play_now(page: Page, game: str) -> None:
    page.click(f"#game-{game} button[value=bots]")
    expect(page.locator("#prompt.mine")).to_be_visible()


@OF_EACH_KIND
def test_one_sees_who_one_is_and_whose_turn_it_is(
    server: Running, visit: Callable[..., Page], game: str
):
    page = visit(NARROW)
    play_now(page, game)
    whose, name = page.locator("#whose"), page.get_by_label("What shall the devils call you?")
    expect(whose).to_contain_text("You are yellow: who are you?")
    name.fill("Anna")
    name.press("Enter")
    expect(whose).to_have_text("Anna, you are yellow.")
    expect(name).to_have_count(0)
    page.evaluate("scrollTo(0, 0)")
    place = "[data-player='0']" if ALL[game].players_shown else "#seat-0"
    for one in (whose, page.locator(place), page.locator("#prompt")):
        expect(one).to_be_in_viewport(ratio=1)
    yellow = whose.evaluate(GROUND)
    assert page.locator(".board").evaluate(OUTLINE) == yellow
    assert page.locator("#asked").evaluate(BORDER) == yellow
    live = caught_up(server, page)
    deciding = page.locator(".player.turn").evaluate_all("els => els.map((el) => el.id)")
    assert deciding == [f"seat-{seat}" for seat in live.pending]
    assert page.locator("#seat-0").evaluate(GROUND) == yellow
    assert "Player 1" not in page.inner_text("main")


def test_a_name_is_asked_for_once_and_then_known(visit: Callable[..., Page], server: Running):
    page = visit()
    play_now(page, "coals")
    expect(page.locator(".naming")).to_be_visible()
    page.goto(server.home)
    play_now(page, "tails")
    expect(page.locator(".naming")).to_have_count(0)
    other = visit()
    play_now(other, "coals")
    other.get_by_label("What shall the devils call you?").fill("Bo")
    other.press(".naming [name=name]", "Enter")
    expect(other.locator(".naming")).to_have_count(0)
    other.goto(server.home)
    play_now(other, "kitchen")
    expect(other.locator("#whose")).to_have_text("Bo, you are yellow.")


def test_a_name_is_given_without_a_script(visit: Callable[..., Page]):
    page = visit(scripted=False)
    page.click("#game-coals button[value=bots]")
    page.fill(".naming [name=name]", "Anna")
    page.click(".naming button")
    expect(page.locator("#whose")).to_have_text("Anna, you are yellow.")


@OF_EACH_KIND
def test_against_devils_there_are_few_controls(
    server: Running, visit: Callable[..., Page], game: str
):
    page = visit(NARROW)
    play_now(page, game)
    for _ in range(2):
        for size in (WIDE, NARROW):
            page.set_viewport_size(size)
            there = page.evaluate(CONTROLS)
            assert len(there) <= MOST, there
        go_on(server, page, after(live_of(server, page).ply + 4))
    for gone in ("#talk", ".quick", "a[href*='#calls']", ".prompt a.clause"):
        assert page.locator(gone).count() == 0, gone


def test_with_people_there_is_talk(visit: Callable[..., Page]):
    page = visit()
    with_friends(page, "coals", "value=friends")
    expect(page.locator("#talk")).to_be_visible()
    page.click("[action$=fill] button")
    expect(page.locator("#decide")).to_be_visible()
    expect(page.locator("#talk")).to_have_count(0)


def test_a_replay_has_one_row_of_controls(server: Running, visit: Callable[..., Page]):
    page = visit()
    sit_down(page, "coals", 1, **SHORT)
    go_on(server, page)
    page.goto(f"{page.url}/replay?step=2")
    row = page.locator("[data-region=replay-steps] :is(.btn, input, select):visible")
    assert row.count() == 4
    tops = row.evaluate_all("els => els.map((el) => el.getBoundingClientRect().bottom)")
    assert max(tops) - min(tops) < 12
    expect(page.get_by_text("Try another way")).to_be_hidden()
    page.click("#replay-more > summary")
    expect(page.get_by_role("button", name="Try another way")).to_be_visible()
    assert verbs.actor(live_of(server, page).match.state) == verbs.OVER


TOOL = """el => el.insertAdjacentHTML("beforeend",
  '<form class="player-tool"><button class="btn small">Let a bot play</button></form>')"""


def test_the_button_beside_who_is_away_is_whole_on_a_telephone(visit: Callable[..., Page]):
    page = visit(NARROW, has_touch=True, is_mobile=True)
    play_now(page, "coals")
    page.locator("#seat-1").evaluate(TOOL)
    box = page.locator("#seat-1 .btn").bounding_box()
    asked = page.locator("#asked").bounding_box()
    assert box
    assert asked
    assert box["y"] + box["height"] <= asked["y"]
