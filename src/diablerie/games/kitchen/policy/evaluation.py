"""How good a position is for a colour: points, pots within reach, devils and caps.

A pot within reach is worth its points, less for every step between it, a devil and the grill, and
more where opponents stand in the way. What the thinking player does not know counts as the mean
of the cards not seen yet.
"""

import numpy as np

from diablerie.engine.compile import rule
from diablerie.engine.record import Record
from diablerie.games.kitchen.rules.board import CELLS, GRILL, GRILL_BITS, PLACES, STEPS
from diablerie.games.kitchen.rules.lookup import colour_of, devils_left, opposed, seat_of
from diablerie.games.kitchen.rules.state import CARDS, DEVILS, GOAL, MILK, POTS, SIGNS
from diablerie.games.kitchen.rules.turns import delivered

ALL = -1  # who knows every card

PER_STEP = 0.76  # what a pot keeps of its worth for each step it is away
IN_THE_WAY, ON_THE_POT = 2, 3  # steps that an opponent costs there
WIN = 6.0  # what reaching ten is worth above the points
DEVIL, CAP, BARE_RISK = 1.2, 0.6, 0.3
LAST_DEVIL = 8.0
FREED, HELD = 0.7, 0.4  # own pots that K28 holds up: to free them, and meanwhile
SECOND, THIRD = 0.6, 0.25  # what a second and third devil's hopes count
FED = 0.6  # milk beside an opponent's grill

DECAY = PER_STEP ** np.arange(64)


def _between(a: int, b: int) -> int:
    """Bit mask of the places on shortest ways from a to b."""
    on_way = [x for x in PLACES if x not in (a, b)
              and STEPS[b, x] + STEPS[x, a] == STEPS[b, a]]  # fmt: skip
    return sum(1 << x for x in on_way)


BETWEEN = np.array([[_between(a, b) for b in range(CELLS)] for a in range(CELLS)], np.int64)
# The cells within three steps of each, as bit masks.
CLOSE = np.array(
    [sum(1 << b for b in range(CELLS) if STEPS[a, b] <= 3) for a in range(CELLS)], np.int64
)


@rule
def way(start: int, end: int, foes: int) -> int:
    """Steps from here to there, and what opponents on the way make of them."""
    steps = int(STEPS[end, start])
    if BETWEEN[start, end] & foes:
        steps += IN_THE_WAY
    return steps + ON_THE_POT * (foes >> end & 1)


# -- what a pot is worth -----------------------------------------------------------------------


