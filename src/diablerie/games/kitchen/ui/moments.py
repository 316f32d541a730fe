"""What of KITCHEN is staged: milk, one's own best dish, all lids off at the end, the feast.

The presses of a duel are staged on the board itself: see `games/kitchen/ui/drawing/stage.py`.
"""

from functools import cache

from diablerie.art import pieces, props
from diablerie.art.acting import Key, acted, keys, scene, scene_file, swaying, use
from diablerie.art.cut import cut
from diablerie.art.devil import puppet
from diablerie.art.svg import Svg, circle, element, group, path, placed, svg_text
from diablerie.engine.feats import Feat
from diablerie.engine.moments import Moment
from diablerie.engine.queries import sole_winner
from diablerie.engine.text import say, says
from diablerie.engine.verbs import EVERYTHING, WATCHER
from diablerie.games.kitchen.rules.moving import move_of
from diablerie.games.kitchen.rules.state import (
    BANISHED,
    CARDS,
    END,
    MILK,
    POTS,
    SIGNS,
    Node,
    State,
    colour_of,
    delivered,
)
from diablerie.games.kitchen.ui.drawing.parts import SIGNS as SHAPES
from diablerie.games.kitchen.ui.drawing.parts import dish

BEST_CARD = max(CARDS)
CLOSED = "x"  # a pot whose lid stays where it is: it is delivered, absent, or nobody's to open

FACES = {"dish": "triumph", "milk": "burnt"}  # what whoever decided looks like, by scene


def moments(
    before: State, seat: int, action: int | None, after: State, viewer: int
) -> list[Moment]:
    """What of one decision or outcome is staged, from what `viewer` knows."""
    staged = []
    if before.node == Node.MOVE and action is not None and action != END:
        staged += _served(after, move_of(action)[2], viewer in (before.turn, WATCHER, EVERYTHING))
    if after.node == Node.OVER:
        staged.append(Moment("lids", tuple(_inside(after, pot) for pot in range(POTS))))
        staged.append(Moment("feast", (sole_winner(after),)))
    return staged


def feats(before: State, seat: int, action: int, after: State) -> list[Feat]:
    """Milk that was served, the worse the more devils of the cook it has cost."""
    staged = moments(before, seat, action, after, EVERYTHING)
    if not any(moment.scene == "milk" for moment in staged):
        return []
    cook = int(before.turn)
    thrown_out = int((after.devil[colour_of(after, cook)] == BANISHED).sum())
    words = says("{n} devil thrown out", "{n} devils thrown out", thrown_out)
    return [Feat(say("The worst milk"), [cook], thrown_out, words)]


def _served(after: State, load: int, own: bool) -> list[Moment]:
    """The pot that was carried, if it has come to its grill: milk, or the best dish of one's own."""
    if not load or not delivered(after, load - 1):
        return []
    colour, sign = divmod(load - 1, SIGNS)
    value = int(after.card[load - 1])
    if value == MILK:
        return [Moment("milk", (colour, sign))]
    return [Moment("dish", (colour, sign, value))] if own and value == BEST_CARD else []


def _inside(after: State, pot: int) -> int | str:
    """What is in a pot that still stands in the kitchen."""
    there = after.pot[pot] >= 0 and not delivered(after, pot)
    return int(after.card[pot]) if there and after.card[pot] >= 0 else CLOSED


# -- the scenes --------------------------------------------------------------------------------


LID = "M-19 -8C-16 -18 16 -18 19 -8Z"
SPLASH = "M0 -64L13 -30L44 -50L32 -16L70 -10L38 10L58 44L22 30L10 66L-8 34L-40 54L-32 18L-68 14L-36 -6L-56 -40L-20 -28Z"  # noqa: E501
COLOURS = 4


