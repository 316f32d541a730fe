"""What moves, what is told in beats, advice on the board, replays, and shares in the dice."""

import hashlib
import json
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.browser.stage import frame, house, module, stage, table, told
from tests.browser.test_parts import NOW, board, classes, square

pytestmark = [pytest.mark.browser]
__all__ = ["house", "stage", "table"]  # fixtures

Stage = Callable[..., Page]
NOTED = """window.moves = []; Element.prototype.animate = function (frames, options) {
    moves.push({ id: this.id, frames, options });
    return { finished: Promise.resolve(), finish() {} };
};"""


def picture(inside: str) -> str:
    return f'<svg viewBox="0 0 300 300" width="300" height="300">{inside}</svg>'


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
    assert one["options"]["duration"] == 420
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
    assert one["options"]["duration"] == pytest.approx(420 * 1.7)


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


def test_a_line_draws_itself_and_skipping_ends_all(stage: Stage):
    page = stage(board("<g/>", more="<button data-skip>skip</button>"), at="/t/x", moving=True)
    line = '<path id="line" d="M0 0H100" data-enter="draw"/>'
    told(page, frame(page, board=picture(line)), "5.a")
    running = "document.getAnimations().filter((one) => one.playState === 'running').length"
    page.wait_for_function(f"{running} === 1")
    shown = page.evaluate("document.getAnimations()[0].effect.getKeyframes()")
    assert [step["strokeDashoffset"] for step in shown] == ["100", "0"]
    page.click("[data-skip]")
    assert page.evaluate(running) == 0
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
    module(page, "hints.js", f"m.hint({told}, null)")


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


# -- replays -----------------------------------------------------------------------------------


REPLAY = """<main data-replay="/t/x/replay" data-eyes="all">
    <input type="range" id="replay-slider" min="1" max="9" value="3"><button data-play>play</button>
    <a href="#" data-step-to="7" id="link">7</a>
    <form action="/eyes"><select id="eyes"><option value="0"><option value="1"></select></form>
    <input type="hidden" data-step value="3"><svg data-curve data-left="100" data-right="500"
    viewBox="0 0 600 100" width="600" height="100"><rect width="600" height="100"/></svg></main>"""


def steps(page: Page) -> list[int]:
    urls: list[str] = page.evaluate("asked.map((one) => one.url)")
    assert all(url.startswith("/t/x/replay?step=") and url.endswith("&eyes=all") for url in urls)
    return [int(url.partition("step=")[2].partition("&")[0]) for url in urls]


def answers(page: Page) -> None:
    """Every step that is asked for is answered."""
    page.evaluate("""() => { const plain = window.fetch; window.fetch = (url, options) => {
        const ply = Number(new URL(url, location.href).searchParams.get("step"));
        replies.push({ ply, title: "", url: `/t/x/replay?step=${ply}`, regions: {} });
        return plain(url, options); } }""")


def test_a_replay_goes_by_keys_and_not_past_its_ends(stage: Stage):
    page = stage(REPLAY, at="/t/x/replay")
    answers(page)
    for key, there in (
        ("ArrowRight", 4), ("ArrowRight", 5), ("ArrowLeft", 4), ("Home", 1), ("ArrowLeft", 1),
        ("End", 9), ("ArrowRight", 9),
    ):  # fmt: skip
        page.keyboard.press(key)
        page.wait_for_function(f"location.search === '?step={there}'")
    assert steps(page) == [4, 5, 4, 1, 1, 9, 9]
    assert page.input_value("#replay-slider") == "9"
    assert page.get_attribute("[data-step]", "value") == "9"
    page.keyboard.press("Control+Home")
    page.focus("#replay-slider")
    assert len(steps(page)) == 7


def test_a_replay_goes_by_links_the_slider_and_the_curve(stage: Stage):
    page = stage(REPLAY, at="/t/x/replay")
    answers(page)
    page.click("#link")
    page.wait_for_function("location.search === '?step=7'")
    page.evaluate("(s) => { s.value = 2; s.dispatchEvent(new Event('input', { bubbles: true })) }",
                  page.query_selector("#replay-slider"))  # fmt: skip
    page.wait_for_function("location.search === '?step=2'")
    for x, there in ((100, 1), (500, 9), (300, 5), (2, 1), (590, 9), (352, 6)):
        page.click("[data-curve]", position={"x": x, "y": 50})
        page.wait_for_function(f"location.search === '?step={there}'")
    assert steps(page) == [7, 2, 1, 9, 5, 1, 9, 6]


def test_a_replay_plays_by_itself_until_its_end_or_until_it_is_stopped(stage: Stage):
    page = stage(REPLAY.replace('value="3"', 'value="6"', 1), at="/t/x/replay")
    answers(page)
    pressed = "document.querySelector('[data-play]').getAttribute('aria-pressed')"
    page.click("[data-play]")
    assert page.evaluate(pressed) == "true"
    page.clock.run_for(1000)
    assert steps(page) == []
    for there, pause in ((7, 150), (8, 1100)):
        page.clock.run_for(pause)
        page.wait_for_function(f"location.search === '?step={there}'")
    page.click("[data-play]")
    assert page.evaluate(pressed) == "false"
    page.clock.run_for(5000)
    assert steps(page) == [7, 8]
    page.click("[data-play]")
    page.clock.run_for(1150)
    page.wait_for_function(f"{pressed} === 'false'")
    assert steps(page) == [7, 8, 9]
    page.click("[data-play]")  # from the end it begins again
    page.wait_for_function("location.search === '?step=1'")


