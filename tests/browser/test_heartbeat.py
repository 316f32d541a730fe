"""COALS' furnace beats with the risk that all see, for people alone, and never before a piece."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import NARROW, Running
from tests.browser.players import go_on, sit_down, wait_until
from tests.browser.sound_stub import HEARD

pytestmark = [pytest.mark.browser, pytest.mark.ci]


def test_the_furnace_beats_with_the_risk_while_a_person_pulls(
    server: Running, visit: Callable[..., Page]
):
    page = visit(NARROW, reduced_motion="no-preference")
    sit_down(page, "coals", 1)
    go_on(server, page, lambda live: live.match is not None and live.match.node == "pull")
    beats = page.locator("body[data-beats]")
    expect(page.locator("[data-pulse]")).to_have_count(1)
    expect(beats).to_have_count(0)  # sounds are off
    page.evaluate(HEARD)
    wait_until(lambda: page.evaluate("begun.length") >= 2, "nothing is heard")
    calm = int(beats.get_attribute("data-beats") or 0)
    risk = page.locator("[data-pulse]")
    risk.evaluate("el => (el.dataset.pulse = 40)")
    faster = "Number(document.body.dataset.beats)"
    wait_until(lambda: page.evaluate(faster) > calm, "it beats no faster")
    for off, on in (
        ("document.querySelector('.player.turn').classList.add('driven')",
         "document.querySelector('.player.turn').classList.remove('driven')"),
        ("document.body.classList.add('moving')", "document.body.classList.remove('moving')"),
        ("document.documentElement.dataset.speed = 'none'",
         "delete document.documentElement.dataset.speed"),
        ("delete document.documentElement.dataset.sound",
         "document.documentElement.dataset.sound = 'on'"),
    ):  # fmt: skip
        page.evaluate(off)
        expect(beats).to_have_count(0)
        page.evaluate(on)
        expect(beats).to_have_count(1)
