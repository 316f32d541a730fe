"""The rules of TAILS: compiled, and the only place where its clauses live."""

from collections.abc import Mapping
from typing import Any

from diablerie.engine.record import Record
from diablerie.games.tails.rules import notation
from diablerie.games.tails.rules.board import ALL_CELLS
from diablerie.games.tails.rules.hidden import guess, redact, witness
from diablerie.games.tails.rules.legality import actor, forbids, legal, pending
from diablerie.games.tails.rules.play import apply, chance
from diablerie.games.tails.rules.scoring import returns
from diablerie.games.tails.rules.state import Node, State
from diablerie.games.tails.rules.tiles import COPIES

__all__ = [
    "actor",
    "apply",
    "chance",
    "forbids",
    "guess",
    "legal",
    "notation",
    "pending",
    "redact",
    "returns",
    "start",
    "witness",
]


def start(seats: int, options: Mapping[str, Any]) -> Record:
    """The empty hexagon and all 56 tiles (T7), before the lot who begins; there are no options."""
    s: Record = State.zero()  # type: ignore[attr-defined]
    s.node, s.seats = Node.FIRST, seats
    s.free = ALL_CELLS
    s.cell = s.kind = s.last = -1
    s.stock[:] = COPIES
    s.laid[:] = -1
    return s
