"""The script: refusals at the spot, sliders, the stream that comes back, motion."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from diablerie.table.commands import chat, lobby
from diablerie.table.state.table_state import TableState
from diablerie.table.state.visitors import visitor_of
from tests.browser.conftest import NARROW, Running
from tests.browser.players import (
    by_clicking,
    caught_up,
    go_on,
    live_of,
    play_out,
    wait_until,
    with_friends,
)

pytestmark = [pytest.mark.browser, pytest.mark.slow]
BO = visitor_of("somebody else at the table")


def against_bots(page: Page) -> Page:
    page.click("#game-coals button[value=bots]")
    expect(page.locator("#decide")).to_be_visible()
    return page


def against_bo(server: Running, page: Page) -> Page:
    """At a table with somebody who has no page open, but may chat."""
    form, json = {"game": "coals", "here": "1", "open": "1"}, {"accept": "application/json"}
    made = page.request.post(f"{server.home}/tables", form=form, headers=json).json()["url"]
    lobby.sit(server.house.authority, made.removeprefix("/t/"), BO, name="Bo")
    page.goto(server.home + made)
    expect(page.locator("#decide")).to_be_visible()
    return page


def test_slider_and_number_go_together(visit: Callable[..., Page]):
    page = against_bots(visit())
    page.focus("#amount-slider")
    page.keyboard.press("End")
    assert page.input_value("#amount") == "200"
    page.keyboard.press("ArrowLeft")
    assert page.input_value("#amount") == "190"
    page.fill("#amount", "30")
    assert page.input_value("#amount-slider") == "30"


def test_what_is_typed_survives_the_news_of_others(server: Running, visit: Callable[..., Page]):
    page, authority = against_bo(server, visit()), server.house.authority
    page.fill("#chat-text", "half a sen")
    page.fill("#amount", "130")
    page.focus("#amount")
    live = live_of(server, page)
    chat.chat(authority, live.id, BO, "hm")
    expect(page.locator("#chat")).to_contain_text("hm")
    assert page.input_value("#chat-text") == "half a sen"
    assert page.input_value("#amount") == "130"
    assert page.evaluate("document.activeElement.id") == "amount"


def test_with_motion_the_final_picture_is_the_servers(server: Running, visit: Callable[..., Page]):
    page = visit()
    page.emulate_media(reduced_motion="no-preference")
    against_bots(page)
    moved = """() => { window.moved = 0; const original = Element.prototype.animate;
        Element.prototype.animate = function (...how) {
            window.moved++; return original.apply(this, how) } }"""
    page.evaluate(moved)
    play_out(server, {0: page}, by_clicking, until=8)
    wait_until(lambda: live_of(server, page).pending == [0], "the bots did not go on")
    ply = live_of(server, page).ply
    expect(page.locator("#now")).to_have_attribute("data-ply", str(ply))
    page.mouse.move(1400, 5)  # what is pointed at is lit
    same = """async () => {
        const { regions } = await (await fetch(location.pathname + "/frame")).json();
        const parsed = new DOMParser().parseFromString(regions.board, "text/html");
        const plain = (svg) => {  // but for what the script adds for keys
            const copy = svg.cloneNode(true);
            for (const el of [copy, ...copy.querySelectorAll("*")])
                for (const name of ["role", "tabindex", "aria-label"]) el.removeAttribute(name);
            return copy };
        const now = document.querySelector("[data-region=board] svg");
        return plain(now).isEqualNode(plain(parsed.querySelector("svg"))) }"""
    page.wait_for_function(same, polling=200)  # once all has come to rest
    assert page.evaluate("window.moved") > 0


# A scene stands still at its peak: an animation that is paused before anything of it is painted.
WATCHED = """() => {
    const animate = Element.prototype.animate;
    window.moving = 0;
    Element.prototype.animate = function (...how) {
        const one = animate.apply(this, how);
        requestAnimationFrame(() => { window.moving += one.playState === "running" });
        return one;
    };
}"""


def test_whoever_wants_less_motion_sees_none(server: Running, visit: Callable[..., Page]):
    page = against_bots(visit())
    page.evaluate(WATCHED)
    play_out(server, {0: page}, by_clicking, until=10)
    assert page.evaluate("window.moving") == 0


SLOWLY = """() => {
    const quick = window.fetch;
    window.sent = 0;
    window.fetch = async (url, options) => {
        const decided = options?.method === "POST" && String(url).endsWith("/decide");
        window.sent += decided ? 1 : 0;
        const answer = await quick(url, options);
        if (decided) await new Promise((done) => setTimeout(done, 4000));
        return answer;
    };
}"""

TWICE = """spot => {
    for (let i = 0; i < 2; i++) spot.dispatchEvent(new MouseEvent("click", { bubbles: true }));
}"""


def test_a_slow_answer_delays_no_further_decision_and_a_second_click_sends_nothing(
    server: Running, visit: Callable[..., Page]
):
    page = visit()
    page.click("#game-underworld button[value=bots]")
    page.evaluate(SLOWLY)
    for kind, sent in (("place", 1), ("move", 2)):
        ply = caught_up(server, page).ply
        page.wait_for_timeout(300)
        spot = page.locator(f'#uw-spaces [data-action^="{kind}"].can').first
        spot.evaluate(TWICE)
        assert page.evaluate("window.sent") == sent
        for _ in range(3000):
            if any(one.seat == 0 for one in live_of(server, page).plies[ply:]):
                break
            page.wait_for_timeout(10)
        else:
            raise AssertionError("the decision waited for the answer to the one before")


def test_two_on_one_screen_pass_the_device(server: Running, visit: Callable[..., Page]):
    page = visit()
    with_friends(page, "coals", "value='2'")
    for _ in range(2):
        page.click("#cover-off")
        page.fill("#amount", "20")
        page.click("#amount-send")
        expect(page.locator("#amount")).to_have_count(0)
    expect(page.locator("#do-160")).to_be_visible()
    page.click("#do-160")
    expect(page.locator("#log")).to_contain_text(re.compile("pulls|wakes"))


def test_a_personal_link_is_shown_once_and_moves_the_seat(visit: Callable[..., Page]):
    page, phone = against_bots(visit()), visit(NARROW)
    page.click("#tools summary")
    page.click("[data-form=link] button")
    link = page.input_value("[data-personal] input")
    phone.goto(link)
    phone.click("main button")
    expect(phone.locator("#decide")).to_be_visible()
    assert "claim" not in phone.url
    page.click("text=Take it back")
    expect(page.locator("#decide")).to_be_visible()


def test_a_plan_is_thought_through_called_off_and_carried_out(
    server: Running, visit: Callable[..., Page]
):
    page = visit()
    page.click("#game-underworld button[value=bots]")
    expect(page.locator("#decide")).to_be_visible(timeout=60_000)
    go_on(server, page, lambda live: "swap" in texts(live))
    ply = str(live_of(server, page).ply)
    page.click("#choices > summary")  # the picture offers the same; lists to come are open then
    page.click('button[value="swap"]')
    page.wait_for_url("**draft=swap")
    page.click("text=Start over")
    page.wait_for_url(lambda url: "draft" not in url)
    page.click('button[value="swap"]')
    for count in (1, 2):
        expect(page.locator("#draft .badge")).to_have_count(count)
        page.locator("#decide .actions button").first.click()
    page.click("#send")
    expect(page.locator("#now")).not_to_have_attribute("data-ply", ply)
    page.wait_for_url(lambda url: "draft" not in url)


def texts(live: TableState) -> list[str]:
    return [move.text for move in live.position(0).moves]
