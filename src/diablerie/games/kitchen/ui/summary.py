"""KITCHEN in few words: as text for a terminal, and beside a player's name."""

from diablerie.engine.text import Line, say, says
from diablerie.games.kitchen.rules.board import HOLE, NAMES, SIDE, SPACES
from diablerie.games.kitchen.rules.notation import COLOUR_NAMES, SIGN_NAMES
from diablerie.games.kitchen.ui.view import View


def sketch(view: View) -> str:
    """The kitchen as text: devils by colour and number (small without cap), pots by signs."""
    rows = [
        " ".join(f"{_cell_text(view, row * SIDE + column):<9}" for column in range(SIDE)).rstrip()
        for row in range(SIDE)
    ]
    state = f"{view.node}, turn {view.turns + 1}"
    if view.node == "move":
        state += f", {view.points} points left"
    scores = "  ".join(
        f"{colour.name} {colour.score}" for colour in view.colours if colour.seat is not None
    )
    return "\n".join([state, scores, *rows])


def _cell_text(view: View, at: int) -> str:
    if at in HOLE:
        return "##"
    marks = [
        (colour.name[0].upper() if devil.cap else colour.name[0]) + str(d + 1)
        for colour in view.colours
        for d, devil in enumerate(colour.devils)
        if devil.at == NAMES[at]
    ]
    marks += [
        COLOUR_NAMES[pot.colour][0] + SIGN_NAMES[pot.sign][0]
        for pot in view.pots
        if pot.at == NAMES[at]
    ]
    return "".join(marks) or ("." if at in SPACES else "_")


def panel(view: View, seat: int) -> list[Line]:
    """What stands beside a player's name."""
    own = next(colour for colour in view.colours if colour.seat == seat)
    if view.node == "menu":
        return [say("tray filled", clause="K8")] if own.chosen else []
    left = [devil for devil in own.devils if devil.at]
    return [
        says("{n} point", "{n} points", own.score or 0),
        says("{n} devil", "{n} devils", len(left)),
        says("{n} cap", "{n} caps", sum(devil.cap for devil in left), clause="K24"),
    ]
