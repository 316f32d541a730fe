"""What a sensible player of COASTERS does: bids on odds, lays a skull now and then, and bluffs.

Nothing but what the seat may know is asked: the own pile, and what everybody knows of the others.
"""

from coasters.policy.odds import hazard, safe_own, success
from coasters.rules.legality import forbids_bid
from coasters.rules.piles import hand, on_the_table
from coasters.rules.state import (
    BID,
    DROP,
    FLOWER,
    LAY,
    PASS,
    SKULL,
    TURN,
    Node,
    State,
)
from diablerie.engine.compile import rule
from diablerie.engine.rng import Rng, unit

TRAP = 0.45  # how often a skull is laid where a flower could be
OPENING = 0.5  # the odds at which one opens the bidding
COST = (9.0, 1.5, 0.5, 0.3, 0.2)  # of losing a coaster, by coasters left: a point is worth 1
BIDDER = 0.55  # how often a bidder succeeds
TRAPPED = 0.35  # how often with one's skull on the table
BLUFF = 0.12  # how often one raises in the hope that others will


@rule
def advise(s: State, seat: int, rng: Rng) -> int:
    """The verb."""
    if s.node == Node.TURN:
        return TURN + pile_to_turn(s, seat, rng)
    if s.node == Node.DROP:
        return DROP + (FLOWER if s.coasters[seat] > 2 else SKULL)
    if s.node == Node.BID:
        return raise_or_pass(s, seat, rng)
    return open_or_lay(s, seat, rng)


@rule
def open_or_lay(s: State, seat: int, rng: Rng) -> int:
    """Open with what is likely enough to be reached, else lay."""
    held = hand(s, seat, FLOWER) + hand(s, seat, SKULL)
    if forbids_bid(s, 1) == 0:
        n = likely(s, seat, OPENING)
        if held == 0:
            return BID + max(1, n)
        if n > safe_own(s, seat) or unit(rng) < 0.25 * (n > 0):
            return BID + n
    return LAY + kind_to_lay(s, seat, rng)


@rule
def likely(s: State, seat: int, odds: float) -> int:
    """The highest number one reaches with at least these odds, 0 if none."""
    n = on_the_table(s)
    while n > 0 and success(s, seat, n) < odds:
        n -= 1
    return n


@rule
def kind_to_lay(s: State, seat: int, rng: Rng) -> int:
    """A skull now and then, while there is the choice."""
    if hand(s, seat, SKULL) == 0:
        return FLOWER
    if hand(s, seat, FLOWER) == 0:
        return SKULL
    return SKULL if unit(rng) < TRAP else FLOWER


@rule
def raise_or_pass(s: State, seat: int, rng: Rng) -> int:
    """The smallest higher bid, if that is worth more than to let the bidder try."""
    n = s.bid + 1
    if forbids_bid(s, n):
        return PASS
    p = success(s, seat, n)
    raised = p * stake(s, seat) - (1.0 - p) * COST[s.coasters[seat]]
    threat = BIDDER if p > 0.0 else TRAPPED
    passed = -threat * stake(s, int(s.bidder)) / (s.seats - 1)
    if raised > passed or (n < on_the_table(s) and unit(rng) < BLUFF):
        return BID + int(n)
    return PASS


@rule
def stake(s: State, seat: int) -> float:
    """What a point is worth to a seat: the last one is worth twice as much."""
    return 2.0 if s.points[seat] + 1 == s.goal else 1.0


@rule
def pile_to_turn(s: State, seat: int, rng: Rng) -> int:
    """B9: the own pile first, then the least dangerous; of equal ones, any."""
    if s.turned[seat] < s.laid[seat]:
        return seat
    best = seat
    least = 2.0
    for i in range(s.seats):
        if s.turned[i] < s.laid[i]:
            danger = hazard(s, i, int(s.turned[i])) + 0.001 * unit(rng)
            if danger < least:
                best = i
                least = danger
    return best
