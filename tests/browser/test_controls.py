"""Forms and spots: what is sent, what comes of it, and that every refusal and failure is shown."""

from typing import Any

import pytest
from playwright.sync_api import Page

from diablerie.web.html.assets import static_digest
from tests.browser.stage import Stage, board, square

pytestmark = [pytest.mark.browser]

PLACE = "[data-refusal=act]"


def reply(page: Page, *replies: Any) -> None:
    page.evaluate("(replies) => window.replies.push(...replies)", list(replies))


def asked(page: Page) -> list[dict[str, str]]:
    found: list[dict[str, str]] = page.evaluate("asked")
    return found


def path(page: Page) -> str:
    return str(page.evaluate("location.pathname"))


def spot(page: Page) -> Any:
    return page.locator('[data-region=board] [data-action="pull"]').first


def test_a_form_is_sent_with_its_fields_and_the_page_stays(stage: Stage):
    page = stage()
    page.fill("#amount", "30")
    page.click("#amount-send")
    (sent,) = asked(page)
    assert (sent["method"], sent["url"]) == ("POST", f"{path(page)}/decide")
    assert sent["body"].split("&") == ["seat=0", "ply=1", "amount=30"]
    assert sent["accept"] == "application/json"


def test_while_it_is_on_its_way_the_control_says_so_and_nothing_is_sent_twice(stage: Stage):
    page = stage()
    reply(page, "later")
    page.click("#amount-send")
    button = page.locator("#amount-send")
    assert button.get_attribute("aria-busy") == "true"
    assert "pending" in str(button.get_attribute("class"))
    page.evaluate("document.getElementById('amount-send').click()")
    assert len(asked(page)) == 1
    page.evaluate("answer({ url: location.pathname })")
    assert button.get_attribute("aria-busy") is None
    assert "pending" not in str(button.get_attribute("class"))
    page.click("#amount-send")
    assert len(asked(page)) == 2


def test_half_a_line_of_chat_survives_a_reload_until_it_is_sent(stage: Stage):
    page = stage()
    page.fill("#chat-text", "half a")
    page.reload()
    assert page.input_value("#chat-text") == "half a"
    reply(page, {"url": path(page)}, {"url": path(page)})
    page.locator(".quick > button").first.click()
    page.wait_for_function("asked.length === 1")
    assert page.input_value("#chat-text") == "half a", "a reaction is something else"
    page.press("#chat-text", "Enter")
    page.wait_for_function("document.getElementById('chat-text').value === ''")
    page.reload()
    assert page.input_value("#chat-text") == ""


def test_what_did_not_get_through_is_said_beside_the_control(stage: Stage):
    page = stage()
    reply(page, "offline")
    page.click("#amount-send")
    assert page.inner_text(PLACE) == page.get_attribute("main", "data-failed")
    assert page.get_attribute(PLACE, "role") == "alert"
    assert page.locator("#amount-send").get_attribute("aria-busy") is None
    page.click("#amount-send")  # and it is taken away as soon as it is tried again
    assert page.inner_text(PLACE) == ""


def test_a_spot_that_did_not_get_through_says_so_there(stage: Stage):
    page = stage()
    reply(page, "offline")
    spot(page).click()
    assert page.inner_text("#refused-here") == page.get_attribute("main", "data-failed")


BUSY = {"status": 429, "code": "too-many", "title": "The devils are busy."}
BUSIER = BUSY | {"headers": {"retry-after": "3"}}
ASK = """<form data-form="hint" action="/t/x/hint"><button id="ask-devil">?</button></form>
  <div data-hints></div><div data-refusal="hint"></div>"""


def test_a_hint_arrives_by_itself_when_it_can_be_given(stage: Stage):
    page = stage()
    page.locator("[data-region=ask]").evaluate("(el, html) => (el.innerHTML += html)", ASK)
    ply = page.get_attribute("#now", "data-ply")
    for told in (BUSIER, BUSY, {"ply": ply, "html": "Pull!", "hints": ["pull"]}):
        reply(page, told)
    page.click("#ask-devil")
    page.wait_for_function("document.querySelector('[data-refusal=hint]').textContent")
    assert page.inner_text("[data-refusal=hint]") == BUSY["title"]
    page.click("#ask-devil")  # a second tap asks nothing twice
    page.clock.run_for(2900)
    assert len(asked(page)) == 1
    page.clock.run_for(200)
    page.wait_for_function("asked.length === 2")
    page.clock.run_for(2000)
    page.wait_for_function("document.querySelector('[data-hints]').textContent === 'Pull!'")
    assert page.inner_text("[data-refusal=hint]") == ""
    assert len(asked(page)) == 3


