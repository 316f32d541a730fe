"""The last events that a seat may know: a memory for learners, as rows of whole numbers.

`history_rules` keeps them, in compiled code; `batch` and `SeenEvents` hold them.
"""

from typing import NamedTuple

import numpy as np

from diablerie.engine import verbs
from diablerie.engine.compile import Records
from diablerie.engine.game import Game
from diablerie.engine.record import Record
from diablerie.engine.rng import whole
from diablerie.envs.history_rules import (
    Rows,
    begin_history,
    note_played,
    write_history,
)

COLUMNS = ("who", "node", "what")  # of a row: see `HistoryLayout`


class HistoryLayout(NamedTuple):
    """The rows of a history: the newest event first, three numbers for each, -1 where it is none.

    who: 0 for the seat that reads, 1 for the one after it and so on, and the number of seats for
    chance. node: the kind of decision, or of chance, a number of `Game.node`. what: the number of the
    action or of the outcome; -1 where the seat did not see it.
    """

    length: int
    highest: tuple[int, int, int]  # of each column; the lowest number is -1

    @classmethod
    def of(cls, game: Game, seats: int, length: int) -> "HistoryLayout":
        """Raises TypeError for a length that is no whole number, ValueError if it is negative."""
        events = whole("history", length)
        if events < 0:
            raise ValueError(f"a history has 0 events or more, not {length}")
        return cls(events, (seats, int(max(game.node)), max(game.actions, game.outcomes) - 1))

    def high(self) -> Rows:
        """The highest number of every entry: int32 (length, len(COLUMNS))."""
        return np.tile(np.array(self.highest, np.int32), (self.length, 1))


def node_masks(game: Game) -> list[int]:
    """What stands at `SKIPPED` and `OPENED` of the masks that rules take."""
    return [sum(1 << node for node in nodes) for nodes in (game.skipped, game.opened)]


class SeenEvents:
    """The events that every seat of one game has noted; `play` keeps up with the game."""

    def __init__(self, game: Game, s: Record, layout: HistoryLayout) -> None:
        """Begin in the position `s`, of which nobody remembers anything."""
        self.layout = layout
        self._s: Record = s.copy()
        self._masks = np.array([0, 0, *node_masks(game)])
        self._events = np.zeros((s.seats, layout.length, 4), np.int32)
        self._places = np.zeros(s.seats, np.int64)
        begin_history(self._events, self._places)

    @property
    def state(self) -> Record:
        """The position that it has come to."""
        return self._s

    @property
    def _rows(self) -> Records:
        """The position as rules take it; a copy of this object has a position of its own."""
        rows: Records = verbs.states_of(type(self._s), self._s.array)
        return rows

    def play(self, who: int, what: int) -> None:
        """Note the next event of the game: a seat or CHANCE, the number of an action or outcome."""
        acts = np.array([[who, what]])
        note_played(self._rows, acts, self._masks, self._events, self._places)

    def of(self, seat: int) -> Rows:
        """What a seat has noted: int32 (length, len(COLUMNS))."""
        out = np.zeros((self.layout.length, len(COLUMNS)), np.int32)
        write_history(self._events, self._places, seat, out)
        return out
