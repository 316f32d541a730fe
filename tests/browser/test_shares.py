"""Two browsers throw their parts of the dice together, and notice if others are played with."""

import hashlib
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from diablerie.table.authority import Authority
from diablerie.table.store import Store
from tests.browser.conftest import Running
from tests.browser.exchange import GOAL, Exchange
from tests.browser.players import live_of

pytestmark = [pytest.mark.browser, pytest.mark.slow]
STARTS = 100


def test_two_browsers_agree_and_notice_a_change(server: Running, visit: Callable[..., Page]):
    ann, bo = visit(), visit()
    ann.click("#game-coals summary")
    ann.fill("#coals-bots", "0")
    ann.click("#game-coals details button")
    bo.goto(ann.input_value("#invite"))
    bo.click("[data-form=sit] button")
    for page in (ann, bo):
        expect(page.locator("#now")).to_be_attached()
    live = live_of(server, ann)
    assert live.match is not None
    assert live.match.fair.by == ["player", "player"]
    shown = bo.locator("[data-fixed]")
    assert shown.get_attribute("data-fixed") == ",".join(info.pledge for info in live.seats)
    expect(bo.locator("#shares-broken")).to_be_hidden()
    bo.evaluate(
        """() => {
            const key = location.pathname + " start";
            const start = JSON.parse(sessionStorage.getItem(key));
            sessionStorage.setItem(key, JSON.stringify({ ...start, hashes: "others" }));
        }"""
    )
    bo.reload()
    expect(bo.locator("#shares-broken")).to_be_visible()


def test_the_next_phase_is_answered_before_the_answer_to_the_last_is_here(
    server: Running, visit: Callable[..., Page]
):
    ann, bo = visit(), visit()
    held: list[Route] = []
    ann.click("#game-coals summary")
    ann.fill("#coals-bots", "0")
    ann.click("#game-coals details button")
    bo.route("**/share", lambda route: held.append(route) if not held else route.continue_())
    bo.goto(ann.input_value("#invite"))
    bo.click("[data-form=sit] button")
    phased = ann.locator("[data-phase]")
    expect(phased).to_have_attribute("data-phase", "pledges")
    wait_for(bo, lambda: bool(held))
    answer = held[0].fetch()  # the table has it, the browser does not know
    expect(ann.locator("#now")).to_be_attached()
    held[0].fulfill(response=answer)
    live = live_of(server, ann)
    assert live.match is not None
    assert live.match.fair.by == ["player", "player"]


def wait_for(page: Page, done: Callable[[], bool]) -> None:
    for _ in range(600):
        if done():
            return
        page.wait_for_timeout(50)
    raise AssertionError("the browser did not ask")


def test_alone_against_devils_one_has_a_share_too(server: Running, visit: Callable[..., Page]):
    page = visit()
    page.click("#game-coals button[value=bots]")
    expect(page.locator("#decide")).to_be_visible()
    match = live_of(server, page).match
    assert match is not None
    assert match.fair.by[0] == "player"
    assert set(match.fair.by[1:]) == {"table"}
    expect(page.locator("#shares-broken")).to_be_hidden()
    digest = page.evaluate(
        """async () => {
            const { sha256 } = await import(document.querySelector("script[type=module]").src
                .replace("app.js", "sha256.js"));
            return ["", "abc", "é".repeat(100)].map(sha256);
        }"""
    )
    texts = ("", "abc", "é" * 100)
    assert digest == [hashlib.sha256(text.encode()).hexdigest() for text in texts]


def test_the_known_attack_meets_its_goal_as_often_as_chance(
    server: Running, chromium: Browser, tmp_path: Path
):
    """Of 2,000 attacked starts 700 are expected, with a standard deviation of 21."""
    store = Store(tmp_path / "tables.db", durable=False)
    context = chromium.new_context(reduced_motion="reduce")
    attacked = Exchange(Authority(store), context.new_page(), server.home)
    wanted = sum(attacked.start() for _ in range(STARTS))
    expected, deviation = GOAL * STARTS, (GOAL * (1 - GOAL) * STARTS) ** 0.5
    assert abs(wanted - expected) < 5.5 * deviation  # by chance once in 25 million runs
    assert attacked.live.aborted == STARTS
    assert attacked.page.locator("#shares-broken").is_hidden()
    context.close()
    store.close()
