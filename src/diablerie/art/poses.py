"""The devil's poses, as angles of his joints: 0 hangs down, positive swings to the left."""

from collections.abc import Callable
from typing import NamedTuple

from diablerie.art import props
from diablerie.art.svg import Svg


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
