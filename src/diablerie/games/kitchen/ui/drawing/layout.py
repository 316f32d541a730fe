"""Where things lie in the picture: its size, its cells, and what shares one of them."""

from diablerie.games.kitchen.rules.board import CELLS, NAMES, SIDE

WIDTH = HEIGHT = 720
SPACING, MARGIN = 120, 60
EDGE = 32  # above and to the left of the kitchen, for the coordinates
STOVE = (WIDTH // 2, HEIGHT // 2)

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
        return [(-24.0, -10.0), (24.0, -10.0), (0.0, -30.0)][:count], 0.32
    return [(0.0, -12.0 if pots else -4.0)], 0.4


def pot_layout(count: int, company: bool) -> tuple[Spots, float]:
    """Where pots stand round the middle of their cell, and how large; `company`: devils too."""
    y = 25.0 if company else 4.0
    if count == 1:
        return [(-17.0 if company else 0.0, y)], 0.86 if company else 1.05
    if count <= 3:
        gap = 27.0 if count == 3 else 34.0
        return [((i - (count - 1) / 2) * gap, y) for i in range(count)], 0.7
    row = (count + 1) // 2
    return [
        ((i % row - (row - 1) / 2) * min(26.0, 78 / row), y - 10 + 22 * (i // row))
        for i in range(count)
    ], 0.54


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
