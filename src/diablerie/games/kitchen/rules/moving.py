"""Steps and flights: what may be done with points, and doing it (K13 to K18, K27, K28)."""

from typing import Any

from numpy.typing import NDArray

from diablerie.engine.compile import rule
from diablerie.engine.record import Record
from diablerie.games.kitchen.rules.board import (
    CELLS,
    FLIGHT,
    GRILL,
    GRILL_BITS,
    NEAR,
    NOWHERE,
    PLACE_BITS,
    PLACES,
    START_BITS,
    TARGETS,
)
from diablerie.games.kitchen.rules.duel import challenge
from diablerie.games.kitchen.rules.lookup import guarded, mine, opposed, pots_on
from diablerie.games.kitchen.rules.state import BANISHED, GO, LOADS, NONE, POTS, SIGNS
from diablerie.games.kitchen.rules.turns import deliver, settle

WIDEST = len(PLACES)


@rule
def forbids_devil(s: Record, d: int) -> int:
    """Whether this devil may go at all now."""
    at = s.devil[mine(s), d]
    if at < 0:
        return 31 if at == BANISHED else 24
    if s.obliged != NONE and s.obliged != d:
        return 15
    if s.wings or reach(s, d) > 0:
        return 0
    return 22 if s.extra else 13


@rule
def reach(s: Record, d: int) -> int:
    """The points a devil can walk with, its own of K22 included."""
    return int(s.points) + int(s.extra and s.mover == d)


@rule
def forbids_target(s: Record, d: int, to: int) -> int:
    """Whether this devil, which may go, may go there."""
    own_grill = to == GRILL[mine(s)]
    if START_BITS >> to & 1 or (GRILL_BITS >> to & 1 and not own_grill):
        return 14
    if not (PLACE_BITS >> to & 1 or own_grill):
        return 4
    if s.wings:
        return 16 if own_grill or guarded(s, mine(s), -1) >> to & 1 else 0
    if not NEAR[s.devil[mine(s), d]] >> to & 1:
        return 5
    if guarded(s, mine(s), d) >> to & 1 and not passes(s, d, to, reach(s, d) - 1):
        return 15
    return 0


@rule
def passes(s: Record, d: int, over: int, points: int) -> bool:
    """K15: whether from an own devil's place `d` can walk on to one without."""
    own = guarded(s, mine(s), d)
    edge = 1 << over
    for _ in range(points):
        wider = 0
        for at in range(CELLS):
            if edge >> at & 1:
                wider |= NEAR[at] & PLACE_BITS
        if wider & ~own:
            return True
        edge = wider
    return False


@rule
def forbids_load(s: Record, d: int, to: int, load: int) -> int:
    """Whether this devil may take that load there: 0 for none, else the pot's number and 1."""
    home = to == GRILL[mine(s)]
    if load == 0:
        return 27 if home else 0
    if s.pot[load - 1] != s.devil[mine(s), d]:
        return 17
    return 28 if home and third_own(s, load - 1) else 0


@rule
def third_own(s: Record, pot: int) -> bool:
    """K28: a third own pot after two own ones and no other."""
    c = mine(s)
    own, all_in = 0, 0
    for p in range(POTS):
        here = int(s.pot[p] == GRILL[c])
        all_in += here
        own += here * int(p // SIGNS == c)
    return pot // SIGNS == c and own == 2 and all_in == 2


@rule
def forbids_go(s: Record, d: int, to: int, load: int) -> int:
    """The clause against a step or flight of the player whose turn it is, or 0."""
    code = forbids_devil(s, d)
    if code == 0:
        code = forbids_target(s, d, to)
    if code == 0:
        code = forbids_load(s, d, to, load)
    return code


@rule
def legal_steps(s: Record, d: int, out: NDArray[Any], n: int) -> int:
    """Append a devil's legal steps or flights to the `n` actions in `out`; their new number."""
    if forbids_devil(s, d):
        return n
    at = int(s.devil[mine(s), d])
    pots = 1 | pots_on(s, at) << 1
    row = FLIGHT if s.wings else at
    for i in range(WIDEST):
        to = TARGETS[row, i]
        if to == NOWHERE:
            break
        if forbids_target(s, d, to) == 0:
            n = legal_loads(s, d, to, pots, out, n)
    return n


@rule
def legal_loads(s: Record, d: int, to: int, pots: int, out: NDArray[Any], n: int) -> int:
    """Append one step with each load it may be made with."""
    for load in range(LOADS):
        if pots >> load == 0:
            break
        if pots >> load & 1 and forbids_load(s, d, to, load) == 0:
            out[n] = GO + (d * CELLS + to) * LOADS + load
            n += 1
    return n


@rule
def go(s: Record, d: int, to: int, load: int) -> None:
    """A step or flight."""
    pay(s, d)
    s.mover = d
    s.obliged = NONE
    if load:
        s.pot[load - 1] = to
    s.devil[mine(s), d] = to
    if to == GRILL[mine(s)]:
        deliver(s, d, load - 1)
    elif opposed(s, mine(s)) >> to & 1:
        challenge(s, to)
    else:
        if guarded(s, mine(s), d) >> to & 1:  # K15
            s.obliged = d
        settle(s)


@rule
def pay(s: Record, d: int) -> None:
    """K13, K16, K22: the flight, or the extra point first, or a point."""
    if s.wings:
        s.wings = 0
    elif not (s.extra and s.mover == d):
        s.points -= 1
    s.extra = 0
