"""The result of an analysis: chances after each ply, turning points, verdicts on decisions."""

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple, TypeVar

from diablerie.engine.verbs import CHANCE

MOST_TURNING_POINTS = 6  # turning points, at most
SHARP = 0.15  # the smallest change of a win chance at a turning point, if that is no noise
NOISE = 4.0  # standard errors that may be noise
NOISE_OF_MANY = 3.5  # and that may be with `GAMES_BESIDE_CHANGE` games
GAMES_BESIDE_CHANGE = 100  # games from both positions beside a change
# turning points: where fewer are sharp, others that are no noise are told as well
ENOUGH_SHARP_POINTS = 3
# games: the 95 % bound of what was seen in none of n games is this, divided by n
RULE_OF_THREE = 3.0
Item = TypeVar("Item")


class TurningPoint(NamedTuple):
    """A turning point: a ply (step, from 1) that changed the win chance of who decided there."""

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
    luck: by how much the dice alone changed the chance of who decided, None where no dice fell or
    it is not known; helped: the seat that gained most by a mistake, -1 if there is none.
    """

    step: int
    seat: int
    asked: bool = False
    better: str = ""
    cost: float = 0.0
    luck: float | None = None
    helped: int = -1


@dataclass(frozen=True)
class Analysis:
    """Every seat's chance to win after each ply, and verdicts.

    games: the smallest number of playouts of any position; played: playouts by ply, empty if all
    positions have `games`; movers: who decided at each ply, CHANCE for others.
    """

    games: int
    chances: tuple[tuple[float, ...], ...]
    movers: tuple[int, ...]
    played: tuple[int, ...] = ()
    verdicts: tuple[Verdict, ...] = ()

    @cached_property
    def turns(self) -> list[TurningPoint]:
        """The plies that changed a decider's chance most, and those with a mistake, in their order.

        Every seat's sharpest change comes before anybody's second. Where fewer than `ENOUGH_SHARP_POINTS` are
        `SHARP`, the sharpest of the others make up for that, if they are no noise.
        """
        clear = sorted(filter(self._clear, self._changes()), key=_change, reverse=True)
        many = sum(_change(turn) >= SHARP for turn in clear)
        sharp = clear[: max(many, ENOUGH_SHARP_POINTS)]
        steps = {
            turn.step for turn in in_turns(sharp, lambda turn: turn.seat)[:MOST_TURNING_POINTS]
        }
        steps |= {one.step for one in self.verdicts if one.better}
        return [turn for turn in self._changes() if turn.step in steps]

    @property
    def unclear(self) -> list[TurningPoint]:
        """The changes that may be noise; none if `ENOUGH_SHARP_POINTS` turning points are known."""
        if len(self.turns) >= ENOUGH_SHARP_POINTS:
            return []
        return [turn for turn in self._changes() if not self._clear(turn)]

    def chance(self, step: int, seat: int) -> float:
        """A seat's chance after a step; before the last one no surer than the playouts allow."""
        chance = self.chances[step - 1][seat]
        games = self._played(step - 1)
        if step == len(self.movers):
            return chance
        unsure = min(0.5, RULE_OF_THREE / max(games, 1))
        return min(max(chance, unsure), 1 - unsure)

    def verdict(self, step: int) -> Verdict | None:
        """The verdict on a step; None if there is none."""
        return next((one for one in self.verdicts if one.step == step), None)

    def _changes(self) -> Iterator[TurningPoint]:
        for i, (before, after) in enumerate(pairwise(self.chances)):
            seat = self.movers[i + 1]
            if seat != CHANCE:
                yield TurningPoint(i + 2, seat, before[seat], after[seat])

    def _clear(self, turn: TurningPoint) -> bool:
        return _change(turn) > self._noise(turn)

    def _noise(self, turn: TurningPoint) -> float:
        """How much the chance might have changed at a turn by the luck of the playouts.

        That is `NOISE` standard errors, of shares smoothed by Laplace's rule.
        """
        variance = 0.0
        fewest = min(self._played(turn.step - 2), self._played(turn.step - 1))
        for index, share in ((turn.step - 2, turn.before), (turn.step - 1, turn.after)):
            games = max(self._played(index), 1)
            smoothed = (share * games + 1) / (games + 2)
            variance += smoothed * (1 - smoothed) / games
        return (NOISE_OF_MANY if fewest >= GAMES_BESIDE_CHANGE else NOISE) * math.sqrt(variance)

    def _played(self, index: int) -> int:
        return self.played[index] if self.played else self.games


def _change(turn: TurningPoint) -> float:
    return abs(turn.change)


def rounded_chances(chances: Iterable[Iterable[float]]) -> tuple[tuple[float, ...], ...]:
    """Chances as they are stored: three decimals."""
    rows = []
    for row in chances:
        rows.append(tuple(round(float(x), 3) for x in row))
    return tuple(rows)


def in_turns(
    items: Iterable[Item], seat: Callable[[Item], int], twice: Collection[int] = ()
) -> list[Item]:
    """The items so that every seat's first comes before any seat's second, else in their order.

    twice: the seats of which two items count as one.
    """
    seen: Counter[int] = Counter()
    ranked = []
    for item in items:
        whose = seat(item)
        ranked.append((seen[whose] // (2 if whose in twice else 1), item))
        seen[whose] += 1
    return [item for _, item in sorted(ranked, key=lambda one: one[0])]
