"""Positions of KITCHEN drawn as text, and play by script.

    kitchen('''
        y12  .    .    .    .    v123
        .    b    .    .    g    .
        .    .    #    #    .    .
        .    .    #    y3yS .    .
        .    v    .    .    y    .
        .    .    .    .    .    b12-3
    ''')

A cell holds devils, as the letter of their colour and their numbers (with `-` after a number: no
cap), and pots, as the letters of colour and sign: F, E, B, S hold milk, 1, 3 and 5 in all menus.
Devils not drawn are out of the game, pots not drawn are still in hand. A grill is written with its
colour's letter, and pots on it are served. `g1n` is a neutral green devil, in a game for three.
"""

import re

from diablerie.engine.match import Match
from diablerie.engine.queries import redacted
from diablerie.engine.record import Record
from diablerie.engine.verbs import CHANCE
from diablerie.games.kitchen.rules.board import GRILLS, NAMES
from diablerie.games.kitchen.rules.notation import COLOUR_NAMES, SIGN_NAMES
from diablerie.games.kitchen.rules.state import CARDS, LOST, SIGNS, Node, colour_of
from tests.scripts import opening, play

LETTERS = {name[0]: c for c, name in enumerate(COLOUR_NAMES)}
SIGN_LETTERS = {name[0].upper(): sign for sign, name in enumerate(SIGN_NAMES)}
EMPTY = """
    y123 .    .    .    .    v123
    .    b    .    .    g    .
    .    .    #    #    .    .
    .    .    #    #    .    .
    .    v    .    .    y    .
    g123 .    .    .    .    b123
"""


def kitchen(
    drawing: str = EMPTY, points: int = 0, *, turn: int = 0, wings: bool = False, **options: object
) -> Match:
    """A match at the move of a seat; 2 to 4 seats by the colours drawn."""
    cells = drawing.split()
    assert len(cells) == len(NAMES)
    match = opening("kitchen", _seats(drawing), **options)
    s = match.state
    s.node, s.turn, s.points, s.wings = Node.MOVE, turn, points, wings
    for seat in range(match.seats):
        s.card[SIGNS * colour_of(s, seat) :][:SIGNS] = CARDS
        s.devil[colour_of(s, seat)] = LOST
        s.cap[colour_of(s, seat)] = 0
    if match.seats == 3:
        s.devil[3] = LOST
    for at, text in enumerate(cells):
        _fill(s, at, text)
    return match


def _seats(drawing: str) -> int:
    drawn = {letter for letter in LETTERS if re.search(rf"\b{letter}\d|\d-?{letter}\d", drawing)}
    if drawn <= {"y", "b"}:
        return 2
    neutral = re.search(r"g[12]n", drawing)
    return 3 if neutral or "g" not in drawn else 4


def _fill(s: Record, at: int, text: str) -> None:
    for letter, numbers in re.findall(r"([yvbg])((?:\d-?)+)", text):
        for number, bare in re.findall(r"(\d)(-?)", numbers):
            s.devil[LETTERS[letter], int(number) - 1] = at
            s.cap[LETTERS[letter], int(number) - 1] = not bare
    if re.search(r"g\dn", text):
        s.cap[3] = 0
    for letter, sign in re.findall(r"([yvbg])([FEBS])", text):
        pot = SIGNS * LETTERS[letter] + SIGN_LETTERS[sign]
        s.pot[pot] = at
        if at in GRILLS:
            s.score[GRILLS.index(at)] += CARDS[pot % SIGNS]


def does(match: Match, *script: str) -> Match:
    """The match after this script (see tests.scripts); decisions are the mover's by default."""
    for line in script:
        for text in re.split(r"\s*,\s*", line):
            chance = match.actor == CHANCE
            play(match, text if chance or text[0].isdigit() else f"{match.actor} {text}")
    return match


def may(match: Match, text: str) -> bool:
    """Whether the actor may do this now."""
    return text in match.legal()


def targets(match: Match, devil: int) -> set[str]:
    """The cells a devil may go to now."""
    return {t.split()[2] for t in match.legal() if t.startswith(f"go {devil} ")}


def at(match: Match, colour: str, devil: int) -> str | None:
    """Where a devil is: a cell, or None when it is out."""
    cell = int(match.state.devil[LETTERS[colour[0]], devil - 1])
    return NAMES[cell] if cell >= 0 else None


def pot_at(match: Match, pot: str) -> str:
    """Where a pot is, `pot` as in the drawings."""
    return NAMES[match.state.pot[SIGNS * LETTERS[pot[0]] + SIGN_LETTERS[pot[1]]]]


def capped(match: Match, colour: str, devil: int) -> bool:
    """Whether a devil wears its cap."""
    return bool(match.state.cap[LETTERS[colour[0]], devil - 1])


def cards(match: Match, viewer: int) -> list[int]:
    """All menu cards as a viewer may know them."""
    return [int(card) for card in redacted(match.state, viewer).card]