@cache
def scenes() -> Svg:
    """All scenes of the game."""
    parts = (
        *(path(d, id=f"stage-sign-{n}", fill_rule="evenodd") for n, d in enumerate(SHAPES)),
        *(group(group(dish(value), class_="kitchen"), id=f"stage-dish-{value}") for value in CARDS),
        group(_pot(), id="stage-pot"),
        group(
            group(cut(LID, "seat-fill"), circle(0, -18, 3.6, "seat-fill ink-thin"), class_="pot"),
            id="stage-lid",
        ),
        # Words choose drawings by their ends: `-0` to `-5` by value, `-x` draws nothing.
        *(group(use("pot"), id=f"stage-pot-{value}") for value in CARDS),
        *(group(use("lid"), id=f"stage-lid-{value}") for value in CARDS),
        *(
            group(use(f"sign-{sign}"), id=f"stage-sign-{sign}-{value}")
            for sign in range(SIGNS)
            for value in CARDS
        ),
        *(group(id=f"stage-{part}-{CLOSED}") for part in ("pot", "lid", "dish")),
        *(group(id=f"stage-sign-{sign}-{CLOSED}") for sign in range(SIGNS)),
        group(puppet("burnt"), id="stage-thrown"),
        group(puppet("cook"), id="stage-cook"),
    )
    return scene_file(("wild", "sleep"), parts, _dish(), _milk(), _lids(), _feast())


def _pot() -> Svg:
    """A pot without its lid, 48 wide."""
    return group(
        path(pieces.HANDLES, "pot-handle-edge"),
        path(pieces.HANDLES, "pot-handle"),
        cut(pieces.POT, "seat-fill"),
        element("ellipse", cx=0, cy=-8, rx=16.5, ry=3.4, class_="black"),
        class_="pot",
    )


# -- what was in the pot ---------------------------------------------------------------------------


def _lifted(begin: int) -> tuple[Key, ...]:
    """The lid rattles, and flies off."""
    rattle = [Key(begin - 260 + 65 * k, turn=3 if k % 2 else -3) for k in range(4)]
    return (Key(0), *rattle, Key(begin), Key(begin + 320, x=26, y=-42, turn=48))


def _opened(scale: float, *inside: Svg) -> Svg:
    """A pot of the colour and sign that two words tell, out of which comes what was inside."""
    return placed(
        300,
        300,
        *inside,
        use("pot"),
        use("sign-", class_="seat-shape", transform="translate(0 4) scale(.86)", data_put=1),
        acted(_lifted(270), use("lid")),
        scale=scale,
        data_put=0,
    )


def _dish() -> Svg:
    """The lid flies off, and the dish comes up with what it is worth."""
    rise = (
        # Unseen until the lid is off.
        Key(0, shown=0, wide=0.5, high=0.5),
        Key(280, shown=0, wide=0.5, high=0.5),
        Key(299, wide=0.5, high=0.5),
        Key(494, y=-31, wide=1.15, high=1.15),
        Key(585, y=-28),
        Key(943, y=-28),
        Key(1105, x=36, y=-62, wide=0.5, high=0.5),
    )
    worth = (
        Key(0, shown=0, wide=0.2, high=0.2),
        Key(520, shown=0, wide=0.2, high=0.2),
        Key(624, wide=1.2, high=1.2, turn=-8),
        Key(689, turn=-6),
    )
    return scene(
        "dish",
        1105,
        780,
        _opened(5.2, acted(rise, use("dish-", data_put=2), class_="object")),
        placed(
            478,
            120,
            acted(
                worth,
                circle(0, 0, 56, "worth"),
                svg_text(0, 27, "", "worth-number", 76, data_put=2),
            ),
        ),
        heard="lid 260;tile 520",
    )


