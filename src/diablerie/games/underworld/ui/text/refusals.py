"""Why something cannot be done in UNDERWORLD, each in one short sentence."""

from diablerie.engine.record import Record
from diablerie.engine.text import Line, say
from diablerie.games.underworld.rules import actions
from diablerie.games.underworld.rules.state import Node

SHORT = {
    "U6": say("Start at least four steps away from every other disk, and not on the face."),
    "U6a": say("It is not your turn."),
    "U7": say("One thing a turn: move, or swap two cards, or shuffle if you are possessed."),
    "U8": say("Choose a card that lies face down."),
    "U9": say("No open way leads there."),
    "U11": say("The card is just being turned up."),
    "U15": say("At a tower you may put your devil back on the face, then look at one card."),
    "U16": say("The face may be entered only while all devils are with players."),
    "U17": say("A disk stands there; only the possessed fly over others."),
    "U19": say("You may swap only face-down cards and your own letters, with no disk on them."),
    "U21": say("Only the possessed may shuffle: two to four cards with no disk on them."),
    "U22": say("Two disks stand there: that is one too many."),
    "U23": say("Choose somebody who has a devil."),
    "U24": say("Choose a letter that you have."),
    "U27": say("The game is over."),
}
PASS = say("You can do something, so you cannot pass.")
SWAP_ON = say("Choose the second card further on: face down or your letter, with no disk on it.")
TAKE_ON = say("Take cards with no disk on them, from the top left onwards.")
LAY_ON = say("Lay it where no card and no disk is, from the top left onwards, and not on the face.")


def refuse(s: Record, action: int, clause: str) -> Line | None:
    """The sentence for an action that a clause forbids."""
    if clause == "U7" and action == actions.PASS:
        return PASS
    if clause == "U19" and s.node == Node.SWAP2:
        return SWAP_ON
    if clause == "U21" and s.node == Node.TAKE:
        return TAKE_ON
    if clause == "U21" and s.node == Node.LAY:
        return LAY_ON
    return SHORT.get(clause)
