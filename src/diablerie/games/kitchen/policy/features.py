"""What of the record of KITCHEN a seat reads, and from where it counts."""

from diablerie.games.kitchen.policy.derived import DERIVED
from diablerie.games.kitchen.rules.state import DEVILS, SIGNS
from diablerie.values.features import Features

COLOURS = 4


def colours(seats: int, seat: int) -> tuple[int, int]:
    """K7, K12: the colours begin with the seat's own; two players sit opposite."""
    return (2 * seat, COLOURS) if seats == 2 else (seat, seats)


FEATURES = Features(
    by_seat=frozenset({"winner"}),
    seats=frozenset({"turn", "first", "attacker"}),
    by_place={"devil": DEVILS, "cap": DEVILS, "pot": SIGNS, "card": SIGNS, "score": 1},
    places=frozenset({"foe_colour"}),
    place=colours,
    derived=DERIVED,
)
