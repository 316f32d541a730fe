"""What decisions and pieces bring about in COALS (C6 to C13)."""

from diablerie.engine.compile import Floats, Ints, rule
from diablerie.engine.options import OptionValues
from diablerie.engine.shared_rules import by_count, total, who_begins
from diablerie.games.coals.rules.legality import pending
from diablerie.games.coals.rules.settling import pay_pacts, settle, space_of
from diablerie.games.coals.rules.state import (
    BEGIN,
    DEVIL,
    KINDS,
    PULL,
    UNIT,
    UNSET,
    VALUES,
    Node,
    State,
)


def start(seats: int, options: OptionValues) -> State:
    """The first state: 200 and a pawn on 200 for each seat (C3), a full furnace (C1).

    `options` holds a value for every one of `OPTIONS`.
    """
    s = State.zero()
    s.node = Node.FIRST
    s.seats = seats
    s.rounds = 1
    s.mouth = options["mouth"]
    s.release = options["pact"] == "first_devil"
    s.purses = options["open_purses"]
    s.goal = options["goal"]
    s.step = options["stakes"]
    s.limit = options["rounds"]
    # Marks and pieces are options, so they lie in the state and not in constants.
    s.marks[: len(options["track"])] = options["track"]
    s.full[:] = options["furnace"]
    s.furnace[:] = s.full
    s.stake[:] = UNSET
    s.last_stake[:] = UNSET
    s.chips[:seats] = BEGIN
    s.space[:seats] = space_of(s, BEGIN)
    return s


@rule
def apply(s: State, seat: int, action: int) -> None:
    """The verb."""
    if s.node == Node.BET:
        s.stake[seat] = action * UNIT
        if pending(s) == 0:
            reveal(s)
    elif s.node == Node.COAL:
        turn_piece(s, action)
    elif s.node == Node.FIRST:
        s.first = action
        s.node = Node.BET
    elif action == PULL:
        s.node = Node.COAL
    else:
        pass_on(s)


@rule
def reveal(s: State) -> None:
    """C7, C9: the stakes lie apart; what is left may pay pacts (C14)."""
    for i in range(s.seats):
        s.chips[i] -= s.stake[i]
        s.purse[i] = s.chips[i]
    s.turn = s.first
    s.node = Node.PULL


@rule
def turn_piece(s: State, kind: int) -> None:
    """C10 to C13."""
    s.furnace[kind] -= 1
    s.node = Node.PULL
    if kind == DEVIL:
        burn(s)
        pay_pacts(s, s.turn)
    else:
        s.front[s.turn, kind] += 1
        s.pieces[s.turn] += 1
        s.coal[s.turn] += VALUES[kind]
    if total(s.furnace) == 0:  # C13
        settle(s)
    elif kind == DEVIL:
        pass_on(s)


@rule
def burn(s: State) -> None:
    """C12."""
    s.busted[s.turn] = 1
    s.coal[s.turn] = 0
    s.pieces[s.turn] = 0
    for kind in range(KINDS):
        s.front[s.turn, kind] = 0


@rule
def pass_on(s: State) -> None:
    """The next player pulls, or the round is settled (C10)."""
    s.turn = (s.turn + 1) % s.seats
    if s.turn == s.first:
        settle(s)


@rule
def chance(s: State, out: Ints, p: Floats) -> int:
    """The verb: who begins (C6), or the kind of the next piece (C10)."""
    if s.node == Node.FIRST:
        return who_begins(s.seats, out, p)
    return by_count(s.furnace, out, p)
