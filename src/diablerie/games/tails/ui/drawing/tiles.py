"""The tiles of TAILS: laid, in hand, the spades of open tails, the frame that marks a cell."""

from collections.abc import Mapping
from functools import cache, lru_cache
from math import dist

from diablerie.art.svg import Svg, at, circle, element, group, svg_text
from diablerie.engine.game import Translate
from diablerie.engine.text import say
from diablerie.games.tails.rules.notation import ACTION_NAMES
from diablerie.games.tails.rules.state import LAY, NUMBER, pairs
from diablerie.games.tails.ui.drawing import layout
from diablerie.games.tails.ui.drawing.symbols import line, use
from diablerie.games.tails.ui.tracing import Tail
from diablerie.games.tails.ui.view import Option, Tile, View

Owner = tuple[str, str, int]  # of a piece of line: its tail's letter, state and side
Owners = tuple[tuple[Owner, ...], ...]  # of a tile's lines, in the order of `pairs`


Pieces = Mapping[tuple[int, int], tuple[Owner, ...]]


@lru_cache(64)
def pieces(tails: tuple[Tail, ...]) -> Pieces:
    """Whose each piece of line is, by cell and either end."""
    owners_of: dict[tuple[int, int], tuple[Owner, ...]] = {}
    for tail in tails:
        owner = (tail.letter, tail.state, tail.side)
        for cell, *ends in tail.pieces:
            for end in ends:
                owners_of[cell, end] = (*owners_of.get((cell, end), ()), owner)
    return owners_of


def owners(cell: int, lies: Tile, owners_of: Pieces) -> Owners:
    """Whose the lines of a tile are, from `pieces`."""
    return tuple([owners_of.get((cell, a), ()) for a, _ in pairs(lies.kind, lies.rotation)])


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
def ring(cell: int, klass: str, tagged: bool = True) -> list[Svg]:
    """A frame round a cell, with its number at the point, where no line ever comes."""
    tag = group(
        circle(0, 0, 13, "tag-ground"),
        svg_text(0, 6.5, NUMBER[cell], "tag-number", 18),
        transform=at(*layout.point(cell, 0.86)),
    )
    frame = use("cell", "frame", transform=layout.cell_transform(cell))
    return [group(frame, tag if tagged else None, class_=f"mark {klass}")]


def meet(a: int, b: int) -> bool:
    """Whether the numbers of two rings would lie on each other: their cells' points touch."""
    return min(a, b) >= 0 and dist(layout.point(a), layout.point(b)) < 1


# -- the tile in hand --------------------------------------------------------------------------


def hand(view: View, t: Translate) -> Svg | None:
    """The tile with its frame; who lays it can turn it (static/turning.js)."""
    if not view.hand:
        return None
    cell = view.cell
    attrs = {"data_cycle": True, "data_cycle_step": 1} if view.deciding else {}
    title = element("title", t(say("Click, or R: turn the tile"))) if attrs else None
    choices = [_choice(view, cell, option) for option in view.hand]
    return group(
        title,
        *choices,
        *ring(cell, "forced" if view.forced else "chosen"),
        id=f"hand-{cell}",
        class_="hand",
        data_enter="turn",
        **attrs,
    )


def _choice(view: View, cell: int, option: Option) -> Svg:
    """The tile as it would lie, and all tails as they would run."""
    owned = owners(cell, option.tile, pieces((*view.tails, *option.tails)))
    laid = group(*tile(option.tile, owned), transform=layout.cell_transform(cell), class_="tile")
    attrs = {}
    if view.deciding:
        attrs = {"data_preview": ACTION_NAMES[LAY + option.tile.rotation], "data_choice": True}
    return group(
        *(_rest(view, tail) for tail in option.tails),
        laid,
        tips(option.tails, lasting=False),
        class_="option picked" if option is view.hand[0] else "option",
        **attrs,
    )


def _rest(view: View, tail: Tail) -> Svg:
    """The whole of a tail outside the cell in hand."""
    klass = f"line {tail.state} seat-{tail.side}"
    return group(
        *(
            group(line(below.kind, a, b, klass), transform=layout.cell_transform(other))
            for other, a, b in tail.pieces
            if (below := view.tiles[other])
        )
    )
