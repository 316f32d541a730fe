"""The rules of UNDERWORLD: the verbs, on the functions of the modules beside this one."""

from collections.abc import Mapping
from typing import Any

from numpy.typing import NDArray

from diablerie.engine.compile import rule
from diablerie.engine.record import Record
from diablerie.games.underworld.rules import devils, moving
from diablerie.games.underworld.rules import swaps as plans
from diablerie.games.underworld.rules import turns as ends
from diablerie.games.underworld.rules.board import DEALT, SPACES
from diablerie.games.underworld.rules.chance import chance
from diablerie.games.underworld.rules.legality import actor, forbids, legal, pending
from diablerie.games.underworld.rules.state import (
    ABSENT,
    DEVIL,
    DEVILS,
    DONE,
    EXCHANGE,
    GIVE,
    HOLDER,
    LAY,
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
    STOP,
    SWAP,
    TAKE,
    TOWERS,
    UNSEEN,
    WITH,
    WITHHOLD,
    Node,
    State,
)

__all__ = ["actor", "apply", "chance", "forbids", "legal", "pending", "returns", "start"]


def start(seats: int, options: Mapping[str, Any]) -> Record:
    """The board laid (U5), no disk on it yet, the pegs on the face (U4)."""
    s: Record = State.zero()  # type: ignore[attr-defined]
    s.node, s.seats, s.pegs, s.may = Node.FIRST, seats, PEGS, options["gift"] == "may"
    s.disk[:] = ABSENT
    s.last = s.spot = s.hit = s.struck = -1
    s.down, s.loose = DEALT, (1 << DEVIL) - 1
    s.loose_devils, s.loose_towers = DEVILS, TOWERS
    for space in range(SPACES):
        s.card[space] = UNSEEN if DEALT >> space & 1 else NOTHING
    return s


@rule
def apply(s: Record, seat: int, action: int) -> None:
    """The verb."""
    if s.node == Node.TURN or s.node == Node.REVEAL:
        s.moved, s.struck = 0, -1
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
