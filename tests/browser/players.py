"""How the tests play: what to do is the game's own advice, how it is done is up to the player."""

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Locator, Page, expect

from diablerie.engine import verbs
from diablerie.engine.asking import redacted
from diablerie.engine.rng import seeded
from diablerie.table.live import Live
from tests.browser.conftest import Running

Way = Callable[[Page, str], None]


def table_of(page: Page) -> str:
    return page.url.partition("/t/")[2].partition("?")[0].partition("/")[0]


def live_of(server: Running, page: Page) -> Live:
    return server.house.authority.live(table_of(page))


def advice(live: Live, seat: int) -> str:
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
    for _ in range(3000):
        now = live_of(server, page)
        if any(ply.seat == seat for ply in now.plies[live.ply :]):
            return
        page.wait_for_timeout(10)
    raise AssertionError("the decision did not arrive")


def caught_up(server: Running, page: Page) -> Live:
    """The table, once the page shows it as it stands and asks for a decision."""
    for _ in range(3000):
        live, field = live_of(server, page), page.locator('#decide input[name="ply"]')
        if field.count() and field.input_value() == str(live.ply):
            return live
        page.wait_for_timeout(10)
    raise AssertionError("the page did not follow the table")


def play_out(server: Running, pages: dict[int, Page], way: Way, until: int = 10**6) -> None:
    """Play until the game is over, or so many plies have been played."""
    first = next(iter(pages.values()))
    while (live := live_of(server, first)).status != "over" and live.ply < until:
        waiting = [seat for seat in live.pending if seat in pages]
        if waiting:
            take_turn(server, pages[waiting[0]], waiting[0], way)
        else:
            first.wait_for_timeout(5)
