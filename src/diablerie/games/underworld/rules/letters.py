"""Letters: which cards a seat has already, which it lacks, and taking one."""

from diablerie.engine.compile import rule
from diablerie.engine.record import Record
from diablerie.games.underworld.rules.board import bit
from diablerie.games.underworld.rules.state import DEVIL, LETTERS


@rule
def holds(s: Record, seat: int, card: int) -> bool:
    """U10: whether a card, of whatever colour, shows a letter that the seat has."""
    return 0 <= card < DEVIL and s.letters[seat] >> card % LETTERS & 1 != 0


@rule
def lacks(s: Record, seat: int, card: int) -> bool:
    """U12: whether a card is a letter of the seat's own colour that it has not."""
    own = 0 <= card < DEVIL and card // LETTERS == seat
    return own and s.letters[seat] >> card % LETTERS & 1 == 0


@rule
def lacks_at(s: Record, seat: int, space: int) -> bool:
    """U12: whether such a letter lies face up at a space."""
    return s.colour_up[seat] & bit(space) != 0 and lacks(s, seat, int(s.card[space]))


@rule
def take_letter(s: Record, seat: int) -> None:
    """U12: the peg of the card one stands on, if it is one's own and missing."""
    space = int(s.disk[seat])
    if lacks_at(s, seat, space):
        s.letters[seat] |= 1 << s.card[space] % LETTERS
        s.fresh = 1
