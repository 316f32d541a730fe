"""Who and what stands where: devils and pots on their places, cards on the grills."""

from collections.abc import Sequence
from typing import Any

from diablerie.art.svg import Svg, at, circle, group, text
from diablerie.games.kitchen.rules.board import GRILLS, NAMES, SPOTS, STARTS
from diablerie.games.kitchen.ui.drawing.parts import badge, devil, pot, served
from diablerie.games.kitchen.ui.drawing.stage import after_bursts

AT = {name: SPOTS[cell] for cell, name in enumerate(NAMES)}
START_NAMES = tuple(NAMES[cell] for cell in STARTS)


def devils_at(view: dict[str, Any], place: str) -> list[tuple[int, int]]:
    """The devils on a place, as colour and number."""
    return [
        (c, d)
        for c, colour in enumerate(view["colours"])
        for d, one in enumerate(colour["devils"])
        if one["at"] == place
    ]


def pots_at(view: dict[str, Any], place: str) -> list[int]:
    """The pots on a place that is no grill."""
    return [n for n, one in enumerate(view["pots"]) if one["at"] == place and not one["served"]]


# -- devils ------------------------------------------------------------------------------------


def devil_layout(count: int, pots: int, start: bool) -> tuple[list[tuple[float, float]], float]:
    """Where devils stand round the middle of their place, and how large."""
    if start:
        spots = [(-27.0, -20.0), (25.0, -20.0), (-2.0, 27.0)]
        return (spots[:count], 0.3) if count > 1 else ([(0.0, -2.0)], 0.36)
    if count > 1:
        return [(-24.0, -10.0), (24.0, -10.0), (0.0, -30.0)][:count], 0.32
    return [(0.0, -12.0 if pots else -4.0)], 0.4


def mood(view: dict[str, Any], colour: int, number: int) -> str:
    """How a devil looks: after a duel one can tell who won."""
    own = view["colours"][colour]
    if view["node"] == "over":
        return "triumph" if own["seat"] in view["winners"] else "sulk"
    if own["seat"] is None:
        return "sleep"
    if _fights(view, colour, number):
        return _after(view["duel"], (colour, number))
    return "grin" if own["seat"] == view["turn"] else "think"


def _after(duel: dict[str, Any], who: tuple[int, int]) -> str:
    attacks = who == (duel["colours"][0], duel["devils"][0])
    if duel["state"] == "asked":
        return "sly" if attacks else "wild"
    if duel["state"] == "refused":
        return "grin" if attacks else "sulk"
    return "triumph" if attacks == (duel["state"] == "won") else "burnt"


def devils(view: dict[str, Any]) -> Svg:
    """All devils in play."""
    shown = []
    for place in AT:
        here = devils_at(view, place)
        if not here:
            continue
        start = place in START_NAMES
        spots, scale = devil_layout(len(here), len(pots_at(view, place)), start)
        for (c, d), (dx, dy) in zip(here, spots, strict=True):
            x, y = AT[place][0] + dx, AT[place][1] + dy
            shown.append(_devil(view, c, d, x, y, scale))
    return group(*shown)


def _devil(view: dict[str, Any], c: int, d: int, x: float, y: float, scale: float) -> Svg:
    own = view["colours"][c]
    seat = own["seat"]
    number = badge(seat, d + 1) if seat is not None else None
    pick = f"walk-{d}-0" if _may_go(view, c, d) else None
    corner = at(scale * 55, scale * 56, 0, 0.5 + scale * 1.25)
    return group(
        circle(0, 4, 130 * scale, "halo") if pick else None,
        devil(mood(view, c, d), own["devils"][d]["cap"] if number else None, scale),
        group(number, transform=corner) if number else None,
        transform=at(x, y),
        id=f"kitchen-devil-{c}-{d}",
        data_move=True,
        data_pick=pick,
        data_default=pick is not None and d in (view["obliged"], view["extra"]),
        class_=f"devil seat-{c}" + (" may" if pick else "") + ("" if seat is not None else " idle"),
        **(after_bursts(view["duel"]) if _fights(view, c, d) else {}),
    )


