"""The devil: a jointed paper puppet, posed by the angles of its joints.

    figure("think")          a complete <svg>
    figure("grin", seat=2)   the same in the colour of a seat
    avatar("sly", seat=4)    the head alone
    puppet("leap")           the figure as a group, for a larger picture

A new pose is an entry in POSES, a new mood one in `head.FACES`.
"""

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

from diablerie.art import props
from diablerie.art.cut import cut, gouges, pin
from diablerie.art.head import head
from diablerie.art.svg import Svg, group, path, placed, svg

# -- its parts below the neck, each with its joint at (0, 0) -----------------------------------


# from joint to joint
UPPER_ARM = 42
FOREARM = 40
THIGH = 42
SHIN = 44

TORSO = (
    "M-21 -88C-35 -74 -43 -40 -38 -10C-33 16 31 18 39 -8C45 -40 36 -74 21 -88"
    "C10 -93 -10 -93 -21 -88Z"
)
TORSO_SHADE = "M21 -88C36 -74 45 -40 39 -8C34 8 16 13 0 12C24 4 32 -26 28 -52C26 -70 22 -80 14 -90Z"
PELT = (
    "M-40 -16L-33 -8L-27 -16L-19 -7L-12 -15L-3 -6L5 -15L13 -7L20 -16L28 -8L34 -16L41 -14"
    "C44 14 26 24 0 24C-26 24 -43 14 -40 -16Z"
)


@cache
def torso() -> Svg:
    """Belly and breeches of fur; the neck is at (0, -88)."""
    belly = [(38 - i, -58 + i * 7, 22 - i * 2, -52 + i * 6.4) for i in range(6)]
    hair = ((-2, -68, -10, -60), (3, -70, 2, -59), (-10, -70, -18, -64), (9, -68, 13, -59))
    return group(
        cut(
            TORSO,
            "skin",
            path(TORSO_SHADE, "shade"),
            gouges([*belly, *hair], 2.8),
            path("M-3 -33q3 3 6 0", "ink-fine"),
        ),
        cut(PELT, "fur", _tufts(-34, 34, -2, 7)),
    )


def _tufts(left: int, right: int, y: int, count: int) -> Svg:
    """Light cuts in the fur."""
    step = (right - left) / (count - 1)
    marks = "".join(f"M{left + i * step:.0f} {y + (i % 2) * 7}l2 9" for i in range(count))
    return path(marks, "cut-light")


RUFF = (
    "M-40 -4L-31 -13L-27 -3L-18 -15L-12 -5L-3 -17L4 -5L13 -15L18 -4L29 -13L32 -3L41 -5"
    "L32 6L27 3L23 13L15 6L10 17L2 8L-4 18L-10 8L-17 15L-21 6L-29 11L-31 4Z"
)


@cache
def ruff() -> Svg:
    """A worn ruff around the neck, which it hides."""
    folds = "M-27 -3L-29 11M-12 -5L-17 15M4 -5L2 8M-3 -17L-4 18M18 -4L23 13M13 -15L10 17M32 -3L27 3"
    return cut(RUFF, "white", path(folds, "ink-fine"))


ARM_OUTLINE = "M-8 -4C-10 12 -7 30 -6 44C-2 48 4 48 7 44C9 30 10 12 8 -4C4 -10 -4 -10 -8 -4Z"
FOREARM_OUTLINE = "M-7 -3C-9 10 -6 26 -5 40C-2 43 3 43 5 40C7 26 8 10 7 -3C4 -8 -4 -8 -7 -3Z"
HANDS = {
    "open": "M-6 -2C-10 4 -12 9 -19 12C-13 14 -9 13 -7 11C-8 17 -9 21 -13 27C-7 26 -4 21 -2 16"
    "C-1 21 1 25 1 31C5 26 5 20 4 15C8 19 11 21 16 24C14 17 10 12 8 8C7 3 7 0 6 -3Z",
    "fist": "M-7 -2C-11 3 -12 10 -8 15C-3 19 6 18 10 14C13 9 11 3 7 -2Z",
    "point": (
        "M-6 -2C-10 4 -10 9 -7 13C-5 15 -2 15 0 14C0 20 0 26 2 35C6 28 7 20 7 13C9 8 8 2 6 -3Z"
    ),
}


@cache
def arm(elbow: float, hand: str, wrist: float = 0, prop: Svg | None = None) -> Svg:
    """An arm hanging down from its shoulder, bent by `elbow` degrees."""
    knuckles = path("M-6 9l3 4M-1 10l2 5M4 9l3 4", "ink-fine") if hand == "fist" else None
    palm = placed(0, FOREARM, prop, cut(HANDS[hand], "skin", knuckles), turn=wrist)
    cuts = gouges([(6, i * 7 + 2, -1, i * 7 + 5) for i in range(5)], 2.2)
    lower = placed(0, UPPER_ARM, palm, cut(FOREARM_OUTLINE, "skin", cuts), turn=elbow)
    return group(lower, cut(ARM_OUTLINE, "skin", cuts), pin(0, UPPER_ARM), pin(0, 0))


