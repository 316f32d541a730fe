"""How a position of UNDERWORLD stands: each player's chance to get out.

The weights are a logistic fit to 2,500 games between advised players (two to six seats); it is
calibrated to within three points in every hundred.
"""

import math

from diablerie.engine.compile import Floats, rule
from diablerie.games.underworld.policy.ordering import wanted
from diablerie.games.underworld.rules.state import Node, State, size
from diablerie.games.underworld.rules.turns import returns

BASE = -3.1
HELD = 1.05  # a letter held
OPEN = 0.54  # a letter lacking, in sight
DEVIL = -0.15  # being possessed
NIGHT = 0.49  # a card face down, divided by the seats and two
OTHERS = -0.65  # a letter held, of the others on the board on average
DUEL = -1.0  # one opponent left
CLOSE = 0.7  # five letters or six


@rule
def value(s: State, out: Floats) -> None:
    """The verb: those who get out share +1, the others -1, unless nobody does."""
    if s.node == Node.OVER:
        returns(s, out)
        return
    total = chances_to_leave(s, out)
    nobody = 1.0
    for i in range(s.seats):
        nobody *= 1.0 - out[i]
    for i in range(s.seats):
        share = out[i] / total - (1.0 - out[i]) / (s.seats - total)
        out[i] = (1.0 - nobody) * share


@rule
def chances_to_leave(s: State, out: Floats) -> float:
    """Write each seat's chance to be out in the end; return their sum: somebody stays."""
    inside = 0
    open_sum = 0.0
    for i in range(s.seats):
        out[i] = 1.0 if s.gone[i] else chance_to_leave(s, i)
        if s.gone[i] == 0:
            inside += 1
            open_sum += out[i]
    scale = min(1.0, (inside - 1) / open_sum)
    for i in range(s.seats):
        if s.gone[i] == 0:
            out[i] *= scale
    return s.seats - inside + open_sum * scale


@rule
def chance_to_leave(s: State, seat: int) -> float:
    """A player's chance to leave, from letters held and in sight, the others', and the night."""
    held = size(int(s.letters[seat]))
    others = 0.0
    inside = 0
    for i in range(s.seats):
        if i != seat and s.gone[i] == 0:
            inside += 1
            others += size(int(s.letters[i]))
    x = BASE + HELD * held + OPEN * size(wanted(s, seat)) + DEVIL * s.devil[seat]
    x += NIGHT * size(int(s.down)) / (s.seats + 2.0) + OTHERS * others / max(1, inside)
    x += DUEL * (inside == 1) + CLOSE * (held >= 5)
    return 1.0 / (1.0 + math.exp(-x))
