"""What chance may bring, and how likely."""

from typing import Any

from numpy.typing import NDArray

from diablerie.engine.chances import who_begins
from diablerie.engine.compile import rule
from diablerie.engine.record import Record
from diablerie.games.underworld.rules.state import DEVIL, TOWER, Node


@rule
def chance(s: Record, out: NDArray[Any], p: NDArray[Any]) -> int:
    """The verb: who begins (U6a), an unseen card, or a shuffled one (U21)."""
    if s.node == Node.FIRST:
        return who_begins(int(s.seats), out, p)
    return cards(s, out, p) if s.node == Node.CARD else shuffled(s, out, p)


@rule
def cards(s: Record, out: NDArray[Any], p: NDArray[Any]) -> int:
    """What an unseen card may be: a loose letter, a devil or a tower."""
    n = 0
    loose = int(s.loose)
    for card in range(DEVIL):
        out[n] = card
        n += loose >> card & 1
    share = 1.0 / (n + s.loose_devils + s.loose_towers)
    for k in range(n):
        p[k] = share
    if s.loose_devils:
        out[n], p[n] = DEVIL, s.loose_devils * share
        n += 1
    if s.loose_towers:
        out[n], p[n] = TOWER, s.loose_towers * share
        n += 1
    return n


@rule
def shuffled(s: Record, out: NDArray[Any], p: NDArray[Any]) -> int:
    """What of the hand may come to lie on the next space: outcome 0 is an unseen card."""
    n = 0
    for k in range(s.todo):
        if n and out[n - 1] == s.hand[k] + 1:
            p[n - 1] += 1.0 / s.todo
        else:
            out[n], p[n] = s.hand[k] + 1, 1.0 / s.todo
            n += 1
    return n
