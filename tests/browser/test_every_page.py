"""Every page and state: accessible, nothing beyond the edge of a phone, light and dark.

`make test` visits each page once, in German, which has the longest words: on a phone by night, and
at one page of each kind, in short tours, on a wide screen by day, too; axe looks at each kind of
page once. CI has all four languages on a phone, two on a wide screen, and axe looks at every page in
English.
"""

import re
from collections.abc import Callable, Iterator
from datetime import timedelta
from itertools import product
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from diablerie.daily.challenge import Calendar
from diablerie.engine.game import Game
from diablerie.games import ALL
from diablerie.table.commands import chat, lobby, seats
from diablerie.table.commands.subscriptions import HookRequest
from diablerie.table.state.visitors import visitor_of
from tests.browser.conftest import NARROW, WIDE, Running
from tests.browser.measures import CUT, SQUEEZED, TALL, too_small
from tests.browser.players import (
    OPENS,
    SHORT,
    after,
    go_on,
    live_of,
    sit_down,
    table_of,
    with_friends,
)
from tests.languages import LANGUAGES

pytestmark = [pytest.mark.browser, pytest.mark.slow]


class Again(str):
    """Where a page is of a kind that its tour has elsewhere: `make test` leaves out axe there."""


LINES = "el => Math.round(el.clientHeight / parseFloat(getComputedStyle(el).lineHeight))"
BEYOND = "document.documentElement.scrollWidth - window.innerWidth"
BELOW = "document.documentElement.scrollHeight - window.innerHeight"
SMALLEST = {"width": 320, "height": 640}


def check(page: Page, where: str) -> None:
    """No violation that axe-core knows, nothing to scroll sideways for or too small for a phone."""
    page.wait_for_load_state("load")  # with its style sheets
    found = Axe().run(page)
    assert found.violations_count == 0, f"{where}: {found.generate_report()}"
    check_width(page, where)


def check_width(page: Page, where: str) -> None:
    page.wait_for_load_state("load")
    beyond = page.evaluate(BEYOND)
    assert beyond <= 0, f"{where} is {beyond} pixels too wide"
    assert page.evaluate(CUT) == [], f"{where}: words that the picture has no room for"
    if page.viewport_size == WIDE and page.locator("main.table").count():
        assert page.evaluate(BELOW) <= 0, f"{where}: nothing is below the board and its side"
    if page.viewport_size != SMALLEST:  # where names of 24 letters may need many lines
        assert page.evaluate(SQUEEZED) == [], f"{where}: words in a column of a few letters"
    if page.viewport_size == NARROW:
        assert too_small(page) == [], f"{where}: too small for a phone"
        page.evaluate("document.getElementById('refused-here')?.remove()")  # it was placed for 390
        page.set_viewport_size(SMALLEST)
        assert page.evaluate(BEYOND) <= 0, f"{where} is too wide for a small phone"
        assert page.evaluate(TALL) == [], f"{where}: buttons with more than two lines"
        page.set_viewport_size(NARROW)


def look(page: Page, where: str, by_day: bool) -> None:
    """A page on a phone by night and, `by_day`, on a wide screen by day, too; one of them with axe."""
    (check_width if by_day or isinstance(where, Again) else check)(page, where)
    if by_day:
        page.set_viewport_size(WIDE)
        page.emulate_media(color_scheme="light")
        check(page, f"{where}, wide")
        page.emulate_media(color_scheme="dark")
        page.set_viewport_size(NARROW)


def landing(server: Running, page: Page) -> Iterator[str]:
    yield "landing"
    page.click("#game-coals a[href^='/friends/']")
    yield "with friends"
    page.click("a[href^='/setup/']")
    yield Again("set up a table")
    page.click("#coals-variants summary")
    page.fill("#coals-track", "7")
    page.click(OPENS)
    expect(page.locator(".notice.refusal")).to_be_visible()
    yield "a table that is refused"


def steps_of(game: Game) -> int:
    return len(game.lesson.steps) if game.lesson else 0


