"""What a policy network reads of UNDERWORLD: letters, rivals, and what lies where an action leads."""

from enum import IntEnum
from typing import NamedTuple

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


class Own(IntEnum):
    """A number of the seat's own, counted from DERIVED."""

    IDLE = 0
    FRESH = 1
    TODO = 2
    NO_PEGS = 3
    POSSESSED_LETTERS = 4
    LETTERS = 5
    LETTERS_SQUARE = 6
    DANGER = 7
    MAY = 8
    LEADS = 9
    LEAD = 10
    LETTERS_BY_BEST = 11


class Rival(IntEnum):
    """A number of another seat, counted from where that seat's begin."""

    PLAYS = 0
    OUT = 1
    LETTERS = 2
    LETTERS_SQUARE = 3
    POSSESSED = 4
    WANTED = 5
    WANTED_IN_REACH = 6
    STEPS = 7
    NEARLY_DONE = 8


class HolderMark(IntEnum):
    """A mark of the player whom an action concerns."""

    LETTERS = 0
    POSSESSED = 1


class LoseMark(IntEnum):
    """A mark of a letter that is lost."""

    LIES_OPEN = 0  # the card of that letter
    IN_REACH = 1
    IN_RIVALS_REACH = 2


class SwapMark(IntEnum):
    """A mark of swapping two cards."""

    PAIR = 0  # the advice has one
    FAR_LETTERS = 1


class RearrangeMark(IntEnum):
    """A mark of rearranging cards."""

    DANGERS = 0
    ANY_DANGER = 1


class MoveMark(IntEnum):
    """A mark of a space to move to."""

    WANTED = 0
    LAST_WANTED = 1
    KNOWN_DEVIL = 2
    KNOWN_TOWER = 3
    KNOWN_WANTED = 4
    OTHER_LETTERS = 5
    OTHER_POSSESSED = 6
    NEXT_WANTED = 7  # 7 to 11: what a move from there may reach
    NEXT_WANTED_COUNT = 8
    NEXT_DOWN_COUNT = 9
    NEXT_DOWN = 10
    NEXT_SPACES = 11
    STEPS_TO_WANTED = 12
    WANTED_BEYOND = 13  # beside what may be reached
    IN_RIVALS_REACH = 14
    LAST_DOWN = 15
    STEPS_TO_DISK = 16
    STEPS_TO_DISK_POSSESSED = 17
    DANGER = 18
    STEPS_TO_FACE = 19
    KNOWN_TO_OTHERS = 20
    TOWER_FREES = 21
    DOWN_AROUND = 22
    CARDS_AROUND = 23


class SpaceMark(IntEnum):
    """A mark of a space that is named for anything but a move."""

    IN_PAIR = 0  # of the swap that the advice would make
    WANTED = 1
    RIVALS_WANT = 2
    IN_REACH = 3
    IN_RIVALS_REACH = 4
    KNOWN = 5
    BACK = 6
    DEVIL = 7
    DANGER = 8
    UP = 9
    WANTED_IN_REACH = 10
    WANTED_ELSEWHERE = 11
    BACK_IN_REACH = 12
    STEPS = 13
    KNOWN_TO_OTHERS = 14
    STEPS_TO_FACE = 15
    DOWN_AROUND = 16


# Numbers: those that values are learnt from, more of the own ones, the other seats
RIVALS = DERIVED + len(Own)
RIVAL_NUMBERS = len(Rival)
NUMBERS = RIVALS + RIVAL_NUMBERS * (SEATS - 1)
# One-hot inputs: seats, node, letters, the best rival's letters, cards face down by fours
SEATS_AT = 0
NODE_AT = 7
HELD_AT = 24
BEST_AT = 32
DOWN_AT = 40
ONES = 52
MARKS = len(MoveMark)
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
    best = read_rivals(s, seat, numbers)
    numbers[DERIVED + Own.IDLE] = s.idle / 60.0
    numbers[DERIVED + Own.FRESH] = s.fresh
    numbers[DERIVED + Own.TODO] = s.todo / 4.0
    numbers[DERIVED + Own.NO_PEGS] = s.pegs == 0
    numbers[DERIVED + Own.POSSESSED_LETTERS] = s.devil[seat] * mine / 6.0
    numbers[DERIVED + Own.LETTERS] = mine / 6.0
    numbers[DERIVED + Own.LETTERS_SQUARE] = (mine / 6.0) ** 2
    numbers[DERIVED + Own.DANGER] = size(danger(s, seat)) / 6.0
    numbers[DERIVED + Own.MAY] = s.may
    numbers[DERIVED + Own.LEADS] = mine > best
    numbers[DERIVED + Own.LEAD] = (mine - best) / 6.0
    numbers[DERIVED + Own.LETTERS_BY_BEST] = mine * best / 36.0
    # Cards face down are counted by fours.
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
        at = RIVALS + RIVAL_NUMBERS * (j - 1)
        i = (seat + j) % s.seats
        if j < s.seats:
            numbers[at + Rival.OUT] = s.gone[i] > 0
            numbers[at + Rival.PLAYS] = 1.0
        # Of who has left nothing counts but that.
        if j < s.seats and not s.gone[i]:
            held = size(int(s.letters[i]))
            theirs = wanted_open(s, i)
            best = max(best, held)
            numbers[at + Rival.LETTERS] = held / 6.0
            numbers[at + Rival.LETTERS_SQUARE] = (held / 6.0) ** 2
            numbers[at + Rival.POSSESSED] = s.devil[i]
            numbers[at + Rival.WANTED] = size(theirs) / 6.0
            if s.disk[i] != ABSENT:
                numbers[at + Rival.WANTED_IN_REACH] = (
                    size(reach(s, i, int(s.disk[i])) & theirs) / 3.0
                )
                if here != ABSENT:
                    numbers[at + Rival.STEPS] = distance(here, int(s.disk[i])) / 12.0
            numbers[at + Rival.NEARLY_DONE] = held >= 5
    return best


