"""Things the devil holds or wears, and what stands behind him or in front of him.

Scenes, the second part, are in the coordinates of the figure.
"""

from functools import cache

from diablerie.art.cut import cut
from diablerie.art.svg import Svg, circle, group, path, placed, svg_text

FORK = (
    "M-3 120L-3 -34C-14 -34 -20 -42 -20 -52L-24 -78L-15 -66L-13 -50C-12 -44 -8 -42 -4 -42L-4 -70"
    "L0 -86L5 -70L5 -42C9 -42 12 -44 13 -50L16 -66L25 -78L20 -52C20 -42 14 -34 4 -34L4 120Z"
)
SCROLL = "M-30 -44C-24 -50 26 -50 32 -44L30 -36L32 40C26 48 -24 46 -31 40L-28 -30Z"
LADLE = "M-3 26L-3 -46C-22 -46 -22 -78 0 -78C22 -78 23 -46 4 -46L4 26C4 31 -3 31 -3 26Z"
NIGHTCAP = (
    "M-44 -66C-38 -104 -4 -116 28 -108C56 -100 74 -80 86 -46L74 -48C66 -64 58 -74 44 -78"
    "L45 -60C16 -74 -18 -76 -44 -66Z"
)


@cache
def fork() -> Svg:
    """A three-pronged fork, held at (0, 0)."""
    return cut(FORK, "iron", path("M1 -30L1 116", "cut-light"))


@cache
def scroll() -> Svg:
    """The contract: the devil's pact, with its seal."""
    lines = "M-20 -32H22M-20 -22H18M-20 -12H22M-20 -2H8M-20 8H20M-20 18H-2"
    seal = group(circle(14, 28, 10, "seal"), path("M10 33L14 22L18 33M9 25L19 25", "ink-fine"))
    sheet = cut(SCROLL, "white", path(lines, "ink-fine"), seal)
    return group(sheet, transform="translate(22 36) rotate(4) scale(1.15)")


@cache
def ladle() -> Svg:
    """A cook's ladle, held at (0, -40)."""
    return cut(LADLE, "iron", path("M-11 -66Q0 -74 12 -66", "cut-light"))


@cache
def nightcap() -> Svg:
    """Worn on the head, at its coordinates."""
    stripes = "M-14 -107L-20 -74M16 -110L12 -72M46 -101L38 -79M66 -86L56 -72"
    bobble = group(circle(81, -42, 13, "edge"), circle(81, -42, 11, "white ink-line"))
    return group(cut(NIGHTCAP, "white", path(stripes, "stripe")), bobble)


@cache
def toque() -> Svg:
    """A cook's cap, for devils who work in the kitchen."""
    puff = (
        "M-38 -86C-66 -96 -62 -134 -32 -132C-26 -154 20 -158 28 -136C60 -142 68 -100 40 -86"
        "L38 -64C14 -74 -16 -74 -36 -64Z"
    )
    folds = "M-37 -84Q0 -96 39 -84M-14 -92L-18 -116M14 -92L18 -118M0 -92V-108"
    cap = cut(puff, "white", path(folds, "ink-fine"))
    return group(cap, transform="translate(-20 -22) rotate(-17) scale(.82)")


@cache
def flames(width: float = 120, height: float = 90) -> Svg:
    """A tongue of fire standing on (0, 0), as three cut layers."""
    outer = (
        "M-60 0C-72 -30 -46 -40 -50 -66C-34 -56 -30 -46 -28 -38C-24 -64 -8 -70 -6 -96"
        "C12 -78 16 -60 14 -46C24 -54 26 -64 26 -76C46 -56 34 -44 44 -34C50 -38 52 -42 53 -48"
        "C70 -26 66 -10 58 0Z"
    )
    inner = (
        "M-34 0C-42 -20 -26 -28 -26 -42C-16 -32 -14 -26 -12 -20C-8 -38 2 -42 3 -58"
        "C14 -44 16 -32 14 -24C22 -28 24 -34 25 -40C36 -24 36 -8 32 0Z"
    )
    shape = group(cut(outer, "flame"), path(inner, "flame-2"))
    return group(shape, transform=f"scale({width / 120:.3f} {height / 96:.3f})")


@cache
def lump(turn: int = 0) -> Svg:
    """A lump of coal, about 44 wide, round (0, 0)."""
    outline = "M-22 4L-14 -14L4 -19L20 -8L23 8L8 18L-12 17Z"
    facets = "M-14 -14L-2 -4L4 -19M-2 -4L20 -8M-2 -4L2 17M-22 4L-2 -4"
    return group(cut(outline, "fur", path(facets, "cut-light")), transform=f"rotate({turn})")


@cache
def heap() -> Svg:
    """A heap of coal to sleep on, its top near (0, -30)."""
    spots = (
        (-104, 44),
        (-62, 40),
        (-20, 42),
        (24, 40),
        (68, 42),
        (108, 46),
        (-80, 16),
        (-42, 12),
        (-2, 14),
        (38, 10),
        (78, 18),
        (-20, -12),
        (18, -14),
    )
    # Turned each by another angle, so that one drawing serves for all.
    placed = [
        group(lump(i * 50), transform=f"translate({x} {y})") for i, (x, y) in enumerate(spots)
    ]
    return group(*placed)


# -- scenes ----------------------------------------------------------------------------------------


def stove() -> Svg:
    """The stove, open; the Oberteufel lives in it."""
    bars = "M-54 22L-51 58M-34 22L-32 58M-14 22L-13 58M14 22L13 58M34 22L32 58M54 22L51 58"
    window = (path("M-62 16L-58 64L58 64L62 16Z", "flame"), path(bars, "ink-bar"))
    return group(
        cut("M-72 74L-62 92L-48 92L-50 74ZM72 74L62 92L48 92L50 74Z", "iron"),
        cut("M-86 0L-78 74L78 74L86 0Z", "iron", *window),
        cut("M-100 -12L100 -12L94 6L-94 6Z", "iron", path("M-90 -6H90", "cut-light")),
        transform="translate(0 24)",
    )


def burst() -> Svg:
    """Fire that blows the lid off."""
    handle = cut("M-10 -20L-6 -32L8 -32L11 -20Z", "gold-fill")
    light = path("M-50 -6C-30 -18 30 -18 50 -6", "cut-light")
    lid = cut("M-70 0C-60 -26 60 -26 70 0Z", "iron", light)
    return group(
        placed(88, -240, lid, handle, turn=34),
        placed(0, 40, flames(190, 150)),
    )


def smoke() -> Svg:
    """Smoke above a singed head."""
    puffs = ((-30, -246, 12), (-16, -268, 16), (6, -286, 11), (26, -252, 10), (38, -272, 14))
    return group(*(_puff(*puff) for puff in puffs))


def _puff(x: float, y: float, r: float) -> Svg:
    curl = f"M{x - r / 2} {y}q{r / 2} {-r / 2} {r} 0"
    return group(circle(x, y, r, "puff"), path(curl, "ink-fine"))


def bed() -> Svg:
    """The heap of coal as a bed."""
    return placed(0, 50, heap())


def snore() -> Svg:
    """Letters z for snoring."""
    spots = ((96, -176, 24), (116, -208, 32), (138, -246, 44))
    return group(*(svg_text(x, y, "z", "snore", size) for x, y, size in spots))


def sparks() -> Svg:
    """Rays of triumph."""
    rays = (
        "M-96 -214L-118 -236M-120 -176L-148 -184M102 -214L124 -236M126 -176L154 -184"
        "M0 -262L0 -288M-54 -246L-66 -272M56 -246L68 -272"
    )
    return path(rays, "spark")
