"""Workspaces: the arrays that one search needs, and a pool of a few for each game.

One thread at a time borrows a workspace. The workspace remembers whose tree it holds, so that the
next search of the same player continues with that tree.
"""

from collections import OrderedDict
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from diablerie.bots.search import (
    SEARCH_SEEN,
    SEARCH_START,
    Scratch,
    SearchArrays,
    SearchParams,
    search,
    state_hash,
)
from diablerie.bots.search_tree import arena, copy_subtree, find_key, reset
from diablerie.engine import verbs
from diablerie.engine.compile import Records
from diablerie.engine.game import Game
from diablerie.engine.playout import buffers
from diablerie.engine.record import Record
from diablerie.engine.rng import Rng
from diablerie.engine.threads import LocalLock

TREE_NODES = 1 << 15  # in each of a workspace's two trees: some seven megabytes together
POOLED_WORKSPACES = 4  # workspaces to a game


class Workspace:
    """The arrays of one search of a game. nodes: the size of each of its two trees."""

    def __init__(self, game: Game, nodes: int = TREE_NODES) -> None:
        layout = game.state.dtype
        out, p = buffers(game)
        before = SEARCH_SEEN * layout.itemsize
        room = np.zeros(-before % 8 + before + -(-layout.itemsize // 8) * 8, np.uint8)
        states = room[-before % 8 :]  # so that the last one begins and ends with a whole word
        self.arrays = SearchArrays(
            states=verbs.states_of(game.state, states[: before + layout.itemsize].view(layout)),
            words=states[before:].view(np.int64),
            tree=arena(nodes),
            mark=np.zeros(game.actions, np.int32),
            out=out,
            p=p,
        )
        self._params = zeros(SearchParams)
        self.scratch = zeros(Scratch)
        self.spare = arena(nodes)
        self.owner: Hashable = None

    @property
    def params(self) -> Any:
        """The parameters of the next search."""
        return self._params[0]

    def search(self, rng: Rng, iterations: int) -> None:
        """Think for so many iterations."""
        search(self.arrays, self._params, self.scratch, rng, iterations)

    @property
    def used(self) -> int:
        """How many nodes the tree has."""
        return int(self.scratch[0].used)

    def take(self, tree: bytes, owner: Hashable) -> None:
        """Go on with the tree that `kept_tree` has of another workspace."""
        nodes = np.frombuffer(tree, self.arrays.tree.dtype)
        self.arrays.tree[: len(nodes)] = nodes
        self.scratch[0].used = len(nodes)
        self.owner = owner

    def begin(self, s: Record, owner: Hashable) -> None:
        """Begin a search from a redacted state; keep what `owner`'s last search knows of it."""
        self.arrays.states[SEARCH_START] = self.arrays.states[SEARCH_SEEN] = s.array[0]
        key = state_hash(self.arrays.words)
        tree = self.arrays.tree
        at = find_key(tree, self.used, key) if owner == self.owner else -1
        if at > 0:
            used = copy_subtree(tree, at, self.spare)
            self.arrays = self.arrays._replace(tree=self.spare)
            self.spare = tree
        elif at < 0 or tree[0].key != key:
            reset(tree[0])
            used = 1
        else:
            used = self.used
        self.arrays.tree[0].key = key
        self.scratch[0].used = used
        self.owner = owner


def zeros(declared: type[Record]) -> Records:
    """One record of a declared class, as an array of shape (1,)."""
    return np.zeros(1, declared.dtype).view(np.recarray)


_idle: dict[str, OrderedDict[int, Workspace]] = {}
_lock = LocalLock()


@contextmanager
def borrowed(game: Game, owner: Hashable) -> Iterator[Workspace]:
    """A workspace for the block: the owner's last one if it is idle, else the one idle longest."""
    with _lock:
        idle = _idle.setdefault(game.name, OrderedDict())
        key = next((k for k, workspace in idle.items() if workspace.owner == owner), None)
        if key is None and len(idle) >= POOLED_WORKSPACES:
            key = next(iter(idle))
        workspace = idle.pop(key) if key is not None else None
    workspace = workspace or Workspace(game)
    try:
        yield workspace
    finally:
        with _lock:
            idle[id(workspace)] = workspace
            while len(idle) > POOLED_WORKSPACES:
                idle.popitem(last=False)


def kept_tree(game: Game, owner: Hashable) -> bytes:
    """A copy of the tree of the owner's last search; empty if it is not there, or in use."""
    with _lock:
        for workspace in _idle.get(game.name, {}).values():
            if workspace.owner == owner:
                return bytes(workspace.arrays.tree[: workspace.used].tobytes())
    return b""
