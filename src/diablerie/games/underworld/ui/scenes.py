"""The scenes of UNDERWORLD: the last letter, a devil that comes or a second one, the way out."""

from functools import cache

from diablerie.art import marks
from diablerie.art.acting import Key, acted, scene, use
from diablerie.art.acting import scenes as file
from diablerie.art.devil import puppet
from diablerie.art.head import head
from diablerie.art.svg import Svg, at, element, group, path, rect, svg_text
from diablerie.engine.verbs import SEATS
from diablerie.games.underworld.rules.notation import LETTER_NAMES
from diablerie.games.underworld.ui.drawing.cards import CARD, drawn_back

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
        *(_defined(letter, _letter(letter)) for letter in LETTER_NAMES),
        _defined("back", drawn_back()),
        *(group(marks.mark(seat, 13), id=f"stage-mark-{seat}") for seat in range(SEATS)),
        group(id="stage-sitting-one"),
        group(use("head-wild"), id="stage-sitting-two"),
        group(puppet("triumph"), id="stage-leaver"),
        id="stage-parts",
    )
    return file(definitions, _card(), _caught(), _out())


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


def _shown() -> Svg:
    """The card that two words tell, its letter and its colour."""
    mark = group(use("mark-", data_put=1), transform=at(24, 24))
    card = group(use("card-", data_put=0), mark, transform="scale(3.6)")
    return group(card, class_="underworld", data_put=1)


def _card() -> Svg:
    """The card with a player's last letter lifts off, is turned over, and comes down."""
    lift = (
        Key(0, y=60, wide=0.5, high=0.5, turn=-8),
        Key(247, y=-10),
        Key(813, y=-10),
        Key(962, y=70, wide=0.5, high=0.5),
    )
    back = (Key(0), Key(280), Key(364, wide=0), Key(365, wide=0, shown=0))
    face_up = (Key(0, wide=0, shown=0), Key(364, wide=0), Key(455, wide=1.1, high=1.1), Key(520))
    turned = acted(
        lift,
        acted(back, group(use("card-back"), transform="scale(3.6)", class_="underworld")),
        acted(face_up, _shown(), class_="object"),
    )
    shadow = acted(
        (Key(0, shown=0.2, wide=0.6), Key(247), Key(813), Key(962, shown=0.2, wide=0.6)),
        element("ellipse", rx=120, ry=16, class_="black"),
    )
    return scene(
        "card",
        975,
        585,
        group(shadow, transform=at(300, 376)),
        group(turned, transform=at(300, 200)),
        heard="card 247",
    )


def _caught() -> Svg:
    """A devil flies onto a head, where one may be sitting already."""
    grin = (Key(0), Key(364), Key(365, shown=0))
    burnt = (Key(0, shown=0), Key(364, shown=0), Key(365))
    dive = (
        Key(0, x=-330, y=-120, turn=-30),
        Key(364, y=-30, wide=1.2, high=1.2),
        Key(416, y=-14, high=0.85),
        Key(494, y=-20),
    )
    return scene(
        "caught",
        812,
        390,
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
        heard="hand 234",
    )


def _out() -> Svg:
    """The gate opens, daylight falls in, and who leaves leaps up the steps."""
    swing = (Key(0), Key(117), Key(468, wide=0.12), Key(1170, wide=0.12))
    leaving = (
        Key(0, y=190, wide=1.15, high=1.15),
        Key(364, y=110, wide=1.15, high=1.15),
        Key(585, y=-40),
        Key(748, y=30, wide=0.85, high=0.85),
        Key(943, y=-50, wide=0.6, high=0.6),
        Key(1138, y=10, wide=0.4, high=0.4, shown=0.4),
    )
    light = (Key(0, shown=0), Key(195, shown=0), Key(585), Key(1170))
    return scene(
        "out",
        1170,
        598,
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
        heard="gate 65",
    )


def _doors(swing: tuple[Key, ...]) -> Svg:
    """Both leaves, each about its hinge."""
    leaf = group(path(LEAF, "door"), path(BARS, "bars"))
    return group(
        group(acted(swing, leaf), transform=at(130, 400)),
        group(group(acted(swing, leaf), transform="scale(-1 1)"), transform=at(470, 400)),
    )
