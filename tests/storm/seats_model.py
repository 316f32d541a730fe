"""What the models of commands share: seats, copies of tables, decisions that play themselves."""

from dataclasses import dataclass, replace

from diablerie.engine.match import Match
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


def play_forced(match: Match) -> None:
    """Play the decisions that the table plays by itself: those without an alternative."""
    while not match.over and match.state.node in match.game.forced:
        alone = [seat for seat in match.pending if len(match.actions(seat)) == 1]
        if not alone:
            return
        match.carry_out(match.actions(alone[0])[0], alone[0])
