"""How good a position is for a colour: points, pots within reach, devils and caps.

Worths are in points; where no source is named they are chosen by hand.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from diablerie.engine.compile import rule
from diablerie.engine.record import Record
from diablerie.engine.utility import softmax_to_utilities
from diablerie.games.kitchen.policy.pots import ALL, DECAY, DEVIL, LAST_DEVIL, hopes
from diablerie.games.kitchen.rules.board import CELLS, DISTANCE, GRILL
from diablerie.games.kitchen.rules.lookup import colour_of, devils_left, opposed, seat_of
from diablerie.games.kitchen.rules.state import DEVILS, GOAL, MILK, SIGNS

CAP, BARE_RISK = 0.6, 0.3  # a cap, and a devil without one near opponents
BAIT = 0.6  # milk beside an opponent's grill
FARTHEST = 9  # steps from where milk is no bait any more
WORST_RIVAL, MEAN_RIVAL = 0.4, 0.4  # how much the best and the mean opponent count

# The cells within three steps of each, as bit masks.
CLOSE = np.array(
    [sum(1 << b for b in range(CELLS) if DISTANCE[a, b] <= 3) for a in range(CELLS)], np.int64
)


# -- for the advice: in points -----------------------------------------------------------------


@rule
def balance(s: Record, seat: int) -> float:
    """How a seat stands against the others, as it sees it."""
    me = colour_of(s, seat)
    others, worst = 0.0, -99.0
    for i in range(s.seats):
        if i != seat:
            x = evaluate(s, colour_of(s, i), me)
            others += x
            worst = max(worst, x)
    rivals = WORST_RIVAL * worst + MEAN_RIVAL * others / (s.seats - 1)
    return evaluate(s, me, me) + bait(s, me) - rivals


@rule
def evaluate(s: Record, colour: int, knower: int) -> float:
    """How a colour stands, as far as the colour `knower` (or ALL) knows."""
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
def bait(s: Record, colour: int) -> float:
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
def value(s: Record, out: NDArray[Any]) -> None:
    """The verb."""
    for seat in range(s.seats):
        out[seat] = log_chance(s, seat)
    softmax_to_utilities(out, int(s.seats), out)


@rule
def log_chance(s: Record, seat: int) -> float:
    """The logarithm of how likely a seat wins, but for a constant: a fit to 9,000 games."""
    c = colour_of(s, seat)
    left = devils_left(s, c)
    if left == 0:
        return -6.0
    points, hope = float(s.score[c]), hopes(s, c, ALL)
    x = 0.03 * points + 0.03 * points * points + 0.26 * hope + 0.1 * left
    return x + 0.17 * (s.turn == seat) + 0.2 * (points + hope >= GOAL)
