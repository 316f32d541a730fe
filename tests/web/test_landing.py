"""The front page: one button for each game, all else behind it, and a real board in motion."""

import json
import re
import xml.etree.ElementTree as ET

from diablerie.games import ALL
from diablerie.web.routes import landing
from tests.web.client import Client
from tools import reel as tool


def test_each_game_has_one_button_that_begins_and_the_rest_is_folded_away(ann: Client):
    page = ann.page("/").text
    for name in ALL:
        ticket = re.search(rf'<article [^>]*id="game-{name}">.*?</article>', page, re.DOTALL)
        assert ticket
        before, _, folded = ticket[0].partition("<details")
        assert before.count("<button") == 1
        assert 'value="bots"' in before
        for way in ("friends", "here"):
            assert f'value="{way}"' in folded
        assert f'href="/learn/{name}"' in folded


def test_a_real_board_is_on_the_page_without_a_script(ann: Client):
    page = ann.page("/").text
    assert str(landing.first_picture()) in page
    assert f"/games/{landing.REEL_GAME}.css" in page


def test_the_pictures_of_the_reel_are_those_of_the_golden_game():
    kept = json.loads(landing.REEL.read_text("utf-8"))
    assert kept == json.loads(json.dumps(tool.pictures())), "run: python -m tools.reel"
    assert len(kept) > 15
    parts = kept[0]
    for patch in kept[1:]:
        parts = [
            part
            for one in patch
            for part in ([one] if isinstance(one, str) else parts[one[0] : sum(one)])
        ]
        ET.fromstring("".join(parts))
        assert "<title" not in "".join(parts)
