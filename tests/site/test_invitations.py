"""What invitations do at both ends, and what stays apart: other windows, other folders, other sites."""

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, Route, expect

from diablerie.games import ALL, OURS
from diablerie.site.folder import sign
from tests.browser.conftest import executable
from tests.site.conftest import AWAKE, PHONE, Visit, began, stored
from tests.site.test_friends import SEEN, admitted, let_in, seated
from tests.site.test_site import table

pytestmark = [
    pytest.mark.ci,
    pytest.mark.browser,
    pytest.mark.slow,
    pytest.mark.xdist_group("wasm"),
]
ELSEWHERE = "games.test"  # a name that is not this machine's, so that http is not trusted
LOADED = 500_000  # bytes, at most, of what a guest loads
SPIED = """
window.connections = 0;
const Real = RTCPeerConnection;
window.RTCPeerConnection = function (...given) {
  connections += 1;
  return new Real(...given);
};
window.RTCPeerConnection.generateCertificate = (kind) => Real.generateCertificate(kind);
"""
# a guest that says something else than guests say; resolves when its channel is closed
RUBBISH = """async ([offer, rubbish]) => {
  const { read, Remote } = await import("./friends.js");
  const remote = new Remote();
  const answer = await remote.answer(read(offer));
  window.closed = remote.welcome.then(() => {
    remote.channel.send(rubbish);
    return new Promise((done) => {
      remote.addEventListener("state", ({ detail }) => detail === "closed" && done());
    });
  });
  return answer;
}"""


def invited(host: Visit, url: str) -> str:
    """The link for one more guest."""
    host.page.evaluate("(url) => diablerie.invite(url)", url)
    card = host.page.locator("dialog.friends[open]")
    expect(card.locator("svg.qr")).to_be_visible()
    return card.locator("input[readonly]").input_value()


def opened(context: BrowserContext, link: str) -> tuple[Page, Locator]:
    """A guest's window at a link, and its card."""
    page = context.new_page()
    page.goto(link)
    return page, page.locator("dialog.friends[open]")


def test_whoever_plays_before_python_runs_has_a_part_in_the_dice(
    little: Path, visit: Callable[..., Visit]
) -> None:
    for game in ("coals", "tails"):
        one = visit(little, opened=False)
        held = list[Route]()
        one.context.route("**/app.zip-zst.bin", lambda route: held.append(route))  # noqa: B023
        one.page = one.open()
        one.page.locator(f"#game-{game} button[value=bots]").click()
        expect(one.page.locator("iframe.asleep")).to_be_visible()
        while not held:
            one.page.wait_for_timeout(50)
        held[0].continue_()
        one.awake()
        expect(one.page).to_have_url(re.compile("#/t/"), timeout=60_000)
        expect(one.page.locator("iframe.asleep")).to_have_count(0)
        one.shown.locator("#decide").wait_for(timeout=60_000)
        expect(one.shown.locator("#shares-broken")).to_be_hidden()
        url = one.page.url.partition("#")[2].partition("?")[0]
        page = one.fetch(url)
        assert "data-fixed" in page
        assert "data-without" not in page
        one.context.close()


