"""A game on paper: what of it is printed and cut out, as data that the game's `ui` gives.

All sizes are millimetres. A face is SVG, one unit a millimetre, about the middle of its piece: of a
triangle about its centroid, of a stand-up about the middle of the edge on which it stands.
"""

from collections.abc import Sequence
from enum import StrEnum, auto
from math import sqrt
from typing import NamedTuple

from diablerie.engine.text import Line

Face = tuple[str, str]  # front and back; a back "" is empty


class Shape(StrEnum):
    """How a piece is cut and folded."""

    CARD = auto()  # a rectangle
    DISK = auto()  # a circle, as wide as it is high
    TILE = auto()  # an equilateral triangle with its point up, its edge as long as it is wide
    STAND = auto()  # front and back meet at the top, where they are folded; feet below
    NET = auto()  # a rectangle that draws its own cuts and folds


class Pieces(NamedTuple):
    """Pieces of one kind and size, a face for each; foot: how high the feet of stand-ups are."""

    name: Line
    faces: Sequence[Face]
    wide: float
    high: float
    shape: Shape = Shape.CARD
    foot: float = 0

    @property
    def backed(self) -> bool:
        """Whether the backs are printed on the other side of the paper."""
        return self.shape is not Shape.STAND and any(back for _, back in self.faces)


def triangles(name: Line, faces: Sequence[Face], edge: float) -> Pieces:
    """Triangular tiles with such an edge."""
    return Pieces(name, faces, edge, edge * sqrt(3) / 2, Shape.TILE)


class Board(NamedTuple):
    """A board, over as many sheets as it needs.

    drawing: SVG whose `box` (left, top, width, height) is shown; scale: millimetres for a unit.
    seams: where it may be divided, in units from the left; empty: into equal parts.
    """

    name: Line
    drawing: str
    box: tuple[float, float, float, float]
    scale: float
    seams: Sequence[float] = ()


class Printed(NamedTuple):
    """All of a game that is printed. look: the class of its pictures; parts: `<defs>` they use.

    making: what to know about cutting, folding and glueing, beside what is so of every game;
    household: what replaces a piece, or is needed besides.
    """

    look: str
    parts: str
    boards: Sequence[Board]
    pieces: Sequence[Pieces]
    making: Sequence[Line]
    household: Sequence[Line]
