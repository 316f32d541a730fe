"""What cannot be a position of TAILS: bytes from outside are held against this first.

Plain Python, but for `choosable`, since rules trust their state.
"""

from collections.abc import Iterator

from diablerie.engine.record import Record
from diablerie.games.tails.rules.board import ALL_CELLS, CELLS, TWIN
from diablerie.games.tails.rules.legality import choosable
from diablerie.games.tails.rules.sides import SEATS
from diablerie.games.tails.rules.state import Node
from diablerie.games.tails.rules.tiles import COPIES, KINDS, ROTATIONS, TURNS

RANGES = {
    "free": (0, ALL_CELLS),
    "node": (Node.CELL, Node.PASS),
    "seats": (SEATS[0], SEATS[-1]),
    "turn": (0, SEATS[-1] - 1),
    "cell": (-1, CELLS - 1),
    "forced": (0, 1),
    "kind": (-1, KINDS - 1),
    "last": (-1, CELLS - 1),
    "count": (0, CELLS - 1),
    "stock": (0, COPIES),
    "laid": (-1, KINDS * TURNS - 1),
}
FIXED = ("seats",)


def flaw(s: Record, first: Record) -> str:
    """Why a state, whose fields are in their ranges, is no position; "" if it is one.

    first: the first state of a game with so many seats.
    """
    return next(_flaws(s), "")


def _flaws(s: Record) -> Iterator[str]:
    laid = {cell: int(code) for cell, code in enumerate(s.laid) if code >= 0}
    if s.turn >= s.seats:
        yield "whose turn it is"
    if s.free != sum(1 << cell for cell in range(CELLS) if cell not in laid):
        yield "which cells are free"
    if s.count != len(laid) or (s.last in laid) != bool(laid):
        yield "how many tiles are laid, or which one last"
    if any(code % TURNS >= ROTATIONS[code // TURNS] for code in laid.values()):
        yield "a tile in a rotation that it does not have (T6)"
    for kind in range(KINDS):
        used = sum(code // TURNS == kind for code in laid.values()) + (s.kind == kind)
        if used + s.stock[kind] != COPIES:
            yield "how many tiles of a kind are left (T7)"
    if s.node == Node.ROTATION:
        if s.kind < 0 or s.cell < 0 or s.cell in laid:
            yield "the tile in hand, or its cell (T9)"
    elif s.kind >= 0 or s.cell >= 0:
        yield "a tile in hand before its cell is named (T9)"
    yield from _with_3(s) if s.seats == 3 else _with_twins(s, set(laid))


def _with_3(s: Record) -> Iterator[str]:
    if s.forced:
        yield "a forced cell with 3 players (T15)"
    if s.node != Node.ROTATION and (s.node == Node.PASS) == bool(choosable(s, s.turn)):
        yield "who can choose does not pass (T14)"


def _with_twins(s: Record, laid: set[int]) -> Iterator[str]:
    if s.node == Node.PASS:
        yield "nobody passes (T12)"
    if s.forced and (s.node != Node.ROTATION or s.last < 0 or TWIN[s.last] != s.cell):
        yield "the forced cell (T10)"
    halves = {cell for cell in laid if TWIN[cell] not in laid}
    if halves != ({s.last} if s.forced else set()):
        yield "cells are laid in pairs of twins (T12)"