# -- the actions -----------------------------------------------------------------------------------


@rule
def describe(
    s: State, seat: int, actions: Ints, n: int, kinds: Ints32, marks: Floats32, room: Floats32
) -> None:
    """`NetworkInputs.describe`."""
    base = BASES[s.node]
    sets = space_sets(s, seat)
    for a in range(n):
        action = int(actions[a])
        space = action - base
        # Numbers outside the node's spaces are actions without one, such as to stop.
        if base < 0 or not 0 <= space < SPACES:
            kinds[a] = describe_single(s, seat, action, sets, marks[a])
        elif s.node == Node.TURN or s.node == Node.ONWARD:
            kinds[a] = describe_move(s, seat, space, sets, marks[a])
        else:
            kinds[a] = ELSEWHERE + int(s.node)
            describe_space(s, seat, space, sets, marks[a])


class SpaceSets(NamedTuple):
    """Sets of spaces, as bits, that the marks of all actions of a position are read from."""

    wanted: int  # letters that the seat lacks, open or looked at
    in_reach: int  # of the seat's next move
    rivals_want: int  # open letters that others lack
    in_rivals_reach: int
    swap: int  # the two of the swap that the advice would make
    danger: int


@rule
def space_sets(s: State, seat: int) -> SpaceSets:
    """The sets of a position, found once for all its actions."""
    rivals_want, in_rivals_reach = rivals_reach(s, seat)
    in_reach = targets(s, seat) if s.disk[seat] != ABSENT else 0
    return SpaceSets(
        wanted(s, seat),
        in_reach,
        rivals_want,
        in_rivals_reach,
        swap_spaces(s, seat),
        danger(s, seat),
    )


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
def describe_single(s: State, seat: int, action: int, sets: SpaceSets, marks: Floats32) -> int:
    """An action that names no space: write its marks, float32 (MARKS,), and return its kind."""
    if numbers_of.HOLDER <= action < numbers_of.LOSE:
        marks[HolderMark.LETTERS] = size(int(s.letters[action - numbers_of.HOLDER])) / 6.0
        return HOLD
    if numbers_of.LOSE <= action < numbers_of.KEEP:
        card = s.colour_up[seat] & s.letter_up[action - numbers_of.LOSE]
        marks[LoseMark.LIES_OPEN] = card != 0
        marks[LoseMark.IN_REACH] = card & sets.in_reach != 0
        marks[LoseMark.IN_RIVALS_REACH] = card & sets.in_rivals_reach != 0
        return LOSING
    if action == numbers_of.SWAP:
        marks[SwapMark.FAR_LETTERS] = size(sets.wanted & ~sets.in_reach) / 3.0
        marks[SwapMark.PAIR] = sets.swap != 0
        return SWAPPING
    if action == numbers_of.REARRANGE:
        marks[RearrangeMark.DANGERS] = size(sets.danger) / 3.0
        marks[RearrangeMark.ANY_DANGER] = sets.danger != 0
        return REARRANGING
    if action == numbers_of.STOP:
        return STOPPING
    # Giving and withholding have the same marks; weights by kind tell them apart.
    if action == numbers_of.GIVE or action == numbers_of.WITHHOLD:
        other = occupant(s, seat, int(s.disk[seat]))
        if other != ABSENT:
            marks[HolderMark.LETTERS] = size(int(s.letters[other])) / 6.0
            marks[HolderMark.POSSESSED] = s.devil[other]
        return GIVING + int(action == numbers_of.GIVE)
    if action == numbers_of.KEEP:
        return GIVING + 2
    if action == numbers_of.PUT_BACK:
        return GIVING + 3
    if action == numbers_of.NO_PEEK:
        return GIVING + 4
    return GIVING + 5 if action == numbers_of.DONE else ELSE


