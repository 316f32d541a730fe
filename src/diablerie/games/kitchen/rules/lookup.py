"""Look-ups on the record: whose is what, and who stands where."""

from diablerie.engine.compile import rule
from diablerie.engine.record import Record
from diablerie.games.kitchen.rules.state import DEVILS, POTS


@rule
def colour_of(s: Record, seat: int) -> int:
    """K7: two players sit opposite."""
    return 2 * int(seat) if s.seats == 2 else int(seat)


@rule
def seat_of(s: Record, colour: int) -> int:
    """The seat that plays a colour; `seats` for the neutral devils of three players (K12)."""
    return colour // 2 if s.seats == 2 else colour


@rule
def mine(s: Record) -> int:
    """The colour whose turn it is."""
    return colour_of(s, s.turn)


@rule
def devils_left(s: Record, colour: int) -> int:
    """Devils of a colour still in play."""
    n = 0
    for d in range(DEVILS):
        n += int(s.devil[colour, d] >= 0)
    return n


@rule
def guarded(s: Record, colour: int, but: int) -> int:
    """Bit mask of the cells where devils of a colour stand, devil `but` left out."""
    mask = 0
    for d in range(DEVILS):
        if d != but and s.devil[colour, d] >= 0:
            mask |= 1 << int(s.devil[colour, d])
    return mask


@rule
def opposed(s: Record, colour: int) -> int:
    """Bit mask of the cells where devils of all other colours stand."""
    mask = 0
    for c in range(4):
        if c != colour:
            mask |= guarded(s, c, -1)
    return mask


@rule
def pots_on(s: Record, at: int) -> int:
    """Bit mask of the pots on a cell."""
    mask = 0
    for pot in range(POTS):
        mask |= int(s.pot[pot] == at) << pot
    return mask
