"""Plies that are no decisions, as methods of a match: taking back, and all that is only noted."""

from typing import TYPE_CHECKING

from diablerie.engine.plies import Ply, PlyKind, before_last, line_of
from diablerie.engine.queries import Illegal
from diablerie.engine.record import Record
from diablerie.engine.replay import Replay
from diablerie.engine.text import say

if TYPE_CHECKING:
    from diablerie.engine.match import Match


def take_back(
    match: "Match", to: int | None = None, seat: int | None = None, at: float = 0.0
) -> Ply:
    """Return to the position after `to` plies (default: before the last decision).

    What was played stays in the list, and chance draws anew. `seat` is who takes back
    (default: who decided last). Raises Illegal if there is nothing to take back.
    """
    goal = before_last(match.plies) if to is None else to
    if not 0 < goal < match.ply:
        raise Illegal(say("There is nothing to take back."))
    who = line_of(match.plies, match.ply)[-1].seat if seat is None else seat
    return match.note(PlyKind.TAKE_BACK, who, to=goal, at=at)


def note(
    match: "Match",
    kind: PlyKind,
    seat: int,
    *,
    to: int = 0,
    by: str = "",
    at: float = 0.0,
    past: Record | None = None,
) -> Ply:
    """Append a ply that is no decision: see plies.Kind for what `to` and `by` are.

    `past` is the state after `to` plies, where that is known already.

    A match is over when all but one side have resigned. Raises Illegal for a seat there is
    not, after the end (but for taking back), and for a wrong `to`.
    """
    if not 0 <= seat < match.seats:
        raise Illegal(say("There is no such seat."))
    if match.over and kind is not PlyKind.TAKE_BACK:
        raise Illegal(say("The game is over."))
    if match.waits_for_chance:
        raise Illegal(say("Chance has to decide first."))
    if not match.plies:  # an opening in which chance has no part is no line of a file
        match._begin()
    moved = kind is PlyKind.TAKE_BACK
    since = match.ply + 1 if moved else match.plies[-1].since  # what was thought of still fits
    ply = Ply(seat, (), since, at, kind, to, by)
    if kind is PlyKind.TAKE_BACK:
        if not 0 < to < match.ply:
            raise Illegal(say("There is nothing to take back."))
        match.state = Replay(match).until(to) if past is None else past
    match.plies.append(ply)
    match.size += 1
    if kind is PlyKind.RESIGN:
        match.resigned |= {seat}
    return ply
