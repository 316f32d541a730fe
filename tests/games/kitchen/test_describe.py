"""The kitchen in words: every devil and every pot is told where it is, and no secret."""

import re

from diablerie.engine.verbs import EVERYTHING
from diablerie.games.kitchen.rules.board import COLOURS, NAMES
from diablerie.games.kitchen.rules.notation import COLOUR_NAMES, SIGN_NAMES
from diablerie.games.kitchen.rules.state import (
    ABSENT,
    DEVILS,
    HAND,
    POTS,
    SIGNS,
    Duel,
    Node,
    colour_of,
    seat_of,
)
from tests.games.told import Told, all_told

POT = re.compile(r"the (\w+) (\w+) pot(?: with (\w+)(?: points?)?)?")
DEVIL = re.compile(r"Devil (\d) of player (\d)|A neutral devil")


def test_everything_in_the_kitchen_is_told_by_place_and_by_player():
    for told in all_told("kitchen"):
        cells = dict.fromkeys(NAMES, "")
        for line in told.sections["By location"]:
            place, _, what = line.partition(": ")
            if place[:2] in cells:
                cells[place[:2]] = what
        for at, name in enumerate(NAMES):
            assert devils_in(told, cells[name]) == devils_at(told, at), (name, told.sections)
            assert sorted(pots_in(cells[name])) == sorted(pots_at(told, at)), (name, told.sections)
        for c in range(COLOURS):
            told_of_colour(told, c)


def devils_in(told: Told, text: str) -> list[tuple[int, int]]:
    """Seat and number of each devil told of; a neutral one has the seat -1."""
    found = DEVIL.finditer(text)
    return sorted((int(m[2]) - 1, int(m[1]) - 1) if m[1] else (-1, 0) for m in found)


def devils_at(told: Told, at: int) -> list[tuple[int, int]]:
    here = ((c, d) for c in range(COLOURS) for d in range(DEVILS) if told.s.devil[c, d] == at)
    return sorted((seat_of(told.s, c), d) if playing(told, c) else (-1, 0) for c, d in here)


def playing(told: Told, c: int) -> bool:
    seat = seat_of(told.s, c)
    return seat < told.s.seats and colour_of(told.s, seat) == c


def pots_in(text: str) -> list[tuple[int, int]]:
    """Number and content of each pot told of; -1 for what is not told."""
    return [
        (
            COLOUR_NAMES.index(m[1]) * SIGNS + SIGN_NAMES.index(m[2]),
            -1 if m[3] is None else 0 if m[3] == "milk" else int(m[3]),
        )
        for m in POT.finditer(text)
    ]


def pots_at(told: Told, at: int) -> list[tuple[int, int]]:
    s = told.s
    return [(p, max(-1, int(s.card[p]))) for p in range(POTS) if s.pot[p] == at]


def told_of_colour(told: Told, c: int) -> None:
    s, seat = told.s, seat_of(told.s, c)
    if not playing(told, c):
        return
    lines = told.sections[f"player {seat + 1}: {COLOUR_NAMES[c]}"]
    for d in range(DEVILS):
        [line] = [one for one in lines if one.startswith(f"Devil {d + 1}: ")]
        at = int(s.devil[c, d])
        if at < 0:
            assert "out" in line
        else:
            assert f"at {NAMES[at]}," in line
            assert ("with its cap" in line) == bool(s.cap[c, d])
    for pot in range(SIGNS * c, SIGNS * (c + 1)):
        where = [line for line in lines if [p for p, _ in pots_in(line)] == [pot]]
        assert bool(where) == (int(s.pot[pot]) != ABSENT)
        assert not where or where[0].startswith("not on the board") == (int(s.pot[pot]) == HAND)
    if s.node != Node.MENU:
        score = int(s.score[c])
        assert f"{score} point" + "s" * (score != 1) in lines


def test_only_who_filled_a_pot_is_told_what_is_in_it():
    kinds = set()
    for told in all_told("kitchen"):
        for c in range(COLOURS):
            if not playing(told, c) or told.s.node == Node.MENU:
                continue
            seat = seat_of(told.s, c)
            lines = told.sections[f"player {seat + 1}: {COLOUR_NAMES[c]}"]
            for pot, content in pots_in("; ".join(lines)):
                known = told.viewer in (seat, EVERYTHING) or told.s.card[pot] >= 0
                kinds.add((known, content >= 0))
    assert kinds == {(True, True), (False, False)}


def test_a_duel_is_told_with_its_fighters_and_presses():
    seen = 0
    for told in all_told("kitchen"):
        lines = [line for line in told.sections["Now"] if line.startswith("Duel: ")]
        assert bool(lines) == (told.s.duel != Duel.NONE)
        if lines:
            seen += 1
            assert f"Devil {told.s.fighter + 1} of player {told.s.attacker + 1} against" in lines[0]
    assert seen
