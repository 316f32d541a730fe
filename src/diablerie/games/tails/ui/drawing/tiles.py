"""A tile of TAILS with its lines, the spades of open tails, and the frame that marks a cell."""

from collections.abc import Iterable, Mapping

from diablerie.art.svg import Svg, at, circle, group, text
from diablerie.games.tails.rules import board
from diablerie.games.tails.rules.board import NUMBER
from diablerie.games.tails.rules.tiles import pairs
from diablerie.games.tails.ui.drawing import layout
from diablerie.games.tails.ui.drawing.symbols import line, use
from diablerie.games.tails.ui.tracing import Tail
from diablerie.games.tails.ui.view import Tile

Pieces = Mapping[tuple[int, int], list[Tail]]  # tails by cell and end


def pieces(tails: Iterable[Tail]) -> Pieces:
    """Whose each piece of line is, by cell and either end."""
    found: dict[tuple[int, int], list[Tail]] = {}
    for tail in tails:
        for cell, *ends in tail.pieces:
            for end in ends:
                found.setdefault((cell, end), []).append(tail)
    return found


def tile(cell: int, lies: Tile, owned: Pieces) -> list[Svg]:
    """The face, then lines that are nobody's, then tails."""
    ends = pairs(lies.kind, lies.rotation)
    loose = [line(lies.kind, a, b, "line") for a, b in ends if not owned.get((cell, a))]
    tails = [_owned(lies.kind, a, b, owned[cell, a]) for a, b in ends if owned.get((cell, a))]
    return [use("cell", "face"), *loose, *tails]


def _owned(kind: int, a: int, b: int, tails: list[Tail]) -> Svg:
    """A piece of a tail, or of the line on which two bodies met."""
    keys = " ".join(dict.fromkeys(f"body-{tail.letter}" for tail in tails))
    first = tails[0]
    klass = f"line {first.state} seat-{first.side}"
    return line(kind, a, b, klass, data_light=keys.split()[0], data_lights=keys)


def tips(tails: Iterable[Tail], lasting: bool = True) -> Svg:
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
        )
    )


def ring(cell: int, klass: str) -> list[Svg]:
    """A frame round a cell, with its number at the point, where no line ever comes."""
    x, y = layout.pixel(board.middle(cell))
    dx, dy = layout.CORNERS[0]
    sign = -1 if layout.turn(cell) else 1
    tag = group(
        circle(0, 0, 13, "tag-ground"),
        text(0, 6.5, NUMBER[cell], "tag-number", font_size=18),
        transform=at(x + dx, y + sign * dy * 0.86),
    )
    frame = use("cell", "frame", transform=layout.place(cell))
    return [group(frame, tag, class_=f"mark {klass}")]
