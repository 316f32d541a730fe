"""What stands on the cells: devils with the faces they make, pots, and the cards on the grills."""

from collections import defaultdict
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from diablerie.art.svg import Parted, Svg, at, circle, element, group, parted, svg_text
from diablerie.engine.game import Translate
from diablerie.games.kitchen.rules.board import GRILLS, NAMES, STARTS
from diablerie.games.kitchen.ui.drawing.layout import (
    AT,
    SPOTS,
    WIDTH,
    badge_spot,
    card_layout,
    devil_layout,
    edge_shift,
    pot_layout,
)
from diablerie.games.kitchen.ui.drawing.parts import badge, coloured, devil, open_card, pot
from diablerie.games.kitchen.ui.drawing.stage import FIGHTERS, after_bursts
from diablerie.games.kitchen.ui.view import PotView, View
from diablerie.games.kitchen.ui.words import pot_word

START_NAMES = tuple(NAMES[cell] for cell in STARTS)


def pots_by_cell(view: View) -> dict[str | None, list[int]]:
    """The pots that stand on spaces, not on grills, by the name of their cell."""
    standing = defaultdict[str | None, list[int]](list)
    for n, one in enumerate(view.pots):
        if not one.delivered:
            standing[one.at].append(n)
    return standing


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
    """The devils in play, each on its cell."""
    drawn, beside_them = [], pots_by_cell(view)
    for cell, here in by_cell(view).items():
        beside, start = len(beside_them.get(cell, ())), cell in START_NAMES
        spots, scale = devil_layout(len(here), beside, start)
        for (c, d), (dx, dy) in zip(here, spots, strict=True):
            number = badge_spot(dx, beside, start, scale)
            where = (AT[cell][0] + dx, AT[cell][1] + dy, scale, *number)
            drawn.append(_devil(view, c, d, where))
    return parted("g", *drawn)


def by_cell(view: View) -> dict[str, list[tuple[int, int]]]:
    """The devils in play by the name of their cell, as colour and number; in the cells' order."""
    standing = defaultdict(list)
    for c, colour in enumerate(view.colours):
        for d, one in enumerate(colour.devils):
            standing[one.at].append((c, d))
    return {cell: standing[cell] for cell in AT if cell in standing}


Where = tuple[float, float, float, float, float]  # a devil's place and scale, its number's place


def _devil(view: View, c: int, d: int, where: Where) -> Svg:
    pick = may_go(view, c, d)
    fights = view.duel and (c, d) in view.duel.fighters
    return _drawn(
        c,
        d,
        view.colours[c].seat,
        mood(view, c, d),
        view.colours[c].devils[d].cap,
        where,
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
    where: Where,
    may: bool,
    first: bool,
    timing: tuple[tuple[str, Any], ...],
) -> Svg:
    x, y, scale, dx, dy = where
    number = badge(seat, d + 1) if seat is not None else None
    pick = f"walk-{d}-0" if may else None
    corner = at(dx, dy, 0, max(1.07, 0.8 + scale))  # legible on a phone
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
        **dict(timing),
    )


# -- pots and open cards -----------------------------------------------------------------------


def pots(view: View, t: Translate) -> Parted:
    """The pots on spaces, each on its cell."""
    drawn, standing, devils_by_cell = [], pots_by_cell(view), by_cell(view)
    for cell, (x, y) in AT.items():
        if cell not in standing:
            continue
        here, company = standing[cell], devils_by_cell.get(cell, ())
        spots, scale = pot_layout(len(here), len(company))
        middle = x - edge_shift(x, spots, scale)
        for n, (dx, dy) in zip(here, spots, strict=True):
            where, taker = at(middle + dx, y + dy, 0, scale), _taker(view, n, company)
            halo = "halo crowded" if len(here) > 1 else "halo"
            drawn.append(_pot(view.pots[n], n, where, scale, taker, halo, view.node == "over", t))
    return parted("g", *drawn)


def _taker(view: View, n: int, company: Sequence[tuple[int, int]]) -> str | None:
    """The choice of walking on with this pot, if an own devil beside it can."""
    for c, d in company:
        if view.own == c and any(walk.devil == d and walk.pot == n for walk in view.walks):
            return f"walk-{d}-{n + 1}"
    return None


@lru_cache(1024)
def _pot(
    one: PotView,
    n: int,
    where: str,
    scale: float,
    pick: str | None,
    halo: str,
    over: bool,
    t: Translate,
) -> Svg:
    return group(
        element("title", t(pot_word(one.colour, one.sign))),
        circle(0, 0, 33, halo) if pick else None,
        pot(one.colour, one.sign, one.card, scale, over),
        id=f"kitchen-pot-{n}",
        data_move=True,
        data_pick=pick,
        class_="may" if pick else None,
        transform=where,
    )


def grills(view: View) -> Parted:
    """The cards that lie open, and everybody's points."""
    playing = (c for c in range(4) if view.colours[c].seat is not None)
    return parted("g", *(_grill(c, view.colours[c].score, _on(view, c)) for c in playing))


def _on(view: View, c: int) -> tuple[tuple[int, PotView], ...]:
    """The pots that were brought to a colour's grill, and their numbers."""
    name = NAMES[GRILLS[c]]
    return tuple((n, one) for n, one in enumerate(view.pots) if one.delivered and one.at == name)


@lru_cache(256)
def _grill(c: int, points: int | None, here: tuple[tuple[int, PotView], ...]) -> Svg:
    spots, scale = card_layout(len(here))
    cards = [
        group(
            group(
                open_card(one.colour, one.sign, one.card),
                id=f"kitchen-served-{n}",
                data_enter="turn",
                data_heard="lid",
            ),
            id=f"kitchen-pot-{n}",
            data_move=True,
            transform=at(*spots[i], 0, scale),
        )
        for i, (n, one) in enumerate(here)
        if one.card is not None
    ]
    x, y = SPOTS[GRILLS[c]]
    out = 39 if x > WIDTH / 2 else -39, 39 if y > WIDTH / 2 else -39
    score = group(
        circle(0, 0, 21, "edge-fill"),
        circle(0, 0, 18.5, "seat-fill ink-thin"),
        svg_text(0, 8.5, points, "seat-text", font_size=25),
        transform=at(*out),
    )
    return group(*cards, score, transform=at(x, y), class_=f"seat-{c}", id=f"kitchen-grill-{c}")