def _fights(view: dict[str, Any], c: int, d: int) -> bool:
    duel = view["duel"]
    return bool(duel) and (c, d) in zip(duel["colours"], duel["devils"], strict=True)


def _may_go(view: dict[str, Any], c: int, d: int) -> bool:
    own = view["colours"][c]["own"]
    return bool(own and any(walk["devil"] == d for walk in view["walks"]))


# -- pots --------------------------------------------------------------------------------------


def pot_layout(count: int, company: bool) -> tuple[list[tuple[float, float]], float]:
    """Where pots stand round the middle of their place, and how large."""
    y = 25.0 if company else 4.0
    if count == 1:
        return [(-17.0 if company else 0.0, y)], 0.86 if company else 1.05
    if count <= 3:
        step = 27.0 if count == 3 else 34.0
        return [((i - (count - 1) / 2) * step, y) for i in range(count)], 0.7
    row = (count + 1) // 2
    return [
        ((i % row - (row - 1) / 2) * min(26.0, 78 / row), y - 10 + 22 * (i // row))
        for i in range(count)
    ], 0.54


def pots(view: dict[str, Any]) -> Svg:
    """All pots that stand on cooking places."""
    shown = []
    for place, (x, y) in AT.items():
        here = pots_at(view, place)
        company = devils_at(view, place)
        if not here:
            continue
        spots, scale = pot_layout(len(here), bool(company))
        for n, (dx, dy) in zip(here, spots, strict=True):
            shown.append(_pot(view, n, at(x + dx, y + dy, 0, scale), _taker(view, n, company)))
    return group(*shown)


def _taker(view: dict[str, Any], n: int, company: Sequence[tuple[int, int]]) -> str | None:
    """The choice of walking on with this pot, if an own devil beside it can."""
    for c, d in company:
        if _may_go(view, c, d) and any(w["devil"] == d and w["pot"] == n for w in view["walks"]):
            return f"walk-{d}-{n + 1}"
    return None


def _pot(view: dict[str, Any], n: int, where: str, pick: str | None) -> Svg:
    one = view["pots"][n]
    return group(
        circle(0, 0, 33, "halo") if pick else None,
        pot(one["colour"], one["sign"], one["card"]),
        id=f"kitchen-pot-{n}",
        data_move=True,
        data_pick=pick,
        class_="may" if pick else None,
        transform=where,
    )


# -- grills ------------------------------------------------------------------------------------


def grills(view: dict[str, Any]) -> Svg:
    """The cards that lie open, and everybody's points."""
    return group(*(_grill(view, c) for c in range(4) if view["colours"][c]["seat"] is not None))


def _grill(view: dict[str, Any], c: int) -> Svg:
    name = NAMES[GRILLS[c]]
    here = [n for n, one in enumerate(view["pots"]) if one["served"] and one["at"] == name]
    spots, scale = _card_layout(len(here))
    cards = [
        group(
            served(view["pots"][n]["colour"], view["pots"][n]["sign"], view["pots"][n]["card"]),
            id=f"kitchen-pot-{n}",
            data_move=True,
            transform=at(*spots[i], 0, scale),
        )
        for i, n in enumerate(here)
    ]
    x, y = SPOTS[GRILLS[c]]
    out = 39 if x > 360 else -39, 39 if y > 360 else -39
    score = group(
        circle(0, 0, 21, "edge-fill"),
        circle(0, 0, 18.5, "seat-fill ink-thin"),
        text(0, 8.5, view["colours"][c]["score"], "seat-text", font_size=25),
        transform=at(*out),
    )
    return group(*cards, score, transform=at(x, y), class_=f"seat-{c}")


def _card_layout(count: int) -> tuple[list[tuple[float, float]], float]:
    if count <= 2:
        return [((i - (count - 1) / 2) * 36, -2) for i in range(count)], 1.0
    row = 3 if count > 4 else 2
    rows = -(-count // row)
    return [
        ((i % row - (row - 1) / 2) * (27 if row == 3 else 32), (i // row - (rows - 1) / 2) * 35)
        for i in range(count)
    ], 0.82
