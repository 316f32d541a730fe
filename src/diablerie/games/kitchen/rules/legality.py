"""Who decides, and what they may: the only source of legality (K8 to K10, K13, K20)."""

from diablerie.engine.compile import Ints, rule
from diablerie.engine.verbs import CHANCE, OVER
from diablerie.games.kitchen.rules import state
from diablerie.games.kitchen.rules.board import SPACE
from diablerie.games.kitchen.rules.moving import forbids_move, legal_moves, move_of
from diablerie.games.kitchen.rules.state import Node, State, colour_of, defender


@rule
def actor(s: State) -> int:
    """The verb."""
    if s.node == Node.MENU:
        for seat in range(s.seats):
            if choosing(s, seat):
                return seat
    if s.node == Node.POT or s.node == Node.MOVE:
        return int(s.turn)
    if s.node == Node.DEFEND:
        return defender(s)
    return OVER if s.node == Node.OVER else CHANCE


@rule
def choosing(s: State, seat: int) -> bool:
    """Whether a seat has not assigned its menu yet."""
    return s.card[state.SIGNS * colour_of(s, seat)] == state.UNSET


@rule
def pending(s: State) -> int:
    """The verb. Menus are chosen by all at once (K8)."""
    if s.node != Node.MENU:
        who = actor(s)
        return 1 << who if who >= 0 else 0
    mask = 0
    for seat in range(s.seats):
        mask |= int(choosing(s, seat)) << seat
    return mask


@rule
def forbids(s: State, seat: int, action: int) -> int:
    """The verb."""
    if action < state.POT:
        return 0 if s.node == Node.MENU and choosing(s, seat) else 8
    if action < state.MOVE:
        return forbids_pot(s, seat, action - state.POT)
    if action >= state.FIGHT:
        return 0 if s.node == Node.DEFEND and seat == defender(s) else 20
    if s.node != Node.MOVE:
        return 13
    if seat != s.turn:
        return 9
    if action == state.END:
        return 15 if s.obliged != state.NONE else 0
    d, to, load = move_of(action)
    return forbids_move(s, d, to, load)


@rule
def forbids_pot(s: State, seat: int, k: int) -> int:
    """K10: in turn, each pot once, not two of a colour on one space.

    `k`: the pot's sign and the number of the space, as the action has them.
    """
    if s.node != Node.POT or seat != s.turn:
        return 10
    own = state.SIGNS * colour_of(s, seat)
    if s.pot[own + k // len(SPACE)] != state.HAND:
        return 10
    for pot in range(own, own + state.SIGNS):
        if s.pot[pot] == SPACE[k % len(SPACE)]:
            return 10
    return 0


@rule
def legal(s: State, seat: int, out: Ints) -> int:
    """The verb."""
    if s.node == Node.MOVE and seat == s.turn:
        n = 0
        for d in range(state.DEVILS):
            n = legal_moves(s, d, out, n)
        return legal_in(s, seat, state.END, state.FIGHT, out, n)
    if s.node == Node.POT:
        return legal_in(s, seat, state.POT, state.MOVE, out, 0)
    if s.node == Node.MENU:
        return legal_in(s, seat, 0, state.POT, out, 0)
    return legal_in(s, seat, state.FIGHT, state.ACTIONS, out, 0)


@rule
def legal_in(s: State, seat: int, low: int, high: int, out: Ints, n: int) -> int:
    """Append the legal ones among a range of actions to the `n` in `out`; their new number."""
    for action in range(low, high):
        if forbids(s, seat, action) == 0:
            out[n] = action
            n += 1
    return n
