"""What of COALS is staged: a devil woken, one's own burnt fingers, the flag at the end."""

from functools import cache

from diablerie.art import pieces, props
from diablerie.art.acting import Key, acted, keys, scene, scene_file, swaying, use
from diablerie.art.cut import cut, gouges
from diablerie.art.devil import puppet
from diablerie.art.marks import MARKED_SEATS, mark
from diablerie.art.svg import Svg, group, path, placed
from diablerie.engine.feats import Feat
from diablerie.engine.moments import Moment
from diablerie.engine.queries import sole_winner
from diablerie.engine.text import say
from diablerie.games.coals.rules.state import DEVIL, Node, State

MUCH_COAL = 100

FACES = {"burnt": "burnt", "wake": "burnt"}  # what whoever decided looks like, by scene


def moments(
    before: State, seat: int, action: int | None, after: State, viewer: int
) -> list[Moment]:
    """What of one decision or outcome is staged: all coal is open."""
    ended = [Moment("flag", (sole_winner(after),))] if after.node == Node.OVER else []
    if before.node != Node.COAL or action != DEVIL:
        return ended
    if before.turn == viewer:
        return [Moment("burnt", (viewer,)), *ended]
    return [*([Moment("wake")] if before.coal[before.turn] >= MUCH_COAL else []), *ended]


def feats(before: State, seat: int, action: int, after: State) -> list[Feat]:
    """The best haul of a round that was settled, as the log tells it."""
    settled = before.node in (Node.PULL, Node.COAL) and after.node in (Node.BET, Node.OVER)
    best = int(after.last_coal.max())
    if not settled or best <= 0:
        return []
    who = [i for i in range(after.seats) if after.last_coal[i] == best]
    return [Feat(say("The great haul"), who, best, say("{coal} in one round", coal=best))]


# -- the scenes --------------------------------------------------------------------------------


HOLE = "M120 400V210C120 70 480 70 480 210V400Z"
ARM = "M-40 -700L-30 -60C-44 -40 -46 -16 -40 4C-30 18 30 18 40 4C46 -16 44 -40 30 -60L40 -700Z"
FINGERS = (  # a hand from behind, pointing down: four fingers and a thumb
    "M-40 -6C-48 20 -46 44 -40 60C-34 66 -26 62 -25 54C-24 36 -24 18 -22 2Z"
    "M-20 0C-24 26 -22 54 -17 72C-11 78 -4 74 -3 66C-2 44 -2 22 -1 2Z"
    "M0 2C0 26 2 50 6 68C12 74 19 70 20 62C20 42 20 20 19 0Z"
    "M21 0C24 18 27 36 30 52C36 58 43 53 43 46C43 28 41 10 40 -6Z"
)
TIPS = (
    "M-44 46C-40 66 -28 66 -25 48ZM-20 58C-14 78 -4 74 -3 58ZM3 56C8 76 19 72 20 54Z"
    "M28 42C34 60 43 54 43 40Z"
)
FLAG = "M0 0C60 -22 110 22 186 -2L156 52L186 106C110 128 60 84 0 106Z"
COINS = (500, 50, 200, 20, 100, 10, 500, 50, 200, 1000, 20, 100)  # they rain from left to right
THUMB = "M36 -30C52 -22 62 -4 64 14C62 22 53 24 48 18C44 4 38 -4 30 -8Z"


@cache
def scenes() -> Svg:
    """All scenes of the game."""
    parts = (
        group(_hand(), id="stage-hand"),
        group(puppet("triumph"), id="stage-winner"),
        *(group(mark(seat, 62), id=f"stage-mark-{seat}") for seat in range(MARKED_SEATS)),
        group(id="stage-mark-all"),
    )
    return scene_file(("sleep", "wild", "burnt"), parts, _wake(), _burnt(), _flag())


def _hand() -> Svg:
    knuckles = gouges([(-30, -14, -26, -4), (-10, -12, -9, 0), (10, -12, 10, 0), (28, -14, 27, -4)])
    return group(cut(THUMB, "skin"), cut(FINGERS, "skin"), cut(ARM, "skin", knuckles))


