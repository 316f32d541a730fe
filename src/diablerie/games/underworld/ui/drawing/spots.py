"""What a space can be chosen for, and signs of what that brings.

In a plan cards and spaces may be pointed at in any order, and again to let go of them: where that
is not the next step, a spot with `data-afresh` stands for the whole plan from its beginning.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from diablerie.art.svg import Svg, at, circle, element, group, path, text
from diablerie.engine.game import Translate
from diablerie.games.underworld.rules.notation import SPACE_NAMES
from diablerie.games.underworld.ui.drawing.cards import LOOKING, use
from diablerie.games.underworld.ui.preview import Fate, Kind, tell

Place = Callable[[int], tuple[float, float]]
WORDS = {
    "place": "place",
    "turn": "move",
    "onward": "move",
    "peek": "peek",
    "reveal": "reveal",
    "swap1": "exchange",
    "swap2": "with",
    "take": "take",
    "lay": "lay",
}
PLANNED = ("swap2", "take", "lay")  # nodes whose spots may stand for whole plans


def spot(view: dict[str, Any], i: int, moves: Sequence[str]) -> dict[str, Any]:
    """The attributes of a space: what pointing at it does, and whether it may."""
    name, node = SPACE_NAMES[i], view["node"]
    if not moves or node not in WORDS:
        return {}
    action = f"{WORDS[node]} {name}"
    can = action in moves
    if node in PLANNED and not can:
        whole = _planned(view, name)
        return {"class_": "spot can", "data_action": whole, "data_afresh": True} if whole else {}
    return {"class_": "spot can" if can else "spot", "data_action": action, "data_light": action}


def _planned(view: dict[str, Any], name: str) -> str:
    """The whole plan after pointing at a space, or nothing."""
    plan = view["plan"]
    if view["node"] == "swap2":
        return _swapped(plan["last"], name) if name in plan["cards"] else ""
    if view["node"] == "take":
        alone = not plan["taken"] and name == plan["cards"][-1]  # no second one would follow it
        return _taken(_toggled(plan["taken"], name)) if name in plan["cards"] and not alone else ""
    return _rearranged(plan, name) if name in plan["free"] else ""


def _rearranged(plan: dict[str, Any], name: str) -> str:
    """With a space more, or one less; too few may not remain behind the last one (U21)."""
    laid = _toggled(plan["laid"], name)
    behind = len(plan["free"]) - 1 - plan["free"].index(laid[-1]) if laid else len(plan["free"])
    if behind < plan["count"] - len(laid):
        if name not in plan["laid"]:
            return ""
        laid = []
    return "; ".join([_taken(plan["taken"], plan["cards"]), *(f"lay {n}" for n in laid)])


def _swapped(last: str, name: str) -> str:
    if name == last:
        return "swap"
    first, second = _sorted([last, name])
    return f"swap; exchange {first}; with {second}"


def _taken(names: Sequence[str], cards: Sequence[str] = ()) -> str:
    """The taking; with `cards` also its end, where that is a decision of its own."""
    more = cards and len(names) < 4 and _sorted(cards)[-1] != names[-1]
    return "; ".join(["rearrange", *(f"take {n}" for n in names), *(["done"] if more else [])])


def _toggled(names: Sequence[str], name: str) -> list[str]:
    return _sorted([n for n in names if n != name] if name in names else [*names, name])


def _sorted(names: Iterable[str]) -> list[str]:
    return sorted(names, key=SPACE_NAMES.index)


# -- what a move brings ------------------------------------------------------------------------


def badges(view: dict[str, Any], moves: Sequence[str], t: Translate, place: Place) -> Svg:
    """A sign on every space that can be chosen, saying why a move ends there."""
    found = [
        _badge(view, name, target, t, place)
        for name, target in view["targets"].items()
        if f"move {name}" in moves
    ]
    return group(*found, *_choices(view, moves, place), id="uw-badges")


def _badge(
    view: dict[str, Any], name: str, target: dict[str, Any], t: Translate, place: Place
) -> Svg:
    x, y = place(SPACE_NAMES.index(name))
    known = {k: v for k, v in target.items() if k not in ("path", "other", "kind")}
    other = -1 if target["other"] is None else target["other"]
    fate = Fate(Kind(target["kind"]), other=other, **known)
    crowded = view["spaces"][SPACE_NAMES.index(name)]["disks"]
    return group(
        element("title", t(tell(fate, name))),
        _ring(fate),
        group(sign(fate), transform=at(66, 16 if crowded else 66)),
        transform=at(x, y),
        class_=f"badge-spot {weight(fate)}",
        data_action=f"move {name}",
        data_light=f"move {name}",
    )


def weight(fate: Fate) -> str:
    """How glad one would be."""
    if fate.leaves or fate.kind in (Kind.LETTER, Kind.GIVE, Kind.GIVE_SECOND):
        return "good"
    if fate.kind in (Kind.DEVIL, Kind.SECOND):
        return "bad"
    return "neutral" if fate.kind in (Kind.OPEN, Kind.REST, Kind.STOP) else "chance"


def _ring(fate: Fate) -> Svg:
    return element("rect", x=2.5, y=2.5, width=77, height=77, rx=10, class_="ring-spot")


def sign(fate: Fate) -> Svg:
    """The sign of a fate, round (0, 0), 28 across."""
    if fate.kind in QUIET and not fate.turns:
        return group(QUIET[fate.kind], transform=at(3, 3))
    plate = circle(0, 0, 14, "plate")
    if fate.leaves:
        return group(plate, path("M0 9V-7M-7 -1L0 -8L7 -1", "stroke"))
    return group(plate, SIGNS[fate.kind])


def _horns(dx: float, scale: float) -> Svg:
    return group(use("head-wild"), transform=at(dx, 8, 0, scale), class_="devil")


QUIET = {  # nothing happens there
    Kind.OPEN: circle(0, 0, 6, "dot"),
    Kind.REST: circle(0, 0, 5, "dot hollow"),
}
SIGNS = {
    Kind.OPEN: path("M-5 -6L3 0L-5 6M2 -6L10 0L2 6", "stroke thin"),
    Kind.TURN: text(0, 7.5, "?", "sign-text", font_size=22),
    Kind.LETTER: path("M0 -7V7M-7 0H7", "stroke"),
    Kind.STOP: path("M-7 0H7", "stroke bar"),
    Kind.DEVIL: _horns(0, 0.15),
    Kind.SECOND: group(_horns(-5, 0.13), _horns(6, 0.13)),
    Kind.TOWER: group(path(LOOKING, "uw-eye"), circle(0, 0, 4, "black")),
    Kind.GIVE: group(_horns(-4, 0.12), path("M3 -5L9 0L3 5", "stroke thin")),
    Kind.GIVE_SECOND: group(_horns(-5, 0.12), text(7, 7, "!", "sign-text", font_size=20)),
}


def _choices(view: dict[str, Any], moves: Sequence[str], place: Place) -> list[Svg]:
    """Rings on what may be pointed at where no move is asked for."""
    plan, node = view["plan"], view["node"]
    if not moves or node in ("turn", "onward"):
        return []
    names = {name for name in SPACE_NAMES if node in PLANNED and _planned(view, name)}
    names |= {*plan["choices"]}
    chosen = {*plan["laid"], *plan["taken"], plan["last"]} if node != "lay" else {*plan["laid"]}
    return [_choice(name, name in chosen, place) for name in _sorted(names)]


def _choice(name: str, chosen: bool, place: Place) -> Svg:
    x, y = place(SPACE_NAMES.index(name))
    tick = group(circle(0, 0, 14, "plate"), path("M-6 0L-1 6L7 -6", "stroke"), transform=at(66, 66))
    ring = element("rect", x=2.5, y=2.5, width=77, height=77, rx=10, class_="ring-spot")
    kind = "choice chosen" if chosen else "choice"
    return group(ring, tick if chosen else None, transform=at(x, y), class_=f"{kind} inert")


# -- the way there -----------------------------------------------------------------------------


def ways(view: dict[str, Any], moves: Sequence[str], place: Place) -> Svg:
    """The way to each space, shown while it is pointed at."""
    lines = [
        path(_line(target["path"], place), "way", data_preview=f"move {name}")
        for name, target in view["targets"].items()
        if f"move {name}" in moves
    ]
    return group(*lines, id="uw-ways", class_=f"seat-{view['turn']}" if lines else None)


def _line(names: Sequence[str], place: Place) -> str:
    points = [place(SPACE_NAMES.index(name)) for name in names]
    return "M" + "L".join(f"{x + 41:.0f} {y + 41:.0f}" for x, y in points)
