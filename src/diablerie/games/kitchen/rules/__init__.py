"""The rules of KITCHEN: compiled, and the only place where its clauses live."""

from collections.abc import Mapping
from typing import Any

from diablerie.engine.record import Record
from diablerie.games.kitchen.rules import notation, state
from diablerie.games.kitchen.rules.board import EXITS, STARTS
from diablerie.games.kitchen.rules.chance import chance
from diablerie.games.kitchen.rules.hidden import guess, redact, witness
from diablerie.games.kitchen.rules.legality import actor, forbids, legal, pending
from diablerie.games.kitchen.rules.lookup import colour_of
from diablerie.games.kitchen.rules.play import apply, returns

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
    """Devils on their starts (K11); neutral ones for three (K12). `options`: all, settled."""
    s: Record = state.State.zero()  # type: ignore[attr-defined]
    s.node, s.seats, s.stove = state.Node.MENU, seats, options["stove"]
    s.obliged = s.mover = state.NONE
    s.devil[:], s.pot[:], s.card[:] = state.LOST, state.ABSENT, state.UNSET
    for seat in range(seats):
        c = colour_of(s, seat)
        s.devil[c], s.cap[c] = STARTS[c], 1
        s.pot[state.SIGNS * c : state.SIGNS * (c + 1)] = state.HAND
    if seats == 3:
        s.devil[3, :2] = EXITS[3]
    return s
