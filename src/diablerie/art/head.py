"""The devil's head, in every mood. Its neck is at (0, 0); it is about 130 wide and 150 high."""

from functools import cache
from typing import NamedTuple

from diablerie.art.cut import cut, gouges, wedge
from diablerie.art.svg import Svg, circle, element, group, path

FACE = (
    "M0 -95C27 -96 45 -80 45 -56C45 -38 40 -22 30 -8C22 4 12 9 1 9C-10 9 -21 4 -29 -8"
    "C-39 -22 -45 -38 -45 -56C-45 -80 -27 -96 0 -95Z"
)
EAR_RIGHT = "M40 -66C54 -68 66 -76 76 -92C80 -68 68 -44 40 -38Z"
EAR_LEFT = "M-40 -66C-54 -66 -68 -72 -80 -86C-80 -62 -66 -42 -40 -38Z"
HORN_RIGHT = "M12 -88C15 -108 30 -116 33 -148C50 -128 51 -98 34 -80Z"
# The left horn is broken off.
HORN_LEFT = (
    "M-12 -88C-14 -104 -27 -111 -31 -128L-38 -121L-42 -129L-48 -122C-50 -105 -44 -91 -34 -80Z"
)
HAIR = (
    "M-46 -58C-48 -84 -28 -98 0 -97C28 -98 48 -84 46 -58C42 -74 32 -84 20 -83"
    "C10 -82 5 -75 1 -63C-4 -75 -9 -82 -19 -83C-31 -85 -41 -74 -46 -58Z"
)
STRANDS = (
    (-38, -78, -20, -91),
    (-27, -80, -8, -93),
    (8, -93, 27, -81),
    (21, -91, 39, -77),
    (-6, -80, -2, -92),
    (8, -81, 5, -92),
)
SINGED = (
    "M-46 -60L-52 -78L-40 -76L-44 -98L-28 -86L-24 -110L-12 -92L-2 -114L6 -93L20 -109L23 -89L40 -100"
    "L37 -80L52 -82L46 -60C42 -72 32 -78 20 -76C10 -74 5 -72 1 -64C-4 -72 -9 -74 -19 -76"
    "C-31 -78 -41 -72 -46 -60Z"
)
GOATEE = "M-13 3C-6 -3 8 -3 16 3C14 14 10 24 17 38C4 33 -7 19 -13 3Z"
FACE_SHADE = (
    "M27 -86C40 -80 45 -68 45 -56C45 -38 40 -22 30 -8C22 4 12 9 1 9C22 0 32 -18 34 -40"
    "C35 -58 33 -74 27 -86Z"
)
NOSE = "M-5 -54C-2 -44 -8 -38 -9 -32C-10 -25 -3 -25 2 -26C8 -21 20 -20 22 -27C24 -34 11 -38 6 -54"

MOODS = ("grin", "think", "triumph", "burnt", "sleep", "wild", "sly", "sulk")


class Mood(NamedTuple):
    """What a mood changes: brows (wedges), eyes (by name), where they look, mouth (by name)."""

    brows: tuple[tuple[float, float, float, float], tuple[float, float, float, float]]
    eyes: str
    look: tuple[float, float]
    mouth: str


FACES = {
    "grin": Mood(((-8, -57, -38, -71), (9, -57, 40, -72)), "open", (3, 1), "grin"),
    "think": Mood(((-9, -60, -38, -63), (9, -66, 38, -76)), "open", (4, -3), "aside"),
    "triumph": Mood(((-10, -66, -36, -78), (11, -66, 38, -79)), "happy", (0, 0), "laugh"),
    "burnt": Mood(((-10, -76, -32, -68), (12, -76, 34, -68)), "round", (0, 0), "wobble"),
    "sleep": Mood(((-9, -60, -36, -64), (10, -60, 38, -64)), "shut", (0, 0), "snore"),
    "wild": Mood(((-6, -60, -38, -78), (7, -60, 40, -79)), "round", (1, 2), "roar"),
    "sly": Mood(((-8, -56, -38, -64), (9, -56, 40, -64)), "half", (3, 2), "smirk"),
    "sulk": Mood(((-8, -55, -38, -66), (9, -55, 40, -66)), "half", (0, 2), "frown"),
}


@cache
def head(mood: str = "grin") -> Svg:
    """The head alone, as a group."""
    face = FACES[mood]
    features = (
        _shade(),
        path(SINGED if mood == "burnt" else HAIR, "black"),
        path("".join(wedge(*strand, 2.6) for strand in STRANDS), "glint"),
        _eyes(face),
        path("".join(wedge(*brow, 13) for brow in face.brows), "black"),
        MOUTHS[face.mouth],
        path(NOSE, "ink-fine skin"),
        _soot() if mood == "burnt" else None,
    )
    # Horns and ears lie behind the face.
    return group(
        _horns(),
        cut(EAR_LEFT, "skin", path("M-72 -78C-62 -62 -54 -54 -44 -48", "ink-fine")),
        cut(EAR_RIGHT, "skin", path("M70 -82C62 -64 54 -56 45 -50", "ink-fine")),
        element("path", d="M-62 -52C-70 -46 -64 -36 -58 -42", class_="ring"),
        cut(FACE, "skin", *features),
        path(GOATEE, "black rim"),
        class_="devil-head",
    )


