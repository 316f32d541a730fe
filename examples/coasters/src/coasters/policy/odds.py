"""The odds of turning flowers, from what one player may know.

Where nothing is known, any coaster not seen is as likely the skull as any other.
"""

from typing import Any

from coasters.rules.state import EACH, FLOWER, NO, NOBODY, YES, State
from diablerie.engine.compile import rule


@rule
def hazard(s: State, seat: int, turned: int) -> float:
    """The chance that the next coaster of another's pile is the skull, so many being turned."""
    if s.known[seat] == NO:
        return 0.0
    unseen = int(s.coasters[seat] if s.known[seat] == YES else EACH) - turned
    return 1.0 / unseen


@rule
def safest(s: State, seat: int, depths: Any) -> int:
    """The least dangerous pile of the others when `depths` of each are turned; NOBODY's if none."""
    best = NOBODY
    least = 2.0
    for i in range(s.seats):
        if i != seat and depths[i] < s.laid[i] and hazard(s, i, depths[i]) < least:
            best = i
            least = hazard(s, i, depths[i])
    return best


@rule
def safe_own(s: State, seat: int) -> int:
    """How many of one's own pile can be turned from the top without meeting the skull."""
    count = 0
    for k in range(s.laid[seat] - s.turned[seat] - 1, -1, -1):
        if s.pile[seat, k] != FLOWER:
            return count
        count += 1
    return count


@rule
def success(s: State, seat: int, n: int) -> float:
    """The chance of turning `n` more flowers, as well as one can (B9)."""
    safe = safe_own(s, seat)
    if n <= safe:
        return 1.0
    if safe < s.laid[seat] - s.turned[seat]:
        return 0.0
    return among_others(s, seat, n - safe)


@rule
def among_others(s: State, seat: int, n: int) -> float:
    """The chance of turning `n` flowers of the other players."""
    depths = (int(s.turned[0]), int(s.turned[1]), int(s.turned[2]), int(s.turned[3]))
    p = 1.0
    for _ in range(n):
        pile = safest(s, seat, depths)
        if pile == NOBODY:
            return 0.0
        p *= 1.0 - hazard(s, pile, depths[pile])
        depths = deeper(depths, pile)
    return p


@rule
def deeper(depths: Any, pile: int) -> Any:
    """One more of a pile turned."""
    a, b, c, d = depths
    return (a + int(pile == 0), b + int(pile == 1), c + int(pile == 2), d + int(pile == 3))
