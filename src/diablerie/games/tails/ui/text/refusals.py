"""Why something cannot be done in TAILS, each in one short sentence."""

from diablerie.engine.record import Record
from diablerie.engine.text import Line, say
from diablerie.games.tails.rules.board import CELLS
from diablerie.games.tails.rules.state import Node

SHORT = {
    "T6": say("Turned like that, this tile looks as it did before."),
    "T8": say("The tile is just being turned up."),
    "T8a": say("It is not your turn."),
    "T11": say("An opponent’s devil stands at this cell."),
    "T12": say("Nobody passes in this game."),
    "T13": say("The last tile was laid in this sector: choose another one."),
    "T14": say("You can pass only when no cell is left for you."),
    "T16": say("All cells are filled: the game is over."),
}
ORDER = ("T9", "T10", "T13")  # what a turn consists of, by players and turn
LAY_FIRST = say("Lay the tile that lies open first.")
CHOOSE_FIRST = say("First choose a cell; only then is its tile turned up.")
PASS_NOW = say("No cell is left for you now: you pass.")
TAKEN = say("A tile lies there already.")


def refuse(s: Record, action: int, clause: str) -> Line | None:
    """The sentence for an action that a clause forbids."""
    out_of_order = clause in ORDER
    if out_of_order and s.node == Node.ROTATION and action < CELLS:
        return LAY_FIRST
    if out_of_order and s.node == Node.PASS:
        return PASS_NOW
    if out_of_order and action >= CELLS:
        return CHOOSE_FIRST
    if out_of_order and not s.free >> action & 1:
        return TAKEN
    return SHORT.get(clause)
