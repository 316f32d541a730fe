"""Where a disk can move to (U9): what it may enter, and what it may go on over."""

from diablerie.engine.compile import rule
from diablerie.engine.record import Record
from diablerie.games.underworld.rules.board import BOARD, FACE_BIT, bit, flood, spread
from diablerie.games.underworld.rules.state import ABSENT, LETTERS


@rule
def targets(s: Record, seat: int) -> int:
    """U9: the spaces where a seat's disk can move to."""
    return reach(s, seat, int(s.disk[seat]))


@rule
def reach(s: Record, seat: int, start: int) -> int:
    """Where a seat's disk could move to if it stood at `start`."""
    here, enter = bit(start), enterable(s, seat)
    reached = flood(here, enter & passable(s, seat))
    return spread(reached) & enter & ~here


@rule
def enterable(s: Record, seat: int) -> int:
    """Spaces that U16, U17 and U22 let a disk enter."""
    one, two = crowd(s, seat)
    barred = two if s.devil[seat] else one
    if s.pegs > 0:
        barred |= FACE_BIT
    return BOARD & ~barred


@rule
def passable(s: Record, seat: int) -> int:
    """Spaces that are open for a seat if it may enter them (U10, U20, U22)."""
    free = ~(s.up | s.down)
    for letter in range(LETTERS):
        if s.letters[seat] >> letter & 1:
            free |= s.letter_up[letter]
    if s.devil[seat]:
        one, _ = crowd(s, seat)
        free |= s.down | one
    return free


@rule
def crowd(s: Record, seat: int) -> tuple[int, int]:
    """The spaces where at least one, and at least two, other disks stand."""
    one, two = 0, 0
    for i in range(s.seats):
        if i != seat and s.disk[i] != ABSENT:
            there = bit(s.disk[i])
            two |= one & there
            one |= there
    return one, two


@rule
def occupant(s: Record, seat: int, space: int) -> int:
    """The other seat whose disk stands on a space, or ABSENT."""
    for i in range(s.seats):
        if i != seat and s.disk[i] == space:
            return i
    return ABSENT
