"""The tails as they lie on the board: the rules say which way each takes and what it scores."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Literal

import msgspec
import numpy as np

from diablerie.engine.record import copy, from_bytes
from diablerie.games.tails.rules.lines import at_tail_end, body_at, trace
from diablerie.games.tails.rules.play import apply
from diablerie.games.tails.rules.sides import owner, worth
from diablerie.games.tails.rules.state import BODIES, CELLS, ENDS, HEAD, LETTERS, State

Piece = tuple[int, int, int]  # a cell, and the two ends that the line joins there
Condition = Literal["open", "scored", "met"]


class Tail(msgspec.Struct, frozen=True):
    """One body's line, as far as it goes."""

    body: int
    letter: str
    side: int
    state: Condition
    length: int  # tiles crossed, one again each time (T17)
    points: int  # what it has brought so far (T19)
    goal: int  # the body of the tail end reached, or the body met; -1 while it is open
    tip: int  # 6·cell + end before which it is open, else -1
    pieces: tuple[Piece, ...]


def tails(s: State) -> tuple[Tail, ...]:
    """The tails of all bodies, by body."""
    return _tails(s.tobytes())


@lru_cache(512)  # all who look at a position see the same
def _tails(state: bytes) -> tuple[Tail, ...]:
    s = from_bytes(State, state)
    return tuple(_tail(s, body) for body in range(BODIES))


def _tail(s: State, body: int) -> Tail:
    way = np.zeros((CELLS * ENDS // 2, 2), np.int64)
    at, length = (int(number) for number in trace(s, int(HEAD[body]), way))
    state: Condition = "open"
    if at < 0:
        state = "scored" if at_tail_end(at) else "met"
    return Tail(
        body=body,
        letter=LETTERS[body],
        side=int(owner(s, body)),
        state=state,
        length=length,
        points=int(worth(at, length)),
        goal=-1 if at >= 0 else int(body_at(at)),
        tip=max(at, -1),
        pieces=tuple((a // ENDS, a % ENDS, b % ENDS) for a, b in way[:length].tolist()),
    )


def tails_after(s: State, action: int) -> tuple[Tail, ...]:
    """The tails of all bodies after an action of the player whose turn it is."""
    after = copy(s)
    apply(after, s.turn, action)
    return tails(after)


def finished(before: Sequence[Tail], after: Sequence[Tail]) -> list[Tail]:
    """The tails that closed in between; of two bodies that met, the first."""
    return [
        now
        for then, now in zip(before, after, strict=True)
        if then.state == "open" != now.state and (now.state == "scored" or now.body < now.goal)
    ]