def lessons(server: Running, page: Page) -> Iterator[str]:
    """Every step of every lesson."""
    for game in ALL.values():
        for step in range(1, steps_of(game) + 1):
            page.goto(f"{server.home}/learn/{game.name}?step={step}")
            yield f"lesson of {game.name}, step {step}"


def lesson_samples(server: Running, page: Page) -> Iterator[str]:
    """Two steps of each lesson, one of them with axe, and a step that is refused, and done."""
    for game in ALL.values():
        middle, last = steps_of(game) // 2, steps_of(game)
        for step in (middle, last):
            page.goto(f"{server.home}/learn/{game.name}?step={step}")
            where = f"lesson of {game.name}, step {step}"
            yield where if step == middle else Again(where)
    page.goto(f"{server.home}/learn/coals?step=3")
    title = page.locator("#step-title")
    before = title.inner_text()
    page.click("#lesson-form button")
    expect(title).not_to_have_text(before)
    before = title.inner_text()
    page.click("[data-region=board] [data-action=stop]")
    expect(page.locator(".notice.refusal")).to_be_visible()
    expect(title).to_have_text(before)
    yield "a lesson with a refusal"
    page.click("[data-region=board] [data-action=pull]")
    expect(title).not_to_have_text(before)


def texts(server: Running, page: Page) -> Iterator[str]:
    for name in ALL:
        page.goto(f"{server.home}/rules/{name}")
        yield f"/rules/{name}" if name == "coals" else Again(f"/rules/{name}")
    for address in ("/settings", "/offline", "/nothing"):
        page.goto(server.home + address)
        yield address
    page.goto(f"{server.home}/games")
    page.click("form[action='/games/link'] button")
    expect(page.locator("#device-link")).to_be_visible()
    yield "games, with a link"
    page.goto(page.input_value("#device-link"))
    yield "another device"
    page.goto(f"{server.home}/programs")
    page.fill("#name", "Robo")
    page.click("form[action='/programs'] button")
    expect(page.locator("#token")).to_have_text(re.compile("^diablerie_"))
    yield "programs, with a token"


def daily(server: Running, page: Page) -> Iterator[str]:
    """The archive, a challenge of each game of the tests' list, and what is told behind an answer."""
    page.goto(f"{server.home}/daily/archive")
    yield "the archive of daily challenges"
    page.goto(f"{server.home}/daily")
    yield "today's challenge, the first of the list"
    calendar: Calendar = server.house.app.state.calendar
    first = {one.game: n for n, one in reversed([*enumerate(calendar.challenges)])}
    for name, n in first.items():
        page.goto(f"{server.home}/daily/{calendar.first + timedelta(n)}")
        yield Again(f"challenge {n + 1}, {name}")
    page.click("#daily-show")
    expect(page.locator("#daily-told")).to_be_visible()
    yield "the answer to a challenge"


def waiting_room(server: Running, page: Page) -> Iterator[str]:
    with_friends(page, "coals", "value=friends")
    expect(page.locator("#invite")).to_be_visible()
    yield Again("waiting room")
    page.click("#tools summary")
    yield "waiting room with tools"


def group(server: Running, page: Page) -> Iterator[str]:
    """A group's page with all that opens, a table of the group, and the page for who is new."""
    page.click("#new-group summary")
    page.fill("#group-name", "The Hoofs of the Hill")
    page.fill("#group-person", "Great-Oma")
    page.click("form[action='/groups'] button")
    for part in ("#edit-1", "#more-people", "#renew"):
        page.click(f"{part} > summary")
    link = page.url
    yield "group"
    page.fill("#new-name", "Opa")
    page.click("#more-people form button")
    page.click("#tonight-form button[value=coals]")
    page.click("#cover-off")
    yield "a group's table"
    seats.resign(server.house.authority, table_of(page), live_of(server, page).host, 0)
    expect(page.locator("#standing")).to_be_visible()
    yield "the series at the end"
    page.goto(link)
    expect(page.locator("#score")).to_be_visible()
    for number in (1, 2):
        page.click(f"#edit-{number} > summary")
        page.click(f"#edit-{number} form[action$=leave] button")
    expect(page.locator("#who-panel")).to_be_visible()
    yield "group, who are you?"


