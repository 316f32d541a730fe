"""Where the pieces of a game lie on paper: leaves, each with a front and a back that meet.

A printer turns a leaf along its long edge, so what is on its back is placed from the other side. All
lengths are millimetres; a page is an `<svg>` as large as the paper, and nothing is in its margins.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import count, product
from typing import NamedTuple

from diablerie.art.svg import Svg, at, circle, element, group, path, placed, rect, svg, svg_text
from diablerie.engine.paper import Board, Pieces, Printed, Shape
from diablerie.engine.text import Line

PAGE_MARGIN = 10.0  # of every page: no printer reaches the edges of its paper
FOOT_HEIGHT = 6.0  # at the bottom of a page, for its number and what is on it
OUTLINE = 1.2  # what a piece's outline may reach beyond it
PIECE_GAP = 4.0  # between pieces of different kinds
GLUE_WIDTH = 7.0  # how wide the strips are at which the sheets of a board are joined
HATCH_STEP = 2.0  # between the lines of a place for glue
JOINT_LETTERS = "ABCDEFGHIJKLMNOP"  # of what is joined
# What only a page with scripts needs, and ids, which a board on several sheets would repeat.
LIVELY = re.compile(r' (?:id|role|tabindex|data-[\w-]+)="[^"]*"| data-[\w-]+(?=[ />])')


class Paper(NamedTuple):
    """A size of paper, upright."""

    name: str
    wide: float
    high: float

    @property
    def room(self) -> tuple[float, float]:
        """How wide and high it may be printed on."""
        return self.wide - 2 * PAGE_MARGIN, self.high - 2 * PAGE_MARGIN - FOOT_HEIGHT


PAPERS = {"a4": Paper("A4", 210, 297), "letter": Paper("Letter", 215.9, 279.4)}


class Leaf(NamedTuple):
    """A sheet of paper: what is drawn on its front and its back, and what that is.

    places: the middles of all pieces on the front, and of the backs that belong to them.
    """

    front: Svg
    back: Svg
    names: tuple[Line, ...]
    places: tuple[tuple["Spot", "Spot"], ...] = ()


class Spot(NamedTuple):
    """The middle of a piece, and by how many degrees it is turned."""

    x: float
    y: float
    turn: int = 0


class Placed(NamedTuple):
    """A piece of a row, and its middle from the row's upper left corner."""

    of: Pieces
    faces: tuple[str, str]
    at: Spot


class Row(NamedTuple):
    """Pieces side by side. whole: whether they are all of their kinds."""

    pieces: tuple[Placed, ...]
    wide: float
    high: float
    whole: bool


def leaves(printed: Printed, paper: Paper) -> list[Leaf]:
    """All leaves of a game: pieces with backs, then those without, then boards."""
    backed_first = sorted(printed.pieces, key=lambda one: not one.backed)
    rows = [row for one in backed_first for row in _rows(one, paper)]
    made = [_leaf(page, paper) for page in _filled(_beside(rows, paper), paper)]
    return made + [leaf for board in printed.boards for leaf in _sheets(board, paper)]


# -- pieces ------------------------------------------------------------------------------------


