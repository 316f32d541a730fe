"""The tails as they lie on the board: the rules say where one ends, here is the way it takes."""

from collections.abc import Iterator
from typing import NamedTuple

from diablerie.engine.record import Record
from diablerie.games.tails.rules import scoring
from diablerie.games.tails.rules.board import ACROSS, BODIES, ENDS, HEAD, LETTERS
from diablerie.games.tails.rules.state import JOIN

OPEN, SCORED, MET = "open", "scored", "met"
Piece = tuple[int, int, int]  # a cell, and the two ends that the line joins there


class Tail(NamedTuple):
    """One body's line, as far as it goes."""

    body: int
    side: int
    state: str
    length: int  # tiles crossed, one again each time (T17)
    goal: int  # the body of the tail end reached, or the body met; -1 while it is open
    tip: int  # 6·cell + end before which it is open, else -1
    pieces: list[Piece]

    @property
    def letter(self) -> str:
        """The letter of the body."""
        return LETTERS[self.body]

    @property
    def points(self) -> int:
        """What it has brought so far (T19)."""
        return self.length if self.state == SCORED else 0


def tails(s: Record) -> list[Tail]:
    """All of them, by body."""
    return [tail(s, body) for body in range(BODIES)]


def tail(s: Record, body: int) -> Tail:
    """The line of one body."""
    at, length = scoring.follow(s, int(HEAD[body]))
    state = OPEN if at >= 0 else SCORED if scoring.ends_in_tail(at) else MET
    goal = -1 if at >= 0 else (-1 - int(at)) // 2
    side = int(scoring.owner(s, body))
    return Tail(body, side, state, int(length), goal, max(int(at), -1), list(_way(s, body)))


def _way(s: Record, body: int) -> Iterator[Piece]:
    at = int(HEAD[body])
    while at >= 0 and s.laid[at // ENDS] >= 0:
        cell, end = divmod(at, ENDS)
        out = int(JOIN[s.laid[cell], end])
        yield cell, end, out
        at = int(ACROSS[ENDS * cell + out])


def finished(before: list[Tail], after: list[Tail]) -> list[Tail]:
    """The tails that closed in between; of two bodies that met, the first."""
    return [
        now
        for then, now in zip(before, after, strict=True)
        if then.state == OPEN != now.state and (now.state == SCORED or now.body < now.goal)
    ]
