"""Every way in which two players can pull the pieces of one round of COALS, found by playing them.

What is legal, what may be turned and what follows is asked from the verbs. A point of decision is
known by what of the record matters to what follows: whose turn it is, what is left in the furnace,
what lies in front, who has burned the fingers. Money and stakes change nothing in that; what they
change is what an end of the round is worth (`settlements`).
"""

from collections.abc import Callable, Iterator
from itertools import groupby
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from diablerie.engine import verbs
from diablerie.engine.record import Record
from diablerie.engine.verbs import CHANCE
from diablerie.games.coals.rules.state import ACTIONS, OUTCOMES, PULL, STOP, Node

Numbers = NDArray[Any]
Choice = Callable[[Numbers, Numbers, slice], Numbers]  # worth of going on, of stopping, the rows
CELLS = 1 << 18  # so many numbers are worked on at once, to stay in the processor's cache


class Ending(NamedTuple):
    """What of the pieces turned counts when a round is settled (C17 to C19).

    best: the highest coal; more, longer: which seat has more coal, more pieces (1, 0 even, -1);
    some: who has any; busted: who turned a devil.
    """

    best: int
    more: int
    longer: int
    some: tuple[bool, bool]
    busted: tuple[bool, bool]


class Last(NamedTuple):
    """The last step of a round: the record before it, who acts (or CHANCE), and what."""

    s: Record
    who: int
    action: int


class Layer(NamedTuple):
    """Points of decision that need each other's worth in nothing.

    rows: theirs among all; seat: whose decision, 0 begins; on: a sparse matrix, what the worth of
    earlier rows makes that of going on; stop: the row that stopping leads to, None if one must go
    on (C10).
    """

    rows: slice
    seat: int
    on: Any
    stop: Numbers | None


class Point(NamedTuple):
    """A point of decision as it is found: what it leads to, by key."""

    seat: int
    left: int
    outcomes: list[tuple[Any, float]]
    stop: Any


def ending_of(s: Record) -> Ending:
    """How the round ended that was just settled."""
    coal, pieces, busted = s.last_coal, s.last_pieces, s.last_busted
    return Ending(
        int(coal[:2].max()),
        int(np.sign(int(coal[0]) - int(coal[1]))),
        int(np.sign(int(pieces[0]) - int(pieces[1]))),
        (bool(pieces[0]), bool(pieces[1])),
        (bool(busted[0]), bool(busted[1])),
    )


def key_of(s: Record) -> Any:
    """By what a position is known in which somebody goes on or stops; seats count from `first`."""
    turn = int(s.turn != s.first)
    order = [int(s.first), 1 - int(s.first)]
    fronts, busted = s.front[order].tobytes(), s.busted[order].tobytes()
    return turn, s.furnace.tobytes(), fronts, busted


