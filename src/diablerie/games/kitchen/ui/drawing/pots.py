"""The pots on their cells, and on the grills the cards that lie open."""

from collections.abc import Sequence

from diablerie.art.svg import Svg, at, circle, element, group, text
from diablerie.engine.game import Translate
from diablerie.games.kitchen.rules.board import GRILLS, NAMES
from diablerie.games.kitchen.ui.drawing.devils import devils_at, pots_at
from diablerie.games.kitchen.ui.drawing.layout import AT, SPOTS, WIDTH, card_layout, pot_layout
from diablerie.games.kitchen.ui.drawing.parts import open_card, pot
from diablerie.games.kitchen.ui.text.words import pot_word
from diablerie.games.kitchen.ui.view import View


def pots(view: View, t: Translate) -> Svg:
    """All pots that stand on spaces."""
    shown = []
    for cell, (x, y) in AT.items():
        here, company = pots_at(view, cell), devils_at(view, cell)
        if not here:
            continue
        spots, scale = pot_layout(len(here), bool(company))
        for n, (dx, dy) in zip(here, spots, strict=True):
            where, taker = at(x + dx, y + dy, 0, scale), _taker(view, n, company)
            shown.append(_pot(view, n, where, scale, taker, t))
    return group(*shown)


def _taker(view: View, n: int, company: Sequence[tuple[int, int]]) -> str | None:
    """The choice of walking on with this pot, if an own devil beside it can."""
    for c, d in company:
        if view.own == c and any(walk.devil == d and walk.pot == n for walk in view.walks):
            return f"walk-{d}-{n + 1}"
    return None


def _pot(view: View, n: int, where: str, scale: float, pick: str | None, t: Translate) -> Svg:
    one = view.pots[n]
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


def grills(view: View) -> Svg:
    """The cards that lie open, and everybody's points."""
    return group(*(_grill(view, c) for c in range(4) if view.colours[c].seat is not None))


def _grill(view: View, c: int) -> Svg:
    name = NAMES[GRILLS[c]]
    here = [(n, one) for n, one in enumerate(view.pots) if one.delivered and one.at == name]
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
        text(0, 8.5, view.colours[c].score, "seat-text", font_size=25),
        transform=at(*out),
    )
    return group(*cards, score, transform=at(x, y), class_=f"seat-{c}")
