"""`Features`: how a game's record is to be read by a seat, as numbers for learning.

A game may name one in its package `policy` as `FEATURES` (`games/NAME/policy/features.py` of ours).
Without it learning reads the fields of the record as they are. Features say nothing of what is
hidden: the reader redacts the record first, and derived numbers use only what the seat may know.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

Turn = Callable[[int, int], tuple[int, int]]


def around(seats: int, seat: int) -> tuple[int, int]:
    """The turn of what is by seat: the first `seats` entries go round, beginning with `seat`."""
    return seat, seats


@dataclass(frozen=True)
class Derived:
    """What a seat makes of a position before it judges it: a few numbers, each with a name.

    write: a rule that writes them, as write(s, seat, out): out is float32, at least so many. It
    reads nothing but what the seat may know, so that a redacted record gives the same, and
    counts from the seat, so that no number tells which seat it is.
    """

    names: tuple[str, ...]
    write: Callable[[Any, int, Any], None]


@dataclass(frozen=True)
class Features:
    """What the fields of a record mean to a seat; fields not named are taken as they are.

    A turn is (shift, n), from the number of seats and the seat: the first n entries go round by
    `shift`, so that the seat's own come first; of numbers, those below n.
    """

    by_seat: frozenset[str] = frozenset()  # arrays whose first axis is the seats
    seats: frozenset[str] = frozenset()  # numbers of seats (negative ones stay)
    seat_bits: frozenset[str] = frozenset()  # masks with a bit for each seat
    by_place: Mapping[str, int] = field(default_factory=dict)  # arrays; entries to a place
    places: frozenset[str] = frozenset()  # numbers of places
    place: Turn = around  # how places (colours, say) go round
    # Other masks, and how many bits they have (an i64 that is no mask but a number: 1)
    bits: Mapping[str, int] = field(default_factory=dict)
    skip: frozenset[str] = frozenset()  # what only log and page use, or follows from the rest
    derived: Derived | None = None  # what learnt values read; None: the observation as it is
    last_loses: bool = False  # one loses and the others win, rather than the other way round
