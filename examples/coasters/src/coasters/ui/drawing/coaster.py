"""The coasters of COASTERS, 52 wide round (0, 0): drawn once in `<defs>`, then referred to."""

from collections.abc import Iterable
from functools import cache

from diablerie.art.cut import cut
from diablerie.art.head import head
from diablerie.art.svg import Svg, at, circle, element, group, path

R = 26
PETALS = "M0 -2C-9 -5 -10 -18 0 -19C10 -18 9 -5 0 -2Z"
BONE = "M0 -15C10 -15 14 -8 13 -1C12 4 9 5 8 7L7 13H-7L-8 7C-9 5 -12 4 -13 -1C-14 -8 -10 -15 0 -15Z"
HORNS = (
    "M-11 -10C-17 -12 -19 -17 -17 -22C-14 -18 -10 -16 -7 -14Z"
    "M11 -10C17 -12 19 -17 17 -22C14 -18 10 -16 7 -14Z"
)
SOCKETS = "M-8 -3C-8 -7 -2 -7 -2 -3C-2 1 -8 1 -8 -3ZM8 -3C8 -7 2 -7 2 -3C2 1 8 1 8 -3ZM0 1L2 5H-2Z"
TRIDENT = "M0 15V-13M-8 -13V-6Q-8 -1 0 -1Q8 -1 8 -6V-13M-5 15H5"


@cache
def definitions(moods: frozenset[str]) -> Svg:
    """The three faces of a coaster, and heads in these moods."""
    faces = {"flower": _flower(), "skull": _skull(), "hidden": path(TRIDENT, "coaster-sign")}
    parts = [group(_disc(name), face, id=f"coasters-{name}") for name, face in faces.items()]
    heads = [group(head(mood), id=f"coasters-head-{mood}") for mood in sorted(moods)]
    return element("defs", *parts, *heads)


def _disc(name: str) -> Svg:
    return group(
        circle(0, 0, R + 2, "coaster-edge"),
        circle(0, 0, R, f"coaster-{name} ink-thin"),
        circle(0, 0, R - 4, "coaster-rim"),
    )


def _flower() -> Svg:
    petals = (path(PETALS, "petal ink-thin", transform=f"rotate({72 * i})") for i in range(5))
    return group(*petals, circle(0, 0, 5, "gold-fill ink-thin"))


def _skull() -> Svg:
    over = (path(SOCKETS, "black"), path("M-3 9V13M0 9V13M3 9V13", "ink-fine"))
    return group(path(HORNS, "horn ink-thin"), cut(BONE, "horn", *over), class_="skull")


def use(name: str, x: float = 0, y: float = 0, scale: float = 1) -> Svg:
    """One of the parts."""
    return element("use", href=f"#coasters-{name}", transform=at(x, y, 0, scale))


def small(kinds: Iterable[str], x: float, y: float, step: float, scale: float) -> Svg:
    """Coasters side by side, smaller."""
    return group(*(use(kind, x + i * step, y, scale) for i, kind in enumerate(kinds)))
