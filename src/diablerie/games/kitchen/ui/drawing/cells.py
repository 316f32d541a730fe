"""What stands on the cells (devils, pots, the cards on the grills), and where it can go.

Each choice (`data-pick`) has its marks (`data-for`), shown when it is made: cells with their cost,
walked step by step.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple

import msgspec

from diablerie.art.marks import SHAPES
from diablerie.art.svg import (
    Parted,
    Svg,
    at,
    circle,
    element,
    group,
    parted,
    path,
    placed,
    svg_text,
)
from diablerie.engine.game import Moves, Translate
from diablerie.games.kitchen.rules.board import GRILLS, NAMES, SPACES, STARTS
from diablerie.games.kitchen.rules.notation import POT_NAMES, SIGN_NAMES
from diablerie.games.kitchen.ui.drawing.layout import (
    COST_OFFSET,
    SPOT_OF,
    SPOTS,
    Spot,
    badge_spot,
    by_cell,
    card_layout,
    devil_layout,
    edge_shift,
    fan,
    heap,
    heaped,
    pot_layout,
    pots_by_cell,
    spread,
)
from diablerie.games.kitchen.ui.drawing.parts import badge, coloured, devil, open_card, pot
from diablerie.games.kitchen.ui.drawing.stage import FIGHTERS, after_bursts
from diablerie.games.kitchen.ui.log import devil_id, pot_word
from diablerie.games.kitchen.ui.view import PotView, View, WalkView

START_NAMES = tuple(NAMES[cell] for cell in STARTS)


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


def devils(view: View, t: Translate, fanned: bool = False) -> Parted:
    """The devils in play, each on its cell, those on a start as one; `fanned`: these side by side."""
    drawn = []
    beside_them = pots_by_cell(view)
    for cell, here in by_cell(view).items():
        start = cell in START_NAMES
        many = start and len(here) > 1
        # One devil alone has nothing to be spread out for.
        if fanned and not many:
            continue
        beside = len(beside_them.get(cell, ()))
        spots, scale = (
            (spread(len(here)), 0.42) if fanned else devil_layout(len(here), beside, start)
        )
        x, y = (-6, 0) if fanned else SPOT_OF[cell]
        shown = []
        for who, (dx, dy) in zip(here, spots, strict=True):
            badge_at = badge_spot(dx, dy, start, many, fanned)
            drawn_devil = _devil(view, who, x + dx, y + dy, scale, badge_at)
            # In a fan nothing moves, so that no duel delays anything there.
            if fanned:
                drawn_devil = drawn_devil._replace(fanned=True, timing=())
            shown.append(_drawn(drawn_devil))
        if fanned:
            drawn.append(fan(cell, shown))
        elif many:
            drawn.append(heap(cell, shown, 34, 34, t))
        else:
            drawn += shown
    return parted("g", *drawn)


class DrawnDevil(NamedTuple):
    """All that one devil is drawn from; badge_at: where his number is, from him."""

    colour: int
    number: int
    seat: int | None  # None for a neutral one, who wears neither cap nor number
    mood: str
    cap: bool
    x: float
    y: float
    scale: float
    badge_at: Spot | None
    may: bool  # be picked to move
    first: bool  # picked at first
    timing: tuple[tuple[str, int], ...]  # attributes that show him after the bursts of his duel
    fanned: bool


def _devil(
    view: View, who: tuple[int, int], x: float, y: float, scale: float, badge_at: Spot | None
) -> DrawnDevil:
    """A devil, by colour and number, as he stands on his cell."""
    c, d = who
    may = view.own == c and any(walk.devil == d for walk in view.walks)
    fights = view.duel and who in view.duel.fighters
    # Picked at first: the devil that has to move, or else the first that can.
    first = may and d == next(
        k for k in (view.obliged, view.extra, view.walks[0].devil) if k is not None
    )
    return DrawnDevil(
        colour=c,
        number=d,
        seat=view.colours[c].seat,
        mood=mood(view, c, d),
        cap=view.colours[c].devils[d].cap,
        x=x,
        y=y,
        scale=scale,
        badge_at=badge_at,
        may=may,
        first=first,
        timing=tuple(after_bursts(view, view.duel).items()) if view.duel and fights else (),
        fanned=False,
    )


@lru_cache(1024)
def _drawn(own: DrawnDevil) -> Svg:
    pick = f"walk-{own.number}-0" if own.may else None
    worn = None
    if own.badge_at and own.seat is not None:
        worn = group(badge(own.seat, own.number + 1), transform=at(*own.badge_at, 0, 1.2))
    return group(
        circle(0, 4, 130 * own.scale, "halo") if pick else None,
        devil(own.mood, None if own.seat is None else own.cap, own.scale),
        worn,
        transform=at(own.x, own.y),
        # Of two drawings of one devil only that on the board is moved by its name.
        id=None if own.fanned else devil_id(own.colour, own.number),
        data_move=not own.fanned,
        data_pick=pick,
        data_default=own.first,
        class_=coloured("devil may" if pick else "devil", own.colour, own.seat),
        **dict(own.timing),
    )


# -- pots and open cards -----------------------------------------------------------------------


def pots(view: View, t: Translate, fanned: bool = False) -> Parted:
    """The pots on spaces, each on its cell, too many as one; `fanned`: these side by side.

    In a heap the own ones are in front, and values are not told.
    """
    drawn = []
    devils_by_cell = by_cell(view)
    for cell, here in pots_by_cell(view).items():
        company = devils_by_cell.get(cell, ())
        many = heaped(len(here), len(company))
        # What stands side by side anyway is not spread out.
        if fanned and not many:
            continue
        here.sort(key=lambda n: many and view.pots[n].colour == view.own)
        spots, scale = (spread(len(here)), 1.6) if fanned else pot_layout(len(here), len(company))
        x, y = (0, 0) if fanned else SPOT_OF[cell]
        # A row that would leave the picture moves inwards as a whole.
        middle = x - edge_shift(x, spots, scale)
        halo = "halo crowded" if len(here) > 1 and not fanned else "halo"
        shown = []
        for n, (dx, dy) in zip(here, spots, strict=True):
            pot_view = view.pots[n]
            if many and not fanned:
                pot_view = msgspec.structs.replace(pot_view, card=None)
            where = at(middle + dx, y + dy, 0, scale)
            taker = _taker(view, n, company)
            over = view.node == "over"
            drawn_pot = DrawnPot(pot_view, n, where, scale, taker, halo, over, fanned)
            shown.append(_pot(drawn_pot, t))
        if fanned:
            drawn.append(fan(cell, shown))
        elif many:
            drawn.append(heap(cell, shown, 0, 20 if company else 4, t))
        else:
            drawn += shown
    return parted("g", *drawn)


def _taker(view: View, n: int, company: Sequence[tuple[int, int]]) -> str | None:
    """The choice of walking on with this pot, if an own devil beside it can."""
    for c, d in company:
        if view.own == c and any(walk.devil == d and walk.pot == n for walk in view.walks):
            return f"walk-{d}-{n + 1}"
    return None


class DrawnPot(NamedTuple):
    """All that one pot is drawn from."""

    shown: PotView
    number: int
    where: str  # a transform
    scale: float
    pick: str | None  # the choice that it stands for
    halo: str  # the class of what shines behind it while it can be picked
    over: bool
    fanned: bool


@lru_cache(1024)
def _pot(own: DrawnPot, t: Translate) -> Svg:
    shown = own.shown
    return group(
        element("title", t(pot_word(shown.colour, shown.sign))),
        circle(0, 0, 33, own.halo) if own.pick else None,
        pot(shown.colour, shown.sign, shown.card, own.scale, own.over),
        # As of a devil, only the drawing on the board has the name.
        id=None if own.fanned else f"kitchen-pot-{own.number}",
        data_move=not own.fanned,
        data_pick=own.pick,
        class_="may" if own.pick else None,
        transform=own.where,
    )


def grills(view: View) -> Parted:
    """The cards that lie open. What they are worth together stands beside the names."""
    playing = (c for c in range(4) if view.colours[c].seat is not None)
    return parted("g", *(_grill(c, _on(view, c)) for c in playing))


def _on(view: View, c: int) -> tuple[tuple[int, PotView], ...]:
    """The pots that were brought to a colour's grill, and their numbers."""
    name = NAMES[GRILLS[c]]
    return tuple(
        (n, served) for n, served in enumerate(view.pots) if served.delivered and served.at == name
    )


