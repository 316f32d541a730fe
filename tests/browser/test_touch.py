"""Boards played by touch, and by keys: what is framed, lit and grey after a tap and at the end."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from diablerie.engine import verbs
from diablerie.engine.queries import legal_actions
from diablerie.games import ALL
from diablerie.games.kitchen.rules.state import Node, neutral
from diablerie.table.commands import lobby
from diablerie.table.state.table_state import TableState
from diablerie.table.state.visitors import visitor_of
from tests.browser import test_underworld as underworld
from tests.browser.conftest import NARROW, Running
from tests.browser.players import (
    Way,
    after,
    by_clicking,
    caught_up,
    go_on,
    live_of,
    play_out,
    press,
    sit_down,
    tab_to,
    table_of,
    wait_until,
)
from tests.browser.test_kitchen import decide, walk
from tests.browser.test_tails import on_the_board

pytestmark = [pytest.mark.browser, pytest.mark.slow]

FRAMED = """() => [...document.querySelectorAll("[data-region=board] *")]
    .filter((el) => getComputedStyle(el).outlineStyle !== "none").map((el) => el.id)"""
FADED = """() => [...document.querySelectorAll("#tails-board :is(.line, .tip, .end, .body)")]
    .filter((el) => getComputedStyle(el).opacity !== "1").length"""
FOCUSED = """() => {
    const el = document.activeElement;
    const { outlineStyle, outlineWidth } = getComputedStyle(el);
    return [Boolean(el.closest("[data-region=board]")), outlineStyle, outlineWidth];
}"""
LIT = "[data-region=board] :is(.lit, .shown)"


def unmarked(page: Page) -> None:
    """Nothing on the board is framed or lit."""
    expect(page.locator(LIT)).to_have_count(0)
    assert page.evaluate(FRAMED) == []


def watched(way: Way, taps: list[str]) -> Way:
    """Play in this way; what the tap before has left on the board is looked at first."""

    def look_and_play(page: Page, text: str) -> None:
        if taps:
            unmarked(page)
        way(page, text)
        taps.append(text)

    return look_and_play


@pytest.mark.parametrize(
    ("game", "way", "until"),
    [("coals", by_clicking, 14), pytest.param("kitchen", decide, 16, marks=pytest.mark.ci)],
)
def test_a_tap_leaves_neither_a_frame_nor_a_light(
    server: Running, visit: Callable[..., Page], game: str, way: Way, until: int
):
    page = visit(NARROW, has_touch=True)
    sit_down(page, game, 1, bot="imp")
    taps: list[str] = []
    play_out(server, {0: page}, watched(way, taps), until=until)
    assert len(taps) > 2


def test_taps_in_underworld_leave_neither_a_frame_nor_a_light(
    server: Running, visit: Callable[..., Page]
):
    page = visit(NARROW, has_touch=True)
    sit_down(page, "underworld", 1, bot="imp")
    for _ in range(5):
        wait_until(lambda: 0 in live_of(server, page).pending, "the bots did not go on")
        caught_up(server, page)
        unmarked(page)
        underworld.decide(server, page, 0)


def near_the_end(server: Running, visit: Callable[..., Page], **more: object) -> Page:
    """A page of TAILS where a person and two devils have few cells left."""
    page = visit(NARROW, **more)
    sit_down(page, "tails", 2, bot="imp")
    go_on(server, page, after(60))
    caught_up(server, page)
    return page


@pytest.mark.ci  # by keys it is, further down
def test_a_board_of_tails_finished_by_touch_is_shown_in_full_colour(
    server: Running, visit: Callable[..., Page]
):
    page = near_the_end(server, visit, has_touch=True)
    taps: list[str] = []
    play_out(server, {0: page}, watched(on_the_board, taps))
    expect(page.locator("#ending")).to_be_visible()
    assert taps
    unmarked(page)
    assert page.evaluate(FADED) == 0


def test_a_tapped_devil_lights_his_tail_until_another_place_is_tapped(
    server: Running, visit: Callable[..., Page]
):
    page = near_the_end(server, visit, has_touch=True)
    press(page.locator("#body-A .disc"))
    expect(page.locator('#tails-board .lit[data-lights~="body-A"]').first).to_be_attached()
    assert page.evaluate(FADED) > 0
    assert page.evaluate(FRAMED) == []
    press(page.locator("main h2:not(.hidden-visually)").first)
    unmarked(page)
    assert page.evaluate(FADED) == 0


def test_who_plays_by_keys_always_sees_the_focus_and_the_finished_board_in_full_colour(
    server: Running, visit: Callable[..., Page]
):
    page = near_the_end(server, visit)
    tab_to(page, page.locator('#tails-board [tabindex="0"]'))
    while live_of(server, page).status != "over":
        if 0 not in live_of(server, page).pending:
            page.wait_for_timeout(10)
            continue
        live = caught_up(server, page)
        assert page.evaluate(FOCUSED) == [True, "solid", "3px"]
        expect(page.locator(":focus.lit")).to_have_count(1)
        page.keyboard.press("Enter")
        wait_until(lambda ply=live.ply: live_of(server, page).ply > ply, "nothing was chosen")
    expect(page.locator("#ending")).to_be_visible()
    assert page.evaluate(FOCUSED) == [True, "solid", "3px"]
    assert page.evaluate(FADED) == 0


def challenges(live: TableState) -> list[str]:
    """The moves that lead to a duel with a neutral devil at once."""
    assert live.match is not None
    found = []
    for seat in live.pending:
        for action in legal_actions(live.game, live.match.state, seat):
            s = live.match.state.copy()
            verbs.apply(s, seat, action)
            if s.node == Node.STOVE and neutral(s):
                found.append(live.game.notation.format_action(live.match.state, seat, action))
    return found


def test_a_neutral_devil_fights_in_the_colour_that_he_has_on_the_board(
    server: Running, visit: Callable[..., Page]
):
    page = visit(NARROW, has_touch=True)
    sit_down(page, "kitchen", 0, open=2)
    for name in ("Bo", "Cy"):  # people, who do not play on by themselves
        lobby.sit(server.house.authority, table_of(page), visitor_of(name), name=name)
    wait_until(lambda: live_of(server, page).match is not None, "the shares did not come")
    while page.locator(".kitchen .burst").count() < 2:
        go_on(server, page, lambda live: 0 in live.pending and bool(challenges(live)))
        walk(page, challenges(caught_up(server, page))[0], keen=False)
        expect(page.locator("#kitchen-board .burst").first).to_be_visible()
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        fighter = page.locator('#kitchen-board [id^="kitchen-fighter"][id$="-1-end"]')
        asleep = page.locator('#kitchen-board [id^="kitchen-devil-3-"]').first
        assert fighter.evaluate(SKIN) == asleep.evaluate(SKIN)
        grey = page.locator("#kitchen-board .start.seat-3").evaluate(GROUND)
        assert fighter.evaluate(GROUND) == grey
        bursts = page.locator("#kitchen-board .burst").all()
        greys = [burst.evaluate(GROUND) == grey for burst in bursts]
        assert greys == [i % 2 == 1 for i in range(len(bursts))]


SKIN = "el => getComputedStyle(el.querySelector('use')).getPropertyValue('--skin')"
GROUND = "el => getComputedStyle(el.querySelector('.seat-fill')).fill"


def test_a_rule_keeps_back_until_its_sentence_is_tapped(
    server: Running, visit: Callable[..., Page]
):
    page = visit(NARROW, has_touch=True, is_mobile=True)
    sit_down(page, "coals", 2)
    go_on(server, page, after(20))
    line = page.locator("[data-region=log] li:has(a.clause)").last
    rule = line.locator("a.clause").first
    box = rule.bounding_box()
    assert box
    assert box["width"] == 0
    line.tap(position={"x": 12, "y": 6})
    expect(rule).to_have_css("opacity", "1")
    box = rule.bounding_box()
    assert box
    assert box["width"] >= 24
    page.goto(f"{server.home}/t/{table_of(page)}/log")
    box = page.locator(".log a.clause").first.bounding_box()
    assert box
    assert box["width"] == 0, "in the whole log, too"


@pytest.mark.parametrize("game", ALL)
def test_a_tap_on_a_board_where_nothing_can_be_done_is_answered(
    server: Running, visit: Callable[..., Page], game: str
):
    page = visit(NARROW, has_touch=True)
    sit_down(page, game, 1, bot="imp")
    go_on(server, page, after(12))
    caught_up(server, page)
    page.locator("[data-region=board] > svg").tap(position={"x": 3, "y": 30})
    expect(page.locator("#refused-here")).not_to_be_empty()
