"""What a policy network reads of COALS: money, the furnace, the round, and what a stake may bring."""

from enum import IntEnum
from math import log

from diablerie.engine.compile import Floats32, Ints, Ints32, rule
from diablerie.engine.shared_rules import total
from diablerie.engine.verbs import SEATS
from diablerie.games.coals.policy.advice import CUSHION, USUAL, due, payoff
from diablerie.games.coals.policy.evaluation import mean_coal, safe, to_come
from diablerie.games.coals.policy.features import DERIVED, derive
from diablerie.games.coals.rules.state import KINDS, PAY, PULL, UNIT, Node, State
from diablerie.learning.inputs import NetworkInputs


class Own(IntEnum):
    """A number of the round as the seat stands in it, counted from DERIVED."""

    MONEY = 0
    STAKE = 1
    COAL = 2
    PIECES = 3
    BEST_COAL = 4
    MOST_PIECES = 5
    HIGHEST_STAKE = 6
    STAKED_MOST = 7
    STAKED_AS_MUCH = 8
    STAKE_COVERED = 9  # by the best coal, the own or another's
    HIGHEST_COVERED = 10
    COAL_AHEAD = 11
    PIECES_AHEAD = 12
    TO_COME = 13  # seats that pull still
    DUE = 14
    LEFT = 15  # in the furnace
    LAST_PIECES = 16  # no more than the mouth holds
    SHORT = 17  # of the stake
    COAL_EQUAL = 18
    PIECES_EQUAL = 19
    PIECES_WITHIN_ONE = 20


class Rival(IntEnum):
    """A number of another seat, counted from where that seat's begin."""

    PLAYS = 0
    MONEY = 1
    STAKE = 2
    COAL = 3
    PIECES = 4
    BUSTED = 5
    PACT = 6
    TO_PULL = 7  # after the seat whose turn it is
    STAKE_COVERED = 8  # as much of its stake as the reader's coal


class StakeMark(IntEnum):
    """A mark of a stake."""

    STAKE = 0
    LUCK = 1  # the chance that somebody pulls as much
    PRIZE = 2
    LOSS = 3
    PART_OF_MONEY = 4
    ALL_MONEY = 5
    REACHES_GOAL = 6
    REACHES_GOAL_AS_HIGHEST = 7
    HIGHEST = 8  # the chance that nobody stakes more
    WORTH = 9  # by the logarithm of money
    NO_STAKE = 10


# Numbers: those that values are learnt from, the round as the seat stands in it, the other seats
FURNACE = DERIVED + len(Own)
RIVALS = FURNACE + KINDS
RIVAL_NUMBERS = len(Rival)
NUMBERS = RIVALS + RIVAL_NUMBERS * (SEATS - 1)
# One-hot inputs: seats, node, money, the richest rival's money; while pulling the own coal, the best
# of the others, pieces, the highest stake, pieces left
SEATS_AT = 0
NODE_AT = 7
MONEY_AT = 9
RICH_AT = 42
COAL_AT = 75
BEST_AT = 96
PIECES_AT = 117
HIGH_AT = 129
LEFT_AT = 150
ONES = 175
MOST_STAKE = 60  # in tens: higher stakes have one kind
STAKES = 2  # kinds: pull, stop, and then stakes in tens
PULLS_AHEAD = 3
MARKS = len(StakeMark)


