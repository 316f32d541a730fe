"""The scenes of UNDERWORLD: the card turned over, the swap, the devil handed on, the way out, daybreak."""

from functools import cache
from typing import Literal

from diablerie.art import marks
from diablerie.art.acting import Key, acted, keys, scene, swaying, use
from diablerie.art.acting import scenes as file
from diablerie.art.devil import puppet
from diablerie.art.head import head
from diablerie.art.svg import Svg, at, circle, element, group, path, rect, svg_text
from diablerie.engine.verbs import SEATS
from diablerie.games.underworld.rules.notation import LETTER_NAMES
from diablerie.games.underworld.ui.drawing.cards import CARD, drawn_back, drawn_tower, face
from diablerie.games.underworld.ui.view import Card

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
KINDS: tuple[Literal["devil"], Literal["tower"]] = ("devil", "tower")
MOODS = ("wild", "grin", "burnt")


@cache
def scenes() -> Svg:
    """All scenes of the game."""
    faces = {kind: face(Card(kind), 1, covered=False) for kind in KINDS}
    letters = {letter: _letter(letter) for letter in LETTER_NAMES}
    definitions = element(
        "defs",
        *(group(head(mood), id=f"stage-head-{mood}") for mood in MOODS),
        group(drawn_tower(), id="stage-tower"),
        *(_defined(name, card) for name, card in (faces | letters).items()),
        _defined("back", drawn_back()),
        *(group(marks.mark(seat, 13), id=f"stage-mark-{seat}") for seat in range(SEATS)),
        group(id="stage-mark-none"),
        group(puppet("triumph"), id="stage-leaver"),
        id="stage-parts",
    )
    return file(definitions, _card(), _swap(), _hand(), _caught(), _out(), _dawn())


def _letter(letter: str) -> Svg:
    """A letter's face; its colour comes from where it is used, as does the colour's mark."""
    return group(
        rect(0, 0, CARD, CARD, "white ink-line", rx=7),
        rect(4, 4, CARD - 8, CARD - 8, "seat-fill", rx=5),
        svg_text(36, 53, letter, "seat-text", font_size=48),
    )


def _defined(name: str, card: str) -> Svg:
    """A card whose middle is its origin."""
    drawn = Svg(card.replace("#uw-", "#stage-"))
    return group(
        group(drawn, transform=at(-CARD / 2, -CARD / 2), class_="underworld"),
        id=f"stage-card-{name}",
    )


def _shown(first: int, scale: float) -> Svg:
    """The card that two words tell, its face and its colour."""
    mark = group(use("mark-", data_put=first + 1), transform=at(24, 24))
    card = group(use("card-", data_put=first), mark, transform=f"scale({scale})")
    return group(card, class_="underworld", data_put=first + 1)


def _card() -> Svg:
    """The card lifts off, is turned over, and comes down."""
    lift = (
        Key(0, y=60, wide=0.5, high=0.5, turn=-8),
        Key(380, y=-10),
        Key(1250, y=-10),
        Key(1480, y=70, wide=0.5, high=0.5),
    )
    back = (Key(0), Key(430), Key(560, wide=0), Key(561, wide=0, shown=0))
    face_up = (Key(0, wide=0, shown=0), Key(560, wide=0), Key(700, wide=1.1, high=1.1), Key(800))
    turned = acted(
        lift,
        acted(back, group(use("card-back"), transform="scale(3.6)", class_="underworld")),
        acted(face_up, _shown(0, 3.6), class_="object"),
    )
    shadow = acted(
        (Key(0, shown=0.2, wide=0.6), Key(380), Key(1250), Key(1480, shown=0.2, wide=0.6)),
        element("ellipse", rx=120, ry=16, class_="black"),
    )
    return scene(
        "card",
        1500,
        900,
        group(shadow, transform=at(300, 376)),
        group(turned, transform=at(300, 200)),
        heard="card 380",
    )


def _swap() -> Svg:
    """Two cards change places, one over the other."""

    def moved(way: int, high: int) -> tuple[Key, ...]:
        return (
            Key(0),
            Key(260),
            Key(640, x=way * 130, y=high, turn=way * 10, wide=1.12, high=1.12),
            Key(1000, x=way * 260),
            Key(1300, x=way * 260),
        )

    def one(first: int, way: int, high: int, x: int, **attrs: str) -> Svg:
        return group(acted(moved(way, high), _shown(first, 2.9), **attrs), transform=at(x, 205))

    return scene(
        "swap",
        1300,
        560,
        one(2, -1, 76, 430),
        one(0, 1, -76, 170, class_="object"),
        heard="swap 240",
    )


