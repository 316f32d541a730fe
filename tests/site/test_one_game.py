"""The static site in a browser, with one game alone: played to its end, and visited again."""

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Route, expect

from diablerie.games import ALL
from tests.site.conftest import Visit, began, kept, stored
from tests.site.positions import earlier_site
from tests.site.test_earlier import LEFT, STORE
from tests.site.test_site import begin, play, table, whole_game

pytestmark = [
    pytest.mark.ci,
    pytest.mark.browser,
    pytest.mark.slow,
    pytest.mark.xdist_group("wasm"),
]


def test_a_whole_game_by_touch_without_a_network(
    little: Path, visit: Callable[..., Visit], tmp_path: Path
) -> None:
    whole_game(visit(little, has_touch=True), "tails", tmp_path)


def test_a_second_visit_resumes(little: Path, visit: Callable[..., Visit]) -> None:
    one = visit(little, has_touch=True).awake()
    expect(one.page.locator("html")).to_have_attribute("data-python", "afresh")
    kept(one.page)
    one.context.set_offline(True)
    one.page.reload()
    one.awake()
    expect(one.page.locator("html")).to_have_attribute("data-python", "resumed")
    assert play(one, begin(one, "tails", bots="1"), until=2)["ply"] > 0


# -- what a visitor may meet -----------------------------------------------------------------------

REFUSED = """
const blocked = new DOMException("site data is blocked", "SecurityError");
const refused = () => Promise.reject(blocked);
const get = () => { throw blocked; };
if (self.indexedDB) Object.defineProperty(self, "indexedDB", { get });
if (self.caches) Object.defineProperty(self, "caches", { value: { open: refused, match: refused } });
if (self.document) {
  navigator.locks.request = refused;
  navigator.serviceWorker.register = refused;
  Object.defineProperty(self, "localStorage", { get });
}
"""
DYING = """
self.addEventListener("message", ({ data }) => {
  if (data.url === "/daily") throw new Error("dead");
});
"""
PLACES = (".board", "[data-region=ask]")  # on a table's page
JUMP = 8  # pixels that a place may move when a board wakes up


def changed(visit: Visit, before: str = "", after: str = "") -> None:
    """From now on the worker's script has more at its beginning or end."""

    def answer(route: Route) -> None:
        route.fulfill(body=before + route.fetch().text() + after, content_type="text/javascript")

    visit.context.route("**/worker.js", answer)


def test_with_site_data_blocked_one_can_play(little: Path, visit: Callable[..., Visit]) -> None:
    one = visit(little, opened=False, has_touch=True)
    one.context.add_init_script(REFUSED)
    changed(one, REFUSED)
    one.page = one.open()
    one.awake()
    notice = one.page.locator("#site-notice")
    expect(notice).to_contain_text("stores nothing")
    notice.get_by_role("button", name="Close").tap()
    expect(notice).to_be_hidden()
    assert play(one, began(one), until=2)["ply"] > 0


def test_the_wait_is_told_and_shows_the_board_asleep(
    little: Path, visit: Callable[..., Visit]
) -> None:
    one = visit(little, opened=False, has_touch=True, reduced_motion="no-preference")
    held = list[Route]()
    one.context.route("**/app.zip-zst.bin", lambda route: held.append(route))
    one.context.add_init_script("navigator.storage.persist = async () => (window.persisted = true)")
    one.page = one.open()
    notice = one.page.locator("#site-notice")
    expect(notice.locator("label")).to_contain_text(re.compile(r"[1-9]\.\d of [1-9]\.\d MB"))
    assert 0 < notice.locator("progress").evaluate("(bar) => bar.value / bar.max") < 1
    began(one)
    sleeping = one.page.locator("iframe.asleep")
    expect(sleeping).to_be_visible()
    states = "(frame) => frame.contentDocument.getAnimations().map((one) => one.playState)"
    assert set(sleeping.evaluate(states)) == {"paused"}  # drawing takes the time that Python needs
    before = [one.shown.locator(where).bounding_box() for where in PLACES]
    assert one.shown.locator(".player").count() == ALL["tails"].quick
    for route in held:
        route.continue_()
    one.awake()
    expect(sleeping).to_have_count(0)
    expect(one.shown.locator("#decide")).to_be_visible(timeout=60_000)
    after = [one.shown.locator(where).bounding_box() for where in PLACES]
    for was, now in zip(before, after, strict=True):
        assert was is not None
        assert now is not None
        assert abs(was["y"] - now["y"]) < JUMP
    assert one.page.evaluate("window.persisted")
    expect(notice).to_contain_text("without a network", timeout=60_000)
    expect(notice).to_be_hidden(timeout=60_000)


