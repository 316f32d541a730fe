"""Whose decision it is, what may be decided, and which clause forbids the rest."""

from diablerie.engine.compile import Ints, inlined, rule
from diablerie.engine.verbs import CHANCE, OVER
from diablerie.games.underworld.rules import actions
from diablerie.games.underworld.rules.actions import BASES, NOWHERE
from diablerie.games.underworld.rules.state import FACE, SPACES, Node, State, bit, first
from diablerie.games.underworld.rules.targets import (
    can_rearrange,
    can_swap,
    crowd,
    holders,
    losable,
    spaces,
    targets,
)

NOT_YOURS = 1006  # U6a: turns go by seat
# The clause that says what is decided at a node.
_CLAUSES = {
    Node.FIRST: NOT_YOURS,
    Node.PLACE: 6,
    Node.TURN: 7,
    Node.CARD: 11,
    Node.ONWARD: 9,
    Node.HOLDER: 23,
    Node.LOSE: 24,
    Node.TOWER: 15,
    Node.PEEK: 15,
    Node.SWAP1: 19,
    Node.SWAP2: 19,
    Node.TAKE: 21,
    Node.LAY: 21,
    Node.DEAL: 21,
    Node.GIFT: 22,
    Node.REVEAL: 8,
    Node.OVER: 27,
}
CLAUSES = tuple(_CLAUSES[node] for node in Node)


@rule
def actor(s: State) -> int:
    """The verb."""
    if s.node == Node.CARD or s.node == Node.DEAL or s.node == Node.FIRST:
        return CHANCE
    if s.node == Node.OVER:
        return OVER
    return int(s.hit) if s.node == Node.LOSE else int(s.turn)


@rule
def pending(s: State) -> int:
    """The verb: one seat at a time."""
    seat = actor(s)
    return 1 << seat if seat >= 0 else 0


@rule
def legal(s: State, seat: int, out: Ints) -> int:
    """The verb."""
    n = 0
    if seat != actor(s):
        return n
    base = BASES[s.node]
    chosen = spaces(s)
    while chosen:
        out[n] = base + first(chosen)
        n += 1
        chosen &= chosen - 1
    return others(s, seat, n, out)


@inlined
def others(s: State, seat: int, n: int, out: Ints) -> int:
    """The legal actions that name no space, after `n` that do."""
    if s.node == Node.TURN:
        return turns(s, seat, n, out)
    if s.node == Node.ONWARD:
        return listed(s, seat, actions.STOP, actions.HOLDER, n, out)
    if s.node == Node.PEEK:
        return listed(s, seat, actions.NO_PEEK, actions.EXCHANGE, n, out)
    if s.node == Node.TAKE:
        return listed(s, seat, actions.DONE, actions.LAY, n, out)
    if s.node == Node.GIFT:
        return listed(s, seat, actions.WITHHOLD, actions.REVEAL, n, out)
    if s.node == Node.HOLDER or s.node == Node.LOSE or s.node == Node.TOWER:
        return listed(s, seat, actions.HOLDER, actions.PEEK, n, out)
    return n


@inlined
def turns(s: State, seat: int, n: int, out: Ints) -> int:
    """U7: those of a turn, after the `n` moves."""
    offered = offers(s, seat, n > 0)
    for k in range(actions.STOP - actions.SWAP):
        out[n] = actions.SWAP + k
        n += offered >> k & 1
    return n


@rule
def listed(s: State, seat: int, low: int, high: int, n: int, out: Ints) -> int:
    """Append those of the actions from `low` up to, not including, `high` that are legal."""
    for action in range(low, high):
        if forbids_other(s, seat, action) == 0:
            out[n] = action
            n += 1
    return n


@rule
def forbids(s: State, seat: int, action: int) -> int:
    """The verb."""
    if seat != actor(s):
        return 27 if s.node == Node.OVER else NOT_YOURS
    base = BASES[s.node]
    if base != NOWHERE and base <= action < base + SPACES:
        return forbids_space(s, seat, action - base)
    return forbids_other(s, seat, action)


@rule
def forbids_space(s: State, seat: int, space: int) -> int:
    """Why a space may not be chosen at this node."""
    if spaces(s) & bit(space):
        return 0
    if s.node == Node.TURN or s.node == Node.ONWARD:
        return forbids_move(s, seat, space)
    return CLAUSES[s.node]


@rule
def forbids_move(s: State, seat: int, space: int) -> int:
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
def forbids_other(s: State, seat: int, action: int) -> int:
    """Why an action that names no space is forbidden, or does not belong to this node."""
    if s.node == Node.TURN:
        return forbids_turn(s, seat, action)
    if s.node == Node.ONWARD and action == actions.STOP:
        return 0
    if s.node == Node.HOLDER and actions.HOLDER <= action < actions.LOSE:
        return 0 if holders(s) >> (action - actions.HOLDER) & 1 else 23
    if s.node == Node.LOSE and actions.LOSE <= action < actions.KEEP:
        return 0 if losable(s) >> (action - actions.LOSE) & 1 else 24
    if s.node == Node.TOWER and actions.KEEP <= action <= actions.PUT_BACK:
        return 0
    if s.node == Node.PEEK and action == actions.NO_PEEK:
        return 0
    if s.node == Node.TAKE and action == actions.DONE and s.todo >= 2:
        return 0
    if s.node == Node.GIFT and actions.WITHHOLD <= action <= actions.GIVE:
        return 0
    return CLAUSES[s.node]


@rule
def forbids_turn(s: State, seat: int, action: int) -> int:
    """Why a turn is not to swap, to rearrange or to pass."""
    known = actions.SWAP <= action <= actions.PASS
    if known and offers(s, seat, targets(s, seat) != 0) >> (action - actions.SWAP) & 1:
        return 0
    if action == actions.SWAP:
        return 19
    return 21 if action == actions.REARRANGE else 7


@rule
def offers(s: State, seat: int, moves: bool) -> int:
    """U7: what a turn may be instead of a move, as bits: swap, rearrange; pass if it is nothing.

    moves: whether the disk can move anywhere.
    """
    offered = int(can_swap(s, seat)) | int(can_rearrange(s, seat)) << 1
    return offered if offered or moves else 1 << (actions.PASS - actions.SWAP)
