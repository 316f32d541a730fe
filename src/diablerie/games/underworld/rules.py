"""The rules of UNDERWORLD: the verbs, on the functions of the modules beside this one."""

from collections.abc import Mapping
from typing import Any

from numpy.typing import NDArray

from diablerie.engine import verbs
from diablerie.engine.compile import rule
from diablerie.engine.record import Record
from diablerie.games.underworld import devils, ends, moving, plans
from diablerie.games.underworld.board import DEALT, FACE, SPACES, bit
from diablerie.games.underworld.choices import (
    can_rearrange,
    can_swap,
    crowd,
    holders,
    losable,
    spaces,
    targets,
)
from diablerie.games.underworld.state import (
    ABSENT,
    CARDS,
    DEVIL,
    DEVILS,
    DONE,
    EXCHANGE,
    GIVE,
    HOLDER,
    KEEP,
    LAY,
    LETTERS,
    LOSE,
    MOVE,
    NO_PEEK,
    NOTHING,
    PASS,
    PEEK,
    PEEKED,
    PEGS,
    PLACE,
    PUT_BACK,
    REARRANGE,
    REVEAL,
    REVEALED,
    SEATS,
    STOP,
    SWAP,
    TAKE,
    TOWER,
    TOWERS,
    UNSEEN,
    WITH,
    WITHHOLD,
    Node,
    State,
)

CHANCE, OVER = verbs.CHANCE, verbs.OVER
NOWHERE = -1
# By node: the first of the actions that name a space there.
BASES = (NOWHERE, PLACE, MOVE, NOWHERE, MOVE, NOWHERE, NOWHERE, NOWHERE, PEEK, EXCHANGE, WITH, TAKE,
         LAY, NOWHERE, NOWHERE, REVEAL, NOWHERE)  # fmt: skip
# By node: the clause that says what is decided there.
CLAUSES = (1006, 6, 7, 11, 9, 23, 24, 15, 15, 19, 19, 21, 21, 21, 22, 8, 27)


def start(seats: int, options: Mapping[str, Any]) -> Record:
    """The board laid (U5), no disk on it yet, the pegs on the face (U4)."""
    s: Record = State.zero()  # type: ignore[attr-defined]
    s.node, s.seats, s.pegs, s.may = Node.FIRST, seats, PEGS, options["gift"] == "may"
    s.disk[:] = ABSENT
    s.last = s.spot = s.hit = -1
    s.down, s.loose = DEALT, (1 << DEVIL) - 1
    s.loose_devils, s.loose_towers = DEVILS, TOWERS
    for space in range(SPACES):
        s.card[space] = UNSEEN if DEALT >> space & 1 else NOTHING
    return s


@rule
def actor(s: Record) -> int:
    """The verb."""
    if s.node == Node.CARD or s.node == Node.DEAL or s.node == Node.FIRST:
        return CHANCE
    if s.node == Node.OVER:
        return OVER
    return int(s.hit) if s.node == Node.LOSE else int(s.turn)


@rule
def pending(s: Record) -> int:
    """The verb: one seat at a time."""
    seat = actor(s)
    return 1 << seat if seat >= 0 else 0


# -- what may be done --------------------------------------------------------------------------


@rule
def legal(s: Record, seat: int, out: NDArray[Any]) -> int:
    """The verb."""
    n = 0
    if seat != actor(s):
        return n
    base = BASES[s.node]
    chosen = spaces(s)
    space = 0
    while chosen:
        out[n] = base + space
        n += chosen & 1
        chosen >>= 1
        space += 1
    return others(s, seat, n, out)


@rule
def others(s: Record, seat: int, n: int, out: NDArray[Any]) -> int:
    """The legal actions that name no space, after `n` that do."""
    if s.node == Node.TURN:
        return listed(s, seat, SWAP, STOP, n, out)
    if s.node == Node.ONWARD:
        return listed(s, seat, STOP, HOLDER, n, out)
    if s.node == Node.PEEK:
        return listed(s, seat, NO_PEEK, EXCHANGE, n, out)
    if s.node == Node.TAKE:
        return listed(s, seat, DONE, LAY, n, out)
    if s.node == Node.GIFT:
        return listed(s, seat, WITHHOLD, REVEAL, n, out)
    if s.node == Node.HOLDER or s.node == Node.LOSE or s.node == Node.TOWER:
        return listed(s, seat, HOLDER, PEEK, n, out)
    return n


