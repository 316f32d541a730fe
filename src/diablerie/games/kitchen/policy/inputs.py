"""What a policy network reads of KITCHEN: how the seats stand, and how they would after an action."""

from enum import IntEnum

from diablerie.engine.compile import Floats32, Ints, Ints32, rule
from diablerie.games.kitchen.policy.advice import ATTACK, after_move, beaten, sent_home
from diablerie.games.kitchen.policy.evaluation import (
    CLOSE,
    balance,
    evaluate,
    gain,
    knows,
    unseen_gain,
)
from diablerie.games.kitchen.policy.features import COLOURS, DERIVED, derive
from diablerie.games.kitchen.rules.board import DISTANCE, GRILL, SPACE, START
from diablerie.games.kitchen.rules.moving import move_of
from diablerie.games.kitchen.rules.state import (
    DEVILS,
    END,
    FIGHT,
    GOAL,
    MILK,
    NONE,
    POT,
    SIGNS,
    Node,
    State,
    colour_of,
    devils_left,
    held_up,
    opposed,
    pots_on,
    seat_of,
)
from diablerie.learning.inputs import NetworkInputs


class Own(IntEnum):
    """A number of the seat's own, counted from DERIVED."""

    STANDING = 0
    BEST_STANDING = 1  # of a rival
    STANDING_LEAD = 2
    OBLIGED = 3  # one devil has to move
    EXTRA = 4
    POINTS = 5  # to move, in the own turn
    BURSTS = 6
    SCORE_LEAD = 7


class Rival(IntEnum):
    """A number of another seat, counted from where that seat's begin."""

    PLAYS = 0
    STANDING = 1
    SCORE = 2
    SCORE_SQUARE = 3
    DEVILS = 4
    ONE_DEVIL = 5
    TURN = 6
    HELD_UP = 7
    CAPS = 8
    BESIDE_POT = 9  # a devil stands where a pot does
    HALFWAY = 10
    NO_DEVIL = 11


class PutMark(IntEnum):
    """A mark of a place for a pot; steps are those to a grill."""

    OWN_STEPS = 0
    RIVAL_STEPS = 1
    VALUE_BY_OWN_STEPS = 2
    VALUE_BY_RIVAL_STEPS = 3
    MILK_RIVAL_STEPS = 4
    MILK_OWN_STEPS = 5
    FARTHER = 6  # from the own grill than from the nearest other one
    START_STEPS = 7


class FightMark(IntEnum):
    """A mark of an answer to a challenge."""

    EXPECTED = 0
    LOST = 1
    WON = 2
    CAP = 3
    ONE_DEVIL = 4


class MoveMark(IntEnum):
    """A mark of a move, or of the end of the turn."""

    WORTH = 0
    GAIN = 1  # the worth if it is more than 0
    POINTS = 2
    SERVED_VALUE = 3  # 3 to 7: of a pot on the own grill
    SERVED_MILK = 4
    SERVED_UNKNOWN = 5
    BRINGS = 6
    BRINGS_MUCH = 7
    OWN_CAP = 8  # 8 to 14: of a duel
    DUEL_FOR_POT = 9
    OWN_ONE_DEVIL = 10
    FOE_CAP = 11
    FOE_SCORE = 12
    FOE_ONE_DEVIL = 13
    FOE_NEUTRAL = 14
    CARRIES = 15  # 15 to 19: of a pot on the way
    CARRIED_VALUE = 16
    CARRIED_MILK = 17
    CARRIED_UNKNOWN = 18
    STEPS_HOMEWARD = 19
    TO_POT = 20  # 20, 21: without one
    FROM_POT = 21
    POINTS_GIVEN_UP = 22  # when the turn is ended
    FOE_CLOSE = 23
    FOE_CLOSE_TO_CAP = 24
    WINGS = 25


# Numbers: those that values are learnt from, more of the own ones, the other seats
RIVALS = DERIVED + len(Own)
RIVAL_NUMBERS = len(Rival)
NUMBERS = RIVALS + RIVAL_NUMBERS * (COLOURS - 1)
# One-hot inputs: seats, node, own score, best score of a rival, points to move, lead
SEATS_AT = 0
NODE_AT = 5
SCORE_AT = 13
BEST_AT = 25
MOVES_AT = 37
LEAD_AT = 45
ONES = 61
# Kinds: menus by number, pots by value and steps to the own grill, then
PLACING = 24
FIGHTING = 84
ENDING = 86
WALKING = 87
HOME = 88
DUEL = 89
KINDS = 90
MARKS = len(MoveMark)


