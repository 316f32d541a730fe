"""What the devils say: hints at a decision, a replay's curve, and another way tried from it."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from diablerie.table.state.table_state import TableState
from tests.browser.conftest import NARROW, WIDE, Running
from tests.browser.players import after, caught_up, go_on, live_of, table_of

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def against_bots(page: Page, game: str) -> Page:
    page.click(f"#game-{game} button[value=bots]")
    expect(page.locator("#prompt")).to_be_visible(timeout=60_000)
    return page


def some_decisions(plies: int) -> Callable[[TableState], bool]:
    """Enough, once so many plies are played and there is something to choose from."""
    return lambda live: live.ply >= plies and len(live.position(0).moves) > 2


def counted(page: Page) -> None:
    """Wait for the last hints, which no better ones replace."""
    expect(page.locator(".hint-list li").first).to_be_visible()
    expect(page.locator("[data-hints]")).not_to_contain_text("A better count", timeout=60_000)


AT_NIGHT = pytest.mark.nightly


@pytest.mark.parametrize(
    ("game", "size"),
    [
        pytest.param("tails", WIDE, id="tails-wide", marks=pytest.mark.ci),
        pytest.param("underworld", NARROW, id="underworld-narrow"),
        pytest.param("kitchen", WIDE, id="kitchen-wide", marks=pytest.mark.ci),
        pytest.param("tails", NARROW, id="tails-narrow", marks=AT_NIGHT),
        pytest.param("underworld", WIDE, id="underworld-wide", marks=AT_NIGHT),
        pytest.param("kitchen", NARROW, id="kitchen-narrow", marks=AT_NIGHT),
    ],
)
def test_a_devil_marks_the_best_actions_and_they_can_be_done(
    server: Running, visit: Callable[..., Page], game: str, size: object
):
    page = against_bots(visit(size), game)
    go_on(server, page, some_decisions(8))
    live = caught_up(server, page)
    page.click("#ask-devil")
    hints = page.locator(".hint-list li")
    counted(page)
    assert 1 <= hints.count() <= 3
    expect(page.locator("[data-hints]")).to_contain_text("%")
    assert page.locator(".hint-mark").count() >= 1
    wanted = page.locator(".hint-list button").first.get_attribute("value")
    page.locator(".hint-list button").first.click()
    expect(page.locator(".hint-list")).to_have_count(0)
    expect(page.locator(".hint-mark")).to_have_count(0)
    if live.position(0, [str(wanted)]).unfinished:
        expect(page.locator("#draft .badge")).to_have_count(1)
    else:
        assert live_of(server, page).plies[live.ply].events[0].text == wanted


def test_a_hint_that_comes_after_the_plan_has_gone_on_is_not_shown(
    server: Running, visit: Callable[..., Page]
):
    page = against_bots(visit(), "underworld")
    caught_up(server, page)
    page.locator('#uw-spaces [data-action^="place"].can').first.dispatch_event("click")
    expect(page.locator("#uw-sign-swap")).to_be_visible()
    caught_up(server, page)
    with page.expect_response("**/hint") as answered:
        page.click("#ask-devil")
        page.click("#uw-sign-swap")
        expect(page.locator("#draft")).to_contain_text("Swap two cards")
    answered.value.finished()
    page.wait_for_timeout(300)
    expect(page.locator(".hint-list")).to_have_count(0)
    expect(page.locator(".hint-mark")).to_have_count(0)


def test_a_hint_for_a_stake_is_a_stake(server: Running, visit: Callable[..., Page]):
    page = against_bots(visit(), "coals")
    live = caught_up(server, page)
    page.click("#ask-devil")
    counted(page)
    hint = page.locator(".hint-list button").first
    stake = hint.get_attribute("value")
    expect(page.locator("#amount")).to_have_value(str(stake).removeprefix("bet "))
    expect(page.locator("#amount-slider")).to_have_value(str(stake).removeprefix("bet "))
    hint.click()
    expect(page.locator("#amount")).to_have_count(0)
    mine = [ply for ply in live_of(server, page).plies[live.ply :] if ply.seat == 0]
    assert mine[0].events[0].text == stake


def test_the_curve_leads_to_its_steps_and_another_way_is_tried(
    server: Running, visit: Callable[..., Page]
):
    page = against_bots(visit(), "underworld")
    go_on(server, page)
    first, last = table_of(page), live_of(server, page).ply
    page.click("text=Watch the replay")
    curve = page.locator("svg.curve")
    expect(curve).to_be_visible(timeout=60_000)
    box = curve.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] * 0.73, box["y"] + box["height"] * 0.93)
    expect(page.locator("#replay-count")).to_contain_text(f"Step {last} of {last}")
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(page.locator("#replay-count")).not_to_contain_text(f"Step {last} of")
    expect(page.locator("#replay-slider")).not_to_have_value(str(last))
    step = int(page.input_value("#replay-slider"))
    assert 1 < step < last
    for turn in page.locator(".turning-points a").all()[:1]:
        turn.click()
        step = int(str(turn.get_attribute("data-step-to")))
        expect(page.locator("#replay-count")).to_contain_text(f"Step {step} of")
    page.click("#replay-more > summary")
    page.select_option("#explore-seat", "0")
    page.click(".play-on >> text=Try another way")
    page.wait_for_url("**/t/*")
    expect(page.locator("#prompt")).to_be_visible()
    live = live_of(server, page)
    assert (live.origin, live.taken) == (first, step)
    go_on(server, page, after(step + 1))
    assert live_of(server, page).ply > step
