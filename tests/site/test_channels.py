"""Data channels between browsers, by the site's own scripts, without Python: who is who, what is sent."""

import re
import threading
from collections.abc import Callable, Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from tests.browser.conftest import executable
from tests.site.relay import led_over_relay, unreachable

pytestmark = [pytest.mark.browser, pytest.mark.ci, pytest.mark.xdist_group("channels")]
STATIC = Path(str(files("diablerie.site") / "static"))
ELSEWHERE = "games.test"  # a name that is not this machine's, so that http is not trusted
VERSION = "0123456789ab"
# a host whose worker only remembers what it hears
HOST = """async () => {
  const { Host } = await import("./friends.js");
  window.heard = [];
  window.host = new Host((message) => heard.push(message));
}"""
JOINED = """async (offer) => {
  const { read, Remote } = await import("./friends.js");
  window.remote = new Remote();
  remote.onmessage = () => {};
  return remote.answer(read(offer));
}"""
READ = "async (text) => (await import('./friends.js')).read(text)"
WAITED = "(check) => new Promise((done) => setInterval(() => eval(check) && done(), 20))"


class Named(SimpleHTTPRequestHandler):
    """The site's scripts, below whatever folder is asked for."""

    def translate_path(self, path: str) -> str:
        return str(STATIC / path.rpartition("/")[2].partition("?")[0])

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Named)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server.server_port
    server.shutdown()
    server.server_close()


@pytest.fixture
def browser_of(chromium: Browser) -> Iterator[Callable[[], BrowserContext]]:
    """A function that gives the browser of one more person."""
    made: list[BrowserContext] = []

    def one() -> BrowserContext:
        made.append(chromium.new_context())
        return made[-1]

    yield one
    for context in made:
        context.close()


@pytest.fixture
def at(port: int) -> Callable[..., Page]:
    """A function that opens a page in a browser, in a folder of the origin."""

    def opened(context: BrowserContext, folder: str = "") -> Page:
        page = context.new_page()
        page.goto(f"http://localhost:{port}/{folder}shell.css")
        page.evaluate(
            """async (base) => {
              document.head.append(Object.assign(document.createElement("base"), { href: base }));
            }""",
            f"http://localhost:{port}/{folder}",
        )
        return page

    return opened


def hosting(page: Page) -> Page:
    page.evaluate(HOST.replace('"./', f'"{folder_of(page)}'))
    return page


def folder_of(page: Page) -> str:
    return str(page.evaluate("document.baseURI"))


def met(host: Page, guest: Page, way: Callable[[str], str] = str) -> str:
    """Have a guest join; the name of the channel, once it is open."""
    known = host.evaluate("heard.filter(({ who }) => who).length")
    offer = way(host.evaluate("(version) => host.invite('/t/here', version)", VERSION))
    answer = guest.evaluate(JOINED.replace('"./', f'"{folder_of(guest)}'), offer)
    host.evaluate(
        "(answer) => host.accept(answer)", answer if way is str else unreachable("=" + answer)[1:]
    )
    assert guest.evaluate("remote.welcome") == "/t/here"
    host.evaluate(WAITED, f"heard.filter(({{ who }}) => who).length > {known}")
    return str(host.evaluate("heard.findLast(({ who }) => who).guest"))


def who(host: Page) -> str:
    return str(host.evaluate("heard.findLast(({ who }) => who).who"))


def test_a_guest_is_the_same_for_one_host_and_another_for_the_next(
    browser_of: Callable[[], BrowserContext], at: Callable[..., Page]
) -> None:
    one, other = hosting(at(browser_of())), hosting(at(browser_of()))
    ann = browser_of()
    met(one, at(ann))
    first = who(one)
    met(one, at(ann))  # as after a reload
    assert who(one) == first
    met(other, at(ann))
    assert who(other) != first
    met(one, at(browser_of()))
    assert who(one) not in (first, who(other))
    assert re.fullmatch(r"[\w-]{43}", first)


def test_nothing_that_travels_lets_a_host_be_its_guest_elsewhere(
    browser_of: Callable[[], BrowserContext], at: Callable[..., Page]
) -> None:
    """All that a guest sends, before it asks for anything, is the handshake."""
    host = hosting(at(browser_of()))
    met(host, at(browser_of()))
    host.evaluate(WAITED, "heard.length")
    assert [sorted(one) for one in host.evaluate("heard")] == [["guest", "who"]]


