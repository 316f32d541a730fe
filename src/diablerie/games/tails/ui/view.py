"""What one seat sees of TAILS, as data, and in a few words or lines of text."""

from collections.abc import Sequence

import msgspec
import numpy as np

from diablerie.engine.text import Line, say, says
from diablerie.games.tails.rules.legality import actor, forbids, legal
from diablerie.games.tails.rules.play import forced_after
from diablerie.games.tails.rules.sides import COUNT, SIDE
from diablerie.games.tails.rules.state import (
    ACTIONS,
    CELLS,
    LAY,
    ROWS,
    TURNS,
    Node,
    State,
    half_width,
)
from diablerie.games.tails.ui.log import side_points, winners
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
