"""Measure and draw what docs/studies tell: `python -m tools.studies [--measure]`.

With `--measure` the simulations run again (about ten minutes on two cores) and their results are
written to docs/studies/results.json; without it the pictures are drawn from that file.
"""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import msgspec

from diablerie.art.svg import Svg, circle, element, group, path, rect, svg, svg_text
from diablerie.games import ALL
from diablerie.lab.simulate.summary import SettingSummary, SimulationSummary, SummaryPart
from diablerie.lab.statistics import Estimate
from tools.pictures import SCHEMES
from tools.reliability import coloured

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "docs" / "studies"
RESULTS = FOLDER / "results.json"
LEFT, BAR, RIGHT, ROW, TOP, BOTTOM = 140, 440, 90, 46, 52, 34  # pixels
LEVELS = (0, 25, 50, 75, 100)  # percent
STYLE = """
svg { background: var(--surface); font: 15px Georgia, 'Times New Roman', serif; }
text { fill: var(--ink-2); } .title { fill: var(--ink); font-weight: bold; font-size: 17px; }
.name, .value { fill: var(--ink); text-anchor: end; } .value { font-weight: bold; }
.grid { stroke: var(--line); } .bar { fill: var(--accent-soft); } .below { text-anchor: middle; }
.range { stroke: var(--accent); stroke-width: 2.5; } .dot { fill: var(--accent); }
.fair { stroke: var(--ink); stroke-width: 2; stroke-dasharray: 5 3; }
"""


class StudyRow(msgspec.Struct, frozen=True):
    """A share of the games, its interval, and what would be fair, if that is the question."""

    label: str
    share: Estimate
    fair: float | None = None


class Study(NamedTuple):
    """A picture: its title, the commands (without `diablerie simulate`), and their rows."""

    title: str
    commands: tuple[str, ...]
    rows: Callable[[SettingSummary], StudyRow]


def _share(parts: list[SummaryPart], name: str) -> Estimate:
    return next(part.share for part in parts if name in part.name)


PLAYERS = "--players sensible,random"
STUDIES = {
    "coals": Study(
        "How often the careless player wins",
        (
            "coals --games 20000 --players sensible,sensible:epsilon=0.2 "
            "--vary goal=1600,1200,800,400",
        ),
        lambda one: StudyRow(f"to {one.options['goal']}", _share(one.who, "epsilon"), one.fair),
    ),
    "tails": Study(
        "How often random play beats good advice",
        (
            f"tails --games 4000 {PLAYERS}",
            f"coals --games 4000 {PLAYERS}",
            f"underworld --games 4000 {PLAYERS}",
            f"kitchen --games 1000 {PLAYERS}",
        ),
        lambda one: StudyRow("", _share(one.who, "random")),
    ),
    "underworld": Study(
        "How often somebody is left behind alone",
        ("underworld --games 4000 --vary seats=2,3,4,5,6",),
        lambda one: StudyRow(f"{one.seats} players", _share(one.endings, "U27")),
    ),
    "kitchen": Study(
        "How often the player who begins wins",
        ("kitchen --games 4000 --vary seats=2,3,4",),
        lambda one: StudyRow(f"{one.seats} players", one.places[0].share, one.fair),
    ),
}


def rows_of(study: Study, summaries: list[SimulationSummary]) -> list[StudyRow]:
    """The rows of a picture, from what its commands print with `--json`."""
    found = []
    for summary in summaries:
        for one in summary.settings:
            row = study.rows(one)
            named = row.label or str(ALL[summary.config.game].title)
            found.append(StudyRow(named, row.share, row.fair))
    return found


def measure() -> None:
    """Run all commands and keep what the pictures show."""
    results: dict[str, list[StudyRow]] = {}
    for name, study in STUDIES.items():
        summaries = []
        for words in study.commands:
            print(f"diablerie simulate {words}", flush=True)
            command = [sys.executable, "-m", "diablerie", "simulate", *words.split(), "--json"]
            said = subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout
            summaries.append(msgspec.json.decode(said, type=SimulationSummary))
        results[name] = rows_of(study, summaries)
    write(results)


def write(results: dict[str, list[StudyRow]]) -> None:
    """Keep the rows of all pictures."""
    text = msgspec.json.format(msgspec.json.encode(results), indent=1)
    RESULTS.write_bytes(text + b"\n")


def read() -> dict[str, list[StudyRow]]:
    """The rows of all pictures, by game."""
    return msgspec.json.decode(RESULTS.read_bytes(), type=dict[str, list[StudyRow]])


def picture(name: str, rows: list[StudyRow], scheme: str) -> str:
    """One study's picture, as an SVG file that needs nothing else."""
    title = STUDIES[name].title
    high = TOP + ROW * len(rows)
    drawn = svg(
        LEFT + BAR + RIGHT,
        high + BOTTOM,
        element("style", Svg(coloured(STYLE, scheme))),
        svg_text(20, 30, title, "title"),
        [_level(percent, high) for percent in LEVELS],
        [_row(TOP + ROW * k, row) for k, row in enumerate(rows)],
        title=title,
    )
    return f"{drawn}\n"


def _level(percent: int, high: int) -> Svg:
    x = LEFT + BAR * percent / 100
    return group(
        path(f"M{x:.1f} {TOP}V{high}", "grid"),
        svg_text(x, high + 20, f"{percent} %", "below"),
    )


def _row(y: int, row: StudyRow) -> Svg:
    low, value, high = (LEFT + BAR * x for x in (row.share.low, row.share.value, row.share.high))
    middle = y + ROW / 2
    fair = None
    if row.fair is not None:
        fair = path(f"M{LEFT + BAR * row.fair:.1f} {y + 6}v{ROW - 12}", "fair")
    return group(
        svg_text(LEFT - 12, middle + 5, row.label, "name"),
        rect(LEFT, y + 12, max(value - LEFT, 1), ROW - 24, "bar"),
        fair,
        path(f"M{low:.1f} {middle}H{high:.1f}", "range"),
        circle(value, middle, 5, "dot"),
        svg_text(LEFT + BAR + RIGHT - 16, middle + 5, f"{100 * row.share.value:.0f} %", "value"),
    )


def main() -> None:
    """Write NAME-light.svg and NAME-dark.svg for every study."""
    if "--measure" in sys.argv[1:]:
        measure()
    for name, rows in read().items():
        for scheme in SCHEMES:
            (FOLDER / f"{name}-{scheme}.svg").write_text(picture(name, rows, scheme), "utf-8")


if __name__ == "__main__":
    main()
