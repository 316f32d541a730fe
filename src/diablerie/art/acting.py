"""Scenes: short animated pictures, staged at large size over the board by `static/stage.js`.

A scene is 600 by 400. What moves in it is a group with key frames, in the attribute `data-act`; the
script makes an animation of them. Without one (reduced motion) it shows the scene at its peak.
"""

import re
from collections.abc import Iterable
from itertools import repeat
from typing import NamedTuple

from diablerie.art.head import MOODS, head
from diablerie.art.svg import Svg, element, group, placed, svg, svg_number

SCENE_WIDTH = 600
SCENE_HEIGHT = 400


class Key(NamedTuple):
    """How a group looks at a time in milliseconds: moved, turned by degrees, stretched, opaque."""

    at: int
    x: float = 0
    y: float = 0
    turn: float = 0
    wide: float = 1
    high: float = 1
    shown: float = 1


KEY_PART = re.compile(r"([a-z]+)(-?[\d.]+)")


def keys(text: str, late: int = 0) -> tuple[Key, ...]:
    """Key frames written as `500 y270; 1800 turn-4 high2`: times, and what is not as drawn.

    Before the first it is as at the first. late: so much later is all of it.
    """
    return tuple(_key(frame, late) for frame in text.split(";"))


def _key(frame: str, late: int) -> Key:
    at, _, rest = frame.strip().partition(" ")
    return Key(int(at) + late, **{name: float(value) for name, value in KEY_PART.findall(rest)})


def swaying(every: int, times: int, **other: float) -> tuple[Key, ...]:
    """As drawn and otherwise, in turn, so many times, after so many milliseconds each."""
    return tuple(Key(every * k, **(other if k % 2 else {})) for k in range(times))


def acted(keys: tuple[Key, ...], *children: object, **attrs: object) -> Svg:
    """A group that moves as `keys` say, about its own origin. It has no `transform` of its own."""
    return group(*children, data_act=steps(*keys), **attrs)


def steps(*keys: Key) -> str:
    """Key frames as an attribute. On a path with `pathLength` 1 `wide` is how much of it is drawn."""
    return ";".join(" ".join(map(svg_number, key)) for key in keys)


def scene(name: str, lasts: int, peak: int, *children: object, heard: str = "") -> Svg:
    """A scene of `lasts` milliseconds, at its most telling after `peak`.

    heard: sounds of `static/sounds.js` and when they begin, such as `scrape 0;coal 620`.
    """
    return svg(
        SCENE_WIDTH,
        SCENE_HEIGHT,
        *children,
        class_="scene",
        data_scene=name,
        data_lasts=lasts,
        data_peak=peak,
        data_heard=heard or None,
    )


def scene_file(moods: Iterable[str], parts: Iterable[Svg], *staged: Svg) -> Svg:
    """The scenes of a game as one file, with what they use: heads in these moods, and other parts.

    Ids begin with `stage-`, those of the heads with `stage-head-`.
    """
    used = (group(head(mood), id=f"stage-head-{mood}") for mood in moods)
    definitions = element("defs", *used, *parts, id="stage-parts")
    return element("svg", definitions, *staged, xmlns="http://www.w3.org/2000/svg")


def use(name: str, **attrs: object) -> Svg:
    """A `<use>` of a definition, its id without `stage-`. With `data_put` a word is appended."""
    return element("use", href=f"#stage-{name}", **attrs)


def heads() -> Svg:
    """The scenes of a game that draws none: a head in each mood, in the colour of a seat (a word)."""
    pop = (Key(0, wide=0.2, high=0.2), Key(240, wide=1.15, high=1.15, turn=-6), Key(420))
    drawn = {mood: group(head(mood), transform="scale(1.8)") for mood in MOODS}
    staged = (
        placed(300, 270, acted(pop, face, class_="object"), class_="devil", data_put=0)
        for face in drawn.values()
    )
    return scene_file((), (), *map(scene, drawn, repeat(900), repeat(500), staged))
