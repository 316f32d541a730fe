"""What moves, swaps and rearrangements are worth to a sensible player.

A letter in reach is worth 100 points. Only what the seat may know is used: open cards, its own
looks, and the odds of the rest.
"""

from diablerie.engine.compile import rule
from diablerie.games.underworld.rules.deck import lacks, lacks_at
from diablerie.games.underworld.rules.hidden import knows
from diablerie.games.underworld.rules.state import (
    ABSENT,
    ALL_LETTERS,
    DEVIL,
    DEVILS,
    HAND,
    LETTERS,
    SPACES,
    TOWER,
    TOWERS,
    State,
    bit,
    first,
    size,
)
from diablerie.games.underworld.rules.targets import (
    bare,
    occupant,
    reach,
    swappable,
    takeable,
    targets,
)

# Points, set by judgement.
LEAVE = 1000.0  # out of the underworld
LETTER = 100.0  # one's own missing letter
NEXT = 45.0  # such a letter in reach of the next move
CAUGHT = 25.0  # how bad a devil is
LOOK = 12.0  # a look at a card
TURNED = 8.0  # a card turned up that is open
PATIENCE = 5.0  # what every idle turn takes from the joy of handing a devil on


@rule
def wanted(s: State, seat: int) -> int:
    """Spaces of the letters a seat lacks: face up, or face down where it has looked."""
    letters = wanted_open(s, seat)
    for space in range(SPACES):
        if s.known[space] and knows(s, seat, space) and lacks(s, seat, int(s.card[space])):
            letters |= bit(space)
    return letters


@rule
def wanted_open(s: State, seat: int) -> int:
    """Spaces of the letters a seat lacks that lie face up."""
    letters = int(s.colour_up[seat])
    for letter in range(LETTERS):
        if s.letters[seat] >> letter & 1:
            letters &= ~s.letter_up[letter]
    return letters


@rule
def odds(s: State, seat: int) -> tuple[float, float, float, float]:
    """The probabilities of a card that the seat has not seen, by what it may be.

    That is a letter of its own that it lacks, a letter that it has, a devil, a tower.
    """
    unseen = 0
    devils = DEVILS
    towers = TOWERS
    open_letters = 0
    own = LETTERS - size(int(s.letters[seat])) - size(wanted(s, seat))
    for space in range(SPACES):
        seen = s.up >> space & 1 or knows(s, seat, space)
        unseen += 1 - seen if (s.up | s.down) >> space & 1 else 0
        devils -= int(seen and s.card[space] == DEVIL)
        towers -= int(seen and s.card[space] == TOWER)
    for letter in range(LETTERS):
        if s.letters[seat] >> letter & 1:
            open_letters += LETTERS - size(int(s.letter_up[letter]))
    share = 1.0 / max(1, unseen)
    return own * share, open_letters * share, devils * share, towers * share


@rule
def move_worth(s: State, seat: int, space: int, back: float) -> float:
    """The worth of ending a move on a space; `back` is the worth of turning up an unseen card."""
    worth = after(s, seat, space)
    other = occupant(s, seat, space)
    if s.up & bit(space):
        worth += open_worth(s, seat, space, other)
    elif other != ABSENT:
        worth += gift_worth(s, seat, space, other)
    elif s.down & bit(space) and not s.devil[seat]:
        worth += card_worth(s, seat, int(s.card[space])) if knows(s, seat, space) else back
        worth += last_card(s, seat)
    return worth


@rule
def after(s: State, seat: int, space: int) -> float:
    """The worth of what the next move from there may bring."""
    seen = reach(s, seat, space)
    worth = 0.0
    if seen & wanted(s, seat) & ~bit(space):
        worth += NEXT
    if seen & s.down and not s.devil[seat]:
        worth += 3.0
    return worth


@rule
def open_worth(s: State, seat: int, space: int, other: int) -> float:
    """The worth of ending a move on a card that lies face up."""
    card = int(s.card[space])
    if other != ABSENT and card < DEVIL:
        return gift_worth(s, seat, space, other)
    return card_worth(s, seat, card)


@rule
def card_worth(s: State, seat: int, card: int) -> float:
    """The worth of a card that lies face up, to who comes to it."""
    if card == DEVIL:
        return caught_worth(s, seat)
    if card == TOWER:
        return tower_worth(s, seat)
    if not lacks(s, seat, card):
        return 0.0
    full = s.letters[seat] | 1 << (card % LETTERS) == ALL_LETTERS
    return LEAVE if full and not s.devil[seat] else LETTER


@rule
def caught_worth(s: State, seat: int) -> float:
    """The worth of getting a devil (U14, U24): below 0."""
    if s.devil[seat]:
        return -CAUGHT - LETTER * min(2, size(int(s.letters[seat])))
    return -CAUGHT


@rule
def tower_worth(s: State, seat: int) -> float:
    """The worth of a tower (U15)."""
    if not s.devil[seat]:
        return LOOK
    return LEAVE if s.letters[seat] == ALL_LETTERS else LOOK + 2 * CAUGHT


@rule
def gift_worth(s: State, seat: int, space: int, other: int) -> float:
    """The worth of ending on somebody's disk, where the devil changes hands (U22)."""
    letters = int(s.letters[seat])
    worth = 0.0
    if lacks_at(s, seat, space):
        letters |= 1 << s.card[space] % LETTERS
        worth += LETTER
    if letters == ALL_LETTERS:
        worth += LEAVE
    return worth + giving(s, other)


@rule
def giving(s: State, other: int) -> float:
    """The worth of handing the devil to another player.

    It falls with every idle turn, so that two players do not hand it to and fro for ever.
    """
    held = size(int(s.letters[other]))
    if s.devil[other]:
        return 2 * CAUGHT + 30.0 * min(2, held)
    return CAUGHT + 12.0 * held - PATIENCE * s.idle


@rule
def last_card(s: State, seat: int) -> float:
    """The worth of turning up the last card: the game ends (U28), which only helps who is behind."""
    if s.down & (s.down - 1):
        return 0.0
    behind = size(int(s.letters[seat]))
    for i in range(s.seats):
        if i != seat and not s.gone[i] and size(int(s.letters[i])) > behind:
            return 30.0
    return 2.0 * s.idle - 30.0


# -- swaps and rearrangements that pay ---------------------------------------------------------


HIDE = 60.0  # letters that others need disappear
NEAR_WAY_OUT = 3  # so few letters from the way out somebody is worth the trouble


@rule
def swap_worth(s: State, seat: int) -> float:
    """The worth of a swap that brings a missing letter to where the next move can take it."""
    far, near = swap_pair(s, seat)
    return 0.9 * NEXT if far != ABSENT and near != ABSENT else -1.0


@rule
def swap_pair(s: State, seat: int) -> tuple[int, int]:
    """A missing letter out of reach, and a card in reach that may be exchanged for it."""
    cards = swappable(s, seat)
    close = targets(s, seat)
    letters = wanted(s, seat) & cards
    if letters & close:
        return ABSENT, ABSENT
    return lowest(letters), lowest(cards & close & ~letters & ~s.up)


@rule
def lowest(spaces: int) -> int:
    """The first space of a set, or ABSENT."""
    return first(spaces) if spaces else ABSENT


@rule
def danger(s: State, seat: int) -> int:
    """The open letters that others near the way out still need, under no disk."""
    letters = 0
    for i in range(s.seats):
        lacks = LETTERS - size(int(s.letters[i]))
        if i != seat and not s.gone[i] and lacks <= NEAR_WAY_OUT:
            letters |= wanted_open(s, i)
    return letters & bare(s)


@rule
def hiding(s: State, seat: int) -> int:
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
