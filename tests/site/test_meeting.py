"""One link for all friends: found at a meeting point, back after every reload, sent away, kept out."""

import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from diablerie.games import ALL, OURS
from diablerie.site import ready_made
from diablerie.site.folder import Ways, sign
from tests.browser.conftest import executable
from tests.site.conftest import AWAKE, PHONE, Visit, began
from tests.site.meeting_point import Point
from tests.site.test_friends import SEEN, decide
from tests.site.test_invitations import ELSEWHERE, SPIED, opened
from tests.site.test_site import table

pytestmark = [
    pytest.mark.ci,
    pytest.mark.browser,
    pytest.mark.slow,
    pytest.mark.xdist_group("wasm"),
]
LOST = 90_000  # milliseconds within which a browser notices that a channel is gone


@pytest.fixture(scope="module")
def point() -> Iterator[Point]:
    made = Point()
    yield made
    made.stop()


@pytest.fixture(scope="module")
def meetable(little: Path, point: Point, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site as it is built with that meeting point."""
    folder = tmp_path_factory.mktemp("meetable") / "made"
    shutil.copytree(little, folder)
    ready_made.admit(folder, point.address)
    sign(folder, [game for game in ALL.values() if game in OURS], Ways(meet=point.address))
    return folder


def card_of(page: Page) -> Locator:
    return page.locator("dialog.friends[open]")


def asked(host: Visit, url: str) -> str:
    """Press what invites; the link of the card."""
    host.page.evaluate("(url) => diablerie.invite(url)", url)
    expect(card_of(host.page).locator("svg.qr")).to_be_visible()
    return card_of(host.page).locator("input[readonly]").input_value()


def come(browser: Browser, link: str, name: str, **more: str) -> tuple[BrowserContext, Page]:
    """A guest who opens the link, gives a name and presses "Join": three actions."""
    context = browser.new_context(viewport=PHONE, reduced_motion="reduce", **more)
    page, card = opened(context, link)
    card.get_by_role("textbox").fill(name)
    card.locator("button.primary").click()
    return context, page


def at_the_table(page: Page, url: str, seat: int | None) -> None:
    page.wait_for_selector("iframe.page", timeout=AWAKE)
    expect(page.frame_locator("iframe.page").locator("[data-table]")).to_be_attached(timeout=60_000)
    assert page.evaluate(SEEN, url)["viewer"] == seat


def decided(host: Visit, guests: list[Page], url: str) -> int:
    """Have the first of these guests decide, when it may; the plies that are kept then."""
    while not (mine := guests[0].evaluate(SEEN, url))["legal"]:
        for page in (host.page, *guests):
            if (seen := page.evaluate(SEEN, url))["legal"]:
                decide(page, url, seen)
    assert decide(guests[0], url, mine) == 200
    return int(mine["ply"]) + 1


def test_one_link_brings_everybody_and_brings_them_back(
    meetable: Path, visit: Callable[..., Visit], chromium: Browser
) -> None:
    host = visit(meetable).awake()
    url = began(host, game="coals", way="", here="1", open="2", names="Jörg")
    link = asked(host, url)
    assert re.search(r"join-coals\.html#meet=[\w-]{22}~[\w-]{22}~[\w-]{43}&game=coals&by=J", link)

    # three actions for each guest, nothing more for the host, and nothing is sent before "Join"
    ann = chromium.new_context(viewport=PHONE, reduced_motion="reduce", locale="de-DE")
    ann.add_init_script(SPIED)
    first, card = opened(ann, link)
    sent = list[str]()
    first.on("request", lambda request: sent.append(request.url))
    expect(card.locator("h2")).to_have_text("Jörg lädt dich zu KOHLEN ein")
    assert first.evaluate("connections") == 0
    assert not any("/meet/" in one for one in sent)
    card.get_by_role("textbox").fill("Ann")
    card.get_by_role("textbox").press("Enter")
    at_the_table(first, url, 1)
    bob, second = come(chromium, link, "Bob")
    at_the_table(second, url, 2)
    names = [seat["name"] for seat in table(host, url)["seats"]]
    assert names == ["Jörg", "Ann", "Bob"]
    people = card_of(host.page).locator(".people li")
    expect(people).to_have_count(2)
    expect(people.first).to_contain_text("Ann is here.")
    assert second.evaluate("document.documentElement.scrollWidth <= innerWidth")

    # a guest's reload, the host's reload, and both
    ply = decided(host, [first, second], url)
    first.reload()
    at_the_table(first, url, 1)
    expect(card_of(first)).to_have_count(0)
    host.page.reload()
    host.awake()
    for page, seat in ((first, 1), (second, 2)):
        expect(page.locator("#site-notice")).to_be_hidden(timeout=LOST)
        at_the_table(page, url, seat)
    assert first.evaluate(SEEN, url)["ply"] >= ply
    assert decided(host, [first, second], url) > ply  # the page goes on as it is
    host.page.reload()
    second.reload()
    host.awake()
    at_the_table(second, url, 2)
    expect(second.locator("#site-notice")).to_be_hidden()

    # who comes later watches
    cy, third = come(chromium, link, "Cy")
    at_the_table(third, url, None)

    # one is sent away, and neither comes back nor takes anybody along
    assert asked(host, url) == link
    people = card_of(host.page).locator(".people li")
    expect(people).to_have_count(3, timeout=LOST)
    people.filter(has_text="Cy").get_by_role("button").click()
    expect(people).to_have_count(2)
    expect(third.locator("#site-notice")).to_contain_text("in no more")
    again, card = opened(cy, link)
    card.locator("button.primary").click()
    expect(card_of(again)).to_contain_text("in no more", timeout=60_000)

    # another link: the old one leads nowhere, and who is here stays and comes back
    card_of(host.page).get_by_role("button", name="Another link").click()
    expect(card_of(host.page)).to_contain_text("only this link")
    renewed = card_of(host.page).locator("input[readonly]").input_value()
    assert renewed.partition("~")[0] != link.partition("~")[0]
    second.reload()
    at_the_table(second, url, 2)
    eve, late = come(chromium, link, "Eve")
    expect(card_of(late)).to_contain_text("Looking for the phone")
    dan, fourth = come(chromium, renewed, "Dan")
    at_the_table(fourth, url, None)
    expect(card_of(late)).to_contain_text("Looking for the phone")
    assert host.complaints == []
    for context in (ann, bob, cy, eve, dan):
        context.close()


def test_without_the_point_each_friend_gets_a_link_and_the_card_says_so(
    meetable: Path, point: Point, visit: Callable[..., Visit], chromium: Browser
) -> None:
    host = visit(meetable).awake()
    url = began(host, way="", here="1", open="1")
    link = asked(host, url)
    assert "#meet=" in link
    point.stop()
    try:
        expect(card_of(host.page)).to_contain_text("does not answer", timeout=60_000)
        ann, page = come(chromium, link, "Ann")
        expect(card_of(page)).to_contain_text("does not answer")
        assert "#offer=" in asked(host, url)
        expect(card_of(host.page)).to_contain_text("does not answer now")
    finally:
        point.start()
    at_the_table(page, url, 1)  # as soon as it answers again, nobody has to do anything
    assert "#meet=" in asked(host, url)
    expect(card_of(host.page)).not_to_contain_text("does not answer")
    ann.close()
    assert host.complaints == []


def test_over_plain_http_each_friend_gets_a_link_and_the_card_says_so(
    meetable: Path, host: Callable[[Path], str], chromium: Browser
) -> None:
    own = chromium.browser_type.launch(
        executable_path=executable(), args=[f"--host-resolver-rules=MAP {ELSEWHERE} 127.0.0.1"]
    )
    context = own.new_context(viewport=PHONE, reduced_motion="reduce")
    one = Visit(context, host(meetable).replace("localhost", ELSEWHERE)).awake()
    url = began(one, way="", here="1", open="1")
    assert "#offer=" in asked(one, url)
    expect(card_of(one.page)).to_contain_text("Over plain http there is no link for all")
    _, card = opened(
        context, f"{one.address}join-tails.html#meet={'A' * 22}~{'A' * 22}~{'A' * 43}&game=tails"
    )
    expect(card).to_contain_text("needs https")
    own.close()