@lru_cache(256)
def _grill(c: int, here: tuple[tuple[int, PotView], ...]) -> Svg:
    spots, scale = card_layout(len(here))
    cards = [
        group(
            group(
                open_card(served.colour, served.sign, served.card),
                id=f"kitchen-served-{n}",
                data_enter="turn",
                data_heard="lid",
            ),
            id=f"kitchen-pot-{n}",
            data_move=True,
            transform=at(*spots[i], 0, scale),
        )
        for i, (n, served) in enumerate(here)
        if served.card is not None
    ]
    x, y = SPOTS[GRILLS[c]]
    return placed(x, y, *cards, class_=f"seat-{c}", id=f"kitchen-grill-{c}")


# -- where the chosen devil or pot can go ------------------------------------------------------


def goals(view: View, moves: Moves) -> Parted:
    """The marks of every choice the viewer has now."""
    walks = groupby(view.walks, lambda walk: (walk.devil, walk.pot))
    return parted(
        "g",
        *(_puts(sign, moves) for sign in view.puts),
        *(_walks(view, devil, pot, list(ways), moves) for (devil, pot), ways in walks),
    )


def _puts(sign: int, moves: Moves) -> Svg:
    """Where a pot is put out. What is forbidden can be tried: the answer is the rule."""
    actions = {NAMES[cell]: f"pot {SIGN_NAMES[sign]} {NAMES[cell]}" for cell in SPACES}
    spots = [_spot(name, action, "put", moves) for name, action in actions.items()]
    return group(*spots, data_for=f"hand-{sign}", class_="goals")


