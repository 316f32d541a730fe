"""Who may know what in KITCHEN: a menu is its owner's secret until a pot is delivered (K8, K29)."""

from diablerie.engine.compile import rule
from diablerie.engine.rng import Rng, below
from diablerie.engine.verbs import EVERYONE
from diablerie.games.kitchen.rules.state import (
    CARDS,
    POTS,
    SECRET,
    SIGNS,
    Node,
    State,
    delivered,
    seat_of,
)


@rule
def witness(s: State) -> int:
    """The verb: nobody but the chooser sees a menu."""
    return 0 if s.node == Node.MENU else EVERYONE


@rule
def redact(s: State, seat: int) -> None:
    """The verb."""
    for pot in range(POTS):
        if s.card[pot] >= 0 and seat_of(s, pot // SIGNS) != seat and not delivered(s, pot):
            s.card[pot] = SECRET


@rule
def guess(s: State, seat: int, rng: Rng) -> None:
    """The verb: each colour's unknown cards on its unknown pots, every order equally likely."""
    for pot in range(POTS):
        if s.card[pot] == SECRET:
            s.card[pot] = unseen(s, pot // SIGNS, below(rng, hidden_cards(s, pot // SIGNS)))


@rule
def hidden_cards(s: State, colour: int) -> int:
    """The number of a colour's pots with a secret card."""
    n = 0
    for pot in range(SIGNS * colour, SIGNS * (colour + 1)):
        n += int(s.card[pot] == SECRET)
    return n


@rule
def unseen(s: State, colour: int, k: int) -> int:
    """The k-th of the values that no card of a colour shows."""
    for value in CARDS:
        if not shown(s, colour, value):
            if k == 0:
                return value
            k -= 1
    return SECRET


@rule
def shown(s: State, colour: int, value: int) -> bool:
    """Whether a card of this colour is known to have this value."""
    known = False
    for pot in range(SIGNS * colour, SIGNS * (colour + 1)):
        known |= s.card[pot] == value
    return known
