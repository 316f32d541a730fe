"""The positions of a match as a tree, so that one can return to any of them in a few steps.

A decision makes a position of the one before it, a take-back returns to an earlier one, and all
other plies change nothing. Every eighth position on a way is kept whole.
"""

from diablerie.engine import verbs
from diablerie.engine.game import Game
from diablerie.engine.plies import Ply, PlyKind
from diablerie.engine.record import Record
from diablerie.engine.replay import number_of

EVERY = 8  # positions on the way from the opening, of which one is kept whole


class PositionTree:
    """Follows a match ply by ply.

    A position is named by the number of plies after which it first arose.
    """

    def __init__(self, game: Game, start: Record) -> None:
        self._game = game
        self._plies: list[Ply] = []
        self._names = [0]  # of the position after so many plies
        self._before: dict[int, tuple[int, int]] = {0: (0, 0)}  # its parent, and how deep it lies
        self._kept = {0: start.copy()}

    def add(self, ply: Ply, state: Record) -> None:
        """Note the next ply, and the state that it has led to."""
        self._plies.append(ply)
        if ply.kind is not PlyKind.MOVE:
            to = ply.to if ply.kind is PlyKind.TAKE_BACK else len(self._plies) - 1
            self._names.append(self._names[to])
            return
        name, parent = len(self._plies), self._names[-1]
        depth = self._before[parent][1] + 1
        self._names.append(name)
        self._before[name] = parent, depth
        if depth % EVERY == 1:  # the opening is one of them
            self._kept[name] = state.copy()

    def after(self, ply: int) -> Record:
        """The state after the first `ply` plies."""
        at, way = self._names[ply], list[int]()
        while at not in self._kept:
            way.append(at)
            at = self._before[at][0]
        state = self._kept[at].copy()
        for name in reversed(way):
            for event in self._plies[name - 1].events:
                verbs.apply(state, event.seat, number_of(self._game, state, event))
        return state
