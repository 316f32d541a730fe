"""What stands behind the devil or in front of him, in the coordinates of the figure."""

from diablerie.art import props
from diablerie.art.cut import cut
from diablerie.art.svg import Svg, at, circle, group, path, svg_text


def stove() -> Svg:
    """The stove the Oberteufel lives in, open."""
    bars = "M-54 22L-51 58M-34 22L-32 58M-14 22L-13 58M14 22L13 58M34 22L32 58M54 22L51 58"
    window = (path("M-62 16L-58 64L58 64L62 16Z", "flame"), path(bars, "ink-bar"))
    return group(
        cut("M-72 74L-62 92L-48 92L-50 74ZM72 74L62 92L48 92L50 74Z", "iron"),
        cut("M-86 0L-78 74L78 74L86 0Z", "iron", *window),
        cut("M-100 -12L100 -12L94 6L-94 6Z", "iron", path("M-90 -6H90", "cut-light")),
        transform="translate(0 24)",
    )


def burst() -> Svg:
    """Fire, and the lid flying off."""
    handle = cut("M-10 -20L-6 -32L8 -32L11 -20Z", "gold-fill")
    light = path("M-50 -6C-30 -18 30 -18 50 -6", "cut-light")
    lid = cut("M-70 0C-60 -26 60 -26 70 0Z", "iron", light)
    return group(
        group(lid, handle, transform=at(88, -240, 34)),
        group(props.flames(190, 150), transform=at(0, 40)),
    )


def smoke() -> Svg:
    """What rises from a singed head."""
    puffs = ((-30, -246, 12), (-16, -268, 16), (6, -286, 11), (26, -252, 10), (38, -272, 14))
    return group(*(_puff(*puff) for puff in puffs))


def _puff(x: float, y: float, r: float) -> Svg:
    curl = f"M{x - r / 2} {y}q{r / 2} {-r / 2} {r} 0"
    return group(circle(x, y, r, "puff"), path(curl, "ink-fine"))


def bed() -> Svg:
    """A heap of coal: warm enough."""
    return group(props.heap(), transform=at(0, 50))


def snore() -> Svg:
    """Sleep, as it sounds."""
    spots = ((96, -176, 24), (116, -208, 32), (138, -246, 44))
    return group(*(svg_text(x, y, "z", "snore", font_size=size) for x, y, size in spots))


def sparks() -> Svg:
    """Rays of triumph."""
    rays = (
        "M-96 -214L-118 -236M-120 -176L-148 -184M102 -214L124 -236M126 -176L154 -184"
        "M0 -262L0 -288M-54 -246L-66 -272M56 -246L68 -272"
    )
    return path(rays, "spark")
