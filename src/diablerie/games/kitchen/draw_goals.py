"""Where the chosen devil or pot can go: places marked with their cost, walked step by step.

Each choice (`data-pick`) has its marks (`data-for`), shown when it is made.
"""

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any

from diablerie.art.marks import SHAPES
from diablerie.art.svg import Svg, at, circle, group, path, text
from diablerie.games.kitchen.board import NAMES, NEIGHBOURS, PLACES, STARTS
from diablerie.games.kitchen.draw_places import AT
from diablerie.games.kitchen.notation import POT_NAMES, SIGN_NAMES


def goals(view: dict[str, Any], moves: Sequence[str]) -> Svg:
    """The marks of every choice the viewer has now."""
    if view["node"] == "pot":
        return group(*(_puts(view, sign, moves) for sign in _in_hand(view)))
    walks = groupby(view["walks"], lambda walk: (walk["devil"], walk["pot"]))
    return group(*(_walks(view, devil, pot, list(ways)) for (devil, pot), ways in walks))


# -- walks -------------------------------------------------------------------------------------


def _walks(view: dict[str, Any], devil: int, pot: int | None, ways: list[dict[str, Any]]) -> Svg:
    start = _where(view, devil)
    reached = {way["to"] for way in ways}
    return group(
        *_tries(start, devil, pot, reached),
        *(_goal(start, way) for way in ways),
        data_for=f"walk-{devil}-{0 if pot is None else pot + 1}",
        class_="goals",
    )


def _where(view: dict[str, Any], devil: int) -> str:
    own = next(colour for colour in view["colours"] if colour["own"])
    return str(own["devils"][devil]["at"])


def _goal(start: str, way: dict[str, Any]) -> Svg:
    """A place within reach, its cost, and the way there, shown when pointed at."""
    x, y = AT[way["to"]]
    stops = [AT[start], *(AT[action.split()[2]] for action in way["actions"])]
    trace = "M" + "L".join(f"{u} {v}" for u, v in stops)
    cost = group(
        path(SHAPES[4], "cost-burst", transform="scale(2.6)")
        if way["duel"]
        else circle(0, 0, 18, "cost-disc"),
        text(0, 8, way["cost"], "cost", font_size=23) if way["cost"] else None,
        transform=at(x - 31, y - 31),
    )
    return group(
        path(trace, "trace"),
        circle(x, y, 47, "goal-ring"),
        cost,
        class_="goal can duel" if way["duel"] else "goal can",
        data_action="; ".join(way["actions"]),
    )


def _tries(start: str, devil: int, pot: int | None, reached: Iterable[str]) -> list[Svg]:
    """What is next door but cannot be stepped on: the rules say why when it is tried."""
    load = "" if pot is None else f" {POT_NAMES[pot]}"
    return [
        circle(*AT[NAMES[to]], 44, "try", data_action=f"go {devil + 1} {NAMES[to]}{load}")
        for to in NEIGHBOURS[NAMES.index(start)]
        if NAMES[to] not in reached and to not in STARTS
    ]


# -- putting pots out --------------------------------------------------------------------------


def _in_hand(view: dict[str, Any]) -> list[int]:
    own = [pot for pot in view["pots"] if view["colours"][pot["colour"]]["own"]]
    return [pot["sign"] for pot in own if pot["hand"] and view["turn"] == view["viewer"]]


def _puts(view: dict[str, Any], sign: int, moves: Sequence[str]) -> Svg:
    actions = [(NAMES[cell], f"pot {SIGN_NAMES[sign]} {NAMES[cell]}") for cell in PLACES]
    spots = [
        circle(*AT[name], 44, "put can" if action in moves else "try", data_action=action)
        for name, action in actions
    ]
    return group(*spots, data_for=f"hand-{sign}", class_="goals")
