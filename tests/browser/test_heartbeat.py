"""COALS' furnace beats with the risk that all see, for people alone, and never before a piece."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import NARROW, Running
from tests.browser.players import go_on, sit_down
from tests.browser.sound_stub import HEARD

pytestmark = [pytest.mark.browser]

PULSE = """async () => (await import(document.querySelector("script[type=module][src*='app.js']").src
    .replace("app.js", "heartbeat.js"))).pulse()"""
RATE = """async (percent) => (await import(document.querySelector("script[type=module][src*='app.js']").src
    .replace("app.js", "heartbeat.js"))).rate(percent)"""


def test_the_furnace_beats_with_the_risk_while_a_person_pulls(
    server: Running, visit: Callable[..., Page]
):
    page = visit(NARROW, reduced_motion="no-preference")
    sit_down(page, "coals", 1)
    go_on(server, page, lambda live: live.match.state.node.name == "PULL")
    expect(page.locator("[data-pulse]")).to_have_count(1)
    assert page.evaluate(PULSE) is None, "sounds are off"
    page.evaluate(HEARD)
    page.wait_for_function("begun.length >= 2")
    shown = int(page.locator("[data-pulse]").get_attribute("data-pulse") or 0)
    assert page.evaluate(PULSE) == shown
    assert page.evaluate(RATE, 19) < page.evaluate(RATE, 30) < page.evaluate(RATE, 40)
    page.evaluate("document.querySelector('.player.turn').classList.add('driven')")
    assert page.evaluate(PULSE) is None, "a bot pulls"
    page.evaluate("document.querySelector('.player.turn').classList.remove('driven')")
    page.emulate_media(reduced_motion="reduce")
    assert page.evaluate(PULSE) is None, "motion is reduced"
    page.emulate_media(reduced_motion="no-preference")
    assert page.evaluate(PULSE) == shown
    page.evaluate("document.body.classList.add('moving')")
    assert page.evaluate(PULSE) is None, "a piece turns"
