"""The script alone: what moves, what is told in beats, advice on the board."""

import json
import math
from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.browser.stage import Stage, board, frame, module, picture, square, told

pytestmark = [pytest.mark.browser]

NOTED = """window.moves = []; Element.prototype.animate = function (frames, options) {
    moves.push({ id: this.id, frames, options });
    return { finished: Promise.resolve(), finish() {} };
};"""


def moves(page: Page) -> list[Any]:
    found: list[Any] = page.evaluate("moves.filter((one) => one.id)")
    return found


# -- motion ------------------------------------------------------------------------------------


def test_a_piece_glides_from_where_it_was_and_what_stood_stays(stage: Stage):
    pieces = square(0, 0, id="a", data_move="") + square(100, 0, id="b", data_move="")
    page = stage(board(pieces), at="/t/x", moving=True)
    page.evaluate(NOTED)
    after = square(60, 80, id="a", data_move="") + square(100, 0, id="b", data_move="")
    told(page, frame(page, board=picture(after)), "5.a")
    page.wait_for_function("moves.some((one) => one.id)")
    (one,) = moves(page)
    assert one["id"] == "a"
    assert one["frames"] == [{"translate": "-60px -80px"}, {"translate": "0px 0px"}]
    assert one["options"]["duration"] == 360
    assert one["options"]["delay"] == 0
    assert one["options"]["fill"] == "backwards"


def test_what_is_carried_moves_with_its_carrier_and_no_further(stage: Stage):
    def carried(x: int, y: int) -> str:
        return f'<g id="cart" data-move transform="translate({x} {y})">{{}}</g>'

    inside = square(0, 0, id="load", data_move="")
    page = stage(board(carried(0, 0).format(inside)), at="/t/x", moving=True)
    page.evaluate(NOTED)
    told(page, frame(page, board=picture(carried(30, 40).format(inside))), "5.a")
    page.wait_for_function("moves.some((one) => one.id)")
    assert [one["id"] for one in moves(page)] == ["cart"]


def test_a_walk_goes_by_way_of_its_points_and_takes_longer(stage: Stage):
    spot = square(
        200, 200, data_action="go", data_walk="a", data_way="20,20 120,20 120,120", id="s"
    )
    page = stage(board(square(0, 0, id="a", data_move="") + spot), at="/t/x", moving=True)
    page.evaluate(NOTED)
    page.click("#s")
    told(page, frame(page, board=picture(square(100, 100, id="a", data_move=""))), "5.a")
    page.wait_for_function("moves.some((one) => one.id === 'a')")
    one = next(one for one in moves(page) if one["id"] == "a")
    way = [step["translate"] for step in one["frames"]]
    assert way == ["-100px -100px", "0px -100px", "0px 0px"]
    assert one["options"]["duration"] == pytest.approx(360 * 1.7)


@pytest.mark.parametrize(
    ("how", "first"),
    [
        ("pop", {"scale": "0 0", "opacity": 0}),
        ("turn", {"scale": "0 1", "opacity": 1}),
        ("roll", {"rotate": "-400deg", "opacity": 0}),
        ("fly", {"translate": "0px -150px", "rotate": "0deg", "opacity": 0}),
        ("shock", {"scale": "1.9 1.9", "opacity": 0}),
    ],
)
def test_what_is_new_makes_its_entrance(stage: Stage, how: str, first: dict[str, Any]):
    page = stage(board(square(0, 0, id="old", data_enter="pop")), at="/t/x", moving=True)
    page.evaluate(NOTED)
    after = square(0, 0, id="old", data_enter="pop")
    after += square(130, 130, id="new", data_enter=how, data_delay="700")
    told(page, frame(page, board=picture(after)), "5.a")
    page.wait_for_function("moves.some((one) => one.id)")
    (one,) = moves(page)
    assert one["id"] == "new"
    assert one["options"]["delay"] == 700
    begins, ends = one["frames"][0], one["frames"][-1]
    assert {name: begins[name] for name in first} == first
    assert ends["opacity"] == 1
    assert len(one["frames"]) == 17
    last = [float(part) for part in ends["scale"].split()]
    assert last == pytest.approx([1, 1], abs=1e-6)
    assert float(ends["rotate"].removesuffix("deg")) == pytest.approx(0, abs=1e-6)
    ended = [float(part.removesuffix("px")) for part in ends["translate"].split()]
    assert ended == pytest.approx([0, 0], abs=1e-4)
    if how == "pop":  # it grows from its own middle
        assert begins["translate"] == "150px 150px"


