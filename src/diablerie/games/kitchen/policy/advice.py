"""What a sensible cook does: the step after which things stand best.

Every step is tried on the record and taken back. A duel counts as the defender's better choice
between fight and flight, a pot not known as the mean of the cards not seen yet.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from diablerie.engine.compile import rule
from diablerie.engine.record import Record
from diablerie.engine.rng import Rng, below, unit
from diablerie.games.kitchen.policy.evaluation import (
    ALL,
    balance,
    gain,
    hopes,
    knows,
    unseen_gain,
)
from diablerie.games.kitchen.rules.board import (
    CELLS,
    FLIGHT,
    GRILL,
    NOWHERE,
    PLACE,
    PLACES,
    START,
    TARGETS,
)
from diablerie.games.kitchen.rules.duel import attackers_chance
from diablerie.games.kitchen.rules.lookup import (
    colour_of,
    devils_left,
    mine,
    opposed,
    pots_on,
    seat_of,
)
from diablerie.games.kitchen.rules.moving import forbids_devil, forbids_load, forbids_target
from diablerie.games.kitchen.rules.play import forbids_pot
from diablerie.games.kitchen.rules.state import (
    DEVILS,
    END,
    FIGHT,
    GO,
    GOAL,
    HAND,
    LOADS,
    LOST,
    NONE,
    POT,
    REFUSE,
    SIGNS,
    Node,
)

# How often the attacker wins a duel, by the option `stove`.
ATTACK = np.array([attackers_chance(max(2, stove)) for stove in range(21)])
BLUR, BLUFF = 0.01, 0.8  # how much chance there is in a step, and in where a pot is put
IMPATIENCE = 0.01  # what daring is worth more with every turn
POINT = 0.1  # what a point of movement is worth when a duel ends the turn


@rule
def advise(s: Record, seat: int, rng: Rng) -> int:
    """The verb."""
    if s.node == Node.MENU:
        return below(rng, POT)
    if s.node == Node.POT:
        return best_place(s, seat, rng)
    if s.node == Node.DEFEND:
        return FIGHT if fights(s, seat) else REFUSE
    return best_step(s, seat, rng)


@rule
def best_place(s: Record, seat: int, rng: Rng) -> int:
    """Where to put which pot: near the own grill, milk near another's, with some bluff."""
    best, action = -1e9, -1
    own = SIGNS * colour_of(s, seat)
    for sign in range(SIGNS):
        for k in range(len(PLACES)):
            if forbids_pot(s, seat, sign * len(PLACES) + k):
                continue
            s.pot[own + sign] = PLACE[k]
            x = balance(s, seat) + BLUFF * unit(rng)
            s.pot[own + sign] = HAND
            if x > best:
                best, action = x, POT + sign * len(PLACES) + k
    return action


@rule
def best_step(s: Record, seat: int, rng: Rng) -> int:
    """The best step or flight, or the end of the turn."""
    best, action = -1e9, END
    if s.obliged == NONE:
        best = balance(s, seat)
    for d in range(DEVILS):
        if forbids_devil(s, d):
            continue
        at = int(s.devil[mine(s), d])
        row = FLIGHT if s.wings else at
        pots = 1 | pots_on(s, at) << 1
        for i in range(len(PLACES)):
            to = int(TARGETS[row, i])
            if to == NOWHERE:
                break
            if forbids_target(s, d, to) == 0:
                x, load = best_load(s, seat, d, to, pots, rng)
                if x > best:
                    best, action = x, GO + (d * CELLS + to) * LOADS + load
    return action


@rule
def best_load(s: Record, seat: int, d: int, to: int, pots: int, rng: Rng) -> tuple[float, int]:
    """How things stand after this step with the best load, and that load."""
    best, chosen = -1e9, 0
    for load in range(LOADS):
        if pots >> load & 1 and forbids_load(s, d, to, load) == 0:
            x = tried(s, seat, d, to, load) + BLUR * unit(rng)
            if x > best:
                best, chosen = x, load
    return best, chosen