def test_the_landing_page_is_soon_there_without_a_network(
    little: Path, visit: Callable[..., Visit]
) -> None:
    one = visit(little)
    stored(one.page)  # before Python's memory is
    assert not one.page.evaluate("caches.match(new URL('kept/memory', location))")
    one.context.set_offline(True)
    one.page.reload()
    one.awake()
    one.page.evaluate("diablerie.visit({ method: 'POST', url: '/language', body: 'language=ro' })")
    expect(one.page.locator("html")).to_have_attribute("lang", "ro", timeout=60_000)
    one.context.set_offline(False)
    changed(one, "await new Promise(() => {});")
    one.page.reload()
    expect(one.shown.locator("html")).to_have_attribute("lang", "ro")
    expect(one.page.locator("html")).not_to_have_class("running")


def test_another_window_takes_the_games_and_gives_them_back(
    little: Path, visit: Callable[..., Visit]
) -> None:
    one = visit(little, has_touch=True).awake()
    url = began(one)
    first, ply = one.page, play(one, url, until=1)["ply"]
    one.page = second = one.open()
    told, here = second.locator("#site-notice"), second.get_by_role("button", name="Play here")
    expect(told).to_contain_text("open in another window")
    second.evaluate("(url) => diablerie.visit({ url })", url)
    assert second.locator("iframe").count() == 0
    here.tap()
    one.awake()
    expect(told).to_be_hidden()
    second.evaluate("(url) => diablerie.visit({ url })", url)
    assert play(one, url, until=1)["ply"] > ply
    expect(first.locator("#site-notice")).to_contain_text("open in another window")
    expect(first.locator("iframe.asleep")).to_be_visible()
    second.close()
    one.page = first
    one.awake()
    expect(first.locator("iframe.asleep")).to_have_count(0)
    assert table(one, url)["ply"] > ply


def test_a_worker_that_dies_is_told(little: Path, visit: Callable[..., Visit]) -> None:
    one = visit(little, opened=False)
    changed(one, after=DYING)
    one.page = one.open()
    one.awake()
    one.page.evaluate("void diablerie.visit({ url: '/daily' })")
    notice = one.page.locator("#site-notice")
    expect(notice).to_contain_text("devils have stopped")
    one.context.unroute("**/worker.js")
    with one.page.expect_navigation():
        notice.get_by_role("button", name="Reload").click()
    one.awake()
    expect(notice).to_be_hidden()


# a page whose clock a phone sets back by `back` milliseconds, and whose patience ends soon
SET_BACK = """
const now = Date.now;
window.back = 0;
Date.now = () => now() - back;
"""


def test_a_clock_that_is_set_back_stops_nothing(
    little: Path, visit: Callable[..., Visit], tmp_path: Path
) -> None:
    folder = tmp_path / "site"
    shutil.copytree(little, folder)
    shell = (folder / "shell.js").read_text("utf-8")
    assert "const SILENCE = 60000" in shell
    (folder / "shell.js").write_text(
        shell.replace("const SILENCE = 60000", "const SILENCE = 15000")
    )
    one = visit(folder, opened=False, service_workers="block")
    one.context.add_init_script(SET_BACK)
    one.page = one.open()
    one.awake()
    url = began(one)  # whose page listens to a stream as long as it is shown
    one.page.evaluate("void (window.silent = new Promise((done) => setTimeout(done, 16000)))")
    one.page.evaluate("back = 3600000")
    assert table(one, url)["game"] == "tails"
    one.page.evaluate("silent")
    assert table(one, url)["game"] == "tails"
    assert one.page.locator("#site-notice:visible", has_text="stopped").count() == 0


def test_without_scripts_it_says_so(little: Path, visit: Callable[..., Visit]) -> None:
    one = visit(little, java_script_enabled=False)
    expect(one.page.locator("noscript .notice")).to_contain_text("Without scripts nobody can play")
    expect(one.page.locator("#site-notice")).to_be_hidden()
    assert not [form for form in one.page.locator("form").all() if form.is_visible()]
    one.page.get_by_role("link", name="TAILS").first.click()
    expect(one.page.locator(".rules-text")).to_be_visible()


