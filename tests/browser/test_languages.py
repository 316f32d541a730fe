"""One short game a language, with a script: nothing on the page is left in English."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import NARROW, Running
from tests.browser.measures import CUT
from tests.browser.players import by_clicking, from_the_list, live_of, take_turn
from tests.web.words import left_over

pytestmark = [pytest.mark.browser, pytest.mark.slow]
GAMES = [
    ("de-AT", "coals"),
    pytest.param("fr-CA", "tails", marks=pytest.mark.ci),
    pytest.param("ro-RO", "kitchen", marks=pytest.mark.ci),
]
PLIES = 14  # from there on a devil plays to the end


@pytest.mark.parametrize(("locale", "game"), GAMES)
def test_a_game_is_played_in_the_browsers_language(
    server: Running, visit: Callable[..., Page], locale: str, game: str
):
    page = visit(NARROW, locale=locale)
    language = locale[:2]
    expect(page.locator("html")).to_have_attribute("lang", language)
    check(page, language)
    page.click(f"#game-{game} button[value=bots]")
    while (live := live_of(server, page)).status != "over" and live.ply < PLIES:
        if 0 in live.pending:
            check(page, language)
            assert page.evaluate(CUT) == []
            take_turn(server, page, 0, by_clicking if game == "coals" else from_the_list)
        else:
            page.wait_for_timeout(5)
    page.click("#tools > summary")
    check(page, language)
    page.click("#tools a[href^='/settings']")
    check(page, language)
    page.check("input[name=language][value=en]")
    page.click("form.settings button.primary")
    expect(page.locator("html")).to_have_attribute("lang", "en")
    expect(page.locator("#prompt")).to_be_visible()


def check(page: Page, language: str) -> None:
    """Compare what the page holds now, with all the script made, with its English."""
    jar = [cookie for cookie in page.context.cookies() if cookie["name"] != "language"]
    kept = "; ".join(f"{cookie['name']}={cookie['value']}" for cookie in [*jar, ENGLISH])
    english = page.context.request.get(page.url, headers={"cookie": kept}).text()
    assert 'lang="en"' in english
    assert not left_over(page.content(), english, language)


ENGLISH = {"name": "language", "value": "en"}
