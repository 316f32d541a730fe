"""The static site in a browser: games are played, kept and shown without a server."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

import diablerie
from diablerie.games import OURS
from tests.site.conftest import Visit, kept, stored

pytestmark = [
    pytest.mark.nightly,  # all rules are compiled once more, with COASTERS; CI plays TAILS
    pytest.mark.browser,
    pytest.mark.slow,
    pytest.mark.xdist_group("site"),
]
GAMES = {  # against one devil (COASTERS: against two)
    "coals": {"bots": "1"},
    "tails": {"bots": "1"},
    "underworld": {"bots": "1"},
    "kitchen": {"bots": "1"},
    "coasters": {"bots": "2"},
}
LONG = 1500  # decisions, at most, of a game


def begin(visit: Visit, game: str, **fields: str) -> str:
    """Open a table by the form that sets up a table; its address."""
    shown = visit.shown
    shown.locator(f"#game-{game} a[href^='/friends/']").tap()
    shown.locator("a[href^='/setup/']").tap()
    form = shown.locator("form.setup")
    for name, value in {"bot": "imp", "open": "0", **fields}.items():
        field = form.locator(f"[name='{name}']")
        if not field.is_visible():
            form.locator("details summary").last.tap()
        (field.select_option if name == "bot" else field.fill)(value)
    form.locator("button.primary").last.tap()
    shown.locator("[data-table]").wait_for(timeout=60_000)
    return visit.page.url.partition("#")[2].partition("?")[0]


def table(visit: Visit, url: str) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(visit.fetch(f"{url}.json"))
    return data


def tap(visit: Visit, do: str) -> None:
    """Decide by touch: on the board, else by the number, else in the list."""
    shown = visit.shown
    spot = shown.locator(f"[data-region=board] [data-action='{do}']:visible")
    amount = shown.locator("#amount")
    if spot.count():
        spot.first.tap(force=True)
    elif amount.count():
        amount.fill(do.split()[-1])
        shown.locator("#amount-send").tap()
    else:
        button = shown.locator(f".actions button[value='{do}']").first
        if not button.is_visible():
            shown.locator("#choices > summary").tap()
        button.tap()


def play(visit: Visit, url: str, until: int = LONG) -> dict[str, Any]:
    """Play by touch, so many decisions; how the table stands then."""
    for k in range(until):
        data = settled(visit, url)
        if data["status"] == "over":
            break
        tap(visit, data["legal"][(3 * k) % len(data["legal"])]["do"])
        moved(visit, url, data["ply"])
    return data


def settled(visit: Visit, url: str) -> dict[str, Any]:
    """Wait until the page asks the visitor, or the game is over; how the table stands then.

    Where several decide together, bots may go on meanwhile: so both are asked again.
    """
    for _ in range(3000):
        data = table(visit, url)
        asked = visit.shown.locator(f"#now[data-ply='{data['ply']}']")
        if data["status"] == "over" or (data["legal"] and asked.count()):
            return data
        visit.page.wait_for_timeout(20)
    raise AssertionError("the page did not follow the table")


def moved(visit: Visit, url: str, ply: int) -> None:
    """Wait until the decision is there, and complete it where it is a plan of several steps."""
    planned = ""
    for _ in range(600):
        if table(visit, url)["ply"] > ply:
            return
        plan = visit.shown.locator("#draft")
        if plan.count() and plan.inner_text() != planned:
            planned = plan.inner_text()
            plan_on(visit)
        visit.page.wait_for_timeout(20)
    raise AssertionError("the decision did not arrive")


def plan_on(visit: Visit) -> None:
    """Confirm a plan that is complete, else choose its next step from the list."""
    shown = visit.shown
    if shown.locator("#send").count():
        shown.locator("#send").tap()
        return
    buttons, choices = shown.locator("#decide button[name=do]"), shown.locator("#choices > summary")
    if choices.count() and not buttons.first.is_visible():
        choices.tap()
    buttons.nth(buttons.count() // 2).tap()


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game_by_touch_without_a_network(
    game: str, hasty: Path, visit: Callable[..., Visit], tmp_path: Path
) -> None:
    whole_game(visit(hasty, has_touch=True), game, tmp_path)


def whole_game(one: Visit, game: str, folder: Path) -> None:
    """Play a game by touch to its end, without a network, and verify its file."""
    one.awake()
    stored(one.page)
    one.context.set_offline(True)
    before = len(one.asked)
    url = begin(one, game, **GAMES[game])
    assert play(one, url)["status"] == "over"
    expect(one.shown.locator("#ending")).to_be_visible(timeout=60_000)
    outside = [asked for asked in one.asked[before:] if not asked.startswith(one.address)]
    assert outside == []
    assert one.complaints == []
    if game in diablerie.GAMES:
        file = folder / "match.jsonl"
        file.write_text(one.fetch(f"{url}/match.jsonl"), "utf-8")
        assert diablerie.verify(file).over  # by the rules that Numba compiled here


def test_a_reload_goes_on_with_the_game(hasty: Path, visit: Callable[..., Visit]) -> None:
    one = visit(hasty, has_touch=True).awake()
    url = begin(one, "tails", bots="1")
    before = play(one, url, until=3)
    one.page.wait_for_timeout(1000)
    one.page.reload()
    one.awake()
    one.shown.locator("[data-table]").wait_for(timeout=60_000)
    after = table(one, url)
    assert after["ply"] >= before["ply"] > 0
    assert play(one, url, until=2)["ply"] >= after["ply"]


def test_a_memory_that_is_spoilt_does_no_harm(hasty: Path, visit: Callable[..., Visit]) -> None:
    one = visit(hasty).awake()
    kept(one.page)
    one.page.evaluate(
        "async () => (await caches.open((await caches.keys())[0])).put("
        "new URL('kept/memory', location), new Response('not a memory'))"
    )
    one.page.reload()
    one.awake()
    expect(one.page.locator("html")).to_have_attribute("data-python", "afresh")
    expect(one.shown.locator("h1")).to_have_text("Play the devil.")


def test_without_webassembly_the_rules_can_be_read(
    hasty: Path, visit: Callable[..., Visit]
) -> None:
    one = visit(hasty)
    one.context.add_init_script("delete globalThis.WebAssembly")
    one.page.reload()
    expect(one.page.locator("#site-notice")).to_contain_text("lacks WebAssembly")
    one.page.locator("#game-tails a", has_text="Rules").first.click()
    expect(one.shown.locator(".rules-text")).to_be_visible()


def test_each_game_is_printed_from_its_card_and_its_rules(
    little: Path, visit: Callable[..., Visit]
) -> None:
    one = visit(little).awake()
    for game in OURS:
        for url in ("/", f"/rules/{game.name}"):
            one.page.evaluate("(url) => diablerie.visit({ url })", url)
            link = one.shown.locator(f"a[href='/print/{game.name}']").first
            expect(link).to_be_visible(timeout=60_000)
            link.click()
            expect(one.shown.locator(".on-paper h1").first).to_have_text(game.title.text)
            assert one.shown.locator("svg.page").count() >= 6, game.name
            expect(one.page).to_have_url(f"{one.address}#/print/{game.name}")
    assert not one.complaints


def test_german_visitors_read_german(hasty: Path, visit: Callable[..., Visit]) -> None:
    one = visit(hasty, locale="de-DE")
    expect(one.shown.locator("h1")).to_contain_text("Teufel", timeout=60_000)
    one.awake()
    expect(one.shown.locator("html")).to_have_attribute("lang", "de")


def test_lessons_hints_replays_and_settings(hasty: Path, visit: Callable[..., Visit]) -> None:
    one = visit(hasty, has_touch=True).awake()
    url = begin(one, "tails", bots="1")
    play(one, url, until=1)
    one.shown.locator("#ask-devil").tap()
    expect(one.shown.locator("[data-hint]").first).to_be_visible(timeout=60_000)
    one.page.evaluate("diablerie.visit({ url: '/learn/tails' })")
    expect(one.shown.locator("[data-lesson]")).to_be_visible(timeout=60_000)
    one.shown.locator("#lesson-next, #lesson-show").first.tap()
    expect(one.shown.locator(".lesson-way")).to_contain_text("Step 2")
    one.page.evaluate("diablerie.visit({ url: '/settings?back=/' })")
    one.shown.locator("input[name=theme][value=dark]").check()
    one.shown.locator("button.primary").tap()
    expect(one.shown.locator("html")).to_have_attribute("data-theme", "dark")
