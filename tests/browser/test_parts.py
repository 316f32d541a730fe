"""The script's parts, each on a small page of its own: what is chosen, turned, laid and kept."""

import hashlib

import pytest

from tests.browser.stage import NOW, Stage, board, classes, frame, module, sent, square, told

pytestmark = [pytest.mark.browser]


# -- small things ------------------------------------------------------------------------------


def test_sha256_is_sha256(stage: Stage):
    page = stage("<main></main>")
    texts = [
        "",
        "abc",
        "nonce 0",
        "Jörg 😈",
        "é" * 100,
        *("x" * n for n in (55, 56, 63, 64, 119, 120, 1000)),
    ]
    found = [module(page, "sha256.js", f"m.sha256({text!r})") for text in texts]
    assert found == [hashlib.sha256(text.encode()).hexdigest() for text in texts]


def test_words_are_kept_by_name_and_a_browser_that_keeps_nothing_does_no_harm(stage: Stage):
    page = stage("<main></main>")
    keep = "(m.keep('a', '1'), m.keep('b', '2'), [m.kept('a'), m.kept('b'), m.kept('c')])"
    assert module(page, "kept.js", keep) == ["1", "2", ""]
    assert page.evaluate("Object.keys(localStorage).sort()") == ["diablerie.a", "diablerie.b"]
    page.evaluate("""() => {
        window.plain = Object.getOwnPropertyDescriptor(window, "localStorage");
        const forbidden = { configurable: true, get() { throw new Error("forbidden"); } };
        Object.defineProperty(window, "localStorage", forbidden);
    }""")
    assert module(page, "kept.js", "(m.keep('a', '1'), m.kept('a'))") == ""
    page.evaluate("Object.defineProperty(window, 'localStorage', window.plain)")


def test_lists_are_folded_until_somebody_opens_one(stage: Stage):
    fold = '<details data-fold id="{}" open><summary>s</summary>x</details>'
    page = stage(board("", fold.format("one")), at="/t/x")
    is_open = "el => el.open"
    assert not page.locator("#one").evaluate(is_open)
    page.click("#one summary")
    assert page.locator("#one").evaluate(is_open)
    told(page, frame(page, ask=NOW + fold.format("two")), "5.a")
    assert page.locator("#two").evaluate(is_open)
    page.click("#two summary")
    told(page, frame(page, ask=NOW + fold.format("two")), "6.a")
    assert not page.locator("#two").evaluate(is_open)  # the reader's choice stays
    told(page, frame(page, ask=NOW + fold.format("three")), "7.a")
    assert not page.locator("#three").evaluate(is_open)


MORPH = """(m) => {
    const live = document.querySelector("main"), kept = Object.fromEntries(
        [...live.querySelectorAll("[id]")].map((el) => [el.id, el]));
    const plain = live.querySelector("p:not([id])");
    const fresh = document.createElement("main");
    fresh.innerHTML = %s;
    m.morph(live, fresh);
    return { html: live.innerHTML, plain: live.contains(plain), same: Object.keys(kept).filter(
        (id) => live.querySelector("#" + id) === kept[id]) };
}"""


@pytest.mark.parametrize(
    ("after", "same", "plain"),
    [
        ('<b id="c">3</b><b id="a">1</b>', ["a", "c"], False),
        ('<p>new <b id="b">2</b></p>', ["b"], True),
        ('<i id="a">1</i><b id="c" class="x">3</b>', ["c"], False),
        ('<b id="a" title="t">one</b><b id="b"></b>text', ["a", "b"], False),
        ('<b id="a">1<u id="c">in</u></b><p class="y">p</p><p>q</p>', ["a"], True),
        ("", [], False),
    ],
)
def test_what_has_the_same_id_stays_the_same_and_all_is_as_it_should_be(
    stage: Stage, after: str, same: list[str], plain: bool
):
    page = stage('<main><b id="a" class="z">1</b><b id="b">2</b><p>old</p><b id="c">3</b></main>')
    found = module(page, "morph.js", f"({MORPH % repr(after)})(m)")
    assert found == {"html": after, "same": same, "plain": plain}


def test_an_open_list_stays_open(stage: Stage):
    page = stage("<main><details open id='d'><summary>s</summary></details></main>")
    after = "<details id='d'><summary>t</summary></details>"
    html = module(page, "morph.js", f"({MORPH % repr(after)})(m)")["html"]
    assert html == '<details open="" id="d"><summary>t</summary></details>'


# -- keys --------------------------------------------------------------------------------------


def grid() -> str:
    places = {"n": (100, 0), "w": (0, 100), "m": (100, 100), "e": (200, 100), "s": (100, 200)}
    return "".join(square(x, y, data_action=f"go {k}", id=k) for k, (x, y) in places.items())


