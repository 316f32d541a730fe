"""Who may know what in COALS: stakes are secret until all are in (C7), nothing else."""

from diablerie.engine import verbs
from diablerie.engine.compile import rule
from diablerie.engine.record import Record
from diablerie.engine.rng import Rng, below
from diablerie.games.coals.rules.state import SECRET, UNIT, UNSET, Node

EVERYONE = verbs.EVERYONE


@rule
def witness(s: Record) -> int:
    """The verb: nobody but the bettor sees a stake before the reveal."""
    return 0 if s.node == Node.BET else EVERYONE


@rule
def redact(s: Record, seat: int) -> None:
    """The verb."""
    if s.node == Node.BET:
        for i in range(s.seats):
            if i != seat and s.stake[i] != UNSET:
                s.stake[i] = SECRET


@rule
def guess(s: Record, seat: int, rng: Rng) -> None:
    """The verb: any stake its owner can afford."""
    for i in range(s.seats):
        if s.stake[i] == SECRET:
            s.stake[i] = UNIT * below(rng, s.chips[i] // UNIT + 1)