def hot_seat(server: Running, page: Page) -> Iterator[str]:
    with_friends(page, "coals", "value='2'")
    expect(page.locator(".cover")).to_be_visible()
    yield "cover"
    page.click("#cover-off")
    expect(page.locator("#decide")).to_be_visible()
    assert page.locator("#whose > span").evaluate(LINES) == 1, "whose turn it is stands in one line"
    yield "behind the cover"


def called(server: Running, page: Page) -> Iterator[str]:
    """A table with a clock, somebody else's line in the chat, and a webhook."""
    form = {"game": "coals", "here": "1", "open": "1", "clock": "600"}
    json = {"accept": "application/json"}
    made = page.request.post(f"{server.home}/tables", form=form, headers=json).json()["url"]
    authority, bo = server.house.authority, visitor_of("somebody else at the table")
    table = made.removeprefix("/t/")
    lobby.sit(authority, table, bo, name="Bo")
    chat.chat(authority, table, bo, "A long line, " * 9)
    authority.subscriptions.hook(
        table, authority.live(table).host, HookRequest("https://a.example/", "en", "")
    )
    page.goto(server.home + made)
    expect(page.locator("#clock-0 time")).to_have_text(re.compile(r"\d:\d\d"))
    for part in ("#phrases", "#manners", "#tools", "#hook"):
        page.click(f"{part} > summary")
    yield "talk, clocks and tools"


def in_words(page: Page) -> None:
    """Have the position told in words: without leaving the page, at once and from now on."""
    for choices in page.locator("#choices").all():  # the words are shown beside it
        choices.evaluate("list => { list.open = true }")
    page.click("#in-words")
    expect(page.locator(".in-words li").first).to_be_visible()
    expect(page.locator("#in-words")).to_be_focused()


def game(server: Running, page: Page) -> Iterator[str]:
    sit_down(page, "coals", 5, **SHORT)
    expect(page.locator("#decide")).to_be_visible()
    yield Again("betting")
    page.fill("#amount", "10")
    page.locator('[data-region=board] [data-action="pull"]').first.click()
    expect(page.locator("#refused-here, [data-refusal=act] .notice").first).to_be_visible()
    yield "a refusal"
    go_on(server, page, after(30))
    in_words(page)
    yield Again("mid-game")
    go_on(server, page)
    expect(page.locator("#ending")).to_be_visible()
    page.click("#share summary")
    yield "the end"
    page.goto(f"{server.home}/t/{table_of(page)}/replay?step=9&eyes=all")
    expect(page.locator("svg.curve")).to_be_visible(timeout=60_000)
    yield "replay"
    table = table_of(page)
    page.goto(f"{server.home}/embed/replay/{table}?step=9")
    expect(page.locator("#replay-count")).to_be_visible()
    yield "embedded replay"
    page.goto(f"{server.home}/t/{table}/log")
    cut = page.locator(".log").evaluate("el => el.scrollWidth - el.clientWidth")
    assert cut == 0, "every sentence breaks where the page ends"
    yield "log"
    page.goto(f"{server.home}/games")
    expect(page.locator("#tallies")).to_be_visible()
    yield "games, one of them finished"


def other_games(server: Running, page: Page) -> Iterator[str]:
    for name in sorted(set(ALL) - {"coals"}):
        page.goto(server.home)
        page.click(f"#game-{name} button[value=bots]")
        expect(page.locator("#prompt")).to_be_visible()
        yield Again(f"{name}, the beginning")
        go_on(server, page, after(20))
        if not page.locator(".in-words li").count():
            in_words(page)
        yield Again(f"{name}, mid-game")
        page.click("#ask-devil")
        expect(page.locator(".hint-list")).to_be_visible()
        where = f"{name}, a devil asked"
        yield where if name == "kitchen" else Again(where)


SHORT_TOURS = (landing, daily, waiting_room, group, hot_seat, called, game)
LONG_TOURS = (lesson_samples, texts, other_games)
SIZES = {"wide": WIDE, "narrow": NARROW}


BY_DAY = {("en", "wide"), ("en", "narrow"), ("fr", "wide"), ("ro", "narrow")}  # the others at night