@rule
def tried(s: Record, seat: int, d: int, to: int, load: int) -> float:
    """How things stand after a step, which is taken back."""
    me = colour_of(s, seat)
    at = s.devil[me, d]
    if to == GRILL[me]:
        return served(s, seat, d, load - 1)
    s.devil[me, d] = to
    if load:
        s.pot[load - 1] = to
    if opposed(s, me) >> to & 1:
        x = duelled(s, seat, d, to) + impatience(s)
    else:
        x = balance(s, seat)
    s.devil[me, d] = at
    if load:
        s.pot[load - 1] = at
    return x


@rule
def impatience(s: Record) -> float:
    """Long games make bold."""
    return min(2.0, IMPATIENCE * s.turns)


@rule
def served(s: Record, seat: int, d: int, pot: int) -> float:
    """How things stand after serving a pot."""
    me = colour_of(s, seat)
    at, place = s.devil[me, d], s.pot[pot]
    if knows(s, me, pot):
        brings = gain(s, me, pot // SIGNS, s.card[pot])
    else:
        brings = unseen_gain(s, me, pot // SIGNS)
    s.devil[me, d], s.pot[pot] = START[me], HAND
    x = balance(s, seat) + brings + impatience(s)
    s.devil[me, d], s.pot[pot] = at, place
    return x


@rule
def duelled(s: Record, seat: int, d: int, at: int) -> float:
    """How things stand after a duel at a place: the defender takes his better choice."""
    for c in range(4):
        for foe in range(DEVILS):
            if c != colour_of(s, seat) and s.devil[c, foe] == at:
                won = beaten(s, seat, c, foe)
                lost = beaten(s, seat, colour_of(s, seat), d) - POINT * s.points
                fight = ATTACK[s.stove] * won + (1.0 - ATTACK[s.stove]) * lost
                if seat_of(s, c) >= s.seats:
                    return fight
                return min(fight, sent_home(s, seat, c, foe))
    return 0.0


@rule
def sent_home(s: Record, seat: int, c: int, d: int) -> float:
    """How things stand for a seat when a devil is back at its start."""
    at = s.devil[c, d]
    s.devil[c, d] = START[c]
    x = balance(s, seat)
    s.devil[c, d] = at
    return x


@rule
def beaten(s: Record, seat: int, c: int, d: int) -> float:
    """How things stand for a seat when a devil has lost a duel."""
    at, cap = s.devil[c, d], s.cap[c, d]
    spared = cap == 1 or devils_left(s, c) == 1
    s.devil[c, d] = START[c] if spared else LOST
    s.cap[c, d] = 0
    x = balance(s, seat)
    s.devil[c, d], s.cap[c, d] = at, cap
    return x


@rule
def fights(s: Record, seat: int) -> bool:
    """Whether a duel is worth more than the way home."""
    me, foe = colour_of(s, seat), int(s.foe)
    other = colour_of(s, int(s.attacker))
    lost = beaten(s, seat, me, foe) - POINT
    won = beaten(s, seat, other, int(s.fighter)) + POINT * s.points
    return ATTACK[s.stove] * lost + (1.0 - ATTACK[s.stove]) * won > sent_home(s, seat, me, foe)


@rule
def value(s: Record, out: NDArray[Any]) -> None:
    """The verb: shares of the win by how everybody stands."""
    total = 0.0
    for seat in range(s.seats):
        out[seat] = np.exp(prospects(s, seat))
        total += out[seat]
    for seat in range(s.seats):
        share = out[seat] / total
        out[seat] = share - (1.0 - share) / (s.seats - 1)


@rule
def prospects(s: Record, seat: int) -> float:
    """The logarithm of how likely a seat wins, but for a constant: a fit to 9,000 games."""
    c = colour_of(s, seat)
    left = devils_left(s, c)
    if left == 0:
        return -6.0
    points, hope = float(s.score[c]), hopes(s, c, ALL)
    x = 0.03 * points + 0.03 * points * points + 0.26 * hope + 0.1 * left
    return x + 0.17 * (s.turn == seat) + 0.2 * (points + hope >= GOAL)
