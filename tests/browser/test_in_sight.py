"""On a phone the question, its buttons, the hint and the last two events are in sight together."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from diablerie.games import ALL
from tests.browser.conftest import NARROW, WIDE, Running
from tests.browser.players import after, begun, go_on

pytestmark = [pytest.mark.browser, pytest.mark.slow]

LOWEST = """() => Math.max(...[...document.querySelectorAll(
  "#prompt, .beside .btn, #amount, #decide .btn, #decide summary, .latest li"
)].filter((one) => one.checkVisibility()).map((one) => one.getBoundingClientRect().bottom))"""


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


@pytest.mark.parametrize(
    "locale", ["ro", *(pytest.param(one, marks=pytest.mark.ci) for one in ("en", "de", "fr"))]
)
@pytest.mark.parametrize("game", list(ALL))
def test_what_is_asked_and_what_happened_last_is_above_the_fold(
    visit: Callable[..., Page], server: Running, game: str, locale: str
):
    """With as many players as can be, and with the field for a name, which takes a line."""
    page = visit(NARROW, locale=locale, has_touch=True)
    opened(page, game=game, here="1", bots=str(ALL[game].seats[-1] - 1), hints="1")
    for plies in (0, 12):
        go_on(server, page, after(plies))
        expect(page.locator(".prompt.mine")).to_be_visible()
        expect(page.locator("#ask-devil")).to_be_visible()
        expect(page.locator(".latest li").first).to_be_attached()
        assert page.evaluate(LOWEST) <= NARROW["height"]
        field = page.locator("#call-0").bounding_box()
        assert field
        assert field["height"] >= 44
        assert field["width"] >= 85


def test_at_a_desk_the_podium_is_wider_than_the_column_beside_the_board_was(
    visit: Callable[..., Page], server: Running
):
    page = visit(WIDE)
    opened(page, game="tails", here="2")
    begun(server, page)
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