def test_an_invitation_from_its_link_to_the_end_of_the_evening(
    little: Path, visit: Callable[..., Visit], chromium: Browser
) -> None:
    host = visit(little).awake()
    url = began(host, game="coals", way="", here="1", open="2", names="Jörg & Co")
    notice = host.page.locator("#site-notice")
    link = invited(host, url)
    assert "nyone" not in link

    # back, with the card open: what is beneath it goes on
    host.page.go_back()
    expect(host.shown.locator("#game-coals")).to_be_attached(timeout=60_000)
    card = host.page.locator("dialog.friends[open]")
    expect(card).to_be_visible()

    # the guest is asked, and nothing is sent before
    ann = chromium.new_context(viewport=PHONE, reduced_motion="reduce", locale="de-DE")
    ann.add_init_script(SPIED)
    page, asked = opened(ann, link)
    expect(asked.locator("h2")).to_have_text("Jörg & Co lädt dich zu KOHLEN ein")
    expect(asked).to_contain_text("Netzwerkadresse")
    assert page.evaluate("connections") == 0
    for _ in range(3):
        page.keyboard.press("Escape")
    expect(asked).to_be_visible()
    asked.get_by_role("button", name="Mitspielen").click()
    answer = asked.locator("input").input_value()
    assert page.evaluate("connections") == 1
    for _ in range(3):
        page.keyboard.press("Escape")
    expect(asked.locator("input")).to_have_value(answer)

    # what is no answer, and the answer among other words
    field = card.get_by_role("textbox").last
    field.fill("hello")
    expect(card).to_contain_text("not complete")
    field.fill(link)
    expect(card).to_contain_text("an invitation, not an answer")
    field.fill(f"Here: “{answer.replace('~', '%7E')}”. See you")
    page.wait_for_selector("iframe.page", timeout=AWAKE)
    expect(card).to_have_count(0)
    seated(page)
    assert page.evaluate(SEEN, url)["viewer"] == 1

    # an answer that is opened in the host's own window
    bob = chromium.new_context(viewport=PHONE, reduced_motion="reduce")
    other, asked = opened(bob, invited(host, url))
    asked.get_by_role("button", name="Join").click()
    answer = asked.locator("input").input_value()
    host.page.evaluate("(hash) => (location.hash = hash)", answer.partition("#")[2])
    other.wait_for_selector("iframe.page", timeout=AWAKE)
    assert not host.page.url.partition("#")[2].startswith("answer")
    seated(other)
    assert other.evaluate(SEEN, url)["viewer"] == 2

    # another invitation, opened where friends play
    host.page.evaluate("(hash) => (location.hash = hash)", link.partition("#")[2])
    expect(notice).to_contain_text("Friends are playing here")
    notice.get_by_role("button", name="Close").click()

    # somebody who speaks otherwise loses the own channel, and nobody else's
    for rubbish in ("", "A" * 22, "[]", "null", '{"number": -1}'):
        eve = chromium.new_context()
        stranger = eve.new_page()
        stranger.goto(f"{host.address}licences.txt")
        sent = stranger.evaluate(RUBBISH, [invited(host, url), rubbish])
        host.page.locator("dialog.friends[open]").get_by_role("textbox").last.fill(sent)
        stranger.evaluate("closed")
        eve.close()
    expect(notice).to_be_hidden()
    assert page.evaluate(SEEN, url)["viewer"] == 1
    assert host.complaints == []

    # a table that a guest opens is no place to invite from
    form = urlencode({"game": "tails", "here": 1, "open": 1})
    other.evaluate("(body) => diablerie.visit({ method: 'POST', url: '/tables', body })", form)
    shown = other.frame_locator("iframe.page")
    expect(shown.locator(".waiting-room")).to_be_visible(timeout=60_000)
    assert shown.locator("[data-invite]").count() == 0

    # after a reload nothing is to be pressed but what leads on
    other.reload()
    expect(other.locator("#site-notice")).to_contain_text("Ask for a new invitation")
    assert all(
        form.evaluate("(form) => Boolean(form.closest('[inert]'))")
        for form in other.locator("form").all()
    )
    other.get_by_role("button", name="Play alone").click()
    expect(other.locator("html.asleep")).to_have_count(0)
    expect(other.locator("#site-notice")).to_contain_text("The devils are waking up")

    host.page.close()  # and the other guest is told
    expect(page.locator("#site-notice")).to_contain_text("Einladung", timeout=120_000)
    ann.close()
    bob.close()


