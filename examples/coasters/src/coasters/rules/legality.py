"""Whose decision it is in COASTERS, what may be decided, and which clause forbids the rest."""

from coasters.rules.piles import hand, on_the_table
from coasters.rules.state import (
    ACTIONS,
    BID,
    DROP,
    FLOWER,
    LAY,
    PASS,
    TURN,
    Node,
    State,
)
from diablerie.engine import verbs
from diablerie.engine.compile import Ints, rule

CHANCE = verbs.CHANCE
OVER = verbs.OVER
OUT_OF_TURN = (2, 3, 7, 8, 11, 12, 17)  # by node, the clause that says whose turn it is


@rule
def actor(s: State) -> int:
    """The verb."""
    if s.node == Node.OVER:
        return OVER
    return CHANCE if s.node == Node.FIRST or s.node == Node.LOT else int(s.turn)


@rule
def pending(s: State) -> int:
    """The verb."""
    who = actor(s)
    return 1 << who if who >= 0 else 0


# -- what may be done --------------------------------------------------------------------------


@rule
def forbids(s: State, seat: int, action: int) -> int:
    """The verb."""
    if actor(s) != seat:
        return OUT_OF_TURN[s.node]
    if action < PASS:
        return forbids_laying(s, seat, action - LAY)
    if action == PASS:
        return 0 if s.node == Node.BID else 7
    if action < TURN:
        return forbids_bid(s, action - BID)
    if action < DROP:
        return forbids_turning(s, seat, action - TURN)
    if s.node != Node.DROP:
        return 11
    return 11 if action - DROP == FLOWER and s.coasters[seat] == 1 else 0


@rule
def forbids_laying(s: State, seat: int, kind: int) -> int:
    """B3, B4, B7."""
    if s.node != Node.LAY:
        return 7
    return 0 if hand(s, seat, kind) > 0 else 4


@rule
def forbids_bid(s: State, n: int) -> int:
    """B5 to B7."""
    if s.node != Node.LAY and s.node != Node.BID:
        return 8
    for seat in range(s.seats):
        if s.coasters[seat] > 0 and s.laid[seat] == 0:
            return 5
    if n > on_the_table(s):
        return 6
    return 7 if n <= s.bid else 0


@rule
def forbids_turning(s: State, seat: int, pile: int) -> int:
    """B9."""
    if s.node != Node.TURN:
        return 9
    if pile >= s.seats or s.turned[pile] == s.laid[pile]:
        return 9
    return 9 if pile != seat and s.turned[seat] < s.laid[seat] else 0


@rule
def legal(s: State, seat: int, out: Ints) -> int:
    """The verb: what `forbids` allows."""
    n = 0
    for action in range(ACTIONS):
        if forbids(s, seat, action) == 0:
            out[n] = action
            n += 1
    return n
