"""What decisions and outcomes do, what chance may bring, and what the end is worth."""

from diablerie.engine.compile import Floats, Ints, rule
from diablerie.engine.options import OptionValues
from diablerie.engine.shared_rules import who_begins, winner_takes_all
from diablerie.games.kitchen.rules import state
from diablerie.games.kitchen.rules.board import EXITS, GRILL, SPACE, START_BITS, STARTS
from diablerie.games.kitchen.rules.legality import pending
from diablerie.games.kitchen.rules.moving import move_of
from diablerie.games.kitchen.rules.state import (
    JUMP,
    OUTCOMES,
    QUIET,
    WEIGHTS,
    Duel,
    Node,
    State,
    Survivor,
    colour_of,
    guarded,
    mine,
    opposed,
)
from diablerie.games.kitchen.rules.turns import (
    challenge,
    deliver,
    end_turn,
    fight,
    go_on,
    press,
    refuse,
    roll,
)


def start(seats: int, options: OptionValues) -> State:
    """Devils on their starts (K11); neutral ones for three (K12). `options`: all, settled."""
    s = State.zero()
    s.node = state.Node.MENU
    s.seats = seats
    s.stove = options["stove"]
    s.survivor = Survivor[options["survivor"].upper()]
    s.homing = options["own_start"]
    s.obliged = s.mover = state.NONE
    s.devil[:] = state.LOST
    s.pot[:] = state.ABSENT
    s.card[:] = state.UNSET
    for seat in range(seats):
        c = colour_of(s, seat)
        s.devil[c] = STARTS[c]
        s.cap[c] = 1
        s.pot[state.SIGNS * c : state.SIGNS * (c + 1)] = state.HAND
    if seats == 3:
        s.devil[3, :2] = EXITS[3]
    return s


@rule
def apply(s: State, seat: int, action: int) -> None:
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
        # Chance has said who begins: that seat places the first pot.
        s.first = s.turn = action
        s.node = Node.POT


@rule
def assign(s: State, seat: int, menu: int) -> None:
    """K8."""
    for sign in range(state.SIGNS):
        s.card[state.SIGNS * colour_of(s, seat) + sign] = state.MENUS[menu, sign]
    if pending(s) == 0:
        s.node = Node.FIRST


@rule
def put(s: State, k: int) -> None:
    """K10: one pot, then the next player; after the last pot the first player rolls."""
    s.pot[state.SIGNS * mine(s) + k // len(SPACE)] = SPACE[k % len(SPACE)]
    s.turn = (int(s.turn) + 1) % s.seats
    own = state.SIGNS * mine(s)
    for pot in range(own, own + state.SIGNS):
        if s.pot[pot] == state.HAND:
            return
    s.node = Node.ROLL


@rule
def move(s: State, d: int, to: int, load: int) -> None:
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
        if guarded(s, mine(s), d) & ~START_BITS & 1 << to:  # K15
            s.obliged = d
        go_on(s)


@rule
def pay(s: State, d: int) -> None:
    """K13, K16, K22: the flight, or the extra point first, or a point."""
    if s.wings:
        s.wings = 0
    elif not (s.extra and s.mover == d):
        s.points -= 1
    s.extra = 0


@rule
def returns(s: State, out: Floats) -> None:
    """The verb: the utility of the rule file."""
    winner_takes_all(s.winner, s.seats, out)


# -- chance: who begins (K9), the dice (K2), the stove (K3, K21) -------------------------------


@rule
def chance(s: State, out: Ints, p: Floats) -> int:
    """The verb."""
    if s.node == Node.FIRST:
        return who_begins(int(s.seats), out, p)
    if s.node == Node.ROLL:
        for k in range(OUTCOMES):
            p[k] = WEIGHTS[k] / 36.0
            out[k] = k
        return OUTCOMES
    jumps = jump_chance(s)
    if jumps >= 1.0:  # so long a burst that the calm is no number any more
        out[0] = JUMP
        p[0] = 1.0
        return 1
    out[0] = QUIET
    p[0] = 1.0 - jumps
    out[1] = JUMP
    p[1] = jumps
    return 2


@rule
def jump_chance(s: State) -> float:
    """The probability that the Oberteufel jumps during the coming burst."""
    calm = 1.0
    for _ in range(s.burst):
        calm *= 1.0 - 1.0 / float(s.stove)
    return 1.0 - calm


def attackers_chance(stove: int) -> float:
    """The probability that the attacker wins a duel, where one press in `stove` is a jump."""
    wins = 0.0
    calm = 1.0
    for burst in range(1, 400):
        quiet = (1 - 1 / stove) ** burst
        if burst % 2:
            wins += calm * (1 - quiet)
        calm *= quiet
    return wins


def longest_duel(stove: int) -> int:
    """The number of the burst whose calm is no number any more (see `chance`)."""
    burst = 1
    while 1.0 - (1 - 1 / stove) ** burst < 1.0:
        burst += 1
    return burst + 1
