"""Who may know what in COASTERS: what is face down, and which coasters are lost (B1, B12)."""

from coasters.rules.state import EACH, FLOWER, HIDDEN, NO, SKULL, UNSURE, YES, Node, State
from diablerie.engine import verbs
from diablerie.engine.compile import rule
from diablerie.engine.rng import Rng, below

EVERYONE = verbs.EVERYONE


@rule
def witness(s: State) -> int:
    """The verb: who lays or loses a coaster sees it; so do all at a wake (B13)."""
    if s.node == Node.LAY:
        return 0
    if s.node == Node.DROP or s.node == Node.LOT:
        return EVERYONE if s.wake else 1 << int(s.turn)
    return EVERYONE


@rule
def redact(s: State, seat: int) -> None:
    """The verb."""
    for i in range(s.seats):
        if i != seat:
            s.skull[i] = s.known[i]
            for k in range(s.laid[i] - s.turned[i]):
                s.pile[i, k] = HIDDEN


@rule
def guess(s: State, seat: int, rng: Rng) -> None:
    """The verb: any coaster not seen is as likely the skull, be it lost, in hand or laid."""
    for i in range(s.seats):
        if s.skull[i] == UNSURE:
            unseen = EACH - s.turned[i]
            s.skull[i] = YES if below(rng, unseen) < s.coasters[i] - s.turned[i] else NO
        if i != seat:
            guess_pile(s, i, rng)


@rule
def guess_pile(s: State, i: int, rng: Rng) -> None:
    """Put the skull on one of the places where it can be, be it in the hand."""
    down = int(s.laid[i] - s.turned[i])
    place = down
    if s.skull[i] == YES and not shown(s, i):
        place = below(rng, int(s.coasters[i] - s.turned[i]))
    for k in range(down):
        if s.pile[i, k] == HIDDEN:
            s.pile[i, k] = SKULL if k == place else FLOWER


@rule
def shown(s: State, i: int) -> bool:
    """Whether a seat's skull lies open."""
    skulls = 0
    for k in range(s.laid[i]):
        skulls += int(s.pile[i, k] == SKULL)
    return skulls > 0