@pytest.mark.parametrize(
    ("file", "data"), [("frame.js", b"older"), ("site.json", b"<!doctype html>")]
)
def test_a_folder_that_is_mixed_or_damaged_says_what_is_wrong(
    file: str, data: bytes, little: Path, visit: Callable[..., Visit], tmp_path: Path
) -> None:
    folder = tmp_path / "site"
    shutil.copytree(little, folder)
    (folder / file).write_bytes(data)
    one = visit(folder)
    expect(one.page.locator("#site-notice")).to_contain_text(f"{file} is damaged", timeout=60_000)


@pytest.mark.parametrize("version", ["0.3.0", "0.4.0.dev0"])
def test_the_games_of_an_earlier_version_go_on(
    version: str, little: Path, visit: Callable[..., Visit], tmp_path: Path
) -> None:
    """As a browser has stored them, for all folders of the origin, with a window open."""
    one = visit(little, opened=False, has_touch=True)
    files = earlier_site(tmp_path, version)
    before = one.context.new_page()
    before.goto(f"{one.address}licences.txt")
    before.evaluate(STORE, {f"/data/{f.name}": f.read_bytes().decode("latin-1") for f in files})
    before.evaluate("(name) => void navigator.locks.request(name, () => new Promise(() => {}))",
                    f"diablerie {one.address}")  # fmt: skip
    one.page.goto(one.address)
    expect(one.page.locator("#site-notice")).to_contain_text("open in another window")
    before.close()
    one.awake()
    one.shown.locator("#your-tables").wait_for()
    assert one.page.locator("#site-notice:visible", has_text="version").count() == 0
    one.shown.locator("[aria-labelledby=your-tables] a[href^='/t/']").first.tap()
    one.shown.locator("[data-table]").wait_for(timeout=60_000)
    url = one.page.url.partition("#")[2].partition("?")[0]
    ply = table(one, url)["ply"]
    assert ply > 8
    one.page.reload()  # they are this folder's own now
    one.awake()
    assert play(one, url, until=1)["ply"] >= ply
    assert one.page.evaluate(LEFT) == []


def test_the_folder_tells_what_is_in_it(little: Path, visit: Callable[..., Visit]) -> None:
    one = visit(little).awake()
    with one.context.expect_page() as opened:
        one.shown.get_by_role("link", name="What this site contains").click()
    page = opened.value
    expect(page.locator("h1")).to_have_text("What this site contains")
    assert re.search(r"Commit: (\w{40}|not known)", page.locator("main").inner_text())
    told = page.locator("tbody tr td:first-child").all_inner_texts()
    there = {f.relative_to(little).as_posix() for f in little.rglob("*") if f.is_file()}
    assert there - set(told) == {"contents.html", "site.json", "sw.js"}


# what a browser that can install sites tells, and what it has when its question is asked
INSTALLABLE = """
window.asked = 0;
addEventListener("load", () => {
  const event = new Event("beforeinstallprompt", { cancelable: true });
  event.prompt = () => (window.asked += 1);
  dispatchEvent(event);
});
"""


def test_installation_is_offered_after_the_second_game_and_results_are_sent(
    little: Path, visit: Callable[..., Visit]
) -> None:
    one = visit(little, opened=False)
    one.context.add_init_script(INSTALLABLE)
    one.page = one.open()
    one.awake()
    stored(one.page)
    notice = one.page.locator("#site-notice")
    expect(notice).to_be_hidden(timeout=60_000)
    for game, offered in enumerate((False, True, False)):
        began(one)
        one.shown.locator("body").evaluate(
            "(body) => body.insertAdjacentHTML('beforeend', '<p id=ending>Over</p>')"
        )
        one.page.evaluate("diablerie.visit({ url: '/learn/tails?step=10' })")
        expect(one.shown.locator("[data-lesson]")).to_be_visible(timeout=60_000)
        assert notice.is_visible() == offered, game
        if offered:
            notice.get_by_role("button", name="Install").click()
            expect(notice).to_be_hidden()
    assert one.page.evaluate("asked") == 1
    one.shown.locator("body").evaluate(
        "() => { navigator.share = async (given) => (parent.given = given); }"
    )
    one.shown.get_by_role("button", name="Send the result").click()
    given = one.page.evaluate("given")
    assert given["text"].startswith("TAILS: learnt in ")
    assert given["url"] == f"{one.address}#/learn/tails"
