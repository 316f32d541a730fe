"""The 42 cards: which may still turn up, and what lies where."""

from diablerie.engine.compile import rule
from diablerie.engine.record import Record
from diablerie.games.underworld.rules.board import bit
from diablerie.games.underworld.rules.state import DEVIL, LETTERS, NOTHING, TOWER


@rule
def fix(s: Record, card: int) -> None:
    """A card gets this identity: no other can have it."""
    if card == DEVIL:
        s.loose_devils -= 1
    elif card == TOWER:
        s.loose_towers -= 1
    else:
        s.loose &= ~bit(card)


@rule
def loosen(s: Record, card: int) -> None:
    """Take an identity back: any unseen card can be it."""
    if card == DEVIL:
        s.loose_devils += 1
    elif card == TOWER:
        s.loose_towers += 1
    else:
        s.loose |= bit(card)


@rule
def show(s: Record, space: int) -> None:
    """The card at a space lies face up."""
    here, card = bit(space), int(s.card[space])
    s.up |= here
    s.down &= ~here
    s.known[space] = 0
    if card < DEVIL:
        s.letter_up[card % LETTERS] |= here
        s.colour_up[card // LETTERS] |= here


@rule
def lift(s: Record, space: int) -> None:
    """Forget that a card lies at a space, whichever side is up; `card` and `known` stay."""
    keep = ~bit(space)
    s.up &= keep
    s.down &= keep
    for i in range(LETTERS):
        s.letter_up[i] &= keep
        s.colour_up[i] &= keep


@rule
def clear(s: Record, space: int) -> int:
    """Take the card at a space away; return which it was."""
    card = int(s.card[space])
    lift(s, space)
    s.card[space] = NOTHING
    s.known[space] = 0
    return card


@rule
def exchange(s: Record, a: int, b: int) -> None:
    """Two cards change places; sides and what is known of them go with them (U19)."""
    a_up, b_up = s.up & bit(a) != 0, s.up & bit(b) != 0
    lift(s, a)
    lift(s, b)
    card, known = int(s.card[a]), int(s.known[a])
    s.card[a], s.known[a] = s.card[b], s.known[b]
    s.card[b], s.known[b] = card, known
    put(s, a, b_up)
    put(s, b, a_up)


@rule
def put(s: Record, space: int, face_up: bool) -> None:
    """Lay the card that `card` names at a space on one side."""
    if face_up:
        show(s, space)
    else:
        s.down |= bit(space)
