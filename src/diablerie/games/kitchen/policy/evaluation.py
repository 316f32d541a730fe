"""How good a position is for a colour: points, pots within reach, devils and caps.

A pot is worth its points, less for every step to it and to the grill; opponents in the way cost
steps. A card that the thinking player does not know counts as the mean of the cards not seen yet.
Worths are in points; where no source is named they are chosen by hand.
"""

import numpy as np

from diablerie.engine.compile import Floats, rule
from diablerie.engine.shared_rules import softmax_to_utilities
from diablerie.games.kitchen.rules.board import CELLS, DISTANCE, GRILL, SPACES
from diablerie.games.kitchen.rules.state import (
    CARDS,
    DEVILS,
    GOAL,
    MENU_SUM,
    MILK,
    POTS,
    SIGNS,
    State,
    colour_of,
    delivered,
    devils_left,
    held_up,
    opposed,
    seat_of,
)

ALL = -1  # who knows every card

PER_STEP = 0.76  # what a pot keeps of its worth for each step it is away
IN_THE_WAY = 2  # steps that an opponent on the way costs
ON_THE_POT = 3  # steps that an opponent on the pot costs
WIN = 6.0  # what reaching ten is worth above the points
DEVIL = 1.2  # what milk costs that sends a devil out
LAST_DEVIL = 8.0  # what it costs if that is the last one
FREED = 0.7  # what it counts to free own pots that K28 holds up
HELD = 0.4  # what they count while they are held up
SECOND = 0.6  # what a second devil's hopes count
THIRD = 0.25  # what a third one's count

DECAY = PER_STEP ** np.arange(64)  # by steps


_STEPS = DISTANCE.tolist()  # [goal][from]: numbers of Python are read sooner than an array's


def _between(a: int, b: int) -> int:
    """Bit mask of the spaces on shortest ways from a to b."""
    to_b = _STEPS[b]
    whole = _STEPS[b][a]
    on_way = [x for x in SPACES if x not in (a, b) and to_b[x] + _STEPS[x][a] == whole]
    return sum(1 << x for x in on_way)


BETWEEN = np.zeros((CELLS, CELLS), np.int64)
for _a, _b in np.ndindex(BETWEEN.shape):
    BETWEEN[_a, _b] = _between(_a, _b)


@rule
def way(start: int, end: int, foes: int) -> int:
    """Steps from here to there, and what opponents on the way (`foes`, bits) make of them."""
    steps = int(DISTANCE[end, start]) + ON_THE_POT * (foes >> end & 1)
    return steps + (IN_THE_WAY if BETWEEN[start, end] & foes else 0)


# -- what delivering one brings ----------------------------------------------------------------


@rule
def knows(s: State, knower: int, pot: int) -> bool:
    """Whether a colour (or ALL) knows what is in a pot that is not delivered."""
    return s.card[pot] >= 0 and (knower == ALL or pot // SIGNS == knower)


@rule
def gain(s: State, colour: int, owner: int, value: int) -> float:
    """What delivering this card of `owner` would bring a colour."""
    brings = freed(s, colour, value) if owner != colour else 0.0
    if value == MILK:
        return brings - (LAST_DEVIL if devils_left(s, colour) == 1 else DEVIL)
    return brings + value + (WIN if s.score[colour] + value >= GOAL else 0.0)


@rule
def freed(s: State, colour: int, value: int) -> float:
    """What the own pots are worth that K28 holds up until an opponent's is delivered."""
    if not held_up(s, colour):
        return 0.0
    rest = MENU_SUM - int(s.score[colour])  # both pots delivered are own ones
    wins = s.score[colour] + value + rest >= GOAL
    return FREED * (rest + (WIN if wins else 0.0))


@rule
def unseen_gain(s: State, colour: int, owner: int) -> float:
    """The mean gain of a pot of `owner` whose card is not known."""
    open_cards = 0
    for pot in range(SIGNS * owner, SIGNS * owner + SIGNS):
        if delivered(s, pot):
            open_cards |= 1 << int(s.card[pot])
    total = 0.0
    n = 0
    for value in CARDS:
        if not open_cards >> value & 1:
            total += gain(s, colour, owner, value)
            n += 1
    return total / n if n else 0.0


# -- what a colour may hope for ----------------------------------------------------------------


@rule
def hopes(s: State, colour: int, knower: int) -> float:
    """What a colour may hope to get, in points: the best pot of each of its devils."""
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
    s: State, colour: int, d: int, knower: int, means: tuple[float, ...], foes: int
) -> tuple[float, int]:
    """The most a devil may hope for, and the pot: its worth, less for every step.

    `means`: the mean gain of a pot of each colour; `foes`: the cells of opponents, as bits.
    """
    best = 0.0
    which = -1
    if s.devil[colour, d] < 0:
        return best, which
    here = int(s.devil[colour, d])
    for pot in range(POTS):
        at = int(s.pot[pot])
        if at < 0 or delivered(s, pot):
            continue
        worth = worth_of(s, colour, knower, pot, means)
        # Steps only take away: ways are looked up for pots that could be the best.
        if worth > best:
            steps = way(at, int(GRILL[colour]), foes) + (way(here, at, foes) if here != at else 0)
            if worth * DECAY[steps] > best:
                best = worth * DECAY[steps]
                which = pot
    return best, which


