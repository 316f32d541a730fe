"""What speaks for a decision of UNDERWORLD: letters, devils, and what may lie face down."""

from diablerie.engine.record import Record
from diablerie.engine.text import Line, SeatRef, say, says
from diablerie.games.underworld.rules import actions
from diablerie.games.underworld.rules.board import SPACES
from diablerie.games.underworld.rules.state import ALL_LETTERS, LETTERS, Node
from diablerie.games.underworld.ui.preview import Kind, preview


def reason(s: Record, seat: int, action: int) -> Line | None:
    """What a move is for, as far as the seat can know."""
    space = action - actions.MOVE
    if s.node not in (Node.TURN, Node.ONWARD) or not 0 <= space < SPACES:
        return None
    found = preview(s, seat, space)
    if found.leaves:
        return say("You are out, and cannot lose any more.", "U26")
    if found.kind == Kind.UNSEEN:
        return _unseen(s, seat)
    if found.kind in (Kind.GIVE, Kind.GIVE_SECOND):
        other = SeatRef(found.other or 0)
        return say("It rids you of your devil: {who} has it then.", "U22", who=other)
    if found.kind == Kind.LETTER:
        missing = (~int(s.letters[seat]) & ALL_LETTERS).bit_count() - 1
        return says("{n} letter is missing then.", "{n} letters are missing then.", missing, "U26")
    return None


def _unseen(s: Record, seat: int) -> Line:
    """What the cards not seen yet are."""
    loose, held = int(s.loose), int(s.letters[seat])
    wanted = (loose >> LETTERS * seat & ALL_LETTERS & ~held).bit_count()
    devils, towers = int(s.loose_devils), int(s.loose_towers)
    return say(
        "Of {cards} cards you have not seen {wanted} are letters you lack, {devils} are devils.",
        "U11",
        cards=loose.bit_count() + devils + towers,
        wanted=wanted,
        devils=devils,
    )
