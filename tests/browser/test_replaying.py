"""The script alone: replays, shares in the dice, lessons."""

import hashlib

import pytest
from playwright.sync_api import Page

from tests.browser.stage import NOW, Stage, board, classes, frame, picture, square, told

pytestmark = [pytest.mark.browser]


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


def test_following_an_analysis_does_not_take_back_the_step_that_was_asked_for(stage: Stage):
    page = stage(REPLAY.replace("<form", "<p data-analysing></p><form", 1), at="/t/x/replay")
    page.evaluate("replies.push('later')")
    page.click("#link")
    page.clock.run_for(500)  # the analysis is looked at meanwhile
    answers(page)
    page.evaluate("answer({ ply: 7, title: '', url: '/t/x/replay?step=7', regions: {} })")
    page.wait_for_function("location.search === '?step=7'")
    assert page.input_value("#replay-slider") == "7"
    page.clock.run_for(500)
    page.wait_for_function("asked.length > 1")
    assert set(steps(page)) == {7}


def test_an_analysis_is_followed_through_a_lost_connection(stage: Stage):
    page = stage(REPLAY.replace("<form", "<p data-analysing></p><form", 1), at="/t/x/replay")
    found = "{ ply: 3, title: '', url: '/t/x/replay?step=3', regions: {} }"
    page.evaluate(f"replies.push('offline', 'offline', {found})")
    for count in (1, 2, 3):
        page.clock.run_for(500)
        page.wait_for_function(f"asked.length === {count}")
    assert set(steps(page)) == {3}


def test_a_part_of_the_game_and_another_seat_are_asked_for(stage: Stage):
    parts = """<section class="board" style="height: 2000px"></section>
      <select data-chapter id="part"><option value="1">A<option value="5" selected>B</select>
      <a href="#" data-step-to="3" data-who="1" id="bo">Bo</a>
      <a href="#" data-step-to="8" data-look id="mistake">8</a>"""
    page = stage(REPLAY.replace("<form", parts + "<form", 1), at="/t/x/replay")
    answers(page)
    page.select_option("#part", "1")
    page.wait_for_function("location.search === '?step=1'")
    page.wait_for_function("document.getElementById('part').value === '5'")  # what frames say
    page.click("#bo")
    page.wait_for_function("location.search === '?step=3'")
    page.click("#mistake")
    page.wait_for_function("location.search === '?step=8'")
    assert page.evaluate("scrollY < 100"), "the board is looked at, not the list"
    asked: list[str] = page.evaluate("asked.map((one) => one.url.split('?')[1])")
    assert asked == ["step=1&eyes=all", "step=3&eyes=all&who=1", "step=8&eyes=all&who=1"]


def test_other_eyes_are_another_page(stage: Stage):
    page = stage(REPLAY, at="/t/x/replay")
    with page.expect_navigation(url="**/eyes*"):
        page.select_option("#eyes", "1")


# -- shares in the dice ------------------------------------------------------------------------


COMMITMENT = "c"
BROKEN = (
    '<p id="shares-broken" data-other="Other." data-twice="Twice." data-back="Back."'
    ' data-missing="Missing." hidden></p>'
)


def asks(phase: str, **data: str) -> str:
    """What a table that waits for shares asks of the browser."""
    data = {"grace": "10", "commitment": COMMITMENT, **data}
    words = " ".join(f'data-{name}="{value}"' for name, value in data.items())
    return f'<p data-phase="{phase}" {words}></p>'


def lobby(phase: str, **data: str) -> str:
    return board("", asks(phase, **data) + BROKEN)


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
    fixed = f"{hashes['hash-0']},,{hashes['hash-2']}"
    told(page, frame(page, ask=NOW + asks("nonces", seats="0,2", hashes=fixed)), "5.a")
    _, nonces = posted(page, "share")
    assert set(nonces) == {"nonce-0", "nonce-2"}
    for seat in (0, 2):
        nonce = nonces[f"nonce-{seat}"]
        assert len(nonce) == 32
        assert hashlib.sha256(nonce.encode()).hexdigest() == hashes[f"hash-{seat}"]
    assert nonces["nonce-0"] != nonces["nonce-2"]


