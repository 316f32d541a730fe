"""The rules of COASTERS: compiled functions on the record, by clause."""

from collections.abc import Mapping
from typing import Any

from numpy.typing import NDArray

from coasters.rules.piles import hand, known_after_turning, on_the_table, take_back, top
from coasters.rules.state import (
    ACTIONS,
    BID,
    DROP,
    EACH,
    FLOWER,
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
from diablerie.engine import verbs
from diablerie.engine.chances import who_begins
from diablerie.engine.compile import rule
from diablerie.engine.record import Record

CHANCE, OVER = verbs.CHANCE, verbs.OVER
OUT_OF_TURN = (2, 3, 7, 8, 11, 12, 17)  # by node, the clause that says whose turn it is


def start(seats: int, options: Mapping[str, Any]) -> Record:
    """Everybody has all coasters in hand (B1)."""
    s: Record = State.zero()  # type: ignore[attr-defined]
    s.node, s.seats = Node.FIRST, seats
    s.goal, s.wake = options["points"], options["wake"]
    s.coasters[:seats] = EACH
    s.skull[:seats] = s.known[:seats] = YES
    s.pile[:] = NOTHING
    s.bidder = s.last_turner = s.last_skull = s.winner = NOBODY
    return s


# -- whose decision ----------------------------------------------------------------------------


@rule
def actor(s: Record) -> int:
    """The verb."""
    if s.node == Node.OVER:
        return OVER
    return CHANCE if s.node == Node.FIRST or s.node == Node.LOT else int(s.turn)


@rule
def pending(s: Record) -> int:
    """The verb."""
    who = actor(s)
    return 1 << who if who >= 0 else 0


# -- what may be done --------------------------------------------------------------------------


@rule
def forbids(s: Record, seat: int, action: int) -> int:
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
def forbids_laying(s: Record, seat: int, kind: int) -> int:
    """B3, B4, B7."""
    if s.node != Node.LAY:
        return 7
    return 0 if hand(s, seat, kind) > 0 else 4


@rule
def forbids_bid(s: Record, n: int) -> int:
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
def forbids_turning(s: Record, seat: int, pile: int) -> int:
    """B9."""
    if s.node != Node.TURN:
        return 9
    if pile >= s.seats or s.turned[pile] == s.laid[pile]:
        return 9
    return 9 if pile != seat and s.turned[seat] < s.laid[seat] else 0


@rule
def legal(s: Record, seat: int, out: NDArray[Any]) -> int:
    """The verb: what `forbids` allows."""
    n = 0
    for action in range(ACTIONS):
        if forbids(s, seat, action) == 0:
            out[n] = action
            n += 1
    return n


@rule
def chance(s: Record, out: NDArray[Any], p: NDArray[Any]) -> int:
    """The verb: who begins (B2), or which coaster is lost (B12)."""
    if s.node == Node.FIRST:
        return who_begins(s.seats, out, p)
    n = 0
    for kind in range(2):
        count = hand(s, s.turn, kind)
        if count > 0:
            out[n], p[n] = kind, count / s.coasters[s.turn]
            n += 1
    return n


# -- what happens ------------------------------------------------------------------------------


@rule
def apply(s: Record, seat: int, action: int) -> None:
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
def begin_round(s: Record, seat: int) -> None:
    """B3."""
    s.first = s.turn = seat
    s.node = Node.LAY


@rule
def next_in(s: Record, seat: int) -> int:
    """B2: the next seat that is still in the game, and in the bidding (B7)."""
    for i in range(1, s.seats):
        other = int((seat + i) % s.seats)
        if s.coasters[other] > 0 and not s.passed[other]:
            return other
    return seat


@rule
def lay(s: Record, kind: int) -> None:
    """B3."""
    s.pile[s.turn, s.laid[s.turn]] = kind
    s.laid[s.turn] += 1
    s.turn = next_in(s, s.turn)


@rule
def bid(s: Record, n: int) -> None:
    """B6 to B8: a bid, or 0 for passing."""
    s.node = Node.BID
    if n:
        s.bid, s.bidder = n, s.turn
    else:
        s.passed[s.turn] = 1
    s.turn = next_in(s, s.turn)
    if s.turn == s.bidder or s.bid == on_the_table(s):
        s.turn = s.bidder
        s.node = Node.TURN


@rule
def turn_over(s: Record, pile: int) -> None:
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
def end_turning(s: Record, skull: int) -> None:
    """What is kept of a round for log and page."""
    s.last_turner, s.last_bid, s.last_skull = s.turn, s.bid, skull
    for i in range(s.seats):
        s.last_turned[i] = s.turned[i]


@rule
def score(s: Record) -> None:
    """B10, B16."""
    s.points[s.turn] += 1
    take_back(s)
    if s.points[s.turn] == s.goal:
        s.winner = s.turn
        s.node = Node.OVER
    else:
        begin_round(s, s.turn)


@rule
def lose(s: Record, kind: int) -> None:
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
def leave(s: Record, seat: int) -> None:
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
def returns(s: Record, out: NDArray[Any]) -> None:
    """The verb: B17."""
    for i in range(s.seats):
        out[i] = 1.0 if i == s.winner else -1.0 / (s.seats - 1)
