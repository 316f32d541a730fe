"""Draw the learning curves of what comes with the games: `python -m tools.curves [FILE…]`.

FILE is what `diablerie train --file FILE` keeps; its curve goes into docs/learning/GAME-SEED.json.
The picture has a panel for each game: wins against `sensible` by decisions learnt, counted in fair
shares, so that 1 is what luck brings at a table of any size; a line for each size, with 95 %
intervals. It shows the seeds whose weights come with the games.
"""

import sys
from itertools import starmap
from pathlib import Path

import msgspec
import numpy as np

from diablerie.art.svg import Svg, at, circle, element, group, path, svg, svg_text
from diablerie.games import ALL
from diablerie.lab.train import PolicyTrainingResult
from diablerie.lab.train.training import PolicyLook
from tools.pictures import SCHEMES
from tools.reliability import coloured

FOLDER = Path(__file__).parent.parent / "docs" / "learning"
WIDTH, HEIGHT, GAP, LEFT, TOP = 210, 150, 58, 46, 36  # of a panel; between panels; margins
LEAST, MOST = 0.4, 1.9  # fair shares
LEVELS = (0.5, 1.0, 1.5)
LINE = 13  # pixels between two names
SHIPPED = 1  # the seed whose curve is drawn
STYLE = """
svg { background: var(--surface); font: 13px Georgia, 'Times New Roman', serif; }
text { fill: var(--ink-2); } .name { fill: var(--ink); font-weight: bold; font-size: 15px; }
.grid { stroke: var(--line); } .fair { stroke: var(--line-2); stroke-dasharray: 5 4; }
.line { fill: none; stroke: var(--accent); stroke-width: 1.6; }
.range { stroke: var(--accent); stroke-width: 1; opacity: .5; }
.s3 { stroke-dasharray: 7 3; } .s4 { stroke-dasharray: 2 3; } .dot { fill: var(--accent); }
.left { text-anchor: end; } .below { text-anchor: middle; }
"""


def main() -> None:
    """Keep the curves of the files that are named, and draw all that are kept."""
    for name in sys.argv[1:]:
        found = kept_curve(Path(name))
        to = FOLDER / f"{found.config.game}-{found.config.learner.seed}.json"
        to.write_bytes(msgspec.json.encode(found) + b"\n")
    for scheme in SCHEMES:
        (FOLDER / f"curves-{scheme}.svg").write_text(picture(curves(), scheme), "utf-8")


def kept_curve(file: Path) -> PolicyTrainingResult:
    """The summary in the file of a training."""
    with np.load(file, allow_pickle=False) as arrays:
        head = msgspec.json.decode(arrays["head"].tobytes())
    return msgspec.convert(head["summary"], PolicyTrainingResult)


def curves() -> list[PolicyTrainingResult]:
    """The curves that are drawn, in the order of the games."""
    files = (FOLDER / f"{name}-{SHIPPED}.json" for name in ALL)
    return [msgspec.json.decode(one.read_bytes(), type=PolicyTrainingResult) for one in files]


def picture(found: list[PolicyTrainingResult], scheme: str) -> str:
    """The panels, as an SVG file that needs nothing else."""
    wide, high = LEFT + 2 * WIDTH + GAP + 24, TOP + 2 * HEIGHT + GAP + 42
    drawn = svg(wide, high, element("style", Svg(coloured(STYLE, scheme))),
                list(starmap(panel, enumerate(found))),
                title="Wins against the advice by decisions learnt")  # fmt: skip
    return f"{drawn}\n"


def panel(number: int, one: PolicyTrainingResult) -> Svg:
    """One game's panel, at its place."""
    x, y = LEFT + number % 2 * (WIDTH + GAP), TOP + number // 2 * (HEIGHT + GAP)
    return group(
        svg_text(0, -12, str(ALL[one.config.game].title), "name"),
        svg_text(WIDTH, HEIGHT + 10, f"{one.decisions / 1e6:.1f} M decisions", "left"),
        [_level(share) for share in LEVELS],
        [_line(one, seats) for seats in one.config.sizes],
        _names(one),
        transform=at(x, y),
    )


def _level(share: float) -> Svg:
    y, fair = _height(share), share == 1.0
    return group(
        path(f"M0 {y:.1f}H{WIDTH}", "fair" if fair else "grid"),
        svg_text(-6, y + 4, "fair" if fair else f"×{share}", "left"),
    )


def _line(one: PolicyTrainingResult, seats: int) -> Svg:
    looks = [look for look in one.curve if look.seats == seats]
    points = [(look.decisions / one.decisions * WIDTH, look) for look in looks]
    way = "L".join(f"{x:.1f} {_height(look.share.value / look.fair):.1f}" for x, look in points)
    return group(
        path(f"M{way}", f"line s{seats}"),
        [_range(x, look) for x, look in points],
    )


def _names(one: PolicyTrainingResult) -> list[Svg]:
    """The number of seats at the end of each line, one below the other."""
    ends = sorted((_height(look.share.value / look.fair) + 4, look.seats) for look in one.last)
    names, last = [], -1e9
    for y, seats in ends:
        last = max(y, last + LINE)
        names.append(svg_text(WIDTH + 8, last, str(seats)))
    return names


def _range(x: float, look: PolicyLook) -> Svg:
    low, high = (_height(share / look.fair) for share in (look.share.low, look.share.high))
    return group(
        path(f"M{x:.1f} {low:.1f}V{high:.1f}", "range"),
        circle(x, _height(look.share.value / look.fair), 2.6, "dot"),
    )


def _height(share: float) -> float:
    return (MOST - min(max(share, LEAST), MOST)) / (MOST - LEAST) * HEIGHT


if __name__ == "__main__":
    main()
