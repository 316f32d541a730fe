"""The panel beside the board: what is asked there, and what the picture says already."""

import re

from diablerie.web.frames.patch import pictured
from tests.web.client import PAGE, Client

CHOICE = r'<button[^>]*name="do" value="([^"]*)"'


def part(html: str, start: str, end: str) -> str:
    found = re.search(rf"{start}.*?{end}", html, re.DOTALL)
    assert found, start
    return found[0]


def test_a_long_list_that_the_picture_offers_too_is_there_to_be_folded(ann: Client):
    table = ann.open(game="tails", here="2")  # whoever begins, it is somebody here
    page = ann.page(table).text
    folded = part(page, '<details class="choices" id="choices" data-fold open', "</details>")
    legal = [move["do"] for move in ann.data(table)["legal"]]
    assert re.findall(CHOICE, folded) == legal
    assert re.findall(CHOICE, page) == legal, "each choice is listed once"


def test_a_question_with_few_answers_stays_beside_the_picture(ann: Client):
    table = ann.open(bots="1")
    assert "data-fold" not in ann.page(table).text


def test_an_action_is_pictured_as_a_spot_as_a_first_step_or_by_laying_cards():
    assert pictured(['<g data-action="go 2 c4; go 2 c5"/>'], ["go 2 c4"]) == {"go 2 c4"}
    assert pictured(["<g/>", '<g data-preview="lay 2"/>'], ["lay 1", "lay 2"]) == {"lay 2"}
    assert pictured(['<g data-assign="menu {} {}"/>'], ["menu 1 2"]) == {"menu 1 2"}
    assert not pictured(['<g data-action="go 2 c4"/>'], ["go 2 c"])
    assert not pictured(['<g data-action="go 2 c4; go 2 c5"/>'], ["go 2 c5"])
    assert not pictured(["<g/>", '<g class="end" id="end"/>'], ["end"])


def test_a_skip_link_leads_past_the_board_to_what_is_asked(ann: Client):
    page = ann.page(ann.open(game="tails", bots="1")).text
    assert 'class="skip-link" href="#asked"' in page
    assert re.search(r'<section class="ask" id="asked"[^>]* tabindex="-1"', page)


def test_a_stake_says_on_its_button_what_it_does(ann: Client):
    page = ann.page(ann.open(bots="1")).text
    amount = part(page, '<div class="amount"', "</div>")
    assert 'data-doing="Stake {}"' in amount
    assert 'name="amount" min="0" max="200" step="10" value="100"' in amount


def test_the_second_of_two_in_kitchen_is_blue_as_on_the_board(ann: Client, bo: Client):
    table = ann.open(game="kitchen", open="1")
    bo.call(f"{table}/sit")
    assert "You are yellow: who are you?" in ann.page(table).text
    assert "You are blue." in bo.page(table).text


STAKED = {
    "en": "Yellow has staked.",
    "de": "Gelb hat gesetzt.",
    "fr": "Jaune a misé.",
    "ro": "Galben a mizat.",
}


def test_sentences_call_a_viewer_without_a_name_by_colour(ann: Client):
    table = ann.open(bots="1")
    ann.act(table, "bet 50")
    for language, staked in STAKED.items():
        spoken = PAGE | {"accept-language": language}
        pages = (ann.request("GET", url, headers=spoken).text for url in (table, "/"))
        told = re.sub("<[^>]*>", "", "".join(pages))
        assert staked in told
        assert not re.search("(Player|Person|Place|Jucătorul) 1", told)