@rule
def bucket(x: float, size: int, most: int) -> int:
    """The number of the bucket of this size that holds x, at most `most`."""
    return min(max(int(x) // size, 0), most)


@rule
def read(s: State, seat: int, numbers: Floats32, ones: Ints32, room: Floats32) -> int:
    """`NetworkInputs.read`."""
    derive(s, seat, numbers)
    pulling = s.node == Node.PULL
    mine = int(s.stake[seat]) if pulling else 0
    best, most, high, rich = read_rivals(s, seat, pulling, numbers)
    read_own(s, seat, mine, best, most, high, numbers)
    for kind in range(KINDS):
        numbers[FURNACE + kind] = s.furnace[kind] / 9.0
    ones[0] = SEATS_AT + int(s.seats)
    ones[1] = NODE_AT + int(pulling)
    ones[2] = MONEY_AT + bucket(int(s.chips[seat]) + mine, PAY, 32)
    ones[3] = RICH_AT + bucket(rich, PAY, 32)
    if not pulling:
        return 4
    # The rest is known only while coal is pulled; without it fewer ones are set.
    ones[4] = COAL_AT + bucket(s.coal[seat], UNIT, 20)
    ones[5] = BEST_AT + bucket(best, UNIT, 20)
    ones[6] = PIECES_AT + 2 * min(int(s.pieces[seat]), 5) + int(s.pieces[seat] >= most)
    ones[7] = HIGH_AT + bucket(max(high, mine), UNIT, 20)
    ones[8] = LEFT_AT + bucket(total(s.furnace), 2, 24)
    return 9


@rule
def read_rivals(s: State, seat: int, pulling: bool, numbers: Floats32) -> tuple[int, int, int, int]:
    """Write the other seats clockwise; return their best coal, most pieces, highest stake, money."""
    best = 0
    most = 0
    high = 0
    rich = 0
    for j in range(1, SEATS):
        at = RIVALS + RIVAL_NUMBERS * (j - 1)
        # An empty seat leaves its numbers at 0, also whether it plays.
        if j < s.seats:
            i = (seat + j) % s.seats
            stake = max(int(s.stake[i]), 0) if pulling else 0
            money = int(s.chips[i]) + stake
            best = max(best, int(s.coal[i]))
            most = max(most, int(s.pieces[i]))
            high = max(high, stake)
            rich = max(rich, money)
            numbers[at + Rival.PLAYS] = 1.0
            numbers[at + Rival.MONEY] = money / float(s.goal)
            numbers[at + Rival.STAKE] = stake / 200.0
            numbers[at + Rival.COAL] = s.coal[i] / 100.0
            numbers[at + Rival.PIECES] = s.pieces[i] / 4.0
            numbers[at + Rival.BUSTED] = s.busted[i]
            numbers[at + Rival.PACT] = s.pact[i]
            numbers[at + Rival.TO_PULL] = (
                pulling and (i - s.first) % s.seats > (s.turn - s.first) % s.seats
            )
            numbers[at + Rival.STAKE_COVERED] = min(stake, int(s.coal[seat])) / 100.0
    return best, most, high, rich


@rule
def read_own(
    s: State, seat: int, mine: int, best: int, most: int, high: int, numbers: Floats32
) -> None:
    """Write how the seat stands. mine: its stake; best, most, high: see `read_rivals`."""
    coal = int(s.coal[seat])
    pieces = int(s.pieces[seat])
    left = total(s.furnace)
    numbers[DERIVED + Own.MONEY] = s.chips[seat] / float(s.goal)
    numbers[DERIVED + Own.STAKE] = mine / 200.0
    numbers[DERIVED + Own.COAL] = coal / 100.0
    numbers[DERIVED + Own.PIECES] = pieces / 4.0
    numbers[DERIVED + Own.BEST_COAL] = best / 100.0
    numbers[DERIVED + Own.MOST_PIECES] = most / 4.0
    numbers[DERIVED + Own.HIGHEST_STAKE] = high / 200.0
    # What doubles a stake, and what makes it come back at all: the best coal of anybody.
    numbers[DERIVED + Own.STAKED_MOST] = mine > high
    numbers[DERIVED + Own.STAKED_AS_MUCH] = mine == high
    numbers[DERIVED + Own.STAKE_COVERED] = max(coal, best) >= mine
    numbers[DERIVED + Own.HIGHEST_COVERED] = max(coal, best) >= high
    numbers[DERIVED + Own.COAL_AHEAD] = coal > best
    numbers[DERIVED + Own.PIECES_AHEAD] = pieces > most
    numbers[DERIVED + Own.TO_COME] = to_come(s) / s.seats if s.node == Node.PULL else 1.0
    numbers[DERIVED + Own.DUE] = due(s, seat) / PAY
    numbers[DERIVED + Own.LEFT] = left / 48.0
    numbers[DERIVED + Own.LAST_PIECES] = left <= s.mouth
    numbers[DERIVED + Own.SHORT] = max(0, mine - max(best, coal)) / 100.0
    numbers[DERIVED + Own.COAL_EQUAL] = coal == best
    numbers[DERIVED + Own.PIECES_EQUAL] = pieces == most
    numbers[DERIVED + Own.PIECES_WITHIN_ONE] = pieces + 1 >= most


@rule
def describe(
    s: State, seat: int, actions: Ints, n: int, kinds: Ints32, marks: Floats32, room: Floats32
) -> None:
    """`NetworkInputs.describe`."""
    if s.node == Node.PULL:
        describe_pulls(s, seat, actions, n, kinds, marks)
    else:
        describe_stakes(s, seat, actions, n, kinds, marks)


@rule
def describe_pulls(
    s: State, seat: int, actions: Ints, n: int, kinds: Ints32, marks: Floats32
) -> None:
    """What one, two and three more pieces are likely to bring, beside stopping now."""
    coal = int(s.coal[seat])
    pieces = int(s.pieces[seat])
    mean = max(1.0, mean_coal(s))
    stop = payoff(s, seat, coal, pieces)
    bust = payoff(s, seat, 0, 0) - due(s, seat)
    for a in range(n):
        kinds[a] = actions[a] - PULL
        if actions[a] == PULL:
            p = 1.0
            for more in range(1, PULLS_AHEAD + 1):
                p *= safe(s)
                aim = payoff(s, seat, coal + more * mean, pieces + more)
                marks[a, more - 1] = (p * aim + (1.0 - p) * bust - stop) / 100.0


@rule
def describe_stakes(
    s: State, seat: int, actions: Ints, n: int, kinds: Ints32, marks: Floats32
) -> None:
    """How likely somebody pulls as much, and what is won or lost then."""
    money = float(s.chips[seat])
    goal = float(s.goal)
    p = safe(s)
    step = p ** (s.step / mean_coal(s))
    # `reach`: the chance to pull as much as the stake; each stake is one step more than the last.
    reach = 1.0
    still = log(money + CUSHION)
    for a in range(n):
        stake = float(UNIT * actions[a])
        missed = 1.0
        highest = 1.0
        for i in range(s.seats):
            missed *= 1.0 - (min(reach, p) if stake > 0.0 else 1.0)
            if i != seat:
                # Another is taken to stake half of its money, but no more than is usual.
                highest *= stake / (stake + max(10.0, min(USUAL, s.chips[i] / 2.0)))
        reach *= step
        luck = 1.0 - missed
        prize = stake * (1.0 + highest)
        kinds[a] = STAKES + min(int(actions[a]), MOST_STAKE)
        marks[a, StakeMark.STAKE] = stake / 100.0
        marks[a, StakeMark.LUCK] = luck
        marks[a, StakeMark.PRIZE] = luck * prize / 100.0
        marks[a, StakeMark.LOSS] = missed * stake / 100.0
        marks[a, StakeMark.PART_OF_MONEY] = stake / max(money, UNIT)
        marks[a, StakeMark.ALL_MONEY] = stake == money
        marks[a, StakeMark.REACHES_GOAL] = money + stake >= goal
        marks[a, StakeMark.REACHES_GOAL_AS_HIGHEST] = money + 2.0 * stake >= goal
        marks[a, StakeMark.HIGHEST] = highest
        worth = luck * log(money + prize + CUSHION) + missed * log(money - stake + CUSHION)
        marks[a, StakeMark.WORTH] = 4.0 * (worth - still)
        marks[a, StakeMark.NO_STAKE] = stake == 0.0


INPUTS = NetworkInputs(ONES, 9, NUMBERS, STAKES + MOST_STAKE + 1, MARKS, read, describe)
