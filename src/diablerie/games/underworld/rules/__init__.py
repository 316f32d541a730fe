"""The rules of UNDERWORLD: compiled, and the only place where its clauses live."""

from collections.abc import Mapping
from typing import Any

from diablerie.engine.record import Record
from diablerie.games.underworld.rules import notation
from diablerie.games.underworld.rules.board import DEALT, SPACES
from diablerie.games.underworld.rules.chance import chance
from diablerie.games.underworld.rules.hidden import guess, redact, witness
from diablerie.games.underworld.rules.legality import actor, forbids, legal, pending
from diablerie.games.underworld.rules.play import apply
from diablerie.games.underworld.rules.state import (
    ABSENT,
    DEVIL,
    DEVILS,
    NOTHING,
    PEGS,
    TOWERS,
    UNSEEN,
    Node,
    State,
)
from diablerie.games.underworld.rules.turns import returns

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
    """The board laid (U5), no disk on it yet, the pegs on the face (U4).

    seats: 2 to 6; options: "gift" is "must" or "may" (U22).
    """
    s: Record = State.zero()  # type: ignore[attr-defined]
    s.node, s.seats, s.pegs, s.may = Node.FIRST, seats, PEGS, options["gift"] == "may"
    s.disk[:] = ABSENT
    s.last = s.spot = s.hit = s.struck = -1
    s.down, s.loose = DEALT, (1 << DEVIL) - 1
    s.loose_devils, s.loose_towers = DEVILS, TOWERS
    for space in range(SPACES):
        s.card[space] = UNSEEN if DEALT >> space & 1 else NOTHING
    return s