def _rows(of: Pieces, paper: Paper) -> Iterator[Row]:
    """The pieces of one kind in rows of as many as have room; triangles stand between each other."""
    step = of.wide / 2 if of.shape is Shape.TILE else of.wide
    columns = min(int((paper.room[0] - of.wide) / step) + 1, len(of.faces))
    wide = of.wide + (columns - 1) * step
    high = _high(of)
    for first in range(0, len(of.faces), columns):
        row = of.faces[first : first + columns]
        placed = (
            Placed(of, faces, _spot(of, first // columns, i, of.wide / 2 + i * step))
            for i, faces in enumerate(row)
        )
        yield Row((*placed,), wide, high, columns == len(of.faces))


def _spot(of: Pieces, row: int, column: int, x: float) -> Spot:
    """Where a piece of a row is: every other triangle has its point down."""
    if of.shape is not Shape.TILE:
        return Spot(x, _high(of) / 2)
    down = (row + column) % 2 == 1
    return Spot(x, of.high * (1 if down else 2) / 3, 180 if down else 0)


def _high(of: Pieces) -> float:
    """How high a row is: a stand-up is both its halves, one above the other."""
    return 2 * (of.high + of.foot) if of.shape is Shape.STAND else of.high


def _beside(rows: Iterable[Row], paper: Paper) -> Iterator[Row]:
    """The rows; kinds of which all pieces have room beside each other share one."""
    last: Row | None = None
    for row in rows:
        if last and last.whole and row.whole and last.wide + PIECE_GAP + row.wide <= paper.room[0]:
            last = _joined(last, row)
            continue
        if last:
            yield last
        last = row
    if last:
        yield last


def _joined(left: Row, right: Row) -> Row:
    moved = (
        one._replace(at=one.at._replace(x=one.at.x + left.wide + PIECE_GAP)) for one in right.pieces
    )
    wide = left.wide + PIECE_GAP + right.wide
    high = max(left.high, right.high)
    return Row((*left.pieces, *moved), wide, high, True)


def _filled(rows: Iterable[Row], paper: Paper) -> Iterator[list[tuple[float, Row]]]:
    """The rows page by page, each with its upper edge."""
    page: list[tuple[float, Row]] = []
    top = PAGE_MARGIN + OUTLINE
    bottom = PAGE_MARGIN + paper.room[1]
    for row in rows:
        if page and page[-1][1].pieces[0].of is not row.pieces[0].of:
            top += PIECE_GAP
        if page and top + row.high > bottom:
            yield page
            page = []
            top = PAGE_MARGIN + OUTLINE
        page.append((top, row))
        top += row.high
    if page:
        yield page


def _leaf(rows: Sequence[tuple[float, Row]], paper: Paper) -> Leaf:
    front: list[Svg] = []
    back: list[Svg] = []
    places: list[tuple[Spot, Spot]] = []
    kinds: dict[str, Line] = {}
    for top, row in rows:
        left = (paper.wide - row.wide) / 2
        for of, faces, (x, y, turn) in row.pieces:
            spot = Spot(left + x, top + y, turn)
            kinds[of.name.text] = of.name
            front += _front(of, spot, faces)
            if of.backed:
                behind = spot._replace(x=paper.wide - spot.x)
                back.append(_drawn(behind, faces[1]))
                places.append((spot, behind))
    behind_all = group(*back) if back else Svg("")
    return Leaf(group(*front), behind_all, (*kinds.values(),), tuple(places))


def _drawn(spot: Spot, face: str) -> Svg:
    return placed(spot.x, spot.y, Svg(LIVELY.sub("", face)), turn=spot.turn)


def _front(of: Pieces, spot: Spot, faces: tuple[str, str]) -> Iterator[Svg]:
    """A piece with the lines along which it is cut and folded."""
    if of.shape is Shape.STAND:
        yield _drawn(Spot(spot.x, spot.y + of.high), faces[0])
        yield _drawn(Spot(spot.x, spot.y - of.high, 180), faces[1])
        folds = [0.0] if not of.foot else [-of.high, 0.0, of.high]
        yield path(
            "".join(f"M{-of.wide / 2} {y}h{of.wide}" for y in folds),
            "fold",
            transform=at(*spot[:2]),
        )
        feet = [(-of.high - of.foot), of.high] if of.foot else []
        yield from (_hatched(spot.x - of.wide / 2, spot.y + y, of.wide, of.foot) for y in feet)
    else:
        yield _drawn(spot, faces[0])
    if of.shape is not Shape.NET:
        yield placed(spot.x, spot.y, _outline(of), turn=spot.turn)


def _outline(of: Pieces) -> Svg:
    if of.shape is Shape.DISK:
        return circle(0, 0, of.wide / 2 - 0.2, "cutting")
    if of.shape is Shape.TILE:
        top = -of.high * 2 / 3
        bottom = of.high / 3
        return path(f"M0 {top}L{of.wide / 2} {bottom}H{-of.wide / 2}Z", "cutting")
    return rect(-of.wide / 2, -_high(of) / 2, of.wide, _high(of), "cutting")


def _hatched(x: float, y: float, wide: float, high: float) -> Svg:
    """A place for glue. Its lines are no pattern, of which browsers make pictures of a megabyte."""
    count = int((wide + high) / HATCH_STEP)
    lines = "".join(_slanted(k * HATCH_STEP, wide, high) for k in range(1, count + 1))
    return path(lines, "glue-line", transform=at(x, y))


def _slanted(reach: float, wide: float, high: float) -> str:
    """A line that falls to the left, `reach` from the upper left corner along both edges."""
    right = min(reach, wide)
    left = max(reach - high, 0.0)
    return f"M{right:.2f} {reach - right:.2f}L{left:.2f} {reach - left:.2f}"


# -- boards ------------------------------------------------------------------------------------


def _cuts(total: float, room: float, seams: Sequence[float]) -> list[float]:
    """Where a board begins, is divided and ends, so that each part and its strips have room."""
    if total <= room:
        return [0.0, total]
    if seams:
        return [0.0, *seams, total]
    parts = next(n for n in count(2) if total / n + GLUE_WIDTH * min(2, n - 1) <= room)
    return [total * k / parts for k in range(parts + 1)]


def _sheets(board: Board, paper: Paper) -> Iterator[Leaf]:
    """The sheets of a board, row by row."""
    left, _, wide, high = board.box
    scale = board.scale
    room = paper.room
    xs = _cuts(wide * scale, room[0], [(seam - left) * scale for seam in board.seams])
    ys = _cuts(high * scale, room[1], [])
    drawing = Svg(LIVELY.sub("", board.drawing))
    for j, i in product(range(len(ys) - 1), range(len(xs) - 1)):
        part = Part(board, drawing, xs, ys, i, j)
        yield Leaf(_sheet(part, paper), Svg(""), (board.name,))


class Part(NamedTuple):
    """One sheet of a board: its column and row among those at `xs` and `ys` in millimetres."""

    board: Board
    drawing: Svg
    xs: Sequence[float]
    ys: Sequence[float]
    i: int
    j: int

    @property
    def size(self) -> tuple[float, float]:
        """How wide and high it is without the strips for glue."""
        return self.xs[self.i + 1] - self.xs[self.i], self.ys[self.j + 1] - self.ys[self.j]

    @property
    def strips(self) -> tuple[float, float]:
        """How wide its strips are at the right and below."""
        return GLUE_WIDTH * (self.i + 2 < len(self.xs)), GLUE_WIDTH * (self.j + 2 < len(self.ys))

    def seam(self, down: bool, before: bool) -> str:
        """The letter of the seam at its right or (`down`) lower edge, or `before` it."""
        i = self.i - (before and not down)
        j = self.j - (before and down)
        columns = len(self.xs) - 1
        rows = len(self.ys) - 1
        return JOINT_LETTERS[
            (columns - 1) * rows + j * columns + i if down else j * (columns - 1) + i
        ]


def _sheet(part: Part, paper: Paper) -> Svg:
    """A part of a board with its strips, and marks at what is joined."""
    wide, high = part.size
    right, below = part.strips
    x = (paper.wide - wide - right + GLUE_WIDTH * (part.i > 0)) / 2
    y = PAGE_MARGIN + (GLUE_WIDTH if part.j else 0)
    return group(
        _view(part, x, y, wide + right, high + below, "strip") if right or below else None,
        _view(part, x, y, wide, high, ""),
        _hatched(x + wide, y, right, high) if right else None,
        _hatched(x, y + high, wide + right, below) if below else None,
        rect(x, y, wide + right, high + below, "cutting"),
        path(_joint(part), "cutting", transform=at(x, y)) if right or below else None,
        *_marks(part, x, y),
    )


def _view(part: Part, x: float, y: float, wide: float, high: float, klass: str) -> Svg:
    """What is seen of a board through a window on the page."""
    left, top, _, _ = part.board.box
    scale = part.board.scale
    corner = (left + part.xs[part.i] / scale, top + part.ys[part.j] / scale)
    box = (*corner, wide / scale, high / scale)
    return element(
        "svg",
        part.drawing,
        x=x,
        y=y,
        width=wide,
        height=high,
        viewBox=" ".join(f"{one:.3f}" for one in box),
        class_=klass or None,
    )


def _joint(part: Part) -> str:
    """The lines along which the next sheets lie."""
    wide, high = part.size
    right, below = part.strips
    lines = f"M{wide} 0V{high}" if right else ""
    return lines + (f"M0 {high}H{wide}" if below else "")


def _marks(part: Part, x: float, y: float) -> Iterator[Svg]:
    """Letters in strips, and the same ones beside the edges that come to lie on them."""
    wide, high = part.size
    right, below = part.strips
    if right:
        yield from _letters(part.seam(False, False), x + wide + GLUE_WIDTH / 2, y, 0, high)
    if part.i:
        yield from _letters(part.seam(False, True), x - GLUE_WIDTH / 2, y, 0, high)
    if below:
        yield from _letters(part.seam(True, False), x, y + high + GLUE_WIDTH / 2, wide, 0)
    if part.j:
        yield from _letters(part.seam(True, True), x, y - GLUE_WIDTH / 2, wide, 0)


def _letters(letter: str, x: float, y: float, wide: float, high: float) -> Iterator[Svg]:
    for share in (0.25, 0.75):
        letters = (circle(0, 0, 2.6, "joint-ground"), svg_text(0, 1.3, letter, "joint", 3.6))
        yield placed(x + share * wide, y + share * high, *letters)


# -- pages -------------------------------------------------------------------------------------


def sheet(drawn: Svg, look: str, paper: Paper, caption: str) -> Svg:
    """A page of the paper's size with a line below. look: the class of the game's pictures."""
    line = svg_text(PAGE_MARGIN, paper.high - PAGE_MARGIN - 0.8, caption, "caption", 3.1)
    page = svg(paper.wide, paper.high, drawn, line, class_=f"page {look}")
    size = f'width="{paper.wide}mm" height="{paper.high}mm" '
    return Svg(page.replace("<svg ", f"<svg {size}", 1))
