"""The front page: three ways to play each game, and a real board in motion."""

import json
import re
import xml.etree.ElementTree as ET

import pytest

from diablerie.engine.queries import redacted
from diablerie.engine.rng import seeded
from diablerie.engine.verbs import advise
from diablerie.games import ALL
from diablerie.web.routes import landing
from tests.web.client import Client
from tools import reel as tool


def test_each_game_has_three_ways_to_play_and_one_of_them_is_loud(ann: Client):
    page = ann.page("/").text
    for name in ALL:
        ticket = re.search(rf'<article [^>]*id="game-{name}">.*?</article>', page, re.DOTALL)
        assert ticket
        buttons = 2 if ALL[name].short else 1
        assert (ticket[0].count("<button"), ticket[0].count("primary")) == (buttons, 1)
        assert 'value="bots"' in ticket[0]
        for way in ("friends", "learn", "rules"):
            assert f'href="/{way}/{name}"' in ticket[0]
        assert "<details" not in ticket[0], "nothing opens between the games"


def test_with_friends_asks_one_thing_and_everything_else_is_behind_it(ann: Client):
    page = ann.page("/friends/coals").text
    for n in ALL["coals"].seats:
        assert f'name="here" value="{n}"' in page
    assert 'name="way" value="friends"' in page
    assert 'href="/setup/coals"' in page
    assert ann.send("/tables", game="coals", here="3", hints="1").status_code == 303


@pytest.mark.parametrize("fields", [{"way": "short"}, {"way": "friends", "short": "1"}])
def test_a_short_game_has_the_options_that_the_game_names(ann: Client, fields: dict[str, str]):
    short = ALL["coals"].short
    assert short
    table = ann.send("/tables", game="coals", **fields).headers["location"]
    assert ann.data(table)["options"].items() >= short.options.items()
    usual = ann.send("/tables", game="coals", way="bots").headers["location"]
    assert ann.data(usual)["options"]["goal"] != short.options["goal"]


def test_the_stake_begins_where_a_sensible_player_would(ann: Client):
    table = ann.send("/tables", game="coals", way="bots").headers["location"]
    start = re.search(r'id="amount"[^>]*value="(\d+)"', ann.page(table).text)
    assert start
    live = ann.app.state.authority.live(table[3:])
    assert live.match
    advised = advise(redacted(live.match.state, 0), 0, seeded(0))
    assert int(start[1]) == 10 * advised > 0


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
