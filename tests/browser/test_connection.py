"""The live connection: frames are shown, what is lost is told, and asked for again."""

import pytest
from playwright.sync_api import Page

from tests.browser.stage import Stage, frame, told

pytestmark = [pytest.mark.browser]

NOTICE = "document.getElementById('connection')"


def hidden(page: Page) -> bool:
    return bool(page.evaluate(f"{NOTICE}.hidden"))


def streams(page: Page) -> list[str]:
    return [url.partition("/stream")[2] for url in page.evaluate("streams.map((s) => s.url)")]


def chat(text: str) -> str:
    return f'<ol class="log chat" id="chat"><li id="said-1">{text}</li></ol>'


def test_the_stream_says_what_the_page_has_and_goes_on_from_what_came(stage: Stage):
    page = stage()
    have = page.get_attribute("main", "data-have")
    assert have
    assert streams(page) == [f"?&have={have}&edits=1"]
    told(page, frame(page, 1, chat=chat("hm")), "1.abc/+")
    assert page.inner_text("#chat") == "hm"
    assert page.title() == "TITLE"
    page.evaluate("dispatchEvent(new Event('online'))")
    assert streams(page)[1:] == ["?&have=1.abc%2F%2B&edits=1"]
    assert page.evaluate("streams[0].shut")


def test_a_lost_connection_is_told_after_a_while_and_forgotten_when_it_is_back(stage: Stage):
    page = stage()
    page.evaluate("streams[0].opens()")
    page.clock.run_for(10_000)
    page.evaluate("streams[0].breaks(0)")
    page.clock.run_for(2400)
    assert hidden(page)
    page.clock.run_for(200)
    assert not hidden(page)
    assert page.evaluate(f"{NOTICE}.textContent") == page.get_attribute("#connection", "data-lost")
    page.evaluate("streams.at(-1).opens()")
    assert hidden(page)


def test_a_connection_that_is_back_at_once_is_not_told(stage: Stage):
    page = stage()
    page.clock.run_for(10_000)
    page.evaluate("streams[0].breaks(0)")
    page.clock.run_for(1000)
    page.evaluate("streams[0].opens()")
    page.clock.run_for(60_000 // 4)
    assert hidden(page)


def test_a_closed_stream_is_opened_again_after_growing_pauses(stage: Stage):
    page = stage()
    page.evaluate("replies.push(...Array(60).fill('offline'))")
    for count, pause in enumerate((500, 1000, 2000, 4000, 8000), 1):
        page.evaluate("streams.at(-1).breaks()")
        page.clock.run_for(pause - 50)
        assert len(streams(page)) == count
        page.clock.run_for(100)
        assert len(streams(page)) == count + 1
    assert not hidden(page)
    page.evaluate("streams.at(-1).opens()")
    page.evaluate("streams.at(-1).breaks()")
    page.clock.run_for(550)
    assert len(streams(page)) == 7


def test_a_stream_without_a_sign_of_life_is_replaced_and_one_that_beats_is_not(stage: Stage):
    page = stage()
    page.evaluate("streams[0].opens()")
    for _ in range(8):
        page.clock.run_for(15_000)
        page.evaluate("streams.at(-1).heard.beat()")
    assert len(streams(page)) == 1
    page.clock.run_for(19_000)
    assert len(streams(page)) == 1
    assert hidden(page)
    page.clock.run_for(2000)
    assert len(streams(page)) == 2
    assert not hidden(page)
    page.evaluate("streams.at(-1).opens()")
    assert hidden(page)


def test_a_stream_that_does_not_open_is_replaced_soon_for_who_comes_back(stage: Stage):
    page = stage()
    page.evaluate("streams[0].opens()")
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    assert len(streams(page)) == 2
    page.clock.run_for(2600)  # the browser may keep five connections that are dead, too
    assert len(streams(page)) == 7
    page.clock.run_for(1000)
    page.evaluate("streams.at(-1).opens()")
    page.clock.run_for(19_000)
    assert len(streams(page)) == 8, "at last there is time for a slow answer"
    assert hidden(page)


def test_as_soon_as_the_server_answers_again_all_is_asked_for_anew(stage: Stage):
    page = stage()
    page.evaluate("streams[0].opens(), replies.push(...Array(20).fill('offline'))")
    for _ in range(5):
        page.evaluate("streams.at(-1).breaks()")
        page.clock.run_for(3000)
    assert not hidden(page)
    count = len(streams(page))
    page.evaluate("replies.length = 0")
    page.clock.run_for(1100)
    assert len(streams(page)) == count + 1
    page.evaluate("streams.at(-1).opens()")
    asked = page.evaluate("asked.length")
    page.clock.run_for(5000)
    assert page.evaluate("asked.length") == asked


def test_who_comes_back_is_told_soon_that_nothing_comes(stage: Stage):
    page = stage()
    page.evaluate("streams[0].opens(), replies.push(...Array(20).fill('later'))")
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    page.clock.run_for(2100)
    assert not hidden(page)


def test_a_machine_that_slept_asks_for_news_though_nobody_hid_the_page(stage: Stage):
    page = stage()
    page.evaluate("streams[0].opens()")
    page.clock.run_for(2000)
    page.clock.fast_forward(9000)
    assert len(streams(page)) == 2


def test_a_hidden_page_of_a_browser_that_is_called_listens_to_nothing(stage: Stage):
    page = stage()
    page.evaluate(
        """() => {
            localStorage["diablerie.push"] = "1";
            Object.defineProperty(document, "hidden", { value: true, configurable: true });
            document.dispatchEvent(new Event("visibilitychange"));
        }"""
    )
    page.clock.run_for(60_000)
    assert page.evaluate("streams.every((one) => one.shut)")
    assert len(streams(page)) == 1


def test_a_page_that_is_left_listens_no_more_and_listens_again_when_shown_again(stage: Stage):
    page = stage()
    page.evaluate("dispatchEvent(new PageTransitionEvent('pagehide'))")
    assert page.evaluate("streams[0].shut")
    page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: false }))")
    assert len(streams(page)) == 1
    page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
    assert len(streams(page)) == 2


