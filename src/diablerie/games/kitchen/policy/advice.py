"""What a sensible cook does: the move after which things stand best, by one ply of `lookahead`."""

from diablerie.engine.compile import rule
from diablerie.engine.record import Record
from diablerie.engine.rng import Rng, below, unit
from diablerie.games.kitchen.policy.evaluation import balance
from diablerie.games.kitchen.policy.lookahead import after_move, fight_is_better
from diablerie.games.kitchen.rules import board, state
from diablerie.games.kitchen.rules.legality import forbids_pot
from diablerie.games.kitchen.rules.lookup import colour_of, mine, pots_on
from diablerie.games.kitchen.rules.moving import (
    forbids_devil,
    forbids_load,
    forbids_target,
    move_action,
)
from diablerie.games.kitchen.rules.state import Node

# How much chance there is in a move, and in where a pot is put, in points: chosen by hand.
BLUR, BLUFF = 0.01, 0.8
WORST = -1e9


@rule
def advise(s: Record, seat: int, rng: Rng) -> int:
    """The verb."""
    if s.node == Node.MENU:
        return below(rng, state.POT)
    if s.node == Node.POT:
        return best_put(s, seat, rng)
    if s.node == Node.DEFEND:
        return state.FIGHT if fight_is_better(s, seat) else state.REFUSE
    return best_move(s, seat, rng)


@rule
def best_put(s: Record, seat: int, rng: Rng) -> int:
    """Where to put which pot: near the own grill, milk near another's, with some bluff."""
    best, action = WORST, -1
    own = state.SIGNS * colour_of(s, seat)
    for k in range(state.MOVE - state.POT):
        if forbids_pot(s, seat, k):
            continue
        sign, to = k // len(board.SPACE), board.SPACE[k % len(board.SPACE)]
        s.pot[own + sign] = to
        x = balance(s, seat) + BLUFF * unit(rng)
        s.pot[own + sign] = state.HAND
        if x > best:
            best, action = x, state.POT + k
    return action


@rule
def best_move(s: Record, seat: int, rng: Rng) -> int:
    """The best step or flight, or the end of the turn."""
    best, action = WORST, state.END
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
            if to == board.NOWHERE:
                break
            if forbids_target(s, d, to) == 0:
                x, load = best_load(s, seat, d, to, pots, rng)
                if x > best:
                    best, action = x, move_action(d, to, load)
    return action


@rule
def best_load(s: Record, seat: int, d: int, to: int, pots: int, rng: Rng) -> tuple[float, int]:
    """How things stand after this move with the best load, and that load.

    Bit k of `pots`: load k is there to be taken.
    """
    best, chosen = WORST, 0
    for load in range(state.LOADS):
        if pots >> load & 1 and forbids_load(s, d, to, load) == 0:
            x = after_move(s, seat, d, to, load) + BLUR * unit(rng)
            if x > best:
                best, chosen = x, load
    return best, chosen
