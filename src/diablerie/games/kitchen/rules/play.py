"""The rules of KITCHEN: the verbs, and setting up (K8 to K12)."""

from collections.abc import Mapping
from typing import Any

from numpy.typing import NDArray

from diablerie.engine import verbs
from diablerie.engine.compile import rule
from diablerie.engine.record import Record
from diablerie.engine.utility import winner_takes_all
from diablerie.games.kitchen.rules.board import CELLS, EXITS, PLACE, STARTS
from diablerie.games.kitchen.rules.duel import defender, fight, jump_chance, press, refuse
from diablerie.games.kitchen.rules.lookup import colour_of, mine
from diablerie.games.kitchen.rules.moving import forbids_go, go, legal_steps
from diablerie.games.kitchen.rules.state import (
    ABSENT,
    DEVILS,
    DICE,
    END,
    FIGHT,
    GO,
    HAND,
    JUMP,
    LOADS,
    LOST,
    MENUS,
    NONE,
    OUTCOMES,
    POT,
    QUIET,
    REFUSE,
    SIGNS,
    UNSET,
    WEIGHTS,
    Duel,
    Node,
    State,
)
from diablerie.games.kitchen.rules.turns import end_turn, roll

CHANCE, OVER = verbs.CHANCE, verbs.OVER
SPOTS = len(PLACE)


def start(seats: int, options: Mapping[str, Any]) -> Record:
    """Devils on their starts (K11), pots and cards in hand; neutral devils for three (K12)."""
    s: Record = State.zero()  # type: ignore[attr-defined]
    s.node, s.seats, s.stove = Node.MENU, seats, options["stove"]
    s.obliged = s.mover = NONE
    s.devil[:], s.pot[:], s.card[:] = LOST, ABSENT, UNSET
    for seat in range(seats):
        c = colour_of(s, seat)
        s.devil[c], s.cap[c] = STARTS[c], 1
        s.pot[SIGNS * c : SIGNS * (c + 1)] = HAND
    if seats == 3:
        s.devil[3, :2] = EXITS[3]
    return s


# -- whose decision ----------------------------------------------------------------------------


@rule
def actor(s: Record) -> int:
    """The verb."""
    if s.node == Node.MENU:
        for seat in range(s.seats):
            if choosing(s, seat):
                return seat
    if s.node == Node.POT or s.node == Node.MOVE:
        return int(s.turn)
    if s.node == Node.DEFEND:
        return defender(s)
    return OVER if s.node == Node.OVER else CHANCE


@rule
def choosing(s: Record, seat: int) -> bool:
    """Whether a seat has not assigned its menu yet."""
    return s.card[SIGNS * colour_of(s, seat)] == UNSET


@rule
def pending(s: Record) -> int:  # K8: all at once
    """The verb."""
    if s.node != Node.MENU:
        who = actor(s)
        return 1 << who if who >= 0 else 0
    mask = 0
    for seat in range(s.seats):
        mask |= int(choosing(s, seat)) << seat
    return mask


# -- what may be done --------------------------------------------------------------------------


@rule
def forbids(s: Record, seat: int, action: int) -> int:
    """The verb."""
    if action < POT:
        return 0 if s.node == Node.MENU and choosing(s, seat) else 8
    if action < GO:
        return forbids_pot(s, seat, action - POT)
    if action >= FIGHT:
        return 0 if s.node == Node.DEFEND and seat == defender(s) else 20
    if s.node != Node.MOVE:
        return 13
    if seat != s.turn:
        return 9
    if action == END:
        return 15 if s.obliged != NONE else 0
    step = action - GO
    return forbids_go(s, step // LOADS // CELLS, step // LOADS % CELLS, step % LOADS)


@rule
def forbids_pot(s: Record, seat: int, k: int) -> int:
    """K10: in turn, each pot once, not two of a colour on one place."""
    if s.node != Node.POT or seat != s.turn:
        return 10
    own = SIGNS * colour_of(s, seat)
    if s.pot[own + k // SPOTS] != HAND:
        return 10
    for pot in range(own, own + SIGNS):
        if s.pot[pot] == PLACE[k % SPOTS]:
            return 10
    return 0


@rule
def legal(s: Record, seat: int, out: NDArray[Any]) -> int:
    """The verb."""
    if s.node == Node.MOVE and seat == s.turn:
        n = 0
        for d in range(DEVILS):
            n = legal_steps(s, d, out, n)
        return legal_in(s, seat, END, FIGHT, out, n)
    if s.node == Node.POT:
        return legal_in(s, seat, POT, GO, out, 0)
    if s.node == Node.MENU:
        return legal_in(s, seat, 0, POT, out, 0)
    return legal_in(s, seat, FIGHT, REFUSE + 1, out, 0)


@rule
def legal_in(s: Record, seat: int, low: int, high: int, out: NDArray[Any], n: int) -> int:
    """Append the legal ones among a range of actions."""
    for action in range(low, high):
        if forbids(s, seat, action) == 0:
            out[n] = action
            n += 1
    return n


@rule
def chance(s: Record, out: NDArray[Any], p: NDArray[Any]) -> int:
    """The verb: who begins (K9), a roll (K2), a burst of presses (K21)."""
    if s.node == Node.FIRST:
        for seat in range(s.seats):
            out[seat], p[seat] = seat, 1.0 / s.seats
        return int(s.seats)
    if s.node == Node.ROLL:
        for k in range(OUTCOMES):
            out[k], p[k] = k, WEIGHTS[k] / 36.0
        return OUTCOMES
    jumps = jump_chance(s)
    if jumps >= 1.0:  # so long a burst that the calm is no number any more
        out[0], p[0] = JUMP, 1.0
        return 1
    out[0], p[0] = QUIET, 1.0 - jumps
    out[1], p[1] = JUMP, jumps
    return 2


# -- playing -----------------------------------------------------------------------------------


@rule
def apply(s: Record, seat: int, action: int) -> None:
    """The verb."""
    if s.node == Node.MOVE:
        move(s, action)
    elif s.node == Node.ROLL:
        roll(s, DICE[action][0], DICE[action][1])
    elif s.node == Node.STOVE:
        press(s, action)
    elif s.node == Node.DEFEND:
        if action == FIGHT:
            fight(s)
        else:
            refuse(s)
    elif s.node == Node.POT:
        put(s, action - POT)
    elif s.node == Node.MENU:
        assign(s, seat, action)
    else:
        s.first = s.turn = action
        s.node = Node.POT


@rule
def move(s: Record, action: int) -> None:
    """A step, a flight, or the end of the turn."""
    s.duel = Duel.NONE
    if action == END:
        end_turn(s)
        return
    step = action - GO
    go(s, step // LOADS // CELLS, step // LOADS % CELLS, step % LOADS)


@rule
def assign(s: Record, seat: int, menu: int) -> None:
    """K8."""
    for sign in range(SIGNS):
        s.card[SIGNS * colour_of(s, seat) + sign] = MENUS[menu, sign]
    if pending(s) == 0:
        s.node = Node.FIRST


@rule
def put(s: Record, k: int) -> None:
    """K10: one pot, then the next player; after the last pot the first player rolls."""
    s.pot[SIGNS * mine(s) + k // SPOTS] = PLACE[k % SPOTS]
    s.turn = (int(s.turn) + 1) % s.seats
    own = SIGNS * mine(s)
    for pot in range(own, own + SIGNS):
        if s.pot[pot] == HAND:
            return
    s.node = Node.ROLL


@rule
def returns(s: Record, out: NDArray[Any]) -> None:
    """The verb: the utility of the rule file."""
    winner_takes_all(s.winner, s.seats, out)
