"""What a policy network reads of KITCHEN: how the seats stand, and how they would after an action."""

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

# Numbers: those that values are learnt from, more of the own ones, the other seats
RIVALS = DERIVED + 8
EACH = 12
NUMBERS = RIVALS + EACH * (COLOURS - 1)
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
MARKS = 26


@rule
def read(s: State, seat: int, numbers: Floats32, ones: Ints32, room: Floats32) -> int:
    """`NetworkInputs.read`."""
    derive(s, seat, numbers)
    me = colour_of(s, seat)
    o = DERIVED
    mine = evaluate(s, me, me)
    rival, best = read_rivals(s, seat, numbers)
    numbers[o] = mine / GOAL
    numbers[o + 1] = rival / GOAL
    numbers[o + 2] = (mine - rival) / GOAL
    numbers[o + 3] = s.obliged != NONE
    numbers[o + 4] = s.extra
    numbers[o + 5] = s.points / 6.0 * (s.turn == seat)
    numbers[o + 6] = s.burst / 10.0
    numbers[o + 7] = (s.score[me] - best) / float(GOAL)
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
        at = RIVALS + EACH * (j - 1)
        if j < s.seats:
            i = (seat + j) % s.seats
            c = colour_of(s, i)
            worth = evaluate(s, c, me)
            left = devils_left(s, c)
            score = int(s.score[c])
            most = max(most, worth)
            best = max(best, score)
            numbers[at] = 1.0
            numbers[at + 1] = worth / GOAL
            numbers[at + 2] = score / float(GOAL)
            numbers[at + 3] = (score / float(GOAL)) ** 2
            numbers[at + 4] = left / 3.0
            numbers[at + 5] = left == 1
            numbers[at + 6] = s.turn == i
            numbers[at + 7] = held_up(s, c)
            for d in range(DEVILS):
                numbers[at + 8] += s.cap[c, d] / 3.0
                if s.devil[c, d] >= 0 and pots_on(s, int(s.devil[c, d])):
                    numbers[at + 9] = 1.0
            numbers[at + 10] = score >= GOAL // 2
            numbers[at + 11] = left == 0
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
            marks[a, 22] = s.points / 6.0
        else:
            kinds[a] = describe_move(s, seat, action, now, marks, a)


@rule
def describe_put(s: State, seat: int, k: int, marks: Floats32, a: int) -> int:
    """A pot is placed: its value, and how far it is from the grills. Returns the kind."""
    me = colour_of(s, seat)
    to = int(SPACE[k % len(SPACE)])
    value = int(s.card[SIGNS * me + k // len(SPACE)])
    least = 9
    for c in range(COLOURS):
        if c != me and seat_of(s, c) < s.seats:
            least = min(least, int(DISTANCE[GRILL[c], to]))
    own = min(int(DISTANCE[GRILL[me], to]), 9)
    marks[a, 0] = own / 5.0
    marks[a, 1] = least / 5.0
    marks[a, 2] = value * own / 15.0
    marks[a, 3] = value * least / 15.0
    if value == MILK:
        marks[a, 4] = least / 5.0
        marks[a, 5] = own / 5.0
    marks[a, 6] = (own - least) / 5.0
    marks[a, 7] = int(DISTANCE[to, START[me]]) / 5.0
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
    marks[a, 0] = (p * lost + (1.0 - p) * won) / 4.0
    marks[a, 1] = lost / 4.0
    marks[a, 2] = won / 4.0
    marks[a, 3] = s.cap[s.foe_colour, foe]
    marks[a, 4] = devils_left(s, me) == 1


@rule
def describe_move(s: State, seat: int, action: int, now: float, marks: Floats32, a: int) -> int:
    """A move: how the seat would stand after it, and what it is. Returns its kind."""
    d, to, load = move_of(action)
    me = colour_of(s, seat)
    at = int(s.devil[me, d])
    foes = opposed(s, me)
    kind = WALKING
    worth = (after_move(s, seat, d, to, load) - now) / 4.0
    marks[a, 0] = worth
    marks[a, 1] = max(worth, 0.0)
    marks[a, 2] = s.points / 6.0
    if to == GRILL[me]:
        kind = HOME
        describe_delivery(s, me, load - 1, marks, a)
    elif foes >> to & 1:
        kind = DUEL
        describe_duel(s, me, d, to, marks, a)
    if load == 0:
        marks[a, 20], marks[a, 21] = pots_on(s, to) != 0, pots_on(s, at) != 0
    elif kind != HOME:
        marks[a, 15] = 1.0
        if knows(s, me, load - 1):
            marks[a, 16], marks[a, 17] = s.card[load - 1] / 5.0, s.card[load - 1] == MILK
        else:
            marks[a, 18] = 1.0
        marks[a, 19] = (int(DISTANCE[GRILL[me], at]) - int(DISTANCE[GRILL[me], to])) / 3.0
    near = CLOSE[to] & foes != 0
    marks[a, 24] = near and s.cap[me, d] == 1
    marks[a, 23] = near
    marks[a, 25] = s.wings
    return kind


@rule
def describe_delivery(s: State, me: int, pot: int, marks: Floats32, a: int) -> None:
    """What a pot on the own grill brings."""
    if knows(s, me, pot):
        brings = gain(s, me, pot // SIGNS, s.card[pot])
        marks[a, 3], marks[a, 4] = s.card[pot] / 5.0, s.card[pot] == MILK
    else:
        brings = unseen_gain(s, me, pot // SIGNS)
        marks[a, 5] = 1.0
    marks[a, 6] = brings / 5.0
    marks[a, 7] = brings > 6.0


@rule
def describe_duel(s: State, me: int, d: int, to: int, marks: Floats32, a: int) -> None:
    """Who is challenged with what."""
    marks[a, 8] = s.cap[me, d]
    marks[a, 9] = pots_on(s, to) != 0
    marks[a, 10] = devils_left(s, me) == 1
    for c in range(COLOURS):
        for foe in range(DEVILS):
            if c != me and s.devil[c, foe] == to:
                marks[a, 11] = s.cap[c, foe]
                marks[a, 12] = s.score[c] / float(GOAL)
                marks[a, 13] = devils_left(s, c) == 1
                marks[a, 14] = seat_of(s, c) >= s.seats


INPUTS = NetworkInputs(ONES, 6, NUMBERS, KINDS, MARKS, read, describe)