def test_a_host_keeps_its_fingerprint_and_a_guest_refuses_any_other(
    browser_of: Callable[[], BrowserContext], at: Callable[..., Page]
) -> None:
    context = browser_of()
    offers = []
    for _ in range(2):
        host = hosting(at(context))
        offers.append(host.evaluate("(version) => host.invite('/t/here', version)", VERSION))
    prints = [offer.split("~")[4] for offer in offers]
    assert prints[0] == prints[1]
    thief, guest = hosting(at(browser_of())), at(browser_of())
    parts = thief.evaluate("(version) => host.invite('/t/here', version)", VERSION).split("~")
    assert parts[4] != prints[0]
    parts[4] = prints[0]  # as if it were the other host
    answer = guest.evaluate(JOINED.replace('"./', f'"{folder_of(guest)}'), "~".join(parts))
    guest.evaluate("remote.addEventListener('state', ({ detail }) => (window.state = detail))")
    thief.evaluate("(answer) => host.accept(answer)", answer)
    guest.evaluate(WAITED, "['failed', 'closed'].includes(window.state)")
    assert thief.evaluate("heard.filter(({ who }) => who)") == []


def test_folders_of_one_origin_have_certificates_of_their_own(
    browser_of: Callable[[], BrowserContext], at: Callable[..., Page]
) -> None:
    context = browser_of()
    found = []
    for folder in ("a/", "b/"):
        host = hosting(at(context, folder))
        found.append(host.evaluate("host.invite('/t/here')").split("~")[3])
    assert found[0] != found[1]
    stores = context.pages[0].evaluate(
        "indexedDB.databases().then((all) => all.map(({ name }) => name))"
    )
    assert sorted(stores) == ["diablerie /a/ certificates", "diablerie /b/ certificates"]


def test_a_message_that_is_no_text_closes_one_channel(
    browser_of: Callable[[], BrowserContext], at: Callable[..., Page]
) -> None:
    host, ann, eve = hosting(at(browser_of())), at(browser_of()), at(browser_of())
    met(host, ann)
    name = met(host, eve)
    eve.evaluate("remote.channel.send(new Uint8Array([1, 2]))")
    eve.evaluate(WAITED, "remote.channel.readyState === 'closed'")
    assert host.evaluate("host.guests") == 1
    assert host.evaluate("heard.at(-1)") == {"guest": name, "gone": True}
    ann.evaluate("remote.postMessage({ number: 1, method: 'GET', url: '/', headers: {} })")
    host.evaluate(WAITED, "heard.at(-1).text?.includes('GET')")


def test_a_guest_who_reads_nothing_is_left(
    browser_of: Callable[[], BrowserContext], at: Callable[..., Page]
) -> None:
    host, guest = hosting(at(browser_of())), at(browser_of())
    relays = []

    def way(offer: str) -> str:
        led, relay = led_over_relay("#offer=" + offer)
        relays.append(relay)
        return led.removeprefix("#offer=")

    name = met(host, guest, way)
    relays[0].cut = True
    left = host.evaluate(
        """(name) => {
          let told = 0;
          while (host.guests && told < 200) {
            host.tell(name, new Uint8Array(1 << 18));
            told += 1;
          }
          return told;
        }""",
        name,
    )
    assert 30 < left < 60  # of a quarter of a megabyte
    assert host.evaluate("heard.at(-1)") == {"guest": name, "gone": True}


def test_long_messages_arrive_and_longer_ones_are_refused(
    browser_of: Callable[[], BrowserContext], at: Callable[..., Page]
) -> None:
    host, guest = hosting(at(browser_of())), at(browser_of())
    met(host, guest)
    ask = """(size) => {
      window.answers = [];
      remote.onmessage = ({ data }) => answers.push(data);
      const body = new TextEncoder().encode("ö".repeat(size / 2));
      remote.postMessage({ number: 7, method: "POST", url: "/", headers: {}, body });
    }"""
    guest.evaluate(ask, 200_000)
    host.evaluate(WAITED, "heard.at(-1).text?.length > 90000")
    guest.evaluate(ask, 300_000)
    assert guest.evaluate("answers")[0]["status"] == 503