@rule
def listed(s: Record, seat: int, low: int, high: int, n: int, out: NDArray[Any]) -> int:
    """Append those of the actions from `low` up to, not including, `high` that are legal."""
    for action in range(low, high):
        if forbids_other(s, seat, action) == 0:
            out[n] = action
            n += 1
    return n


@rule
def forbids(s: Record, seat: int, action: int) -> int:
    """The verb."""
    if seat != actor(s):
        return 27 if s.node == Node.OVER else 1006
    base = BASES[s.node]
    if base != NOWHERE and base <= action < base + SPACES:
        return forbids_space(s, seat, action - base)
    return forbids_other(s, seat, action)


@rule
def forbids_space(s: Record, seat: int, space: int) -> int:
    """Why a space may not be chosen at this node."""
    if spaces(s) & bit(space):
        return 0
    if s.node == Node.TURN or s.node == Node.ONWARD:
        return forbids_move(s, seat, space)
    return CLAUSES[s.node]


@rule
def forbids_move(s: Record, seat: int, space: int) -> int:
    """Why a disk cannot move to a space: what stands there, or the way."""
    one, two = crowd(s, seat)
    if space == s.disk[seat]:
        return 9
    if space == FACE and s.pegs > 0:
        return 16
    if two & bit(space):
        return 22
    return 17 if one & bit(space) and not s.devil[seat] else 9


@rule
def forbids_other(s: Record, seat: int, action: int) -> int:
    """Why an action that names no space is forbidden, or does not belong to this node."""
    if s.node == Node.TURN:
        return forbids_turn(s, seat, action)
    if s.node == Node.ONWARD and action == STOP:
        return 0
    if s.node == Node.HOLDER and HOLDER <= action < LOSE:
        return 0 if holders(s) >> (action - HOLDER) & 1 else 23
    if s.node == Node.LOSE and LOSE <= action < KEEP:
        return 0 if losable(s) >> (action - LOSE) & 1 else 24
    if s.node == Node.TOWER and (action == KEEP or action == PUT_BACK):
        return 0
    if s.node == Node.PEEK and action == NO_PEEK:
        return 0
    if s.node == Node.TAKE and action == DONE and s.todo >= 2:
        return 0
    if s.node == Node.GIFT and (action == WITHHOLD or action == GIVE):
        return 0
    return CLAUSES[s.node]


@rule
def forbids_turn(s: Record, seat: int, action: int) -> int:
    """U7: swap, rearrange, pass."""
    if action == SWAP:
        return 0 if can_swap(s, seat) else 19
    if action == REARRANGE:
        return 0 if can_rearrange(s, seat) else 21
    if action == PASS and not (can_swap(s, seat) or can_rearrange(s, seat)):
        return 7 if targets(s, seat) else 0
    return 7


# -- chance ------------------------------------------------------------------------------------


@rule
def chance(s: Record, out: NDArray[Any], p: NDArray[Any]) -> int:
    """The verb: who begins (U6a), an unseen card, or a shuffled one (U21)."""
    if s.node == Node.FIRST:
        for seat in range(s.seats):
            out[seat], p[seat] = seat, 1.0 / s.seats
        return int(s.seats)
    return cards(s, out, p) if s.node == Node.CARD else shuffled(s, out, p)


@rule
def cards(s: Record, out: NDArray[Any], p: NDArray[Any]) -> int:
    """What an unseen card may be."""
    n = 0
    loose = int(s.loose)
    for card in range(DEVIL):
        out[n] = card
        n += loose >> card & 1
    share = 1.0 / (n + s.loose_devils + s.loose_towers)
    for k in range(n):
        p[k] = share
    if s.loose_devils:
        out[n], p[n] = DEVIL, s.loose_devils * share
        n += 1
    if s.loose_towers:
        out[n], p[n] = TOWER, s.loose_towers * share
        n += 1
    return n


