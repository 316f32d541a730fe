"""Where the chosen devil or pot can go: cells marked with their cost, walked step by step.

Each choice (`data-pick`) has its marks (`data-for`), shown when it is made.
"""

from collections.abc import Sequence
from itertools import groupby

from diablerie.art.marks import SHAPES
from diablerie.art.svg import Parted, Svg, circle, group, parted, path, placed, svg_text
from diablerie.engine.game import Moves
from diablerie.games.kitchen.rules.board import NAMES, SPACES, STARTS
from diablerie.games.kitchen.rules.notation import POT_NAMES, SIGN_NAMES
from diablerie.games.kitchen.ui.drawing.heaps import pots_by_cell
from diablerie.games.kitchen.ui.drawing.layout import COST_OFFSET, SPOT_OF, heaped
from diablerie.games.kitchen.ui.view import View, WalkView

START_NAMES = {NAMES[cell] for cell in STARTS}  # who stands there is to be chosen


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
    own = next(colour for colour in view.colours if colour.own).devils
    others = {devil.at for devil in own}  # own devils can be chosen
    moved = [f"kitchen-devil-{view.own}-{devil}"] + [f"kitchen-pot-{pot}"] * (pot is not None)
    start = own[devil].at or ""
    load = "" if pot is None else f" {POT_NAMES[pot]}"
    crowded = {cell for cell, here in pots_by_cell(view).items() if heaped(len(here), 1)}
    taken = {way.to for way in ways} | others | crowded | START_NAMES
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
        class_="goals",
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
