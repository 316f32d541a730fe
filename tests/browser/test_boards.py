"""Boards at many positions, as a phone shows them: nothing is cut off or too small to read."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

import diablerie
from diablerie.engine.match import WATCHER
from diablerie.games import ALL
from tests.browser.conftest import NARROW, Running
from tests.browser.measures import CUT, LETTER, SMALL
from tests.browser.players import after, go_on, sit_down
from tests.browser.test_every_page import LINES
from tests.browser.test_wide import box

pytestmark = [pytest.mark.browser, pytest.mark.slow]

GOLDEN = Path(__file__).parents[1] / "games"
POSITIONS = 2  # of each golden game
SHOW = """(drawn) => {
  document.querySelector("[data-region=board] > svg, [data-region=board] .picture").outerHTML = drawn;
}"""


def pictures(game: str) -> Iterator[tuple[str, str]]:
    """Where each is from, and the picture of a watcher or a seat, with all actions that are legal."""
    ui = ALL[game].ui
    for file in sorted((GOLDEN / game / "golden").glob("*.jsonl")):
        whole = diablerie.load(file)
        for i in range(1, POSITIONS + 1):
            match = whole.at(whole.ply * i // POSITIONS)
            for viewer in (WATCHER, i % match.seats):
                moves = match.legal(viewer) if viewer in match.pending else []
                where = f"{file.stem}, ply {match.ply}, viewer {viewer}"
                yield where, ui.draw(match.view(viewer), moves, str)


@pytest.mark.parametrize(
    "game", ["kitchen", *(pytest.param(n, marks=pytest.mark.ci) for n in ALL if n != "kitchen")]
)
def test_on_a_phone_nothing_of_a_board_is_cut_off_or_too_small(
    server: Running, visit: Callable[..., Page], game: str
):
    page = visit(NARROW)
    page.click(f"#game-{game} button[value=bots]")
    expect(page.locator("#prompt")).to_be_visible()
    go_on(server, page, after(0))  # to a decision of the person, so that no frame comes any more
    count = 0
    for where, picture in pictures(game):
        page.evaluate(SHOW, picture)
        assert page.evaluate(CUT) == [], f"{where}: words that the picture has no room for"
        small = [one for one in page.evaluate(SMALL, LETTER) if game in one.rpartition("(")[2]]
        assert small == [], where
        count += 1
    assert count >= POSITIONS * 6, "of three golden games or more"


MANY_POINTS = """() => document.querySelectorAll(".players .stat").forEach((el) => {
  el.textContent = "170 de puncte";
})"""


@pytest.mark.parametrize("game", ["kitchen", pytest.param("tails", marks=pytest.mark.ci)])
def test_what_is_said_of_a_player_stands_in_one_line(
    server: Running, visit: Callable[..., Page], game: str
):
    page = visit(NARROW, locale="de")
    sit_down(page, game, 3)
    go_on(server, page, after(30))
    lines = page.locator(".players .stat").evaluate_all(f"all => all.map({LINES})")
    assert set(lines) == {1}
    assert box(page, "#seat-0")["height"] < 60, "three lines"
    page.evaluate(MANY_POINTS)
    cut = "all => all.filter((el) => el.scrollWidth > el.clientWidth).length"
    assert page.locator(".players .stat:first-child").evaluate_all(cut) == 0, "the name is cut"


@pytest.mark.parametrize("game", ["coals", pytest.param("underworld", marks=pytest.mark.ci)])
def test_whom_the_picture_shows_has_no_box_beside_it(
    server: Running, visit: Callable[..., Page], game: str
):
    page = visit(NARROW)
    sit_down(page, game, 3)
    go_on(server, page, after(20))
    seats = page.locator("[data-region=seats]")
    assert seats.evaluate("el => el.clientHeight") == 0
    assert seats.evaluate("el => el.innerText").count("Devil ") >= 3, "readers are told"
    assert page.locator("[data-player] .place-name").first.text_content() == "You"
