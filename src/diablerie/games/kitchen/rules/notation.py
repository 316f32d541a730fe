"""The notation of KITCHEN.

menu 5 0 3 1        the cards of flame, eye, bone, star
pot eye c4          an own pot is placed
go 2 c4             devil 2 steps (or, after two wings, flies) to c4
go 2 c4 blue-eye    and takes that pot along
end   fight   refuse
first 0   roll 2 wing   quiet   jump
"""

from diablerie.engine.notation import NotationError
from diablerie.engine.record import Record
from diablerie.games.kitchen.rules.board import CELLS, NAMES, PLACES
from diablerie.games.kitchen.rules.state import (
    DICE,
    END,
    FIGHT,
    GO,
    LOADS,
    MENUS,
    POT,
    REFUSE,
    Node,
)

COLOUR_NAMES = ("yellow", "violet", "blue", "green")
SIGN_NAMES = ("flame", "eye", "bone", "star")
POT_NAMES = tuple(f"{colour}-{sign}" for colour in COLOUR_NAMES for sign in SIGN_NAMES)
SINGLE = {END: "end", FIGHT: "fight", REFUSE: "refuse"}
EXPECTED = (
    "“menu” and four cards, “pot” with sign and place, “go” with devil, place and pot, "
    "“end”, “fight” or “refuse”"
)


def _written(action: int) -> str:
    if action < POT:
        return "menu " + " ".join(str(value) for value in MENUS[action])
    if action < GO:
        sign, place = divmod(action - POT, len(PLACES))
        return f"pot {SIGN_NAMES[sign]} {NAMES[PLACES[place]]}"
    if action >= END:
        return SINGLE[action]
    step, load = divmod(action - GO, LOADS)
    devil, to = divmod(step, CELLS)
    return f"go {devil + 1} {NAMES[to]}" + (f" {POT_NAMES[load - 1]}" if load else "")


ACTION_TEXTS = tuple(_written(action) for action in range(REFUSE + 1))
ACTIONS_BY_TEXT = {text: action for action, text in enumerate(ACTION_TEXTS)}

ROLLS = tuple(
    "roll " + " ".join("wing" if face == 0 else str(face) for face in faces) for faces in DICE
)
OUTCOME_TEXTS = {
    Node.FIRST: ("first 0", "first 1", "first 2", "first 3"),
    Node.ROLL: ROLLS,
    Node.STOVE: ("quiet", "jump"),
}


def go_action(devil: int, to: int, load: int) -> int:
    """The action of a step or flight; `load` is 0 or the pot's number and 1."""
    return GO + (devil * CELLS + to) * LOADS + load


def step_of(action: int) -> tuple[int, int, int]:
    """Devil, target and load of a step or flight."""
    step, load = divmod(action - GO, LOADS)
    return (*divmod(step, CELLS), load)


def format_action(s: Record, seat: int, action: int) -> str:
    """The text of an action."""
    return ACTION_TEXTS[action]


def parse_action(s: Record, seat: int, text: str) -> int:
    """The action that a text names. Raises NotationError."""
    action = ACTIONS_BY_TEXT.get(text)
    if action is None:
        raise NotationError(text, EXPECTED)
    return action


def format_outcome(s: Record, outcome: int) -> str:
    """The text of an outcome at this chance node."""
    return OUTCOME_TEXTS[Node(int(s.node))][outcome]


def parse_outcome(s: Record, text: str) -> int:
    """The outcome that a text names at this chance node. Raises NotationError."""
    texts = OUTCOME_TEXTS.get(Node(int(s.node)), ())
    if text not in texts:
        raise NotationError(text, "an outcome here")
    return texts.index(text)