class Pulling:
    """All of it, for the pieces that a round begins with; seat 0 begins.

    endings: how the round may end, each with one last step that does it; layers: the points of
    decision, those nearer to the end first. Rows: the endings, then the points.
    """

    def __init__(self, revealed: Record) -> None:
        """`revealed`: a position in which seat 0 is to turn the first piece."""
        self.endings: dict[Ending, Last] = {}
        self._points: dict[Any, Point] = {}
        self._records: dict[Any, Record] = {}
        self._ways: dict[Any, tuple[tuple[int, int], ...]] = {}
        self._walk(revealed)
        ordered = sorted(self._points, key=self._order)
        self.row = {one: row for row, one in enumerate([*self.endings, *ordered])}
        self.size = len(self.row)
        self.layers = [
            self._layer(list(keys)) for _, keys in groupby(ordered, key=self._order)
        ]  # fmt: skip
        self.root = self.row[key_of(revealed)]

    def positions(self) -> Iterator[Record]:
        """A record of every point of decision, stakes and money as in `revealed`."""
        yield from self._records.values()

    def ways(self) -> Iterator[tuple[int, tuple[tuple[int, int], ...]]]:
        """Row and one way to come there, as who acts (or CHANCE) and what, of every point."""
        for key, way in self._ways.items():
            yield self.row[key], way

    def at(self, s: Record) -> tuple[Layer, int]:
        """The layer in which a point of decision is, and which of its rows."""
        row = self.row[key_of(s)]
        layer = next(one for one in self.layers if one.rows.start <= row < one.rows.stop)
        return layer, row - layer.rows.start

    def _walk(self, revealed: Record) -> None:
        todo: list[Any] = [(revealed.copy(), ())]
        while todo:
            s, way = todo.pop()
            key = key_of(s)
            if key in self._points:
                continue
            self._records[key], self._ways[key] = s, way
            pulled = (*way, (int(s.turn), PULL))
            out, p = np.empty(ACTIONS, np.int64), np.empty(OUTCOMES)
            may_stop = STOP in out[: verbs.legal(s, int(s.turn), out)]
            turned = s.copy()
            verbs.apply(turned, int(s.turn), PULL)
            found = []
            for k in range(verbs.chance(turned, out, p)):
                found.append((self._next(turned, pulled, CHANCE, int(out[k]), todo), float(p[k])))
            stop = self._next(s, way, int(s.turn), STOP, todo) if may_stop else None
            self._points[key] = Point(key[0], int(s.furnace.sum()), found, stop)

    def _next(self, s: Record, way: Any, who: int, action: int, todo: list[Any]) -> Any:
        """The key of what follows: an ending, or a point of decision that is to be looked at."""
        after = s.copy()
        verbs.apply(after, who, action)
        if after.node != Node.PULL:
            ending = ending_of(after)
            self.endings.setdefault(ending, Last(s.copy(), who, action))
            return ending
        todo.append((after, (*way, (who, action))))
        return key_of(after)

    def _order(self, key: Any) -> tuple[int, int, bool]:
        """Fewer pieces left, the second player, and who may stop come nearer to the end."""
        point = self._points[key]
        return point.left, -point.seat, point.stop is None

    def _layer(self, keys: list[Any]) -> Layer:
        from scipy.sparse import csr_array

        first = self.row[keys[0]]
        points = [self._points[key] for key in keys]
        entries = [
            (p, i, self.row[to]) for i, one in enumerate(points) for to, p in one.outcomes
        ]  # fmt: skip
        p, i, j = (np.array(column) for column in zip(*entries, strict=True))
        on = csr_array((p, (i, j)), shape=(len(keys), first))
        may = points[0].stop is not None
        stop = np.array([self.row[one.stop] for one in points]) if may else None
        return Layer(slice(first, first + len(keys)), points[0].seat, on, stop)

    # -- worth -----------------------------------------------------------------------------------

    def worth(self, ends: Numbers, *choices: Choice) -> Numbers:
        """The worth of every row, for many settings at once, when each seat chooses so.

        ends: float64 (endings, settings). Returns (rows, settings).
        """
        found = np.empty((self.size, ends.shape[1]))
        found[: len(ends)] = ends
        for layer in self.layers:
            on = layer.on @ found[: layer.rows.start]
            if layer.stop is not None:
                on = choices[layer.seat](on, found[layer.stop], layer.rows)
            found[layer.rows] = on
        return found

    def value(self, ends: Numbers) -> Numbers:
        """What a round is worth to seat 0 when both pull as well as can be, for every setting."""
        found = np.empty(ends.shape[1])
        step = max(16, CELLS // self.size)
        for low in range(0, ends.shape[1], step):
            some = slice(low, low + step)
            found[some] = self.worth(ends[:, some], highest, lowest)[self.root]
        return found


def highest(on: Numbers, stop: Numbers, rows: slice) -> Numbers:
    """The choice of seat 0, whose worth is counted."""
    return np.maximum(on, stop)


def lowest(on: Numbers, stop: Numbers, rows: slice) -> Numbers:
    """The choice of seat 1."""
    return np.minimum(on, stop)
