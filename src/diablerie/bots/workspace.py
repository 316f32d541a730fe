"""A desk to think at: all the arrays that one search needs, and a few desks to a game.

Desks are lent one to a thread. One remembers whose tree lies on it, so that the next decision of
the same player begins with what was found out already.
"""

import threading
from collections import OrderedDict
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from diablerie.bots.search import Plan, digest
from diablerie.bots.tree import arena, replanted, sought, wipe
from diablerie.engine.game import Game
from diablerie.engine.playout import buffers
from diablerie.engine.record import Record

SPOTS = 1 << 15  # in each of a desk's two trees: some seven megabytes together
DESKS = 4  # to a game


class Desk:
    """The arrays of one search of a game."""

    def __init__(self, game: Game, spots: int = SPOTS) -> None:
        layout = game.state.dtype
        bytes_ = np.zeros(-(-layout.itemsize // 8) * 8, np.uint8)
        self.start, self.room = (np.zeros(1, layout).view(np.recarray) for _ in range(2))
        self.words, self.eye = bytes_.view(np.int64), _state(bytes_, layout)
        self.tree, self.spare = arena(spots), arena(spots)
        self.plans: Any = np.zeros(1, Plan.dtype).view(np.recarray)  # type: ignore[attr-defined]
        self.mark = np.zeros(game.actions, np.int32)
        self.out, self.p = buffers(game)
        self.owner: Hashable = None

    @property
    def plan(self) -> Any:
        """What is to be done."""
        return self.plans[0]

    def set_up(self, s: Record, owner: Hashable) -> None:
        """Begin a search from a redacted state; what `owner` knows of it already stays."""
        self.start[0] = self.eye[0] = s.array[0]
        key = digest(self.words)
        at = sought(self.tree, self.plan.used, key) if owner == self.owner else -1
        if at > 0:
            used = replanted(self.tree, at, self.spare)
            self.tree, self.spare = self.spare, self.tree
        elif at < 0 or self.tree[0].key != key:
            wipe(self.tree[0])
            used = 1
        else:
            used = int(self.plan.used)
        self.tree[0].key = key
        self.plan.used, self.owner = used, owner


def _state(bytes_: Any, layout: np.dtype[Any]) -> Any:
    return bytes_[: layout.itemsize].view(layout).view(np.recarray)


_idle: dict[tuple[str, int], OrderedDict[int, Desk]] = {}
_lock = threading.Lock()


@contextmanager
def lent(game: Game, owner: Hashable, spots: int = SPOTS) -> Iterator[Desk]:
    """Borrow a desk: the owner's own if it is free, else the one unused for longest."""
    with _lock:
        idle = _idle.setdefault((game.name, spots), OrderedDict())
        mine = next((k for k, desk in idle.items() if desk.owner == owner), None)
        if mine is None and len(idle) >= DESKS:
            mine = next(iter(idle))
        desk = idle.pop(mine) if mine is not None else None
    desk = desk or Desk(game, spots)
    try:
        yield desk
    finally:
        with _lock:
            idle[id(desk)] = desk
            while len(idle) > DESKS:
                idle.popitem(last=False)
