"""What COASTERS asks: the prompt, and the words on buttons."""

from coasters.rules.legality import pending
from coasters.rules.state import BID, DROP, FLOWER, LAY, PASS, TURN, Node, State
from diablerie.engine.text import Line, say, says


def label(s: State, seat: int, action: int) -> Line:
    """What the button of an action says."""
    if action >= DROP:
        return _dropping(action - DROP)
    if action >= TURN:
        if action - TURN == seat:
            return say("Turn your own", clause="B9")
        return say("Turn one of {who}", clause="B9", who=action - TURN)
    if action == PASS:
        return say("Pass", clause="B7")
    if action > BID:
        return say("Bid {number}", clause="B6", number=action - BID)
    if action - LAY == FLOWER:
        return say("Lay a flower", clause="B3")
    return say("Lay the skull", clause="B3")


def _dropping(kind: int) -> Line:
    if kind == FLOWER:
        return say("Lose a flower", clause="B11")
    return say("Lose the skull", clause="B11")


def points(s: State) -> list[int]:
    """Every seat's points: what stands on the podium, and who was ahead from when on."""
    return [int(n) for n in s.points[: s.seats]]


def prompt(s: State, viewer: int) -> Line:
    """What is going on, and what is asked of the viewer."""
    if s.node == Node.OVER:
        return say("{who} pays nothing tonight: the game is over.", clause="B17", who=s.winner)
    if viewer >= 0 and pending(s) >> viewer & 1:
        return _question(s, viewer)
    if s.node == Node.FIRST:
        return say("Lots are drawn for who begins.", clause="B2")
    if s.node == Node.TURN:
        return _turning(s)
    if s.node in (Node.DROP, Node.LOT):
        return say("{who} loses a coaster.", clause="B11", who=s.turn)
    return say("{who} is thinking.", who=s.turn)


def _turning(s: State) -> Line:
    return says(
        "{who} has to turn {n} more flower.",
        "{who} has to turn {n} more flowers.",
        _to_turn(s),
        clause="B10",
        who=s.turn,
    )


def _to_turn(s: State) -> int:
    return int(s.bid) - int(s.turned.sum())


def _question(s: State, viewer: int) -> Line:
    if s.node == Node.LAY:
        return say("Lay a coaster face down, or open the bidding.", clause="B3")
    if s.node == Node.BID:
        return say("{who} bids {bid}. Bid more, or pass.", clause="B7", who=s.bidder,
                   bid=int(s.bid))  # fmt: skip
    if s.node == Node.DROP:
        return say("Your own skull! Which coaster will you lose?", clause="B11")
    return says(
        "Turn {n} more flower, and the point is yours.",
        "Turn {n} more flowers, and the point is yours.",
        _to_turn(s),
        clause="B9",
    )
