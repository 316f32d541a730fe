"""The notation of KITCHEN.

menu 5 0 3 1        the cards of flame, eye, bone, star
pot eye c4          an own pot is placed
go 2 c4             devil 2 steps (or, after two wings, flies) to c4
go 2 c4 blue-eye    and takes that pot along
end   fight   refuse
first 0   roll 2 wing   quiet   jump
"""

from collections.abc import Sequence
from itertools import product

from diablerie.engine.notation import TableNotation, Texts
from diablerie.engine.text import say
from diablerie.games.kitchen.rules.board import NAMES, SPACES
from diablerie.games.kitchen.rules.state import DEVILS, DICE, MENUS, WING, Node

COLOUR_NAMES = ("yellow", "violet", "blue", "green")
SIGN_NAMES = ("flame", "eye", "bone", "star")
POT_NAMES = tuple(f"{colour}-{sign}" for colour in COLOUR_NAMES for sign in SIGN_NAMES)


def _roll_text(faces: Sequence[int]) -> str:
    return "roll " + " ".join("wing" if face == WING else str(face) for face in faces)


# By number, in the order of `state`.
ACTION_TEXTS = Texts(
    (
        *("menu " + " ".join(map(str, menu)) for menu in MENUS),
        *(f"pot {sign} {NAMES[to]}" for sign, to in product(SIGN_NAMES, SPACES)),
        *(
            f"go {devil + 1} {to} {pot}".strip()
            for devil, to, pot in product(range(DEVILS), NAMES, ("", *POT_NAMES))
        ),
        "end",
        "fight",
        "refuse",
    ),
    say(
        "“menu” and four cards, “pot” with sign and place, “go” with devil, place and pot, "
        "“end”, “fight” or “refuse”"
    ),
)
NOTATION = TableNotation(
    ACTION_TEXTS,
    {
        Node.FIRST: Texts(("first 0", "first 1", "first 2", "first 3")),
        Node.ROLL: Texts(tuple(_roll_text(faces) for faces in DICE)),
        Node.STOVE: Texts(("quiet", "jump")),
    },
)
