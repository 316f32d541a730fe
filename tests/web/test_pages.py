"""Every page answers, in HTML without anything inline, and says what it should."""

import re

import pytest

from diablerie.bots.levels import LEVELS, STYLES
from diablerie.games import ALL
from diablerie.table.authority import Authority
from diablerie.table.commands import lobby
from tests.web.client import PAGE, Client


def test_every_level_of_bots_can_be_chosen_and_no_other(ann: Client):
    names = [level.name for level in LEVELS]
    styles = [style.name for style in STYLES]
    assert (list(lobby.BOT_COMPANY), list(lobby.STYLE_COMPANY)) == (names, styles)
    for game in ALL.values():
        page = ann.page(f"/setup/{game.name}").text
        for name in names + styles:
            for_all_and_for_each = max(game.seats) if name in names or game.name == "coals" else 0
            assert page.count(f'<option value="{name}"') == for_all_and_for_each


@pytest.mark.parametrize("name", ALL)
def test_the_game_begun_at_once_is_the_one_that_the_lesson_taught(ann: Client, name: str):
    lesson = ALL[name].lesson
    assert lesson
    seats = {scene.seats for scene in lesson.scenes.values()}
    assert ALL[name].quick == max(seats) == len(lesson.names) + 1
    table = ann.send("/tables", game=name, way="bots").headers["location"]
    assert len(ann.data(table)["seats"]) == ALL[name].quick


@pytest.mark.parametrize("name", ALL)
def test_who_plays_against_devils_alone_sees_the_board_while_the_dice_are_made(
    ann: Client, name: str
):
    table = ann.send("/tables", game=name, way="bots", share="1").headers["location"]
    page = ann.page(table).text
    assert "data-phase=" in page
    assert 'class="picture ' in page
    assert "waiting-room" not in page
    assert f'action="{table}/free"' not in page


def test_the_page_says_once_that_an_archdevil_stands_in(
    ann: Client, authority: Authority, monkeypatch: pytest.MonkeyPatch
):
    table = ann.open(bots="1", bot="oberteufel")
    assert 'id="weaker"' not in ann.page(table).text
    monkeypatch.setattr(authority, "can", lambda *_: False)
    assert ann.page(table).text.count('id="weaker"') == 1
    assert 'id="weaker"' not in ann.page(ann.open(bots="1", bot="archdevil")).text


def test_the_form_offers_every_option_and_keeps_what_was_typed(ann: Client):
    page = ann.page("/setup/coals")
    for option in ALL["coals"].options:
        assert f'name="option-{option.name}' in page.text
    fields = {"game": "coals", "here": "2", "option-track": "7", "names": "Ann, Bo"}
    refused = ann.send("/tables", **fields)
    assert refused.status_code == 400
    assert "Option track must be" in refused.text
    assert 'value="Ann, Bo"' in refused.text


def test_an_option_holds_at_the_table(ann: Client):
    table = ann.open(bots="1", **{"option-mouth": "0"})
    assert ann.data(table)["options"]["mouth"] == "0"
    assert "Refill the furnace at" in ann.page(table).text


def test_an_option_of_several_numbers_has_a_field_for_each(ann: Client):
    fields = {f"option-furnace-{place}": number for place, number in enumerate("1123456")}
    table = ann.open(bots="1", **fields)
    assert ann.data(table)["options"]["furnace"] == "1,1,2,3,4,5,6"
    assert "1 × 100, 1 × 75, 2 × 50, 3 × 25, 4 × 20, 5 × 10, 6 × devils" in ann.page(table).text
    refused = ann.send("/tables", game="coals", here="2", **fields | {"option-furnace-6": "0"})
    assert "at least one piece must be a devil" in refused.text
    assert 'name="option-furnace-5" value="5"' in refused.text
    assert '<details id="coals-variants" open>' in refused.text


@pytest.mark.parametrize("address", ["/", "/rules/coals", "/nothing"])
def test_pages_carry_nothing_inline_and_nothing_from_elsewhere(ann: Client, address: str):
    check_page(ann.page(address).text)


def test_the_table_and_the_replay_carry_nothing_inline(ann: Client):
    table = ann.open(bots="1")
    check_page(ann.page(table).text)
    check_page(ann.page(f"{table}/log").text)


def check_page(html: str) -> None:
    assert not re.search(r"\sstyle=", html)
    assert not re.search(r"\son[a-z]+=", html)
    assert not re.search(r"<script(?![^>]*\bsrc=)", html)
    for link in re.findall(r'\s(?:src|href|action)="([^"]*)"', html):
        assert link.startswith(("/", "#", "?")), link


def test_every_clause_has_an_anchor_on_the_rules_page(ann: Client, game):
    page = ann.page(f"/rules/{game.name}")
    for clause in game.clause_texts:
        assert f'id="{clause}"' in page.text
        assert f'href="#{clause}"' in page.text


def test_static_files_may_be_kept_for_ever_under_their_digest(ann: Client):
    sheets = re.findall(r'href="(/static/[^"]*\.css)"', ann.page("/").text)
    assert sheets
    for sheet in sheets:
        answer = ann.get(sheet)
        assert answer.status_code == 200
        assert "immutable" in answer.headers["cache-control"]
    old = ann.get(re.sub(r"/static/[^/]+/", "/static/0123/", sheets[0]))
    assert old.headers["cache-control"] == "no-cache"
    assert ann.get("/static/0123/app.py").status_code == 404


@pytest.mark.parametrize("path", ["/", "/rules/coals", "/static/x/house.css"])
def test_what_is_long_is_sent_compressed_to_who_reads_that(ann: Client, path: str):
    plain = ann.request("GET", path, headers=PAGE | {"accept-encoding": "identity"})
    short = ann.request("GET", path, headers=PAGE | {"accept-encoding": "gzip"})
    assert "content-encoding" not in plain.headers
    assert short.headers["content-encoding"] == "gzip"
    assert "Accept-Encoding" in short.headers["vary"]
    assert int(short.headers["content-length"]) < len(plain.content) / 3
    assert short.content == plain.content


def test_the_data_of_a_table_say_what_the_page_says(ann: Client):
    data = ann.data(ann.open(bots="2"))
    assert data["viewer"] == 0
    assert data["pending"] == [0, 1, 2]
    assert data["legal"][5] == {"do": "bet 50", "label": "Stake 50"}
    assert data["view"]["node"] == "bet"