@rule
def read(s: State, seat: int, numbers: Floats32, ones: Ints32, room: Floats32) -> int:
    """`NetworkInputs.read`."""
    derive(s, seat, numbers)
    me = colour_of(s, seat)
    mine = evaluate(s, me, me)
    rival, best = read_rivals(s, seat, numbers)
    numbers[DERIVED + Own.STANDING] = mine / GOAL
    numbers[DERIVED + Own.BEST_STANDING] = rival / GOAL
    numbers[DERIVED + Own.STANDING_LEAD] = (mine - rival) / GOAL
    numbers[DERIVED + Own.OBLIGED] = s.obliged != NONE
    numbers[DERIVED + Own.EXTRA] = s.extra
    numbers[DERIVED + Own.POINTS] = s.points / 6.0 * (s.turn == seat)
    numbers[DERIVED + Own.BURSTS] = s.burst / 10.0
    numbers[DERIVED + Own.SCORE_LEAD] = (s.score[me] - best) / float(GOAL)
    # Each kind has so many inputs; what is more counts as the last of them.
    ones[0] = SEATS_AT + int(s.seats)
    ones[1] = NODE_AT + int(s.node)
    ones[2] = SCORE_AT + min(int(s.score[me]), 11)
    ones[3] = BEST_AT + min(best, 11)
    ones[4] = MOVES_AT + min(int(s.points), 7)
    ones[5] = LEAD_AT + min(max(int((mine - rival) / 2.0 + 8.0), 0), 15)
    return 6


@rule
def read_rivals(s: State, seat: int, numbers: Floats32) -> tuple[float, int]:
    """Write the other seats clockwise; return how the best one stands, and the best score."""
    me = colour_of(s, seat)
    most = -100.0
    best = 0
    for j in range(1, COLOURS):
        at = RIVALS + RIVAL_NUMBERS * (j - 1)
        # An empty seat leaves its numbers at 0, also whether it plays.
        if j < s.seats:
            i = (seat + j) % s.seats
            c = colour_of(s, i)
            worth = evaluate(s, c, me)
            left = devils_left(s, c)
            score = int(s.score[c])
            most = max(most, worth)
            best = max(best, score)
            numbers[at + Rival.PLAYS] = 1.0
            numbers[at + Rival.STANDING] = worth / GOAL
            numbers[at + Rival.SCORE] = score / float(GOAL)
            numbers[at + Rival.SCORE_SQUARE] = (score / float(GOAL)) ** 2
            numbers[at + Rival.DEVILS] = left / 3.0
            numbers[at + Rival.ONE_DEVIL] = left == 1
            numbers[at + Rival.TURN] = s.turn == i
            numbers[at + Rival.HELD_UP] = held_up(s, c)
            for d in range(DEVILS):
                numbers[at + Rival.CAPS] += s.cap[c, d] / 3.0
                # A devil that is out has no cell.
                if s.devil[c, d] >= 0 and pots_on(s, int(s.devil[c, d])):
                    numbers[at + Rival.BESIDE_POT] = 1.0
            numbers[at + Rival.HALFWAY] = score >= GOAL // 2
            numbers[at + Rival.NO_DEVIL] = left == 0
    return most, best


# -- the actions -----------------------------------------------------------------------------------


@rule
def describe(
    s: State, seat: int, actions: Ints, n: int, kinds: Ints32, marks: Floats32, room: Floats32
) -> None:
    """`NetworkInputs.describe`."""
    now = balance(s, seat) if s.node == Node.MOVE else 0.0
    for a in range(n):
        action = int(actions[a])
        if s.node == Node.MENU:
            kinds[a] = action
        elif s.node == Node.POT:
            kinds[a] = describe_put(s, seat, action - POT, marks, a)
        elif s.node == Node.DEFEND:
            kinds[a] = FIGHTING + action - FIGHT
            describe_fight(s, seat, marks, a)
        elif action == END:
            kinds[a] = ENDING
            marks[a, MoveMark.POINTS_GIVEN_UP] = s.points / 6.0
        else:
            kinds[a] = describe_move(s, seat, action, now, marks, a)