def cases() -> Iterator[Any]:
    """Every tour in every language on both screens, in the colours of the day or of the night."""
    for tour, language, size, scheme in product(
        (*SHORT_TOURS, *LONG_TOURS, lessons), ("en", *LANGUAGES), SIZES, ("light", "dark")
    ):
        daily = (language, size) == ("de", "narrow") and tour not in (lessons, other_games)
        marks: Any = () if daily else pytest.mark.ci  # boards of all games: test_boards
        night = ((language, size) in BY_DAY) == (scheme == "light")
        if not night or (size == "wide" and language in ("fr", "ro")):
            marks = pytest.mark.nightly
        name = "-".join((tour.__name__, language, size, scheme))
        yield pytest.param(tour, language, size, scheme, id=name, marks=marks)


@pytest.mark.parametrize(("tour", "language", "size", "scheme"), list(cases()))
def test_every_page(
    server: Running,
    visit: Callable[..., Page],
    tour: Any,
    language: str,
    size: str,
    scheme: str,
    request: pytest.FixtureRequest,
):
    page = visit(SIZES[size], color_scheme=scheme, locale=language)
    later = any(map(request.node.get_closest_marker, ("ci", "nightly")))
    for where in tour(server, page):
        told = type(where)(f"{where}, {language}, {scheme}")
        expect(page.locator("html")).to_have_attribute("lang", language)
        if later:
            (check if language == "en" else check_width)(page, told)
        else:
            look(page, told, tour in SHORT_TOURS and not isinstance(where, Again))


@pytest.mark.parametrize(
    "language", ["de", *(pytest.param(one, marks=pytest.mark.ci) for one in ("en", "fr", "ro"))]
)
def test_long_names_make_no_page_wider_than_a_small_phone(
    server: Running, visit: Callable[..., Page], language: str
):
    page, wide = visit(SMALLEST, locale=language), "W" * 24
    page.click("#new-group summary")
    page.fill("#group-name", wide)
    page.fill("#group-person", wide)
    page.click("form[action='/groups'] button")
    link = page.url
    page.click("#more-people summary")
    page.fill("#new-name", "M" * 24)
    page.click("#more-people form button")
    for name in ALL:
        page.goto(link)
        page.click(f"#tonight-form button[value={name}]")
        expect(page.locator("#now, #cover-off").first).to_be_attached()
        check_width(page, f"{name} with long names")
        if page.locator("#cover-off").count():
            page.click("#cover-off")
            expect(page.locator("#decide")).to_be_visible()
            check_width(page, f"{name} with long names, behind the cover")
    live = live_of(server, page)
    seats.resign(server.house.authority, live.id, live.host, 0)
    expect(page.locator("#standing")).to_be_visible()
    check_width(page, "the end with long names")
    for address in (link, server.home, f"{server.home}/games"):
        page.goto(address)
        for summary in page.locator("[id^=edit-] > summary").all():
            summary.click()
        check_width(page, f"{address} with long names")


def test_a_watchers_page(server: Running, visit: Callable[..., Page]):
    page, other = visit(), visit(NARROW)
    page.click("#game-coals button[value=bots]")
    other.goto(page.url)
    expect(other.locator("text=You are watching")).to_be_visible()
    assert live_of(server, other).status == "running"
    check(other, "watching")


def test_the_check_sees_what_is_wrong(visit: Callable[..., Page]):
    page = visit(NARROW)
    page.goto(f"{page.url}settings")
    page.evaluate("document.querySelector('main').insertAdjacentHTML('beforeend', '<img src=x>')")
    with pytest.raises(AssertionError, match="image-alt"):
        check(page, "a page with a nameless picture")
    page.goto(page.url)
    page.evaluate("document.querySelector('main h1').style.width = '2000px'")
    with pytest.raises(AssertionError, match="too wide"):
        check(page, "a page with a wide heading")
    page.goto(page.url)
    page.evaluate("document.querySelector('main').style.fontSize = '10px'")
    with pytest.raises(AssertionError, match="too small"):
        check(page, "a page in small print")
