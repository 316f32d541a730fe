"""The 42 cards: which may still turn up, what lies where, and the letters that seats take."""

from diablerie.engine.compile import rule
from diablerie.games.underworld.rules.state import DEVIL, LETTERS, NOTHING, TOWER, State, bit


@rule
def fix(s: State, card: int) -> None:
    """A card gets this identity: no other can have it."""
    if card == DEVIL:
        s.loose_devils -= 1
    elif card == TOWER:
        s.loose_towers -= 1
    else:
        s.loose &= ~bit(card)


@rule
def loosen(s: State, card: int) -> None:
    """Take an identity back: any unseen card can be it."""
    if card == DEVIL:
        s.loose_devils += 1
    elif card == TOWER:
        s.loose_towers += 1
    else:
        s.loose |= bit(card)


@rule
def show(s: State, space: int) -> None:
    """The card at a space lies face up."""
    here = bit(space)
    card = int(s.card[space])
    s.up |= here
    s.down &= ~here
    s.known[space] = 0
    if card < DEVIL:
        s.letter_up[card % LETTERS] |= here
        s.colour_up[card // LETTERS] |= here


@rule
def lift(s: State, space: int) -> None:
    """Forget that a card lies at a space, whichever side is up; `card` and `known` stay."""
    keep = ~bit(space)
    s.up &= keep
    s.down &= keep
    for i in range(LETTERS):
        s.letter_up[i] &= keep
        s.colour_up[i] &= keep


@rule
def clear(s: State, space: int) -> int:
    """Take the card at a space away; return which it was."""
    card = int(s.card[space])
    lift(s, space)
    s.card[space] = NOTHING
    s.known[space] = 0
    return card


@rule
def exchange(s: State, a: int, b: int) -> None:
    """Two cards change places; sides and what is known of them go with them (U19)."""
    a_up = s.up & bit(a) != 0
    b_up = s.up & bit(b) != 0
    lift(s, a)
    lift(s, b)
    card = int(s.card[a])
    known = int(s.known[a])
    s.card[a] = s.card[b]
    s.known[a] = s.known[b]
    s.card[b] = card
    s.known[b] = known
    put(s, a, b_up)
    put(s, b, a_up)


@rule
def put(s: State, space: int, face_up: bool) -> None:
    """Lay the card that `card` names at a space on one side."""
    if face_up:
        show(s, space)
    else:
        s.down |= bit(space)


# -- letters -----------------------------------------------------------------------------------


@rule
def holds(s: State, seat: int, card: int) -> bool:
    """U10: whether a card, of whatever colour, shows a letter that the seat has."""
    return 0 <= card < DEVIL and s.letters[seat] >> card % LETTERS & 1 != 0


@rule
def lacks(s: State, seat: int, card: int) -> bool:
    """U12: whether a card is a letter of the seat's own colour that it has not."""
    own = 0 <= card < DEVIL and card // LETTERS == seat
    return own and s.letters[seat] >> card % LETTERS & 1 == 0


@rule
def lacks_at(s: State, seat: int, space: int) -> bool:
    """U12: whether such a letter lies face up at a space."""
    return s.colour_up[seat] & bit(space) != 0 and lacks(s, seat, int(s.card[space]))


@rule
def take_letter(s: State, seat: int) -> None:
    """U12: the peg of the card one stands on, if it is one's own and missing."""
    space = int(s.disk[seat])
    if lacks_at(s, seat, space):
        s.letters[seat] |= 1 << s.card[space] % LETTERS
        s.fresh = 1
