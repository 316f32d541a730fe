"""On a phone the question of COALS, its buttons, the hint and the last two events are in sight together."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import NARROW, WIDE

pytestmark = [pytest.mark.browser, pytest.mark.slow]

LOWEST = """() => Math.max(...[...document.querySelectorAll(
  "#prompt, #ask-devil, #amount, #amount-send, .latest li"
)].map((one) => one.getBoundingClientRect().bottom))"""


def opened(page: Page, **fields: str) -> None:
    """A table, and its page."""
    url = page.evaluate(
        """async (fields) => {
      const headers = { accept: "application/json" };
      const body = new URLSearchParams(fields);
      return (await (await fetch("/tables", { method: "POST", headers, body })).json()).url;
    }""",
        fields,
    )
    page.goto(page.url.partition("/t/")[0].rstrip("/") + url)


@pytest.mark.parametrize("locale", ["en", "de", "fr", "ro"])
@pytest.mark.parametrize("name", ["", "Großmutter"])
def test_the_stake_is_asked_for_above_the_fold(visit: Callable[..., Page], locale: str, name: str):
    page = visit(NARROW, locale=locale, has_touch=True)
    named = {"names": name} if name else {}
    opened(page, game="coals", way="bots", here="1", bots="2", hints="1", **named)
    expect(page.locator(".latest li").first).to_be_visible()
    assert page.evaluate(LOWEST) <= NARROW["height"]
    if not name:
        field = page.locator("#call-0")
        assert field.bounding_box()["height"] >= 44  # type: ignore[index]
        assert field.bounding_box()["width"] >= 85  # type: ignore[index]


def test_at_a_desk_the_podium_is_wider_than_the_column_beside_the_board_was(
    visit: Callable[..., Page],
):
    page = visit(WIDE)
    opened(page, game="tails", here="2")
    beside = page.locator(".table > .side").bounding_box()
    assert beside
    page.evaluate("""async () => {
      const body = new URLSearchParams({ seat: 0 });
      const headers = { accept: "application/json" };
      await fetch(`${location.pathname}/resign`, { method: "POST", headers, body });
    }""")
    page.reload()
    podium = page.locator(".podium").bounding_box()
    assert podium
    assert podium["width"] > 1.3 * beside["width"]
    assert podium["y"] + podium["height"] <= WIDE["height"]
