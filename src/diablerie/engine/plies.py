"""Plies: what a match consists of, and what follows from their list alone.

A ply is a decision and the chance that follows it; the first one is the opening, which only
chance may have had a part in. A few plies are no decisions: something was taken back, somebody
resigned, a seat was handed over, a deadline passed. Plies are only ever appended, so the number
of plies so far (`ply` everywhere) names a moment of the match for ever.
"""

from collections.abc import Collection, Sequence
from enum import StrEnum
from typing import NamedTuple

from diablerie.engine.text import Line, say
from diablerie.engine.verbs import CHANCE


class Event(NamedTuple):
    """A decision or an outcome: who (`CHANCE` for an outcome) and what, in the game's notation."""

    seat: int
    text: str


class PlyKind(StrEnum):
    """What a ply is."""

    MOVE = "move"  # a decision, or the opening
    TAKE_BACK = "takeback"  # the position is again the one after `to` plies; `by`: who agreed
    RESIGN = "resign"  # the seat gives the match up
    # `by` plays for the seat from now on; "": its own player again; NEWCOMER: a person, for a bot
    HAND_OVER = "handover"
    DEADLINE = "deadline"  # the seat's time to decide has passed


NEWCOMER = "newcomer"  # `by` of a hand-over: a person who came after the start


class Ply(NamedTuple):
    """One ply. `seat` is who decided, or whom it concerns; CHANCE for the opening.

    since: a decision that a player made looking at a position of `since` plies or later is still
    valid after this ply, since only secret decisions of others, made at the same time, lie between.
    at: Unix time in seconds, 0 if nobody noted it.
    """

    seat: int
    events: tuple[Event, ...] = ()
    since: int = 0
    at: float = 0.0
    kind: PlyKind = PlyKind.MOVE
    to: int = 0
    by: str = ""

    @property
    def lines(self) -> int:
        """How many lines of a match file it takes."""
        return len(self.events) if self.kind is PlyKind.MOVE else 1

    @property
    def notice(self) -> Line | None:
        """What the log says of a ply that is no decision."""
        who = self.seat
        match self.kind:
            case PlyKind.TAKE_BACK if self.by:
                return say("{who} takes back a move; all others have agreed.", who=who)
            case PlyKind.TAKE_BACK:
                return say("{who} takes back a move.", who=who)
            case PlyKind.RESIGN:
                return say("{who} resigns.", who=who)
            case PlyKind.DEADLINE:
                return say("{who} has run out of time.", who=who)
            case PlyKind.HAND_OVER if self.by == NEWCOMER:
                return say("{who} takes over from a devil.", who=who)
            case PlyKind.HAND_OVER if self.by:
                return say("A devil plays for {who} from now on.", who=who)
            case PlyKind.HAND_OVER:
                return say("{who} is back.", who=who)
        return None


def line_of(plies: Sequence[Ply], ply: int) -> list[Ply]:
    """The decisions that led to the position after the first `ply` plies: none taken back."""
    backwards = []
    while ply > 0:
        last = plies[ply - 1]
        if last.kind is PlyKind.MOVE:
            backwards.append(last)
        ply = last.to if last.kind is PlyKind.TAKE_BACK else ply - 1
    return backwards[::-1]


def count_draws(plies: Sequence[Ply]) -> int:
    """How many outcomes of chance there are in these plies."""
    return sum(event.seat == CHANCE for ply in plies for event in ply.events)


def all_others(seats: int, seat: int) -> str:
    """The seats that agree to a take-back of `seat`, as a ply's `by` has them."""
    return " ".join(str(other) for other in range(seats) if other != seat)


def resigned(plies: Sequence[Ply]) -> frozenset[int]:
    """The seats that have resigned."""
    return frozenset(ply.seat for ply in plies if ply.kind is PlyKind.RESIGN)


def before_last(plies: Sequence[Ply], seat: int | None = None) -> int:
    """The number of plies before the last decision (of this seat) that stands; -1 without one."""
    ply = len(plies)
    while ply > 0:
        last = plies[ply - 1]
        if last.kind is PlyKind.MOVE and seat in (None, last.seat):
            break
        ply = last.to if last.kind is PlyKind.TAKE_BACK else ply - 1
    return ply - 1


def conceded(teams: Sequence[int], gone: Collection[int]) -> bool:
    """Whether all sides but one have resigned, each whole; `teams` is each seat's side."""
    return len(_left(teams, gone)) <= 1


def resignation_returns(teams: Sequence[int], gone: Collection[int]) -> list[float]:
    """The returns by seat then: the side that is left shares +1, the others share -1."""
    stay = [side in _left(teams, gone) for side in teams]
    won = max(1, stay.count(True))
    lost = max(1, stay.count(False))
    return [1 / won if here else -1 / lost for here in stay]


def _left(teams: Sequence[int], gone: Collection[int]) -> set[int]:
    return {side for seat, side in enumerate(teams) if seat not in gone}