def _hand() -> Svg:
    """The devil leaps from one head to the other."""
    leap = (
        Key(0, x=-150, y=-30),
        Key(220, x=-150, y=-20, high=0.85),
        Key(620, x=0, y=-90, turn=20, wide=1.2, high=1.2),
        Key(940, x=150, y=-26, high=0.86),
        Key(1040, x=150, y=-30),
        Key(1400, x=150, y=-30),
    )
    return scene(
        "hand",
        1400,
        640,
        _host(0, 150, (("burnt", 0, 300), ("grin", 300, 0))),
        _host(1, 450, (("grin", 0, 900), ("burnt", 900, 0))),
        group(
            acted(leap, group(use("head-wild"), transform="scale(.95)"), class_="object"),
            transform=at(300, 205),
            class_="devil",
        ),
        heard="hand 200",
    )


def _host(word: int, x: float, moods: tuple[tuple[str, int, int], ...]) -> Svg:
    """A player's head below, whose mood changes."""
    faces = [
        acted(
            (Key(0, shown=float(not begin)), Key(begin, shown=float(not begin)), Key(begin + 1))
            + ((Key(end), Key(end + 1, shown=0)) if end else ()),
            use(f"head-{mood}"),
        )
        for mood, begin, end in moods
    ]
    return group(
        group(*faces, transform="scale(1.35)"), transform=at(x, 362), class_="devil", data_put=word
    )


def _caught() -> Svg:
    """A devil of the face's flies onto a head."""
    dive = (
        Key(0, x=-330, y=-120, turn=-30),
        Key(560, y=-30, wide=1.2, high=1.2),
        Key(640, y=-14, high=0.85),
        Key(760, y=-20),
    )
    return scene(
        "caught",
        1250,
        600,
        _host(0, 300, (("grin", 0, 560), ("burnt", 560, 0))),
        group(
            acted(dive, group(use("head-wild"), transform="scale(.95)"), class_="object"),
            transform=at(300, 205),
            class_="devil",
        ),
        heard="hand 360",
    )


def _out() -> Svg:
    """The gate opens, daylight falls in, and who leaves leaps up the steps."""
    swing = keys("180; 720 wide.12")
    leaving = keys(
        "0 y190 wide1.15 high1.15; 560 y110 wide1.15 high1.15; 900 y-40; 1150 y30 wide.85 high.85;"
        "1450 y-50 wide.6 high.6; 1750 y10 wide.4 high.4 shown.4"
    )
    light = keys("300 shown0; 900")
    return scene(
        "out",
        1800,
        920,
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
        heard="gate 100",
    )


def _doors(swing: tuple[Key, ...]) -> Svg:
    """Both leaves, each about its hinge."""
    leaf = group(path(LEAF, "door"), path(BARS, "bars"))
    return group(
        group(acted(swing, leaf), transform=at(130, 400)),
        group(group(acted(swing, leaf), transform="scale(-1 1)"), transform=at(470, 400)),
    )


def _dawn() -> Svg:
    """The sun rises, and the gate shuts before the nose of the last one."""
    running = tuple(
        Key(300 + 180 * k, 0, 8 * k - 60 - 14 * (k % 2), 0, *2 * [0.3 + 0.07 * k]) for k in range(8)
    )
    barred = keys("1900 shown0; 2000")
    last = {"class_": "devil", "data_put": 0}
    head = group(use("head-wild"), transform="scale(1.5)")
    gate = (
        path(GATE, "gate"),
        group(acted(running, head), transform=at(300, 350), **last),
        _doors(keys("1600 wide.1; 1800; 1860 wide.94; 1940")),
        group(
            acted(barred, path(HOLE, "hole")),
            acted(
                keys("2050 y50 shown0; 2150 y50; 2400 y-4; 2500"),
                group(use("head-burnt"), transform=at(0, 28, 0, 0.47)),
                **last,
            ),
            acted(barred, path("M-22 -52V40M0 -56V40M22 -52V40", "bars")),
            transform=at(300, 190, 0, 1.3),
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
        group(sun, transform=at(300, 140), class_="object"),
        acted(keys("500; 1900 shown0"), path(WORLD, "night"), *stars),
        path(HILL, "hill"),
        group(*gate, transform="translate(96 128) scale(.68)"),
        group(
            acted(swaying(200, 18, y=-34, turn=-8), dancer),
            transform=at(96, 312),
            class_="devil",
            data_put=1,
        ),
        heard="cock 300;gate 1300;hand 2150",
    )
