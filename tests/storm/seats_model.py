"""Seats of the model: those of `tests.table.lifecycle_model`, and what groups and clocks need."""

from dataclasses import dataclass, replace

from tests.table.lifecycle_model import Chair, Table


@dataclass
class Seat(Chair):
    """A seat: also the member of a group who sits there, and the bot's spec."""

    member: int = 0
    bot: str = ""
    asked: float = -1.0  # seconds of the simulation when it was asked for what it is to decide


def copied(t: Table) -> Table:
    """An independent copy."""
    return replace(
        t,
        chairs=[replace(chair) for chair in t.chairs],
        said=list(t.said),
        plies=list(t.plies),
        fresh=[],
        match=t.match and t.match.copy(),
        request=t.request and (*t.request[:2], set(t.request[2])),
    )