@rule
def shuffled(s: Record, out: NDArray[Any], p: NDArray[Any]) -> int:
    """What of the hand may come to lie on the next space: outcome 0 is an unseen card."""
    n = 0
    for k in range(s.todo):
        if n and out[n - 1] == s.hand[k] + 1:
            p[n - 1] += 1.0 / s.todo
        else:
            out[n], p[n] = s.hand[k] + 1, 1.0 / s.todo
            n += 1
    return n


# -- playing -----------------------------------------------------------------------------------


@rule
def apply(s: Record, seat: int, action: int) -> None:
    """The verb."""
    if s.node == Node.TURN:
        take_turn(s, seat, action)
    elif s.node == Node.CARD:
        moving.draw(s, action)
    elif s.node == Node.REVEAL:
        moving.look(s, action - REVEAL, REVEALED)
    elif s.node >= Node.SWAP1 and s.node <= Node.DEAL:
        plan(s, action)
    elif s.node == Node.FIRST or s.node == Node.PLACE:
        prepare(s, action)
    else:
        answer(s, seat, action)


@rule
def take_turn(s: Record, seat: int, action: int) -> None:
    """U7."""
    if action == SWAP:
        s.node = Node.SWAP1
    elif action == REARRANGE:
        s.node = Node.TAKE
    elif action == PASS:
        ends.end_turn(s)
    else:
        moving.move(s, seat, action - MOVE)


@rule
def plan(s: Record, action: int) -> None:
    """U19, U21: the cards and spaces one after the other."""
    if s.node == Node.SWAP1:
        plans.swap_first(s, action - EXCHANGE)
    elif s.node == Node.SWAP2:
        plans.swap_second(s, action - WITH)
    elif action == DONE and s.node == Node.TAKE:
        plans.stop_taking(s)
    elif s.node == Node.TAKE:
        plans.take(s, action - TAKE)
    elif s.node == Node.LAY:
        plans.lay(s, action - LAY)
    else:
        plans.deal(s, action - 1)


@rule
def prepare(s: Record, action: int) -> None:
    """U6, U6a: the first player, then the disks, by seat."""
    if s.node == Node.FIRST:
        s.first = s.turn = action
        s.node = Node.PLACE
        return
    s.disk[s.turn] = action - PLACE
    s.turn = (s.turn + 1) % s.seats
    if s.turn == s.first:
        s.node = Node.TURN


@rule
def answer(s: Record, seat: int, action: int) -> None:
    """The questions that come up within a move."""
    if s.node == Node.ONWARD:
        onward(s, seat, action)
    elif s.node == Node.HOLDER:
        devils.receive_from(s, seat, action - HOLDER)
    elif s.node == Node.LOSE:
        devils.lose(s, action - LOSE)
    elif s.node == Node.PEEK:
        peek(s, action)
    elif action == GIVE:
        devils.give(s, seat)
    elif action == WITHHOLD:
        moving.withhold(s, seat)
    elif action == PUT_BACK:
        moving.exorcise(s, seat)
    else:
        moving.offer_peek(s)


@rule
def onward(s: Record, seat: int, action: int) -> None:
    """U9: on from the card just turned, or not."""
    if action == STOP:
        ends.end_turn(s)
    else:
        moving.move(s, seat, action - MOVE)


@rule
def peek(s: Record, action: int) -> None:
    """U15."""
    if action == NO_PEEK:
        ends.end_turn(s)
    else:
        moving.look(s, action - PEEK, PEEKED)


@rule
def returns(s: Record, out: NDArray[Any]) -> None:
    """The verb: losers share -1 and those who left +1; nobody left: 0 for all."""
    left = 0
    for i in range(s.seats):
        left += int(s.gone[i] > 0)
    for i in range(s.seats):
        if left == 0:
            out[i] = 0.0
        else:
            out[i] = 1.0 / left if s.gone[i] else -1.0 / (s.seats - left)
