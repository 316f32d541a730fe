"""Buffers with guarded ends, and what verbs write into them.

Compiled code does not check the bounds of arrays. What it writes beyond them is noticed by entries
before and after the buffer that nobody may change.
"""

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from diablerie.engine import verbs
from diablerie.engine.game import Game
from diablerie.engine.record import Record
from diablerie.engine.verbs import CompiledVerbs

GUARD_ENTRIES = 64  # entries at each end
CANARY = -87  # a number that no verb writes, in every dtype that is used
GUARD = 169  # the same as a byte


@cache
def _untouched(size: int, dtype: Any) -> tuple[NDArray[Any], bytes]:
    """An array of guards alone, and the bytes of one of its ends."""
    guards: NDArray[Any] = np.full(size, CANARY, dtype)
    return guards, guards[:GUARD_ENTRIES].tobytes()


class GuardedBuffer:
    """An array of `size` entries, `inner`, with guarded entries before and after it."""

    def __init__(self, size: int, dtype: Any) -> None:
        untouched, self._end = _untouched(size + 2 * GUARD_ENTRIES, dtype)
        self._whole = untouched.copy()
        self.inner = self._whole[GUARD_ENTRIES : GUARD_ENTRIES + size]

    def check(self, what: str) -> None:
        """Raise AssertionError, saying `what` writes there, if a guarded entry has changed."""
        intact = (
            self._whole[:GUARD_ENTRIES].tobytes()
            == self._end
            == self._whole[-GUARD_ENTRIES:].tobytes()
        )
        assert intact, f"{what} writes beyond a buffer of {len(self.inner)}"


class GuardedRecord:
    """A copy of a state, `state`, with guarded bytes before and after it.

    Only of games that are compiled: for others NumPy checks every index.
    """

    def __init__(self, s: Record) -> None:
        size = s.dtype.itemsize
        self._whole = bytearray([GUARD]) * (size + 2 * GUARD_ENTRIES)
        inner = (
            memoryview(self._whole)[GUARD_ENTRIES : GUARD_ENTRIES + size]
            if is_compiled(s)
            else bytearray(size)
        )
        inner[:] = s.data
        self.state = type(s)(inner)  # type: ignore[arg-type]

    def check(self, what: str) -> None:
        """Raise AssertionError, saying `what` writes there, if a guarded byte has changed."""
        intact = set(self._whole[:GUARD_ENTRIES] + self._whole[-GUARD_ENTRIES:]) == {GUARD}
        assert intact, f"{what} writes beyond the record"


def is_compiled(s: Record) -> bool:
    """Whether the functions of the state's game are compiled."""
    return isinstance(s.verbs, CompiledVerbs)


def checked_legal(game: Game, s: Record, seat: int) -> list[int]:
    """The legal actions of a seat. Raises AssertionError if they do not fit `Game.actions`."""
    out = GuardedBuffer(game.actions, np.int64)
    n = verbs.legal(s, seat, out.inner)
    out.check("legal")
    assert 0 <= n <= game.actions, f"legal returns {n}, and there are {game.actions} actions"
    return out.inner[:n].tolist()  # type: ignore[no-any-return]


def checked_chance(game: Game, s: Record) -> tuple[list[int], list[float]]:
    """The outcomes and their probabilities.

    Raises AssertionError if they do not fit `Game.outcomes`.
    """
    out = GuardedBuffer(game.outcomes, np.int64)
    p = GuardedBuffer(game.outcomes, np.float64)
    n = verbs.chance(s, out.inner, p.inner)
    out.check("chance")
    p.check("chance")
    assert 0 <= n <= game.outcomes, f"chance returns {n}, and Game.outcomes is {game.outcomes}"
    return out.inner[:n].tolist(), p.inner[:n].tolist()
