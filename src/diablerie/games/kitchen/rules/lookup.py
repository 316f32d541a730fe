"""Look-ups on the record: whose is what, who stands where, how many are left."""

from diablerie.engine.compile import rule
from diablerie.games.kitchen.rules.board import GRILL, GRILL_BITS
from diablerie.games.kitchen.rules.state import DEVILS, POTS, SIGNS, State

# -- whose is what -----------------------------------------------------------------------------


@rule
def colour_of(s: State, seat: int) -> int:
    """K7: two players sit opposite."""
    return 2 * int(seat) if s.seats == 2 else int(seat)


@rule
def seat_of(s: State, colour: int) -> int:
    """The seat that plays a colour; `seats` for the neutral devils of three players (K12)."""
    return colour // 2 if s.seats == 2 else colour


@rule
def mine(s: State) -> int:
    """The colour whose turn it is."""
    return colour_of(s, s.turn)


@rule
def neutral(s: State) -> bool:
    """Whether the challenged devil belongs to nobody (K12)."""
    return seat_of(s, int(s.foe_colour)) >= s.seats


@rule
def defender(s: State) -> int:
    """The seat that presses for the challenged devil: its owner, or for a neutral one K26."""
    if neutral(s):
        return (int(s.attacker) + 1) % s.seats
    return seat_of(s, int(s.foe_colour))


# -- devils ------------------------------------------------------------------------------------


@rule
def devils_left(s: State, colour: int) -> int:
    """Devils of a colour still in play."""
    n = 0
    for d in range(DEVILS):
        n += int(s.devil[colour, d] >= 0)
    return n


@rule
def players_left(s: State) -> int:
    """Players with devils."""
    n = 0
    for seat in range(s.seats):
        n += int(devils_left(s, colour_of(s, seat)) > 0)
    return n


@rule
def guarded(s: State, colour: int, but: int) -> int:
    """Bit mask of the cells where devils of a colour stand, devil `but` left out."""
    mask = 0
    for d in range(DEVILS):
        if d != but and s.devil[colour, d] >= 0:
            mask |= 1 << int(s.devil[colour, d])
    return mask


@rule
def opposed(s: State, colour: int) -> int:
    """Bit mask of the cells where devils of all other colours stand."""
    mask = 0
    for c in range(4):
        if c != colour:
            mask |= guarded(s, c, -1)
    return mask


@rule
def spared(s: State, colour: int, d: int) -> bool:
    """K24: whether a player's devil that loses a duel goes to its start, and not out."""
    return s.cap[colour, d] == 1 or devils_left(s, colour) == 1


# -- pots --------------------------------------------------------------------------------------


@rule
def pots_on(s: State, at: int) -> int:
    """Bit mask of the pots on a cell."""
    mask = 0
    for pot in range(POTS):
        mask |= int(s.pot[pot] == at) << pot
    return mask


@rule
def delivered(s: State, pot: int) -> bool:
    """Whether a pot stands on a grill."""
    return s.pot[pot] >= 0 and GRILL_BITS >> int(s.pot[pot]) & 1 == 1


@rule
def held_up(s: State, colour: int) -> bool:
    """K28: whether this colour, with two own pots delivered and no other, can deliver no own."""
    own, all_in = 0, 0
    for pot in range(POTS):
        here = int(s.pot[pot] == GRILL[colour])
        all_in += here
        own += here * int(pot // SIGNS == colour)
    return own == 2 and all_in == 2
