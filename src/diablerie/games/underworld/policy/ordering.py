"""Move ordering: what moves are worth to a sensible player; a letter in reach is worth 100 points.

Only what the seat may know is used: open cards, its own looks, and the odds of the rest.
"""

from diablerie.engine.compile import rule
from diablerie.engine.record import Record
from diablerie.games.underworld.rules.board import SPACES, bit, size
from diablerie.games.underworld.rules.hidden import knows
from diablerie.games.underworld.rules.letters import lacks, lacks_at
from diablerie.games.underworld.rules.reach import occupant, reach
from diablerie.games.underworld.rules.state import (
    ABSENT,
    ALL_LETTERS,
    DEVIL,
    DEVILS,
    LETTERS,
    TOWER,
    TOWERS,
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
def wanted(s: Record, seat: int) -> int:
    """Spaces of the letters a seat lacks: face up, or face down where it has looked."""
    found = wanted_open(s, seat)
    for space in range(SPACES):
        if s.known[space] and knows(s, seat, space) and lacks(s, seat, int(s.card[space])):
            found |= bit(space)
    return found


@rule
def wanted_open(s: Record, seat: int) -> int:
    """Spaces of the letters a seat lacks that lie face up."""
    found = int(s.colour_up[seat])
    for letter in range(LETTERS):
        if s.letters[seat] >> letter & 1:
            found &= ~s.letter_up[letter]
    return found


@rule
def odds(s: Record, seat: int) -> tuple[float, float, float, float]:
    """Of a card the seat has not seen: that it is its missing letter, open, a devil, a tower."""
    unseen, devils, towers, open_letters = 0, DEVILS, TOWERS, 0
    own = LETTERS - size(int(s.letters[seat])) - size(wanted(s, seat))
    for space in range(SPACES):
        shown = s.up >> space & 1 or knows(s, seat, space)
        unseen += 1 - shown if (s.up | s.down) >> space & 1 else 0
        devils -= int(shown and s.card[space] == DEVIL)
        towers -= int(shown and s.card[space] == TOWER)
    for letter in range(LETTERS):
        if s.letters[seat] >> letter & 1:
            open_letters += LETTERS - size(int(s.letter_up[letter]))
    share = 1.0 / max(1, unseen)
    return own * share, open_letters * share, devils * share, towers * share


@rule
def move_worth(s: Record, seat: int, space: int, back: float) -> float:
    """Of ending a move on a space; `back` is the worth of turning an unseen card."""
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
def after(s: Record, seat: int, space: int) -> float:
    """What the next move may bring from there."""
    seen = reach(s, seat, space)
    worth = 0.0
    if seen & wanted(s, seat) & ~bit(space):
        worth += NEXT
    if seen & s.down and not s.devil[seat]:
        worth += 3.0
    return worth


@rule
def open_worth(s: Record, seat: int, space: int, other: int) -> float:
    """Of a card that lies face up."""
    card = int(s.card[space])
    if other != ABSENT and card < DEVIL:
        return gift_worth(s, seat, space, other)
    return card_worth(s, seat, card)


@rule
def card_worth(s: Record, seat: int, card: int) -> float:
    """Of a card, once it is up."""
    if card == DEVIL:
        return caught_worth(s, seat)
    if card == TOWER:
        return tower_worth(s, seat)
    if not lacks(s, seat, card):
        return 0.0
    full = s.letters[seat] | 1 << (card % LETTERS) == ALL_LETTERS
    return LEAVE if full and not s.devil[seat] else LETTER


@rule
def caught_worth(s: Record, seat: int) -> float:
    """U14, U24."""
    if s.devil[seat]:
        return -CAUGHT - LETTER * min(2, size(int(s.letters[seat])))
    return -CAUGHT


@rule
def tower_worth(s: Record, seat: int) -> float:
    """U15."""
    if not s.devil[seat]:
        return LOOK
    return LEAVE if s.letters[seat] == ALL_LETTERS else LOOK + 2 * CAUGHT


@rule
def gift_worth(s: Record, seat: int, space: int, other: int) -> float:
    """U22: of ending on somebody's disk, where the devil changes hands."""
    letters = int(s.letters[seat])
    worth = 0.0
    if lacks_at(s, seat, space):
        letters |= 1 << s.card[space] % LETTERS
        worth += LETTER
    if letters == ALL_LETTERS:
        worth += LEAVE
    return worth + giving(s, other)


@rule
def giving(s: Record, other: int) -> float:
    """The devil is away, and somebody else has it; a quarrel over it must not go on for ever."""
    held = size(int(s.letters[other]))
    if s.devil[other]:
        return 2 * CAUGHT + 30.0 * min(2, held)
    return CAUGHT + 12.0 * held - PATIENCE * s.idle


@rule
def last_card(s: Record, seat: int) -> float:
    """U28: day breaks with the last card, which only those behind can like."""
    if s.down & (s.down - 1):
        return 0.0
    behind = size(int(s.letters[seat]))
    for i in range(s.seats):
        if i != seat and not s.gone[i] and size(int(s.letters[i])) > behind:
            return 30.0
    return 2.0 * s.idle - 30.0
