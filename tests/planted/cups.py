"""CUPS, a game made to plant mistakes into: dice rolled in secret, bids on their sum, bluffing.

Each rolls a die of four faces under a cup. In turn they bid higher on the sum of all dice, until
somebody doubts a bid: whoever was wrong loses a chip, and everybody rolls anew. Without chips one
is out; the last one wins. `cups()` is the game as it should be, `cups(verb=…)` one with a mistake.
"""

from enum import IntEnum
from typing import Annotated, Any

import numpy as np

from diablerie.engine import verbs
from diablerie.engine.game import Game, Length
from diablerie.engine.notation import Texts
from diablerie.engine.record import Record, Row, i8
from diablerie.engine.rng import below
from diablerie.engine.shared_rules import winner_takes_all
from diablerie.engine.text import SeatRef, say
from diablerie.values.features import Features
from tests.planted.making import make

SEATS, FACES, CHIPS, NO_DIE, SECRET = 3, 4, 2, 0, -1
DOUBT = SEATS * FACES  # the last action; the others are bids, less one
WORDS = Texts([*(f"bid {n + 1}" for n in range(DOUBT)), "doubt"], "“bid” or “doubt”")
ACTIONS, OUTCOMES = DOUBT + 1, FACES
ROLLS = Texts([f"rolls {face}" for face in range(1, FACES + 1)])


class Node(IntEnum):
    ROLL, BID, OVER = range(3)


class Layout(Record):
    node: i8
    seats: i8
    turn: i8
    first: i8  # who begins the bidding
    bid: i8  # the highest, 0 if there is none
    bidder: i8
    die: Annotated[Row, i8, 3]
    chips: Annotated[Row, i8, 3]
    last_sum: i8  # of the last round


def begin(s: Any) -> None:
    s.chips[: s.seats] = CHIPS


def longest(seats: int, options: Any) -> Length:
    rounds = seats * CHIPS - 1
    return Length(rounds * (FACES * seats + 1), rounds * seats)


def actor(s: Any) -> int:
    if s.node == Node.OVER:
        return verbs.OVER
    return verbs.CHANCE if s.node == Node.ROLL else int(s.turn)


def pending(s: Any) -> int:
    return 1 << int(s.turn) if s.node == Node.BID else 0


def highest(s: Any) -> int:
    return FACES * sum(1 for i in range(s.seats) if s.chips[i])


def forbids(s: Any, seat: int, action: int) -> int:
    if not pending(s) >> seat & 1:
        return 1
    if action == DOUBT:
        return 0 if s.bid else 2
    return 0 if s.bid < action + 1 <= highest(s) else 3


def legal(s: Any, seat: int, out: Any) -> int:
    n = 0
    for action in range(DOUBT + 1):
        if forbids(s, seat, action) == 0:
            out[n] = action
            n += 1
    return n


def chance(s: Any, out: Any, p: Any) -> int:
    out[:FACES], p[:FACES] = range(FACES), 1 / FACES
    return FACES


def following(s: Any, seat: int) -> int:
    """The next seat with a chip."""
    others = [(seat + i) % s.seats for i in range(1, s.seats + 1)]
    return next(int(other) for other in others if s.chips[other])


def apply(s: Any, seat: int, action: int) -> None:
    if s.node == Node.ROLL:
        s.die[s.turn] = action + 1
        s.turn = following(s, s.turn)
        if s.die[s.turn] != NO_DIE:
            s.node, s.turn = Node.BID, s.first
    elif action == DOUBT:
        doubt(s)
    else:
        s.bid, s.bidder = action + 1, s.turn
        s.turn = following(s, s.turn)


def doubt(s: Any) -> None:
    s.last_sum = s.die[:].sum()
    loser = int(s.bidder if s.last_sum < s.bid else s.turn)
    s.chips[loser] -= 1
    s.bid, s.bidder, s.die[:] = 0, 0, NO_DIE
    s.first = s.turn = loser if s.chips[loser] else following(s, loser)
    s.node = Node.ROLL if np.count_nonzero(s.chips) > 1 else Node.OVER


def returns(s: Any, out: Any) -> None:
    winner_takes_all(s.chips, int(s.seats), out)


def witness(s: Any) -> int:
    return 1 << int(s.turn) if s.node == Node.ROLL else verbs.EVERYONE


def redact(s: Any, seat: int) -> None:
    for i in range(s.seats):
        if i != seat and s.die[i] != NO_DIE:
            s.die[i] = SECRET


def guess(s: Any, seat: int, rng: Any) -> None:
    for i in range(s.seats):
        if s.die[i] == SECRET:
            s.die[i] = 1 + below(rng, FACES)


def expected(s: Any, seat: int) -> int:
    """The sum that `seat` may expect."""
    others = highest(s) // FACES - 1
    return int(s.die[seat]) + (FACES + 1) * others // 2


def bid_or_doubt(s: Any, limit: int) -> int:
    """One more than is bid, up to a limit, else doubt."""
    return DOUBT if s.bid and s.bid >= min(limit, highest(s)) else int(s.bid)


def advise(s: Any, seat: int, rng: Any) -> int:
    bluff = int(below(rng, 8) == 0)
    return bid_or_doubt(s, expected(s, seat) + bluff)


def value(s: Any, out: Any) -> None:
    share = s.chips[: s.seats] / s.chips.sum()
    out[: s.seats] = (share * s.seats - 1) / (s.seats - 1)


def format_action(s: Any, seat: int, action: int) -> str:
    return WORDS.format(action)


def parse_action(s: Any, seat: int, text: str) -> int:
    return WORDS.parse(text)


def format_outcome(s: Any, outcome: int) -> str:
    return ROLLS.format(outcome)


def parse_outcome(s: Any, text: str) -> int:
    return ROLLS.parse(text)


def narrate(before: Any, seat: int, action: int | None, after: Any, viewer: int) -> list[Any]:
    who = SeatRef(before.turn)
    if action is None:
        return [say("{who} rolls a die.", who=who)]
    if before.node == Node.ROLL:
        return [say("{who} rolls {n}.", who=who, n=action + 1)]
    if action == DOUBT:
        return [say("{who} doubts; the sum is {n}.", who=who, n=int(after.last_sum))]
    return [say("{who} bids {n}.", who=who, n=action + 1)]


def label(s: Any, seat: int, action: int) -> Any:
    return say("Doubt") if action == DOUBT else say("Bid {n}", n=action + 1)


TEXT = "**V1** In turn.\n**V2** Doubt a bid.\n**V3** Bid higher, and what the dice can show.\n"
FIELDS = {"clauses": "V"}
FEATURES = Features(by_place={"die": 1, "chips": 1})


def cups(**planted: Any) -> Game:
    """The game, with these functions in place of its own."""
    return make(globals(), planted)