def test_a_hint_is_not_asked_for_again_when_the_game_has_gone_on(stage: Stage):
    page = stage()
    page.locator("[data-region=ask]").evaluate("(el, html) => (el.innerHTML += html)", ASK)
    reply(page, BUSY)
    page.click("#ask-devil")
    page.wait_for_function("document.querySelector('[data-refusal=hint]').textContent")
    page.evaluate("document.getElementById('now').dataset.ply = 99")
    page.clock.run_for(2000)
    page.wait_for_function("!document.querySelector('.pending')")
    page.clock.run_for(60_000)
    assert len([one for one in asked(page) if one["url"].endswith("/hint")]) == 1
    assert page.inner_text("[data-refusal=hint]") == ""


def test_better_hints_take_the_place_of_the_first_until_somebody_decides(stage: Stage):
    page = stage()
    page.locator("[data-region=ask]").evaluate("(el, html) => (el.innerHTML += html)", ASK)
    ply = page.get_attribute("#now", "data-ply")
    hints = {"ply": ply, "hints": ["pull"]}
    for number, words in enumerate(("Perhaps pull.", "Rather pull.")):
        button = f"<button data-hint=1 value=pull>{words}</button>"
        reply(page, hints | {"html": button, "better": number + 1})
    reply(page, BUSY, "later")
    page.click("#ask-devil")
    page.wait_for_function("document.querySelector('[data-hints]').textContent === 'Rather pull.'")
    page.wait_for_function("asked.length === 3")
    page.focus("[data-hint]")
    page.clock.run_for(2000)
    page.wait_for_function("asked.length === 4")
    rounds = [one["body"].rpartition("round=")[2] for one in asked(page)]
    assert rounds == ["0", "1", "2", "2"]
    last = {"ply": ply, "hints": ["pull"], "html": "<button value=pull>Pull!</button>", "better": 3}
    reply(page, "later")
    page.evaluate("(told) => answer(told)", last)
    page.wait_for_function("document.querySelector('[data-hints]').textContent === 'Pull!'")
    assert page.evaluate("document.activeElement.textContent") == "Pull!"
    page.wait_for_function("asked.length === 5")
    page.evaluate("document.getElementById('now').dataset.ply = 99")
    page.evaluate("(told) => answer(told)", last | {"html": "Too late!", "better": 4})
    page.clock.run_for(60_000)
    assert len([one for one in asked(page) if one["url"].endswith("/hint")]) == 5
    assert page.inner_text("[data-hints]") == "Pull!"


REFUSED = {"status": 422, "title": "First everybody stakes.", "code": "illegal"}


def test_a_refusal_is_announced_with_its_clause(stage: Stage):
    page = stage()
    reply(page, REFUSED | {"rule": "/rules/coals#C5", "clause": "C5"})
    page.click("#amount-send")
    assert page.inner_text(PLACE) == "First everybody stakes. C5"
    assert page.get_attribute(PLACE, "role") == "alert"
    assert page.get_attribute(f"{PLACE} a.clause", "href") == "/rules/coals#C5"
    assert page.get_attribute(f"{PLACE} a.clause", "target") == "_blank"
    assert page.locator(f"{PLACE} p.notice.refusal").count() == 1


def test_a_refused_spot_is_announced_beside_it_until_something_else_is_tried(stage: Stage):
    page = stage()
    reply(page, REFUSED)
    spot(page).click()
    bubble = page.locator("#refused-here")
    assert bubble.get_attribute("role") == "alert"
    assert bubble.inner_text() == "First everybody stakes."
    assert page.inner_text(PLACE) == ""
    bubble.dispatch_event("pointerdown")
    assert bubble.count() == 1
    page.locator("h1").dispatch_event("pointerdown")
    assert bubble.count() == 0
    (sent,) = asked(page)
    fields = sent["body"].split("&")
    assert sorted(fields) == ["do=pull", "ply=1", "seat=0"]


