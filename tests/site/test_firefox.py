"""The site in Firefox: first visit, second visit, and without a network."""

from pathlib import Path

import pytest

from tests.site.firefox import Firefox, firefox, installed
from tests.site.hosts import hosted

pytestmark = [
    pytest.mark.nightly,
    pytest.mark.browser,
    pytest.mark.slow,
    pytest.mark.xdist_group("wasm"),
]
AWAKE = """
const there = () => document.querySelector("html.running iframe.page");
while (!there()) await new Promise((later) => setTimeout(later, 50));
return document.documentElement.dataset.python;
"""
BEGUN = """
await diablerie.visit({ method: "POST", url: "/tables", body: "game=tails&way=bots" });
return location.hash.slice(1).split("?")[0];
"""
KEPT = """
await navigator.serviceWorker.ready;
const kept = new URL("kept/memory", location);
while (!(await caches.match(kept))) await new Promise((later) => setTimeout(later, 100));
"""
# the plies of a table once the visitor has decided
DECIDED = """
const [url] = given;
const table = async () => (await diablerie.fetched(new Request(`${url}.json`), window)).json();
let now = await table();
while (!now.legal.length) {
  await new Promise((later) => setTimeout(later, 100));
  now = await table();
}
const body = `seat=${now.viewer}&ply=${now.ply}&send=1&do=${now.legal[0].do}`;
const headers = { "content-type": "application/x-www-form-urlencoded", accept: "application/json" };
const sent = new Request(`${url}/decide`, { method: "POST", body, headers });
const answer = await diablerie.fetched(sent, window);
return [answer.status, now.ply + 1];
"""


def decided(visitor: Firefox, url: str) -> int:
    status, ply = visitor.run(DECIDED, url)
    assert status == 200
    return int(ply)


@pytest.mark.skipif(not installed(), reason="no Firefox: apt-get install firefox-esr")
def test_first_visit_second_visit_and_offline(shipped: Path, tmp_path: Path) -> None:
    profile = tmp_path / "profile"
    profile.mkdir()
    with firefox(str(installed()), profile) as visitor:
        with hosted("python", shipped, tmp_path) as address:
            visitor.do("WebDriver:Navigate", url=address)
            assert visitor.run(AWAKE) == "afresh"
            url = visitor.run(BEGUN)
            first = decided(visitor, url)
            visitor.run(KEPT)
            visitor.do("WebDriver:Refresh")
            assert visitor.run(AWAKE) == "resumed"
            second = decided(visitor, url)
        visitor.do("WebDriver:Refresh")  # nobody serves the site any more
        assert visitor.run(AWAKE) == "resumed"
        assert decided(visitor, url) > second > first