@pytest.mark.parametrize("broken", [False, True])
def test_a_match_with_other_hashes_than_were_shown_is_told(stage: Stage, broken: bool):
    page = stage(lobby("pledges", seats="0"), at="/t/x")
    (hashes,) = posted(page, "share")
    fixed = hashes["hash-0"]
    told(page, frame(page, ask=NOW + asks("nonces", seats="0", hashes=fixed) + BROKEN), "5.a")
    assert len(posted(page, "share")) == 2
    played = "other" if broken else fixed
    told(page, frame(page, ask=f'{NOW}<p data-fixed="{played}"></p>{BROKEN}'), "5.b")
    assert page.evaluate("document.getElementById('shares-broken').hidden") is not broken


def test_who_waits_in_vain_asks_to_begin_without_the_others(stage: Stage):
    page = stage(lobby("pledges", seats=""), at="/t/x")
    page.evaluate("replies.push({ status: 409 }, 'offline', { status: 403 })")
    page.clock.run_for(10_400)
    assert posted(page, "begin") == []
    page.clock.run_for(200)
    for count in (1, 2, 3, 3):
        page.wait_for_function(f"asked.length === {count}")
        page.clock.run_for(1050)
    assert len(posted(page, "begin")) == 3


def test_nobody_begins_while_the_own_hash_is_not_acknowledged(stage: Stage):
    page = stage(lobby("pledges", seats="1"), at="/t/x")
    page.evaluate("replies.push('offline', 'offline', 'offline')")
    page.clock.run_for(20_000)
    assert posted(page, "begin") == []
    told(page, frame(page, 5, ask=NOW + asks("pledges", seats="") + BROKEN), "5")
    page.clock.run_for(1000)
    page.wait_for_function("asked.some((one) => one.url === '/t/x/begin')")


def test_a_match_without_the_own_part_is_told(stage: Stage):
    page = stage(lobby("pledges", seats="1"), at="/t/x")
    told(page, frame(page, 5, ask=f'{NOW}<p data-fixed="a,b"></p>{BROKEN}'), "5.a")
    assert page.evaluate("document.getElementById('shares-broken').hidden")
    told(page, frame(page, 5, ask=f'{NOW}<p data-fixed="a," data-without></p>{BROKEN}'), "5.b")
    assert page.inner_text("#shares-broken") == "Missing."


def test_a_hash_that_did_not_get_through_is_sent_again(stage: Stage):
    page = stage(lobby("pledges", seats=""), at="/t/x")
    page.evaluate("replies.push('offline')")
    told(page, frame(page, 5, ask=NOW + asks("pledges", seats="1") + BROKEN), "5")
    page.wait_for_function("asked.length === 1")
    page.clock.run_for(1050)
    page.wait_for_function("asked.length === 2")
    first, second = posted(page, "share")
    assert first == second


def test_a_hash_that_got_through_is_sent_again_only_if_it_is_asked_for_anew(stage: Stage):
    """A second one would be refused: the table has it, though the page may not show that yet."""
    page = stage(lobby("pledges", seats="1"), at="/t/x")
    wanted = NOW + asks("pledges", seats="1") + BROKEN
    told(page, frame(page, 5, ask=wanted), "5.a")
    page.clock.run_for(1050)
    assert len(posted(page, "share")) == 1
    told(page, frame(page, 5, ask=NOW + asks("pledges", seats="") + BROKEN), "5.b")
    told(page, frame(page, 5, ask=wanted), "5.c")
    assert len(posted(page, "share")) == 2


def test_forms_that_take_a_seat_say_that_a_hash_will_come(stage: Stage):
    page = stage('<main><form data-shares id="with"></form><form id="without"></form></main>')
    shares = (
        "['with', 'without'].map((id) => new FormData(document.getElementById(id)).get('share'))"
    )
    assert page.evaluate(shares) == ["1", None]


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
