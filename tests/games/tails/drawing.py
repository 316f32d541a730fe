"""Positions of TAILS drawn as text: one word a cell, a kind 1-7 and a rotation a-c, or a dot."""

from diablerie.engine import verbs
from diablerie.engine.queries import legal_actions
from diablerie.games.tails import GAME
from diablerie.games.tails.rules.lines import follow
from diablerie.games.tails.rules.sides import points
from diablerie.games.tails.rules.state import (
    CELLS,
    HEAD,
    KINDS,
    LAY,
    LETTERS,
    NUMBER,
    PAIRS,
    Node,
    code,
)

EMPTY = """
                .  .  .  .  .  .  .
             .  .  .  .  .  .  .  .  .
          .  .  .  .  .  .  .  .  .  .  .
          .  .  .  .  .  .  .  .  .  .  .
             .  .  .  .  .  .  .  .  .
                .  .  .  .  .  .  .
"""
KIND = {"-".join(f"{a}{b}" for a, b in PAIRS[k]): k for k in range(KINDS)}


def drawn(text: str = EMPTY, seats: int = 2, turn: int = 0, last: int = -1):
    """The position of a picture, with `turn` to name a cell and `last` the cell laid last."""
    s = GAME.start(seats)
    words = text.split()
    assert len(words) == CELLS
    for cell, word in enumerate(words):
        if word != ".":
            put(s, cell, int(word[0]) - 1, "abc".index(word[1]))
    s.node, s.turn, s.last = Node.CELL, turn, last
    return s


def full(but: list[int] = (), seats: int = 3, **rest):
    """A position where only these cells are free."""
    words = ["." if c in but else f"{c % 7 + 1}a" for c in range(CELLS)]
    return drawn(" ".join(words), seats, **rest)


def put(s, cell: int, kind: int, rotation: int = 0) -> None:
    """Lay a tile outside any turn."""
    s.laid[cell] = code(kind, rotation)
    s.free &= ~(1 << cell)
    s.stock[kind] -= 1
    s.count += 1


def play(s, cell: int | None, tile: str, rotation: int = 0):
    """Name a cell (None: it is forced), turn this tile, lay it."""
    if cell is not None:
        verbs.apply(s, s.turn, cell)
    verbs.apply(s, verbs.CHANCE, KIND[tile])
    verbs.apply(s, s.turn, LAY + rotation)
    return s


def cells(s) -> list[int]:
    """What may be chosen."""
    return [a for a in legal_actions(GAME, s, int(s.turn)) if a < CELLS]


def clause(s, action: int, seat: int | None = None) -> str:
    """The clause that forbids an action, "" if none."""
    code = verbs.forbids(s, int(s.turn) if seat is None else seat, action)
    return GAME.clause(code) if code else ""


def score(s, letter: str) -> int:
    """What a body has scored."""
    return points(s, LETTERS.index(letter))


def runs_to(s, letter: str) -> tuple[str, int]:
    """Where a body's line leads now and how long it is: a letter, `tail of` one, or a cell."""
    at, n = follow(s, int(HEAD[LETTERS.index(letter)]))
    if at >= 0:
        return f"cell {at // 6}", n
    letter = LETTERS[(-1 - at) // 2]
    return ("" if at % 2 else "tail of ") + letter, n


def both(number: int) -> list[int]:
    """The two cells of a number."""
    return [cell for cell in range(CELLS) if NUMBER[cell] == number]