@rule
def knows(s: Record, knower: int, pot: int) -> bool:
    """Whether a colour (or ALL) knows what is in a pot that is not served."""
    return s.card[pot] >= 0 and (knower == ALL or pot // SIGNS == knower)


@rule
def gain(s: Record, colour: int, owner: int, value: int) -> float:
    """What serving this card of `owner` would bring a colour."""
    brings = freed(s, colour, value) if owner != colour else 0.0
    if value == MILK:
        return brings - (LAST_DEVIL if devils_left(s, colour) == 1 else DEVIL)
    return brings + value + (WIN if s.score[colour] + value >= GOAL else 0.0)


@rule
def freed(s: Record, colour: int, value: int) -> float:
    """What the own pots are worth that K28 holds up until an opponent's is served."""
    if not held_up(s, colour):
        return 0.0
    rest = 9 - int(s.score[colour])  # both pots served are own ones
    wins = s.score[colour] + value + rest >= GOAL
    return FREED * (rest + (WIN if wins else 0.0))


@rule
def unseen_gain(s: Record, colour: int, owner: int) -> float:
    """The mean gain of a pot of `owner` whose card is not known."""
    open_cards = 0
    for pot in range(SIGNS * owner, SIGNS * owner + SIGNS):
        if delivered(s, pot):
            open_cards |= 1 << int(s.card[pot])
    total, n = 0.0, 0
    for value in CARDS:
        if not open_cards >> value & 1:
            total += gain(s, colour, owner, value)
            n += 1
    return total / n if n else 0.0


@rule
def held_up(s: Record, colour: int) -> bool:
    """K28: whether this colour can serve no own pot now."""
    own, all_in = 0, 0
    for pot in range(POTS):
        here = int(s.pot[pot] == GRILL[colour])
        all_in += here
        own += here * int(pot // SIGNS == colour)
    return own == 2 and all_in == 2


# -- what a colour may hope for ----------------------------------------------------------------


@rule
def hopes(s: Record, colour: int, knower: int) -> float:
    """The pots within this colour's reach: each devil's best one."""
    means = (
        unseen_gain(s, colour, 0),
        unseen_gain(s, colour, 1),
        unseen_gain(s, colour, 2),
        unseen_gain(s, colour, 3),
    )
    foes = opposed(s, colour)
    a, a_pot = best_pot(s, colour, 0, knower, means, foes)
    b, b_pot = best_pot(s, colour, 1, knower, means, foes)
    c, c_pot = best_pot(s, colour, 2, knower, means, foes)
    return blend(a, b, c, int(a_pot == b_pot) + int(b_pot == c_pot) + int(a_pot == c_pot))


@rule
def best_pot(
    s: Record, colour: int, d: int, knower: int, means: tuple[float, ...], foes: int
) -> tuple[float, int]:
    """The most a devil may hope for, and the pot: its worth, less for every step."""
    best, which = 0.0, -1
    if s.devil[colour, d] < 0:
        return best, which
    here = int(s.devil[colour, d])
    for pot in range(POTS):
        at = int(s.pot[pot])
        if at < 0 or GRILL_BITS >> at & 1:
            continue
        worth = worth_of(s, colour, knower, pot, means)
        if worth > best:
            steps = way(at, GRILL[colour], foes) + (way(here, at, foes) if here != at else 0)
            if worth * DECAY[steps] > best:
                best, which = worth * DECAY[steps], pot
    return best, which


@rule
def worth_of(s: Record, colour: int, knower: int, pot: int, means: tuple[float, ...]) -> float:
    """What serving a pot would bring a colour, as `knower` sees it."""
    owner = pot // SIGNS
    worth = means[owner]
    if knows(s, knower, pot):
        worth = gain(s, colour, owner, s.card[pot])
    return worth * HELD if owner == colour and held_up(s, colour) else worth


@rule
def blend(a: float, b: float, c: float, shared: int) -> float:
    """The best hope whole, the others in part; less where they are for the same pot."""
    best = max(a, b, c)
    least = min(a, b, c)
    return best + ((a + b + c - best - least) * SECOND + least * THIRD) / (1.0 + shared)


@rule
def outlook(s: Record, colour: int, knower: int) -> float:
    """How a colour stands, in points."""
    left = devils_left(s, colour)
    if left == 0:
        return float(s.score[colour]) - LAST_DEVIL
    total = float(s.score[colour]) + hopes(s, colour, knower) + DEVIL * left
    foes = opposed(s, colour)
    for d in range(DEVILS):
        if s.devil[colour, d] >= 0:
            total += CAP * s.cap[colour, d]
            if s.cap[colour, d] == 0 and left > 1 and CLOSE[s.devil[colour, d]] & foes:
                total -= BARE_RISK
    return total


@rule
def fed(s: Record, colour: int) -> float:
    """How near this colour's milk is to the grills of others."""
    for pot in range(SIGNS * colour, SIGNS * colour + SIGNS):
        if s.card[pot] == MILK and s.pot[pot] >= 0:
            steps = 9
            for c in range(4):
                if c != colour and seat_of(s, c) < s.seats:
                    steps = min(steps, STEPS[GRILL[c], s.pot[pot]])
            return float(FED * DECAY[steps])
    return 0.0


@rule
def balance(s: Record, seat: int) -> float:
    """How a seat stands against the others, as it sees it."""
    me = colour_of(s, seat)
    others, worst = 0.0, -99.0
    for i in range(s.seats):
        if i != seat:
            x = outlook(s, colour_of(s, i), me)
            others += x
            worst = max(worst, x)
    rivals = 0.4 * worst + 0.4 * others / (s.seats - 1)
    return outlook(s, me, me) + fed(s, me) - rivals
