"""Draw the reliability diagram: `python -m tools.reliability [FOLDER]`, else docs/calibration.

A panel for each game, from the NAME.json that `diablerie calibrate … --json` has written there: how
often chances were won, over what was told, by tenths, with 95 % intervals. Points on the diagonal
are right; where a temperature mends what was played out, hollow points are without it.
"""

import sys
from itertools import starmap
from pathlib import Path

import msgspec

from diablerie.art.svg import Svg, at, circle, element, group, path, svg, svg_text
from diablerie.games import ALL
from diablerie.lab.calibration.reliability import Tenth
from diablerie.lab.calibration.study import CalibrationSummary
from diablerie.web.html import assets
from tools.pictures import SCHEMES, resolved

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "docs" / "calibration"
SIDE, GAP, LEFT, TOP = 190, 62, 52, 40  # of a panel; between panels; margins
WIDE, HIGH = 2 * SIDE + GAP + LEFT + 24, 2 * SIDE + GAP + TOP + 30
LEVELS = (0, 25, 50, 75, 100)  # percent
STYLE = """
svg { background: var(--surface); font: 13px Georgia, 'Times New Roman', serif; }
text { fill: var(--ink-2); } .name { fill: var(--ink); font-weight: bold; font-size: 15px; }
.grid { stroke: var(--line); } .even { stroke: var(--line-2); stroke-dasharray: 5 4; }
.range { stroke: var(--accent); stroke-width: 2; }
.told { fill: var(--accent); } .raw { fill: none; stroke: var(--ink-2); stroke-width: 1.3; }
.left { text-anchor: end; } .below { text-anchor: middle; }
"""


def main() -> None:
    """Write reliability-light.svg and reliability-dark.svg."""
    folder = Path(*sys.argv[1:2]) if sys.argv[1:] else FOLDER
    found = [read(folder / f"{name}.json") for name in ALL if (folder / f"{name}.json").exists()]
    for scheme in SCHEMES:
        (folder / f"reliability-{scheme}.svg").write_text(picture(found, scheme), "utf-8")


def read(file: Path) -> CalibrationSummary:
    """What was measured of a game."""
    return msgspec.json.decode(file.read_bytes(), type=CalibrationSummary)


def picture(found: list[CalibrationSummary], scheme: str) -> str:
    """The diagram, as an SVG file that needs nothing else."""
    drawn = svg(WIDE, HIGH, element("style", Svg(coloured(STYLE, scheme))),
                list(starmap(panel, enumerate(found))),
                title="How often chances were won, over what was told")  # fmt: skip
    return f"{drawn}\n"


def coloured(style: str, scheme: str) -> str:
    """A style with the colours of the page, in one scheme."""
    tokens = assets.contents()["tokens.css"].decode()
    while "light-dark(" in tokens:
        tokens = resolved(tokens, scheme)
    for line in tokens.splitlines():
        name, colon, value = line.strip().partition(": ")
        if colon and name.startswith("--"):
            style = style.replace(f"var({name})", value.rstrip(";"))
    return style


def panel(number: int, one: CalibrationSummary) -> Svg:
    """One game's panel, at its place."""
    x, y = LEFT + number % 2 * (SIDE + GAP), TOP + number // 2 * (SIDE + GAP)
    hollow = [] if one.temperature == 1 else [_point(k, "raw") for k in one.raw.tenths]
    return group(
        svg_text(0, -12, str(ALL[one.config.game].title), "name"),
        svg_text(SIDE, -12, f"{one.games} games", "left"),
        [_level(percent) for percent in LEVELS],
        path(f"M0 {SIDE}L{SIDE} 0", "even"),
        hollow,
        [_range(k) for k in one.told.tenths],
        [_point(k, "told") for k in one.told.tenths],
        transform=at(x, y),
    )


def _level(percent: int) -> Svg:
    way = percent / 100 * SIDE
    return group(
        path(f"M0 {SIDE - way:.1f}H{SIDE}M{way:.1f} 0V{SIDE}", "grid"),
        svg_text(-6, SIDE - way + 4, f"{percent}%", "left"),
        svg_text(way, SIDE + 17, f"{percent}%", "below") if percent % 50 == 0 else None,
    )


def _range(one: Tenth) -> Svg:
    x, low, high = one.told * SIDE, one.won.low * SIDE, one.won.high * SIDE
    return path(f"M{x:.1f} {SIDE - low:.1f}V{SIDE - high:.1f}", "range")


def _point(one: Tenth, klass: str) -> Svg:
    return circle(one.told * SIDE, SIDE - one.won.value * SIDE, 4.2, klass)


if __name__ == "__main__":
    main()
