"""The notation of UNDERWORLD: `move w3`, `lose B`, `from 2`, `card B2`, `deal unseen`.

Columns are t to z from the left, rows 1 to 7 from the top, so that no space looks like a letter
A to F. A card is its letter and its colour: B2 is the B of seat 2.
"""

from diablerie.engine.notation import NotationError
from diablerie.engine.record import Record
from diablerie.games.underworld.rules.board import SIDE, SPACES
from diablerie.games.underworld.rules.state import (
    ACTIONS,
    CARDS,
    DEVIL,
    DONE,
    EXCHANGE,
    GIVE,
    HOLDER,
    KEEP,
    LAY,
    LETTERS,
    LOSE,
    MOVE,
    NO_PEEK,
    PASS,
    PEEK,
    PLACE,
    PUT_BACK,
    REARRANGE,
    REVEAL,
    SEATS,
    STOP,
    SWAP,
    TAKE,
    WITH,
    WITHHOLD,
    Node,
)

COLUMNS = "tuvwxyz"
SPACE_NAMES = tuple(f"{COLUMNS[i % SIDE]}{i // SIDE + 1}" for i in range(SPACES))
LETTER_NAMES = "ABCDEF"
CARD_NAMES = (
    *(f"{LETTER_NAMES[c % LETTERS]}{c // LETTERS}" for c in range(DEVIL)),
    "devil",
    "tower",
)
EXPECTED = "an action such as “move w3”, “swap”, “peek t1” or “lose B”"

WORDS = {
    SWAP: "swap",
    REARRANGE: "rearrange",
    PASS: "pass",
    STOP: "stop",
    KEEP: "keep",
    PUT_BACK: "put back",
    NO_PEEK: "peek none",
    DONE: "done",
    WITHHOLD: "withhold",
    GIVE: "give",
}
WITH_SPACE = {
    PLACE: "place",
    MOVE: "move",
    PEEK: "peek",
    EXCHANGE: "exchange",
    WITH: "with",
    TAKE: "take",
    LAY: "lay",
    REVEAL: "reveal",
}


def _texts() -> dict[int, str]:
    texts = dict(WORDS)
    for base, word in WITH_SPACE.items():
        texts |= {base + i: f"{word} {name}" for i, name in enumerate(SPACE_NAMES)}
    texts |= {HOLDER + i: f"from {i}" for i in range(SEATS)}
    texts |= {LOSE + i: f"lose {name}" for i, name in enumerate(LETTER_NAMES)}
    return texts


TEXTS = _texts()
NUMBERS = {text: action for action, text in TEXTS.items()}
assert sorted(TEXTS) == list(range(ACTIONS))


def format_action(s: Record, seat: int, action: int) -> str:
    """The text of an action."""
    return TEXTS[action]


def parse_action(s: Record, seat: int, text: str) -> int:
    """The action that a text names. Raises NotationError."""
    if text not in NUMBERS:
        raise NotationError(text, EXPECTED)
    return NUMBERS[text]


def format_outcome(s: Record, outcome: int) -> str:
    """The text of an outcome at this chance node."""
    if s.node == Node.FIRST:
        return f"first {outcome}"
    if s.node == Node.CARD:
        return f"card {CARD_NAMES[outcome]}"
    return "deal unseen" if outcome == 0 else f"deal {CARD_NAMES[outcome - 1]}"


def parse_outcome(s: Record, text: str) -> int:
    """The outcome that a text names at this chance node. Raises NotationError."""
    count = {Node.FIRST: SEATS, Node.CARD: CARDS}.get(Node(int(s.node)), CARDS + 1)
    for outcome in range(count):
        if format_outcome(s, outcome) == text:
            return outcome
    raise NotationError(text, "an outcome here")
