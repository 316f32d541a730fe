"""What a policy network reads of COALS: money, the furnace, the round, and what a stake may bring."""

from math import log

from diablerie.engine.compile import Floats32, Ints, Ints32, rule
from diablerie.engine.shared_rules import total
from diablerie.engine.verbs import SEATS
from diablerie.games.coals.policy.advice import CUSHION, USUAL, due, payoff
from diablerie.games.coals.policy.evaluation import mean_coal, safe, to_come
from diablerie.games.coals.policy.features import DERIVED, derive
from diablerie.games.coals.rules.state import KINDS, PAY, PULL, UNIT, Node, State
from diablerie.learning.inputs import NetworkInputs

# Numbers: those that values are learnt from, the round as the seat stands in it, the other seats
FURNACE = DERIVED + 21
RIVALS = FURNACE + KINDS
EACH = 9
NUMBERS = RIVALS + EACH * (SEATS - 1)
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
AHEAD = 3  # pulls
MARKS = 11


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
        at = RIVALS + EACH * (j - 1)
        if j < s.seats:
            i = (seat + j) % s.seats
            stake = max(int(s.stake[i]), 0) if pulling else 0
            money = int(s.chips[i]) + stake
            best = max(best, int(s.coal[i]))
            most = max(most, int(s.pieces[i]))
            high = max(high, stake)
            rich = max(rich, money)
            numbers[at] = 1.0
            numbers[at + 1] = money / float(s.goal)
            numbers[at + 2] = stake / 200.0
            numbers[at + 3] = s.coal[i] / 100.0
            numbers[at + 4] = s.pieces[i] / 4.0
            numbers[at + 5] = s.busted[i]
            numbers[at + 6] = s.pact[i]
            numbers[at + 7] = pulling and (i - s.first) % s.seats > (s.turn - s.first) % s.seats
            numbers[at + 8] = min(stake, int(s.coal[seat])) / 100.0
    return best, most, high, rich


@rule
def read_own(
    s: State, seat: int, mine: int, best: int, most: int, high: int, numbers: Floats32
) -> None:
    """Write how the seat stands. mine: its stake; best, most, high: see `read_rivals`."""
    coal = int(s.coal[seat])
    pieces = int(s.pieces[seat])
    left = total(s.furnace)
    o = DERIVED
    numbers[o] = s.chips[seat] / float(s.goal)
    numbers[o + 1] = mine / 200.0
    numbers[o + 2] = coal / 100.0
    numbers[o + 3] = pieces / 4.0
    numbers[o + 4] = best / 100.0
    numbers[o + 5] = most / 4.0
    numbers[o + 6] = high / 200.0
    numbers[o + 7] = mine > high
    numbers[o + 8] = mine == high
    numbers[o + 9] = max(coal, best) >= mine
    numbers[o + 10] = max(coal, best) >= high
    numbers[o + 11] = coal > best
    numbers[o + 12] = pieces > most
    numbers[o + 13] = to_come(s) / s.seats if s.node == Node.PULL else 1.0
    numbers[o + 14] = due(s, seat) / PAY
    numbers[o + 15] = left / 48.0
    numbers[o + 16] = left <= s.mouth
    numbers[o + 17] = max(0, mine - max(best, coal)) / 100.0
    numbers[o + 18] = coal == best
    numbers[o + 19] = pieces == most
    numbers[o + 20] = pieces + 1 >= most


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
            for more in range(1, AHEAD + 1):
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
    step = p ** (UNIT / mean_coal(s))
    reach = 1.0
    still = log(money + CUSHION)
    for a in range(n):
        stake = float(UNIT * actions[a])
        missed = 1.0
        highest = 1.0
        for i in range(s.seats):
            missed *= 1.0 - (min(reach, p) if stake > 0.0 else 1.0)
            if i != seat:
                highest *= stake / (stake + max(10.0, min(USUAL, s.chips[i] / 2.0)))
        reach *= step
        luck = 1.0 - missed
        prize = stake * (1.0 + highest)
        kinds[a] = STAKES + min(int(actions[a]), MOST_STAKE)
        marks[a, 0] = stake / 100.0
        marks[a, 1] = luck
        marks[a, 2] = luck * prize / 100.0
        marks[a, 3] = missed * stake / 100.0
        marks[a, 4] = stake / max(money, UNIT)
        marks[a, 5] = stake == money
        marks[a, 6] = money + stake >= goal
        marks[a, 7] = money + 2.0 * stake >= goal
        marks[a, 8] = highest
        worth = luck * log(money + prize + CUSHION) + missed * log(money - stake + CUSHION)
        marks[a, 9] = 4.0 * (worth - still)
        marks[a, 10] = stake == 0.0


INPUTS = NetworkInputs(ONES, 9, NUMBERS, STAKES + MOST_STAKE + 1, MARKS, read, describe)