def middle(step: dict[str, str], x: float, y: float) -> tuple[float, float]:
    """Where a keyframe shows the point (x, y): scaled, turned, then moved."""
    kx, ky = (float(part) for part in step["scale"].split())
    dx, dy = (float(part.removesuffix("px")) for part in step["translate"].split())
    angle = math.radians(float(step["rotate"].removesuffix("deg")))
    cos, sin = math.cos(angle), math.sin(angle)
    return cos * kx * x - sin * ky * y + dx, sin * kx * x + cos * ky * y + dy


@pytest.mark.parametrize("how", ["shock", "roll"])
def test_what_turns_as_it_enters_turns_about_its_own_middle(stage: Stage, how: str):
    page = stage(board("<g/>"), at="/t/x", moving=True)
    page.evaluate(NOTED)
    told(page, frame(page, board=picture(square(130, 230, id="new", data_enter=how))), "5.a")
    page.wait_for_function("moves.some((one) => one.id)")
    (one,) = moves(page)
    way = [middle(step, 150, 250) for step in one["frames"]]
    assert [y for _, y in way] == pytest.approx([250] * 17, abs=1e-3)
    xs = [x for x, _ in way]
    assert xs[0] == pytest.approx(60 if how == "roll" else 150, abs=1e-3)
    assert all(a <= b + 1e-3 for a, b in pairwise([*xs, 150]))


HELD = """() => { window.moves = []; Element.prototype.animate = () => {
    let finish;
    const finished = new Promise((done) => (finish = done));
    moves.push({ finished, finish });
    return moves.at(-1);
}; }"""


def test_a_picture_waits_until_the_one_before_has_come_to_rest_but_not_for_ever(stage: Stage):
    page = stage(board(square(0, 0, id="a", data_move="")), at="/t/x", moving=True)
    page.evaluate(HELD)
    at = "Number(document.getElementById('a').getAttribute('x'))"
    for x in (50, 100):
        told(page, frame(page, board=picture(square(x, 0, id="a", data_move=""))), f"5.{x}")
    page.wait_for_function("moves.length === 1")
    assert page.evaluate(at) == 50
    page.evaluate("moves[0].finish()")
    page.wait_for_function(f"{at} === 100 && moves.length === 2")
    page.clock.run_for(4900)
    assert page.locator("body.moving").count() == 1
    page.clock.run_for(200)
    page.wait_for_function("!document.body.classList.contains('moving')")


def test_a_line_draws_itself_and_skipping_ends_all(stage: Stage):
    page = stage(board("<g/>", more="<button data-skip>skip</button>"), at="/t/x", moving=True)
    page.evaluate("document.documentElement.style.setProperty('--scene', '9e6')")  # hours
    line = '<path id="line" d="M0 0H100" data-enter="draw"/>'
    told(page, frame(page, board=picture(line)), "5.a")
    running = "document.getAnimations().filter((one) => one.playState === 'running').length"
    page.wait_for_function(f"{running} === 1")
    shown = page.evaluate("document.getAnimations()[0].effect.getKeyframes()")
    assert [step["strokeDashoffset"] for step in shown] == ["100", "0"]
    assert page.locator("body.moving").count() == 1
    page.click("[data-skip]")
    page.wait_for_function(f"{running} === 0")
    page.wait_for_function("!document.body.classList.contains('moving')")


BEATS = """<g data-pacer="3000" data-word="Press" id="stove"><rect width="50" height="50"/></g>
    <rect id="one" data-enter="pop" data-beat="1" data-clicks="2" width="9" height="9" y="60"/>
    <rect id="two" data-enter="pop" data-beat="2" data-delay="400" width="9" height="9" y="80"/>"""