def _horns() -> Svg:
    rings = (
        path("M17 -98Q28 -92 42 -96M22 -108Q32 -104 44 -108M28 -119Q36 -116 44 -120", "ink-fine"),
        path("M-17 -98Q-28 -92 -44 -98M-22 -108Q-34 -104 -48 -110", "ink-fine"),
    )
    return group(cut(HORN_RIGHT, "horn", rings[0]), cut(HORN_LEFT, "horn", rings[1]))


def _shade() -> Svg:
    """The shaded side of the face, with cuts along its border."""
    cheek = [(41 - i * 1.3, -58 + i * 8, 29 - i * 2.2, -54 + i * 7.4) for i in range(7)]
    jaw = [(-42 + i * 2.8, -38 + i * 8, -35 + i * 2.4, -38 + i * 7) for i in range(5)]
    return group(path(FACE_SHADE, "shade"), gouges([*cheek, *jaw], 2.8))


EYE_OUTLINE = "M{a} -50C{b} -62 {c} -62 {d} -51C{c} -43 {b} -42 {a} -50Z"
LEFT_EYE = {"a": -31, "b": -27, "c": -14, "d": -9}
RIGHT_EYE = {"a": 33, "b": 29, "c": 16, "d": 11}


def _eyes(face: Mood) -> Svg:
    if face.eyes in ("happy", "shut"):
        return path(LIDS[face.eyes], "ink-bold")
    return group(_eye(face, LEFT_EYE, -20), _eye(face, RIGHT_EYE, 22))


LIDS = {
    "happy": "M-32 -48Q-20 -64 -9 -49M12 -49Q23 -64 35 -48",
    "shut": (
        "M-32 -53Q-20 -42 -9 -52M12 -52Q23 -42 35 -53M-30 -46l-4 4M-21 -43l-1 5M24 -43l1 5"
        "M33 -46l4 4"
    ),
}


def _eye(face: Mood, corners: dict[str, int], x: float) -> Svg:
    dx, dy = face.look
    white = path(EYE_OUTLINE.format(**corners), "white ink-line")
    if face.eyes == "round":
        white = circle(x, -54, 13, "white ink-line")
        return group(white, circle(x + dx, -53 + dy, 4.2, "black"))
    lid = None
    if face.eyes == "half":
        a = corners["a"]
        d = corners["d"]
        lid = path(f"M{a} -51C{a * 0.8:.0f} -63 {d * 1.4:.0f} -63 {d} -51Z", "skin ink-line")
    pupil = group(circle(x + dx, -51 + dy, 4.8, "iris"), circle(x + dx, -51 + dy, 2.6, "black"))
    return group(white, pupil, lid)


MOUTHS = {
    "grin": group(
        path("M-31 -25C-20 1 20 2 34 -28C20 -15 -12 -12 -31 -25Z", "white ink-line"),
        path("M-18 -17L-16 -9M-7 -14L-6 -5M5 -13.500L5 -4.500M25 -20L24 -11", "ink-fine"),
        path("M15 -16L23 -19.500L22 -10L15 -7Z", "gold-fill ink-fine"),
        path("M-35 -28Q-32 -25 -27 -24M38 -32Q35 -28 30 -26", "ink-fine"),
    ),
    "aside": path("M-18 -11Q2 -6 20 -14Q25 -17 25 -21", "ink-bold"),
    "laugh": group(
        path("M-31 -24Q0 -14 34 -26C34 -6 18 5 2 5C-14 5 -30 -6 -31 -24Z", "throat ink-line"),
        path("M-15 1Q2 -12 19 0Q10 5 2 5Q-7 5 -15 1Z", "tongue"),
        path("M-31 -24Q0 -14 34 -26L32 -18Q0 -7 -28 -16Z", "white ink-fine"),
        path("M19 -21L28 -23.500L27 -15.500L19 -13Z", "gold-fill ink-fine"),
    ),
    "wobble": path("M-22 -10Q-16 -18 -10 -11T2 -11T14 -12T25 -16", "ink-bold"),
    "snore": path("M3 -9C3 -17 17 -17 17 -9C17 -2 3 -2 3 -9Z", "throat ink-line"),
    "roar": group(
        path("M-29 -22Q0 -17 33 -24C35 -4 20 6 2 6C-16 6 -30 -4 -29 -22Z", "throat ink-line"),
        path("M-14 3Q2 -9 19 2Q10 6 2 6Q-6 6 -14 3Z", "tongue"),
        path(
            "M-29 -22L-21 -8L-15 -19L-6 -18L-1 -12L5 -18L16 -20L24 -8L33 -24Q0 -17 -29 -22Z",
            "white ink-fine",
        ),
    ),
    "smirk": group(
        path("M-20 -13Q10 -5 32 -25", "ink-bold"), path("M33 -31Q39 -27 35 -20", "ink-fine")
    ),
    "frown": path("M-18 -7Q4 -16 24 -8", "ink-bold"),
}


def _soot() -> Svg:
    """Soot smears of a burnt face."""
    smears = [
        (-40, -34, -18, -30),
        (-38, -28, -20, -24),
        (20, -34, 42, -40),
        (18, -28, 40, -32),
        (-8, -70, 20, -72),
        (-30, -4, -12, 2),
    ]
    return path("".join(wedge(*smear, 9) for smear in smears), "soot")