def test_patches_are_mended_from_what_this_connection_told(stage: Stage):
    page = stage()
    told(page, frame(page, chat=['<ol id="chat">', '<li id="said-1">one</li>', "</ol>"]), "1.a")
    told(page, frame(page, chat=[[0, 1], '<li id="said-2">two</li>', [2, 1]]), "1.b")
    assert page.inner_text("#chat") == "two"
    assert page.locator("#said-2").count() == 1
    told(page, frame(page, chat=[[0, 2], '<li id="said-3">three</li>', [2, 1]]), "1.c")
    assert page.inner_text("#chat").split() == ["two", "three"]


def test_elements_that_stay_as_they_are_are_not_touched(stage: Stage):
    page = stage()
    svg = ["<svg>", '<g id="a"><rect/></g>', '<circle id="b"/>', '<path d="M0 0"/>', "</svg>"]
    told(page, frame(page, board=svg), "1.a")
    page.evaluate("for (const id of 'ab') document.getElementById(id).mine = true")
    page.evaluate("document.getElementById('a').setAttribute('class', 'kept')")
    told(page, frame(page, board=[[0, 1], '<g id="c"/>', [2, 1], [1, 1], [4, 1]]), "1.b")
    shown = "[...document.querySelector('[data-region=board] svg').children].map((el) => el.id)"
    assert page.evaluate(shown) == ["c", "b", "a"]
    assert page.evaluate("[...'ab'].every((id) => document.getElementById(id).mine)")
    assert page.locator("#a.kept").count() == 1
    assert page.evaluate("document.getElementById('c').namespaceURI").endswith("svg")


def test_an_element_that_went_meanwhile_is_there_again(stage: Stage):
    page = stage()
    told(
        page, frame(page, board=["<svg>", '<g id="a"><rect/></g>', '<g id="b"/>', "</svg>"]), "1.a"
    )
    page.evaluate("document.getElementById('a').remove()")
    told(page, frame(page, board=[[0, 2], '<g id="c"/>', [3, 1]]), "1.b")
    assert page.locator("#a > rect").count() == 1
    assert page.locator("same").count() == 0


