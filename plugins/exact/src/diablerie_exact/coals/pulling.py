"""The game graph of pulling the pieces of one round of COALS, found by playing it.

The verbs say what is legal, what may be turned and what follows. A decision is identified by the
part of the record that matters afterwards: whose turn it is, what is left in the furnace, what lies
in front, who has burned fingers. Money and stakes do not change the graph; they change the values
of its endings (`settlements`).
"""

from collections.abc import Callable, Iterator
from itertools import groupby
from typing import Any, NamedTuple

import numpy as np

from diablerie.engine import verbs
from diablerie.engine.compile import Floats, Ints
from diablerie.engine.verbs import CHANCE
from diablerie.games.coals.rules.state import ACTIONS, OUTCOMES, PULL, STOP, Node, State

Choice = Callable[[Floats, Floats, slice], Floats]  # values of going on, of stopping, the rows
BLOCK_CELLS = 1 << 18  # numbers in a block of `value`, few enough for the processor's cache


class Ending(NamedTuple):
    """What counts when a round is settled (C17 to C19).

    best: the highest coal; more, longer: which seat has more coal, more pieces (1, 0 even, -1);
    some: who has any; busted: who turned a devil.
    """

    best: int
    more: int
    longer: int
    some: tuple[bool, bool]
    busted: tuple[bool, bool]


class LastStep(NamedTuple):
    """The last step of a round: the record before it, who acts (or CHANCE), and the action."""

    s: State
    who: int
    action: int


class Layer(NamedTuple):
    """Decisions whose values do not depend on each other.

    rows: their rows among all; seat: whose decisions, 0 begins; on: a sparse matrix that gives the
    values of going on from the values of earlier rows; stop: int64, the rows that stopping leads
    to, None if the seat must go on (C10).
    """

    rows: slice
    seat: int
    on: Any
    stop: Ints | None


class PullDecision(NamedTuple):
    """A decision and the keys of its successors."""

    seat: int
    left: int
    outcomes: list[tuple[Any, float]]
    stop: Any


def ending_of(s: State) -> Ending:
    """The ending of the round that was just settled."""
    coal = s.last_coal
    pieces = s.last_pieces
    busted = s.last_busted
    return Ending(
        int(coal[:2].max()),
        int(np.sign(int(coal[0]) - int(coal[1]))),
        int(np.sign(int(pieces[0]) - int(pieces[1]))),
        (bool(pieces[0]), bool(pieces[1])),
        (bool(busted[0]), bool(busted[1])),
    )


def key_of(s: State) -> Any:
    """What identifies a decision to go on or stop; seats count from `first`."""
    turn = int(s.turn != s.first)
    order = [int(s.first), 1 - int(s.first)]
    fronts = b"".join(s.front[seat].tobytes() for seat in order)
    busted = tuple(s.busted[seat] for seat in order)
    return turn, s.furnace.tobytes(), fronts, busted


