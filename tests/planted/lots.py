"""LOTS, a game made to plant mistakes into: a card each, secret bids, a coin for all to see.

`lots()` is the game as it should be; `lots(verb=…)` one with functions of its own in their place,
which the laws have to catch.
"""

from enum import IntEnum
from typing import Annotated, Any

import numpy as np

from diablerie.engine import verbs
from diablerie.engine.game import Game, Length
from diablerie.engine.notation import NotationError
from diablerie.engine.record import Record, Row, i8
from diablerie.engine.rng import below
from diablerie.engine.shared_rules import winner_takes_all
from diablerie.engine.text import SeatRef, say
from tests.planted.making import make

CARDS, NONE, SECRET = 5, -1, -2
WORDS = ["bid 0", "bid 1", "bid 2", "keep", "throw"]
KEEP, THROW = 3, 4
ACTIONS, OUTCOMES = len(WORDS), CARDS


class Node(IntEnum):
    DEAL, BID, COIN, PLAY, OVER = range(5)


class Layout(Record):
    node: i8
    seats: i8
    turn: i8
    card: Annotated[Row, i8, 3]
    bid: Annotated[Row, i8, 3]
    coin: i8
    kept: Annotated[Row, i8, 3]


def actor(s: Any) -> int:
    if s.node in (Node.DEAL, Node.COIN):
        return verbs.CHANCE
    mask = pending(s)
    return next((i for i in range(s.seats) if mask >> i & 1), verbs.OVER)


def pending(s: Any) -> int:
    if s.node == Node.BID:
        return sum(1 << i for i in range(s.seats) if s.bid[i] == NONE)
    return 1 << int(s.turn) if s.node == Node.PLAY else 0


def forbids(s: Any, seat: int, action: int) -> int:
    if not pending(s) >> seat & 1:
        return 1
    return 0 if (action >= KEEP) == (s.node == Node.PLAY) else 2


def legal(s: Any, seat: int, out: Any) -> int:
    found = [a for a in range(len(WORDS)) if forbids(s, seat, a) == 0]
    out[: len(found)] = found
    return len(found)


def chance(s: Any, out: Any, p: Any) -> int:
    found = [0, 1] if s.node == Node.COIN else sorted({*range(CARDS)} - {int(c) for c in s.card})
    out[: len(found)], p[: len(found)] = found, 1 / len(found)
    return len(found)


def apply(s: Any, seat: int, action: int) -> None:
    if s.node == Node.DEAL:
        s.card[s.turn] = action
        s.turn += 1
        if s.turn == s.seats:
            s.node, s.turn = Node.BID, 0
    elif s.node == Node.BID:
        s.bid[seat] = action
        if not pending(s):
            s.node = Node.COIN
    elif s.node == Node.COIN:
        s.coin, s.node = action, Node.PLAY
    else:
        s.kept[seat] = action == KEEP
        s.turn += 1
        if s.turn == s.seats:
            s.node = Node.OVER


def returns(s: Any, out: Any) -> None:
    winner_takes_all(np.where(s.kept[:], s.card[:] + s.coin, 2), int(s.seats), out)


def witness(s: Any) -> int:
    if s.node == Node.DEAL:
        return 1 << int(s.turn)
    return 0 if s.node == Node.BID else verbs.EVERYONE


def redact(s: Any, seat: int) -> None:
    for i in range(s.seats):
        if i != seat and s.card[i] != NONE and s.node != Node.OVER:
            s.card[i] = SECRET
        if i != seat and s.bid[i] != NONE and s.node == Node.BID:
            s.bid[i] = SECRET


def guess(s: Any, seat: int, rng: Any) -> None:
    left = [card for card in range(CARDS) if card not in s.card[: s.seats]]
    for i in range(s.seats):
        if s.card[i] == SECRET:
            s.card[i] = left.pop(below(rng, len(left)))
        if s.bid[i] == SECRET:
            s.bid[i] = below(rng, 3)


def advise(s: Any, seat: int, rng: Any) -> int:
    if s.node == Node.BID:
        return 1
    return KEEP if s.card[seat] + s.coin >= 2 else THROW


def value(s: Any, out: Any) -> None:
    out[:] = 0


def format_action(s: Any, seat: int, action: int) -> str:
    return WORDS[action]


def parse_action(s: Any, seat: int, text: str) -> int:
    if text not in WORDS:
        raise NotationError(text, "a word of the game")
    return WORDS.index(text)


def format_outcome(s: Any, outcome: int) -> str:
    return str(outcome)


def parse_outcome(s: Any, text: str) -> int:
    return int(text)


def narrate(before: Any, seat: int, action: int | None, after: Any, viewer: int) -> list[Any]:
    if before.node == Node.DEAL:
        who = SeatRef(before.turn)
        if action is None:
            return [say("{who} gets a card.", who=who)]
        return [say("{who} gets the {card}.", who=who, card=action)]
    if before.node == Node.COIN:
        return [say("The coin shows {n}.", n=int(after.coin))]
    if action is None:
        return [say("{who} has bid.", who=SeatRef(seat))]
    return [say("{who}: {what}", who=SeatRef(seat), what=WORDS[action])]


def label(s: Any, seat: int, action: int) -> Any:
    return say("{what}", what=WORDS[action])


def longest(seats: int, options: Any) -> Length:
    return Length(2 * seats, seats + 1)


def begin(s: Any) -> None:
    s.card[:], s.bid[:] = NONE, NONE


TEXT = "**Z1** In turn.\n**Z2** Only what there is to do.\n"
FIELDS = {"clauses": "Z", "opened": frozenset({Node.BID})}


def lots(**planted: Any) -> Game:
    """The game, with these functions in place of its own."""
    return make(globals(), planted)
