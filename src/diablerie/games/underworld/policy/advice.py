"""What a sensible player of UNDERWORLD does."""

from diablerie.engine.compile import rule
from diablerie.engine.record import Record
from diablerie.engine.rng import Rng, below, unit
from diablerie.games.underworld.policy.evaluation import value
from diablerie.games.underworld.policy.ordering import (
    CAUGHT,
    LETTER,
    LOOK,
    giving,
    move_worth,
    odds,
    standing,
)
from diablerie.games.underworld.policy.swap_ordering import (
    HIDE,
    hiding,
    lowest,
    swap_pair,
    swap_worth,
)
from diablerie.games.underworld.rules.board import SPACES, above, bit, size
from diablerie.games.underworld.rules.hidden import knows
from diablerie.games.underworld.rules.legality import BASES
from diablerie.games.underworld.rules.state import (
    ABSENT,
    DONE,
    EXCHANGE,
    GIVE,
    HOLDER,
    LETTERS,
    LOSE,
    MOVE,
    NO_PEEK,
    PASS,
    PEEK,
    PUT_BACK,
    REARRANGE,
    STOP,
    SWAP,
    TAKE,
    WITH,
    WITHHOLD,
    Node,
)
from diablerie.games.underworld.rules.targets import (
    can_rearrange,
    can_swap,
    holders,
    spaces,
    targets,
)

__all__ = ["advise", "value"]


@rule
def advise(s: Record, seat: int, rng: Rng) -> int:
    """The verb."""
    if s.node == Node.TURN or s.node == Node.ONWARD:
        return turn(s, seat, rng)
    if s.node == Node.HOLDER:
        return HOLDER + poorest(s)
    if s.node == Node.LOSE:
        return LOSE + cheapest(s, seat)
    if s.node == Node.TOWER:
        return PUT_BACK
    if s.node == Node.GIFT:
        return GIVE if giving(s, standing(s, seat, int(s.disk[seat]))) > 0.0 else WITHHOLD
    if s.node == Node.PEEK:
        return peek(s, seat, rng)
    if s.node == Node.PLACE or s.node == Node.REVEAL:
        return BASES[s.node] + any_of(spaces(s), rng)
    return scheme(s, seat, rng)


# -- a turn ------------------------------------------------------------------------------------


@rule
def turn(s: Record, seat: int, rng: Rng) -> int:
    """The best move, unless a swap or a rearrangement is better."""
    space, best = best_move(s, seat, rng)
    if s.node == Node.ONWARD:
        return STOP if space == ABSENT or best < 0.0 else MOVE + space
    if s.devil[seat] and hiding(s, seat) and best < HIDE:
        return REARRANGE
    if swap_worth(s, seat) > best:
        return SWAP
    if space == ABSENT:
        return SWAP if can_swap(s, seat) else REARRANGE if can_rearrange(s, seat) else PASS
    return MOVE + space


@rule
def best_move(s: Record, seat: int, rng: Rng) -> tuple[int, float]:
    """Where to, and its worth; a little chance decides between equals."""
    own, open_, devil, tower = odds(s, seat)
    back = own * LETTER + open_ * 8.0 - devil * CAUGHT + tower * LOOK
    best, chosen = -1e9, ABSENT
    found = targets(s, seat)
    for space in range(SPACES):
        if found >> space & 1:
            worth = move_worth(s, seat, space, back) + unit(rng)
            if worth > best:
                best, chosen = worth, space
    return chosen, best


@rule
def any_of(found: int, rng: Rng) -> int:
    """A random space of a set that is not empty."""
    for _ in range(below(rng, size(found))):
        found &= found - 1
    return lowest(found)


# -- questions ---------------------------------------------------------------------------------


@rule
def poorest(s: Record) -> int:
    """U23: the holder with the fewest letters, who gains least by being freed."""
    best, fewest = ABSENT, LETTERS + 1
    found = holders(s)
    for i in range(s.seats):
        if found >> i & 1 and size(int(s.letters[i])) < fewest:
            best, fewest = i, size(int(s.letters[i]))
    return best


@rule
def cheapest(s: Record, seat: int) -> int:
    """U24: the letter most easily found again; of two that are to go, the first one."""
    pool = int(s.letters[seat]) & above(s.last) if s.last >= 0 else int(s.letters[seat])
    first = easiest(s, seat, pool)
    if s.last >= 0:
        return first
    return min(first, easiest(s, seat, pool & ~(1 << first)))


@rule
def easiest(s: Record, seat: int, pool: int) -> int:
    """Of these letters, one whose card lies open in reach, or open, or any."""
    close = targets(s, seat)
    best, chosen = -1, ABSENT
    for letter in range(LETTERS):
        if pool >> letter & 1:
            card = s.colour_up[seat] & s.letter_up[letter]
            worth = 1 + int(card & close != 0) if card else 0
            if worth > best:
                best, chosen = worth, letter
    return chosen


@rule
def peek(s: Record, seat: int, rng: Rng) -> int:
    """U15: a card one has not seen, in reach if there is one."""
    fresh = 0
    for space in range(SPACES):
        if s.down >> space & 1 and not knows(s, seat, space):
            fresh |= bit(space)
    if fresh == 0:
        return NO_PEEK
    close = fresh & targets(s, seat)
    return PEEK + any_of(close if close else fresh, rng)


# -- plans -------------------------------------------------------------------------------------


@rule
def scheme(s: Record, seat: int, rng: Rng) -> int:
    """The next step of a swap or a rearrangement."""
    found = spaces(s)
    if s.node == Node.SWAP1:
        far, near = swap_pair(s, seat)
        wish = bit(min(far, near)) if far != ABSENT and near != ABSENT else 0
        return EXCHANGE + any_of(found & wish if found & wish else found, rng)
    if s.node == Node.SWAP2:
        far, near = swap_pair(s, seat)
        wish = bit(max(far, near)) if far != ABSENT and near != ABSENT else 0
        return WITH + any_of(found & wish if found & wish else found, rng)
    if s.node == Node.TAKE:
        return take(s, seat, found, rng)
    return BASES[s.node] + any_of(found, rng)


@rule
def take(s: Record, seat: int, found: int, rng: Rng) -> int:
    """U21: the cards to hide, in order."""
    wish = hiding(s, seat) & found
    if wish:
        return TAKE + lowest(wish)
    return DONE if s.todo >= 2 else TAKE + any_of(found, rng)
