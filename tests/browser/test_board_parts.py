"""The script's parts on a board: what is chosen, turned, laid and lit."""

import pytest
from playwright.sync_api import Page

from tests.browser.stage import NOW, Stage, board, classes, frame, picture, sent, square, told

pytestmark = [pytest.mark.browser]


# -- the board ---------------------------------------------------------------------------------


def test_a_piece_is_chosen_and_let_go_and_the_choice_outlives_frames(stage: Stage):
    drawing = "".join(
        square(50 * k, 0, data_pick=f"p{k}", id=f"pick{k}") for k in (0, 1)
    ) + "".join(
        square(50 * k, 60, data_for=f"p{k}", id=f"for{k}", **{"class": "mark"}) for k in (0, 1)
    )
    page = stage(board(drawing), at="/t/x")
    assert "picked" not in classes(page, "#pick0")
    page.click("#pick0")
    page.click("#pick1")
    assert [("picked" in classes(page, f"#pick{k}")) for k in (0, 1)] == [False, True]
    assert [("on" in classes(page, f"#for{k}")) for k in (0, 1)] == [False, True]
    svg = f'<svg viewBox="0 0 300 300" width="300" height="300">{drawing}</svg>'
    told(page, frame(page, board=svg), "5.a")
    assert "on" in classes(page, "#for1")
    page.click("#pick1")
    assert "on" not in classes(page, "#for1")
    first = svg.replace('data-pick="p0"', 'data-pick="p0" data-default')
    told(page, frame(page, board=first), "6.a")
    assert "picked" in classes(page, "#pick0")
    page.click("#pick1")
    told(page, frame(page, board=first), "7.a")
    assert "picked" in classes(page, "#pick1")
    assert sent(page) == []


def test_a_heap_is_spread_out_by_a_tap_or_by_keys_and_folds_when_something_is_chosen(stage: Stage):
    pieces = "".join(square(50 * k, 60, data_pick=f"p{k}", id=f"pick{k}") for k in (0, 1))
    heap = f'<g data-fan="a1" id="heap"><title>All 2</title>{square(0, 0, data_pick="p0")}</g>'
    page = stage(board(f'{heap}<g data-fan-of="a1" id="fan">{pieces}</g>'), at="/t/x")
    page.add_style_tag(content="[data-fan-of]:not(.open) { display: none }")
    page.click("#heap")
    assert "open" in classes(page, "#fan")
    assert page.get_attribute("#heap", "aria-expanded") == "true"
    assert "picked" not in classes(page, "#pick0"), "what is in the heap is not chosen by that"
    page.click("#pick0")
    assert "open" not in classes(page, "#fan")
    assert page.locator("#heap .picked").count() == 1, "the heap shows what was chosen"
    page.locator("#heap").focus()
    page.keyboard.press("Enter")
    page.clock.run_for(1)
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.id") == "pick0"
    page.keyboard.press("Escape")
    assert "open" not in classes(page, "#fan")
    assert page.evaluate("document.activeElement.id") == "heap"
    assert sent(page) == []


ASKED = '<p id="prompt">Choose one. <a class="clause" href="/rules">T1</a></p><form id="decide">{}</form>'


def test_a_tap_beside_all_that_can_be_chosen_says_what_is_asked(stage: Stage):
    drawing = square(0, 0, data_action="pull", id="spot") + square(
        50, 0, data_light="x", id="light"
    )
    page = stage(board(drawing, ASKED.format("")), at="/t/x")
    page.click("[data-region=board] svg", position={"x": 200, "y": 200})
    assert page.locator("#refused-here").inner_text() == "Choose one. T1"
    page.click("#light")
    assert page.locator("#refused-here").count() == 0
    assert sent(page) == []
    page.click("#spot")
    assert sent(page) == ["pull"]


def test_where_nothing_is_asked_a_tap_on_the_board_says_nothing(stage: Stage):
    page = stage(board(square(0, 0), '<p id="prompt">Soot is to move.</p>'), at="/t/x")
    page.click("[data-region=board] svg", position={"x": 200, "y": 200})
    assert page.locator("#refused-here").count() == 0


