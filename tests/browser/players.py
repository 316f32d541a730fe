"""How the tests play: what to do is the game's own advice, how it is done is up to the player."""

import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from playwright.sync_api import Locator, Page, TimeoutError, expect

from diablerie.engine import verbs
from diablerie.engine.queries import redacted
from diablerie.engine.rng import seeded
from diablerie.table.commands import decisions
from diablerie.table.state.table_state import TableState
from tests.browser.conftest import Running

Way = Callable[[Page, str], None]


def table_of(page: Page) -> str:
    return page.url.partition("/t/")[2].partition("?")[0].partition("/")[0]


def live_of(server: Running, page: Page) -> TableState:
    return server.house.authority.live(table_of(page))


def advice(live: TableState, seat: int) -> str:
    """What a sensible player would do, as text."""
    assert live.match is not None
    seen = redacted(live.match.state, seat)
    action = verbs.advise(seen, seat, seeded(live.ply))
    return live.game.notation.format_action(seen, seat, action)


def press(spot: Locator, **how: Any) -> None:
    """Click, or tap where there are fingers and no mouse."""
    touching = spot.page.evaluate("navigator.maxTouchPoints > 0")
    (spot.tap if touching else spot.click)(**how)


def by_clicking(page: Page, text: str) -> None:
    """Stakes by the slider's number and its button, all else on the board."""
    if text.startswith("bet "):
        page.fill("#amount", text.removeprefix("bet "))
        press(page.locator("#amount-send"))
    else:
        press(page.locator(f'[data-region=board] [data-action="{text}"]').first)


def by_keyboard(page: Page, text: str) -> None:
    """Tab to the control and use it, without a pointer."""
    bet = text.startswith("bet ")
    target = page.locator("#amount" if bet else f'.actions button[value="{text}"]')
    expect(target).to_be_attached()
    if not target.is_visible():  # folded away behind the picture
        tab_to(page, page.locator("#choices > summary"))
        page.keyboard.press("Enter")
    tab_to(page, target)
    if bet:
        page.keyboard.press("Control+A")
        page.keyboard.type(text.removeprefix("bet "))
    page.keyboard.press("Enter")


def from_the_list(page: Page, text: str) -> None:
    """Click the button; a list that is folded away is opened, and so are those to come."""
    button = page.locator(f'.actions button[value="{text}"]')
    expect(button).to_be_attached()
    if not button.is_visible():
        page.click("#choices > summary")
    button.click()


def tab_to(page: Page, target: Locator) -> None:
    for _ in range(60):
        if target.evaluate("el => el === document.activeElement"):
            return
        page.keyboard.press("Tab")
    raise AssertionError("not to be reached with the Tab key")


def take_turn(server: Running, page: Page, seat: int, way: Way) -> None:
    """Decide once for a seat whose turn it is, and wait until the server has it."""
    live = caught_up(server, page)
    way(page, advice(live, seat))
    arrived(server, page, seat, live.ply)


def wait_until(done: Callable[[], bool], what: str) -> None:
    """Wait for the server, not the page, which costs a look into memory."""
    for _ in range(6000):
        if done():
            return
        time.sleep(0.005)
    raise AssertionError(what)


def arrived(server: Running, page: Page, seat: int, since: int) -> None:
    """Wait until the server has a decision of a seat, later than a ply."""

    def there() -> bool:
        return any(ply.seat == seat for ply in live_of(server, page).plies[since:])

    wait_until(there, "the decision did not arrive")


def caught_up(server: Running, page: Page) -> TableState:
    """The table, once the page shows it as it stands and asks for a decision."""
    for _ in range(300):
        live = live_of(server, page)
        asked = page.locator(f'#decide input[name="ply"][value="{live.ply}"]')
        with suppress(TimeoutError):  # the table may have gone on meanwhile
            asked.first.wait_for(state="attached", timeout=200)
            return live
    raise AssertionError("the page did not follow the table")


def play_out(server: Running, pages: dict[int, Page], way: Way, until: int = 10**6) -> None:
    """Play until the game is over, or so many plies have been played."""
    first = next(iter(pages.values()))
    while (live := live_of(server, first)).status != "over" and live.ply < until:
        waiting = [seat for seat in live.pending if seat in pages]
        if waiting:
            take_turn(server, pages[waiting[0]], waiting[0], way)
        else:
            time.sleep(0.005)


def begun(server: Running, page: Page) -> None:
    """Wait until the browsers' shares in the dice have come. The board is there before that."""
    wait_until(lambda: bool(live_of(server, page).match), "the shares did not come")


def never(_: TableState) -> bool:
    """Not enough before the game is over."""
    return False


def go_on(server: Running, page: Page, enough: Callable[[TableState], bool] = never) -> None:
    """People play sensibly while the page is elsewhere, until it is enough for one to decide, or
    over; then the page shows it. What is played and how it is clicked are tested apart.
    """
    begun(server, page)
    authority, table = server.house.authority, table_of(page)
    page.goto("about:blank")  # what is not looked at is not drawn
    for _ in range(60_000):
        live = authority.live(table)
        people = [(k, live.seats[k].owner) for k in live.pending if live.seats[k].owner]
        if live.status == "over" or (people and enough(live)):
            page.goto(f"{server.home}/t/{table}")
            wait_until(lambda: shown(page) == live_of(server, page).ply, "the page did not follow")
            return
        for seat, owner in people[:1]:
            decisions.decide(authority, live.id, str(owner), live.ply, advice(live, seat), seat)
        if not people:
            time.sleep(0.002)
    raise AssertionError("the bots did not go on")


def shown(page: Page) -> int:
    """The ply that the page shows. Where several decide together, bots may still add to it."""
    return int(page.locator("#now").get_attribute("data-ply") or -1)


def after(plies: int) -> Callable[[TableState], bool]:
    """Enough, once so many plies are played."""
    return lambda live: live.ply >= plies


OPENS = ".setup button.primary"  # a table, as it was set up


def set_up(page: Page, game: str) -> None:
    """Go from the landing page to "Set up a table"."""
    page.click(f"#game-{game} a[href^='/friends/']")
    page.click("a[href^='/setup/']")


def with_friends(page: Page, game: str, answer: str) -> None:
    """From the landing page "With friends", and the button of the answer: way=friends, here=2."""
    page.click(f"#game-{game} a[href^='/friends/']")
    if answer == "value=friends":
        page.fill("#host-name", "Ann")
    page.click(f".friends button[{answer}]")


def fill_in(page: Page, game: str, bots: int, **fields: object) -> Locator:
    """Fill in the form of "Set up a table" for one person and devils who play at once, `fields` by
    the ends of their names, options among them; the button that opens the table.
    """
    for name, value in {"open": 0, "bots": bots, **fields}.items():
        page.locator(f"#{game}-{name}").evaluate("(e, value) => { e.value = value }", str(value))
    return page.locator(OPENS)


def sit_down(page: Page, game: str, bots: int, **fields: object) -> None:
    """Open a table as `fill_in` says."""
    set_up(page, game)
    fill_in(page, game, bots, **fields).click()


SHORT = {"goal": 300}  # COALS for those who have little time: two rounds or three
