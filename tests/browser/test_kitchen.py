"""Whole games of KITCHEN on the board: cards laid, devils chosen and walked, duels fought."""

import time
from collections.abc import Callable
from contextlib import suppress

import pytest
from playwright.sync_api import Page, expect

from diablerie.games.kitchen.rules.notation import POT_NAMES, SIGN_NAMES
from diablerie.table.state.table_state import TableState
from tests.browser.conftest import NARROW, WIDE, Running
from tests.browser.players import advice, arrived, from_the_list, go_on, live_of, press, sit_down

pytestmark = [pytest.mark.browser, pytest.mark.slow]

BOARD = "[data-region=board]"


def lay_cards(page: Page, text: str) -> None:
    """The first two cards by clicking, the others by dragging; all by tapping."""
    by_touch = page.evaluate("navigator.maxTouchPoints > 0")
    for sign, value in enumerate(text.split()[1:]):
        card = page.locator(f'{BOARD} [data-card="{value}"]')
        slot = page.locator(f'{BOARD} [data-slot="{sign}"]')
        if sign < 2 or by_touch:
            press(card)
            press(slot, position={"x": 20, "y": 20})
        else:
            card.drag_to(slot, target_position={"x": 20, "y": 20})
    press(page.locator(f"{BOARD} [data-assign-send].can"))


def choose(page: Page, key: str) -> None:
    """Click a devil, or a pot beside him, or one in hand, unless it is chosen already."""
    pick = page.locator(f'{BOARD} [data-pick="{key}"]').first
    heap = page.locator(f'{BOARD} [data-fan]:has([data-pick="{key}"])')
    if heap.count() and "picked" not in (pick.get_attribute("class") or ""):
        press(heap)
        pick = page.locator(f'{BOARD} .open [data-pick="{key}"]')
    goals = page.locator(f'{BOARD} [data-for="{key}"]')
    for _ in range(3):  # a frame that comes with the click may take the choice back
        if "picked" not in (pick.get_attribute("class") or ""):
            press(pick, force=True)  # a mark of another choice may lie over it
        with suppress(AssertionError):
            expect(goals).to_be_visible(timeout=5_000)
            return
    expect(goals).to_be_visible()


def walk(page: Page, text: str, keen: bool) -> None:
    """The longest walk that begins with this step; a keen player rather has a duel."""
    _, devil, _, *pot = text.split()
    choose(page, f"walk-{int(devil) - 1}-{POT_NAMES.index(pot[0]) + 1 if pot else 0}")
    marks = page.locator(f"{BOARD} .goals.on .goal")
    actions = marks.evaluate_all("marks => marks.map((el) => el.dataset.action)")
    duels = page.locator(f"{BOARD} .goals.on .goal.duel").all() if keen else []
    fitting = [action for action in actions if action.split("; ")[0] == text]
    if duels:
        press(duels[0])
    elif fitting:
        press(page.locator(f'{BOARD} .goals.on [data-action="{max(fitting, key=len)}"]'))
    else:  # onto an own devil, to pass
        from_the_list(page, text)


def decide(page: Page, text: str, keen: bool = False) -> None:
    """Make a decision where a person would make it."""
    word, *rest = text.split()
    if word == "menu":
        lay_cards(page, text)
    elif word == "pot":
        choose(page, f"hand-{SIGN_NAMES.index(rest[0])}")
        press(page.locator(f'{BOARD} .goals.on [data-action="{text}"]'))
    elif word == "go":
        walk(page, text, keen)
    elif word == "end":
        press(page.locator('.actions button[value="end"]'))
    else:
        press(page.locator(f'{BOARD} [data-action="{"fight" if keen else text}"]'))


ASKED = """() => {
    const field = (name) => document.querySelector(`#decide input[name=${name}]`)?.value;
    return [Boolean(document.querySelector("#cover-off")), field("ply"), field("seat")];
}"""


def ready(server: Running, page: Page) -> tuple[TableState, int]:
    """The table and the seat that decides, once the page asks; whoever it is takes the device."""
    for _ in range(1000):
        live = live_of(server, page)
        covered, ply, seat = page.evaluate(ASKED)
        if covered:
            page.locator("#cover-off").click()
            page.wait_for_selector("#decide")
        elif ply == str(live.ply):
            return live, int(seat)
        page.wait_for_timeout(10)
    raise AssertionError("the page did not follow the table")


def play_out(
    server: Running, page: Page, own: set[int], keen: bool = False, until: int = 10**6
) -> list[str]:
    """Play these seats on one page until the game is over, or so far; all that happened."""
    while (live := live_of(server, page)).status != "over" and live.ply < until:
        if not own & set(live.pending):
            time.sleep(0.005)
            continue
        live, seat = ready(server, page)
        decide(page, advice(live, seat), keen)
        arrived(server, page, seat, live.ply)
    return [event.text for ply in live_of(server, page).plies for event in ply.events]


def opened(page: Page, here: int, bots: int) -> Page:
    sit_down(page, "kitchen", bots, here=here)
    return page


@pytest.mark.parametrize("plies", [8, pytest.param(16, marks=pytest.mark.ci)])
def test_two_people_on_one_screen_play_a_whole_game(
    server: Running, visit: Callable[..., Page], plies: int
):
    page = opened(visit(), 2, 0)
    told = play_out(server, page, {0, 1}, until=plies)
    go_on(server, page)
    expect(page.locator("#ending")).to_be_visible()
    assert sum(text.startswith("menu") for text in told) == 2


@pytest.mark.parametrize(
    ("bots", "size"),
    [
        pytest.param(2, NARROW, marks=pytest.mark.ci),
        pytest.param(3, WIDE, marks=pytest.mark.nightly),
    ],
)
def test_a_person_who_likes_duels_plays_a_whole_game_against_devils(
    server: Running, visit: Callable[..., Page], bots: int, size: dict[str, int]
):
    page = opened(visit(size, has_touch=size == NARROW), 1, bots)
    told = play_out(server, page, {0}, keen=True)
    expect(page.locator("#ending")).to_be_visible()
    assert "jump" in told
    log = live_of(server, page).match.log(0)  # on the page only its end is left
    assert any("Oberteufel jumps" in str(line) for line in log)
