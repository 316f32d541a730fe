"""What the picture of COALS shows many times: drawn once in `<defs>`, then only referred to.

This keeps the picture, which is sent after every move, a third of its size. Colours still come
from where a part is used, since custom properties are inherited through `<use>`.
"""

from collections.abc import Iterable
from functools import cache

from diablerie.art import pieces
from diablerie.art.head import head
from diablerie.art.svg import Parted, Svg, element, group, parted
from diablerie.games.coals.rules.state import DEVIL, VALUES

LUMPS = 3


@cache
def definitions(moods: frozenset[str]) -> Parted:
    """The parts, and heads in these moods; a part of the picture each, since the moods change."""
    lumps = [group(pieces.coal(i), id=f"coals-lump-{i}") for i in range(LUMPS)]
    faces = [group(pieces.coal_face(value), id=f"coals-face-{value}") for value in VALUES[:DEVIL]]
    heads = [group(head(mood), id=f"coals-head-{mood}") for mood in sorted(moods)]
    devil = group(pieces.coal_devil(), id="coals-face-devil")
    return parted("defs", *lumps, *faces, devil, *heads, id="coals-parts", aria_hidden="true")


def use(name: str) -> Svg:
    """A `<use>` of the part with this name."""
    return element("use", href=f"#coals-{name}")


def lump(n: int) -> Svg:
    """A piece face down; `n` varies it."""
    turn = f"rotate({n * 67 % 360})"
    return element("use", href=f"#coals-lump-{n % LUMPS}", transform=turn)


def face(kind: int) -> Svg:
    """A piece turned, by its kind."""
    return use("face-devil" if kind == DEVIL else f"face-{VALUES[kind]}")


def lumps(spots: Iterable[tuple[float, float]], scale: float) -> Svg:
    """Pieces face down at these places, in this scale."""
    drawn = (
        group(lump(n), transform=f"translate({x:.0f} {y:.0f}) scale({scale})")
        for n, (x, y) in enumerate(spots)
    )
    return group(*drawn)
