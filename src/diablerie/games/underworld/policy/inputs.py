"""What a policy network reads of UNDERWORLD: letters, rivals, and what lies where an action leads."""

from diablerie.engine.compile import Floats32, Ints, Ints32, rule
from diablerie.engine.verbs import SEATS
from diablerie.games.underworld.policy.features import DERIVED, derive
from diablerie.games.underworld.policy.ordering import danger, swap_pair, wanted, wanted_open
from diablerie.games.underworld.rules import actions as numbers_of
from diablerie.games.underworld.rules.actions import BASES
from diablerie.games.underworld.rules.deck import lacks
from diablerie.games.underworld.rules.hidden import knows
from diablerie.games.underworld.rules.state import (
    ABSENT,
    DEVIL,
    FACE,
    LETTERS,
    SPACES,
    TOWER,
    Node,
    State,
    bit,
    distance,
    size,
    spread,
)
from diablerie.games.underworld.rules.targets import occupant, reach, targets
from diablerie.learning.inputs import NetworkInputs

# Numbers: those that values are learnt from, more of the own ones, the other seats
RIVALS = DERIVED + 12
EACH = 9
NUMBERS = RIVALS + EACH * (SEATS - 1)
# One-hot inputs: seats, node, letters, the best rival's letters, cards face down by fours
SEATS_AT = 0
NODE_AT = 7
HELD_AT = 24
BEST_AT = 32
DOWN_AT = 40
ONES = 52
MARKS = 24
# What lies at a space
BACK, MISSING, HELD, OTHER, DEVIL_CARD, TOWER_CARD, KNOWN, EMPTY, LYING = range(9)
# Kinds: moves by what lies there, with somebody there, and the same while possessed; other spaces
# by node; single actions
VISITS = LYING
POSSESSED = 2 * LYING
ELSEWHERE = 4 * LYING
SINGLE = ELSEWHERE + len(Node)
HOLD, LOSING, ELSE, SWAPPING, REARRANGING, STOPPING, GIVING = range(SINGLE, SINGLE + 7)
KINDS = GIVING + 6


@rule
def read(s: State, seat: int, numbers: Floats32, ones: Ints32, room: Floats32) -> int:
    """`NetworkInputs.read`."""
    derive(s, seat, numbers)
    mine = size(int(s.letters[seat]))
    o = DERIVED
    best = read_rivals(s, seat, numbers)
    numbers[o] = s.idle / 60.0
    numbers[o + 1] = s.fresh
    numbers[o + 2] = s.todo / 4.0
    numbers[o + 3] = s.pegs == 0
    numbers[o + 4] = s.devil[seat] * mine / 6.0
    numbers[o + 5] = mine / 6.0
    numbers[o + 6] = (mine / 6.0) ** 2
    numbers[o + 7] = size(danger(s, seat)) / 6.0
    numbers[o + 8] = s.may
    numbers[o + 9] = mine > best
    numbers[o + 10] = (mine - best) / 6.0
    numbers[o + 11] = mine * best / 36.0
    ones[0] = SEATS_AT + int(s.seats)
    ones[1] = NODE_AT + int(s.node)
    ones[2] = HELD_AT + mine
    ones[3] = BEST_AT + best
    ones[4] = DOWN_AT + size(int(s.down)) // 4
    return 5


@rule
def read_rivals(s: State, seat: int, numbers: Floats32) -> int:
    """Write the other seats clockwise; return the most letters that one of them has."""
    best = 0
    here = int(s.disk[seat])
    for j in range(1, SEATS):
        at = RIVALS + EACH * (j - 1)
        i = (seat + j) % s.seats
        if j < s.seats:
            numbers[at + 1] = s.gone[i] > 0
            numbers[at] = 1.0
        if j < s.seats and not s.gone[i]:
            held = size(int(s.letters[i]))
            theirs = wanted_open(s, i)
            best = max(best, held)
            numbers[at + 2] = held / 6.0
            numbers[at + 3] = (held / 6.0) ** 2
            numbers[at + 4] = s.devil[i]
            numbers[at + 5] = size(theirs) / 6.0
            if s.disk[i] != ABSENT:
                numbers[at + 6] = size(reach(s, i, int(s.disk[i])) & theirs) / 3.0
                if here != ABSENT:
                    numbers[at + 7] = distance(here, int(s.disk[i])) / 12.0
            numbers[at + 8] = held >= 5
    return best