def test_while_others_decide_a_tap_on_the_board_says_so_for_a_moment(stage: Stage):
    waits = '<p id="prompt">Soot is to move.</p><p id="waiting">Waiting for Soot.</p>'
    page = stage(board(square(0, 0, data_action="pull"), waits), at="/t/x")
    page.click("[data-region=board] svg", position={"x": 200, "y": 200})
    assert page.locator("#refused-here").inner_text() == "Waiting for Soot."
    page.clock.run_for(3100)
    assert page.locator("#refused-here").count() == 0


@pytest.mark.parametrize("waiting", ["ask", "board"])
def test_who_waits_finds_the_focus_at_the_number_that_is_asked_for(stage: Stage, waiting: str):
    page = stage(board(square(0, 0)), at="/t/x")
    page.keyboard.press("Tab")  # focus is seen, as it is by keys
    page.locator(f"[data-region={waiting}]").focus()
    number = '<div data-amount="bet {}"><input type="range" data-slider id="slider"></div>'
    asked = NOW + ASKED.format(number)
    told(page, frame(page, board=picture(square(0, 0)), ask=asked), "5.a")
    assert page.evaluate("document.activeElement.id") == "slider"


def test_what_turns_goes_round_both_ways_and_the_spot_does_what_is_shown(stage: Stage):
    choices = "".join(
        f'<g data-choice data-preview="turn {k}" id="c{k}" class="{"picked" if k == 0 else ""}"/>'
        for k in range(3)
    )
    drawing = f"""<g data-cycle>{choices}</g>{square(0, 0, data_cycle_step="1", id="on")}
        {square(50, 0, data_cycle_step="-1", id="back")}
        {square(100, 0, data_cycle_do="", data_action="turn 0", id="do")}"""
    buttons = "".join(f'<button name="do" value="turn {k}">{k}</button>' for k in range(3))
    page = stage(board(drawing, buttons), at="/t/x")

    def picked() -> list[str]:
        found: list[str] = page.evaluate("[...document.querySelectorAll('.picked')].map(e => e.id)")
        return found

    page.click("#on")
    assert picked() == ["c1"]
    page.click("#back")
    page.click("#back")
    assert picked() == ["c2"]
    assert "lit" in classes(page, "[value='turn 2']")
    page.keyboard.press("r")
    assert picked() == ["c0"]
    page.keyboard.press("Shift+R")
    assert picked() == ["c2"]
    page.keyboard.press("Alt+r")
    assert picked() == ["c2"]
    page.click("#do")
    assert sent(page) == ["turn 2"]


def assigning(page: Page) -> dict[str, str]:
    """Where each card is drawn."""
    found: dict[str, str] = page.evaluate(
        """Object.fromEntries([...document.querySelectorAll('[data-card]')].map((el) =>
            [el.dataset.card, el.getAttribute('transform')]))"""
    )
    return found


def cards() -> str:
    laid = "".join(
        f'<g data-card="{c}" data-home="{50 * k} 0" id="card-{c}"'
        f' transform="translate({50 * k} 0)"><rect width="40" height="40"/></g>'
        for k, c in enumerate("ABC")
    )
    slots = "".join(
        square(50 * k, 100, data_slot=f"s{k}", data_at=f"{50 * k} 100", id=f"slot{k}")
        for k in range(2)
    )
    send = square(0, 200, data_assign_send="", id="send")
    return f'<g data-assign="menu {{}} {{}}">{slots}{laid}{send}</g>'


def test_cards_are_laid_by_clicking_and_exchanged_and_sent_when_every_place_has_one(stage: Stage):
    page = stage(board(cards()), at="/t/x")
    page.click("#send")
    page.click("#card-A")
    assert "chosen" in classes(page, "#card-A")
    page.click("#slot1")
    assert assigning(page)["A"] == "translate(50 100)"
    assert "chosen" not in classes(page, "#card-A")
    assert "can" not in classes(page, "#send")
    page.click("#send")
    assert sent(page) == []
    page.click("#card-C")
    page.click("#slot0")
    assert "can" in classes(page, "#send")
    page.click("#card-C")  # the one that lies there goes to where this one came from
    page.click("#card-A")
    page.mouse.click(70 + 8, 120 + 8)
    page.click("#send")
    assert len(sent(page)) == 1
    assert sorted(sent(page)[0].split()) == ["A", "C", "menu"]