@pytest.mark.parametrize("game", ["coals", "tails", "underworld", "kitchen"])
def test_a_guest_loads_little(
    game: str, shipped: Path, visit: Callable[..., Visit], chromium: Browser
) -> None:
    host = visit(shipped).awake()
    url = began(host, game=game, way="", here="1", open="1")
    context = chromium.new_context(viewport=PHONE, reduced_motion="reduce", locale="de-DE")
    sizes: dict[str, int] = {}  # a file may be asked of the cache again
    context.on(
        "response", lambda got: sizes.update({got.url: int(got.headers.get("content-length", 0))})
    )
    seated(let_in(host, context, url))
    assert 100_000 < sum(sizes.values()) < LOADED, sizes
    context.close()


def test_two_folders_of_one_origin_are_two_sites(
    little: Path, host: Callable[[Path], str], chromium: Browser, tmp_path: Path
) -> None:
    for folder in ("a", "b"):
        shutil.copytree(little, tmp_path / "both" / folder)
    address = host(tmp_path / "both" / "a").removesuffix("a/")
    context = chromium.new_context(viewport=PHONE, reduced_motion="reduce")
    one, other = (Visit(context, f"{address}{folder}/").awake() for folder in ("a", "b"))
    first, second = began(one), began(other)
    for visited, url in ((one, first), (other, second)):  # each is kept beside the other
        visited.page.wait_for_timeout(1000)  # it is stored a moment after it has begun
        visited.page.reload()
        visited.awake()
        assert table(visited, url)["game"] == "tails"
    assert one.page.locator("#site-notice:visible", has_text="another window").count() == 0
    names = """async () => [
      ...(await indexedDB.databases()).map(({ name }) => name), ...(await caches.keys()),
      ...(await navigator.locks.query()).held.map(({ name }) => name), ...Object.keys(localStorage),
    ]"""
    found = one.page.evaluate(names)
    assert len(found) >= 6
    assert [name for name in found if not re.search(r"/(a|b)(/| |$)", name)] == []
    context.close()


def test_over_plain_http_windows_agree_and_links_are_copied(
    little: Path, host: Callable[[Path], str], chromium: Browser
) -> None:
    own = chromium.browser_type.launch(
        executable_path=executable(), args=[f"--host-resolver-rules=MAP {ELSEWHERE} 127.0.0.1"]
    )
    context = own.new_context(viewport=PHONE, reduced_motion="reduce")
    one = Visit(context, host(little).replace("localhost", ELSEWHERE)).awake()
    assert (
        one.page.evaluate("[isSecureContext, 'locks' in navigator, 'clipboard' in navigator]")
        == [False] * 3
    )
    url = began(one, way="", here="1", open="1")
    invited(one, url)
    card = one.page.locator("dialog.friends[open]")
    card.get_by_role("button", name="Copy").click()
    expect(card.get_by_role("button", name="Copied")).to_be_visible()
    second = one.open()
    told = second.locator("#site-notice")
    expect(told).to_contain_text("open in another window")
    second.get_by_role("button", name="Play here").click()
    expect(one.page.locator("#site-notice")).to_contain_text(
        "open in another window", timeout=60_000
    )
    one.page = second
    one.awake()
    assert table(one, url)["game"] == "tails"
    own.close()


def test_a_link_that_leads_nowhere_says_why(
    shipped: Path, visit: Callable[..., Visit], chromium: Browser
) -> None:
    one = visit(shipped, opened=False)
    text = f"0123456789ab~Ab_-12xy~uf+/~{'p/+w' * 6}~{'F' * 43}~192.0.2.9_9"
    for link, said in ((text, "different versions"), (text[:50], "not complete")):
        page, card = opened(
            one.context, f"{one.address}join-tails.html#offer={link}&game=tails&by=Ann"
        )
        expect(card).to_contain_text(said)
        page.keyboard.press("Escape")
        expect(card).to_be_visible()
        page.close()
    version = json.loads((shipped / "site.json").read_text("utf-8"))["version"].rpartition("-")[2]
    hostile = f"{version}{text[12:]}&game=tails&by=%3Cb%3E{'x' * 90}"
    page, card = opened(one.context, f"{one.address}join-tails.html#offer={hostile}")
    expect(card.locator("h2")).to_have_text(f"<b>{'x' * 21} invites you to TAILS")
    page.evaluate("location.hash = '#offer=short'")  # in a tab that is there already
    expect(card).to_contain_text("not complete")


