"""The position of TAILS in sentences, for those who do not see the picture."""

from collections.abc import Iterator

from diablerie.engine.text import Line, Section, listed, say, says
from diablerie.games.tails.rules.state import (
    BODY,
    CELLS,
    ENDS,
    LETTERS,
    PLACES,
    ROTATIONS,
    SECTOR,
    pairs,
    points_up,
)
from diablerie.games.tails.ui.log import TILES, TURNED, cell_name, side_name
from diablerie.games.tails.ui.tracing import Tail
from diablerie.games.tails.ui.view import Tile, View


def _letters_at(sector: int) -> str:
    """The letters of the devils at the border of a sector."""
    cells = sorted(BODY, key=BODY.__getitem__)
    return " ".join(LETTERS[BODY[cell]] for cell in cells if SECTOR[cell] == sector)


SECTOR_LETTERS = [_letters_at(k) for k in range(6)]
# The six line ends of a cell, clockwise, as they lie in the picture: of one on its base, of one on
# its point.
UP = (
    say("upper right"),
    say("lower right"),
    say("bottom right"),
    say("bottom left"),
    say("lower left"),
    say("upper left"),
)
DOWN = (
    say("lower left"),
    say("upper left"),
    say("top left"),
    say("top right"),
    say("upper right"),
    say("lower right"),
)


def end_name(cell: int, end: int) -> Line:
    """Where on its cell a line end lies."""
    return (UP if points_up(PLACES[cell]) else DOWN)[end]


def describe(view: View) -> list[Section]:
    """What everybody has, what the tails do, and what lies on every cell."""
    sides = range(len(view.scores))
    return [
        Section(say("Now"), list(_now(view))),
        *(Section(side_name(len(view.sides), side), list(_side(view, side))) for side in sides),
        *(
            Section(say("The sector of {letters}", letters=letters), list(_sector(view, sector)))
            for sector, letters in enumerate(SECTOR_LETTERS)
        ),
    ]


def _now(view: View) -> Iterator[Line]:
    if view.node == "over":
        yield say("The game is over.")
    elif view.turn is not None:
        yield say("It is {who}’s turn.", who=view.turn)
    yield says("{n} cell is still free", "{n} cells are still free", view.left, "T16")
    if view.last >= 0:
        yield say("Placed last: {cell}", cell=cell_name(view.last))
    if view.cell >= 0:
        here = cell_name(view.cell)
        if view.forced:
            yield say("The tile has to go here: {cell}", "T10", cell=here)
        else:
            yield say("The tile goes here: {cell}", cell=here)
    if view.next >= 0:
        yield say("The next tile has to go here: {cell}", "T10", cell=cell_name(view.next))
    # Every rotation for who decides, one of them for all others.
    for option in view.hand:
        yield say(
            "Tile to place: {tile}",
            tile=_tile(view.cell, option.tile, (*view.tails, *option.tails)),
        )


# -- by side: the devils and their tails -----------------------------------------------------------


def _side(view: View, side: int) -> Iterator[Line]:
    if side in view.winners:
        yield say("Has won")
    yield says("{n} point", "{n} points", view.scores[side], "T17")
    yield from (_tail(tail) for tail in view.tails if tail.side == side)


def _tail(tail: Tail) -> Line:
    letter = tail.letter
    other = LETTERS[tail.goal]
    if tail.state == "met":
        return say("{letter}: met {other}, no points", letter=letter, other=other)
    if tail.state == "scored":
        return says(
            "{letter}: comes out beside {other}, {n} point",
            "{letter}: comes out beside {other}, {n} points",
            tail.points,
            letter=letter,
            other=other,
        )
    # An open tail is told by its tip: the cell that it leads to, and the end.
    cell, end = divmod(tail.tip, ENDS)
    where = say("{cell}, {end}", cell=cell_name(cell), end=end_name(cell, end))
    if not tail.length:
        return say("{letter}: no tile yet, starts at {place}", letter=letter, place=where)
    return says(
        "{letter}: {n} tile long, open at {place}",
        "{letter}: {n} tiles long, open at {place}",
        tail.length,
        letter=letter,
        place=where,
    )


# -- by place --------------------------------------------------------------------------------------


def _sector(view: View, sector: int) -> Iterator[Line]:
    for cell in range(CELLS):
        if SECTOR[cell] == sector:
            yield say("{place}: {what}", place=cell_name(cell), what=_on(view, cell))


def _on(view: View, cell: int) -> Line:
    lies = view.tiles[cell]
    if lies:
        return _tile(cell, lies, view.tails)
    barred = view.codes[cell] if view.codes else 0
    return say("free, but you cannot choose it now", f"T{barred}") if barred else say("free")


def _tile(cell: int, lies: Tile, tails: tuple[Tail, ...]) -> Line:
    """A tile, and what its three lines join; behind each the devils whose tail it is part of."""
    ends = pairs(lies.kind, lies.rotation)
    lines = listed([_line(cell, a, b, tails) for a, b in ends])
    if ROTATIONS[lies.kind] == 1:
        return say("{tile}: {lines}", tile=TILES[lies.kind], lines=lines)
    return say(
        "{tile}, {turned}: {lines}",
        tile=TILES[lies.kind],
        turned=TURNED[lies.rotation],
        lines=lines,
    )


def _line(cell: int, a: int, b: int, tails: tuple[Tail, ...]) -> Line:
    ends = {(cell, a, b), (cell, b, a)}
    letters = dict.fromkeys(tail.letter for tail in tails if not ends.isdisjoint(tail.pieces))
    one = end_name(cell, a)
    other = end_name(cell, b)
    if letters:
        whose = "+".join(letters)
        return say("{one} to {other} ({letters})", one=one, other=other, letters=whose)
    return say("{one} to {other}", one=one, other=other)