def test_cards_are_dragged_and_taken_away_again(stage: Stage):
    page = stage(board(cards()), at="/t/x")
    box = page.locator("#card-B").bounding_box()
    place = page.locator("#slot0").bounding_box()
    assert box
    assert place

    def drag(a: tuple[float, float], b: tuple[float, float]) -> None:
        page.mouse.move(*a)
        page.mouse.down()
        page.mouse.move((a[0] + b[0]) / 2, (a[1] + b[1]) / 2)
        page.mouse.move(*b)
        page.mouse.up()

    home, there = (box["x"] + 20, box["y"] + 20), (place["x"] + 20, place["y"] + 20)
    drag(home, there)
    assert assigning(page)["B"] == "translate(0 100)"
    drag(there, (there[0] + 150, there[1] + 90))
    assert assigning(page)["B"] == "translate(50 0)"
    drag(home, (home[0] + 3, home[1] + 3))  # hardly moved: it is taken into the hand
    assert "chosen" in classes(page, "#card-B")
    page.click("#card-B")
    assert "chosen" not in classes(page, "#card-B")


def test_cards_are_laid_by_keys(stage: Stage):
    page = stage(board(cards()), at="/t/x")
    for name, key in (("card-A", "Enter"), ("slot1", " "), ("card-C", " "), ("slot0", "Enter")):
        page.focus(f"#{name}")
        page.keyboard.press(key)
    assert assigning(page)["A"] == "translate(50 100)"
    assert assigning(page)["C"] == "translate(0 100)"
    page.clock.run_for(10)
    page.focus("#send")
    page.keyboard.press("Enter")
    assert sent(page) == ["menu C A"]


def test_what_is_pointed_at_lights_up_what_it_means(stage: Stage):
    drawing = (
        square(0, 0, data_action="go a", id="a") + square(50, 0, data_action="go b", id="b")
        + square(0, 60, data_preview="go a", id="shown-a")
        + square(50, 60, data_lights="x y", id="lights")
        + square(100, 0, data_light="y", id="light")
    )  # fmt: skip
    page = stage(board(drawing, '<button name="do" value="go a" id="do-a">A</button>'), at="/t/x")
    page.hover("#a")
    assert "lit" in classes(page, "#a") & classes(page, "#do-a")
    assert "shown" in classes(page, "#shown-a")
    assert not {"lit", "shown"} & classes(page, "#b")
    page.hover("#light")
    assert "lit" in classes(page, "#lights")
    assert not {"lit", "shown"} & (classes(page, "#a") | classes(page, "#shown-a"))
    page.focus("#do-a")
    assert "lit" in classes(page, "#a")
    assert "lit" not in classes(page, "#lights")
    page.evaluate("document.activeElement.blur()")
    assert page.locator(".lit, .shown").count() == 0
    page.hover("#a")
    assert page.locator(".lit, .shown").count() == 3
    page.mouse.move(280, 290)
    assert page.locator(".lit, .shown").count() == 0


def test_a_spot_fills_in_the_number_that_is_asked_for_and_others_decide(stage: Stage):
    ask = """<form><div data-amount="bet {}" data-doing="Stake {}"><input type="range" data-slider
        min="0" max="200" step="10" value="50"><input type="number" name="amount" min="0" max="200"
        step="10" value="50"></div><button id="amount-send" type="button">x</button></form>"""
    spots = square(0, 0, data_action="bet 120", id="bet") + square(
        50, 0, data_action="pull", id="p"
    )
    page = stage(board(spots, ask), at="/t/x")
    assert page.inner_text("#amount-send") == "Stake 50"
    page.click("#bet")
    assert page.input_value("[name=amount]") == page.input_value("[data-slider]") == "120"
    assert page.inner_text("#amount-send") == "Stake 120"
    assert page.evaluate("document.activeElement.name") == "amount"
    assert sent(page) == []
    page.click("#p")
    assert sent(page) == ["pull"]
    assert "pressed" in classes(page, "#p")
    page.clock.run_for(500)
    assert "pressed" not in classes(page, "#p")
