"""The script alone: clocks that run down, nudges, and what the settings say of being called."""

import pytest
from playwright.sync_api import Page

from tests.browser.stage import Stage, frame, module, told

pytestmark = [pytest.mark.browser]


# -- clocks ------------------------------------------------------------------------------------


NOW = 5_000_000  # what the server's clock says, far from the browser's


def runs(page: Page, left: float) -> None:
    """A frame says that somebody may decide for so many seconds."""
    clock = f'<ol id="chat"><li id="clock"><time data-due="{NOW + left}"></time></li></ol>'
    told(page, frame(page, chat=clock) | {"now": NOW}, f"1.{left}")


@pytest.mark.parametrize(
    ("left", "text"),
    [
        (-3, "0:00"), (8.5, "0:09"), (599.5, "10:00"), (3598.5, "59:59"), (3599.5, "1h 0m"),
        (7379.5, "2h 3m"), (86_339.5, "23h 59m"), (86_399.5, "1d 0h"), (198_000, "2d 7h"),
    ],
)  # fmt: skip
def test_a_clock_says_what_is_left_by_the_servers_time(stage: Stage, left: float, text: str):
    page = stage()
    runs(page, left)
    assert page.inner_text("#clock") == text


def test_a_clock_runs_down_to_nothing_and_is_marked_when_it_hurries(stage: Stage):
    page = stage()
    runs(page, 63.5)
    hurries = "document.querySelector('#clock time').classList.contains('hurry')"
    for passed, text, hurry in (
        (0, "1:04", False), (5000, "0:59", False), (38_000, "0:21", False), (1000, "0:20", True),
        (19_000, "0:01", True), (5000, "0:00", True),
    ):  # fmt: skip
        page.clock.run_for(passed)
        assert page.inner_text("#clock") == text
        assert page.evaluate(hurries) == hurry
    runs(page, 120.5)
    assert not page.evaluate(hurries)


# -- nudges ------------------------------------------------------------------------------------


NUDGE = "#nudge a"


def says(page: Page, seat: int, text: str) -> None:
    line = f'<ol class="log chat" id="chat"><li id="{text}" class="seat-{seat}">{text}</li></ol>'
    told(page, frame(page, chat=line), f"1.{text}")


def scrolled(page: Page, selector: str, nudge: str) -> None:
    """Bring this into the middle of the window, and wait until this is what the nudge says."""
    page.locator(selector).evaluate("el => el.scrollIntoView({ block: 'center' })")
    shown = f"(document.querySelector('{NUDGE}')?.textContent ?? '')"
    page.wait_for_function(f"{shown} === {nudge!r}")


def test_what_happens_where_one_has_not_scrolled_to_is_told_at_the_edge(stage: Stage):
    page = stage()
    page.add_style_tag(content=".talk, .tools { margin-top: 2000px }")
    turn = str(page.get_attribute("#nudge", "data-turn"))
    scrolled(page, ".tools", turn)
    assert page.get_attribute(NUDGE, "href") == "#asked"
    says(page, 1, "hm")
    assert page.inner_text(NUDGE) == "hm"
    assert page.get_attribute(NUDGE, "href") == "#talk"
    says(page, 0, "mine")  # nobody is told of what they said themselves
    assert page.inner_text(NUDGE) == "hm"
    page.clock.run_for(15_100)
    assert page.inner_text(NUDGE) == turn
    scrolled(page, "[data-region=board]", "")
    says(page, 1, "well")
    scrolled(page, "#talk", turn)  # it has been seen, and the board no more
    says(page, 1, "then")
    assert page.inner_text(NUDGE) == turn
    scrolled(page, "[data-region=board]", "")


# -- settings ----------------------------------------------------------------------------------


PANEL = """<section id="calls" data-pushes="1"><p data-insecure hidden>INSECURE</p>
    <div data-can hidden><p data-denied hidden>DENIED</p><p data-failed hidden>FAILED</p>
    <button data-call="call">CALL</button>
    <p data-push hidden><button data-call="push">PUSH</button></p></div></section>"""


@pytest.mark.parametrize(
    ("secure", "permission", "said"),
    [
        (True, "default", ["CALL", "PUSH"]),
        (True, "denied", ["DENIED", "CALL", "PUSH"]),
        (False, "default", ["INSECURE"]),
    ],
)
def test_the_settings_say_what_this_browser_allows(
    stage: Stage, secure: bool, permission: str, said: list[str]
):
    page = stage("<main></main>")
    page.evaluate(
        """([panel, secure, permission]) => {
            Object.defineProperty(window, "isSecureContext", { get: () => secure });
            Object.defineProperty(Notification, "permission", { get: () => permission });
            document.querySelector("main").innerHTML = panel;
        }""",
        [PANEL, secure, permission],
    )
    module(page, "calls.js", "m.settings()")
    assert page.inner_text("#calls").split() == said
