"""The way a disk takes to a space, step by step: for the picture."""

from diablerie.engine.record import Record
from diablerie.games.underworld.rules.board import bit, spread
from diablerie.games.underworld.rules.reach import enterable, passable
from diablerie.games.underworld.ui.text.words import members


def paths(s: Record, seat: int) -> dict[int, list[int]]:
    """A shortest way to every space that a seat's disk can move to, with both its ends."""
    start, enter = int(s.disk[seat]), enterable(s, seat)
    over = enter & passable(s, seat)
    ways, edge = {start: [start]}, [start]
    for here in edge:  # grows while it is gone through: breadth first
        for there in members(spread(bit(here)) & enter):
            if there not in ways:
                ways[there] = [*ways[here], there]
                if over >> there & 1:
                    edge.append(there)
    del ways[start]
    return ways
