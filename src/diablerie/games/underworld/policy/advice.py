"""What a sensible player of UNDERWORLD does."""

from diablerie.engine.compile import rule
from diablerie.engine.rng import Rng, below, unit
from diablerie.games.underworld.policy.ordering import (
    CAUGHT,
    HIDE,
    LETTER,
    LOOK,
    TURNED,
    giving,
    hiding,
    move_worth,
    odds,
    swap_pair,
    swap_worth,
)
from diablerie.games.underworld.rules import actions
from diablerie.games.underworld.rules.actions import BASES
from diablerie.games.underworld.rules.hidden import knows, redact
from diablerie.games.underworld.rules.state import (
    ABSENT,
    LETTERS,
    SPACES,
    Node,
    State,
    above,
    bit,
    first,
    size,
)
from diablerie.games.underworld.rules.targets import (
    can_rearrange,
    can_swap,
    holders,
    occupant,
    spaces,
    targets,
)


@rule
def advise(s: State, seat: int, rng: Rng) -> int:
    """The verb: the best answer at each node, by the worths of `ordering`."""
    if s.node == Node.TURN or s.node == Node.ONWARD:
        return turn(s, seat, rng)
    if s.node == Node.HOLDER:
        return actions.HOLDER + poorest(s)
    if s.node == Node.LOSE:
        return actions.LOSE + cheapest(s, seat)
    if s.node == Node.TOWER:
        return actions.PUT_BACK
    if s.node == Node.GIFT:
        other = occupant(s, seat, int(s.disk[seat]))
        return actions.GIVE if giving(s, other) > 0.0 else actions.WITHHOLD
    if s.node == Node.PEEK:
        return peek(s, seat, rng)
    if s.node == Node.PLACE or s.node == Node.REVEAL:
        return BASES[s.node] + any_of(spaces(s), rng)
    return swap_step(s, seat, rng)


# -- a turn ------------------------------------------------------------------------------------


@rule
def turn(s: State, seat: int, rng: Rng) -> int:
    """The best move, unless a swap or a rearrangement is better."""
    space, best = best_move(s, seat, rng)
    if s.node == Node.ONWARD:
        return actions.STOP if space == ABSENT or best < 0.0 else actions.MOVE + space
    if s.devil[seat] and hiding(s, seat) and best < HIDE:
        return actions.REARRANGE
    if swap_worth(s, seat) > best:
        return actions.SWAP
    if space == ABSENT:
        return (
            actions.SWAP
            if can_swap(s, seat)
            else actions.REARRANGE
            if can_rearrange(s, seat)
            else actions.PASS
        )
    return actions.MOVE + space


@rule
def best_move(s: State, seat: int, rng: Rng) -> tuple[int, float]:
    """The best space to move to, and its worth; a little chance decides between equals."""
    own, open_, devil, tower = odds(s, seat)
    back = own * LETTER + open_ * TURNED - devil * CAUGHT + tower * LOOK
    best = -1e9
    chosen = ABSENT
    reachable = targets(s, seat)
    for space in range(SPACES):
        if reachable >> space & 1:
            worth = move_worth(s, seat, space, back) + unit(rng)
            if worth > best:
                best = worth
                chosen = space
    return chosen, best


@rule
def any_of(choices: int, rng: Rng) -> int:
    """A random space of a set that is not empty."""
    for _ in range(below(rng, size(choices))):
        choices &= choices - 1
    return first(choices)


# -- questions ---------------------------------------------------------------------------------


@rule
def poorest(s: State) -> int:
    """U23: the holder with the fewest letters, who gains least by being freed."""
    best = ABSENT
    fewest = LETTERS + 1
    candidates = holders(s)
    for i in range(s.seats):
        if candidates >> i & 1 and size(int(s.letters[i])) < fewest:
            best = i
            fewest = size(int(s.letters[i]))
    return best


@rule
def cheapest(s: State, seat: int) -> int:
    """U24: the letter most easily found again; of two that are to go, the first one."""
    pool = int(s.letters[seat]) & above(s.last) if s.last >= 0 else int(s.letters[seat])
    easy = easiest(s, seat, pool)
    if s.last >= 0:
        return easy
    return min(easy, easiest(s, seat, pool & ~(1 << easy)))


@rule
def easiest(s: State, seat: int, pool: int) -> int:
    """Of these letters, one whose card lies open in reach, or open, or any."""
    close = targets(s, seat)
    best = -1
    chosen = ABSENT
    for letter in range(LETTERS):
        if pool >> letter & 1:
            card = s.colour_up[seat] & s.letter_up[letter]
            worth = 1 + int(card & close != 0) if card else 0
            if worth > best:
                best = worth
                chosen = letter
    return chosen


@rule
def peek(s: State, seat: int, rng: Rng) -> int:
    """U15: a card one has not seen, in reach if there is one."""
    fresh = 0
    for space in range(SPACES):
        if s.down >> space & 1 and not knows(s, seat, space):
            fresh |= bit(space)
    if fresh == 0:
        return actions.NO_PEEK
    close = fresh & targets(s, seat)
    return actions.PEEK + any_of(close if close else fresh, rng)


# -- swaps and rearrangements ------------------------------------------------------------------


@rule
def swap_step(s: State, seat: int, rng: Rng) -> int:
    """The next card or space of a swap or a rearrangement."""
    choices = spaces(s)
    if s.node == Node.TAKE:
        return take(s, seat, choices, rng)
    if s.node == Node.SWAP1 or s.node == Node.SWAP2:
        far, near = swap_pair(s, seat)
        if far != ABSENT and near != ABSENT:
            wish = choices & bit(min(far, near) if s.node == Node.SWAP1 else max(far, near))
            choices = wish if wish else choices
    return BASES[s.node] + any_of(choices, rng)


@rule
def take(s: State, seat: int, choices: int, rng: Rng) -> int:
    """U21: the cards to hide, in order."""
    wish = hiding(s, seat) & choices
    if wish:
        return actions.TAKE + first(wish)
    return actions.DONE if s.todo >= 2 else actions.TAKE + any_of(choices, rng)


@rule
def forget(s: State, seat: int, memory: float, rng: Rng) -> None:
    """Blank each card that the seat has looked at, but for the share `memory` of them."""
    for space in range(SPACES):
        if knows(s, seat, space) and unit(rng) >= memory:
            s.known[space] &= ~(1 << seat)
    redact(s, seat)
