"""What a sensible cook does: the move after which things stand best, one ply ahead.

A duel counts as the defender's better choice between fight and flight, a pot not known as the
mean of the cards not seen yet.
"""

import numpy as np

from diablerie.engine.compile import rule
from diablerie.engine.rng import Rng, below, unit
from diablerie.games.kitchen.policy.evaluation import balance, gain, knows, unseen_gain
from diablerie.games.kitchen.rules import board, state
from diablerie.games.kitchen.rules.board import GRILL, START
from diablerie.games.kitchen.rules.legality import forbids_pot
from diablerie.games.kitchen.rules.moving import (
    forbids_devil,
    forbids_load,
    forbids_target,
    move_action,
)
from diablerie.games.kitchen.rules.play import attackers_chance
from diablerie.games.kitchen.rules.state import (
    Node,
    State,
    colour_of,
    mine,
    opposed,
    pots_on,
    seat_of,
    spared,
)

# How much chance there is in a move, and in where a pot is put, in points: chosen by hand.
BLUR = 0.01
BLUFF = 0.8
WORST = -1e9


@rule
def advise(s: State, seat: int, rng: Rng) -> int:
    """The verb: a menu at random, else the action after which the seat stands best."""
    if s.node == Node.MENU:
        return below(rng, state.POT)
    if s.node == Node.POT:
        return best_put(s, seat, rng)
    if s.node == Node.DEFEND:
        return state.FIGHT if fight_is_better(s, seat) else state.REFUSE
    return best_move(s, seat, rng)


@rule
def best_put(s: State, seat: int, rng: Rng) -> int:
    """Where to put which pot: near the own grill, milk near another's, with some bluff."""
    best = WORST
    action = -1
    own = state.SIGNS * colour_of(s, seat)
    for k in range(state.MOVE - state.POT):
        if forbids_pot(s, seat, k):
            continue
        sign = k // len(board.SPACE)
        to = board.SPACE[k % len(board.SPACE)]
        s.pot[own + sign] = to
        x = balance(s, seat) + BLUFF * unit(rng)
        s.pot[own + sign] = state.HAND
        if x > best:
            best = x
            action = state.POT + k
    return action


@rule
def best_move(s: State, seat: int, rng: Rng) -> int:
    """The best step or flight, or the end of the turn."""
    best = WORST
    action = state.END
    # Who is obliged to move on has no choice to stop.
    if s.obliged == state.NONE:
        best = balance(s, seat)
    for d in range(state.DEVILS):
        if forbids_devil(s, d):
            continue
        at = int(s.devil[mine(s), d])
        row = board.FLIGHT if s.wings else at
        pots = 1 | pots_on(s, at) << 1
        for i in range(len(board.SPACES)):
            to = int(board.TARGETS[row, i])
            # Targets are listed first; what follows is filling.
            if to == board.NOWHERE:
                break
            if forbids_target(s, d, to) == 0:
                x, load = best_load(s, seat, d, to, pots, rng)
                if x > best:
                    best = x
                    action = move_action(d, to, load)
    return action


@rule
def best_load(s: State, seat: int, d: int, to: int, pots: int, rng: Rng) -> tuple[float, int]:
    """How things stand after this move with the best load, and that load.

    Bit k of `pots`: load k is there to be taken.
    """
    best = WORST
    chosen = 0
    for load in range(state.LOADS):
        if pots >> load & 1 and forbids_load(s, d, to, load) == 0:
            x = after_move(s, seat, d, to, load) + BLUR * unit(rng)
            if x > best:
                best = x
                chosen = load
    return best, chosen


# -- one ply ahead: a move is made on the record, judged by `balance`, and taken back ----------


# How often the attacker wins a duel, by the option `stove`.
ATTACK = np.array([attackers_chance(max(2, stove)) for stove in range(21)])
# In points, chosen by hand: what daring is worth more with every turn, and at most; what a point
# of movement is worth when a duel ends the turn.
IMPATIENCE = 0.01
BOLDEST = 2.0
POINT = 0.1


@rule
def after_move(s: State, seat: int, d: int, to: int, load: int) -> float:
    """How things stand for a seat, in points, after a move of its devil `d`."""
    me = colour_of(s, seat)
    at = s.devil[me, d]
    if to == GRILL[me]:
        return after_delivery(s, seat, d, load - 1)
    s.devil[me, d] = to
    if load:
        s.pot[load - 1] = to
    if opposed(s, me) >> to & 1:
        x = after_duel(s, seat, d, to) + impatience(s)
    else:
        x = balance(s, seat)
    s.devil[me, d] = at
    if load:
        s.pot[load - 1] = at
    return x


@rule
def impatience(s: State) -> float:
    """The bonus of a delivery or a duel: it grows with every turn, so that games come to an end."""
    return min(BOLDEST, IMPATIENCE * s.turns)


@rule
def after_delivery(s: State, seat: int, d: int, pot: int) -> float:
    """How things stand for a seat after its devil `d` has delivered a pot."""
    me = colour_of(s, seat)
    at = s.devil[me, d]
    stood = s.pot[pot]
    if knows(s, me, pot):
        brings = gain(s, me, pot // state.SIGNS, s.card[pot])
    else:
        brings = unseen_gain(s, me, pot // state.SIGNS)
    s.devil[me, d] = START[me]
    s.pot[pot] = state.HAND
    x = balance(s, seat) + brings + impatience(s)
    s.devil[me, d] = at
    s.pot[pot] = stood
    return x


@rule
def after_duel(s: State, seat: int, d: int, at: int) -> float:
    """How things stand for the attacking seat when the defender has made the better choice."""
    for c in range(4):
        for foe in range(state.DEVILS):
            if c != colour_of(s, seat) and s.devil[c, foe] == at:
                won = beaten(s, seat, c, foe)
                lost = beaten(s, seat, colour_of(s, seat), d) - POINT * s.points
                fight = ATTACK[s.stove] * won + (1.0 - ATTACK[s.stove]) * lost
                if seat_of(s, c) >= s.seats:
                    return float(fight)
                return min(float(fight), sent_home(s, seat, c, foe))
    return 0.0


@rule
def sent_home(s: State, seat: int, c: int, d: int) -> float:
    """How things stand for a seat when a devil is back at its start."""
    at = s.devil[c, d]
    s.devil[c, d] = START[c]
    x = balance(s, seat)
    s.devil[c, d] = at
    return x


@rule
def beaten(s: State, seat: int, c: int, d: int) -> float:
    """How things stand for a seat when a devil has lost a duel."""
    at = s.devil[c, d]
    cap = s.cap[c, d]
    s.devil[c, d] = START[c] if spared(s, c, d) else state.LOST
    s.cap[c, d] = 0
    x = balance(s, seat)
    s.devil[c, d] = at
    s.cap[c, d] = cap
    return x


@rule
def fight_is_better(s: State, seat: int) -> bool:
    """Whether a duel is worth more to the challenged seat than the way home."""
    me = colour_of(s, seat)
    foe = int(s.foe)
    other = colour_of(s, int(s.attacker))
    lost = beaten(s, seat, me, foe) - POINT
    won = beaten(s, seat, other, int(s.fighter)) + POINT * s.points
    hope = float(ATTACK[s.stove])
    return hope * lost + (1.0 - hope) * won > sent_home(s, seat, me, foe)
