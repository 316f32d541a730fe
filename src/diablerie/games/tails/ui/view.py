"""What one seat sees of TAILS: as data, in a few words, as lines of text, and in sentences."""

from collections.abc import Iterator, Sequence

import msgspec
import numpy as np

from diablerie.engine.text import Line, Section, listed, say, says
from diablerie.games.tails.rules.legality import actor, forbids, legal
from diablerie.games.tails.rules.play import forced_after
from diablerie.games.tails.rules.sides import COUNT, SIDE
from diablerie.games.tails.rules.state import (
    ACTIONS,
    BODY,
    CELLS,
    ENDS,
    LAY,
    LETTERS,
    PLACES,
    ROTATIONS,
    ROWS,
    SECTOR,
    TURNS,
    Node,
    State,
    half_width,
    pairs,
    points_up,
)
from diablerie.games.tails.ui.log import TILES, TURNED, cell_name, side_name, side_points, winners
from diablerie.games.tails.ui.tracing import Tail, tails, tails_after


class Tile(msgspec.Struct, frozen=True, array_like=True):
    """A tile as it lies: its kind, 0 to 6, and thirds of a turn."""

    kind: int
    rotation: int


class Option(msgspec.Struct, frozen=True):
    """One way to lay the tile in hand, with the tails it would change."""

    tile: Tile
    tails: tuple[Tail, ...]


class View(msgspec.Struct, frozen=True):
    """The table as one viewer sees it."""

    node: str  # what is decided next, as `Node` names it
    viewer: int
    deciding: bool
    turn: int | None  # the seat whose turn it is
    sides: tuple[int, ...]  # by seat
    tiles: tuple[Tile | None, ...]  # by cell
    cell: int  # named and waiting for its tile, or -1
    forced: bool  # whether that cell is the forced twin
    last: int  # the cell laid last, or -1
    next: int  # the cell that will be forced after the one in hand, or -1
    left: int  # free cells
    codes: tuple[int, ...]  # what forbids each cell, 0 if nothing; empty if none is to be named
    forces: tuple[int, ...]  # the cell that naming each forces on the next player, or -1
    hand: tuple[Option, ...]  # the tile in hand: all its rotations for who lays it, one for others
    tails: tuple[Tail, ...]  # by body
    scores: tuple[int, ...]  # by side
    open: tuple[tuple[int, ...], ...]  # by side, lengths of open tails, the longest first
    winners: tuple[int, ...]  # sides, once it is over

    def turn_of(self, side: int) -> bool:
        """Whether it is the turn of a player of this side."""
        return self.turn is not None and self.sides[self.turn] == side


def look(s: State, viewer: int) -> View:
    """The table as `viewer` sees it; what may not be chosen, and the tile in hand, for who decides.

    s: as `redact` leaves it for `viewer`, a seat or WATCHER.
    """
    deciding = viewer >= 0 and actor(s) == viewer
    cells = range(CELLS) if deciding and s.node == Node.CELL else ()
    codes = tuple(int(forbids(s, viewer, cell)) for cell in cells)
    seats = s.seats
    lines = tails(s)
    return View(
        node=Node(s.node).name.lower(),
        viewer=viewer,
        deciding=deciding,
        turn=s.turn if s.node not in (Node.FIRST, Node.OVER) else None,
        sides=tuple(SIDE[seats, :seats].tolist()),
        tiles=tuple(None if k < 0 else Tile(*divmod(k, TURNS)) for k in s.laid.tolist()),
        cell=s.cell,
        forced=bool(s.forced),
        last=s.last,
        next=int(forced_after(s, s.cell)) if s.cell >= 0 else -1,
        left=CELLS - s.count,
        codes=codes,
        forces=tuple(-1 if code else int(forced_after(s, c)) for c, code in enumerate(codes)),
        # The tile in hand is seen by all; rotations to choose from only by who decides.
        hand=_hand(s, lines, deciding) if s.node == Node.ROTATION else (),
        tails=lines,
        scores=tuple(side_points(s)),
        open=tuple(_open(lines, side) for side in range(COUNT[seats])),
        winners=tuple(winners(s)) if s.node == Node.OVER else (),
    )


def _open(lines: Sequence[Tail], side: int) -> tuple[int, ...]:
    """The lengths of a side's open tails; those not begun are left out."""
    own = [tail.length for tail in lines if tail.side == side and tail.state == "open"]
    return tuple(sorted((n for n in own if n), reverse=True))


def _hand(s: State, now: Sequence[Tail], deciding: bool) -> tuple[Option, ...]:
    out = np.zeros(ACTIONS, np.int64)
    ways = out[: legal(s, s.turn, out)].tolist()
    return tuple(
        Option(
            Tile(s.kind, way - LAY),
            _changed(now, tails_after(s, way)),
        )
        for way in (ways if deciding else ways[:1])
    )


def _changed(now: Sequence[Tail], then: Sequence[Tail]) -> tuple[Tail, ...]:
    return tuple(after for before, after in zip(now, then, strict=True) if before != after)


# -- in words ------------------------------------------------------------------------------------


def sketch(view: View) -> str:
    """The position in a few lines of text: tiles as kind and rotation, 1a to 7c."""
    words = [f"{t.kind + 1}{'abc'[t.rotation]}" if t else " ." for t in view.tiles]
    if view.cell >= 0:
        words[view.cell] = " *"
    lines = [f"{view.node}, {view.left} cells free"]
    for row in range(ROWS):
        count = 2 * half_width(row) + 1
        lines.append("   " * (ROWS - 1 - half_width(row)) + " ".join(words[:count]))
        del words[:count]
    for side, score in enumerate(view.scores):
        mark = "→" if view.turn_of(side) else " "
        lines.append(f"{mark} side {side}  {score}  open {list(view.open[side])}")
    return "\n".join(lines)


def panel(view: View, seat: int) -> list[Line]:
    """What stands beside a player's name."""
    side = view.sides[seat]
    lines = [says("{n} point", "{n} points", view.scores[side], "T17")]
    if view.open[side]:
        lengths = ", ".join(str(n) for n in view.open[side])
        lines.append(say("open: {lengths}", "T19", lengths=lengths))
    partners = [other for other, own in enumerate(view.sides) if own == side and other != seat]
    return [*lines, *(say("with {who}", "T5", who=other) for other in partners)]


# -- in sentences, for those who do not see the picture ----------------------------------------


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
