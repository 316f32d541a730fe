"""The live connection: frames are shown, what is lost is told, and asked for again."""

import pytest
from playwright.sync_api import Page

from diablerie.web.html.assets import static_digest
from tests.browser.stage import NEXT_TASK, Stage, frame, told

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
    page.evaluate("window.mark = true")
    with page.expect_navigation():
        page.evaluate("streams[0].heard.gone()")
    assert not page.evaluate("window.mark ?? false")
    page.evaluate("window.mark = true")
    page.evaluate("streams[0].heard.gone()")  # however long that took
    assert page.evaluate("streams[0].shut && window.mark")
    told(page, frame(page, 1, chat=chat("hm")), "1.a")
    with page.expect_navigation():
        page.evaluate("streams[0].heard.gone()")


AWAY = """(hidden) => {
    Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
    document.dispatchEvent(new Event("visibilitychange")); }"""


def beating(page: Page, seconds: int) -> None:
    """So many seconds in which the stream gives signs of life."""
    for _ in range(seconds):
        page.clock.run_for(1000)
        page.evaluate("streams.at(-1).heard.beat()")


def listens(page: Page) -> bool:
    return not page.evaluate("streams.at(-1).shut ?? false")


def test_a_hidden_page_lets_go_of_its_stream_after_half_a_minute(stage: Stage):
    page = stage()
    page.evaluate("streams[0].opens()")
    page.evaluate(AWAY, True)
    beating(page, 29)
    assert listens(page)
    page.clock.run_for(2000)
    assert not listens(page)
    page.evaluate("dispatchEvent(new Event('online'))")
    assert len(streams(page)) == 1
    page.evaluate(AWAY, False)
    assert len(streams(page)) == 2


def test_a_page_that_is_seen_again_soon_keeps_listening(stage: Stage):
    page = stage()
    page.evaluate("streams[0].opens()")
    page.evaluate(AWAY, True)
    beating(page, 9)
    page.evaluate(AWAY, False)
    page.evaluate("streams.at(-1).opens()")
    beating(page, 31)
    assert listens(page)


def test_a_hidden_page_that_calls_its_player_goes_on_listening(stage: Stage):
    page = stage()
    page.evaluate("streams[0].opens(), localStorage['diablerie.call'] = '1'")
    page.evaluate(AWAY, True)
    beating(page, 31)
    assert listens(page)


def others_take(page: Page, tabs: int) -> None:
    """So many other tabs are looked at, one after the other."""
    page.evaluate(
        """(tabs) => {
            const other = new BroadcastChannel("diablerie streams");
            for (let n = 0; n < tabs; n += 1) other.postMessage({ tab: `${n}`, has: true });
        }""",
        tabs,
    )
    page.evaluate(NEXT_TASK)


def test_a_page_lets_go_of_its_stream_when_others_were_looked_at_and_asks_from_time_to_time(
    stage: Stage,
):
    page = stage()
    page.evaluate("streams[0].opens()")
    others_take(page, 3)
    assert not page.evaluate("streams[0].shut ?? false")
    others_take(page, 4)
    page.wait_for_function("streams[0].shut")
    later = frame(page, 3, chat=chat("later")) | {"id": f"3.a.{static_digest()}"}
    page.evaluate("(frame) => replies.push(frame)", later)
    page.clock.run_for(3100)
    assert page.inner_text("#chat") == "later"
    page.evaluate("dispatchEvent(new Event('focus'))")
    assert len(streams(page)) == 2


def test_a_page_without_a_stream_is_loaded_anew_after_an_update(stage: Stage):
    page = stage()
    page.evaluate("streams[0].opens()")
    others_take(page, 4)
    page.wait_for_function("streams[0].shut")
    newer = frame(page, 3, chat=chat("newer")) | {"id": "3.a.0123456789ab"}
    page.evaluate("(frame) => (replies.push(frame), (window.mark = true))", newer)
    with page.expect_navigation():
        page.clock.run_for(3100)
    assert not page.evaluate("window.mark ?? false")


def test_an_answer_that_is_long_in_coming_is_told_though_the_stream_beats(stage: Stage):
    page = stage()
    page.evaluate("streams[0].opens(), replies.push('later')")
    page.fill("#chat-text", "Hm")
    page.press("#chat-text", "Enter")
    page.clock.run_for(9000)
    assert hidden(page)
    page.clock.run_for(1500)
    page.evaluate("streams[0].heard.beat()")
    assert page.inner_text("#connection") == page.get_attribute("#connection", "data-late")
    assert not hidden(page)
    page.evaluate("answer({ url: location.pathname })")
    page.wait_for_function("document.getElementById('connection').hidden")


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


DECIDE = """<form><input id="who"><button>Save</button></form><form id="decide">
    <input type="hidden" name="ply"><button id="next">go</button></form>"""


def test_the_focus_of_a_control_that_is_gone_goes_to_what_is_to_be_decided_next(stage: Stage):
    page = stage()
    page.focus("#amount-send")
    told(page, frame(page, 1, ask=DECIDE), "1.a")
    assert page.evaluate("document.activeElement.id") == "next"
    page.focus("#chat-text")
    told(page, frame(page, 1, ask=DECIDE.replace("next", "other")), "1.b")
    assert page.evaluate("document.activeElement.id") == "chat-text"


def test_while_the_others_play_the_focus_waits_and_is_in_no_field(stage: Stage):
    page = stage()
    page.focus("#amount-send")
    told(page, frame(page, 1, ask=DECIDE.partition('<form id="decide">')[0]), "1.a")
    assert page.evaluate("document.activeElement.id") == "asked"
    told(page, frame(page, 2, ask=DECIDE), "2.a")
    assert page.evaluate("document.activeElement.id") == "next"


@pytest.mark.parametrize(
    "ask", ['<form><button>x</button></form><a class="btn" href="/x">x</a>', "<p>It is over.</p>"]
)
def test_where_nothing_is_asked_any_more_the_focus_stays_there(stage: Stage, ask: str):
    page = stage()
    page.focus("#amount-send")
    told(page, frame(page, 1, ask=ask), "1.a")
    assert page.evaluate("document.activeElement.id") == "asked"
