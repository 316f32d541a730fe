"""The landing page on a phone: every game can be begun within the first two screens."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from diablerie.web.html import invitations
from diablerie.web.people.identity import OWNER_COOKIE
from tests.browser.conftest import NARROW, Running
from tests.browser.evening_server import NEAR
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
    monkeypatch.setattr(invitations, "network_address", lambda: NEAR)
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
