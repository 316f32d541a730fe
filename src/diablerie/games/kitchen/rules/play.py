"""Playing: what decisions and outcomes do, and what the end is worth."""

from typing import Any

from numpy.typing import NDArray

from diablerie.engine.compile import rule
from diablerie.engine.record import Record
from diablerie.engine.utility import winner_takes_all
from diablerie.games.kitchen.rules import state
from diablerie.games.kitchen.rules.board import GRILL, SPACE
from diablerie.games.kitchen.rules.duel import challenge, fight, press, refuse
from diablerie.games.kitchen.rules.legality import pending
from diablerie.games.kitchen.rules.lookup import colour_of, guarded, mine, opposed
from diablerie.games.kitchen.rules.moving import move_of
from diablerie.games.kitchen.rules.state import Duel, Node
from diablerie.games.kitchen.rules.turns import deliver, end_turn, go_on, roll


@rule
def apply(s: Record, seat: int, action: int) -> None:
    """The verb."""
    if s.node == Node.MOVE:
        s.duel = Duel.NONE
        if action == state.END:
            end_turn(s)
        else:
            d, to, load = move_of(action)
            move(s, d, to, load)
    elif s.node == Node.ROLL:
        roll(s, state.DICE[action][0], state.DICE[action][1])
    elif s.node == Node.STOVE:
        press(s, action)
    elif s.node == Node.DEFEND:
        if action == state.FIGHT:
            fight(s)
        else:
            refuse(s)
    elif s.node == Node.POT:
        put(s, action - state.POT)
    elif s.node == Node.MENU:
        assign(s, seat, action)
    else:
        s.first = s.turn = action
        s.node = Node.POT


@rule
def assign(s: Record, seat: int, menu: int) -> None:
    """K8."""
    for sign in range(state.SIGNS):
        s.card[state.SIGNS * colour_of(s, seat) + sign] = state.MENUS[menu, sign]
    if pending(s) == 0:
        s.node = Node.FIRST


@rule
def put(s: Record, k: int) -> None:
    """K10: one pot, then the next player; after the last pot the first player rolls."""
    s.pot[state.SIGNS * mine(s) + k // len(SPACE)] = SPACE[k % len(SPACE)]
    s.turn = (int(s.turn) + 1) % s.seats
    own = state.SIGNS * mine(s)
    for pot in range(own, own + state.SIGNS):
        if s.pot[pot] == state.HAND:
            return
    s.node = Node.ROLL


@rule
def move(s: Record, d: int, to: int, load: int) -> None:
    """A step or flight, and what it leads to: a delivery, a duel or neither."""
    pay(s, d)
    s.mover = d
    s.obliged = state.NONE
    if load:
        s.pot[load - 1] = to
    s.devil[mine(s), d] = to
    if to == GRILL[mine(s)]:
        deliver(s, d, load - 1)
    elif opposed(s, mine(s)) >> to & 1:
        challenge(s, to)
    else:
        if guarded(s, mine(s), d) >> to & 1:  # K15
            s.obliged = d
        go_on(s)


@rule
def pay(s: Record, d: int) -> None:
    """K13, K16, K22: the flight, or the extra point first, or a point."""
    if s.wings:
        s.wings = 0
    elif not (s.extra and s.mover == d):
        s.points -= 1
    s.extra = 0


@rule
def returns(s: Record, out: NDArray[Any]) -> None:
    """The verb: the utility of the rule file."""
    winner_takes_all(s.winner, s.seats, out)