# -- the actions -----------------------------------------------------------------------------------


@rule
def describe(
    s: State, seat: int, actions: Ints, n: int, kinds: Ints32, marks: Floats32, room: Floats32
) -> None:
    """`NetworkInputs.describe`."""
    own = wanted(s, seat)
    here = int(s.disk[seat])
    base = BASES[s.node]
    theirs, near = rivals_reach(s, seat)
    close = targets(s, seat) if here != ABSENT else 0
    pair = swap_spaces(s, seat)
    risk = danger(s, seat)
    for a in range(n):
        action = int(actions[a])
        space = action - base
        if base < 0 or not 0 <= space < SPACES:
            kinds[a] = describe_single(s, seat, action, close, near, own, pair, risk, marks, a)
        elif s.node == Node.TURN or s.node == Node.ONWARD:
            kinds[a] = describe_move(s, seat, space, own, near, risk, marks, a)
        else:
            kinds[a] = ELSEWHERE + int(s.node)
            describe_space(s, seat, space, own, theirs, close, near, pair, risk, marks, a)


@rule
def rivals_reach(s: State, seat: int) -> tuple[int, int]:
    """The open letters that others lack, and the spaces that they can move to."""
    theirs = 0
    near = 0
    for i in range(s.seats):
        if i != seat and not s.gone[i]:
            theirs |= wanted_open(s, i)
            if s.disk[i] != ABSENT:
                near |= reach(s, i, int(s.disk[i]))
    return theirs, near


@rule
def swap_spaces(s: State, seat: int) -> int:
    """The two spaces of the swap that the advice would make; empty if there is none."""
    if s.node == Node.TURN or s.node == Node.SWAP1 or s.node == Node.SWAP2:
        far, near = swap_pair(s, seat)
        if far != ABSENT and near != ABSENT:
            return bit(far) | bit(near)
    return 0


@rule
def lying(s: State, seat: int, space: int) -> int:
    """What lies at a space, as the seat knows it."""
    if s.up & bit(space):
        card = int(s.card[space])
        if card == DEVIL:
            return DEVIL_CARD
        if card == TOWER:
            return TOWER_CARD
        if lacks(s, seat, card):
            return MISSING
        return HELD if s.letters[seat] >> card % LETTERS & 1 else OTHER
    if s.down & bit(space):
        return KNOWN if knows(s, seat, space) else BACK
    return EMPTY


@rule
def describe_single(
    s: State,
    seat: int,
    action: int,
    close: int,
    near: int,
    own: int,
    pair: int,
    risk: int,
    marks: Floats32,
    a: int,
) -> int:
    """An action that names no space: write its marks, return its kind."""
    if numbers_of.HOLDER <= action < numbers_of.LOSE:
        marks[a, 0] = size(int(s.letters[action - numbers_of.HOLDER])) / 6.0
        return HOLD
    if numbers_of.LOSE <= action < numbers_of.KEEP:
        card = s.colour_up[seat] & s.letter_up[action - numbers_of.LOSE]
        marks[a, 0] = card != 0
        marks[a, 1] = card & close != 0
        marks[a, 2] = card & near != 0
        return LOSING
    if action == numbers_of.SWAP:
        marks[a, 1] = size(own & ~close) / 3.0
        marks[a, 0] = pair != 0
        return SWAPPING
    if action == numbers_of.REARRANGE:
        marks[a, 0] = size(risk) / 3.0
        marks[a, 1] = risk != 0
        return REARRANGING
    if action == numbers_of.STOP:
        return STOPPING
    if action == numbers_of.GIVE or action == numbers_of.WITHHOLD:
        other = occupant(s, seat, int(s.disk[seat]))
        if other != ABSENT:
            marks[a, 0], marks[a, 1] = size(int(s.letters[other])) / 6.0, s.devil[other]
        return GIVING + int(action == numbers_of.GIVE)
    if action == numbers_of.KEEP:
        return GIVING + 2
    if action == numbers_of.PUT_BACK:
        return GIVING + 3
    if action == numbers_of.NO_PEEK:
        return GIVING + 4
    return GIVING + 5 if action == numbers_of.DONE else ELSE


