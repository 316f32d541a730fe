"""What a policy network reads: of a position for the seat that decides, and of each legal action.

A game may have inputs of its own, `INPUTS` in its room `policy`. For any other game the network reads the
observation, each number on a logarithmic scale, and knows an action by its number alone.
"""

from collections.abc import Callable
from math import log2
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numba import types
from numba.extending import overload
from numba.np.numpy_support import as_dtype

from diablerie.engine import verbs
from diablerie.engine.compile import Floats32, Ints, Ints32, Layout, Records, rule
from diablerie.engine.game import Game
from diablerie.engine.record import Record
from diablerie.engine.verbs import SEATS
from diablerie.values.encoding import encode
from diablerie.values.observation import ObservationLayout

# numbers that `read` leaves for `describe`, and that both may use to work in
SCRATCH_NUMBERS = 8192


class NetworkInputs(NamedTuple):
    """The inputs of a game's network, and the rules that write them from a redacted record.

    one_hots: how many one-hot inputs there are; active: how many of them are 1 at most; numbers:
    how many inputs are numbers, about -2 to 2; kinds: the kinds of actions, each of which has a
    row of weights of its own; marks: how many numbers tell of an action.

    read(s, seat, numbers, ones, room): write the numbers, float32 (numbers,), and the indices of
    the one-hot inputs that are 1, int32 (active,); return how many these are.
    describe(s, seat, actions, n, kinds, marks, room): then write the kind of each of the n legal
    actions, int32 (n,), and its marks, float32 (n, marks). room: float32 (SCRATCH_NUMBERS,), to work in, as
    `read` left it. Numbers and marks are 0 before, so only others have to be written.
    """

    one_hots: int
    active: int
    numbers: int
    kinds: int
    marks: int
    read: Callable[..., int] | None
    describe: Callable[..., None] | None


Type: TypeAlias = types.Type  # Numba wants what it picks annotated as what picks it
_registered: dict[Layout, NetworkInputs] = {}


def inputs_of(game: Game) -> NetworkInputs:
    """The inputs of a game's network: its own, or else its observation.

    Compiled code reads the states of a game by them once this has been asked.
    """
    own: NetworkInputs | None = getattr(game.policy, "INPUTS", None)
    if own is None:
        size = ObservationLayout(game, game.seats[0]).size  # which registers the encoder, too
        return NetworkInputs(0, 0, size, game.actions, 0, None, None)
    return _registered.setdefault(game.state.dtype, own)


def rotations(game: Game) -> Ints:
    """What `position_inputs` needs to count seats from the reader's: int64 (SEATS + 1, SEATS, 4)."""
    turns = np.zeros((SEATS + 1, SEATS, 4), np.int64)
    for seats in game.seats:
        turns[seats, :seats] = ObservationLayout(game, seats).turns
    return turns


def position_inputs(
    s: Record,
    seat: int,
    numbers: Floats32,
    ones: Ints32,
    at: int,
    turns: Ints,
    room: Floats32,
) -> int:
    """Write a redacted position into row `at` of numbers and ones; return how many ones there are.

    numbers: float32 (rows, numbers); ones: int32 (rows, active); turns: of `rotations`.
    """
    own = _registered.get(s.dtype)  # compiled code has the same, see `_reader`
    if own is None or own.read is None:
        return read_observation(s, seat, numbers, ones, at, turns, room)
    numbers[at] = 0.0
    return own.read(s, seat, numbers[at], ones[at], room)


def action_inputs(
    s: Record, seat: int, actions: Ints, n: int, kinds: Ints32, marks: Floats32, room: Floats32
) -> None:
    """Write the kinds, int32 (n,), and marks, float32 (n, marks), of the first n actions."""
    own = _registered.get(s.dtype)  # compiled code has the same, see `_describer`
    describe = (own.describe if own else None) or number_actions
    marks[:n] = 0.0
    describe(s, seat, actions, n, kinds, marks, room)


@rule
def read_observation(
    s: Record,
    seat: int,
    numbers: Floats32,
    ones: Ints32,
    at: int,
    turns: Ints,
    room: Floats32,
) -> int:
    """`position_inputs` for games without inputs of their own."""
    encode(s, turns[s.seats], seat, numbers, at)
    for k in range(numbers.shape[1]):
        x = float(numbers[at, k])
        numbers[at, k] = log2(1.0 + x) / 8.0 if x > 0.0 else -log2(1.0 - x) / 8.0
    return 0