def test_other_eyes_are_another_page(stage: Stage):
    page = stage(REPLAY, at="/t/x/replay")
    with page.expect_navigation(url="**/eyes*"):
        page.select_option("#eyes", "1")


# -- shares in the dice ------------------------------------------------------------------------


def lobby(phase: str, **data: str) -> str:
    words = " ".join(f'data-{name}="{value}"' for name, value in data.items())
    return board("", f'<p data-phase="{phase}" data-grace="10" {words}></p>'
                 '<p id="shares-broken" hidden></p>')  # fmt: skip


def posted(page: Page, what: str) -> list[dict[str, str]]:
    found: list[dict[str, str]] = page.evaluate(
        "(what) => asked.filter((one) => one.url === '/t/x/' + what)"
        ".map((one) => Object.fromEntries(new URLSearchParams(one.body)))",
        what,
    )
    return found


def test_a_hash_is_promised_before_the_nonce_is_shown_and_is_that_nonces(stage: Stage):
    page = stage(lobby("pledges", seats="0,2"), at="/t/x")
    (hashes,) = posted(page, "share")
    assert set(hashes) == {"hash-0", "hash-2"}
    ask = f'{NOW}<p data-phase="nonces" data-grace="10" data-seats="0,2" data-hashes="h"></p>'
    told(page, frame(page, ask=ask), "5.a")
    _, nonces = posted(page, "share")
    assert set(nonces) == {"nonce-0", "nonce-2"}
    for seat in (0, 2):
        nonce = nonces[f"nonce-{seat}"]
        assert len(nonce) == 32
        assert hashlib.sha256(nonce.encode()).hexdigest() == hashes[f"hash-{seat}"]
    assert nonces["nonce-0"] != nonces["nonce-2"]


@pytest.mark.parametrize(("fixed", "broken"), [("h", False), ("other", True)])
def test_a_match_with_other_hashes_than_were_shown_is_told(stage: Stage, fixed: str, broken: bool):
    page = stage(lobby("nonces", seats="0", hashes="h"), at="/t/x")
    ask = f'{NOW}<p id="shares-broken" hidden></p><p data-fixed="{fixed}"></p>'
    told(page, frame(page, ask=ask), "5.a")
    assert page.evaluate("document.getElementById('shares-broken').hidden") is not broken


def test_who_waits_in_vain_asks_to_begin_without_the_others(stage: Stage):
    page = stage(lobby("pledges"), at="/t/x")
    page.evaluate("replies.push({ status: 409 }, 'offline', { status: 403 })")
    page.clock.run_for(10_400)
    assert posted(page, "begin") == []
    page.clock.run_for(200)
    for count in (1, 2, 3, 3):
        page.wait_for_function(f"asked.length === {count}")
        page.clock.run_for(1050)
    assert len(posted(page, "begin")) == 3


def test_a_hash_that_did_not_get_through_is_sent_again(stage: Stage):
    page = stage(lobby("pledges", seats="1"), at="/t/x")
    page.evaluate("replies.push('offline')")
    told(
        page,
        frame(page, 5, ask=f'{NOW}<p data-phase="pledges" data-grace="9" data-seats="1">'),
        "5",
    )
    page.wait_for_function("asked.length === 2")
    page.clock.run_for(1050)
    page.wait_for_function("asked.length === 3")
    hashes = [one["hash-1"] for one in posted(page, "share")]
    assert len(set(hashes)) == 1


def test_forms_that_take_a_seat_say_that_a_hash_will_come(stage: Stage):
    page = stage('<main><form data-shares id="with"></form><form id="without"></form></main>')
    pledges = (
        "['with', 'without'].map((id) => new FormData(document.getElementById(id)).get('pledge'))"
    )
    assert page.evaluate(pledges) == ["?", None]


def test_in_a_lesson_a_spot_answers_as_the_button_does(stage: Stage):
    spots = square(0, 0, data_action="bet 10", id="s")
    page = stage(f'<main data-lesson><section data-region="board">{picture(spots)}</section>'
                 '<form id="lesson-form" action="/answer"></form></main>')  # fmt: skip
    with page.expect_navigation(url="**/answer?do=bet+10"):
        page.click("#s")


def test_a_lesson_begins_with_what_it_is_about_chosen(stage: Stage):
    spots = square(0, 0, data_pick="p", id="pick") + square(50, 0, data_pick="q", id="other")
    spots += f'<g data-for="p">{square(0, 60, data_wanted="", id="goal")}</g>'
    page = stage(
        f'<main data-lesson><section data-region="board">{picture(spots)}</section></main>'
    )
    assert "picked" in classes(page, "#pick")
    assert "picked" not in classes(page, "#other")
