"""The curve of a finished match: up is winning, right is later."""

import re
from itertools import pairwise

import pytest

from diablerie.bots.analysis.findings import Analysis
from diablerie.web.html import curve

CHANCES = ((0.5, 0.5), (0.8, 0.2), (0.6, 0.4), (1.0, 0.0))


def points(drawn: str, seat: int) -> list[tuple[float, float]]:
    """Where a seat's line goes."""
    path = re.search(rf'<g class="seat-{seat}"><path d="M([^"]+)" class="line"', drawn)
    assert path
    found = (point.split() for point in path[1].split("L"))
    return [(float(x), float(y)) for x, y in found]


def drawn(step: int = 1) -> str:
    return str(curve.curve_svg(Analysis(400, CHANCES), step, str))


def test_a_better_chance_stands_higher_and_a_later_step_further_right():
    ours, theirs = (points(drawn(), seat) for seat in (0, 1))
    across = [x for x, _ in ours]
    assert across == sorted(across)
    assert (across[0], across[-1]) == (curve.LEFT, curve.RIGHT)
    assert [y for _, y in ours] == pytest.approx([93, 45.6, 77.2, curve.TOP], abs=0.06)
    assert [y for _, y in theirs] == pytest.approx([93, 140.4, 108.8, curve.BOTTOM], abs=0.06)


def test_the_levels_are_written_where_they_stand():
    levels = dict(re.findall(r'y="([\d.]+)"[^>]*>(\d+)%<', drawn()))
    assert {int(percent): float(y) - 5 for y, percent in levels.items()} == {
        0: curve.BOTTOM, 50: (curve.TOP + curve.BOTTOM) / 2, 100: curve.TOP,
    }  # fmt: skip
    ends = re.findall(r'<text x="([\d.]+)"[^>]*class="level-text"', drawn())
    assert len(ends) == 3
    assert all(float(x) < curve.LEFT for x in ends), "left of the lines, not over them"


def test_the_line_of_the_present_step_stands_at_it():
    for step, there in ((1, curve.LEFT), (3, 266.7), (4, curve.RIGHT)):
        (x,) = re.findall(r'<rect x="([\d.]+)"', drawn(step))
        assert float(x) + 2 == pytest.approx(there, abs=0.1)
    assert curve.across(1, 1) == curve.LEFT


def test_marks_at_the_end_do_not_cover_each_other_and_the_leader_is_on_top():
    drawing = str(curve.curve_svg(Analysis(400, ((0.34, 0.33, 0.33),)), 1, str))
    ends = re.findall(r'<g transform="translate\(390 ([\d.]+)\)"><g class="seat-(\d)"', drawing)
    assert [seat for _, seat in sorted(ends, key=lambda end: float(end[0]))] == ["0", "1", "2"]
    heights = sorted(float(y) for y, _ in ends)
    assert all(b - a >= curve.APART - 0.01 for a, b in pairwise(heights))