def _spot(name: str, action: str, kind: str, moves: Moves) -> Svg:
    can = " can" if action in moves else ""
    return circle(*SPOT_OF[name], 44, kind + can, data_action=action)


# -- walks -------------------------------------------------------------------------------------


def _walks(view: View, devil: int, pot: int | None, ways: Sequence[WalkView], moves: Moves) -> Svg:
    """The marks of one devil with one load. Else, but for heaps, one can try and hear the rule."""
    c, own = next((c, colour.devils) for c, colour in enumerate(view.colours) if colour.own)
    others = {devil.at for devil in own}  # own devils can be chosen
    moved = [devil_id(c, devil)] + [f"kitchen-pot-{pot}"] * (pot is not None)
    start = own[devil].at or ""
    load = "" if pot is None else f" {POT_NAMES[pot]}"
    crowded = {cell for cell, here in pots_by_cell(view).items() if heaped(len(here), 1)}
    taken = {way.to for way in ways} | others | crowded | {*START_NAMES}
    tries = [
        _spot(name, f"go {devil + 1} {name}{load}", "try", moves)
        for name in SPOT_OF
        if name not in taken
    ]
    goals = []
    for way in ways:
        # The way to a cell comes behind it, and is shown when that is pointed at.
        goals += [_goal(start, way, moved, way.to in others), _trace(start, way)]
    return group(
        *tries,
        *goals,
        data_for=f"walk-{devil}-{0 if pot is None else pot + 1}",
        # What a way costs stands there while something is carried, else while it is pointed at.
        class_="goals" if pot is None else "goals carried",
    )


def _trace(start: str, way: WalkView) -> Svg:
    return path("M" + "L".join(f"{x} {y}" for x, y in _stops(start, way)), "trace")


def _stops(start: str, way: WalkView) -> list[tuple[float, float]]:
    """The points that a walk passes, from its start to its goal."""
    return [SPOT_OF[start], *(SPOT_OF[action.split()[2]] for action in way.actions)]


def _goal(start: str, way: WalkView, moved: list[str], shared: bool) -> Svg:
    """A cell within reach, and its cost; and how those who go there get there.

    shared: own devils stand there (on their start), which can still be chosen.
    """
    x, y = SPOT_OF[way.to]
    stops = _stops(start, way)
    cost = placed(
        x + COST_OFFSET[0],
        y + COST_OFFSET[1],
        path(SHAPES[4], "cost-burst", transform="scale(2.6)")
        if way.duel
        else circle(0, 0, 18, "cost-disc"),
        svg_text(0, 8, way.cost, "cost", 23) if way.cost else None,
    )
    return group(
        circle(x, y, 47, "goal-ring"),
        cost,
        class_=f"goal can{' duel' * way.duel}{' shared' * shared}",
        data_action="; ".join(way.actions),
        # A single step is drawn as it is; a walk goes cell by cell along its way.
        data_walk=" ".join(moved) if len(stops) > 2 else None,
        data_way=" ".join(f"{x},{y}" for x, y in stops) if len(stops) > 2 else None,
    )