class Pulling:
    """The graph for the pieces with which a round begins; seat 0 begins.

    revealed: a position at which seat 0 turns the first piece; endings: of the round, each with one
    last step that leads to it; layers: the decisions, those nearer to the end first. The rows of
    arrays are the endings, then the decisions.
    """

    def __init__(self, revealed: State) -> None:
        self.endings: dict[Ending, LastStep] = {}
        self._points: dict[Any, PullDecision] = {}
        self._records: dict[Any, State] = {}
        self._ways: dict[Any, tuple[tuple[int, int], ...]] = {}
        self._walk(revealed)
        ordered = sorted(self._points, key=self._order)
        self.row = {one: row for row, one in enumerate([*self.endings, *ordered])}
        self.size = len(self.row)
        self.layers = [self._layer(list(keys)) for _, keys in groupby(ordered, key=self._order)]
        self.root = self.row[key_of(revealed)]

    def positions(self) -> Iterator[State]:
        """A record of every decision, with stakes and money as in `revealed`."""
        yield from self._records.values()

    def ways(self) -> Iterator[tuple[int, tuple[tuple[int, int], ...]]]:
        """The row of every decision, and one path to it: who acts (or CHANCE), and the action."""
        for key, way in self._ways.items():
            yield self.row[key], way

    def at(self, s: State) -> tuple[Layer, int]:
        """The layer of a decision, and its row within the layer."""
        row = self.row[key_of(s)]
        layer = next(one for one in self.layers if one.rows.start <= row < one.rows.stop)
        return layer, row - layer.rows.start

    def _walk(self, revealed: State) -> None:
        todo: list[Any] = [(revealed.copy(), ())]
        while todo:
            s, way = todo.pop()
            key = key_of(s)
            if key in self._points:
                continue
            self._records[key] = s
            self._ways[key] = way
            pulled = (*way, (int(s.turn), PULL))
            out = np.empty(ACTIONS, np.int64)
            p = np.empty(OUTCOMES)
            may_stop = STOP in out[: verbs.legal(s, int(s.turn), out)]
            # To pull is no decision to be compared: it leads to chance, and chance to the next points.
            turned = s.copy()
            verbs.apply(turned, int(s.turn), PULL)
            outcomes = []
            for k in range(verbs.chance(turned, out, p)):
                after = self._next(turned, pulled, CHANCE, int(out[k]), todo)
                outcomes.append((after, float(p[k])))
            stop = self._next(s, way, int(s.turn), STOP, todo) if may_stop else None
            self._points[key] = PullDecision(key[0], int(s.furnace.sum()), outcomes, stop)

    def _next(self, s: State, way: Any, who: int, action: int, todo: list[Any]) -> Any:
        """The key of the successor: an ending, or a decision, which is added to `todo`."""
        after = s.copy()
        verbs.apply(after, who, action)
        if after.node != Node.PULL:
            ending = ending_of(after)
            self.endings.setdefault(ending, LastStep(s.copy(), who, action))
            return ending
        todo.append((after, (*way, (who, action))))
        return key_of(after)

    def _order(self, key: Any) -> tuple[int, int, bool]:
        """Decisions with fewer pieces left, of the second player, that may stop come first."""
        point = self._points[key]
        return point.left, -point.seat, point.stop is None

    def _layer(self, keys: list[Any]) -> Layer:
        from scipy.sparse import csr_array

        first = self.row[keys[0]]
        points = [self._points[key] for key in keys]
        entries = [(p, i, self.row[to]) for i, one in enumerate(points) for to, p in one.outcomes]
        p, i, j = (np.array(column) for column in zip(*entries, strict=True))
        on = csr_array((p, (i, j)), shape=(len(keys), first))
        may = points[0].stop is not None
        stop = np.array([self.row[one.stop] for one in points]) if may else None
        return Layer(slice(first, first + len(keys)), points[0].seat, on, stop)

    # -- values ----------------------------------------------------------------------------------

    def worth(self, ends: Floats, *choices: Choice) -> Floats:
        """The values of all rows to seat 0, for many stakes at once, when each seat chooses so.

        ends: values of the endings, float64 (endings, stakes); choices: of seat 0 and of seat 1.
        Returns float64 (rows, stakes).
        """
        values = np.empty((self.size, ends.shape[1]))
        values[: len(ends)] = ends
        for layer in self.layers:
            on = layer.on @ values[: layer.rows.start]
            if layer.stop is not None:
                on = choices[layer.seat](on, values[layer.stop], layer.rows)
            values[layer.rows] = on
        return values

    def value(self, ends: Floats) -> Floats:
        """The value of a round to seat 0 when both pull optimally, float64 (stakes,)."""
        values = np.empty(ends.shape[1])
        step = max(16, BLOCK_CELLS // self.size)
        for low in range(0, ends.shape[1], step):
            some = slice(low, low + step)
            values[some] = self.worth(ends[:, some], highest, lowest)[self.root]
        return values


def highest(on: Floats, stop: Floats, rows: slice) -> Floats:
    """The choice of seat 0, to whom values count."""
    return np.maximum(on, stop)


def lowest(on: Floats, stop: Floats, rows: slice) -> Floats:
    """The choice of seat 1."""
    return np.minimum(on, stop)
