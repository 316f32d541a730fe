"""What of the record of UNDERWORLD a seat reads, and from where it counts.

A seat's number is its colour, so cards keep their numbers: the seat itself is told beside them.
"""

from diablerie.games.underworld.policy.derived import DERIVED
from diablerie.games.underworld.rules.board import SPACES
from diablerie.games.underworld.rules.state import DEVIL, LETTERS
from diablerie.values.features import Features

FEATURES = Features(
    by_seat=frozenset({"devil", "letters", "disk", "gone"}),
    seats=frozenset({"first", "turn", "hit"}),
    seat_bits=frozenset({"known"}),
    bits={
        "letters": LETTERS,
        "loose": DEVIL,
        "up": SPACES,
        "down": SPACES,
        "taken": SPACES,
        "laid": SPACES,
    },
    skip=frozenset({"moved", "struck", "letter_up", "colour_up"}),
    derived=DERIVED,
    last_loses=True,
)
