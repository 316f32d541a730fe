"""The record of COASTERS and what its fields mean."""

from enum import IntEnum
from typing import Annotated

from diablerie.engine.record import Grid, Record, Row, i8, record

SEATS = 4
EACH = 4  # B1
NOBODY = -1

# What is on the underside of a coaster; in a pile, too:
FLOWER = 0
SKULL = 1
HIDDEN = 2  # not for the viewer's eyes
NOTHING = 3  # no coaster here
# Whether a skull is still owned
NO = 0
YES = 1
UNSURE = 2

# Actions: LAY + kind, PASS, BID + number from 1, TURN + seat, DROP + kind.
LAY = 0
PASS = 2
BID = 2
MOST = SEATS * EACH  # the highest bid there can be
TURN = BID + MOST + 1
DROP = TURN + SEATS
ACTIONS = DROP + 2
OUTCOMES = SEATS


class Node(IntEnum):
    """What is decided next."""

    FIRST = 0  # chance: who begins
    LAY = 1  # lay a coaster, or open the bidding
    BID = 2
    TURN = 3
    DROP = 4  # which coaster to lose
    LOT = 5  # chance: which coaster is lost
    OVER = 6


@record
class State(Record):
    """One position. Arrays of length 4 are by seat."""

    node: i8
    seats: i8
    goal: i8  # option points
    wake: i8  # option
    turn: i8  # who decides, or loses
    first: i8  # who began the round
    bid: i8  # the highest, 0 if there is none
    bidder: i8  # who made it
    coasters: Annotated[Row, i8, 4]  # not lost, in hand or laid
    skull: Annotated[
        Row, i8, 4
    ]  # whether the skull is among them: NO, YES; UNSURE: not for the viewer's eyes
    known: Annotated[Row, i8, 4]  # what everybody knows of that
    laid: Annotated[Row, i8, 4]  # how many lie in front
    pile: Annotated[Grid, i8, 4, 4]  # and what they are, from the bottom
    turned: Annotated[Row, i8, 4]  # how many of them are turned, from the top
    passed: Annotated[Row, i8, 4]
    points: Annotated[Row, i8, 4]
    last_turner: i8  # the last round, for log and page; NOBODY: there was none
    last_bid: i8
    last_skull: i8  # whose skull ended it, NOBODY: it was a success
    last_turned: Annotated[Row, i8, 4]
    winner: i8
