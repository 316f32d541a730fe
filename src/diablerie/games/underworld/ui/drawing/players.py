"""The players under the board: the letters everyone has and still needs, at a glance."""

from functools import cache, lru_cache

from diablerie.art import marks
from diablerie.art.svg import (
    Parted,
    Svg,
    at,
    element,
    group,
    parted,
    path,
    placed,
    rect,
    shortened,
    svg_text,
)
from diablerie.engine.game import Moves, Translate
from diablerie.engine.text import Line, say
from diablerie.games.underworld.rules.notation import LETTER_NAMES
from diablerie.games.underworld.ui.drawing.cards import use
from diablerie.games.underworld.ui.view import Player, View

PLACE_ROW = 84
PLACE_WIDTH = 292
PLACE_HEIGHT = 78
SLOT = 34
LONGEST_NAME = 18  # letters that fit
LONGEST_BESIDE_NOTE = 12


def players_height(view: View) -> int:
    """How much room the players take."""
    return (len(view.seats) + 1) // 2 * PLACE_ROW


def players(view: View, moves: Moves, t: Translate, top: float) -> Parted:
    """Two in a row, by seat."""
    cards = ((space.card, space.name) for space in view.spaces if space.card)
    lying = {(card.colour, card.letter): name for card, name in cards}
    places = []
    for i, own in enumerate(view.seats):
        can = tuple(move for move in moves if move == f"from {i}" or move.startswith("lose "))
        seen = tuple(lying.get((i, letter), "") for letter in LETTER_NAMES)
        words = _state_words(view, i)
        places.append(
            _player(own, i, _state(view, i), t(words) if words else "", can, seen, top, t)
        )
    return parted("g", *places, id="uw-players")


def _state(view: View, i: int) -> str:
    if view.seats[i].left:
        return "out"
    if view.node == "over":
        return "lost"
    return "turn" if view.actor == i else ""


@lru_cache(1024)
def _player(
    own: Player,
    i: int,
    state: str,
    note: str,
    moves: tuple[str, ...],
    seen: tuple[str, ...],
    top: float,
    t: Translate,
) -> Svg:
    """`seen` is where each letter lies for all (or for the viewer) to see."""
    name = shortened(t(say("{who}", who=i)), LONGEST_BESIDE_NOTE if note else LONGEST_NAME)
    ways = {"data_action": f"from {i}", "class_": "spot can"} if f"from {i}" in moves else {}
    # The whole place can be chosen, to take a letter from its owner.
    held = group(
        rect(0, 0, PLACE_WIDTH, PLACE_HEIGHT, "place", rx=9),
        placed(22, 21, marks.token(i, 11)),
        svg_text(42, 27, name, "place-name", 18.5),
        svg_text(282, 27, note, "place-note", 18.5),
        *(_slot(own, i, k, moves, seen[k], t) for k in range(len(LETTER_NAMES))),
        _devil(own, i, t),
        **ways,
    )
    return group(
        held,
        id=f"uw-player-{i}",
        data_player=i,
        class_=f"player-place seat-{i} {state}".strip(),
        transform=at(4 + i % 2 * 300, top + i // 2 * PLACE_ROW),
    )


def _state_words(view: View, i: int) -> Line | None:
    own = view.seats[i]
    if own.left:
        return say("out: no. {n}", "U26", n=own.left)
    if view.node == "over":
        return say("left behind", "U28")
    return say("possessed", "U20") if own.possessed else None


def _slot(own: Player, i: int, k: int, moves: Moves, seen: str, t: Translate) -> Svg:
    """One letter: a peg if it is held, else its outline."""
    letter = LETTER_NAMES[k]
    place = at(10 + k * (SLOT + 5), 37)
    if letter in own.letters:
        return _held(i, letter, f"lose {letter}" in moves, place)
    return missing(seen, letter, t, place)


def _held(i: int, letter: str, losing: bool, place: str) -> Svg:
    action = f"lose {letter}" if losing else None
    return group(
        *peg(letter),
        rect(-2, -2, SLOT + 4, SLOT + 4, "ring-spot", rx=8) if losing else None,
        transform=place,
        id=f"uw-letter-{i}-{letter}",
        data_enter="pop",
        class_="slot spot can" if losing else "slot",
        data_action=action,
        data_light=action,
    )


@cache
def peg(letter: str) -> tuple[Svg, Svg]:
    """A letter in the colour of the seat around it, SLOT wide from its top left corner."""
    return (
        rect(0, 0, SLOT, SLOT, "seat-fill ink-line", rx=6),
        svg_text(SLOT / 2, 25, letter, "seat-text", 23),
    )


def missing(seen: str, letter: str, t: Translate, place: str) -> Svg:
    """Its corner is folded in the owner's colour if the letter lies open somewhere."""
    note = say("{letter} lies face up at {space}", letter=letter, space=seen)
    return group(
        element("title", t(note)) if seen else None,
        rect(1, 1, SLOT - 2, SLOT - 2, "slot-empty", rx=6),
        svg_text(SLOT / 2, 25, letter, "slot-letter", 21),
        path(f"M{SLOT - 12} 0L{SLOT} 0L{SLOT} 12Z", "slot-seen") if seen else None,
        transform=place,
        class_="slot missing",
    )


def _devil(own: Player, i: int, t: Translate) -> Svg | None:
    if not own.possessed:
        return None
    note = element("title", t(say("{who} has a devil", "U20", who=i)))
    return group(
        note,
        placed(266, 70, use("head-wild"), scale=0.26, class_="devil"),
        id=f"uw-possessed-{i}",
        data_enter="shock",
    )
