"""The log of COASTERS, in sentences, from what the reader may know."""

from coasters.rules.state import DROP, FLOWER, LAY, TURN, Node, State
from diablerie.engine.text import Line, SeatRef, say, says


def narrate(before: State, seat: int, action: int | None, after: State, viewer: int) -> list[Line]:
    """What happened, in sentences."""
    if before.node == Node.FIRST:
        return [say("{who} begins.", clause="B2", who=after.first)]
    if before.node == Node.TURN:
        return _told_turning(before, int(action or 0) - TURN, after)
    if before.node in (Node.DROP, Node.LOT):
        return _told_loss(before, action, after)
    if before.node == Node.LAY and after.node == Node.LAY:
        return [_told_laying(seat, action)]
    return _told_bid(before, seat, after)


def _told_laying(who: int, action: int | None) -> Line:
    if action is None:
        return say("{who} lays a coaster.", clause="B3", who=who)
    if action - LAY == FLOWER:
        return say("{who} lays a flower.", clause="B3", who=who)
    return say("{who} lays the skull.", clause="B3", who=who)


def _told_bid(before: State, seat: int, after: State) -> list[Line]:
    if after.bid > before.bid:
        told = say("{who} bids {number}.", clause="B6", who=seat, number=int(after.bid))
    else:
        told = say("{who} passes.", clause="B7", who=seat)
    if after.node != Node.TURN:
        return [told]
    turns = says("{who} turns {n} coaster.", "{who} turns {n} coasters.", int(after.bid),
                 clause="B8", who=after.turn)  # fmt: skip
    return [told, turns]


def _told_turning(before: State, pile: int, after: State) -> list[Line]:
    who = before.turn
    owner = SeatRef(pile)
    own = before.turn == pile
    if after.node in (Node.DROP, Node.LOT):
        if own:
            return [say("{who} meets the own skull!", clause="B11", who=who)]
        return [say("{who} meets the skull of {owner}!", clause="B12", who=who, owner=owner)]
    if own:
        flower = say("{who} turns one of the own pile: a flower.", clause="B9", who=who)
    else:
        flower = say("{who} turns one of {owner}: a flower.", clause="B9", who=who, owner=owner)
    return [flower, *_told_point(before, after)]


def _told_point(before: State, after: State) -> list[Line]:
    if after.node == Node.TURN:
        return []
    who = before.turn
    points = int(after.points[before.turn])
    told = says("{who} has {n} point.", "{who} has {n} points.", points, clause="B10", who=who)
    return [told, *_told_end(after, "B16")]


def _told_loss(before: State, action: int | None, after: State) -> list[Line]:
    who = before.turn
    told = [_told_lost(before, who, action)]
    if after.coasters[who] == 0:
        told.append(say("{who} is out.", clause="B15", who=who))
        if after.node == Node.LAY:
            told.append(say("{who} begins the round.", clause="B15", who=after.first))
    return [*told, *_told_end(after, "B17")]


def _told_lost(before: State, who: int, action: int | None) -> Line:
    """`action` is a decision or an outcome: the kind that is lost, unless it was not seen."""
    clause = "B11" if before.node == Node.DROP else "B12"
    if action is None:
        return say("{who} loses a coaster.", clause, who=who)
    if action - DROP * (before.node == Node.DROP) == FLOWER:
        return say("{who} loses a flower.", clause, who=who)
    return say("{who} loses the skull.", clause, who=who)


def _told_end(after: State, clause: str) -> list[Line]:
    if after.node != Node.OVER:
        return []
    return [say("{who} wins!", clause=clause, who=after.winner)]
