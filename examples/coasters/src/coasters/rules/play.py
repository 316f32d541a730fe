"""What decisions and outcomes do in COASTERS, what chance may bring, and who wins."""

from collections.abc import Mapping
from typing import Any

from coasters.rules.piles import hand, known_after_turning, on_the_table, take_back, top
from coasters.rules.state import (
    BID,
    DROP,
    EACH,
    LAY,
    NO,
    NOBODY,
    NOTHING,
    PASS,
    SKULL,
    TURN,
    UNSURE,
    YES,
    Node,
    State,
)
from diablerie.engine.compile import Floats, Ints, rule
from diablerie.engine.shared_rules import who_begins


def start(seats: int, options: Mapping[str, Any]) -> State:
    """Everybody has all coasters in hand (B1)."""
    s = State.zero()
    s.node = Node.FIRST
    s.seats = seats
    s.goal = options["points"]
    s.wake = options["wake"]
    s.coasters[:seats] = EACH
    s.skull[:seats] = s.known[:seats] = YES
    s.pile[:] = NOTHING
    s.bidder = s.last_turner = s.last_skull = s.winner = NOBODY
    return s


@rule
def chance(s: State, out: Ints, p: Floats) -> int:
    """The verb: who begins (B2), or which coaster is lost (B12)."""
    if s.node == Node.FIRST:
        return who_begins(s.seats, out, p)
    n = 0
    for kind in range(2):
        count = hand(s, s.turn, kind)
        if count > 0:
            out[n] = kind
            p[n] = count / s.coasters[s.turn]
            n += 1
    return n


# -- what happens ------------------------------------------------------------------------------


@rule
def apply(s: State, seat: int, action: int) -> None:
    """The verb."""
    if s.node == Node.FIRST:
        begin_round(s, action)
    elif s.node == Node.LOT:
        lose(s, action)
    elif s.node == Node.DROP:
        lose(s, action - DROP)
    elif s.node == Node.TURN:
        turn_over(s, action - TURN)
    elif action < PASS:
        lay(s, action - LAY)
    else:
        bid(s, action - BID)


@rule
def begin_round(s: State, seat: int) -> None:
    """B3."""
    s.first = s.turn = seat
    s.node = Node.LAY


@rule
def next_in(s: State, seat: int) -> int:
    """B2: the next seat that is still in the game, and in the bidding (B7)."""
    for i in range(1, s.seats):
        other = int((seat + i) % s.seats)
        if s.coasters[other] > 0 and not s.passed[other]:
            return other
    return seat


@rule
def lay(s: State, kind: int) -> None:
    """B3."""
    s.pile[s.turn, s.laid[s.turn]] = kind
    s.laid[s.turn] += 1
    s.turn = next_in(s, s.turn)


@rule
def bid(s: State, n: int) -> None:
    """B6 to B8: a bid, or 0 for passing."""
    s.node = Node.BID
    if n:
        s.bid = n
        s.bidder = s.turn
    else:
        s.passed[s.turn] = 1
    s.turn = next_in(s, s.turn)
    if s.turn == s.bidder or s.bid == on_the_table(s):
        s.turn = s.bidder
        s.node = Node.TURN


@rule
def turn_over(s: State, pile: int) -> None:
    """B9 to B12. An unknown coaster of a redacted record passes for a flower."""
    kind = top(s, pile)
    s.turned[pile] += 1
    known_after_turning(s, pile, kind)
    done = 0
    for i in range(s.seats):
        done += int(s.turned[i])
    if kind == SKULL:
        end_turning(s, pile)
        if pile == s.turn:
            s.node = Node.DROP
        else:
            take_back(s)
            s.node = Node.LOT
    elif done == s.bid:
        end_turning(s, NOBODY)
        score(s)


@rule
def end_turning(s: State, skull: int) -> None:
    """What is kept of a round for log and page."""
    s.last_turner = s.turn
    s.last_bid = s.bid
    s.last_skull = skull
    for i in range(s.seats):
        s.last_turned[i] = s.turned[i]


@rule
def score(s: State) -> None:
    """B10, B16."""
    s.points[s.turn] += 1
    take_back(s)
    if s.points[s.turn] == s.goal:
        s.winner = s.turn
        s.node = Node.OVER
    else:
        begin_round(s, s.turn)


@rule
def lose(s: State, kind: int) -> None:
    """B11 to B15. Unless all see it, nobody is sure any more of a skull that was there."""
    seat = int(s.turn)
    take_back(s)
    s.coasters[seat] -= 1
    if kind == SKULL:
        s.skull[seat] = NO
    if s.wake and kind == SKULL:
        s.known[seat] = NO
    elif not s.wake and s.known[seat] == YES:
        s.known[seat] = UNSURE
    if s.coasters[seat] == 0:
        s.skull[seat] = s.known[seat] = NO
        leave(s, seat)
    else:
        begin_round(s, seat)


@rule
def leave(s: State, seat: int) -> None:
    """B15, B17."""
    left = 0
    for i in range(s.seats):
        left += int(s.coasters[i] > 0)
    after = next_in(s, seat) if s.last_skull == seat else int(s.last_skull)
    begin_round(s, after)
    if left == 1:
        s.winner = after
        s.node = Node.OVER


@rule
def returns(s: State, out: Floats) -> None:
    """The verb: B17."""
    for i in range(s.seats):
        out[i] = 1.0 if i == s.winner else -1.0 / (s.seats - 1)