def listed(*names: str) -> str:
    return "".join(f'<button name="do" value="go {k}">To {k}</button>' for k in names)


def test_the_board_is_one_stop_of_the_tab_key_and_arrows_go_to_the_next_spot(stage: Stage):
    page = stage(board(grid(), listed("n", "w", "m", "e", "s")), at="/t/x")
    stops = page.evaluate("[...document.querySelectorAll('svg [tabindex=\"0\"]')].map(e => e.id)")
    assert stops == ["n"]
    assert page.get_attribute("#m", "aria-label") == "To m"
    assert page.get_attribute("#m", "role") == "button"
    assert page.get_attribute("svg", "role") == "group"
    page.focus("#n")
    for key, there in (
        ("ArrowDown", "m"), ("ArrowLeft", "w"), ("ArrowRight", "m"), ("ArrowRight", "e"),
        ("ArrowRight", "e"), ("ArrowLeft", "m"), ("ArrowDown", "s"), ("ArrowUp", "m"),
    ):  # fmt: skip
        page.keyboard.press(key)
        assert page.evaluate("document.activeElement.id") == there
        assert page.get_attribute(f"#{there}", "tabindex") == "0"
    assert page.locator('svg [tabindex="0"]').count() == 1
    page.keyboard.press("Control+ArrowUp")
    assert page.evaluate("document.activeElement.id") == "m"
    page.keyboard.press("Enter")
    assert sent(page) == ["go m"]
    page.keyboard.press("x")
    assert len(sent(page)) == 1


def test_arrows_count_from_the_middle_of_spots_however_wide_they_are(stage: Stage):
    wide = '<rect id="w" data-action="go w" x="0" y="0" width="120" height="40"/>'
    drawing = wide + square(40, 100, id="n", data_action="go n") + square(
        140, 100, id="e", data_action="go e"
    )  # fmt: skip
    page = stage(board(drawing, listed("w", "n", "e")), at="/t/x")
    page.focus("#w")
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.id") == "n"


def test_what_may_not_be_chosen_any_more_is_no_stop_and_the_focus_comes_back(stage: Stage):
    page = stage(board(grid(), listed("n", "m", "e")), at="/t/x")
    assert page.get_attribute("#s", "tabindex") is None
    page.focus("#m")
    svg = '<svg viewBox="0 0 300 300" width="300" height="300">{}</svg>'
    told(page, frame(page, ask=NOW + listed("s", "e"), board=svg.format(grid())), "5.a")
    for name in ("tabindex", "role", "aria-label"):
        assert page.get_attribute("#n", name) is None
    assert page.get_attribute("#s", "aria-label") == "To s"
    page.focus("#s")
    gone = grid().replace('id="s"', 'id="z"')
    told(page, frame(page, ask=NOW + listed("s", "e"), board=svg.format(gone)), "6.a")
    assert page.evaluate("document.activeElement.id") in {"z", "e"}


def test_a_walk_is_named_by_where_it_ends_and_knobs_by_their_title(stage: Stage):
    drawing = (
        square(0, 0, data_action="go a; go b", id="far")
        + '<g data-pick="q" id="knob"><title>Devil 2</title><rect width="9" height="9" y="60"/></g>'
    )
    page = stage(board(drawing, '<button name="do" value="go a">Walk</button>'), at="/t/x")
    assert page.get_attribute("#far", "aria-label") == "Walk … b"
    assert page.get_attribute("#knob", "aria-label") == "Devil 2"
    page.focus("#knob")
    page.keyboard.press(" ")
    assert "picked" in classes(page, "#knob")


# -- fields ------------------------------------------------------------------------------------


def test_copying_says_so_for_a_moment(stage: Stage):
    page = stage(
        '<main><input id="link" readonly value="http://x"><button data-copy="link">c</main>'
    )
    page.evaluate("document.execCommand = (what) => { window.did = what + getSelection(); }")
    page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    page.click("button")
    page.wait_for_function("document.querySelector('button').matches('.copied')")
    assert page.evaluate("window.did") == "copyhttp://x"
    page.clock.run_for(1600)
    assert "copied" not in classes(page, "button")


def test_who_knows_the_game_puts_its_card_away(stage: Stage):
    page = stage(
        """<main><div id="first"><form data-known action="/known"><input name="game" value="coals">
        <button>ok</button></form></div><p id="asked" tabindex="-1">?</p></main>"""
    )
    page.click("button")
    assert page.locator("#first").count() == 0
    assert page.evaluate("document.activeElement.id") == "asked"
    (one,) = page.evaluate("asked")
    assert one["method"] == "POST"
    assert one["url"].endswith("/known")
    assert one["body"] == "game=coals"