@rule
def describe_move(
    s: State, seat: int, space: int, own: int, near: int, risk: int, marks: Floats32, a: int
) -> int:
    """A move: what lies there, and what the next move from there may reach. Returns its kind."""
    there = bit(space)
    other = occupant(s, seat, space)
    what = lying(s, seat, space)
    held = size(int(s.letters[seat]))
    card = int(s.card[space])
    rest = own & ~bit(space)
    seen = reach(s, seat, space)
    possessed = int(s.devil[seat])
    marks[a, 0] = own & there != 0
    marks[a, 1] = own & there != 0 and held == 5 and not possessed
    if what == KNOWN:
        marks[a, 2] = card == DEVIL
        marks[a, 3] = card == TOWER
        marks[a, 4] = own & there != 0
    if other != ABSENT:
        marks[a, 5], marks[a, 6] = size(int(s.letters[other])) / 6.0, s.devil[other]
    marks[a, 7] = seen & rest != 0
    marks[a, 8] = size(seen & rest) / 3.0
    marks[a, 9] = size(seen & s.down) / 15.0
    marks[a, 10] = seen & s.down != 0
    marks[a, 11] = size(seen) / 24.0
    marks[a, 12] = nearest_of(space, rest) / 6.0
    marks[a, 13] = spread(seen) & rest != 0
    marks[a, 14] = near & there != 0
    marks[a, 15] = s.down & (s.down - 1) == 0 and what == BACK
    disks = 0
    for i in range(s.seats):
        if i != seat and s.disk[i] != ABSENT:
            disks |= bit(int(s.disk[i]))
    away = nearest_of(space, disks) / 6.0
    marks[a, 16] = away
    marks[a, 17] = possessed * away
    marks[a, 18] = risk & there != 0
    marks[a, 19] = distance(space, FACE) / 6.0
    marks[a, 20] = what == BACK and s.known[space] != 0
    marks[a, 21] = what == TOWER_CARD and possessed and held == LETTERS
    marks[a, 22] = size(spread(there) & s.down) / 4.0
    marks[a, 23] = size(spread(there) & (s.up | s.down)) / 4.0
    return what + VISITS * int(other != ABSENT) + POSSESSED * possessed


@rule
def nearest_of(space: int, spaces: int) -> int:
    """The steps from a space to the nearest of a set, 12 if it is empty."""
    least = 12
    for at in range(SPACES):
        if spaces >> at & 1:
            least = min(least, distance(space, at))
    return least


@rule
def describe_space(
    s: State,
    seat: int,
    space: int,
    own: int,
    theirs: int,
    close: int,
    near: int,
    pair: int,
    risk: int,
    marks: Floats32,
    a: int,
) -> None:
    """A space that is named for anything but a move."""
    there = bit(space)
    what = lying(s, seat, space)
    here = int(s.disk[seat])
    mine = own & there != 0
    in_reach = close & there != 0
    marks[a, 0] = pair & there != 0
    marks[a, 1] = mine
    marks[a, 2] = theirs & there != 0
    marks[a, 3] = in_reach
    marks[a, 4] = near & there != 0
    marks[a, 5] = what == KNOWN
    marks[a, 6] = what == BACK
    marks[a, 7] = what == DEVIL_CARD or (what == KNOWN and s.card[space] == DEVIL)
    marks[a, 8] = risk & there != 0
    marks[a, 9] = s.up & there != 0
    marks[a, 10] = mine and in_reach
    marks[a, 11] = mine and not in_reach
    marks[a, 12] = what == BACK and in_reach
    if here != ABSENT:
        marks[a, 13] = distance(here, space) / 6.0
    marks[a, 14] = what == BACK and s.known[space] != 0
    marks[a, 15] = distance(space, FACE) / 6.0
    marks[a, 16] = size(spread(there) & s.down) / 4.0


INPUTS = NetworkInputs(ONES, 5, NUMBERS, KINDS, MARKS, read, describe)
