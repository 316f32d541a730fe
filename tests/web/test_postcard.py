"""The postcard of a group's evening: its podiums and feats, for devices of the group alone."""

import re
from collections.abc import Callable
from xml.etree import ElementTree

import pytest

from diablerie.engine.feats import greatest_feat
from diablerie.engine.match import Match
from diablerie.engine.plies import PlyKind
from diablerie.games import ALL
from diablerie.web.html import postcard
from diablerie.web.html.postcard import Played
from diablerie.web.html.speech import Speech
from tests.web.client import Client
from tests.web.test_endings import NAMES
from tests.web.test_moments import golden

FEATS = {
    "coals": "The great haul",
    "tails": "The longest tail",
    "underworld": "The quickest escape",
    "kitchen": "The worst milk",
}


def finished(ann: Client, link: str, game: str = "coals") -> str:
    """A game that Oma and Opa finish at Ann's browser; its address."""
    who = {"who-1": "1", "who-2": "1"}
    table = str(ann.send(f"{link}/play", game=game, **who).headers["location"])
    assert ann.send(f"{table}/resign", seat="0").status_code == 303
    return table


def card(page: str) -> str:
    found = re.search(r"<figure.*?</figure>", page, re.DOTALL)
    assert found
    return found[0]


@pytest.mark.parametrize("name", ALL)
def test_each_game_tells_of_a_feat_that_its_whole_log_bears_out(name: str):
    match = golden(name)
    feat = greatest_feat(match)
    assert feat
    assert str(feat.title) == FEATS[name]
    assert set(feat.seats) <= set(range(match.seats))
    log = [str(line) for step in match.steps() for line in step.lines]
    if name == "coals":
        hauls = [int(found[1]) for line in log if (found := re.search(r"haul.* is (\d+)", line))]
        assert feat.size == max(hauls)
    if name == "kitchen":
        milk = [m for step in match.steps() for m in step.moments if m.scene == "milk"]
        assert 1 <= feat.size <= len(milk)


def test_a_match_that_nobody_played_has_no_feat():
    match = Match.new(ALL["coals"], seats=2, seed=1)
    match.note(PlyKind.RESIGN, 0)
    assert greatest_feat(match) is None


@pytest.mark.parametrize("number", [1, 2, 3, 4, 7])
def test_the_card_has_every_podium_and_the_greatest_feat_of_each_game(number: int):
    speech = Speech(names=NAMES)
    games = [Played(golden(name), speech) for name in [*ALL, *ALL][:number]]
    drawn = postcard.postcard("The Hoofs", "29 Nov 2026", games, speech)
    texts = [text.text for text in ElementTree.fromstring(drawn).iterfind(".//{*}text")]
    assert "The Hoofs" in texts
    assert "29 Nov 2026" in texts
    for name in [*ALL][: min(number, 4)]:
        assert texts.count(str(ALL[name].title)) == (2 if [*ALL].index(name) + 4 < number else 1)
        (line,) = [text for text in texts if text and text.startswith(FEATS[name])]
        assert any(who in line for who in NAMES)
    for at in re.findall(r'viewBox="0 0 (\d+) (\d+)', drawn)[:1]:
        assert int(at[0]) == postcard.CARD_WIDTH
    # It is a file of its own: nothing in it needs a style sheet, a script or the page.
    assert not re.search(r"\bclass=|\bstyle=|\bid=|data-|href=", drawn)


def test_only_devices_of_the_group_see_the_card(
    ann: Client, bo: Client, browser: Callable[[], Client], link: str
):
    assert "no game for it yet" in ann.page(f"{link}/evening").text
    ann.send(f"{link}/join", name="Opa")
    table = finished(ann, link)
    shown = ann.page(f"{table}/evening")
    drawn = card(shown.text)
    for words in ("The Hoofs", "COALS", ">Oma<", ">Opa<"):
        assert words in drawn
    assert "img-src 'self' blob:" in shown.headers["content-security-policy"]
    assert "blob:" not in ann.page(link).headers["content-security-policy"]
    stranger = browser()
    for address in (f"{link}/evening", f"{table}/evening"):
        assert stranger.page(address).status_code == 403
    assert bo.page("/g/guessed/evening").status_code == 404


def test_a_person_who_is_removed_and_a_name_that_is_erased_leave_the_card(ann: Client, link: str):
    ann.send(f"{link}/join", name="Opa")
    finished(ann, link)
    assert ">Opa<" in card(ann.page(f"{link}/evening").text)
    ann.send(f"{link}/remove", member="2")
    drawn = card(ann.page(f"{link}/evening").text)
    assert "Opa" not in drawn
    assert ">Oma<" in drawn
    ann.send("/forget")
    assert "Oma" not in card(ann.page(f"{link}/evening").text)


def test_a_deleted_game_leaves_the_card(ann: Client, link: str):
    ann.send(f"{link}/join", name="Opa")
    finished(ann, link, "tails")
    table = finished(ann, link)
    assert "COALS" in card(ann.page(f"{link}/evening").text)
    ann.send(f"{table}/delete_table")
    drawn = card(ann.page(f"{link}/evening").text)
    assert "COALS" not in drawn
    assert "TAILS" in drawn


def test_names_with_markup_are_text_on_the_card():
    speech = Speech(names=['<b a="1">&', "Bo", "Cy"])
    drawn = postcard.postcard("<i>&", "</svg>", [Played(golden("coals"), speech)], speech)
    texts = [text.text for text in ElementTree.fromstring(drawn).iterfind(".//{*}text")]
    assert "<i>&" in texts
    assert "</svg>" in texts
    assert "<b" not in drawn