def _wake() -> Svg:
    """He sleeps in his nightcap; then the cap flies off, and he roars."""
    asleep = (Key(0, y=8), Key(110), Key(140, shown=0))
    cap = (Key(0, y=8), Key(130), Key(600, x=250, y=-260, turn=200))
    # He stays unseen until the cap is off, then swells in three jerks.
    awake = (
        Key(0, shown=0, wide=0.7, high=0.7),
        Key(120, shown=0, wide=0.7, high=0.7),
        Key(140, wide=0.7, high=0.7),
        Key(270, wide=1.25, high=1.25, turn=-5),
        Key(350, wide=1.1, high=1.1, turn=5),
        Key(430, wide=1.2, high=1.2, turn=-4),
        Key(520, wide=1.15, high=1.15),
    )
    fire = (Key(0, high=0.35, wide=0.8), Key(130, high=0.35, wide=0.8), Key(290, high=1.3))
    return scene(
        "wake",
        700,
        400,
        group(path(HOLE, "mouth"), class_="coals"),
        placed(300, 400, acted(fire, props.flames(420, 330)), class_="coals"),
        placed(
            300,
            290,
            acted(asleep, group(use("head-sleep"), transform="scale(1.5)")),
            acted(awake, group(use("head-wild"), transform="scale(1.6)"), class_="object"),
            acted(cap, group(props.nightcap(), transform="scale(1.5)")),
            class_="devil",
        ),
        heard="snort 60",
    )


def _burnt() -> Svg:
    """The hand shoots out of the fire, its fingers aflame, and its owner has smoke in his hair."""
    hand = (
        Key(0, y=150),
        Key(83, y=-40),
        *(Key(123 + 35 * k, y=-40, turn=14 if k % 2 else -14) for k in range(10)),
        Key(515, y=-30),
    )
    flame = (Key(0), Key(464), Key(617, high=0.2, wide=0.4), Key(670, high=0, wide=0))
    smoke = (Key(0, shown=0), Key(360, shown=0, y=30), Key(515, y=0), Key(772, y=-12, shown=0.8))
    # Black fingertips are what is left when the flames are out.
    sooty = (Key(0, shown=0), Key(464, shown=0), Key(617))
    burning = acted(
        hand,
        group(
            use("hand"),
            acted(sooty, path(TIPS, "black")),
            *(
                placed(x, y, acted(flame, props.flames(38, 60)), turn=180 + lean)
                for x, y, lean in ((-34, 58, 12), (-11, 70, 4), (12, 66, -4), (36, 50, -12))
            ),
            transform="rotate(180) scale(1.55)",
        ),
        class_="object",
    )
    return scene(
        "burnt",
        772,
        288,
        group(
            placed(
                175,
                300,
                placed(0, 0, use("head-burnt"), scale=1.6),
                acted(smoke, group(props.smoke(), transform="translate(0 150) scale(1.5)")),
            ),
            placed(430, 260, burning),
            class_="devil",
            data_put=0,
        ),
        heard="burn 30",
    )


def _flag() -> Svg:
    """The winner's flag goes up, and he is lifted by the coins that rain on him."""
    heap = [
        placed(32 * (k % 7) + 16 * (k // 7), -26 * (k // 7), pieces.chip(value, 25))
        for k, value in enumerate(COINS)
    ]
    # Width, height and place of each fire.
    places = (300, 250, 300), (150, 190, 190), (150, 190, 415)
    fire = (placed(x, 400, props.flames(wide, high)) for wide, high, x in places)
    mark = placed(82, 53, use("mark-", data_put=0))
    waving = acted(
        swaying(150, 23, wide=0.9, turn=3), cut(FLAG, "seat-fill"), mark, class_="object"
    )
    flag = acted(keys("500 y270; 1800"), group(waving, data_put=0))
    winner = placed(0, -120, use("winner"), scale=0.72)
    lifted = acted(
        keys("300 y190; 2300"),
        placed(-95, 0, *heap),
        acted(swaying(200, 17, y=-18), winner),
    )
    return scene(
        "flag",
        3400,
        2400,
        group(path(HOLE, "mouth"), *fire, class_="coals"),
        placed(372, 50, cut("M-6 380V-26L6 -26V380Z", "iron"), flag),
        placed(180, 382, lifted, class_="devil", data_put=0),
        # One coin after the other, and no two in a row at the same place.
        *(
            placed(
                50 + 83 * k % 270,
                -130,
                acted(keys("350; 870 y560 turn300", 150 * k), pieces.chip(value, 22)),
            )
            for k, value in enumerate(COINS)
        ),
        heard="scrape 400;" + ";".join(f"coin {700 + 140 * k}" for k in range(9)),
    )
