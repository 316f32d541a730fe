"""The postcard of an evening becomes a file in the page itself, and a printed page of its own."""

import struct
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import NARROW, WIDE, Running
from tests.browser.players import begun

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def evening(server: Running, page: Page) -> None:
    """A group of two at this browser with one game that is over, and its evening's page."""
    home = page.url
    page.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true))")
    form = page.locator('form[action="/groups"]')
    form.locator("[name=name]").fill("The Hoofs & Co")
    form.locator("[name=person]").fill("Oma")
    form.locator("button").click()
    page.wait_for_url("**/g/**")
    link = page.url.partition("?")[0]
    page.evaluate("document.getElementById('more-people').open = true")
    page.fill("#new-name", "Opa")
    page.click("text=Join the group")
    page.locator('button[value="tails"]').click()
    page.wait_for_url("**/t/**")
    begun(server, page)
    assert page.evaluate(
        """async (path) => {
      const headers = { accept: "application/json", "content-type": "application/x-www-form-urlencoded" };
      return (await fetch(`${path}/resign`, { method: "POST", headers, body: "seat=0" })).ok;
    }""",
        page.url.partition("?")[0],
    )
    page.goto(home)
    page.goto(f"{link}/evening")


@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
def test_the_card_is_saved_as_a_drawing_and_as_a_picture(
    visit: Callable[..., Page], server: Running, size: dict[str, int], tmp_path: Path
):
    page = visit(size)
    evening(server, page)
    expect(page.locator("#postcard > svg")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    saved = {}
    for kind in ("svg", "png"):
        with page.expect_download() as started:
            page.click(f'[data-save="{kind}"]')
        assert started.value.suggested_filename.startswith("The-Hoofs-Co-")
        assert started.value.suggested_filename.endswith(f".{kind}")
        started.value.save_as(tmp_path / kind)
        saved[kind] = (tmp_path / kind).read_bytes()
    drawing = ElementTree.fromstring(saved["svg"])
    texts = [text.text for text in drawing.iterfind(".//{*}text")]
    assert {"The Hoofs & Co", "TAILS", "Oma", "Opa"} <= set(texts)
    assert saved["png"].startswith(b"\x89PNG")
    wide, high = struct.unpack(">II", saved["png"][16:24])
    assert (str(wide), str(high)) == (drawing.get("width"), drawing.get("height"))
    assert len(saved["png"]) > 50_000, "it is not empty"


def test_a_printed_page_has_the_card_alone(visit: Callable[..., Page], server: Running):
    page = visit(WIDE)
    evening(server, page)
    page.emulate_media(media="print")
    expect(page.locator("#postcard > svg")).to_be_visible()
    for other in ("h1", ".bar", ".actions", ".foot"):
        for place in page.locator(other).all():
            expect(place).not_to_be_visible()