@rule
def describe_move(s: State, seat: int, space: int, sets: SpaceSets, marks: Floats32) -> int:
    """A move: what lies there, and what the next move from there may reach. Returns its kind."""
    there = bit(space)
    other = occupant(s, seat, space)
    what = lying(s, seat, space)
    held = size(int(s.letters[seat]))
    card = int(s.card[space])
    rest = sets.wanted & ~there
    onward = reach(s, seat, space)
    possessed = int(s.devil[seat])
    marks[MoveMark.WANTED] = sets.wanted & there != 0
    marks[MoveMark.LAST_WANTED] = sets.wanted & there != 0 and held == 5 and not possessed
    # Face down, but the seat has looked at it.
    if what == KNOWN:
        marks[MoveMark.KNOWN_DEVIL] = card == DEVIL
        marks[MoveMark.KNOWN_TOWER] = card == TOWER
        marks[MoveMark.KNOWN_WANTED] = sets.wanted & there != 0
    if other != ABSENT:
        marks[MoveMark.OTHER_LETTERS] = size(int(s.letters[other])) / 6.0
        marks[MoveMark.OTHER_POSSESSED] = s.devil[other]
    marks[MoveMark.NEXT_WANTED] = onward & rest != 0
    marks[MoveMark.NEXT_WANTED_COUNT] = size(onward & rest) / 3.0
    marks[MoveMark.NEXT_DOWN_COUNT] = size(onward & s.down) / 15.0
    marks[MoveMark.NEXT_DOWN] = onward & s.down != 0
    marks[MoveMark.NEXT_SPACES] = size(onward) / 24.0
    marks[MoveMark.STEPS_TO_WANTED] = nearest_of(space, rest) / 6.0
    marks[MoveMark.WANTED_BEYOND] = spread(onward) & rest != 0
    marks[MoveMark.IN_RIVALS_REACH] = sets.in_rivals_reach & there != 0
    marks[MoveMark.LAST_DOWN] = s.down & (s.down - 1) == 0 and what == BACK
    # The way to the nearest other disk tells more to who has a devil to hand on.
    disks = 0
    for i in range(s.seats):
        if i != seat and s.disk[i] != ABSENT:
            disks |= bit(int(s.disk[i]))
    away = nearest_of(space, disks) / 6.0
    marks[MoveMark.STEPS_TO_DISK] = away
    marks[MoveMark.STEPS_TO_DISK_POSSESSED] = possessed * away
    marks[MoveMark.DANGER] = sets.danger & there != 0
    marks[MoveMark.STEPS_TO_FACE] = distance(space, FACE) / 6.0
    marks[MoveMark.KNOWN_TO_OTHERS] = what == BACK and s.known[space] != 0
    marks[MoveMark.TOWER_FREES] = what == TOWER_CARD and possessed and held == LETTERS
    marks[MoveMark.DOWN_AROUND] = size(spread(there) & s.down) / 4.0
    marks[MoveMark.CARDS_AROUND] = size(spread(there) & (s.up | s.down)) / 4.0
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
def describe_space(s: State, seat: int, space: int, sets: SpaceSets, marks: Floats32) -> None:
    """A space that is named for anything but a move."""
    there = bit(space)
    what = lying(s, seat, space)
    here = int(s.disk[seat])
    mine = sets.wanted & there != 0
    in_reach = sets.in_reach & there != 0
    marks[SpaceMark.IN_PAIR] = sets.swap & there != 0
    marks[SpaceMark.WANTED] = mine
    marks[SpaceMark.RIVALS_WANT] = sets.rivals_want & there != 0
    marks[SpaceMark.IN_REACH] = in_reach
    marks[SpaceMark.IN_RIVALS_REACH] = sets.in_rivals_reach & there != 0
    marks[SpaceMark.KNOWN] = what == KNOWN
    marks[SpaceMark.BACK] = what == BACK
    marks[SpaceMark.DEVIL] = what == DEVIL_CARD or (what == KNOWN and s.card[space] == DEVIL)
    marks[SpaceMark.DANGER] = sets.danger & there != 0
    marks[SpaceMark.UP] = s.up & there != 0
    marks[SpaceMark.WANTED_IN_REACH] = mine and in_reach
    marks[SpaceMark.WANTED_ELSEWHERE] = mine and not in_reach
    marks[SpaceMark.BACK_IN_REACH] = what == BACK and in_reach
    # Nobody stands anywhere before the first placement.
    if here != ABSENT:
        marks[SpaceMark.STEPS] = distance(here, space) / 6.0
    marks[SpaceMark.KNOWN_TO_OTHERS] = what == BACK and s.known[space] != 0
    marks[SpaceMark.STEPS_TO_FACE] = distance(space, FACE) / 6.0
    marks[SpaceMark.DOWN_AROUND] = size(spread(there) & s.down) / 4.0


INPUTS = NetworkInputs(ONES, 5, NUMBERS, KINDS, MARKS, read, describe)
