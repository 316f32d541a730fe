"""The picture: everything that may be done is a spot in it, and it tells what comes of it."""

import re
import xml.etree.ElementTree as ET
from types import SimpleNamespace

import pytest

from diablerie.engine import verbs
from diablerie.engine.queries import legal_actions, redacted
from diablerie.engine.record import copy, same
from diablerie.engine.rng import seeded
from diablerie.engine.text import ENGLISH, render_line
from diablerie.engine.verbs import OVER, WATCHER
from diablerie.games import ALL
from diablerie.games.underworld.rules.notation import ACTION_TEXTS
from diablerie.games.underworld.rules.state import Node
from diablerie.games.underworld.ui.drawing import around
from diablerie.games.underworld.ui.drawing.around import LONGEST_BESIDE_NOTE, _state_words
from diablerie.testing.positions import GameSetting, choose_action
from diablerie.web.people.language import texts
from tests.games.underworld.boards import board, names
from tests.languages import LANGUAGES
from tests.scripts import play, refused

GAME = ALL["underworld"]
SVG = "{http://www.w3.org/2000/svg}"
CHOOSING = (Node.SWAP1, Node.SWAP2, Node.TAKE, Node.LAY)


def legal(s, seat):
    return [ACTION_TEXTS.format(a) for a in legal_actions(GAME, s, seat)]


def picture(s, viewer):
    seen = redacted(s, viewer)
    view = GAME.ui.look(seen, viewer)
    words = lambda line: render_line(line, ENGLISH, lambda seat: f"Seat{int(seat)}")  # noqa: E731
    return ET.fromstring(GAME.ui.draw(view, legal(s, viewer), words))


def spots(root):
    return [e for e in root.iter() if e.get("data-action")]


def titles(root, action):
    found = [e for e in spots(root) if e.get("data-action") == action]
    return [t.text for e in found for t in e.findall(f"{SVG}title")]


def after(s, text):
    """The state after these decisions, or None if one of them is forbidden."""
    s = copy(s)
    for step in text.split("; "):
        seat = verbs.actor(s)
        if seat < 0 or verbs.forbids(s, seat, ACTION_TEXTS.parse(step)):
            return None
        verbs.apply(s, seat, ACTION_TEXTS.parse(step))
    return s


@pytest.mark.parametrize("seats", [2, 4, 6])
def test_every_legal_decision_is_a_spot_and_every_choice_afresh_leads_where_it_says(seats):
    rng, s = seeded(seats), GameSetting("underworld", seats, (("gift", "may"),)).start()
    nodes, turn = set(), copy(s)
    while verbs.actor(s) != OVER and len(nodes) < 13:
        if s.node == Node.TURN:
            turn = copy(s)
        seat = verbs.actor(s)
        if seat >= 0 and (s.node not in nodes or s.node in CHOOSING):
            nodes.add(int(s.node))
            check(s, turn, seat)
        verbs.apply(s, *choose_action(GAME, s, rng, False))
    assert {Node.PLACE, Node.TURN, Node.SWAP1, Node.SWAP2, Node.TAKE, Node.LAY} <= nodes


def check(s, turn, seat):
    found = {e.get("data-action"): e for e in spots(picture(s, seat))}
    afresh = {text for text, e in found.items() if e.get("data-afresh") is not None}
    reached = [after(turn, text) for text in afresh]
    assert None not in reached
    for text in legal(s, seat):
        wanted = after(s, text)
        assert text in found or any(same(wanted, other) for other in reached)
        assert text in found or s.node not in CHOOSING or text == "done"


def test_a_spot_says_before_one_goes_there_what_happens():
    match = board(
        3, "0 at w2", "0 possessed", "0 holds ACEF", "devil up at w3", "1 at x4", "2 at u6",
        "2 possessed", "B0 up at y2", "D3 up at v2", "tower up at z1", "C4 up at t3",
        "D0 down at x2 seen by 0",
    )  # fmt: skip
    root = picture(match.state, 0)
    assert titles(root, "move w3") == ["To w3: a second devil! You lose two letters"]
    assert titles(root, "move x4") == ["Seat1: –", "To x4: give Seat1 your devil"]
    assert "To u6: a second devil for Seat2!" in titles(root, "move u6")
    assert titles(root, "move y2") == ["To y2: take your B"]
    assert titles(root, "move v2") == ["To v2: D stops you"]
    assert titles(root, "move z1") == ["To z1: the tower"]
    assert titles(root, "move t3") == ["To t3: stay there"]
    assert titles(root, "move x2") == ["To x2: stay on the face-down card"]
    free = board(2, "0 at w2", "0 holds ACEFB", "D0 down at x2 seen by 0", "D2 down at v2",
                 "devil up at w3")  # fmt: skip
    root = picture(free.state, 0)
    assert titles(root, "move x2") == ["To x2: take your D and leave!"]
    assert titles(root, "move v2") == ["To v2: reveal the card"]
    assert titles(root, "move w3") == ["To w3: take a devil"]


def test_the_buttons_say_the_same_as_the_spots():
    match = board(2, "0 at w2", "0 possessed", "devil up at w3", "1 at x4")
    root, moves = picture(match.state, 0), 0
    for action in legal_actions(GAME, match.state, 0):
        line, text = str(GAME.ui.label(match.state, 0, action)), ACTION_TEXTS.format(action)
        if text.startswith("move") and text != "move x4":
            assert line in titles(root, text)
            moves += 1
    assert moves > 3


