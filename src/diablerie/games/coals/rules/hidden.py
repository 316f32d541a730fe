"""Who may know what in COALS: stakes are secret until all are in (C7), nothing else.

Totals follow from what everybody saw, yet they are shown only where C16 says so.
"""

from diablerie.engine.compile import rule
from diablerie.engine.rng import Rng, below
from diablerie.engine.verbs import EVERYONE
from diablerie.games.coals.rules.state import SECRET, UNSET, Node, State


@rule
def witness(s: State) -> int:
    """The verb: nobody but the bettor sees a stake before the reveal."""
    return 0 if s.node == Node.BET else EVERYONE


@rule
def redact(s: State, seat: int) -> None:
    """The verb."""
    if s.node == Node.BET:
        for i in range(s.seats):
            if i != seat and s.stake[i] != UNSET:
                s.stake[i] = SECRET


@rule
def guess(s: State, seat: int, rng: Rng) -> None:
    """The verb: any stake its owner can afford and the option allows."""
    step = int(s.step)
    for i in range(s.seats):
        if s.stake[i] == SECRET:
            s.stake[i] = step * below(rng, s.chips[i] // step + 1)


@rule
def is_open(s: State, seat: int, viewer: int) -> bool:
    """C16: whether `viewer` is shown what a seat owns; at the end everybody is."""
    return bool(seat == viewer or s.pact[seat] or s.purses or s.node == Node.OVER)


@rule
def owned(s: State, seat: int) -> int:
    """C16: all a seat has, its stake included; the stake is among the chips until the reveal."""
    if s.node == Node.PULL or s.node == Node.COAL:
        return int(s.chips[seat]) + int(s.stake[seat])
    return int(s.chips[seat])