LEG_OUTLINE = "M-17 -10C-21 8 -15 28 -9 46C-4 50 5 50 9 46C14 30 20 8 17 -10C8 -20 -8 -20 -17 -10Z"
CALF = (
    "M-10 -5C-13 6 -12 14 -15 20L-9 20C-10 28 -8 36 -7 42L8 42C9 34 11 28 9 20L15 19"
    "C11 12 12 4 9 -5C5 -10 -6 -10 -10 -5Z"
)
HOOF = "M-9 -1C-14 6 -16 12 -17 18L0 18L2 12L4 18L20 18C17 10 13 5 10 -1Z"


@cache
def leg(knee: float, ankle: float = 0) -> Svg:
    """A goat's leg hanging down from its hip, bent by `knee` degrees."""
    hoof = placed(0, 42, cut(HOOF, "horn", path("M-12 8Q0 4 15 8", "ink-fine")), turn=ankle)
    lower = placed(0, THIGH, hoof, cut(CALF, "fur", _tufts(-5, 5, 6, 3)), turn=knee)
    return group(lower, cut(LEG_OUTLINE, "fur", _tufts(-9, 9, 2, 4), _tufts(-6, 6, 22, 3)))


SPADE = (
    "M0 6C-4 -2 -14 -2 -18 8C-10 6 -8 10 -7 13C-5 22 -2 28 2 36C4 28 6 22 8 14"
    "C9 10 12 6 20 8C15 -2 5 -2 0 6Z"
)


def tail(curve: str, x: float, y: float, turn: float) -> Svg:
    """The tail along `curve`, its spade at (x, y) pointing down, turned by `turn`."""
    layers = [path(curve, f"tail-{name}") for name in ("edge", "ink", "skin")]
    tip = placed(x, y, cut(SPADE, "skin", gouges([(8, 12, 1, 18), (6, 18, 1, 23)], 2)), turn=turn)
    return group(*layers, tip)


# -- poses -------------------------------------------------------------------------------------


class Limb(NamedTuple):
    """Angles at shoulder or hip and at elbow or knee, of hand or hoof, and what the hand does."""

    root: float
    bend: float
    tip: float = 0
    hand: str = "open"


class Tail(NamedTuple):
    """A curve from the hips, and where its spade hangs and how it is turned."""

    curve: str
    x: float
    y: float
    turn: float


class Pose(NamedTuple):
    """The whole puppet. Left and right are the picture's."""

    mood: str
    left: Limb
    right: Limb
    left_leg: Limb
    right_leg: Limb
    tail: Tail
    lean: float = 0  # of the body
    nod: float = 0  # of the head
    drop: float = 0  # how much lower than standing
    held: Callable[[], Svg] | None = None  # in the right hand, upright
    tilt: float = 0  # of what is held
    over: bool = False  # the right arm before the head
    behind: Callable[[], Svg] | None = None
    before: Callable[[], Svg] | None = None
    hat: Callable[[], Svg] | None = None


LOW_TAIL = Tail("M12 0C50 22 84 24 104 4C112 -6 108 -20 98 -20", 100, -20, 88)
HIGH_TAIL = Tail("M10 -2C56 -4 88 -30 84 -62C80 -84 100 -92 112 -92", 110, -92, 260)
LEFT_TAIL = Tail("M-8 -4C-52 4 -92 -18 -84 -54C-80 -72 -98 -78 -110 -74", -108, -75, 74)
LIMP_TAIL = Tail("M12 0C48 16 60 40 74 22C82 8 92 40 108 26", 106, 28, -70)
BED_TAIL = Tail("M14 4C60 0 92 -8 122 14", 120, 12, -46)

AKIMBO = Limb(52, -104, -20, "fist")

