"""The notation of UNDERWORLD: `move w3`, `lose B`, `from 2`, `card B2`, `deal unseen`.

Columns are t to z from the left, rows 1 to 7 from the top, so that no space looks like a letter
A to F. A card is its letter and its colour: B2 is the B of seat 2.
"""

from diablerie.engine.notation import TableNotation, Texts
from diablerie.engine.text import say
from diablerie.engine.verbs import SEATS
from diablerie.games.underworld.rules import actions
from diablerie.games.underworld.rules.state import DEVIL, KINDS, LETTERS, SIDE, SPACES, Node

COLUMNS = "tuvwxyz"
SPACE_NAMES = tuple(f"{COLUMNS[i % SIDE]}{i // SIDE + 1}" for i in range(SPACES))
LETTER_NAMES = "ABCDEF"
CARD_NAMES = (
    *(f"{LETTER_NAMES[c % LETTERS]}{c // LETTERS}" for c in range(DEVIL)),
    "devil",
    "tower",
)
WORDS = {
    actions.SWAP: "swap",
    actions.REARRANGE: "rearrange",
    actions.PASS: "pass",
    actions.STOP: "stop",
    actions.KEEP: "keep",
    actions.PUT_BACK: "put back",
    actions.NO_PEEK: "peek none",
    actions.DONE: "done",
    actions.WITHHOLD: "withhold",
    actions.GIVE: "give",
}
WITH_SPACE = {
    actions.PLACE: "place",
    actions.MOVE: "move",
    actions.PEEK: "peek",
    actions.EXCHANGE: "exchange",
    actions.WITH: "with",
    actions.TAKE: "take",
    actions.LAY: "lay",
    actions.REVEAL: "reveal",
}


def _action_texts() -> list[str]:
    texts = dict(WORDS)
    for base, word in WITH_SPACE.items():
        texts |= {base + i: f"{word} {name}" for i, name in enumerate(SPACE_NAMES)}
    texts |= {actions.HOLDER + i: f"from {i}" for i in range(SEATS)}
    texts |= {actions.LOSE + i: f"lose {name}" for i, name in enumerate(LETTER_NAMES)}
    return [texts[action] for action in range(actions.ACTIONS)]


ACTION_TEXTS = Texts(
    _action_texts(), say("an action such as “move w3”, “swap”, “peek t1” or “lose B”")
)
NOTATION = TableNotation(
    ACTION_TEXTS,
    {
        Node.FIRST: Texts([f"first {seat}" for seat in range(SEATS)]),
        Node.CARD: Texts([f"card {CARD_NAMES[card]}" for card in range(KINDS)]),
        Node.DEAL: Texts(["deal unseen", *(f"deal {CARD_NAMES[card]}" for card in range(KINDS))]),
    },
)