def test_an_illegal_space_can_be_tried_too():
    match = board(2, "0 at w2", "1 at w3")
    found = {e.get("data-action"): e.get("class") for e in spots(picture(match.state, 0))}
    assert len([text for text in found if text.startswith("move")]) == 49
    assert "can" not in str(found["move z7"]).split()
    play(match, "0 swap, 0 exchange v2")
    found = {e.get("data-action"): e.get("class") for e in spots(picture(match.state, 0))}
    assert "can" not in str(found["with w3"]).split()
    assert refused(match, "with w3", 0) == "U19"


def test_a_looked_at_card_is_shown_to_its_viewer_alone():
    match = board(3, "D5 down at x2 seen by 0")
    letters = {
        viewer: sum(e.text == "D" for e in picture(match.state, viewer).iter(f"{SVG}text"))
        for viewer in (WATCHER, 0, 1, 2)
    }
    assert letters[0] == letters[1] + 1
    assert letters[1] == letters[2] == letters[WATCHER]
    seen = "Seat0 has looked at this card"
    for viewer in (WATCHER, 0, 1, 2):
        assert seen in [e.text for e in picture(match.state, viewer).iter(f"{SVG}title")]


def test_ids_do_not_tell_whether_a_card_was_fixed():
    plain, fixed = board(2), board(2, "devil down at w3")
    for viewer in (WATCHER, 0, 1):
        a, b = (ET.tostring(picture(m.state, viewer)) for m in (plain, fixed))
        assert a == b


def test_the_letters_everyone_needs_are_at_a_glance():
    match = board(2, "0 holds ACE", "B0 up at w3")
    root = picture(match.state, 1)
    place = next(e for e in root.iter() if e.get("id") == "uw-player-0")
    held = [e.get("id") for e in place.iter() if str(e.get("id")).startswith("uw-letter")]
    assert held == ["uw-letter-0-A", "uw-letter-0-C", "uw-letter-0-E"]
    assert [e.text for e in place.iter(f"{SVG}title")] == ["B lies face up at w3"]


def test_daybreak_is_announced_while_it_draws_near():
    match = board(2)
    text = ET.tostring(picture(match.state, 0), encoding="unicode")
    assert "42 cards to daybreak" in text
    match.state.idle = 55
    text = ET.tostring(picture(match.state, 0), encoding="unicode")
    assert "daybreak in 5 turns" in text
    assert "Day breaks in 5 turns" in str(GAME.ui.prompt(match.state, 0))


def test_a_second_devil_is_an_event():
    match = board(2, "0 at w2", "0 possessed", "0 holds ABC", "devil up at w3")
    play(match, "0 move w3")
    shocked = [e for e in picture(match.state, 1).iter() if e.get("data-enter") == "shock"]
    assert [e.get("id") for e in shocked] == ["uw-struck-0"]
    assert {"lose A", "lose B"} <= {e.get("data-action") for e in spots(picture(match.state, 0))}


def test_no_text_that_must_be_read_is_too_small_for_a_phone():
    match = board(6, "0 holds ABC", "1 left")
    texts = list(picture(match.state, 0).iter(f"{SVG}text"))
    assert len(texts) > 10
    for e in texts:
        small = e.get("class") == "peg-letter"  # on the disks; the players' places show them large
        assert small or e.get("class") == "margin" or float(str(e.get("font-size"))) >= 17


def test_cards_laid_anew_make_an_entrance():
    match = board(2, "0 possessed")
    play(match, "0 rearrange, 0 take w7, 0 take x7, 0 lay u1, 0 lay y1, deal unseen, deal unseen")
    assert names(int(match.state.moved)) == ["u1", "y1"]
    entering = [e.get("id") for e in picture(match.state, 0).iter() if e.get("data-enter") == "fly"]
    assert [i for i in entering if str(i).startswith("uw-down")] == ["uw-down-u1-1", "uw-down-y1-1"]


def test_a_picture_is_small_enough_to_send_after_every_move():
    match = board(6, "0 possessed", "0 holds ABC")
    svg = ET.tostring(picture(match.state, 0))
    assert len(svg) < 100_000
    assert not re.search(rb"style=", svg)


@pytest.mark.parametrize("language", ["en", *LANGUAGES])
def test_a_players_name_and_what_became_of_the_player_fit_side_by_side(language):
    room = (282 - 42) / 9.4  # pixels between the two ends, and of a letter
    for node, left, possessed in (("over", 0, False), ("over", 3, False), ("turn", 0, True)):
        view = SimpleNamespace(node=node, seats=[SimpleNamespace(left=left, possessed=possessed)])
        words = render_line(_state_words(view, 0), texts(language), str)
        assert LONGEST_BESIDE_NOTE + len(words) <= room, words


@pytest.mark.parametrize("down", [0, 2, 21, 42])
@pytest.mark.parametrize("count", ["42 cards to daybreak", "42 Karten bis zum Tagesanbruch"])
def test_neither_sun_nor_stars_stand_behind_the_count(down: int, count: str) -> None:
    drawn = str(around._night(down, None, lambda _: count))
    sun = float(re.search(r"translate\(([\d.]+) [\d.]+\)\" id=\"uw-sun", drawn)[1])  # type: ignore[index]
    stars = [float(x) for x in re.findall(r'<circle cx="(\d+)"[^>]*class="star"', drawn)]
    assert bool(stars) == (down > 20)
    assert max(sun + 19, *stars, 0) <= 586 - 11.5 * len(count)
