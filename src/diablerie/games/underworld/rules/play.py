"""What an action or an outcome does, and what chance may bring."""

from diablerie.engine.compile import Floats, Ints, rule
from diablerie.engine.options import OptionValues
from diablerie.engine.shared_rules import who_begins
from diablerie.games.underworld.rules import actions, moving, state, swaps, turns
from diablerie.games.underworld.rules.state import DEALT, SPACES, Node, State, Why


def start(seats: int, options: OptionValues) -> State:
    """The board laid (U5), no disk on it yet, the pegs on the face (U4).

    seats: 2 to 6; options: "gift" is "must" or "may" (U22).
    """
    s = State.zero()
    s.node = Node.FIRST
    s.seats = seats
    s.pegs = state.PEGS
    s.may = options["gift"] == "may"
    s.disk[:] = state.ABSENT
    s.last = s.spot = s.hit = s.struck = -1
    s.down = DEALT
    s.loose = (1 << state.DEVIL) - 1
    s.loose_devils = state.DEVILS
    s.loose_towers = state.TOWERS
    for space in range(SPACES):
        s.card[space] = state.UNSEEN if DEALT >> space & 1 else state.NOTHING
    return s


@rule
def apply(s: State, seat: int, action: int) -> None:
    """The verb."""
    if s.node == Node.TURN or s.node == Node.REVEAL:
        s.moved = 0
        s.struck = -1
    if s.node == Node.TURN:
        take_turn(s, seat, action)
    elif s.node == Node.CARD:
        moving.identify(s, action)
    elif s.node == Node.REVEAL:
        moving.uncover(s, action - actions.REVEAL, Why.REVEALED)
    elif s.node >= Node.SWAP1 and s.node <= Node.DEAL:
        swap_or_rearrange(s, action)
    elif s.node == Node.FIRST or s.node == Node.PLACE:
        prepare(s, action)
    else:
        answer(s, seat, action)


@rule
def take_turn(s: State, seat: int, action: int) -> None:
    """U7."""
    if action == actions.SWAP:
        s.node = Node.SWAP1
    elif action == actions.REARRANGE:
        s.node = Node.TAKE
    elif action == actions.PASS:
        turns.end_turn(s)
    else:
        moving.move(s, seat, action - actions.MOVE)


@rule
def swap_or_rearrange(s: State, action: int) -> None:
    """U19, U21: the cards and spaces one after the other."""
    if s.node == Node.SWAP1:
        swaps.swap_first(s, action - actions.EXCHANGE)
    elif s.node == Node.SWAP2:
        swaps.swap_second(s, action - actions.WITH)
    elif action == actions.DONE and s.node == Node.TAKE:
        swaps.stop_taking(s)
    elif s.node == Node.TAKE:
        swaps.take(s, action - actions.TAKE)
    elif s.node == Node.LAY:
        swaps.lay(s, action - actions.LAY)
    else:
        swaps.deal(s, action - 1)


@rule
def prepare(s: State, action: int) -> None:
    """U6, U6a: the first player, then the disks, by seat."""
    if s.node == Node.FIRST:
        s.first = s.turn = action
        s.node = Node.PLACE
        return
    s.disk[s.turn] = action - actions.PLACE
    s.turn = (s.turn + 1) % s.seats
    if s.turn == s.first:
        s.node = Node.TURN


@rule
def answer(s: State, seat: int, action: int) -> None:
    """The questions that come up within a move."""
    if s.node == Node.ONWARD:
        onward(s, seat, action)
    elif s.node == Node.HOLDER:
        turns.receive_from(s, seat, action - actions.HOLDER)
    elif s.node == Node.LOSE:
        turns.lose(s, action - actions.LOSE)
    elif s.node == Node.PEEK:
        peek(s, action)
    elif action == actions.GIVE:
        turns.give(s, seat)
    elif action == actions.WITHHOLD:
        moving.withhold(s, seat)
    elif action == actions.PUT_BACK:
        moving.exorcise(s, seat)
    else:
        moving.offer_peek(s)


@rule
def onward(s: State, seat: int, action: int) -> None:
    """U9: on from the card just turned, or not."""
    if action == actions.STOP:
        turns.end_turn(s)
    else:
        moving.move(s, seat, action - actions.MOVE)


@rule
def peek(s: State, action: int) -> None:
    """U15."""
    if action == actions.NO_PEEK:
        turns.end_turn(s)
    else:
        moving.uncover(s, action - actions.PEEK, Why.PEEKED)


# -- what chance may bring, and how likely -----------------------------------------------------


@rule
def chance(s: State, out: Ints, p: Floats) -> int:
    """The verb: who begins (U6a), an unseen card, or a shuffled one (U21)."""
    if s.node == Node.FIRST:
        return who_begins(int(s.seats), out, p)
    return cards(s, out, p) if s.node == Node.CARD else shuffled(s, out, p)


@rule
def cards(s: State, out: Ints, p: Floats) -> int:
    """What an unseen card may be: a loose letter, a devil or a tower."""
    n = 0
    loose = int(s.loose)
    for card in range(state.DEVIL):
        out[n] = card
        n += loose >> card & 1
    share = 1.0 / (n + s.loose_devils + s.loose_towers)
    for k in range(n):
        p[k] = share
    if s.loose_devils:
        out[n] = state.DEVIL
        p[n] = s.loose_devils * share
        n += 1
    if s.loose_towers:
        out[n] = state.TOWER
        p[n] = s.loose_towers * share
        n += 1
    return n


@rule
def shuffled(s: State, out: Ints, p: Floats) -> int:
    """What of the hand may come to lie on the next space: outcome 0 is an unseen card."""
    n = 0
    for k in range(s.todo):
        if n and out[n - 1] == s.hand[k] + 1:
            p[n - 1] += 1.0 / s.todo
        else:
            out[n] = s.hand[k] + 1
            p[n] = 1.0 / s.todo
            n += 1
    return n