@rule
def describe_put(s: State, seat: int, k: int, marks: Floats32, a: int) -> int:
    """A pot is placed: its value, and how far it is from the grills. Returns the kind."""
    me = colour_of(s, seat)
    to = int(SPACE[k % len(SPACE)])
    value = int(s.card[SIGNS * me + k // len(SPACE)])
    # More than 9 steps are not told apart.
    least = 9
    for c in range(COLOURS):
        if c != me and seat_of(s, c) < s.seats:
            least = min(least, int(DISTANCE[GRILL[c], to]))
    own = min(int(DISTANCE[GRILL[me], to]), 9)
    marks[a, PutMark.OWN_STEPS] = own / 5.0
    marks[a, PutMark.RIVAL_STEPS] = least / 5.0
    marks[a, PutMark.VALUE_BY_OWN_STEPS] = value * own / 15.0
    marks[a, PutMark.VALUE_BY_RIVAL_STEPS] = value * least / 15.0
    if value == MILK:
        marks[a, PutMark.MILK_RIVAL_STEPS] = least / 5.0
        marks[a, PutMark.MILK_OWN_STEPS] = own / 5.0
    marks[a, PutMark.FARTHER] = (own - least) / 5.0
    marks[a, PutMark.START_STEPS] = int(DISTANCE[to, START[me]]) / 5.0
    return PLACING + 10 * value + own


@rule
def describe_fight(s: State, seat: int, marks: Floats32, a: int) -> None:
    """What winning and losing the duel would change, beside going home."""
    me = colour_of(s, seat)
    foe = int(s.foe)
    other = colour_of(s, int(s.attacker))
    home = sent_home(s, seat, int(s.foe_colour), foe)
    p = ATTACK[s.stove]
    lost = beaten(s, seat, int(s.foe_colour), foe) - home
    won = beaten(s, seat, other, int(s.fighter)) - home
    marks[a, FightMark.EXPECTED] = (p * lost + (1.0 - p) * won) / 4.0
    marks[a, FightMark.LOST] = lost / 4.0
    marks[a, FightMark.WON] = won / 4.0
    marks[a, FightMark.CAP] = s.cap[s.foe_colour, foe]
    marks[a, FightMark.ONE_DEVIL] = devils_left(s, me) == 1


@rule
def describe_move(s: State, seat: int, action: int, now: float, marks: Floats32, a: int) -> int:
    """A move: how the seat would stand after it, and what it is. Returns its kind."""
    d, to, load = move_of(action)
    me = colour_of(s, seat)
    at = int(s.devil[me, d])
    foes = opposed(s, me)
    kind = WALKING
    worth = (after_move(s, seat, d, to, load) - now) / 4.0
    marks[a, MoveMark.WORTH] = worth
    marks[a, MoveMark.GAIN] = max(worth, 0.0)
    marks[a, MoveMark.POINTS] = s.points / 6.0
    if to == GRILL[me]:
        kind = HOME
        describe_delivery(s, me, load - 1, marks, a)
    elif foes >> to & 1:
        kind = DUEL
        describe_duel(s, me, d, to, marks, a)
    # What a pot is matters on the way only: at home `describe_delivery` has told it.
    if load == 0:
        marks[a, MoveMark.TO_POT] = pots_on(s, to) != 0
        marks[a, MoveMark.FROM_POT] = pots_on(s, at) != 0
    elif kind != HOME:
        marks[a, MoveMark.CARRIES] = 1.0
        if knows(s, me, load - 1):
            marks[a, MoveMark.CARRIED_VALUE] = s.card[load - 1] / 5.0
            marks[a, MoveMark.CARRIED_MILK] = s.card[load - 1] == MILK
        else:
            marks[a, MoveMark.CARRIED_UNKNOWN] = 1.0
        marks[a, MoveMark.STEPS_HOMEWARD] = (
            int(DISTANCE[GRILL[me], at]) - int(DISTANCE[GRILL[me], to])
        ) / 3.0
    near = CLOSE[to] & foes != 0
    marks[a, MoveMark.FOE_CLOSE_TO_CAP] = near and s.cap[me, d] == 1
    marks[a, MoveMark.FOE_CLOSE] = near
    marks[a, MoveMark.WINGS] = s.wings
    return kind


@rule
def describe_delivery(s: State, me: int, pot: int, marks: Floats32, a: int) -> None:
    """What a pot on the own grill brings."""
    if knows(s, me, pot):
        brings = gain(s, me, pot // SIGNS, s.card[pot])
        marks[a, MoveMark.SERVED_VALUE] = s.card[pot] / 5.0
        marks[a, MoveMark.SERVED_MILK] = s.card[pot] == MILK
    else:
        brings = unseen_gain(s, me, pot // SIGNS)
        marks[a, MoveMark.SERVED_UNKNOWN] = 1.0
    marks[a, MoveMark.BRINGS] = brings / 5.0
    marks[a, MoveMark.BRINGS_MUCH] = brings > 6.0


@rule
def describe_duel(s: State, me: int, d: int, to: int, marks: Floats32, a: int) -> None:
    """Who is challenged with what."""
    marks[a, MoveMark.OWN_CAP] = s.cap[me, d]
    marks[a, MoveMark.DUEL_FOR_POT] = pots_on(s, to) != 0
    marks[a, MoveMark.OWN_ONE_DEVIL] = devils_left(s, me) == 1
    for c in range(COLOURS):
        for foe in range(DEVILS):
            if c != me and s.devil[c, foe] == to:
                marks[a, MoveMark.FOE_CAP] = s.cap[c, foe]
                marks[a, MoveMark.FOE_SCORE] = s.score[c] / float(GOAL)
                marks[a, MoveMark.FOE_ONE_DEVIL] = devils_left(s, c) == 1
                marks[a, MoveMark.FOE_NEUTRAL] = seat_of(s, c) >= s.seats


INPUTS = NetworkInputs(ONES, 6, NUMBERS, KINDS, MARKS, read, describe)
