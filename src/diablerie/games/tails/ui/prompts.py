"""What TAILS asks and what its buttons say, what speaks for an action, and why one cannot be done."""

from collections.abc import Sequence

import numpy as np

from diablerie.engine.text import Line, listed, say
from diablerie.games.tails.rules.legality import actor
from diablerie.games.tails.rules.sides import scores, side_of
from diablerie.games.tails.rules.state import CELLS, ENDS, LAY, LETTERS, PASS, Node, State
from diablerie.games.tails.ui.log import TURNED, cell_name, naming_clause, side_name, winners
from diablerie.games.tails.ui.tracing import Tail, finished, tails, tails_after

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


# -- why, and why not --------------------------------------------------------------------------


def reason(s: State, seat: int, action: int) -> Line | None:
    """The longest own tail that an action is about, or another's."""
    side = int(side_of(s, seat))
    if action == PASS:
        return None
    return _cell(s, side, action) if action < LAY else _laid(s, side, action)


def _cell(s: State, side: int, cell: int) -> Line | None:
    there = [tail for tail in tails(s) if tail.tip >= 0 and tail.tip // ENDS == cell]
    there.sort(key=lambda tail: (tail.side != side, -tail.length))
    if not there:
        return say("No tail has reached it yet.", "T17")
    first = there[0]
    values = {"letter": first.letter, "n": first.length, "who": side_name(s.seats, first.side)}
    if first.side == side and not first.length:
        return say("Your devil {letter} begins its tail there.", "T17", **values)
    if first.side == side:
        return say("Your tail {letter}, {n} long so far, continues there.", "T17", **values)
    return say("{who} wants to continue tail {letter} there.", "T17", **values)


def _laid(s: State, side: int, action: int) -> Line | None:
    pairs = list(zip(tails(s), tails_after(s, action), strict=True))
    grown = [now for then, now in pairs if now.side == side and now.length > then.length]
    if mine := _longest(grown):
        values = {"letter": mine.letter, "n": mine.length}
        if mine.state == "scored":
            return say("It closes your tail {letter} with {n} points.", "T19", **values)
        if mine.state == "open":
            return say("It lengthens your tail {letter} to {n}.", "T17", **values)
    met = [now for then, now in pairs if now.side != side and then.state == "open" != now.state]
    if lost := _longest([tail for tail in met if tail.state == "met"]):
        values = {"letter": lost.letter, "who": side_name(s.seats, lost.side)}
        return say("It leaves {who}’s tail {letter} without a point.", "T17", **values)
    others = [now for then, now in pairs if now.side != side and now.length > then.length]
    return _others(s, other) if (other := _longest(others)) else None


def _others(s: State, tail: Tail) -> Line:
    values = {"letter": tail.letter, "n": tail.length, "who": side_name(s.seats, tail.side)}
    if tail.state == "scored":
        return say("It closes {who}’s tail {letter} with {n} points.", "T19", **values)
    return say("It lengthens {who}’s tail {letter} to {n}.", "T17", **values)


def _longest(candidates: list[Tail]) -> Tail | None:
    """Open tails before those that score, and these before those that met; the longest."""
    order = {"open": 1, "scored": 2, "met": 0}
    return max(candidates, key=lambda tail: (order[tail.state], tail.length), default=None)


SHORT = {
    "T6": say("Turned like that, this tile looks the same as before."),
    "T8": say("The tile is being revealed."),
    "T8a": say("It is not your turn."),
    "T11": say("An opponent’s devil stands at this cell."),
    "T12": say("Nobody passes in this game."),
    "T13": say("The last tile was placed in this sector: choose another one."),
    "T14": say("You may pass only when you have no cell to choose."),
    "T16": say("All cells are filled: the game is over."),
}
ORDER = ("T9", "T10", "T13")  # what a turn consists of, by players and turn
LAY_FIRST = say("Place the face-up tile first.")
CHOOSE_FIRST = say("First choose a cell; only then is its tile revealed.")
PASS_NOW = say("You have no cell to choose now, so you pass.")
TAKEN = say("There is a tile on it already.")


def refuse(s: State, action: int, clause: str) -> Line | None:
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
