"""The landing page: every game in sight on a desktop, few screens on a phone; and the invitation."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from diablerie.web.html import reach
from diablerie.web.people.identity import OWNER_COOKIE
from tests.browser.conftest import NARROW, WIDE, Running
from tests.browser.evening_server import NEAR
from tests.browser.players import with_friends
from tests.languages import LANGUAGES

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SPARE = 48  # pixels: two lines more, as another font may need, still fit
OWNER_CLOSED, *OTHERS = [(owner, is_open) for owner in (True, False) for is_open in (False, True)]
CASES = [("en", OWNER_CLOSED), *((one, OWNER_CLOSED) for one in LANGUAGES)]
CASES += [("de", other) for other in OTHERS]
BOTTOMS = """els => els.map((el) => el.getBoundingClientRect().bottom + scrollY)"""


class Listener:
    """What listens in the network, without a network."""

    def listen(self, address: str) -> None:
        """Begin."""

    def hang_up(self) -> None:
        """End."""


def test_every_game_begins_within_a_phones_first_two_screens(
    server: Running, visit: Callable[..., Page], monkeypatch: pytest.MonkeyPatch
):
    switch = server.house.app.state.network
    monkeypatch.setattr(reach, "network_address", lambda: NEAR)
    for name, value in {"fixed": "", "secret": "secret", "_listener": Listener()}.items():
        monkeypatch.setattr(switch, name, value)
    page = visit(NARROW)
    for language, (owner, is_open) in CASES:
        (switch.open if is_open else switch.close)()
        cookie = f"{OWNER_COOKIE}=secret" if owner else ""
        page.set_extra_http_headers({"accept-language": language, "cookie": cookie})
        page.goto(server.home)
        where = f"{language}, owner: {owner}, open: {is_open}"
        assert page.locator("html").get_attribute("lang") == language, where
        assert page.locator("#network").count() == 1, where
        bottoms = page.locator(".game > form .primary").evaluate_all(BOTTOMS)
        assert len(bottoms) == 4, where
        assert max(bottoms) <= 2 * NARROW["height"] - SPARE, where
    switch.close()


@pytest.mark.parametrize("language", ["en", *LANGUAGES])
def test_a_newcomer_sees_four_games_at_once_and_a_short_page(
    visit: Callable[..., Page], language: str
):
    page = visit(WIDE, locale=language)
    bottoms = page.locator(".game .ways > .btn").evaluate_all(BOTTOMS)
    assert len(bottoms) == 4 * 3 + 1, "COALS has a short game, too"
    assert max(bottoms) <= WIDE["height"] - SPARE / 2
    assert page.locator(".game details").count() == 0, "nothing opens between the games"
    page = visit(NARROW, locale=language)
    assert page.evaluate("document.documentElement.scrollHeight") <= 2.6 * NARROW["height"]
    loud = page.locator("main .primary").evaluate_all(
        "els => els.map((el) => el.closest('.game').id)"
    )
    assert sorted(loud) == sorted({*loud}), "one loud button a card"
    assert len(loud) == 4


@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
def test_the_invitation_is_the_loudest_thing(
    server: Running,
    visit: Callable[..., Page],
    monkeypatch: pytest.MonkeyPatch,
    size: dict[str, int],
):
    switch = server.house.app.state.network
    monkeypatch.setattr(reach, "network_address", lambda: NEAR)
    for name, value in {"fixed": "", "_listener": Listener()}.items():
        monkeypatch.setattr(switch, name, value)
    switch.open()
    page = visit(size)
    with_friends(page, "coals", "value=friends")
    link, code = page.locator("#invite"), page.locator(".invitation .qr")
    for one in (link, code, page.locator("[data-copy=invite]")):
        expect(one).to_be_in_viewport(ratio=1)
        one.click(trial=True)  # nothing lies on it
    assert page.locator("main .primary:visible").count() == 1
    assert page.locator("#first").count() == 0
    box = page.locator(".invitation").bounding_box()
    assert box
    assert box["height"] >= 0.5 * size["height"], box
    expect(page.locator("#seat-3")).to_contain_text("Open seat")
    page.locator("[action$=fill] button").first.click()
    expect(page.locator("#decide")).to_be_visible()
    switch.close()


def test_paper_is_light_whatever_the_screen_is(visit: Callable[..., Page]):
    page = visit(color_scheme="dark")
    ground = "getComputedStyle(document.body).backgroundColor"
    dark = page.evaluate(ground)
    page.emulate_media(media="print")
    assert page.evaluate(ground) != dark
    page.emulate_media(media="screen", color_scheme="light")
    light = page.evaluate(ground)
    page.emulate_media(media="print", color_scheme="dark")
    assert page.evaluate(ground) == light
