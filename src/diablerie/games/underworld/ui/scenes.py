"""The scenes of UNDERWORLD: a devil that comes, or a second one, the way out."""

from functools import cache

from diablerie.art.acting import Key, acted, scene, use
from diablerie.art.acting import scenes as file
from diablerie.art.devil import puppet
from diablerie.art.head import head
from diablerie.art.svg import Svg, at, element, group, path

GATE = "M130 400V200C130 20 470 20 470 200V400Z"
LEAF = "M0 0V-200C0 -290 80 -335 170 -335V0Z"  # of the gate, its hinge at the left
BARS = "M56 0V-284M112 0V-318M2 -120H168"
RAYS = ((20, 300), (10, 160), (80, 40), (200, -40), (340, -50), (470, -20), (560, 80), (600, 210))
STEPS = (
    "M160 400L178 362H422L440 400Z",
    "M184 358L198 326H402L416 358Z",
    "M204 322L216 296H384L396 322Z",
)
MOODS = ("wild", "grin", "burnt")


@cache
def scenes() -> Svg:
    """All scenes of the game."""
    definitions = element(
        "defs",
        *(group(head(mood), id=f"stage-head-{mood}") for mood in MOODS),
        group(id="stage-sitting-one"),
        group(use("head-wild"), id="stage-sitting-two"),
        group(puppet("triumph"), id="stage-leaver"),
        id="stage-parts",
    )
    return file(definitions, _caught(), _out())


def _caught() -> Svg:
    """A devil flies onto a head, where one may be sitting already."""
    grin = (Key(0), Key(291), Key(292, shown=0))
    burnt = (Key(0, shown=0), Key(291, shown=0), Key(292))
    dive = (
        Key(0, x=-330, y=-120, turn=-30),
        Key(291, y=-30, wide=1.2, high=1.2),
        Key(333, y=-14, high=0.85),
        Key(395, y=-20),
    )
    return scene(
        "caught",
        649,
        312,
        group(
            group(
                acted(grin, use("head-grin")),
                acted(burnt, use("head-burnt")),
                transform="scale(1.35)",
            ),
            transform=at(300, 362),
            class_="devil",
            data_put=0,
        ),
        group(use("sitting-", data_put=1), transform=at(190, 290, -30, 0.8), class_="devil"),
        group(
            acted(dive, group(use("head-wild"), transform="scale(.95)"), class_="object"),
            transform=at(300, 205),
            class_="devil",
        ),
        heard="hand 187",
    )


def _out() -> Svg:
    """The gate opens, daylight falls in, and who leaves leaps up the steps."""
    swing = (Key(0), Key(102), Key(407, wide=0.12), Key(1018, wide=0.12))
    leaving = (
        Key(0, y=190, wide=1.15, high=1.15),
        Key(317, y=110, wide=1.15, high=1.15),
        Key(509, y=-40),
        Key(651, y=30, wide=0.85, high=0.85),
        Key(820, y=-50, wide=0.6, high=0.6),
        Key(990, y=10, wide=0.4, high=0.4, shown=0.4),
    )
    light = (Key(0, shown=0), Key(170, shown=0), Key(509), Key(1018))
    return scene(
        "out",
        1017,
        520,
        acted(light, path("".join(f"M300 300L{x} {y}L{x + 46} {y + 6}Z" for x, y in RAYS), "ray")),
        path(GATE, "gate"),
        acted(light, path(GATE, "day")),
        *(path(step, "step") for step in STEPS),
        _doors(swing),
        group(
            acted(leaving, group(use("leaver"), transform="scale(.8)"), class_="object"),
            transform=at(300, 230),
            class_="devil",
            data_put=0,
        ),
        heard="gate 56",
    )


def _doors(swing: tuple[Key, ...]) -> Svg:
    """Both leaves, each about its hinge."""
    leaf = group(path(LEAF, "door"), path(BARS, "bars"))
    return group(
        group(acted(swing, leaf), transform=at(130, 400)),
        group(group(acted(swing, leaf), transform="scale(-1 1)"), transform=at(470, 400)),
    )
