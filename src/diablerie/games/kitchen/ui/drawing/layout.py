"""Where things lie in the picture: its size, its cells, and what shares one of them."""

from diablerie.games.kitchen.rules.board import CELLS, NAMES, SIDE

WIDTH = HEIGHT = 720
SPACING, MARGIN = 120, 60
EDGE = 32  # above and to the left of the kitchen, for the coordinates
STOVE = (WIDTH // 2, HEIGHT // 2)

POT = 1.19  # how large a pot is: 24 pixels wide on a phone 320 pixels wide
CROWD = 9  # pots on one place that fit at this size
TAG_OFFSET, TAG_RADIUS = 21, 13.5  # a pot's value: how far right of its middle, in its scale

Spots = list[tuple[float, float]]


def spot(at: int) -> tuple[int, int]:
    """Where a cell lies in the picture."""
    return MARGIN + SPACING * (at % SIDE), MARGIN + SPACING * (at // SIDE)


SPOTS = tuple(spot(at) for at in range(CELLS))
AT = {name: SPOTS[cell] for cell, name in enumerate(NAMES)}


def devil_layout(count: int, pots: int, start: bool) -> tuple[Spots, float]:
    """Where devils stand round the middle of their cell, and how large."""
    if start:
        spots = [(-27.0, -20.0), (25.0, -20.0), (-2.0, 27.0)]
        return (spots[:count], 0.3) if count > 1 else ([(0.0, -2.0)], 0.36)
    if count > 1:
        return [(-25.0, -24.0 if pots else -8.0), (25.0, -24.0 if pots else -8.0)], 0.32
    if pots > 1:
        return [(0.0, -24.0 if pots < 4 else -36.0)], 0.38
    return [(0.0, -14.0 if pots else -4.0)], 0.4


def badge_spot(x: float, pots: int, start: bool, scale: float) -> tuple[float, float]:
    """Where a devil's number is, from the middle of its face; `x` is where the devil stands.

    Beside the face where pots stand below it, away from the other devil.
    """
    if start or not (pots or x):
        return 55 * scale, 56 * scale
    return (-18.0, 4.0) if x < 0 else (18.0, 4.0) if x else (31.0, -2.0)


def pot_layout(count: int, company: int) -> tuple[Spots, float]:
    """Where pots stand round the middle of their cell, and how large; `company`: of how many devils.

    Those on the left come last, so that each hides nothing but the left edge of its neighbour.
    """
    if company and count == 1:
        return [(-17.0 if company == 1 else 0.0, 27.0 if company == 1 else 32.0)], POT
    if count > CROWD:
        return _rows(count, 4, 29.0, 30.0, 8.0 if company else 4.0), 0.8
    columns = 2 if count in (2, 4) else 3
    gap = 57.0 if columns == 2 else 38.0
    height = 44.0 if count <= 6 else 38.0
    rows = -(-count // columns)
    middle = 32.0 - height / 2 * (rows - 2) if company and rows > 1 else 32.0 if company else 4.0
    return (_rows(count, columns, gap, height, middle) if count > 1 else [(0.0, 4.0)]), POT


def edge_shift(x: float, spots: Spots, scale: float) -> float:
    """How far left the pots of a cell at `x` move, so that the picture has room for their values."""
    right = x + max(dx for dx, _ in spots) + TAG_OFFSET * scale + TAG_RADIUS
    return max(0.0, right - WIDTH)


def _rows(count: int, columns: int, gap: float, height: float, middle: float) -> Spots:
    """Spots in rows, the fuller ones in front; each row from right to left."""
    rows = -(-count // columns)
    first = count - (rows - 1) * columns
    spots: Spots = []
    for row in range(rows):
        here = first if not row else columns
        y = middle + (row - (rows - 1) / 2) * height
        spots += [((here - 1) / 2 * gap - i * gap, y) for i in range(here)]
    return spots


def card_layout(count: int) -> tuple[Spots, float]:
    """Where cards lie on a grill, and how large."""
    if count <= 2:
        return [((i - (count - 1) / 2) * 36, -2) for i in range(count)], 1.0
    row = 3 if count > 4 else 2
    rows = -(-count // row)
    return [
        ((i % row - (row - 1) / 2) * (27 if row == 3 else 32), (i // row - (rows - 1) / 2) * 35)
        for i in range(count)
    ], 0.82
