"""What of UNDERWORLD is staged: a devil that comes, or a second one, the way out, daybreak."""

from collections.abc import Iterator
from functools import cache

from diablerie.art.acting import Key, acted, keys, scene, scene_file, swaying, use
from diablerie.art.devil import puppet
from diablerie.art.svg import Svg, at, circle, group, path, placed
from diablerie.engine.feats import Feat
from diablerie.engine.moments import Moment
from diablerie.engine.text import say
from diablerie.engine.verbs import EVERYTHING, WATCHER
from diablerie.games.underworld.rules.state import Node, State

FACES = {
    "caught": "burnt",
    "out": "triumph",
}  # what whoever decided looks like, by scene


def moments(
    before: State, seat: int, action: int | None, after: State, viewer: int
) -> list[Moment]:
    """What of one decision or outcome is staged: devils and disks are open."""
    told = [moment for i in range(after.seats) for moment in _of(before, after, i)]
    staged = [moment for moment in told if _covers(moment, viewer)]
    return [*staged, _daybreak(after)] if after.node == Node.OVER else staged


def _covers(moment: Moment, viewer: int) -> bool:
    """Whether it covers the viewer's board: that others take a devil happens too often for that."""
    return viewer in (moment.words[0], EVERYTHING, WATCHER) or moment.words[1:] != ("one",)


def feats(before: State, seat: int, action: int, after: State) -> list[Feat]:
    """Who got out, and in which turn of the game: the sooner the greater."""
    turn = int(before.turns) + 1
    out = [
        i
        for i in range(after.seats)
        if any(moment.scene == "out" for moment in _of(before, after, i))
    ]
    title = say("The quickest escape")
    return [Feat(title, [i], -turn, say("in turn {n}", n=turn)) for i in out]


def _daybreak(s: State) -> Moment:
    """Who is still inside when the gate shuts, and who was the first outside."""
    order = [int(place) for place in s.gone[: s.seats]]
    return Moment("dawn", (order.index(0), order.index(1) if 1 in order else "none"))


def _of(before: State, after: State, i: int) -> Iterator[Moment]:
    """What is staged of one player."""
    if after.struck == i and after.pegs > before.pegs:
        yield Moment("caught", (i, "two"))
    elif after.devil[i] > before.devil[i] and after.pegs < before.pegs:
        yield Moment("caught", (i, "one"))
    if after.gone[i] > before.gone[i]:
        yield Moment("out", (i,))


# -- the scenes --------------------------------------------------------------------------------


GATE = "M130 400V200C130 20 470 20 470 200V400Z"
LEAF = "M0 0V-200C0 -290 80 -335 170 -335V0Z"  # of the gate, its hinge at the left
BARS = "M56 0V-284M112 0V-318M2 -120H168"
RAYS = ((20, 300), (10, 160), (80, 40), (200, -40), (340, -50), (470, -20), (560, 80), (600, 210))
HOLE = "M-46 40V-20C-46 -66 46 -66 46 -20V40Z"  # in the shut gate, with its bars
BEAMS = (
    "M-260 0H260M-225 -130L225 130M-130 -225L130 225M0 -260V260M130 -225L-130 225M225 -130L-225 130"
)
WORLD = "M-500 -500H1100V900H-500Z"
HILL = "M-500 372C-200 350 60 340 300 368C540 340 800 350 1100 372V900H-500Z"
STARS = ((40, 60), (120, 24), (190, 90), (420, 40), (500, 96), (560, 30))
STEPS = (
    "M160 400L178 362H422L440 400Z",
    "M184 358L198 326H402L416 358Z",
    "M204 322L216 296H384L396 322Z",
)
MOODS = ("wild", "grin", "burnt")


@cache
def scenes() -> Svg:
    """All scenes of the game."""
    parts = (
        group(id="stage-sitting-one"),
        group(use("head-wild"), id="stage-sitting-two"),
        group(puppet("triumph"), id="stage-leaver"),
    )
    return scene_file(MOODS, parts, _caught(), _out(), _dawn())


def _caught() -> Svg:
    """A devil flies onto a head, where one may be sitting already."""
    # The faces change in the moment of the landing.
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
        placed(
            300,
            362,
            group(
                acted(grin, use("head-grin")),
                acted(burnt, use("head-burnt")),
                transform="scale(1.35)",
            ),
            class_="devil",
            data_put=0,
        ),
        placed(190, 290, use("sitting-", data_put=1), turn=-30, scale=0.8, class_="devil"),
        placed(
            300,
            205,
            acted(dive, group(use("head-wild"), transform="scale(.95)"), class_="object"),
            class_="devil",
        ),
        heard="hand 187",
    )


def _out() -> Svg:
    """The gate opens, daylight falls in, and who leaves leaps up the steps."""
    swing = (Key(0), Key(102), Key(407, wide=0.12), Key(1018, wide=0.12))
    # Smaller with each leap: the steps lead away into the light.
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
        placed(
            300,
            230,
            acted(leaving, group(use("leaver"), transform="scale(.8)"), class_="object"),
            class_="devil",
            data_put=0,
        ),
        heard="gate 56",
    )


def _doors(swing: tuple[Key, ...]) -> Svg:
    """Both leaves, each about its hinge."""
    leaf = group(path(LEAF, "door"), path(BARS, "bars"))
    return group(
        placed(130, 400, acted(swing, leaf)),
        placed(470, 400, group(acted(swing, leaf), transform="scale(-1 1)")),
    )


def _dawn() -> Svg:
    """The sun rises, and the gate shuts before the nose of the last one."""
    running = tuple(
        Key(300 + 180 * k, 0, 8 * k - 60 - 14 * (k % 2), 0, *2 * [0.3 + 0.07 * k]) for k in range(8)
    )
    barred = keys("1900 shown0; 2000")
    last = {"class_": "devil", "data_put": 0}
    head = group(use("head-wild"), transform="scale(1.5)")
    # The last one stands between gate and doors, and again behind the bars of the hole.
    gate = (
        path(GATE, "gate"),
        group(acted(running, head), transform=at(300, 350), **last),
        _doors(keys("1600 wide.1; 1800; 1860 wide.94; 1940")),
        placed(
            300,
            190,
            acted(barred, path(HOLE, "hole")),
            acted(
                keys("2050 y50 shown0; 2150 y50; 2400 y-4; 2500"),
                placed(0, 28, use("head-burnt"), scale=0.47),
                **last,
            ),
            acted(barred, path("M-22 -52V40M0 -56V40M22 -52V40", "bars")),
            scale=1.3,
        ),
    )
    sun = acted(
        keys("300 y330; 2100"),
        acted(keys("0; 3400 turn40"), path(BEAMS, "beam")),
        circle(0, 0, 112, "day"),
    )
    stars = (circle(x, y, 3, "star") for x, y in STARS)
    dancer = group(use("leaver"), transform="scale(.62)")
    return scene(
        "dawn",
        3500,
        2700,
        path(WORLD, "morning"),
        placed(300, 140, sun, class_="object"),
        acted(keys("500; 1900 shown0"), path(WORLD, "night"), *stars),
        path(HILL, "hill"),
        group(*gate, transform="translate(96 128) scale(.68)"),
        placed(
            96,
            312,
            acted(swaying(200, 18, y=-34, turn=-8), dancer),
            class_="devil",
            data_put=1,
        ),
        heard="cock 300;gate 1300;hand 2150",
    )
