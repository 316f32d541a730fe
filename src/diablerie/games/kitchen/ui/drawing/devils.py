"""The devils on their cells, with the faces they make."""

from collections import defaultdict
from functools import lru_cache
from typing import Any

from diablerie.art.svg import Parted, Svg, at, circle, group, parted
from diablerie.games.kitchen.rules.board import NAMES, STARTS
from diablerie.games.kitchen.ui.drawing.layout import AT, devil_layout
from diablerie.games.kitchen.ui.drawing.parts import badge, coloured, devil
from diablerie.games.kitchen.ui.drawing.stage import FIGHTERS, after_bursts
from diablerie.games.kitchen.ui.view import View

START_NAMES = tuple(NAMES[cell] for cell in STARTS)


def devils_at(view: View, cell: str) -> list[tuple[int, int]]:
    """The devils on a cell, as colour and number."""
    return [
        (c, d)
        for c, colour in enumerate(view.colours)
        for d, one in enumerate(colour.devils)
        if one.at == cell
    ]


def pots_at(view: View, cell: str) -> list[int]:
    """The pots on a cell that is no grill."""
    return [n for n, one in enumerate(view.pots) if one.at == cell and not one.delivered]


def may_go(view: View, c: int, d: int) -> bool:
    """Whether the viewer may move this devil now."""
    return view.own == c and any(walk.devil == d for walk in view.walks)


def mood(view: View, colour: int, number: int) -> str:
    """How a devil looks: after a duel one can tell who won."""
    own = view.colours[colour]
    if view.node == "over":
        return "triumph" if own.seat in view.winners else "sulk"
    if own.seat is None:
        return "sleep"
    if view.duel and (colour, number) in view.duel.fighters:
        return FIGHTERS[view.duel.state][view.duel.fighters.index((colour, number))]
    return "grin" if own.seat == view.turn else "think"


def devils(view: View) -> Parted:
    """All devils in play."""
    shown = []
    for cell, here in by_cell(view).items():
        spots, scale = devil_layout(len(here), len(pots_at(view, cell)), cell in START_NAMES)
        for (c, d), (dx, dy) in zip(here, spots[: len(here)], strict=True):
            shown.append(_devil(view, c, d, AT[cell][0] + dx, AT[cell][1] + dy, scale))
    return parted("g", *shown)


def by_cell(view: View) -> dict[str, list[tuple[int, int]]]:
    """The devils in play by the name of their cell, as colour and number; in the cells' order."""
    found = defaultdict(list)
    for c, colour in enumerate(view.colours):
        for d, one in enumerate(colour.devils):
            found[one.at].append((c, d))
    return {cell: found[cell] for cell in AT if cell in found}


def _devil(view: View, c: int, d: int, x: float, y: float, scale: float) -> Svg:
    pick = may_go(view, c, d)
    fights = view.duel and (c, d) in view.duel.fighters
    return _drawn(
        c,
        d,
        view.colours[c].seat,
        mood(view, c, d),
        view.colours[c].devils[d].cap,
        (x, y, scale),
        pick,
        pick and d in (view.obliged, view.extra),
        tuple(after_bursts(view.duel).items()) if view.duel and fights else (),
    )


@lru_cache(1024)
def _drawn(
    c: int,
    d: int,
    seat: int | None,
    face: str,
    cap: bool,
    where: tuple[float, float, float],
    may: bool,
    first: bool,
    told: tuple[tuple[str, Any], ...],
) -> Svg:
    x, y, scale = where
    number = badge(seat, d + 1) if seat is not None else None
    pick = f"walk-{d}-0" if may else None
    corner = at(scale * 55, scale * 56, 0, max(1.07, 0.8 + scale))  # legible on a phone
    return group(
        circle(0, 4, 130 * scale, "halo") if pick else None,
        devil(face, cap if number else None, scale),
        group(number, transform=corner) if number else None,
        transform=at(x, y),
        id=f"kitchen-devil-{c}-{d}",
        data_move=True,
        data_pick=pick,
        data_default=first,
        class_=coloured("devil may" if pick else "devil", c, seat),
        **dict(told),
    )
