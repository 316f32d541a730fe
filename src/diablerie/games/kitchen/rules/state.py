"""The record of KITCHEN, what its fields mean, and look-ups on it: whose is what, who is left."""

from enum import IntEnum
from itertools import permutations
from typing import Annotated

import numpy as np

from diablerie.engine.compile import rule
from diablerie.engine.record import Grid, Record, Row, i8, i16, record
from diablerie.games.kitchen.rules.board import CELLS, GRILL, GRILL_BITS, SPACES

DEVILS = 3  # K1, of each colour
SIGNS = 4  # pots of each colour; pot p of colour c is pot 4c+p
POTS = 16
CARDS = (0, 1, 3, 5)  # K1: milk and three dishes
MENU_SUM = sum(CARDS)
MILK = 0
GOAL = 10  # K32
LAST_TURN = 500  # K33

# K2: a wing is 0 points. Outcome k is a roll of DICE[k], with WEIGHTS[k] of 36.
WING = 0
DICE = ((1, 1), (1, 2), (1, 3), (1, 0), (2, 2), (2, 3), (2, 0), (3, 3), (3, 0), (0, 0))
WEIGHTS = (4, 8, 4, 4, 4, 4, 4, 1, 2, 1)
# Outcomes of a burst of presses
QUIET = 0
JUMP = 1
PATIENCE = 8  # K3: he jumps one time in so many, unless the option says otherwise

NONE = -1  # no devil
# In place of the cell of a devil
LOST = -1  # out by K24
BANISHED = -2  # out by K31
# In place of the cell of a pot
HAND = -1  # not placed yet
ABSENT = -2  # nobody plays with it
# In place of the value of a card
UNSET = -1  # not assigned yet
SECRET = -2  # assigned, but not for the viewer's eyes

# Actions, in the order of the rule file: the 24 menus; pot by pot the 24 spaces; devil by devil,
# cell by cell a move (a step, or with two wings a flight) with no load or one of 16; and three
# single ones. These are the first of each kind.
MENUS = np.array(list(permutations(CARDS)), np.int8)
POT = len(MENUS)
MOVE = POT + SIGNS * len(SPACES)
LOADS = POTS + 1  # load 0 is none, load 1 + p is pot p
END = MOVE + DEVILS * CELLS * LOADS
FIGHT = END + 1
REFUSE = END + 2
ACTIONS = END + 3
OUTCOMES = len(DICE)


class Node(IntEnum):
    """What is decided next."""

    MENU = 0
    FIRST = 1
    POT = 2
    ROLL = 3
    MOVE = 4
    DEFEND = 5
    STOVE = 6
    OVER = 7


class Survivor(IntEnum):
    """Option: what happens when a single player has devils left (K33)."""

    WINS = 0
    POINTS = 1  # the game ends, and the most points win
    PLAYS_ON = 2


class Duel(IntEnum):
    """How the duel that the record remembers stands. The next move forgets it."""

    NONE = 0
    ASKED = 1
    FOUGHT = 2
    REFUSED = 3
    WON = 4  # by the attacker
    LOST = 5


@record
class State(Record):
    """One position. Arrays of length 4 are by colour (also [4, 3], devils), of 16 by pot."""

    node: i8
    seats: i8
    turn: i8  # the seat whose turn it is
    first: i8  # the seat that began
    stove: i8  # option: a press makes the Oberteufel jump 1 time in so many (K3)
    homing: i8  # option: 1, a devil may step back onto its own start (K14)
    survivor: i8  # option: see Survivor
    points: i8  # points left (K13)
    extra: i8  # 1: `mover` has the point of K22
    wings: i8  # 1: a flight may be made (K16)
    obliged: i8  # the devil that has to walk on (K15), or NONE
    mover: i8  # the devil that moved last
    duel: i8  # see Duel; the next four tell whose it is or was
    attacker: i8  # seat,
    fighter: i8  # and its devil
    foe_colour: i8  # the challenged devil's colour
    foe: i8  # and number
    burst: i16  # the burst of presses to come, or the one that decided: 1, 2, 3 …
    turns: i16  # turns ended
    dice: Annotated[Row, i8, 2]  # the last roll
    devil: Annotated[Grid, i8, 4, 3]  # cell, LOST or BANISHED
    cap: Annotated[Grid, i8, 4, 3]
    pot: Annotated[Row, i8, 16]  # cell, HAND or ABSENT; on a grill it is delivered
    card: Annotated[Row, i8, 16]  # value, UNSET or SECRET
    score: Annotated[Row, i8, 4]  # delivered value
    winner: Annotated[Row, i8, 4]  # by seat, when the game is over


# -- whose is what -----------------------------------------------------------------------------


@rule
def colour_of(s: State, seat: int) -> int:
    """K7: two players sit opposite."""
    return 2 * int(seat) if s.seats == 2 else int(seat)


@rule
def seat_of(s: State, colour: int) -> int:
    """The seat that plays a colour; `seats` for the neutral devils of three players (K12)."""
    return colour // 2 if s.seats == 2 else colour


@rule
def mine(s: State) -> int:
    """The colour whose turn it is."""
    return colour_of(s, s.turn)


@rule
def neutral(s: State) -> bool:
    """Whether the challenged devil belongs to nobody (K12)."""
    return seat_of(s, int(s.foe_colour)) >= s.seats


@rule
def defender(s: State) -> int:
    """The seat that presses for the challenged devil: its owner, or for a neutral one K26."""
    if neutral(s):
        return (int(s.attacker) + 1) % s.seats
    return seat_of(s, int(s.foe_colour))


# -- devils ------------------------------------------------------------------------------------


@rule
def devils_left(s: State, colour: int) -> int:
    """Devils of a colour still in play."""
    n = 0
    for d in range(DEVILS):
        n += int(s.devil[colour, d] >= 0)
    return n


@rule
def players_left(s: State) -> int:
    """Players with devils."""
    n = 0
    for seat in range(s.seats):
        n += int(devils_left(s, colour_of(s, seat)) > 0)
    return n


@rule
def guarded(s: State, colour: int, but: int) -> int:
    """Bit mask of the cells where devils of a colour stand, devil `but` left out."""
    mask = 0
    for d in range(DEVILS):
        if d != but and s.devil[colour, d] >= 0:
            mask |= 1 << int(s.devil[colour, d])
    return mask


@rule
def opposed(s: State, colour: int) -> int:
    """Bit mask of the cells where devils of all other colours stand."""
    mask = 0
    for c in range(4):
        if c != colour:
            mask |= guarded(s, c, -1)
    return mask


@rule
def spared(s: State, colour: int, d: int) -> bool:
    """K24: whether a player's devil that loses a duel goes to its start, and not out."""
    return s.cap[colour, d] == 1 or devils_left(s, colour) == 1


# -- pots --------------------------------------------------------------------------------------


@rule
def pots_on(s: State, at: int) -> int:
    """Bit mask of the pots on a cell."""
    mask = 0
    for pot in range(POTS):
        mask |= int(s.pot[pot] == at) << pot
    return mask


@rule
def delivered(s: State, pot: int) -> bool:
    """Whether a pot stands on a grill."""
    return s.pot[pot] >= 0 and GRILL_BITS >> int(s.pot[pot]) & 1 == 1


@rule
def held_up(s: State, colour: int) -> bool:
    """K28: whether this colour, with two own pots delivered and no other, can deliver no own."""
    own = 0
    all_in = 0
    for pot in range(POTS):
        here = int(s.pot[pot] == GRILL[colour])
        all_in += here
        own += here * int(pot // SIGNS == colour)
    return own == 2 and all_in == 2
