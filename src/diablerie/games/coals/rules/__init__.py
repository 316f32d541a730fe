"""The rules of COALS: compiled, and the only place where its clauses live."""

from collections.abc import Mapping
from typing import Any

from diablerie.engine.record import Record
from diablerie.games.coals.rules import notation
from diablerie.games.coals.rules.hidden import guess, redact, witness
from diablerie.games.coals.rules.legality import actor, forbids, legal, pending
from diablerie.games.coals.rules.play import apply, chance
from diablerie.games.coals.rules.settling import returns
from diablerie.games.coals.rules.state import BEGIN, UNSET, Node, State
from diablerie.games.coals.rules.track import space_of

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
    """The first state: 200 and a pawn on 200 for each seat (C3), a full furnace (C1).

    `options` holds a value for every one of `OPTIONS`.
    """
    s: Record = State.zero()  # type: ignore[attr-defined]
    s.node, s.seats, s.rounds = Node.FIRST, seats, 1
    s.mouth, s.release = options["mouth"], options["pact"] == "first_devil"
    s.purses, s.goal = options["open_purses"], options["goal"]
    s.marks[: len(options["track"])] = options["track"]
    s.full[:] = options["furnace"]
    s.furnace[:] = s.full
    s.stake[:] = UNSET
    s.last_stake[:] = UNSET
    s.chips[:seats] = BEGIN
    s.space[:seats] = space_of(s, BEGIN)
    return s
