"""The site in Firefox: first visit, second visit, without a network, and as a friend's guest."""

from importlib.resources import files
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.site.firefox import Firefox, firefox, installed
from tests.site.hosts import hosted

pytestmark = [
    pytest.mark.nightly,
    pytest.mark.browser,
    pytest.mark.slow,
    pytest.mark.xdist_group("wasm"),
    pytest.mark.skipif(not installed(), reason="no Firefox: apt-get install firefox-esr"),
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
await new Promise((later) => setTimeout(later, 1000)); // it is kept meanwhile
return [answer.status, now.ply + 1];
"""
INVITED = """async () => {
  const { Host } = await import("/friends.js");
  window.host = new Host(() => {});
  return host.invite("/t/here");
}"""
ANSWERED = """
const { read, Remote } = await import("/friends.js");
window.remote = new Remote();
return remote.answer(read(given[0]));
"""
BY_HAND = 40_000  # milliseconds until an answer has come


def decided(visitor: Firefox, url: str) -> int:
    status, ply = visitor.run(DECIDED, url)
    assert status == 200
    return int(ply)


def test_first_visit_second_visit_and_offline(shipped: Path, tmp_path: Path) -> None:
    profile = tmp_path / "profile"
    profile.mkdir()
    with firefox(str(installed()), profile) as visitor:
        with hosted("python", shipped, tmp_path) as address:
            visitor.open(address)
            assert visitor.run(AWAKE) == "afresh"
            url = visitor.run(BEGUN)
            first = decided(visitor, url)
            visitor.run(KEPT)
            visitor.open(address)
            assert visitor.run(AWAKE) == "resumed"
            second = decided(visitor, url)
        visitor.open(address)  # nobody serves the site any more
        assert visitor.run(AWAKE) == "resumed"
        assert decided(visitor, url) > second > first


def test_a_guest_is_let_in_though_its_answer_comes_late(chromium: Browser, tmp_path: Path) -> None:
    profile = tmp_path / "profile"
    profile.mkdir()
    static = Path(str(files("diablerie.site") / "static"))
    with firefox(str(installed()), profile) as guest, hosted("python", static, tmp_path) as address:
        host = chromium.new_page()
        host.goto(f"{address}frame.html")
        guest.open(f"{address}frame.html")
        answer = guest.run(ANSWERED, host.evaluate(INVITED))
        host.wait_for_timeout(BY_HAND)  # Firefox gives up sooner, if it does not try again
        host.evaluate("(answer) => host.accept(answer)", answer)
        assert guest.run("return remote.welcome") == "/t/here"
        host.close()
