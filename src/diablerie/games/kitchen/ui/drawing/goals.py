"""Where the chosen devil or pot can go: places marked with their cost, walked step by step.

Each choice (`data-pick`) has its marks (`data-for`), shown when it is made.
"""

from collections.abc import Sequence
from itertools import groupby
from typing import Any

from diablerie.art.marks import SHAPES
from diablerie.art.svg import Svg, at, circle, group, path, text
from diablerie.games.kitchen.rules.board import NAMES, NEIGHBOURS, PLACES, STARTS
from diablerie.games.kitchen.rules.notation import POT_NAMES, SIGN_NAMES
from diablerie.games.kitchen.ui.drawing.places import AT


def goals(view: dict[str, Any], moves: Sequence[str]) -> Svg:
    """The marks of every choice the viewer has now."""
    if view["node"] == "pot":
        return group(*(_puts(view, sign, moves) for sign in _in_hand(view)))
    walks = groupby(view["walks"], lambda walk: (walk["devil"], walk["pot"]))
    return group(*(_walks(view, devil, pot, list(ways), moves) for (devil, pot), ways in walks))


# -- walks -------------------------------------------------------------------------------------


def _walks(
    view: dict[str, Any],
    devil: int,
    pot: int | None,
    ways: list[dict[str, Any]],
    moves: Sequence[str],
) -> Svg:
    own = next(colour for colour in view["colours"] if colour["own"])["devils"]
    colour = next(c for c, one in enumerate(view["colours"]) if one["own"])
    moved = [f"kitchen-devil-{colour}-{devil}"] + [f"kitchen-pot-{pot}"] * (pot is not None)
    start, load = own[devil]["at"], "" if pot is None else f" {POT_NAMES[pot]}"
    taken = {way["to"] for way in ways} | {one["at"] for one in own}  # own devils can be chosen
    tries = [
        _spot(name, f"go {devil + 1} {name}{load}", "try", moves)
        for name in _next_door(start)
        if name not in taken
    ]
    return group(
        *tries,
        *(part for way in ways for part in (_goal(start, way, moved), _trace(start, way))),
        data_for=f"walk-{devil}-{0 if pot is None else pot + 1}",
        class_="goals",
    )


def _trace(start: str, way: dict[str, Any]) -> Svg:
    """The way to the place before it, shown when that is pointed at."""
    return path("M" + "L".join(f"{x} {y}" for x, y in _stops(start, way)), "trace")


def _stops(start: str, way: dict[str, Any]) -> list[tuple[float, float]]:
    """The places of a walk."""
    return [AT[start], *(AT[action.split()[2]] for action in way["actions"])]


def _goal(start: str, way: dict[str, Any], moved: list[str]) -> Svg:
    """A place within reach, and its cost; and how those who go there get there."""
    x, y = AT[way["to"]]
    stops = _stops(start, way)
    cost = group(
        path(SHAPES[4], "cost-burst", transform="scale(2.6)")
        if way["duel"]
        else circle(0, 0, 18, "cost-disc"),
        text(0, 8, way["cost"], "cost", font_size=23) if way["cost"] else None,
        transform=at(x - 31, y - 31),
    )
    return group(
        circle(x, y, 47, "goal-ring"),
        cost,
        class_="goal can duel" if way["duel"] else "goal can",
        data_action="; ".join(way["actions"]),
        data_walk=" ".join(moved) if len(stops) > 2 else None,
        data_way=" ".join(f"{x},{y}" for x, y in stops) if len(stops) > 2 else None,
    )


def _next_door(start: str) -> list[str]:
    """Where a step may be tried, even if it is only to hear which rule forbids it."""
    return [NAMES[to] for to in NEIGHBOURS[NAMES.index(start)] if to not in STARTS]


def _spot(name: str, action: str, kind: str, moves: Sequence[str]) -> Svg:
    can = " can" if action in moves else ""
    return circle(*AT[name], 44, kind + can, data_action=action)


# -- putting pots out --------------------------------------------------------------------------


def _in_hand(view: dict[str, Any]) -> list[int]:
    own = [pot for pot in view["pots"] if view["colours"][pot["colour"]]["own"]]
    return [pot["sign"] for pot in own if pot["hand"] and view["turn"] == view["viewer"]]


def _puts(view: dict[str, Any], sign: int, moves: Sequence[str]) -> Svg:
    actions = {NAMES[cell]: f"pot {SIGN_NAMES[sign]} {NAMES[cell]}" for cell in PLACES}
    spots = [_spot(name, action, "put", moves) for name, action in actions.items()]
    return group(*spots, data_for=f"hand-{sign}", class_="goals")