def covers(page: Page, x: float, y: float) -> bool:
    """Whether the refusal beside a spot covers this point of the window."""
    box = page.locator("#refused-here").bounding_box()
    assert box
    assert box["x"] >= 0 <= box["y"]
    assert box["x"] + box["width"] <= 1000
    assert box["y"] + box["height"] <= 800
    return 0 <= x - box["x"] <= box["width"] and 0 <= y - box["y"] <= box["height"]


@pytest.mark.parametrize(
    ("corner", "wanted", "below"),
    [
        ("left: 400px; top: 300px", "", True),
        ("left: 400px; top: 300px", square(90, 140, data_action="go", **{"class": "can"}), False),
        ("right: -130px; bottom: -170px", "", False),
        ("left: -130px; bottom: -170px", "", False),
    ],
)
def test_a_refusal_stands_below_the_spot_or_where_it_covers_nothing_that_is_wanted(
    stage: Stage, corner: str, wanted: str, below: bool
):
    page = stage(board(square(130, 90, data_action="pull", id="tried") + wanted), at="/t/x")
    sizes = f"svg {{ position: fixed; {corner} }} "
    page.add_style_tag(
        content=sizes + "#refused-here { position: absolute; width: 120px; height: 30px }"
    )
    reply(page, REFUSED)
    page.click("#tried")
    box = page.locator("#tried").bounding_box()
    assert box
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    assert not covers(page, x, y)
    assert covers(page, x, y + 20) is below
    if wanted:
        assert not covers(page, x - 40, y + 50)


def test_the_refusal_of_another_form_stands_with_that_form(stage: Stage):
    page = stage()
    reply(page, REFUSED | {"title": "Write something first."})
    page.fill("#chat-text", "hm")
    page.press("#chat-text", "Enter")
    assert page.inner_text("[data-refusal=chat]") == "Write something first."
    assert page.inner_text(PLACE) == ""
    assert page.input_value("#chat-text") == "hm"


@pytest.mark.parametrize(
    ("code", "refreshed"), [("stale", True), ("repeated", True), ("illegal", False)]
)
def test_who_sees_an_old_position_gets_the_new_one(stage: Stage, code: str, refreshed: bool):
    page = stage()
    chat = '<ol class="log chat" id="chat"><li id="said-1">news</li></ol>'
    have = f"9.x.{static_digest()}"
    frame = {"id": have, "ply": 9, "title": "T", "url": path(page), "regions": {"chat": chat}}
    reply(page, {"status": 409, "title": "Too late.", "code": code}, frame)
    page.click("#amount-send")
    assert page.inner_text(PLACE) == ("" if code == "repeated" else "Too late.")
    frames = [one for one in asked(page) if one["url"].startswith(f"{path(page)}/frame")]
    assert len(frames) == refreshed
    assert (page.locator("#said-1").count() == 1) == refreshed
    if refreshed:
        assert frames[0]["method"] == "GET"
        assert frames[0]["accept"] == "application/json"
        page.evaluate("dispatchEvent(new Event('online'))")
        assert page.evaluate("streams.at(-1).url").endswith(f"?&have={have}&edits=1")


def test_a_frame_that_fails_or_is_of_another_viewpoint_is_not_shown(stage: Stage):
    page = stage()
    chat = '<ol class="log chat" id="chat"><li id="said-1">news</li></ol>'
    have = f"9.x.{static_digest()}"
    frame = {"id": have, "ply": 9, "title": "T", "url": path(page), "regions": {"chat": chat}}
    reply(page, {"status": 409, "title": "Too late.", "code": "stale"}, frame | {"status": 503})
    page.click("#amount-send")
    assert page.locator("#said-1").count() == 0
    reply(page, {"status": 409, "title": "Too late.", "code": "stale"}, "later")
    page.click("#amount-send")
    reply(page, {"url": f"{path(page)}?as=0"})
    page.fill("#amount", "30")
    page.evaluate("document.querySelector('#decide [name=ply]').value = 2")
    page.click("#amount-send")
    page.evaluate("(frame) => answer(frame)", frame)
    page.wait_for_function("location.search === '?as=0'")
    assert page.locator("#said-1").count() == 0


