"""The record of COALS and what its fields mean."""

from enum import IntEnum
from typing import Annotated

from diablerie.engine.record import Grid, Record, Row, i8, i16, i32, record

# The pieces, by kind (C1): coal from the dearest to the cheapest, then the devil
VALUES = (100, 75, 50, 25, 20, 10, 0)
FULL = (2, 3, 7, 9, 9, 9, 9)  # in a full furnace, unless the option says otherwise
KINDS = 7
DEVIL = 6

# Money
UNIT = 10  # C2: every sum is a multiple
BEGIN = 200  # C3
PAY = 50  # C14, C19: a pact's due, a bonus
UNSET = -1  # a stake not made yet
SECRET = -2  # a stake made, but not for the viewer's eyes

# The table
MARKS = 12  # C4: at most so many after 0-50
LAST_MARK = 1600  # the greatest that the last of them can be
LAST_ROUND = 100  # C24, unless the option says fewer

# Actions: 0 to 159 stake that many tens (less than the highest goal, C21), then
PULL = 160
STOP = 161
ACTIONS = 162
OUTCOMES = 7


class Node(IntEnum):
    """What is decided next."""

    FIRST = 0
    BET = 1
    PULL = 2
    COAL = 3
    OVER = 4


@record
class State(Record):
    """One position. Arrays of length 6 are by seat, of length 7 by kind of piece."""

    node: i8
    seats: i8
    turn: i8  # who pulls
    first: i8  # first player of the round
    rounds: i8  # the round being played, 1 to 100
    mouth: i8  # option
    release: i8  # option pact = first_devil
    purses: i8  # option open_purses: views only
    marks: Annotated[Row, i16, 12]  # option track, the rest 0
    furnace: Annotated[Row, i8, 7]  # pieces left
    front: Annotated[Grid, i8, 6, 7]  # pieces in front of each seat
    busted: Annotated[Row, i8, 6]  # turned a devil this round
    pact: Annotated[Row, i8, 6]
    space: Annotated[
        Row, i8, 6
    ]  # where the pawn is: 0 for 0-50, 2i on mark i, 2i-1 on the grey space before
    pieces: Annotated[Row, i8, 6]  # turned and not lost this round
    coal: Annotated[Row, i16, 6]  # and their sum
    stake: Annotated[Row, i32, 6]
    chips: Annotated[Row, i32, 6]  # money not staked
    purse: Annotated[
        Row, i32, 6
    ]  # what of it may pay pacts: that of the reveal less what was paid (C14)
    last_stake: Annotated[Row, i32, 6]  # the last settled round, for log and page
    last_coal: Annotated[Row, i16, 6]
    last_pieces: Annotated[Row, i8, 6]
    last_busted: Annotated[Row, i8, 6]
    gain: Annotated[Row, i32, 6]  # total after it less total before its bets were settled
    goal: i16  # option
    step: i16  # option stakes: every stake is a multiple of it
    limit: i8  # option rounds: the last round that is played
    full: Annotated[Row, i8, 7]  # option furnace: pieces of a full one
