"""The record of UNDERWORLD and what its fields mean, and the board.

The board has 49 spaces numbered row by row: space 7r+c is row r+1, column c+1. A set of spaces is
an int64 with bit i for space i.
"""

from enum import IntEnum
from typing import Annotated

from diablerie.engine.compile import rule
from diablerie.engine.record import Record, Row, i8, i16, i64, record

LETTERS = 6
ALL_LETTERS = 63  # U26: A to F
# Cards 0 to 35 are letters: six times the colour plus the letter (U3). The others:
DEVIL = 36
TOWER = 37
KINDS = 38  # of cards
OUTCOMES = KINDS + 1  # a deal has one more: the unseen card
DEVILS = 4  # U3
TOWERS = 2  # U3
PEGS = 4  # U4
APART = 4  # U6: the least distance between two disks
REVEALS = 2  # U8
HAND = 4  # U21: so many cards are rearranged at most
TURNS = 600  # U29: the last one
IDLE = 60  # U29: turns in a row without a card turned up or a letter taken

NOTHING = -2  # no card lies there
UNSEEN = -1  # a card whose identity is not in this record
ABSENT = -1  # the disk of someone who has not placed it yet, or has left


class Why(IntEnum):
    """What a card's identity is asked for."""

    NOTHING = 0
    TURNED = 1  # U11
    PEEKED = 2  # U15
    REVEALED = 3  # U8


class Node(IntEnum):
    """What is decided next."""

    FIRST = 0
    PLACE = 1
    TURN = 2
    CARD = 3
    ONWARD = 4
    HOLDER = 5
    LOSE = 6
    TOWER = 7
    PEEK = 8
    SWAP1 = 9
    SWAP2 = 10
    TAKE = 11
    LAY = 12
    DEAL = 13
    GIFT = 14
    REVEAL = 15
    OVER = 16


@record
class State(Record):
    """One position. Length 6 is by seat (a seat's number is its colour), 49 by space.

    A card face down whose identity nobody has a right to know has none: `card` says UNSEEN, and
    `loose` holds what it may turn out to be.
    """

    node: i8
    seats: i8
    may: i8  # option gift = may
    first: i8  # who placed first
    turn: i8  # whose turn it is
    todo: i8  # cards still to turn by a player who has left; cards taken in a rearrangement
    fresh: i8  # a card was turned up or a letter taken in this turn (U29)
    idle: i8  # turns in a row without
    turns: i16  # turns ended
    last: i8  # the space (or letter lost) chosen before, where several are chosen
    spot: i8  # the card being drawn at `card`
    why: i8  # and what for, see Why
    hit: i8  # who chooses letters to lose
    struck: i8  # who met a second devil in the last turn, or -1: for the picture
    pegs: i8  # devils on the face
    devil: Annotated[Row, i8, 6]  # 1: possessed
    letters: Annotated[Row, i8, 6]  # bit i: the i-th letter is held
    disk: Annotated[Row, i8, 6]  # space, or ABSENT
    gone: Annotated[Row, i8, 6]  # 1 for the first who left, …; 0 while in the game
    card: Annotated[
        Row, i8, 49
    ]  # NOTHING, UNSEEN, or which; at a space without `up` and `down` NOTHING
    known: Annotated[
        Row, i8, 49
    ]  # bit mask of those who have looked at the card that lies face down there
    hand: Annotated[Row, i8, 4]  # at `deal`: the cards left to deal, ascending, UNSEEN first
    loose_devils: i8
    loose_towers: i8
    loose: i64  # letters that are neither face up nor fixed, by card
    up: i64  # spaces with a card face up
    down: i64  # spaces with a card face down
    taken: i64  # spaces of the cards to rearrange
    laid: i64  # spaces to lay them on; at `deal` those that wait for a card
    moved: i64  # spaces where cards were swapped or laid in the last turn: for the picture
    letter_up: Annotated[Row, i64, 6]  # of the cards face up, those with this letter
    colour_up: Annotated[Row, i64, 6]  # and those of this colour


SIDE = 7
SPACES = SIDE * SIDE  # U1
FACE = 24  # U1: the devil's face, in the middle
IVY = (1, 5, 21, 27, 43, 47)  # U2
BOARD = (1 << SPACES) - 1
FACE_BIT = 1 << FACE
DEALT = BOARD & ~FACE_BIT & ~sum(1 << i for i in IVY)  # U5: where cards lie at first
LEFT_EDGE = sum(1 << (SIDE * row) for row in range(SIDE))
RIGHT_EDGE = LEFT_EDGE << (SIDE - 1)
NOT_LEFT = BOARD & ~LEFT_EDGE
NOT_RIGHT = BOARD & ~RIGHT_EDGE


@rule
def bit(space: int) -> int:
    """The set of one space."""
    return 1 << int(space)


@rule
def size(spaces: int) -> int:
    """How many spaces are in a set."""
    n = 0
    while spaces:
        spaces &= spaces - 1
        n += 1
    return n


@rule
def above(space: int) -> int:
    """The spaces of greater index."""
    return BOARD & ~((2 << int(space)) - 1)


@rule
def index(space_bit: int) -> int:
    """The space that is alone in its set."""
    n = 0
    for shift in (32, 16, 8, 4, 2, 1):
        if space_bit >> shift:
            space_bit >>= shift
            n += shift
    return n


@rule
def first(spaces: int) -> int:
    """The least index of a set that is not empty: as many spaces are below it."""
    return size((spaces & -spaces) - 1)


@rule
def without_last(spaces: int) -> int:
    """A set without its greatest index; empty stays empty."""
    return spaces & ~bit(index(spaces)) if spaces else 0


@rule
def spread(spaces: int) -> int:
    """All spaces one orthogonal step away from the set."""
    across = (spaces & NOT_RIGHT) << 1 | (spaces & NOT_LEFT) >> 1
    return (across | spaces << SIDE | spaces >> SIDE) & BOARD


@rule
def flood(start: int, passable: int) -> int:
    """`start` and all spaces connected with it by steps over passable ones."""
    seen = start
    edge = start
    while edge:
        edge = spread(edge) & passable & ~seen
        seen |= edge
    return seen


@rule
def distance(a: int, b: int) -> int:
    """Rows plus columns between two spaces (U6)."""
    return abs(a // SIDE - b // SIDE) + abs(a % SIDE - b % SIDE)