@rule
def worth_of(s: State, colour: int, knower: int, pot: int, means: tuple[float, ...]) -> float:
    """What delivering a pot would bring a colour, as `knower` sees it."""
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


CAP = 0.6  # what a cap counts
BARE_RISK = 0.3  # what a devil without one loses near opponents
BAIT = 0.6  # milk beside an opponent's grill
FARTHEST = 9  # steps from where milk is no bait any more
WORST_RIVAL = 0.4  # how much the opponent who stands best counts
MEAN_RIVAL = 0.4  # how much the mean of all opponents counts

# The cells within three steps of each, as bit masks.
CLOSE = np.zeros(CELLS, np.int64)
for _a, _b in np.ndindex(DISTANCE.shape):
    if DISTANCE[_a, _b] <= 3:
        CLOSE[_a] |= 1 << _b


# -- for the advice: in points -----------------------------------------------------------------


@rule
def balance(s: State, seat: int) -> float:
    """What a seat may expect less what the others may, in points, as far as the seat knows."""
    me = colour_of(s, seat)
    others = 0.0
    worst = -99.0
    for i in range(s.seats):
        if i != seat:
            x = evaluate(s, colour_of(s, i), me)
            others += x
            worst = max(worst, x)
    rivals = WORST_RIVAL * worst + MEAN_RIVAL * others / (s.seats - 1)
    return evaluate(s, me, me) + bait(s, me) - rivals


@rule
def evaluate(s: State, colour: int, knower: int) -> float:
    """What a colour may expect, in points, as far as the colour `knower` (or ALL) knows."""
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
def bait(s: State, colour: int) -> float:
    """How near this colour's milk is to the grills of others."""
    for pot in range(SIGNS * colour, SIGNS * colour + SIGNS):
        if s.card[pot] == MILK and s.pot[pot] >= 0:
            steps = FARTHEST
            for c in range(4):
                if c != colour and seat_of(s, c) < s.seats:
                    steps = min(steps, int(DISTANCE[GRILL[c], s.pot[pot]]))
            return float(BAIT * DECAY[steps])
    return 0.0


# -- for the search: shares of the win ---------------------------------------------------------


@rule
def value(s: State, out: Floats) -> None:
    """The verb: a softmax over the logarithms of the seats' chances to win."""
    for seat in range(s.seats):
        out[seat] = log_chance(s, seat)
    softmax_to_utilities(out, int(s.seats), out)


@rule
def log_chance(s: State, seat: int) -> float:
    """The logarithm of how likely a seat wins, but for a constant: a fit to 9,000 games."""
    c = colour_of(s, seat)
    left = devils_left(s, c)
    if left == 0:
        return -6.0
    points = float(s.score[c])
    hope = hopes(s, c, ALL)
    x = 0.03 * points + 0.03 * points * points + 0.26 * hope + 0.1 * left
    return x + 0.17 * (s.turn == seat) + 0.2 * (points + hope >= GOAL)
