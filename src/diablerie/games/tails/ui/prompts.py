"""What TAILS asks and what its buttons say, and how a finished game is summed up."""

from collections.abc import Sequence

import numpy as np

from diablerie.engine.text import Line, listed, say
from diablerie.games.tails.rules.legality import actor
from diablerie.games.tails.rules.sides import scores
from diablerie.games.tails.rules.state import LAY, LETTERS, PASS, Node, State
from diablerie.games.tails.ui.tracing import Tail, finished, tails, tails_after
from diablerie.games.tails.ui.words import TURNED, cell_name, naming_clause, side_name, winners

CHAPTER_TILES = 9  # tiles of a chapter


def prompt(s: State, viewer: int) -> Line:
    """What is going on, and what is asked of the viewer."""
    if s.node == Node.OVER:
        return _final(s)
    if s.node == Node.FIRST:
        return say("Lots are drawn to decide who begins.", "T8a")
    if s.node == Node.TILE:
        return say("A tile is being revealed.", "T8")
    if actor(s) == viewer:
        return _question(s)
    who = s.turn
    if s.node == Node.ROTATION:
        return say("{who} is turning the tile for {cell}.", who=who, cell=cell_name(s.cell))
    return say("{who} is choosing a cell.", who=who)


def _final(s: State) -> Line:
    first, *others = winners(s)
    if others:
        return say("The hexagon is full, and the win is shared.", "T18")
    side = side_name(s.seats, first)
    return say("The hexagon is full. The longest tails: {side}.", "T18", side=side)


def _question(s: State) -> Line:
    if s.node == Node.PASS:
        return say("There is no cell you may choose.", "T14")
    if s.node == Node.CELL:
        clause = naming_clause(s)
        return say(
            "Choose a cell for your next tile, one where it lengthens a tail of yours. Then "
            "the tile is revealed.",
            clause,
        )
    cell = cell_name(s.cell)
    if s.forced:
        return say(
            "This tile has to go on {cell}. Turn it to suit your tails, then place it.",
            "T10",
            cell=cell,
        )
    return say(
        "Turn the tile on {cell} so that it lengthens your tails, then place it.", "T8a", cell=cell
    )


def points(s: State) -> Sequence[float]:
    """Every seat's points, with 4 players those of its side."""
    out = np.zeros(s.seats)
    scores(s, out)
    return [float(x) for x in out]


def ending(s: State) -> Line:
    """What ended the game, and the clause."""
    return say("all cells were filled", "T16")


def chapter(s: State) -> Line:
    """The sixth of the tiles that a position belongs to: the game has no rounds."""
    first = s.count // CHAPTER_TILES * CHAPTER_TILES
    return say("Tiles {first} to {last}", first=first + 1, last=first + CHAPTER_TILES)


THEMES = {  # what a decision is about, in a few words, for the daily challenge
    Node.CELL: say("where to place the tile"),
    Node.ROTATION: say("how to turn a tile"),
}


# -- buttons -----------------------------------------------------------------------------------


def label(s: State, seat: int, action: int) -> Line:
    """What the button of an action says."""
    if action == PASS:
        return say("Pass", "T14")
    if action < LAY:
        return say("Choose {cell}", naming_clause(s), cell=cell_name(action))
    turned = say("Place it {turned}", "T8a", turned=TURNED[action - LAY])
    closed = finished(tails(s), tails_after(s, action))
    if not closed:
        return turned
    return say("{laying}: {result}", "T8a", laying=turned, result=listed([*map(_result, closed)]))


def _result(tail: Tail) -> Line:
    if tail.state == "scored":
        return say("{letter} scores {n}", letter=tail.letter, n=tail.points)
    return say("{one} meets {other}", one=tail.letter, other=LETTERS[tail.goal])
