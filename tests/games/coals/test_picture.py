"""The picture of COALS, over positions of random and advised play with all options."""

import re
from functools import cache
from itertools import pairwise

import pytest

from diablerie.engine.verbs import WATCHER
from diablerie.games.coals import GAME
from diablerie.games.coals.rules.state import DEVIL, Node
from diablerie.games.coals.ui.drawing.furnace import ARCH_LENGTH, bounds, pawn, track
from diablerie.testing.positions import GameSetting
from tests.art.markup import checked, classes
from tests.games import pictures
from tests.games.pictures import ids
from tests.settings import FEW

SETTINGS = [setting for setting in FEW if setting.name == "coals"]
EVERY = pytest.mark.parametrize("setting", SETTINGS, ids=str)


@cache
def drawn(setting: GameSetting) -> list[tuple]:
    return pictures.drawn(setting, 4, (WATCHER, 0, setting.seats - 1))


@EVERY
def test_pieces_drawn_are_those_there_are(setting):
    for s, _, _, root in drawn(setting):
        assert len(ids(root, "coals-heap-")) == s.furnace.sum()
        assert len(ids(root, "coals-front-")) == s.front.sum()
        assert len(ids(root, "coals-burnt-")) == s.busted[: s.seats].sum()
        assert len(ids(root, "coals-pact-")) == s.pact[: s.seats].sum()
        assert len(ids(root, "coals-pawn-")) == setting.seats


@EVERY
def test_every_place_has_its_colour_and_its_mark(setting):
    for _, _, _, root in drawn(setting):
        assert len(ids(root, "coals-place-")) == setting.seats
        shapes = [el for el in root.iter() if el.get("class") == "seat-shape"]
        assert len(shapes) == 2 * setting.seats  # beside the name, and on the pawn


@EVERY
def test_no_number_is_heard_without_words(setting):
    for _, _, _, root in drawn(setting):
        named = [el for el in root.iter() if el.get("aria-hidden") or el.get("data-action")]
        silent = {inner for el in named for inner in el.iter()}
        heard = [el.text for el in root.iter() if el.tag.endswith("}text") and el not in silent]
        assert heard, "the risk, at least"
        assert not [words for words in heard if words.isdecimal()]
        assert len([el for el in root.iter() if el.get("aria-label")]) == 7 + setting.seats


@EVERY
def test_spots_can_be_used_exactly_when_the_action_is_legal(setting):
    for _, viewer, texts, root in drawn(setting):
        spots = [el for el in root.iter() if el.get("data-action")]
        for spot in spots:
            assert ("can" in spot.get("class").split()) == (spot.get("data-action") in texts)
        shown = {spot.get("data-action") for spot in spots}
        assert {text for text in texts if not text.startswith("bet")} <= shown
        assert viewer >= 0 or not shown


@EVERY
def test_stakes_are_drawn_open_only_to_those_who_may_see_them(setting):
    for s, viewer, _, root in drawn(setting):
        known = [i for i in range(setting.seats) if s.stake[i] >= 0]
        if s.node == Node.BET:
            known = [i for i in known if i == viewer]
        shown = {i for i in ids(root, "coals-stake-") if i.endswith("open")}
        assert shown == {f"coals-stake-{i}-open" for i in known}


@EVERY
def test_the_odds_of_a_devil_are_written_in_full(setting):
    for s, _, _, root in drawn(setting):
        odds = next(el for el in root.iter() if el.get("id") == "coals-odds")
        left = int(s.furnace.sum())
        percent = round(100 * int(s.furnace[DEVIL]) / left) if left else 0
        assert f"{percent}%" in "".join(odds.itertext())


def test_the_devil_sleeps_until_somebody_is_burnt():
    for s, _, _, root in drawn(SETTINGS[0]):
        mood = "sulk" if s.node == Node.OVER else "wild" if s.busted.any() else "sleep"
        assert ids(root, "coals-devil-") == [f"coals-devil-{mood}"]


def test_names_are_escaped_and_cut_to_fit():
    assert any("Player <0>" in "".join(root.itertext()) for _, _, _, root in drawn(SETTINGS[0]))
    s = SETTINGS[0].start()
    view = GAME.ui.look(s, WATCHER)
    root = checked(GAME.ui.draw(view, [], lambda _: "Maximilian the Magnificent"))
    names = [el.text for el in root.iter() if el.get("class") == "place-name"]
    assert names == ["Maximilian…"] * 2


@EVERY
def test_a_pennant_flies_by_the_goal_and_says_what_it_is(setting):
    for s, _, _, root in drawn(setting):
        pennant = next(el for el in root.iter() if el.get("id") == "coals-goal")
        assert pennant[0].text == f"The game ends when somebody owns {int(s.goal)}"
        x, y = map(float, re.findall(r"[\d.]+", pennant.get("transform"))[:2])
        assert 14 < x < 586
        assert 26 < y < 350


def test_the_tally_has_a_pip_for_each_piece_of_a_full_furnace():
    setting = next(one for one in SETTINGS if dict(one.options).get("furnace"))
    for _, _, _, root in drawn(setting):
        pips = [el.get("d") or "" for el in root.iter() if (el.get("class") or "")[:3] == "pip"]
        assert sum(d.count("M") for d in pips) == sum(dict(setting.options)["furnace"])


def test_the_winner_is_marked_with_more_than_a_face():
    over = [root for s, _, _, root in drawn(SETTINGS[0]) if s.node == Node.OVER]
    assert over
    assert all("winner" in classes(root) for root in over)


@pytest.mark.parametrize("marks", [2, 6, 12])
def test_the_track_goes_once_round_the_arch(marks):
    spaces = bounds(marks)
    assert len(spaces) == 2 * marks + 1
    assert spaces[0][0] == 0
    assert spaces[-1][1] == pytest.approx(ARCH_LENGTH)
    assert all(a[1] == b[0] for a, b in pairwise(spaces))


@pytest.mark.parametrize(
    "spaces", [(2,) * 6, (0,) * 6, (11,) * 6, (12,) * 6, (24,) * 6, tuple(range(6))]
)
def test_pawns_that_share_a_space_all_show_their_heads(spaces):
    marks = (*range(60, 160, 10), 200, 1600)
    spots = [pawn(marks, spaces, seat)[1] for seat in range(6)]
    places = {spot.split('transform="translate(')[1].split(")")[0] for spot in spots}
    heads = sorted(tuple(map(float, place.split())) for place in places)
    assert len(heads) == 6
    gaps = [max(abs(a[0] - b[0]), abs(a[1] - b[1])) for a in heads for b in heads if a != b]
    assert min(gaps) > 9
    assert all(8 <= x <= 592 and 26 <= y <= 360 for x, y in heads)


@pytest.mark.parametrize("space", [0, 2, 4, 6, 8, 10, 12])
def test_pawns_stand_above_a_marks_number_and_do_not_cover_it(space):
    marks = (200, 300, 500, 800, 1200, 1600)
    words = "0–50" if not space else str(marks[space // 2 - 1])
    label = re.search(rf'<text [^>]*y="([-0-9.]+)"[^>]*>{words}<', str(track(marks)))
    assert label
    digits, edge = 14, 7  # units: the height of a digit, what of a pawn is below its place
    for seat in range(6):
        lowest, _ = pawn(marks, (space,) * 6, seat)
        assert lowest + edge <= float(label[1]) - digits
