"""The stage: scenes over the board, before the frame they tell of; sounds, and their switch."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from diablerie.games import ALL
from tests.browser.measures import LOUDEST
from tests.browser.sound_stub import HEARD
from tests.browser.stage import NOW, Stage, board, frame, picture, square, told
from tools import moments as pictured

pytestmark = [pytest.mark.browser]

AFTER = picture(square(60, 80, id="b"))
LOG = '<ol class="log"><li id="log-9-0">Ann burns <a class="clause">C12</a></li></ol>'
RUNNING = "document.getAnimations().filter((one) => one.playState === 'running').length"


def shown(page: Page) -> str:
    """The picture of the position, as the page has it."""
    html: str = page.inner_html("[data-region=board]")
    return html


def ready(page: Page) -> Page:
    page.wait_for_function("document.querySelector('svg.sprite [id=stage-hand]')")
    return page


def test_a_scene_comes_before_its_frame_and_a_press_ends_it(stage: Stage):
    page = ready(stage(moving=True))
    before = shown(page)
    told(page, frame(page, ply=9, board=AFTER, moments="1 burnt 1;9 burnt 0;", log=LOG), "9.a")
    page.wait_for_selector(".stage .object", state="attached")
    hand = page.locator(".stage g[class*=seat-]").get_attribute("class")
    assert hand == "devil seat-0"  # the page had the first ply already
    assert page.locator(".stage use").last.get_attribute("href") == "#stage-hand"
    assert page.inner_text(".stage-line") == "Ann burns"
    assert page.locator(".stage[aria-hidden=true]").count() == 1
    assert shown(page) == before
    page.click("[data-region=board]", position={"x": 50, "y": 50}, force=True)
    page.wait_for_function("!document.querySelector('.stage')")
    page.wait_for_selector("[data-region=board] #b")
    assert page.evaluate("asked.length") == 0  # nothing that may be decided was there


CAN = square(60, 80, id="c", class_="spot can", data_action="go").replace("class-", "class")


@pytest.mark.parametrize("where", ["#c", "[data-region=ask] [name=do]"])
def test_what_may_be_decided_works_at_once_during_a_scene_and_ends_it(stage: Stage, where: str):
    form = """<form class="decide" id="decide" method="post" action="/t/x/decide" data-form="act">
        <button name="do" value="go">Go</button></form>"""
    page = ready(stage(STAGED.format(picture(CAN), NOW, form), at="/t/x", moving=True))
    told(page, frame(page, ply=5, board=AFTER, moments="5 burnt 0;"), "5.a")
    page.wait_for_selector(".stage .object", state="attached")
    page.click(where)
    page.wait_for_function("!document.querySelector('.stage')")
    assert [one["body"].split("do=")[1] for one in page.evaluate("asked")] == ["go"]


STAGED = f"""<main data-table="x" data-url="/t/x" data-have="4.a" data-failed="FAILED"
    data-scenes="{pictured.assets.address("games/coals.svg")}">
    <section class="board" data-region="board">{{}}</section>
    <section class="ask" data-region="ask" tabindex="-1">{{}}{{}}</section></main>"""


@pytest.mark.parametrize("key", ["Enter", "Escape"])
def test_a_key_ends_a_scene(stage: Stage, key: str):
    page = ready(stage(moving=True))
    told(page, frame(page, ply=5, board=AFTER, moments="5 burnt 0;"), "5.a")
    page.wait_for_selector(".stage .object", state="attached")
    page.keyboard.press(key)
    page.wait_for_selector("[data-region=board] #b")
    assert page.locator(".stage").count() == 0


def missed(page: Page, **regions: str) -> dict[str, object]:
    """A frame that tells what happened while the page did not listen, as the server marks it."""
    return frame(page, **regions) | {"past": True}


def test_what_a_page_has_missed_does_not_cover_its_board(stage: Stage):
    page = ready(stage(moving=True))
    page.evaluate("window.staged = 0; new MutationObserver((all) => { for (const { addedNodes } of all)"
                  " for (const el of addedNodes) staged += el.className === 'stage'; })"
                  ".observe(document.body, { childList: true })")  # fmt: skip
    page.evaluate("streams.at(-1).opens()")
    told(page, missed(page, ply=9, board=AFTER, moments="9 burnt 0;"), "9.a")
    page.wait_for_selector("[data-region=board] #b")
    assert page.evaluate("staged") == 0
    told(page, frame(page, ply=10, board=picture(""), moments="10 burnt 0;"), "10.a")
    page.wait_for_selector(".stage .object", state="attached")  # however soon after that


def test_what_a_page_has_missed_is_silent(stage: Stage):
    page = stage(board("<g/>"), at="/t/x")
    page.evaluate(HEARD)
    new = "".join(square(9, 9, id=f"b{n}", data_enter="pop", data_heard="tile") for n in range(99))
    told(page, missed(page, ply=80, board=picture(new)), "80.a")
    assert page.locator("#b98").count() == 1
    assert page.evaluate("begun.length") == 0
    more = new + square(9, 9, id="b99", data_enter="pop", data_heard="tile")
    told(page, frame(page, ply=81, board=picture(more)), "81.a")
    assert page.evaluate("begun.length") > 0


def test_what_could_not_be_heard_in_time_is_not_heard_later(stage: Stage):
    """A browser that lets no page sound before a press, or was asleep, lets all sound at once."""
    page = stage(board("<g/>"), at="/t/x")
    page.evaluate(HEARD)
    page.evaluate("""() => { window.silenced = 0;
        GainNode.prototype.disconnect = () => { silenced += 1; }; }""")
    for n in range(5, 9):
        new = square(9, 9, id=f"b{n}", data_enter="pop", data_heard="tile")
        told(page, frame(page, ply=n, board=picture(new)), f"{n}.a")
    assert page.evaluate("silenced") == 3, "all but those of the last frame"


def test_neither_panel_nor_log_runs_ahead_of_the_picture(stage: Stage):
    """But for what is only to be read: nobody waits for that."""
    dice = square(60, 80, id="b", data_enter="roll")
    page = stage(board("<g/>"), at="/t/x", moving=True)
    page.evaluate("document.documentElement.style.setProperty('--scene', '9e6')")  # hours
    told(page, frame(page, ply=5, board=picture(dice), ask=NOW + "<p>a wing and 1</p>"), "5.a")
    page.wait_for_selector("[data-region=board] #b", state="attached")
    assert "a wing" not in page.inner_text("[data-region=ask]")
    told(page, frame(page, ply=6, ask=NOW + "<p>a wing and 2</p>"), "6.a")
    page.evaluate("document.getAnimations().forEach((one) => one.finish())")
    page.wait_for_function("document.querySelector('[data-region=ask]').innerText.includes('2')")
    slate = f'<g data-pacer="0" data-reader="" data-word="On">{dice.replace("roll", "pop")}</g>'
    told(page, frame(page, ply=7, board=picture(slate.replace('"b"', '"s" data-beat="1"')),
                     ask=NOW + "<p>Stake!</p>"), "7.a")  # fmt: skip
    page.wait_for_function(
        "document.querySelector('[data-region=ask]').innerText.includes('Stake')"
    )
    assert page.locator("body.pacing").count() == 1


def test_skip_goes_to_ones_own_turn(stage: Stage):
    """Nothing moves and no scene is staged until the viewer is asked."""
    skip = "<button data-skip>skip</button>"
    page = ready(stage(STAGED.format(picture("<g/>"), NOW, skip), at="/t/x", moving=True))
    for ply in (5, 6, 7):
        told(page, frame(page, ply=ply, board=picture(square(0, 0, id=f"s{ply}", data_enter="pop")),
                         moments=f"{ply} burnt 0;", ask=NOW + skip), f"{ply}.a")  # fmt: skip
        if ply == 5:
            page.wait_for_selector(".stage .object", state="attached")
            page.evaluate("document.querySelector('[data-skip]').click()")
        page.wait_for_selector(f"[data-region=board] #s{ply}", state="attached")
        assert page.locator(".stage").count() == 0
        assert page.evaluate(RUNNING) == 0
    mine = NOW + '<p class="prompt mine">You!</p>'
    told(page, frame(page, ply=8, board=picture("<g/>"), ask=mine), "8.a")
    page.wait_for_selector(".mine")
    told(page, frame(page, ply=9, board=AFTER, moments="9 burnt 0;"), "9.a")
    page.wait_for_selector(".stage .object", state="attached")


def test_what_is_shown_in_the_end_is_the_same_without_moments(stage: Stage):
    page = ready(stage(moving=True))
    told(page, frame(page, ply=5, board=AFTER, moments="5 wake;"), "5.a")
    page.wait_for_selector(".stage .object", state="attached")
    page.wait_for_selector("[data-region=board] #b")  # it ends by itself
    page.wait_for_function("!document.querySelector('.stage, .moving')")
    staged = page.inner_html("main"), page.evaluate("document.body.children.length")
    page = ready(stage(moving=True))
    told(page, frame(page, ply=5, board=AFTER, moments=""), "5.a")
    page.wait_for_selector("[data-region=board] #b")
    page.wait_for_function("!document.querySelector('.moving')")
    assert (page.inner_html("main"), page.evaluate("document.body.children.length")) == staged


def test_under_reduced_motion_a_scene_stands_still_and_holds_nothing_up(stage: Stage):
    page = ready(stage())
    told(page, frame(page, ply=5, board=AFTER, moments="5 burnt 0;"), "5.a")
    assert page.locator("[data-region=board] #b").count() == 1
    assert page.locator(".stage.still .object").count() == 1
    assert page.evaluate(RUNNING) == 0
    page.hover("#b")
    page.mouse.down()  # goes to what lies below
    assert page.locator(".stage").count() == 1  # nothing moves under the pointer
    page.mouse.up()
    page.clock.run_for(60)
    assert page.locator(".stage").count() == 0
    told(page, frame(page, ply=6, moments="5 burnt 0;6 wake;"), "6.a")
    assert page.locator(".stage.still").count() == 1
    page.clock.run_for(1500)
    assert page.locator(".stage").count() == 0


def test_of_scenes_that_stand_still_only_the_one_that_is_shown_is_heard(stage: Stage):
    page = ready(stage())
    page.evaluate(HEARD)
    told(page, frame(page, ply=5, board=AFTER, moments="5 wake;"), "5.a")
    alone = page.evaluate("begun.splice(0).length")
    assert alone > 0
    page.clock.run_for(1500)
    told(page, frame(page, ply=7, moments="6 burnt 0;7 wake;"), "7.a")
    assert page.locator(".stage.still").count() == 1
    assert page.evaluate("begun.length") == alone
    page.evaluate(FADED)
    told(page, frame(page, ply=8, moments="8 burnt 0;"), "8.a")
    assert set(page.evaluate("faded")) == {0}, "what the one before it lets be heard"


def test_where_changes_come_at_once_no_scene_is_heard(stage: Stage):
    page = ready(stage())
    page.evaluate(HEARD)
    page.evaluate("document.documentElement.dataset.speed = 'none'")
    new = square(60, 80, id="b", data_enter="pop", data_heard="tile")
    told(page, frame(page, ply=5, board=picture(new), moments="5 burnt 0;"), "5.a")
    assert page.locator(".stage").count() == 0
    assert page.evaluate("begun.length") == 1, "the tile"


FADED = """() => { window.faded = [];
    AudioParam.prototype.setTargetAtTime = (to) => faded.push(to); }"""


def test_a_scene_is_heard_no_longer_than_it_is_shown(stage: Stage):
    page = ready(stage(moving=True))
    page.evaluate(HEARD)
    page.evaluate(FADED)
    told(page, frame(page, ply=5, board=AFTER, moments="5 burnt 0;"), "5.a")
    page.wait_for_selector(".stage", state="attached")
    page.wait_for_selector(".stage", state="detached")  # it ends by itself
    assert set(page.evaluate("faded")) == {0}


def test_a_scene_that_is_left_is_heard_no_longer(stage: Stage):
    page = ready(stage(moving=True))
    page.evaluate(HEARD)
    page.evaluate(FADED)
    told(page, frame(page, ply=9, board=AFTER, moments="9 burnt 0;"), "9.a")
    page.wait_for_function("begun.length > 0")
    assert page.evaluate("faded") == []
    page.click("[data-region=board]", position={"x": 50, "y": 50}, force=True)
    page.wait_for_function("!document.querySelector('.stage')")
    assert set(page.evaluate("faded")) == {0}


def test_sounds_are_off_until_the_switch_turns_them_on(stage: Stage):
    page = stage(board("<g/>", more='<button role="switch" data-sounds>s</button>'), at="/t/x")
    page.evaluate("""() => { window.contexts = 0;
        window.AudioContext = class extends OfflineAudioContext {
            constructor() { super(1, 44100, 44100); contexts += 1; } resume() {} }; }""")
    address = pictured.assets.address("sounds.js")
    page.evaluate("document.querySelector('[data-sounds]').focus()")
    assert page.evaluate("contexts") == 0
    page.click("[data-sounds]")
    assert page.evaluate("contexts") == 1
    assert page.get_attribute("[data-sounds]", "aria-checked") == "true"
    assert page.get_attribute("html", "data-sound") == "on"
    assert page.evaluate("asked.map((one) => [one.url, one.body])") == [["/sound", "sound=on"]]
    page.click("[data-sounds]")
    assert page.get_attribute("html", "data-sound") is None
    assert page.evaluate("asked.at(-1).body") == "sound="
    silent = f"import('{address}').then((m) => {{ m.hear('coal'); return contexts; }})"
    assert page.evaluate(silent) == 1


def test_what_is_new_is_heard_where_nothing_may_move(stage: Stage):
    """The presses of a duel, for one: each at its time."""
    page = ready(stage())
    page.evaluate("""() => { window.begun = new Set();
        document.documentElement.dataset.sound = "on";
        window.AudioContext = class extends OfflineAudioContext {
            constructor() { super(1, 44100, 44100); } resume() {} };
        AudioScheduledSourceNode.prototype.start = (at) => begun.add(at.toFixed(1));
        AudioScheduledSourceNode.prototype.stop = () => {}; }""")
    heard = {"data_enter": "pop", "data_heard": "press"}
    burst = square(60, 80, id="b1", data_delay="500", **heard)
    told(page, frame(page, ply=5, board=picture(burst)), "5.a")
    assert page.evaluate("[...begun]") == ["0.5"]
    later = square(60, 80, id="b2", data_delay="4000", **heard)
    told(page, frame(page, ply=6, board=picture(burst + later)), "6.a")
    assert page.evaluate("[...begun]") == ["0.5", "4.0"]


def test_every_sound_is_heard_and_dry(stage: Stage):
    page = stage(board("<g/>"), at="/t/x")
    address = pictured.assets.address("sounds.js")
    names = page.evaluate(f"fetched('{address}').then((got) => got.text())").split("const SOUNDS")[
        1
    ]
    names = [
        line.split(":")[0].strip() for line in names.split("};")[0].splitlines()[1:] if ":" in line
    ]
    assert len(names) > 15
    for name in names:
        loud, rest = page.evaluate(LOUDEST, [address, name, 1.0])
        assert 0.02 < loud < 1, name
        assert rest < 0.001, name  # silent again soon


@pytest.mark.parametrize("game", [name for name, game in ALL.items() if game.scenes])
def test_what_a_scene_is_about_is_large_on_a_phone(chromium: Browser, game: str, tmp_path: Path):
    with chromium.new_context(viewport=pictured.PHONE) as context, pictured.house() as home:
        page = context.new_page()
        names = pictured.open_stage(page, home, ALL[game])
        assert len(names) > 1
        for name in names:
            share = pictured.freeze(page, name, None)
            assert share >= pictured.LEAST, (name, share)
            drawn = [page.locator(".stage").inner_html()]
            peak = page.screenshot()
            for part in (pictured.BEFORE, pictured.AFTER):
                pictured.freeze(page, name, part)
                drawn.append(page.locator(".stage").inner_html())
                assert page.screenshot() != peak, name
            assert len(set(drawn)) == 1  # only what moves is different


def test_the_presses_of_a_duel_come_close(chromium: Browser):
    drawing = pictured.duel_drawing()
    with chromium.new_context(viewport=pictured.PHONE) as context, pictured.house() as home:
        page = context.new_page()
        pictured.open_stage(page, home, ALL["kitchen"])
        shares = [pictured.freeze_duel(page, drawing, at) for at in (0, pictured.PRESSED)]
        assert shares[1] >= pictured.LEAST > shares[0]
        assert "zoomed" in str(page.get_attribute(".board", "class"))
        page.evaluate("frozen.forEach((one) => one.finish())")  # the presses are over
        page.wait_for_function("""() => {
            const svg = document.querySelector(".board:not(.zoomed) > svg");
            return svg && getComputedStyle(svg).transform === "none";
        }""")
