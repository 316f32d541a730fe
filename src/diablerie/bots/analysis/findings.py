"""The result of an analysis: chances after each ply, turning points, verdicts on decisions."""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

TURNS = 5  # turning points, at most
SHARP = 0.15  # the smallest change of a win chance at a turning point; and four standard errors


class Turn(NamedTuple):
    """A turning point: the ply (step, from 1) at which a seat's win chance changed most."""

    step: int
    seat: int
    before: float
    after: float

    @property
    def change(self) -> float:
        """The change of the chance."""
        return self.after - self.before


class Verdict(NamedTuple):
    """The verdict on a ply.

    step: from 1; seat: who decided, CHANCE if there was no choice; asked: whether the strongest
    search was asked about the decision; better: what it would have done, in notation, "" if that
    is no better; cost: how much of the seat's win chance was lost, as far as the seat could know;
    luck: by how much the dice alone changed the chance of the turning point's seat, None where no
    dice fell or it is not known.
    """

    step: int
    seat: int
    asked: bool = False
    better: str = ""
    cost: float = 0.0
    luck: float | None = None


@dataclass(frozen=True)
class Analysis:
    """Every seat's chance to win after each ply, and verdicts.

    games: the smallest number of playouts of any position; played: playouts by ply, empty if all
    positions have `games`.
    """

    games: int
    chances: tuple[tuple[float, ...], ...]
    played: tuple[int, ...] = ()
    verdicts: tuple[Verdict, ...] = ()

    @cached_property
    def turns(self) -> list[Turn]:
        """The plies that changed a chance most, and those with a mistake, in their order."""
        changes = list(self._changes())
        sharp = [turn for turn in changes if _change(turn) >= self._least(turn.step - 1)]
        turns = {turn.step: turn for turn in sorted(sharp, key=_change, reverse=True)[:TURNS]}
        for one in self.verdicts:
            if one.better and one.step not in turns:
                before, after = self.chances[one.step - 2], self.chances[one.step - 1]
                turns[one.step] = Turn(one.step, one.seat, before[one.seat], after[one.seat])
        return sorted(turns.values())

    def verdict(self, step: int) -> Verdict | None:
        """The verdict on a step; None if there is none."""
        return next((one for one in self.verdicts if one.step == step), None)

    def _changes(self) -> Iterator[Turn]:
        for i, (before, after) in enumerate(pairwise(self.chances)):
            seat = max(range(len(after)), key=lambda k: abs(after[k] - before[k]))
            yield Turn(i + 2, seat, before[seat], after[seat])

    def _least(self, index: int) -> float:
        """The smallest change at a ply (from 0) that is no noise: four standard errors."""
        few = [self.played[k] for k in (index - 1, index)] if self.played else [self.games] * 2
        return max(SHARP, 4 * math.sqrt(sum(0.25 / max(n, 1) for n in few)))


def _change(turn: Turn) -> float:
    return abs(turn.change)


def rounded_chances(chances: Iterable[Iterable[float]]) -> tuple[tuple[float, ...], ...]:
    """Chances as they are stored: three decimals."""
    return tuple(tuple(round(float(x), 3) for x in row) for row in chances)
