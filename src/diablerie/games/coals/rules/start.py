"""The table of COALS laid (C1, C3)."""

from collections.abc import Mapping
from typing import Any

from diablerie.engine.record import Record
from diablerie.games.coals.rules.state import BEGIN, UNSET, Node, State
from diablerie.games.coals.rules.track import space_of


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
