"""What the buttons of UNDERWORLD say."""

from typing import Any

from diablerie.engine.record import Record
from diablerie.engine.text import Line, SeatRef, say
from diablerie.games.underworld.rules import actions
from diablerie.games.underworld.rules.notation import LETTER_NAMES, SPACE_NAMES
from diablerie.games.underworld.rules.state import Node
from diablerie.games.underworld.ui.preview import Kind, Preview, preview
from diablerie.games.underworld.ui.text.words import card_name

# The actions that go with no space, seat or letter.
WORDS = {
    actions.SWAP: say("Swap two cards", "U19"),
    actions.REARRANGE: say("Shuffle two to four cards", "U21"),
    actions.PASS: say("Pass", "U7"),
    actions.STOP: say("Stop here", "U9"),
    actions.KEEP: say("Keep the devil", "U15"),
    actions.PUT_BACK: say("Put the devil back", "U15"),
    actions.NO_PEEK: say("Look at no card", "U15"),
    actions.DONE: say("These are enough", "U21"),
    actions.WITHHOLD: say("Keep the devil", "U22"),
    actions.GIVE: say("Give the devil", "U22"),
}


def label(s: Record, seat: int, action: int) -> Line:
    """What the button of an action says."""
    if action in WORDS:
        return WORDS[action]
    if s.node == Node.HOLDER:
        return say("Take the devil of {who}", "U23", who=SeatRef(action - actions.HOLDER))
    if s.node == Node.LOSE:
        return say("Lose {letter}", "U24", letter=LETTER_NAMES[action - actions.LOSE])
    space = action - actions.BASES[s.node]
    if s.node in (Node.TURN, Node.ONWARD):
        return move_label(preview(s, seat, space), SPACE_NAMES[space])
    return _on_space(int(s.node), _at(s, space))


def _at(s: Record, space: int) -> Line:
    """A space, and the card the viewer knows to be there."""
    card = int(s.card[space])
    if card < 0:
        return say("{space}", space=SPACE_NAMES[space])
    return say("{space} ({card})", space=SPACE_NAMES[space], card=card_name(s, card))


def _on_space(node: int, at: Line) -> Line:
    match node:
        case Node.PLACE:
            return say("Start at {space}", "U6", space=at)
        case Node.PEEK:
            return say("Look at {space}", "U15", space=at)
        case Node.SWAP1:
            return say("Swap {space} …", "U19", space=at)
        case Node.SWAP2:
            return say("… with {space}", "U19", space=at)
        case Node.TAKE:
            return say("Take {space}", "U21", space=at)
        case Node.LAY:
            return say("Lay a card on {space}", "U21", space=at)
    return say("Turn up {space}", "U8", space=at)


# -- moves ---------------------------------------------------------------------------------------


def move_label(p: Preview, space: str) -> Line:
    """The button of a move: where to, and what then."""
    other = "" if p.other is None else SeatRef(p.other)
    values = {"space": space, "letter": p.letter, "who": other}
    if p.kind in (Kind.GIVE, Kind.GIVE_SECOND):
        return _gift_label(p, values)
    if p.seen and p.kind in (Kind.OPEN, Kind.STOP, Kind.DEVIL, Kind.TOWER):
        return _seen_label(p.kind, values)
    if p.leaves:
        return say("To {space}: take your {letter} and leave!", "U26", **values)
    return _plain_label(p.kind, values)


def _plain_label(kind: Kind, values: dict[str, Any]) -> Line:
    match kind:
        case Kind.UNSEEN:
            return say("To {space}: turn the card up", "U11", **values)
        case Kind.REST:
            return say("To {space}: land on the face-down card", "U20", **values)
        case Kind.LETTER:
            return say("To {space}: take your {letter}", "U12", **values)
        case Kind.STOP:
            return say("To {space}: {letter} stops you", "U13", **values)
        case Kind.DEVIL:
            return say("To {space}: take a devil", "U14", **values)
        case Kind.SECOND:
            return say("To {space}: a second devil! Lose two letters", "U24", **values)
        case Kind.TOWER:
            return say("To {space}: the tower", "U15", **values)
    return say("To {space}: stay there", "U10", **values)


def _seen_label(kind: Kind, values: dict[str, Any]) -> Line:
    """On a card that only the viewer has seen so far."""
    match kind:
        case Kind.STOP:
            return say("To {space}: turn up the {letter} you saw, which stops you", "U13", **values)
        case Kind.DEVIL:
            return say("To {space}: turn up the devil you saw", "U14", **values)
        case Kind.TOWER:
            return say("To {space}: turn up the tower you saw", "U15", **values)
    return say("To {space}: turn up a letter you have, and go on", "U11", **values)


def _gift_label(p: Preview, values: dict[str, Any]) -> Line:
    if p.leaves:
        return say("To {space}: give {who} your devil and leave!", "U26", **values)
    if p.kind == Kind.GIVE_SECOND:
        return say("To {space}: a second devil for {who}!", "U24", **values)
    if p.letter:
        return say("To {space}: give {who} your devil, take your {letter}", "U22", **values)
    return say("To {space}: give {who} your devil", "U22", **values)
