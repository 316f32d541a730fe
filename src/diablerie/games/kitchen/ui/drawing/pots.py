"""The pots on their cells, and on the grills the cards that lie open."""

from collections.abc import Sequence
from functools import lru_cache

from diablerie.art.svg import Parted, Svg, at, circle, element, group, parted, svg_text
from diablerie.engine.game import Translate
from diablerie.games.kitchen.rules.board import GRILLS, NAMES
from diablerie.games.kitchen.ui.drawing.devils import devils_at, pots_at
from diablerie.games.kitchen.ui.drawing.layout import AT, SPOTS, WIDTH, card_layout, pot_layout
from diablerie.games.kitchen.ui.drawing.parts import open_card, pot
from diablerie.games.kitchen.ui.text.words import pot_word
from diablerie.games.kitchen.ui.view import PotView, View


def pots(view: View, t: Translate) -> Parted:
    """All pots that stand on spaces."""
    shown, standing = [], {one.at for one in view.pots if not one.delivered}
    for cell, (x, y) in AT.items():
        if cell not in standing:
            continue
        here, company = pots_at(view, cell), devils_at(view, cell)
        spots, scale = pot_layout(len(here), bool(company))
        for n, (dx, dy) in zip(here, spots, strict=True):
            where, taker = at(x + dx, y + dy, 0, scale), _taker(view, n, company)
            shown.append(_pot(view.pots[n], n, where, scale, taker, t))
    return parted("g", *shown)


def _taker(view: View, n: int, company: Sequence[tuple[int, int]]) -> str | None:
    """The choice of walking on with this pot, if an own devil beside it can."""
    for c, d in company:
        if view.own == c and any(walk.devil == d and walk.pot == n for walk in view.walks):
            return f"walk-{d}-{n + 1}"
    return None


@lru_cache(1024)
def _pot(one: PotView, n: int, where: str, scale: float, pick: str | None, t: Translate) -> Svg:
    return group(
        element("title", t(pot_word(one.colour, one.sign))),
        circle(0, 0, 33, "halo") if pick else None,
        pot(one.colour, one.sign, one.card, scale),
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
            open_card(one.colour, one.sign, one.card),
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
