"""`Features`: what the fields of a game's record mean, for observations and learnt policies.

A game may define one as `FEATURES` in its package `policy` (ours do so in
`games/NAME/policy/features.py`). Without it observations have the fields of the record as they are.
Features reveal nothing hidden: the record is redacted before it is encoded, and derived numbers use
only what the seat may know.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

Turn = Callable[[int, int], tuple[int, int]]


def around(seats: int, seat: int) -> tuple[int, int]:
    """The rotation (shift, n) of what is by seat: `seat` comes first, then those after it."""
    return seat, seats


@dataclass(frozen=True)
class Derived:
    """Numbers that a game derives from a position for a seat: inputs of its policy network.

    write: a rule write(s, seat, out); out: float32, with at least an entry for each name. It reads
    only what the seat may know, so a redacted record gives the same numbers, and counts seats from
    the seat, so the same function serves every seat.
    """

    names: tuple[str, ...]
    write: Callable[[Any, int, Any], None]


@dataclass(frozen=True)
class Features:
    """The meaning of a record's fields; fields that are not named are encoded as they are.

    A turn is a rotation (shift, n), made from the number of seats and the seat: the first n entries
    rotate by `shift`, so that the seat's own come first.
    """

    by_seat: frozenset[str] = frozenset()  # arrays whose first axis is the seats
    seats: frozenset[str] = frozenset()  # numbers of seats (negative ones stay)
    seat_bits: frozenset[str] = frozenset()  # masks with a bit for each seat
    by_place: Mapping[str, int] = field(default_factory=dict)  # arrays; entries to a place
    places: frozenset[str] = frozenset()  # numbers of places
    place: Turn = around  # how places (colours, say) go round
    # Other masks, and how many bits they have (an i64 that is no mask but a number: 1)
    bits: Mapping[str, int] = field(default_factory=dict)
    # The least and the greatest value of a field's numbers; where it is not named, of its type
    ranges: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    skip: frozenset[str] = frozenset()  # what only log and page use, or follows from the rest
    derived: Derived | None = None  # None: nothing
