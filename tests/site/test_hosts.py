"""The folder that ships, served by hosts as people have them: first visit, second visit, offline."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.site.conftest import Visit, began, kept
from tests.site.hosts import HOSTS, hosted
from tests.site.test_site import play

pytestmark = [
    pytest.mark.ci,
    pytest.mark.browser,
    pytest.mark.slow,
    pytest.mark.xdist_group("wasm"),
]


@pytest.mark.parametrize("kind", HOSTS)
def test_any_host(kind: str, shipped: Path, chromium: Browser, tmp_path: Path) -> None:
    with hosted(kind, shipped, tmp_path) as address:
        context = chromium.new_context(has_touch=True)
        one = Visit(context, address).awake()
        url = began(one)
        kept(one.page)
        for offline in (False, True):
            context.set_offline(offline)
            one.page.reload()
            one.awake()
            expect(one.page.locator("html")).to_have_attribute("data-python", "resumed")
            one.shown.locator("[data-table]").wait_for(timeout=60_000)
            assert play(one, url, until=1)["ply"] > 0
        assert one.complaints == []
        outside = [asked for asked in one.asked if not asked.startswith((address, "blob:"))]
        assert outside == []
        context.close()