def test_after_a_decision_the_page_goes_where_the_answer_leads(stage: Stage):
    page = stage()
    reply(page, {"url": f"{path(page)}?as=1"})
    page.click("#amount-send")
    page.wait_for_function("streams.length === 2")
    assert page.evaluate("streams[1].url").endswith("/stream?as=1&edits=1")
    assert page.evaluate("location.search") == "?as=1"
    assert page.evaluate("streams[0].shut")


def test_where_it_stays_the_stream_is_awaited_and_only_then_asked_for(stage: Stage):
    page = stage()
    reply(page, {"url": path(page)}, {"status": 503})
    page.click("#amount-send")
    page.clock.run_for(1100)
    assert len(asked(page)) == 1
    page.clock.run_for(200)
    assert [one["url"].partition("?")[0] for one in asked(page)[1:]] == [f"{path(page)}/frame"]
    page.click("#amount-send")
    page.evaluate(
        "streams.at(-1).tells({ply: 3, title: '', url: location.pathname, regions: {}}, 'y')"
    )
    page.clock.run_for(2000)
    assert len(asked(page)) == 3  # it came by the stream


def test_another_address_is_gone_to(stage: Stage):
    page = stage()
    reply(page, {"url": "/t/another"})
    with page.expect_navigation(url="**/t/another"):
        page.click("#amount-send")


def test_what_was_said_is_taken_from_the_field(stage: Stage):
    page = stage()
    page.fill("#chat-text", "hm")
    page.press("#chat-text", "Enter")
    page.wait_for_function("document.getElementById('chat-text').value === ''")
    assert asked(page)[0]["url"].endswith("/chat")


def test_a_personal_link_is_shown_to_be_copied(stage: Stage):
    page = stage()
    page.click("#tools summary")
    reply(page, {"link": "http://x/t/x/claim/secret"})
    page.click("[data-form=link] button")
    field = page.locator("[data-personal] input")
    assert field.input_value().endswith("/claim/secret")
    assert field.get_attribute("aria-label") == field.input_value()
    assert field.evaluate("el => el.readOnly && el.selectionEnd === el.value.length")


def test_a_form_that_is_not_the_tables_is_left_to_the_browser(stage: Stage):
    page = stage()
    page.evaluate(
        """document.body.insertAdjacentHTML('beforeend',
            '<form action="/elsewhere" id="plain"><button>x</button></form>')"""
    )
    with page.expect_navigation(url="**/elsewhere*"):
        page.click("#plain button")
    assert asked(page) == []


def test_a_repeated_click_on_the_same_decision_shows_no_refusal(stage: Stage):
    page = stage(board(square(130, 90, data_action="pull", id="tried")), at="/t/x")
    for known, told in (({"url": "/t/x"}, ""), (REFUSED, ""), (REFUSED, "First everybody")):
        reply(page, "later", "later")
        page.clock.run_for(2500 if told else 10)  # later it is another wish
        page.evaluate("window.replies.length = 0")
        reply(page, known, "later")
        page.click("#tried")
        shown = page.locator("#refused-here").all_inner_texts()
        assert [text[: len("First everybody")] for text in shown] == [told] * bool(told)


def test_a_refusal_covers_no_count_that_is_to_be_read(stage: Stage):
    can = {"class": "can"}
    spots = "".join(
        square(50 * k, 60 + 60 * n, data_action="a", **can) for k in range(6) for n in (0, 2)
    )
    count = '<rect class="kept-clear" x="90" y="150" width="110" height="20"/>'
    page = stage(board(square(130, 120, data_action="pull", id="tried") + count + spots), at="/t/x")
    page.add_style_tag(
        content="svg { position: fixed; left: 400px; top: 300px } "
        "#refused-here { position: absolute; width: 120px; height: 30px }"
    )
    reply(page, REFUSED)
    page.click("#tried")
    counted = page.locator(".kept-clear").bounding_box()
    assert counted
    middle = counted["x"] + counted["width"] / 2, counted["y"] + counted["height"] / 2
    assert not covers(page, *middle)