@rule
def number_actions(
    s: Record, seat: int, actions: Ints, n: int, kinds: Ints32, marks: Floats32, room: Floats32
) -> None:
    """`action_inputs` for games without inputs of their own."""
    for a in range(n):
        kinds[a] = actions[a]


def _reader(
    s: Type, seat: Type, numbers: Type, ones: Type, at: Type, turns: Type, room: Type
) -> Callable[..., int]:
    own = _registered.get(as_dtype(s))
    read = own.read if own else None

    def read_own(
        s: Type, seat: Type, numbers: Type, ones: Type, at: Type, turns: Type, room: Type
    ) -> int:
        numbers[at] = 0.0
        return read(s, seat, numbers[at], ones[at], room)  # type: ignore[misc]

    def read_any(
        s: Type, seat: Type, numbers: Type, ones: Type, at: Type, turns: Type, room: Type
    ) -> int:
        return read_observation(s, seat, numbers, ones, at, turns, room)

    return read_own if read else read_any


def _describer(
    s: Type, seat: Type, actions: Type, n: Type, kinds: Type, marks: Type, room: Type
) -> Callable[..., None]:
    own = _registered.get(as_dtype(s))
    describe = (own.describe if own else None) or number_actions

    def call(
        s: Type, seat: Type, actions: Type, n: Type, kinds: Type, marks: Type, room: Type
    ) -> None:
        marks[:n] = 0.0
        describe(s, seat, actions, n, kinds, marks, room)

    return call


overload(position_inputs)(_reader)
overload(action_inputs)(_describer)


class LearnerInputs:
    """What a game's network reads in n games, as arrays that `write` fills.

    position (float32 (n, size)): the one-hot inputs, then the numbers, of the seat that is to decide;
    all 0 where none is. kinds (int32 (n, actions)) and marks (float32 (n, actions, marks)): the kind
    and the marks of each legal action, in the order of their list, as far as that goes.
    kind_count: how many kinds there are, from 0.
    """

    def __init__(self, game: Game, n: int) -> None:
        self.inputs = told = inputs_of(game)
        self.kind_count = told.kinds
        self.position = np.zeros((n, told.one_hots + told.numbers), np.float32)
        self.kinds = np.zeros((n, game.actions), np.int32)
        self.marks = np.zeros((n, game.actions, told.marks), np.float32)
        self._turns = rotations(game)
        self._seen = np.zeros(1, game.state.dtype)

    def write(
        self, states: Records, seats: Ints32, actions: Ints32, counts: Ints32, at: int = 0
    ) -> None:
        """Fill the rows from `at` on for states (m,), whose seats decide; -1 and less: nobody does.

        actions: int32 (m, width), of which `counts` are legal. Several threads may fill other rows.
        """
        here = slice(at, at + len(seats))
        told = self.inputs
        room = np.zeros(SCRATCH_NUMBERS, np.float32)
        numbers = np.zeros((1, told.numbers), np.float32)
        ones = np.zeros((1, told.active), np.int32)
        out = np.zeros(self.kinds.shape[1], np.int64)
        seen = self._seen.copy()
        filled = self.position[here], self.kinds[here], self.marks[here]
        _write_inputs(
            states, seats, actions, counts, *filled, self._turns, seen, out, numbers, ones, room
        )


@rule
def _write_inputs(
    states: Records,
    seats: Ints32,
    actions: Ints32,
    counts: Ints32,
    position: Floats32,
    kinds: Ints32,
    marks: Floats32,
    turns: Ints,
    seen: Records,
    out: Ints,
    numbers: Floats32,
    ones: Ints32,
    room: Floats32,
) -> None:
    """See `LearnerInputs.write`; the last six are room to work in."""
    first = position.shape[1] - numbers.shape[1]
    for i in range(len(seats)):
        position[i] = 0.0
        # A game that is over, or waits for nobody, is all 0.
        if seats[i] < 0:
            continue
        who: Any = np.int64(seats[i])
        seen[0] = states[i]
        verbs.redact(seen[0], who)
        # The learner has the indices of one-hot inputs; others want every entry written.
        for k in range(position_inputs(seen[0], who, numbers, ones, 0, turns, room)):
            position[i, ones[0, k]] = 1.0
        for k in range(numbers.shape[1]):
            position[i, first + k] = numbers[0, k]
        for k in range(counts[i]):
            out[k] = actions[i, k]
        action_inputs(seen[0], who, out, counts[i], kinds[i], marks[i], room)