def _milk() -> Svg:
    """Milk! It splashes, and the devil who brought it is thrown out."""
    bottle = (
        Key(0, shown=0, wide=0.5, high=0.5),
        Key(280, shown=0, wide=0.5, high=0.5),
        Key(299, wide=0.5, high=0.5),
        Key(494, y=-34, wide=1.2, high=1.2, turn=-10),
        Key(585, y=-31, turn=6),
        Key(676, y=-31),
    )
    splash = (
        Key(0, shown=0, wide=0.2, high=0.2),
        Key(312, shown=0, wide=0.2, high=0.2),
        Key(494),
        Key(715, wide=1.1, high=1.1),
        Key(910, shown=0, wide=1.3, high=1.3),
    )
    # The devil cowers before it flies: that makes the throw.
    thrown = (
        Key(0, x=-170, y=20),
        Key(494, x=-170, y=20),
        Key(585, x=-180, y=34, high=0.9),
        Key(1105, x=520, y=-330, turn=520, wide=0.6, high=0.6),
    )
    return scene(
        "milk",
        1137,
        624,
        placed(300, 150, acted(splash, path(SPLASH, "splash")), scale=2.3),
        placed(
            300,
            280,
            acted(thrown, group(use("thrown"), transform="scale(.75)")),
            class_="devil",
            data_put=0,
        ),
        _opened(4.6, acted(bottle, group(use("dish-0"), transform="scale(1.25)"), class_="object")),
        heard="lid 260;milk 403",
    )


# -- the end -----------------------------------------------------------------------------------


def _lids() -> Svg:
    """All pots that still stand there, a row for each colour: one row of lids after the other."""
    return scene(
        "lids",
        2500,
        1900,
        *(_row(colour) for colour in range(COLOURS)),
        heard=";".join(f"lid {380 + 330 * colour}" for colour in range(COLOURS)),
    )


def _row(colour: int) -> Svg:
    begin = 380 + 330 * colour
    rise = keys("0 y6 wide.4 high.4 shown0; 260 y-17 wide.8 high.8", begin)
    off = keys("0; 300 x17 y-15 turn50", begin)
    away = (*off, *keys("2150 x17 y-15 turn50; 2350 x17 y-15 turn50 shown0"))
    pots = [
        placed(
            95 + 138 * sign,
            74 + 96 * colour,
            use("pot-", data_put=word),
            acted(rise, use("dish-", data_put=word)),
            group(  # the sign, if the pot is there
                use(f"sign-{sign}-", transform="translate(0 4) scale(.86)", data_put=word),
                class_="seat-shape",
            ),
            acted(away, use("lid-", data_put=word)),
            scale=2,
            class_="object" if word == 0 else None,
        )
        for word, sign in enumerate(range(SIGNS), SIGNS * colour)
    ]
    return group(*pots, class_=f"seat-{colour}")


def _feast() -> Svg:
    """The Oberteufel swallows dish after dish that the winner throws; then he belches fire."""
    chewing = (*swaying(150, 16, y=8, high=0.93), *keys("2500; 2501 shown0"))
    sated = "2500 shown0; 2501 wide1.2; 2750 wide1.2 high.94; 2870 wide1.25 high1.06 turn5; 3500 wide1.2"
    fire = "2750 wide0 high0; 2930; 3300; 3600 wide0 high0"
    guest = (
        acted(chewing, group(use("head-wild"), transform="scale(1.7)")),
        acted(keys(sated), group(use("head-sleep"), transform="scale(1.7)"), class_="object"),
        placed(6, -26, acted(keys(fire), props.flames(110, 150)), turn=78),
        path("M-62 6L62 6L0 92Z", "napkin"),
    )
    # A period that the chewing does not share, so that they never swing as one.
    cook = acted(swaying(210, 18, y=-12, turn=7), group(use("cook"), transform="scale(.74)"))
    flight = (
        "0 shown0; 1; 220 x110 y-110 turn200; 430 x206 turn360 wide.5 high.5; 470 x208 y20 shown0"
    )
    return scene(
        "feast",
        3600,
        2980,
        placed(350, 268, *guest, class_="devil"),
        placed(108, 276, cook, class_="devil", data_put=0),
        path("M-500 330H1100V900H-500Z", "board-wood"),
        path("M-500 330H1100V352" + "q-20 26 -40 0" * 40 + "Z", "napkin"),
        *(
            placed(
                146,
                236,
                acted(
                    keys(flight, 200 + 300 * k),
                    group(use(f"dish-{CARDS[1 + k % 3]}"), transform="scale(3)"),
                ),
            )
            for k in range(7)
        ),
        heard=";".join(f"lid {200 + 300 * k}" for k in range(7)) + ";snort 2500;burn 2750",
    )
