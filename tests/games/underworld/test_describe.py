"""UNDERWORLD in words: every card, disk, letter and devil that may be seen, and no other."""

import re

from diablerie.games.underworld.rules.notation import LETTER_NAMES, SPACE_NAMES
from diablerie.games.underworld.rules.state import ABSENT, DEVIL, FACE, IVY, LETTERS, SPACES
from diablerie.games.underworld.ui.log import card_name
from tests.games.told import Told, all_told


def test_every_space_is_told_with_all_that_is_on_it():
    kinds = set()
    for told in all_told("underworld"):
        places = told.places
        for i in range(SPACES):
            assert set(places[SPACE_NAMES[i]].split(", ")) == expected(told, i)
            kinds |= expected(told, i)
    for kind in ("a card face down", "ivy", "the devil’s face", "empty", "a devil", "a tower"):
        assert kind in kinds


def expected(told: Told, i: int) -> set[str]:
    s, here = told.s, set[str]()
    if i == FACE:
        here |= {"the devil’s face", f"{s.pegs} devil" + "s" * (s.pegs != 1)}
    if i in IVY:
        here.add("ivy")
    card = int(s.card[i])
    if s.up >> i & 1:
        here.add(str(card_name(s, card)))
    if s.down >> i & 1:
        here.add(f"{card_name(s, card)} face down" if card >= 0 else "a card face down")
        looked = (seat for seat in range(s.seats) if s.known[i] >> seat & 1)
        here |= {f"player {seat + 1} has looked at this card" for seat in looked}
    here |= {f"player {seat + 1}’s disk" for seat in range(s.seats) if s.disk[seat] == i}
    return here or {"empty"}


def test_a_card_face_down_is_told_only_to_who_has_looked_at_it():
    told_apart = set()
    for told in all_told("underworld"):
        if told.viewer < 0:
            continue
        for name, what in told.places.items():
            if re.fullmatch("[t-z][1-7]", name) and "face down" in what:
                looked = f"player {told.viewer + 1} has looked at this card" in what
                named = "a card face down" not in what
                assert looked == named
                told_apart.add(named)
    assert told_apart == {True, False}


def test_every_player_is_told_with_disk_letters_and_devil():
    for told in all_told("underworld"):
        s = told.s
        for i in range(s.seats):
            lines = told.sections[f"player {i + 1}"]
            held = [LETTER_NAMES[k] for k in range(LETTERS) if s.letters[i] >> k & 1]
            assert ("has " + " ".join(held) in lines) == bool(held)
            assert ("possessed" in lines) == bool(s.devil[i])
            assert (f"out: number {s.gone[i]}" in lines) == bool(s.gone[i])
            if s.disk[i] != ABSENT:
                assert f"The disk: at {SPACE_NAMES[s.disk[i]]}" in lines


def test_what_nobody_has_seen_is_counted():
    for told in all_told("underworld"):
        s, text = told.s, " ".join(told.sections["Now"])
        loose = sum(int(s.loose) >> c & 1 for c in range(DEVIL)) + s.loose_devils + s.loose_towers
        assert (f"Not seen yet: {loose} card" in text) == bool(loose)
