"""Whose decision it is in COALS, and what may be decided (C5, C7, C8, C10)."""

from diablerie.engine.compile import Ints, rule
from diablerie.engine.verbs import CHANCE, OVER
from diablerie.games.coals.rules.state import PULL, STOP, UNIT, UNSET, Node, State


@rule
def actor(s: State) -> int:
    """The verb."""
    if s.node == Node.PULL:
        return int(s.turn)
    if s.node == Node.COAL or s.node == Node.FIRST:
        return CHANCE
    if s.node == Node.OVER:
        return OVER
    for seat in range(s.seats):
        if s.stake[seat] == UNSET:
            return seat
    return OVER


@rule
def pending(s: State) -> int:  # C7: all at the same time
    """The verb."""
    if s.node == Node.PULL:
        return 1 << s.turn
    mask = 0
    if s.node == Node.BET:
        for seat in range(s.seats):
            if s.stake[seat] == UNSET:
                mask |= 1 << seat
    return mask


@rule
def forbids(s: State, seat: int, action: int) -> int:
    """The verb."""
    if s.node == Node.BET and action < PULL:
        return forbids_bet(s, seat, action)
    if s.node == Node.PULL and action >= PULL:
        return forbids_pull(s, seat, action)
    return 5  # C5: bets, pulling, settling, each in its time


@rule
def forbids_bet(s: State, seat: int, action: int) -> int:
    """C7, C8."""
    if s.stake[seat] != UNSET:
        return 7
    if s.chips[seat] == 0 and action > 0:
        return 8
    coarse = action % (int(s.step) // UNIT) != 0
    return 7 if coarse or action > most_tens(s, seat) else 0


@rule
def most_tens(s: State, seat: int) -> int:
    """C7: the money that a seat can stake, in tens."""
    return int(s.chips[seat]) // UNIT


@rule
def forbids_pull(s: State, seat: int, action: int) -> int:
    """C10: in turn, and the first piece is compulsory."""
    if seat != s.turn:
        return 10
    return 10 if action == STOP and s.pieces[seat] == 0 else 0


@rule
def legal(s: State, seat: int, out: Ints) -> int:
    """The verb: what `forbids` allows, as a range."""
    if s.node == Node.BET:
        low = 0
        step = int(s.step) // UNIT
        n = most_tens(s, seat) // step + 1
    else:
        low = PULL
        step = 1
        n = 2 - int(forbids_pull(s, seat, STOP) != 0)
    for k in range(n):
        out[k] = low + k * step
    return n
