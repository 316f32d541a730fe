"""The coasters of COASTERS: in hand, in piles, turned, taken back."""

from coasters.rules.state import FLOWER, NO, NOBODY, NOTHING, SKULL, YES, State
from diablerie.engine.compile import rule


@rule
def hand(s: State, seat: int, kind: int) -> int:
    """How many coasters of a kind a seat has in hand, for whoever may know it (B4)."""
    skulls = int(s.skull[seat] == YES)
    owned = skulls if kind == SKULL else s.coasters[seat] - skulls
    for k in range(s.laid[seat]):
        owned -= int(s.pile[seat, k] == kind)
    return int(owned)


@rule
def on_the_table(s: State) -> int:
    """B6: how many coasters are laid."""
    count = 0
    for seat in range(s.seats):
        count += int(s.laid[seat])
    return count


@rule
def top(s: State, seat: int) -> int:
    """B9: what the next coaster to be turned of a pile is."""
    return int(s.pile[seat, s.laid[seat] - s.turned[seat] - 1])


@rule
def known_after_turning(s: State, seat: int, kind: int) -> None:
    """What everybody knows now: a skull that was seen, or that all coasters left are flowers."""
    if kind == SKULL:
        s.known[seat] = YES
    elif kind == FLOWER and s.turned[seat] == s.coasters[seat]:
        s.known[seat] = NO


@rule
def take_back(s: State) -> None:
    """B14: the table is cleared, and so are the bids."""
    s.bid = 0
    s.bidder = NOBODY
    for seat in range(s.seats):
        s.laid[seat] = s.turned[seat] = s.passed[seat] = 0
        for k in range(len(s.pile[seat])):
            s.pile[seat, k] = NOTHING
