"""What an action or an outcome does: the verb `apply`, on the modules beside this one."""

from diablerie.engine.compile import rule
from diablerie.engine.record import Record
from diablerie.games.underworld.rules import actions, devils, moving, swaps, turns
from diablerie.games.underworld.rules.state import Node, Why


@rule
def apply(s: Record, seat: int, action: int) -> None:
    """The verb."""
    if s.node == Node.TURN or s.node == Node.REVEAL:
        s.moved, s.struck = 0, -1
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
def take_turn(s: Record, seat: int, action: int) -> None:
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
def swap_or_rearrange(s: Record, action: int) -> None:
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
def prepare(s: Record, action: int) -> None:
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
def answer(s: Record, seat: int, action: int) -> None:
    """The questions that come up within a move."""
    if s.node == Node.ONWARD:
        onward(s, seat, action)
    elif s.node == Node.HOLDER:
        devils.receive_from(s, seat, action - actions.HOLDER)
    elif s.node == Node.LOSE:
        devils.lose(s, action - actions.LOSE)
    elif s.node == Node.PEEK:
        peek(s, action)
    elif action == actions.GIVE:
        devils.give(s, seat)
    elif action == actions.WITHHOLD:
        moving.withhold(s, seat)
    elif action == actions.PUT_BACK:
        moving.exorcise(s, seat)
    else:
        moving.offer_peek(s)


@rule
def onward(s: Record, seat: int, action: int) -> None:
    """U9: on from the card just turned, or not."""
    if action == actions.STOP:
        turns.end_turn(s)
    else:
        moving.move(s, seat, action - actions.MOVE)


@rule
def peek(s: Record, action: int) -> None:
    """U15."""
    if action == actions.NO_PEEK:
        turns.end_turn(s)
    else:
        moving.uncover(s, action - actions.PEEK, Why.PEEKED)
