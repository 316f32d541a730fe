"""Swaps and rearrangements that pay: found from the position alone, the same at every step."""

from diablerie.engine.compile import rule
from diablerie.engine.record import Record
from diablerie.games.underworld.policy.ordering import NEXT, wanted, wanted_open
from diablerie.games.underworld.rules.board import first, size
from diablerie.games.underworld.rules.reach import targets
from diablerie.games.underworld.rules.state import ABSENT, HAND, LETTERS
from diablerie.games.underworld.rules.targets import bare, swappable, takeable

HIDE = 60.0  # letters that others need disappear
NEAR = 3  # so few letters from the way out somebody is worth the trouble


@rule
def swap_worth(s: Record, seat: int) -> float:
    """Of bringing a missing letter to where the next move can take it."""
    far, near = swap_pair(s, seat)
    return 0.9 * NEXT if far != ABSENT and near != ABSENT else -1.0


@rule
def swap_pair(s: Record, seat: int) -> tuple[int, int]:
    """A missing letter out of reach, and a card in reach that may be exchanged for it."""
    cards, close = swappable(s, seat), targets(s, seat)
    letters = wanted(s, seat) & cards
    if letters & close:
        return ABSENT, ABSENT
    return lowest(letters), lowest(cards & close & ~letters & ~s.up)


@rule
def lowest(spaces: int) -> int:
    """The first space of a set, or ABSENT."""
    return first(spaces) if spaces else ABSENT


@rule
def danger(s: Record, seat: int) -> int:
    """The open letters that others near the way out still need, under no disk."""
    found = 0
    for i in range(s.seats):
        lacks = LETTERS - size(int(s.letters[i]))
        if i != seat and not s.gone[i] and lacks <= NEAR:
            found |= wanted_open(s, i)
    return found & bare(s)


@rule
def hiding(s: Record, seat: int) -> int:
    """The cards to shuffle: dangerous ones, and backs to mix them with."""
    cards = danger(s, seat)
    if cards == 0:
        return 0
    backs = takeable(s) & s.down
    while size(cards) < 3 and backs:
        cards |= backs & -backs
        backs &= backs - 1
    while size(cards) > HAND:
        cards &= cards - 1
    return cards if size(cards) >= 2 else 0
