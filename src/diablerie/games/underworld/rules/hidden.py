"""Who may know what in UNDERWORLD: face-down cards are known to those who looked at them."""

from diablerie.engine.compile import rule
from diablerie.engine.rng import Rng, below
from diablerie.engine.verbs import EVERYONE
from diablerie.games.underworld.rules.deck import fix, loosen
from diablerie.games.underworld.rules.state import (
    DEVIL,
    SPACES,
    TOWER,
    UNSEEN,
    Node,
    State,
    Why,
    bit,
    first,
    size,
)


@rule
def witness(s: State) -> int:
    """The verb: a look is for one pair of eyes (U15), a shuffled card for none (U21)."""
    if s.node == Node.DEAL:
        return 0
    if s.node == Node.CARD and s.why == Why.PEEKED:
        return 1 << int(s.turn)
    return EVERYONE


@rule
def redact(s: State, seat: int) -> None:
    """The verb: identities that the seat has not seen go back among the loose ones."""
    for space in range(SPACES):
        hidden = s.down & bit(space) and not knows(s, seat, space)
        if hidden and s.card[space] != UNSEEN:
            loosen(s, int(s.card[space]))
            s.card[space] = UNSEEN
    if s.node == Node.DEAL:
        for k in range(s.todo):
            if s.hand[k] != UNSEEN:
                loosen(s, int(s.hand[k]))
                s.hand[k] = UNSEEN


@rule
def knows(s: State, seat: int, space: int) -> bool:
    """Whether a seat has looked at the card face down at a space."""
    return seat >= 0 and s.known[space] >> seat & 1 != 0


@rule
def guess(s: State, seat: int, rng: Rng) -> None:
    """The verb: a card somebody else has looked at is something; the others stay unseen."""
    for space in range(SPACES):
        if s.known[space] and s.card[space] == UNSEEN:
            card = pick(s, rng)
            fix(s, card)
            s.card[space] = card


@rule
def pick(s: State, rng: Rng) -> int:
    """A random loose card."""
    k = below(rng, size(s.loose) + s.loose_devils + s.loose_towers)
    if k < s.loose_devils:
        return DEVIL
    k -= s.loose_devils
    if k < s.loose_towers:
        return TOWER
    k -= s.loose_towers
    rest = int(s.loose)
    for _ in range(k):
        rest &= rest - 1
    return first(rest)