def test_an_answer_is_found_in_what_people_paste(
    browser_of: Callable[[], BrowserContext], at: Callable[..., Page]
) -> None:
    page = at(browser_of())
    text = f"Ab_-12xy~uf+/~{'p/+w' * 6}~{'F' * 43}~192.168.0.7_50001~[2001:db8::7]_50002".replace(
        "[", ""
    ).replace("]", "")
    link = f"https://example.org/games/#answer={text}"
    escaped = link.replace("~", "%7E").replace("#", "%23").replace("+", "%2B")
    for pasted in (
        text, f" {link}\n", f"{link}.", f"Here it is: {link}. See you!", f"“{link}”", f"({link})",
        f"<{link}>", f"[{link}],", escaped, escaped.replace("%", "%25"), f"{link}\u200b",
        f"100 % sure: {link}",
    ):  # fmt: skip
        found = page.evaluate(READ.replace("'./", f"'{folder_of(page)}"), pasted)
        assert found is not None, pasted
        assert (found["name"], found["fragment"], found["version"]) == ("Ab_-12xy", "uf+/", ""), (
            pasted
        )
        assert found["places"] == ["192.168.0.7_50001", "2001:db8::7_50002"], pasted
    for none in ("", "~~~~", link[:60], "offer=", "%", "a" * 100_000, "~".join("a" * 1000)):
        assert page.evaluate(READ.replace("'./", f"'{folder_of(page)}"), none) is None


def test_a_text_names_at_most_eight_addresses(
    browser_of: Callable[[], BrowserContext], at: Callable[..., Page]
) -> None:
    page = at(browser_of())
    places = "~".join(f"192.0.2.{k}_9" for k in range(60))
    text = f"Ab_-12xy~uf+/~{'p/+w' * 6}~{'F' * 43}~{places}"
    found = page.evaluate(READ.replace("'./", f"'{folder_of(page)}"), text)
    assert len(found["places"]) == 8


CLAIM = """async ([base, options]) => {
  const { locked } = await import(`${base}lock.js`);
  window.lost ??= 0;
  if (options.waits) options = { signal: (window.waiting = new AbortController()).signal };
  window.has = null;
  locked("games", options, () => (window.lost += 1)).then((has) => (window.has = has));
}"""


@pytest.fixture
def distrustful(chromium: Browser) -> Iterator[BrowserContext]:
    """A browser that finds this machine under a name that it does not trust over http."""
    arguments = [f"--host-resolver-rules=MAP {ELSEWHERE} 127.0.0.1"]
    own = chromium.browser_type.launch(executable_path=executable(), args=arguments)
    yield own.new_context()
    own.close()


HOLDS = "Boolean(window.has) && !window.lost"


def held(windows: list[Page]) -> list[bool]:
    """Which of these windows has the games, once that is settled."""
    while sum(has := [page.evaluate(HOLDS) for page in windows]) != 1:
        windows[0].wait_for_timeout(20)
    return has


@pytest.mark.parametrize("secure", [True, False], ids=["https", "http"])
def test_one_window_has_the_games(secure: bool, port: int, distrustful: BrowserContext) -> None:
    """Also over plain http, where browsers have no locks."""
    address = f"http://{'localhost' if secure else ELSEWHERE}:{port}/"
    windows = [distrustful.new_page() for _ in range(3)]
    for page in windows:
        page.goto(f"{address}shell.css")
        assert page.evaluate("Boolean(navigator.locks)") == secure

    def claims(page: Page, **options: bool) -> None:
        page.evaluate(CLAIM, [address, options])

    one, two, three = windows
    for page in (one, two):  # at once
        claims(page, ifAvailable=True)
    for page in (one, two):
        page.evaluate(WAITED, "window.has !== null")
    first, second = (one, two) if held([one, two])[0] else (two, one)
    claims(second, waits=True)
    claims(three, ifAvailable=True)
    three.evaluate(WAITED, "window.has === false")
    claims(three, steal=True)
    three.evaluate(WAITED, "window.has")
    first.evaluate(WAITED, "window.lost")
    assert second.evaluate("window.has") is None
    three.goto("about:blank")
    second.evaluate(WAITED, "window.has")


def test_no_other_page_shows_its_own_in_the_sites_frame(
    port: int, browser_of: Callable[[], BrowserContext]
) -> None:
    """Neither in a window that it opened, nor in one of its own frames."""
    context = browser_of()
    evil = context.new_page()
    evil.goto(f"http://127.0.0.1:{port}/shell.css")  # another origin than localhost
    sent = """(address) => {
      window.opened = open(address);
      const frame = document.createElement("iframe");
      frame.src = address;
      document.body.append(frame);
      const page = { html: "<h1>evil</h1>", url: "/evil" };
      const tell = () => [opened, frame.contentWindow].forEach((one) => one.postMessage(page, "*"));
      frame.onload = () => (tell(), setInterval(tell, 20), (window.told = true));
    }"""
    with context.expect_page() as popup:
        evil.evaluate(sent, f"http://localhost:{port}/frame.html")
    popup.value.wait_for_load_state()
    evil.evaluate(WAITED, "window.told")
    popup.value.wait_for_timeout(500)
    assert [frame.locator("h1").count() for frame in (popup.value, *evil.frames)] == [0] * 3
