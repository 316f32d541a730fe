"""The rules of COALS: compiled functions on the record, by clause."""

from collections.abc import Mapping
from typing import Any

from numpy.typing import NDArray

from diablerie.engine import verbs
from diablerie.engine.compile import rule
from diablerie.engine.record import Record
from diablerie.engine.utility import winner_takes_all
from diablerie.games.coals.rules.settling import left, settle, space_of
from diablerie.games.coals.rules.state import (
    DEVIL,
    KINDS,
    PAY,
    PULL,
    STOP,
    UNIT,
    UNSET,
    VALUES,
    Node,
    State,
)

CHANCE, OVER = verbs.CHANCE, verbs.OVER


def start(seats: int, options: Mapping[str, Any]) -> Record:
    """The table laid: 200 and a pawn on 200 for each seat (C3), a full furnace (C1)."""
    s: Record = State.zero()  # type: ignore[attr-defined]
    s.node, s.seats, s.rounds = Node.FIRST, seats, 1
    s.mouth, s.release = options["mouth"], options["pact"] == "first_devil"
    s.purses = options["open_purses"]
    track = options["track"]
    s.marks[: len(track)] = track
    s.goal = options["goal"]
    s.full[:] = options["furnace"]
    s.furnace[:] = s.full
    s.stake[:] = UNSET
    s.last_stake[:] = UNSET
    s.chips[:seats] = 200
    for i in range(seats):
        s.space[i] = space_of(s, 200)
    return s


# -- whose decision ----------------------------------------------------------------------------


@rule
def actor(s: Record) -> int:
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
def pending(s: Record) -> int:  # C7: all at the same time
    """The verb."""
    if s.node == Node.PULL:
        return 1 << s.turn
    mask = 0
    if s.node == Node.BET:
        for seat in range(s.seats):
            if s.stake[seat] == UNSET:
                mask |= 1 << seat
    return mask


# -- what may be done --------------------------------------------------------------------------


@rule
def forbids(s: Record, seat: int, action: int) -> int:
    """The verb."""
    if s.node == Node.BET and action < PULL:
        return forbids_bet(s, seat, action)
    if s.node == Node.PULL and action >= PULL:
        return forbids_pull(s, seat, action)
    return 5  # C5: bets, pulling, settling, each in its time


@rule
def forbids_bet(s: Record, seat: int, action: int) -> int:
    """C7, C8."""
    if s.stake[seat] != UNSET:
        return 7
    if s.chips[seat] == 0 and action > 0:
        return 8
    return 7 if action > most_tens(s, seat) else 0


@rule
def most_tens(s: Record, seat: int) -> int:
    """C7: the highest stake a seat can make, in tens."""
    return int(s.chips[seat]) // UNIT


@rule
def forbids_pull(s: Record, seat: int, action: int) -> int:
    """C10: in turn, and the first piece is compulsory."""
    if seat != s.turn:
        return 10
    return 10 if action == STOP and s.pieces[seat] == 0 else 0


@rule
def legal(s: Record, seat: int, out: NDArray[Any]) -> int:
    """The verb: what `forbids` allows, as a range."""
    if s.node == Node.BET:
        low, n = 0, most_tens(s, seat) + 1
    else:
        low, n = PULL, 2 - int(forbids_pull(s, seat, STOP) != 0)
    for k in range(n):
        out[k] = low + k
    return n


@rule
def chance(s: Record, out: NDArray[Any], p: NDArray[Any]) -> int:
    """The verb: who begins (C6), or the next piece (C10)."""
    if s.node == Node.FIRST:
        for seat in range(s.seats):
            out[seat], p[seat] = seat, 1.0 / s.seats
        return int(s.seats)
    share = 1.0 / left(s)
    n = 0
    for kind in range(KINDS):
        if s.furnace[kind] > 0:
            out[n], p[n] = kind, s.furnace[kind] * share
            n += 1
    return n


# -- playing -----------------------------------------------------------------------------------


@rule
def apply(s: Record, seat: int, action: int) -> None:
    """The verb."""
    if s.node == Node.BET:
        s.stake[seat] = action * UNIT
        if pending(s) == 0:
            reveal(s)
    elif s.node == Node.COAL:
        turn_piece(s, action)
    elif s.node == Node.FIRST:
        s.first = action
        s.node = Node.BET
    elif action == PULL:
        s.node = Node.COAL
    else:
        pass_on(s)


@rule
def reveal(s: Record) -> None:
    """C7, C9: the stakes lie apart; what is left may pay pacts (C14)."""
    for i in range(s.seats):
        s.chips[i] -= s.stake[i]
        s.purse[i] = s.chips[i]
    s.turn = s.first
    s.node = Node.PULL


@rule
def turn_piece(s: Record, kind: int) -> None:
    """C10 to C13."""
    s.furnace[kind] -= 1
    s.node = Node.PULL
    if kind == DEVIL:
        burn(s)
        pay_pacts(s, s.turn)
    else:
        s.front[s.turn, kind] += 1
        s.pieces[s.turn] += 1
        s.coal[s.turn] += VALUES[kind]
    if left(s) == 0:  # C13
        settle(s)
    elif kind == DEVIL:
        pass_on(s)


@rule
def burn(s: Record) -> None:
    """C12."""
    s.busted[s.turn] = 1
    s.coal[s.turn] = 0
    s.pieces[s.turn] = 0
    for kind in range(KINDS):
        s.front[s.turn, kind] = 0


@rule
def pay_pacts(s: Record, finder: int) -> None:
    """C14; C15 under the option."""
    paid = False
    for i in range(1, s.seats):
        other = (finder + i) % s.seats
        if s.pact[other]:
            if s.purse[finder] >= PAY:
                s.purse[finder] -= PAY
                s.chips[finder] -= PAY
            s.chips[other] += PAY
            paid = True
    if paid and s.release:
        for i in range(s.seats):
            s.pact[i] = 0


@rule
def pass_on(s: Record) -> None:
    """The next player pulls, or the round is settled (C10)."""
    s.turn = (s.turn + 1) % s.seats
    if s.turn == s.first:
        settle(s)


@rule
def returns(s: Record, out: NDArray[Any]) -> None:
    """The verb: C21, and the utility of the rule file."""
    winner_takes_all(s.chips, s.seats, out)
