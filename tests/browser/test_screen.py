"""The table in the middle: a screen and two phones play a game to its podium, and begin the next."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import NARROW, Running
from tests.browser.measures import too_small
from tests.browser.players import live_of, play_out, press, table_of, wait_until

pytestmark = [pytest.mark.browser]
MIDDLE = {"width": 1180, "height": 820}
FINGERS = {"has_touch": True, "is_mobile": True}
SHAKEN = "window.shaken = 0; navigator.vibrate = () => { shaken += 1; return true; };"
NO_LOCK = "Object.defineProperty(navigator, 'wakeLock', { value: undefined })"
LOCK = """const request = async () => { window.locked = (window.locked ?? 0) + 1; return {}; };
Object.defineProperty(navigator, 'wakeLock', { value: { request } })"""


def large(page: Page, text: str) -> None:
    """Decide with the buttons and the field alone, as a hand does that has no board."""
    if text.startswith("bet "):
        page.fill("#amount", text.removeprefix("bet "))
        target = page.locator("#amount-send")
    else:
        target = page.locator(f'#decide button[value="{text}"]')
    expect(target).to_be_visible()
    box = target.bounding_box()
    assert box
    assert box["height"] >= 64, box
    assert box["width"] >= 280, box
    press(target)


def called_to(server: Running, visit: Callable[..., Page], game: str) -> tuple[Page, Page, Page]:
    """A screen where a game is to be played, and two phones that have taken a seat."""
    screen = visit(MIDDLE)
    screen.goto(f"{server.home}/friends/{game}")
    short = screen.locator("[name=short]")
    if short.count():
        short.check()
    screen.click("button[value=screen]")
    expect(screen.locator("[data-screen]")).to_be_visible()
    phones = [visit(NARROW, **FINGERS) for _ in range(2)]
    for phone, name in zip(phones, ("Ann", "Bo"), strict=True):
        phone.goto(f"{server.home}/t/{table_of(screen)}")
        phone.fill("#sit-name", name)
        phone.locator("form[action$=sit] button").tap()
        expect(screen.locator(".player", has_text=name)).to_be_visible()
    return screen, *phones


def test_a_screen_and_two_phones_play_to_the_podium(server: Running, visit: Callable[..., Page]):
    screen, ann, bo = called_to(server, visit, "coals")
    expect(screen.locator("#here-only")).to_be_visible()  # where others reach the server, a code
    for phone in (ann, bo):
        phone.context.add_cookies([{"name": "vibration", "value": "on", "url": server.home}])
        phone.add_init_script(SHAKEN)
        phone.reload()
    bo.locator("button[name=devils][value='0']").tap()
    expect(screen.locator("#here-only")).to_have_count(0)
    expect(screen.locator("#coals-heap")).to_be_visible()
    expect(screen.locator(".turns")).to_contain_text("Ann")
    for phone in (ann, bo):
        expect(phone.locator("[data-region=board] > svg")).to_be_hidden()
        expect(phone.locator(".held svg .place")).to_be_visible()
        assert too_small(phone) == []
    assert screen.locator("form, main [name], [data-form]").count() == 0
    play_out(server, {0: ann, 1: bo}, large)
    expect(screen.locator("#ending .podium")).to_be_visible()
    expect(screen.locator("#ending")).to_contain_text(" wins!")
    expect(screen.locator(":focus-visible")).to_have_count(0)  # no ring round the board
    expect(ann.locator("#ending")).to_be_visible()
    assert ann.evaluate("shaken") > 1
    assert bo.evaluate("shaken") > 1
    before = table_of(screen)
    ann.locator(".other-games button[value=tails]").tap()
    for page in (ann, screen):
        page.wait_for_url(lambda url: before not in url)
        expect(page.locator("#prompt")).to_have_text("Waiting for Bo.")
    assert screen.url.endswith("/screen")
    expect(screen.locator("[data-screen]")).to_have_attribute("data-table", table_of(ann))
    bo.get_by_text("To the next game").first.tap()
    expect(bo.locator("#hand")).to_have_count(1)
    assert live_of(server, bo).game.name == "tails"


def test_the_board_comes_back_with_a_switch_and_where_one_chooses_in_it(
    server: Running, visit: Callable[..., Page]
):
    _, ann, bo = called_to(server, visit, "kitchen")
    ann.locator("button[name=devils][value='0']").tap()
    expect(ann.locator("#hand")).to_have_count(1)
    play_out(server, {0: ann, 1: bo}, from_the_fold, until=live_of(server, ann).ply + 6)
    live = live_of(server, ann)
    (deciding,) = live.pending
    turn, waits = (ann, bo) if deciding == 0 else (bo, ann)
    expect(turn.locator("#choices")).to_have_count(1)
    expect(turn.locator("[data-region=board] > svg")).to_be_visible()
    board = waits.locator("[data-region=board] > svg")
    expect(board).to_be_hidden()
    expect(waits.locator(".held svg.kitchen")).to_be_visible()  # the tray, which nobody else sees
    knob = waits.get_by_role("switch", name="Show the board here, too")
    knob.focus()
    waits.keyboard.press("Enter")
    expect(board).to_be_visible()
    waits.reload()
    expect(board).to_be_visible()
    knob.tap()
    expect(board).to_be_hidden()


def from_the_fold(page: Page, text: str) -> None:
    """Decide with a button, of the list that is folded away if need be."""
    button = page.locator(f'#decide button[value="{text}"]')
    expect(button).to_be_attached()
    if not button.is_visible():
        page.click("#choices > summary")
    press(button)


@pytest.mark.parametrize(("script", "told"), [(NO_LOCK, True), (LOCK, False)])
def test_it_keeps_itself_awake_or_says_that_it_cannot(
    server: Running, visit: Callable[..., Page], script: str, told: bool
):
    screen = visit(MIDDLE)
    screen.add_init_script(script)
    screen.goto(f"{server.home}/friends/tails")
    screen.click("button[value=screen]")
    if not told:
        wait_until(lambda: screen.evaluate("window.locked") == 1, "the screen is kept awake")
    expect(screen.locator("[data-sleepy]")).to_be_visible(visible=told)


def test_by_keyboard_one_reaches_sounds_full_screen_and_the_way_out_alone(
    server: Running, visit: Callable[..., Page]
):
    screen, _, _ = called_to(server, visit, "coals")
    reached = []
    for _ in range(4):
        screen.keyboard.press("Tab")
        focused = "document.activeElement.ariaLabel || document.activeElement.innerText"
        reached.append(str(screen.evaluate(focused)))
    assert reached[:3] == ["Sounds", "Full screen", "Leave the screen"]
    assert screen.evaluate("document.activeElement === document.body")


@pytest.mark.parametrize("size", [(820, 1180), (1180, 820), (1920, 1080)])
@pytest.mark.parametrize("game", ["coals", "kitchen", "tails", "underworld"])
def test_all_of_it_is_in_the_window(
    server: Running, visit: Callable[..., Page], size: tuple[int, int], game: str
):
    player = visit()
    player.click(f"#game-{game} button[value=bots]")
    expect(player.locator("#whose")).to_be_visible()
    screen = visit(dict(zip(("width", "height"), size, strict=True)))
    screen.goto(f"{server.home}/t/{table_of(player)}/screen")
    expect(screen.locator("[data-region=board] > svg")).to_be_visible()
    wide, high = screen.evaluate("[document.body.scrollWidth, document.body.scrollHeight]")
    assert (wide, high) <= size
    places = screen.locator(".board [data-player], .player:not(.pictured)")
    assert places.count() >= 2
    for part in (screen.locator(".board, .turns, #prompt"), places):
        for k in range(part.count()):
            box = part.nth(k).bounding_box()
            assert box, part
            assert 0 <= box["x"] <= size[0] + 1 - box["width"], box
            assert 0 <= box["y"] <= size[1] + 1 - box["height"], box
    board = screen.locator(".board > svg").bounding_box()
    assert board
    assert board["width"] * board["height"] >= 0.24 * size[0] * size[1]
    letters = "el => parseFloat(getComputedStyle(el).fontSize)"
    assert screen.locator(".turns li").first.evaluate(letters) >= 24
    assert screen.locator("#prompt").evaluate(letters) >= 24