def released(folder: Path) -> None:
    """Have the folder hold the next version of the site, all but the script that browsers look for."""
    worker = (folder / "sw.js").read_bytes()
    with (folder / "shell.css").open("a", encoding="utf-8") as sheet:
        sheet.write("/* of the next version */\n")
    sign(folder, [game for game in ALL.values() if game in OURS])
    (folder / "sw.js").replace(folder / "next.js")
    (folder / "sw.js").write_bytes(worker)


def found(folder: Path) -> None:
    """Have browsers find the next version, by a file that is newer than what they have seen."""
    (folder / "sw.js").write_bytes((folder / "next.js").read_bytes())


def test_a_guest_of_an_earlier_version_reloads_and_plays(
    little: Path, visit: Callable[..., Visit], chromium: Browser, tmp_path: Path
) -> None:
    folder = tmp_path / "site"
    shutil.copytree(little, folder)
    old = visit(folder)
    stored(old.page)
    old.page.close()
    released(folder)
    context = chromium.new_context(viewport=PHONE, service_workers="block")
    host = Visit(context, old.address).awake()
    url = began(host, way="", here="1", open="1")
    page, card = opened(old.context, invited(host, url))
    expect(card).to_contain_text("different versions")
    found(folder)
    card.get_by_role("button", name="Reload").click()
    expect(card).to_contain_text("Nothing is sent before you join", timeout=60_000)
    admitted(host, page)
    seated(page)
    assert page.evaluate(SEEN, url)["viewer"] == 1
    context.close()


def test_a_host_of_an_earlier_version_is_told_reloads_and_plays(
    little: Path, visit: Callable[..., Visit], chromium: Browser, tmp_path: Path
) -> None:
    folder = tmp_path / "site"
    shutil.copytree(little, folder)
    host = visit(folder).awake()
    url = began(host, way="", here="1", open="1")
    stored(host.page)
    link = invited(host, url)
    card = host.page.locator("dialog.friends[open]")
    expect(card).not_to_contain_text("newer version")
    released(folder)
    guest = chromium.new_context(viewport=PHONE, reduced_motion="reduce", service_workers="block")
    page, asked = opened(guest, link)
    expect(asked).to_contain_text("different versions")
    page.close()
    found(folder)
    card.get_by_role("button", name="Close").click()
    invited(host, url)
    expect(card).to_contain_text("There is a newer version")
    card.get_by_role("button", name="Reload").click()
    expect(card).to_have_count(0, timeout=60_000)
    host.awake()
    link = invited(host, url)
    expect(card).not_to_contain_text("newer version")
    page, asked = opened(guest, link)
    admitted(host, page)
    seated(page)
    assert page.evaluate(SEEN, url)["viewer"] == 1
    guest.close()


def test_another_site_cannot_show_this_one_in_its_pages(
    shipped: Path, visit: Callable[..., Visit]
) -> None:
    one = visit(shipped, opened=False)
    one.page.goto(one.address.replace("localhost", "127.0.0.1") + "licences.txt")
    one.page.evaluate(
        "(src) => document.body.prepend(Object.assign(document.createElement('iframe'), { src }))",
        one.address,
    )
    inside = one.page.frame_locator("iframe")
    expect(inside.locator("#site-notice")).to_contain_text("Another site shows these games")
    assert inside.locator("#game-tails").evaluate("(game) => Boolean(game.closest('[inert]'))")
    with one.context.expect_page() as opened_page:
        inside.get_by_role("button", name="Open the window").click()
    assert opened_page.value.url == one.address
