"""The first state: devils on their starts, pots and cards in hand (K8 to K12)."""

from collections.abc import Mapping
from typing import Any

from diablerie.engine.record import Record
from diablerie.games.kitchen.rules import state
from diablerie.games.kitchen.rules.board import EXITS, STARTS
from diablerie.games.kitchen.rules.lookup import colour_of


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