POSES: dict[str, Pose] = {
    "grin": Pose(
        "grin",
        AKIMBO,
        Limb(-70, -24, 0, "fist"),
        Limb(10, -4),
        Limb(-13, 6, 4),
        LEFT_TAIL,
        held=props.fork,
        tilt=6,
    ),
    "think": Pose(
        "think",
        Limb(16, -88, 0, "fist"),
        Limb(-30, 168, 4, "point"),
        Limb(4, -2),
        Limb(-16, 22, -4),
        LOW_TAIL,
        lean=-3,
        nod=7,
        over=True,
    ),
    "triumph": Pose(
        "triumph",
        Limb(112, 26, 10),
        Limb(-114, -24),
        Limb(12, -6),
        Limb(-64, 74, -6),
        HIGH_TAIL,
        lean=4,
        nod=-6,
        before=props.sparks,
    ),
    "burnt": Pose(
        "burnt",
        Limb(74, -26, -20),
        Limb(-72, 28, 20),
        Limb(16, -30, 14),
        Limb(-16, 30, -14),
        LIMP_TAIL,
        behind=props.smoke,
    ),
    "sleep": Pose(
        "sleep",
        Limb(30, -40),
        Limb(-16, 36),
        Limb(66, -58, 0),
        Limb(-72, 64, 0),
        BED_TAIL,
        nod=16,
        drop=28,
        behind=props.bed,
        before=props.snore,
        hat=props.nightcap,
    ),
    "leap": Pose(
        "wild",
        Limb(116, 18),
        Limb(-112, -22),
        Limb(6, 0),
        Limb(-6, 0),
        HIGH_TAIL,
        drop=-22,
        behind=props.burst,
        before=props.stove,
    ),
    "sneak": Pose(
        "sly",
        Limb(-52, -76, 20),
        Limb(-76, -50, 10),
        Limb(34, 26, -40),
        Limb(-62, 74, 14),
        LEFT_TAIL,
        lean=15,
        nod=-9,
        drop=8,
    ),
    "pact": Pose(
        "sly",
        AKIMBO,
        Limb(-40, -46, 0, "fist"),
        Limb(10, -6),
        Limb(-12, 8),
        LEFT_TAIL,
        nod=5,
        held=props.scroll,
        tilt=-4,
    ),
    "cook": Pose(
        "grin",
        AKIMBO,
        Limb(-52, -76, 0, "fist"),
        Limb(10, -6),
        Limb(-12, 8),
        LEFT_TAIL,
        nod=-4,
        held=props.ladle,
        tilt=14,
        hat=props.toque,
    ),
    "sulk": Pose(
        "sulk",
        Limb(-14, -88, 0, "fist"),
        Limb(14, 88, 0, "fist"),
        Limb(5, -2),
        Limb(-7, 3),
        LOW_TAIL,
        nod=8,
        drop=2,
    ),
}


# -- the puppet --------------------------------------------------------------------------------


def figure(pose: str, seat: int | None = None, title: str | None = None) -> Svg:
    """The devil in a pose, 340 by 420; in a seat's colour, if one is given."""
    return svg(
        340, 420, puppet(pose), left=-170, top=-300, class_=_class("devil", seat), title=title
    )


def poster(pose: str) -> Svg:
    """The devil in the pose that a game names; in another than there are he grins."""
    return figure(pose if pose in POSES else "grin")


def avatar(mood: str, seat: int | None = None, title: str | None = None) -> Svg:
    """The head alone, 180 by 200."""
    return svg(180, 200, head(mood), left=-92, top=-154, class_=_class("devil", seat), title=title)


def _class(name: str, seat: int | None) -> str:
    return name if seat is None else f"{name} seat-{seat}"


@cache
def puppet(name: str) -> Svg:
    """The devil in a pose as a group; his hips are at (0, 0), his hooves at about (0, 108)."""
    pose = POSES[name]
    behind = pose.behind and pose.behind()
    before = pose.before and pose.before()
    return group(behind, _trunk(pose), before, class_="puppet")


def _trunk(pose: Pose) -> Svg:
    """The whole puppet, which leans as one."""
    right = _arm(pose.right, 28, _held(pose))
    return placed(
        0,
        pose.drop,
        tail(*pose.tail),
        _leg(pose.left_leg, -16, pose.lean),
        _leg(pose.right_leg, 16, pose.lean),
        torso(),
        _arm(pose.left, -28),
        None if pose.over else right,
        placed(0, -84, ruff()),
        _head(pose),
        right if pose.over else None,
        turn=pose.lean,
    )


def _held(pose: Pose) -> Svg | None:
    """What the devil holds, turned against the angles of its joints so that it stands upright."""
    if pose.held is None:
        return None
    joints = pose.lean + pose.right.root + pose.right.bend + pose.right.tip
    return placed(0, 8, pose.held(), turn=pose.tilt - joints)


def _head(pose: Pose) -> Svg:
    hat = pose.hat() if pose.hat else None
    return placed(0, -100, head(pose.mood), hat, turn=pose.nod)


def _arm(limb: Limb, x: float, held: Svg | None = None) -> Svg:
    return placed(x, -72, arm(limb.bend, limb.hand, limb.tip, held), turn=limb.root)


def _leg(limb: Limb, x: float, lean: float) -> Svg:
    return placed(x, 4, leg(limb.bend, limb.tip), turn=limb.root - lean)
