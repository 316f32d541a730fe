"""What every viewer of an OpenSpiel game has seen, in arrays that compiled code keeps up to date.

Viewers are the seats, then the watcher. Each notes what it saw decided and drawn, and is shown the
position, redacted, whenever somebody is to decide or the game is over; a digest tells all this.
Outcomes of chance that it did not see leave no trace, since their number can be a secret (so can the
nodes in `Game.skipped`).
"""

from collections.abc import Callable
from typing import Any, Self

import numpy as np
from numba import typeof
from numpy.typing import NDArray

from diablerie.engine import verbs
from diablerie.engine.compile import Floats32, Ints, Ints32, Records, inlined, rule, wrapping
from diablerie.engine.game import Game
from diablerie.engine.record import Record, from_bytes
from diablerie.engine.rng import MIX1, U31
from diablerie.engine.verbs import CHANCE, EVERYONE, WATCHER
from diablerie.envs.history_rules import NO_EVENT, noticed
from diablerie.values.columns import convert_rows
from diablerie.values.encoding import encode

RECALL = 16  # events of an information state that its tensor tells one by one
DIGEST_ENTRIES = 4  # entries that tell 16 bits of the digest each

Events = Ints32  # (viewers, RECALL, 2): who, and the action or outcome plus 1, 0 unseen
Digests = NDArray[np.uint64]  # (viewers,)


class SeenNotes:
    """The notes of all viewers in one position.

    words: int64 (viewers + 1, words), the bytes of what each was shown last, and of the position.
    """

    __slots__ = ("digests", "events", "game", "rows", "words")

    def __init__(self, game: Game, words: Ints, digests: Digests, events: Events) -> None:
        self.game = game
        self.words = words
        self.digests = digests
        self.events = events
        layout = game.state.dtype
        self.rows = words.view(np.uint8)[:, : layout.itemsize].view(layout)[:, 0]

    @classmethod
    def of(cls, game: Game, s: Record, seats: int) -> Self:
        """The notes of a game that begins in this position."""
        words = np.zeros((seats + 2, -(-s.dtype.itemsize // 8)), np.int64)
        events = np.zeros((seats + 1, RECALL, 2), np.int32)
        events[:, :, 0] = NO_EVENT
        fresh = cls(game, words, np.zeros(seats + 1, np.uint64), events)
        fresh.rows[-1] = s.array[0]
        show_position(fresh.words, fresh.rows, fresh.digests, -1)
        return fresh

    def copy(self) -> Self:
        """An independent copy."""
        return type(self)(self.game, self.words.copy(), self.digests.copy(), self.events.copy())

    def guessed(self, s: Record, seat: int) -> Self:
        """The notes in a position `s` that looks the same to `seat` as the true one.

        The others have the watcher's notes, and are shown what they would see in `s`.
        """
        notes = self.copy()
        others = [k for k in range(len(self.digests) - 1) if k != seat]
        notes.digests[others] = self.digests[-1]
        notes.events[others] = self.events[-1]
        notes.rows[-1] = s.array[0]
        show_position(notes.words, notes.rows, notes.digests, sum(1 << k for k in others))
        return notes

    def shown(self, viewer: int) -> Record:
        """What a seat, or the watcher, was shown last."""
        k = viewer if viewer >= 0 else len(self.digests) - 1
        s: Record = from_bytes(self.game.state, self.rows[k].tobytes())
        return s

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.game, self.words, self.digests, self.events)


def direct(function: Any) -> Callable[..., Any]:
    """A rule, compiled for the types of its first arguments: no later call looks them up again."""
    compiled: list[Any] = []

    def call(*arguments: Any) -> Any:
        if not compiled:
            signature = tuple(map(typeof, arguments))
            function.compile(signature)
            compiled.append(function.get_overload(signature))
        return compiled[0](*arguments)

    return call


@inlined
def mixed(digest: np.uint64, word: int) -> np.uint64:
    """A digest, uint64, after one more word."""
    x = (digest ^ np.uint64(word)) * MIX1
    return x ^ (x >> U31)


@wrapping
def show_position(words: Ints, rows: Records, digests: Digests, mask: int) -> None:
    """Show the position, the last row, to the viewers whose bits are in the mask."""
    last = len(rows) - 1
    for k in range(last):
        if mask >> k & 1:
            viewer: Any = np.int64(k if k < last - 1 else WATCHER)
            rows[k] = rows[last]
            verbs.redact(rows[k], viewer)
            for j in range(words.shape[1]):
                digests[k] = mixed(digests[k], words[k, j])


@wrapping
def note_events(
    words: Ints, rows: Records, digests: Digests, events: Events, acts: Ints, skipped: int
) -> None:
    """Play events, int64 (n, 2), from the position in the last row, and let all viewers note them.

    skipped: mask of the nodes whose outcomes nobody notes.
    """
    last = len(rows) - 1
    s = rows[last]
    for i in range(len(acts)):
        who = acts[i, 0]
        action = acts[i, 1]
        mask = verbs.witness(s)
        silent = who == CHANCE and skipped >> s.node & 1
        for k in range(last):
            # The row before the last is the watcher's, who sees only what everybody does.
            sees = mask >> k & 1 != 0 if k < last - 1 else mask & EVERYONE == EVERYONE
            noted = 0 if silent else noticed(sees, who, k)
            if not noted:
                continue
            known = action + 1 if noted == 2 else 0
            # The last events are kept as they are; the digest holds all of them.
            for j in range(RECALL - 1, 0, -1):
                events[k, j, 0] = events[k, j - 1, 0]
                events[k, j, 1] = events[k, j - 1, 1]
            events[k, 0, 0] = who
            events[k, 0, 1] = known
            digests[k] = mixed(digests[k], (who + 2 << 32) + known)
        verbs.apply(s, who, action)
        # Between outcomes of chance nobody looks: how many follow each other can be a secret.
        if verbs.actor(s) != CHANCE:
            show_position(words, rows, digests, -1)


@rule
def write_information(
    rows: Records,
    digests: Digests,
    events: Events,
    seat: int,
    turns: Ints,
    source: Ints32,
    scale: Floats32,
    value: Floats32,
    raw: Floats32,
    out: Floats32,
    width: int,
) -> None:
    """Write the tensor of a seat's information state, float32 (1, entries).

    source, scale, value: `Columns` of the observation; raw: room for it, (1, raw size); width:
    entries that tell of an event.
    """
    encode(rows[seat], turns, seat, raw, 0)
    convert_rows(raw, source, scale, value, out[:, : len(source)])
    seats = len(digests) - 1
    at = len(source)
    for i in range(at, out.shape[1]):
        out[0, i] = 0.0
    # Each event: one-hot who it was, then the bits of its number.
    for j in range(RECALL):
        who = events[seat, j, 0]
        number = events[seat, j, 1]
        out[0, at + (seats + 1 if who == NO_EVENT else seats if who == CHANCE else who)] = 1.0
        for k in range(width - seats - 2):
            out[0, at + seats + 2 + k] = number >> k & 1
        at += width
    # The digest's 64 bits in four parts, each exact as a float32.
    for k in range(DIGEST_ENTRIES):
        out[0, at + k] = float(digests[seat] >> np.uint64(16 * k) & np.uint64(65535)) / 65536.0


@rule
def differences(row: Floats32, last: Floats32, at: Ints) -> int:
    """Write to `at` where a row differs from the last one, which becomes it; return how often."""
    n = 0
    for i in range(len(row)):
        if row[i] != last[i]:
            last[i] = row[i]
            at[n] = i
            n += 1
    return n