def test_beats_come_one_after_the_other_when_they_are_pressed_for_or_after_a_while(stage: Stage):
    page = stage(board("<g/>", more='<p id="announcer"></p>'), at="/t/x", moving=True)
    lines = '<ol class="log"><li id="l1">It jumps!</li></ol>'
    page.evaluate("document.querySelector('main').insertAdjacentHTML('beforeend',"
                  " '<div data-region=log></div>')")  # fmt: skip
    told(page, frame(page, board=picture(BEATS), log=lines), "5.a")
    page.wait_for_function("document.body.classList.contains('pacing')")
    paused = "document.getAnimations().filter((one) => one.playState === 'paused').length"
    assert page.inner_text("button.press") == "Press"
    assert page.evaluate("document.activeElement.className.includes('press')")
    assert page.evaluate(paused) == 2
    assert page.inner_text("#announcer") == ""
    page.click("#stove")
    page.clock.run_for(2900)
    assert page.evaluate(paused) == 2  # pressed once, of twice
    page.click("button.press")
    page.wait_for_function(f"{paused} === 1")
    assert page.get_attribute("button.press", "aria-disabled") == "true"
    page.clock.run_for(420)
    page.wait_for_function("!document.body.classList.contains('pacing')")
    assert page.locator("button.press").count() == 0
    page.wait_for_function("document.getElementById('announcer').textContent === 'It jumps!'")


# -- advice ------------------------------------------------------------------------------------


def hinted(page: Page, ply: int, *values: str) -> None:
    buttons = "".join(
        f'<button data-hint="{n}" value="{value}">{n}</button>' for n, value in enumerate(values, 1)
    )
    told = json.dumps({"ply": ply, "html": buttons})
    module(page, "hints.js", f"m.hint({told}, '', new FormData())")


def test_hints_are_marked_on_the_board_by_their_numbers(stage: Stage):
    spots = square(0, 0, data_action="a", id="a") + square(100, 100, data_action="b; c", id="b")
    page = stage(board(spots, "<div data-hints></div>"), at="/t/x")
    hinted(page, 4, "a", "b", "a", "nowhere")
    marks = page.evaluate("""[...document.querySelectorAll('.hint-mark')].map((el) =>
        [el.textContent, el.getAttribute('transform')])""")
    assert [text for text, _ in marks] == ["1 3", "2"]
    (first, second) = (
        [float(x) for x in at.replace("(", " ").replace(")", " ").split() if x[-1].isdigit()]
        for _, at in marks
    )
    assert first[:2] == pytest.approx([38, 13.2], abs=0.3)  # inside the picture, at its upper right
    assert second[:2] == pytest.approx([138, 102], abs=0.3)
    assert first[2] == pytest.approx(11, abs=0.01)
    assert page.locator("[data-hints] button").count() == 4
    hinted(page, 4, "b")
    assert page.locator(".hint-mark").all_text_contents() == ["1"]


def test_a_mark_stands_above_the_words_of_a_sign(stage: Stage):
    sign = '<g data-action="a">{}<text id="words" x="105" y="200">Fight</text></g>'
    spots = sign.format(square(100, 180)) + sign.replace('"a"', '"b"').format(square(10, 180))
    page = stage(board(spots.replace("Fight", "27", 1), "<div data-hints></div>"), at="/t/x")
    hinted(page, 4, "b")
    mark = page.locator(".hint-mark circle").bounding_box()
    words = page.locator("[data-action=b] text").bounding_box()
    assert mark
    assert words
    assert mark["y"] + mark["height"] <= words["y"] + 2
    assert abs(mark["x"] + mark["width"] / 2 - words["x"] - words["width"]) < 2


@pytest.mark.parametrize(("ply", "shown"), [(4, 1), (3, 0), (5, 0)])
def test_hints_for_another_position_are_not_shown(stage: Stage, ply: int, shown: int):
    page = stage(board(square(0, 0, data_action="a"), "<div data-hints></div>"), at="/t/x")
    hinted(page, ply, "a")
    assert page.locator("[data-hints] button").count() == shown
    assert page.locator(".hint-mark").count() == shown


def test_a_hint_that_needs_a_choice_first_marks_what_brings_it_up(stage: Stage):
    spots = (
        square(0, 0, data_pick="p", id="pick")
        + f'<g data-for="p" visibility="hidden">{square(100, 100, data_action="a")}</g>'
    )
    page = stage(board(spots, "<div data-hints></div>"), at="/t/x")
    hinted(page, 4, "a")
    (at,) = page.evaluate(
        "[...document.querySelectorAll('.hint-mark')].map((e) => e.getAttribute('transform'))"
    )
    assert at.startswith("translate(38 13")
