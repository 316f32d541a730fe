"""One link for all: friends come before the start and after it, each on a page of their own."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import NARROW, Running
from tests.browser.players import live_of

pytestmark = [pytest.mark.browser]


def test_a_friend_who_comes_late_gets_a_devils_seat(server: Running, visit: Callable[..., Page]):
    ann, bo = visit(NARROW), visit(NARROW)
    ann.goto(f"{server.home}/friends/coals")
    ann.click("button[value=friends]")
    expect(ann.locator("#host-name:invalid")).to_be_visible()  # the name first
    ann.fill("#host-name", "Ann")
    ann.click("button[value=friends]")
    link = ann.input_value("#invite")
    ann.click("button[name=devils][value='1']")
    expect(ann.locator("#whose")).to_contain_text("Ann")
    expect(ann.locator(".talk-chat")).to_have_count(0)
    bo.goto(link)
    bo.fill("#late-name", "Bo")
    bo.click("#latecomer button")
    expect(bo.locator("#wished")).to_be_visible()
    ann.click("#grant-1")
    expect(bo.locator("#whose")).to_contain_text("Bo")
    expect(bo.locator("#shares-broken")).to_be_hidden()
    expect(bo.locator("#came-later")).to_have_count(1)
    expect(bo.locator("#chat-text")).to_be_visible()
    expect(ann.locator("#seat-1")).to_contain_text("Bo")
    expect(ann.locator("#chat-text")).to_be_visible()
    assert live_of(server, ann).seats[1].owner
