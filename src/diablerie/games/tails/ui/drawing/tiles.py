"""A tile of TAILS with its lines, the spades of open tails, and the frame that marks a cell."""

from collections.abc import Mapping
from functools import cache, lru_cache

from diablerie.art.svg import Svg, at, circle, group, svg_text
from diablerie.games.tails.rules import board
from diablerie.games.tails.rules.board import NUMBER
from diablerie.games.tails.rules.tiles import pairs
from diablerie.games.tails.ui.drawing import layout
from diablerie.games.tails.ui.drawing.symbols import line, use
from diablerie.games.tails.ui.tracing import Tail
from diablerie.games.tails.ui.view import Tile

Owner = tuple[str, str, int]  # of a piece of line: its tail's letter, state and side
Owners = tuple[tuple[Owner, ...], ...]  # of a tile's lines, in the order of `pairs`


@lru_cache(64)
def pieces(tails: tuple[Tail, ...]) -> Mapping[tuple[int, int], tuple[Owner, ...]]:
    """Whose each piece of line is, by cell and either end."""
    found: dict[tuple[int, int], tuple[Owner, ...]] = {}
    for tail in tails:
        owner = (tail.letter, tail.state, tail.side)
        for cell, *ends in tail.pieces:
            for end in ends:
                found[cell, end] = (*found.get((cell, end), ()), owner)
    return found


def owners(cell: int, lies: Tile, tails: tuple[Tail, ...]) -> Owners:
    """Whose the lines of a tile are."""
    found = pieces(tails)
    return tuple(found.get((cell, a), ()) for a, _ in pairs(lies.kind, lies.rotation))


def tile(lies: Tile, owned: Owners) -> list[Svg]:
    """The face, then lines that are nobody's, then tails."""
    lines = list(zip(pairs(lies.kind, lies.rotation), owned, strict=True))
    loose = [line(lies.kind, a, b, "line") for (a, b), of in lines if not of]
    tails = [_owned(lies.kind, a, b, of) for (a, b), of in lines if of]
    return [use("cell", "face"), *loose, *tails]


def _owned(kind: int, a: int, b: int, tails: tuple[Owner, ...]) -> Svg:
    """A piece of a tail, or of the line on which two bodies met."""
    keys = " ".join(dict.fromkeys(f"body-{letter}" for letter, _, _ in tails))
    _, state, side = tails[0]
    klass = f"line {state} seat-{side}"
    return line(kind, a, b, klass, data_light=keys.split()[0], data_lights=keys)


@lru_cache(256)
def tips(tails: tuple[Tail, ...], lasting: bool = True) -> Svg:
    """The spades of open tails, pointing to where they will go on."""
    return group(
        *(
            use(
                "spade",
                f"tip seat-{tail.side}",
                transform=layout.tip(tail.tip),
                id=f"tip-{tail.letter}" if lasting else None,
                data_lights=f"body-{tail.letter}",
            )
            for tail in tails
            if tail.state == "open"
        ),
        id="tails-tips" if lasting else None,
    )


@cache
def ring(cell: int, klass: str) -> list[Svg]:
    """A frame round a cell, with its number at the point, where no line ever comes."""
    x, y = layout.pixel(board.middle(cell))
    dx, dy = layout.CORNERS[0]
    sign = -1 if layout.turn(cell) else 1
    tag = group(
        circle(0, 0, 13, "tag-ground"),
        svg_text(0, 6.5, NUMBER[cell], "tag-number", font_size=18),
        transform=at(x + dx, y + sign * dy * 0.86),
    )
    frame = use("cell", "frame", transform=layout.place(cell))
    return [group(frame, tag, class_=f"mark {klass}")]