def test_what_the_script_itself_changes_is_told_again(stage: Stage):
    page = stage()
    turner = '<g id="turner"><rect data-cycle-do data-action="lay 0"/></g>'
    told(page, frame(page, board=["<svg>", turner, '<g id="b"/>', "</svg>"]), "1.a")
    page.evaluate("document.querySelector('#turner rect').dataset.action = 'lay 2'")
    told(page, frame(page, board=[[0, 2], '<g id="c"/>', [3, 1]]), "1.b")
    assert page.get_attribute("#turner rect", "data-action") == "lay 0"


def test_what_is_patched_is_forgotten_with_the_connection(stage: Stage):
    page = stage()
    told(page, frame(page, chat=chat("one")), "1.a")
    page.evaluate("streams[0].opens()")
    told(page, frame(page, chat=chat("again")), "1.b")
    assert page.inner_text("#chat") == "again"


def test_a_draft_that_stands_no_more_is_dropped_from_the_address_and_the_stream(stage: Stage):
    page = stage()
    path = page.evaluate("location.pathname")
    told(page, frame(page, url=f"{path}?as=0", chat=chat("hm")), "2.x")
    assert page.evaluate("location.search") == "?as=0"
    assert streams(page)[1:] == ["?as=0&have=2.x&edits=1"]
    told(page, frame(page, url=f"{path}?as=0", chat=chat("ho")), "3.x")
    assert len(streams(page)) == 2


def test_a_table_that_is_gone_is_loaded_anew_but_not_in_a_circle(stage: Stage):
    page = stage()
    page.evaluate("window.mark = true, performance.now = () => 4000")
    page.evaluate("streams[0].heard.gone()")
    assert page.evaluate("streams[0].shut && window.mark")
    page.evaluate("performance.now = () => 6000")
    with page.expect_navigation():
        page.evaluate("streams[0].heard.gone()")
    assert not page.evaluate("window.mark ?? false")


# -- frames ------------------------------------------------------------------------------------


LOG = '<ol class="log" id="log">{}</ol>'


def lines(*numbers: int) -> str:
    rows = [f'<li id="log-{n}">line {n} <a class="clause">C{n}</a></li>' for n in numbers]
    return LOG.format("".join(rows))


def test_new_lines_are_announced_without_their_clauses_and_old_ones_are_not(stage: Stage):
    page = stage()
    told(page, frame(page, log=lines(1, 2)), "1.a")
    assert page.inner_text("#announcer") == "line 1 line 2"
    told(page, frame(page, log=lines(1, 2, 3)), "1.b")
    assert page.inner_text("#announcer") == "line 3"
    assert page.locator("li.new").all_inner_texts() == ["line 3 C3"]
    told(page, frame(page, log=lines(*range(1, 12))), "1.c")
    assert page.inner_text("#announcer") == " ".join(f"line {n}" for n in range(6, 12))


def test_the_log_shows_its_end(stage: Stage):
    page = stage()
    page.add_style_tag(content=".log { height: 60px; overflow: auto }")
    told(page, frame(page, log=lines(*range(1, 40))), "1.a")
    at, most = page.evaluate("(l => [l.scrollTop, l.scrollHeight - l.clientHeight])(log)")
    assert at == pytest.approx(most, abs=2)
    assert most > 100


def test_the_focus_of_a_control_that_is_gone_goes_to_what_is_asked_next(stage: Stage):
    page = stage()
    page.focus("#amount-send")
    ask = '<form><input type="hidden" name="ply"><button id="next">go</button></form>'
    told(page, frame(page, ask=ask), "1.a")
    assert page.evaluate("document.activeElement.id") == "next"
    page.focus("#chat-text")
    told(page, frame(page, ask=ask.replace("next", "other")), "1.b")
    assert page.evaluate("document.activeElement.id") == "chat-text"


@pytest.mark.parametrize(
    ("ask", "focused"),
    [
        ('<form hidden><button>x</button></form><a class="btn" href="/x" id="on">x</a>', "on"),
        ("<p>It is over.</p>", "asked"),
    ],
)
def test_where_nothing_is_asked_any_more_the_focus_goes_to_a_link_or_stays_there(
    stage: Stage, ask: str, focused: str
):
    page = stage()
    page.focus("#amount-send")
    told(page, frame(page, ask=ask), "1.a")
    assert page.evaluate("document.activeElement.id") == focused
