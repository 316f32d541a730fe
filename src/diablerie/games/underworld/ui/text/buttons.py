"""What the buttons of UNDERWORLD say."""

from diablerie.engine.record import Record
from diablerie.engine.text import Line, Seat, say
from diablerie.games.underworld.rules.legality import BASES
from diablerie.games.underworld.rules.notation import LETTER_NAMES, SPACE_NAMES
from diablerie.games.underworld.rules.state import (
    DONE,
    GIVE,
    HOLDER,
    KEEP,
    LOSE,
    NO_PEEK,
    PASS,
    PUT_BACK,
    REARRANGE,
    STOP,
    SWAP,
    WITHHOLD,
    Node,
)
from diablerie.games.underworld.ui.preview import card_name, fate, tell

MOVING = (Node.TURN, Node.ONWARD)

WORDS = {
    SWAP: say("Swap two cards", "U19"),
    REARRANGE: say("Shuffle two to four cards", "U21"),
    PASS: say("Pass", "U7"),
    STOP: say("Stop here", "U9"),
    KEEP: say("Keep the devil", "U15"),
    PUT_BACK: say("Put the devil back", "U15"),
    NO_PEEK: say("Look at no card", "U15"),
    DONE: say("These are enough", "U21"),
    WITHHOLD: say("Keep the devil", "U22"),
    GIVE: say("Give the devil", "U22"),
}


def label(s: Record, seat: int, action: int) -> Line:
    """What the button of an action says."""
    if action in WORDS:
        return WORDS[action]
    if s.node == Node.HOLDER:
        return say("Take the devil of {who}", "U23", who=Seat(action - HOLDER))
    if s.node == Node.LOSE:
        return say("Lose {letter}", "U24", letter=LETTER_NAMES[action - LOSE])
    space = action - BASES[s.node]
    if s.node in MOVING:
        return tell(fate(s, seat, space), SPACE_NAMES[space])
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
    return say("Open {space}", "U8", space=at)
