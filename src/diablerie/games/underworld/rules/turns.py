"""How turns end, how players leave, and how the game does."""

from typing import Any

from numpy.typing import NDArray

from diablerie.engine.compile import rule
from diablerie.engine.record import Record
from diablerie.engine.utility import winner_takes_all
from diablerie.games.underworld.rules.state import (
    ABSENT,
    ALL_LETTERS,
    IDLE,
    REVEALS,
    TURNS,
    Node,
    Why,
)


@rule
def end_turn(s: Record) -> None:
    """U28 and U29, else the next seat's turn."""
    if s.node == Node.OVER:
        return
    s.turns += 1
    s.idle = 0 if s.fresh else s.idle + 1
    forget(s)
    if s.down == 0 or turns_left(s) <= 0:
        s.node = Node.OVER
    else:
        s.turn = (s.turn + 1) % s.seats
        begin(s)


@rule
def turns_left(s: Record) -> int:
    """U29: turns until day breaks by the clock, if no card is turned up and no letter taken."""
    return min(TURNS - int(s.turns), IDLE - int(s.idle))


@rule
def forget(s: Record) -> None:
    """What belongs to one turn alone."""
    s.fresh = s.todo = 0
    s.why = Why.NOTHING
    s.last = s.spot = s.hit = -1
    s.taken = s.laid = 0


@rule
def begin(s: Record) -> None:
    """U7, U8."""
    if s.gone[s.turn]:
        s.todo = REVEALS
        s.node = Node.REVEAL
    else:
        s.node = Node.TURN


@rule
def leave_if_free(s: Record, seat: int) -> None:
    """U26, U27."""
    if s.letters[seat] != ALL_LETTERS or s.devil[seat]:
        return
    left = 1
    for i in range(s.seats):
        left += int(s.gone[i] > 0)
    s.gone[seat] = left
    s.disk[seat] = ABSENT
    if left == s.seats - 1:
        forget(s)
        s.node = Node.OVER


@rule
def returns(s: Record, out: NDArray[Any]) -> None:
    """The verb: losers share -1 and those who left +1; nobody left: 0 for all."""
    for i in range(s.seats):
        out[i] = 1.0 if s.gone[i] else 0.0
    winner_takes_all(out, int(s.seats), out)
