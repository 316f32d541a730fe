"""The log of COALS in sentences."""

import numpy as np

from diablerie.engine.record import Record
from diablerie.engine.text import Line, SeatRef, say, says
from diablerie.engine.verbs import SEATS, returns
from diablerie.games.coals.rules.pacts import collects
from diablerie.games.coals.rules.state import DEVIL, PULL, VALUES, Node
from diablerie.games.coals.ui.text.settlement import settlement


def narrate(
    before: Record, seat: int, action: int | None, after: Record, viewer: int
) -> list[Line]:
    """What happened, in sentences; settlement is told from what the state keeps of it."""
    if before.node == Node.FIRST:
        lines = [say("{who} begins.", clause="C6", who=SeatRef(after.first))]
    elif before.node == Node.BET:
        lines = _bet(seat, after)
    elif before.node == Node.COAL:
        lines = _piece(before, int(action or 0))
    elif action == PULL:
        lines = []
    else:
        lines = [_stop(before, seat)]
    if before.node in (Node.PULL, Node.COAL) and after.node in (Node.BET, Node.OVER):
        lines += _settled(before, after)
    return lines


def _bet(seat: int, after: Record) -> list[Line]:
    lines = [say("{who} has staked.", clause="C7", who=SeatRef(seat))]
    if after.node != Node.PULL:
        return lines
    revealed = [
        say("{who} stakes {amount}.", clause="C7", who=SeatRef(i), amount=int(after.stake[i]))
        for i in range(after.seats)
    ]
    return [*lines, *revealed]


def _piece(before: Record, kind: int) -> list[Line]:
    who = SeatRef(before.turn)
    if kind != DEVIL:
        value = VALUES[kind]
        coal = int(before.coal[before.turn]) + value  # a settled round has cleared it away
        return [say("{who} turns {value}: {coal} so far.", "C10", who=who, value=value, coal=coal)]
    paid = [
        say("{who} collects 50 for the pact.", clause="C14", who=SeatRef(other))
        for other in range(before.seats)
        if collects(before, other, before.turn)
    ]
    return [say("{who} wakes a devil: burnt fingers!", clause="C12", who=who), *paid]


def _stop(before: Record, seat: int) -> Line:
    return says(
        "{who} stops with {coal} in {n} piece.",
        "{who} stops with {coal} in {n} pieces.",
        int(before.pieces[seat]),
        clause="C11",
        who=SeatRef(seat),
        coal=int(before.coal[seat]),
    )


def _settled(before: Record, after: Record) -> list[Line]:
    best = int(after.last_coal.max())
    lines = [say("The best coal of the round is {best}.", clause="C17", best=best)]
    lines += settlement(after)
    lines += [_gain(after, i) for i in range(after.seats)]
    if after.node == Node.OVER:
        return [*lines, *_end(after)]
    lines += [
        say("{who} has a pact with the devil.", clause="C22", who=SeatRef(i))
        for i in range(after.seats)
        if after.pact[i]
    ]
    if after.furnace.sum() > before.furnace.sum():
        lines.append(_filled(int(after.furnace.sum())))
    return lines


def _gain(after: Record, i: int) -> Line:
    gain = int(after.gain[i])
    if gain > 0:
        return say("{who} wins {gain}.", clause="C17", who=SeatRef(i), gain=gain)
    if gain < 0:
        return say("{who} loses {loss}.", clause="C17", who=SeatRef(i), loss=-gain)
    return say("{who} neither wins nor loses.", clause="C17", who=SeatRef(i))


def _filled(pieces: int) -> Line:
    return says(
        "The {n} piece goes back into the furnace.",
        "All {n} pieces go back into the furnace.",
        pieces,
        clause="C23",
    )


def _end(after: Record) -> list[Line]:
    won = winners(after)
    top = int(after.chips[won[0]])
    lines = [say("{who} wins with {total}!", clause="C21", who=SeatRef(i), total=top) for i in won]
    if top < after.goal:
        return [say("The hundredth round is over.", clause="C24"), *lines]
    return lines


def winners(s: Record) -> list[int]:
    """The seats that share the win of a finished game (C21)."""
    out = np.full(SEATS, -np.inf)
    returns(s, out)
    return [int(seat) for seat in np.flatnonzero(out == out.max())]
