"""The curve of a finished match: up is winning, right is later."""

import re
from itertools import pairwise
from typing import Any

import pytest

from diablerie.art.marks import DASHES
from diablerie.bots.analysis.findings import Analysis
from diablerie.web.html import chances

CHANCES = ((0.5, 0.5), (0.8, 0.2), (0.6, 0.4), (1.0, 0.0))


def points(drawn: str, seat: int) -> list[tuple[float, float]]:
    """Where a seat's line goes."""
    path = re.search(rf'<g class="seat-{seat}(?: mine)?"><path d="M([^"]+)" class="line"', drawn)
    assert path
    found = (point.split() for point in path[1].split("L"))
    return [(float(x), float(y)) for x, y in found]


def drawn(step: int = 1, **more: Any) -> str:
    return str(chances.curve_svg(Analysis(10**6, CHANCES, (0, 1, 0, 1)), step, str, **more))


def test_a_better_chance_stands_higher_and_a_later_step_further_right():
    ours, theirs = (points(drawn(), seat) for seat in (0, 1))
    across = [x for x, _ in ours]
    assert across == sorted(across)
    assert (across[0], across[-1]) == (chances.DIAGRAM_LEFT, chances.DIAGRAM_RIGHT)
    assert [y for _, y in ours] == pytest.approx([93, 45.6, 77.2, chances.DIAGRAM_TOP], abs=0.06)
    assert [y for _, y in theirs] == pytest.approx(
        [93, 140.4, 108.8, chances.DIAGRAM_BOTTOM], abs=0.06
    )


def test_the_lines_of_the_seats_have_dashes_but_for_the_first():
    found = re.findall(r'<g class="seat-(\d)[^>]*><path d="[^"]*" class="line"([^>]*)>', drawn())
    told = {int(seat): rest for seat, rest in found}
    assert set(told) == {0, 1}
    assert DASHES[0] == "" != DASHES[1]
    assert "dasharray" not in told[0]
    assert f'stroke-dasharray="{DASHES[1]}"' in told[1]


def test_the_levels_are_written_where_they_stand():
    levels = dict(re.findall(r'y="([\d.]+)" class="level-text">(\d+)<', drawn()))
    assert {int(percent): float(y) - 5 for y, percent in levels.items()} == {
        0: chances.DIAGRAM_BOTTOM,
        50: (chances.DIAGRAM_TOP + chances.DIAGRAM_BOTTOM) / 2,
        100: chances.DIAGRAM_TOP,
    }
    ends = re.findall(r'<text x="([\d.]+)"[^>]*class="level-text"', drawn())
    assert len(ends) == 3
    assert all(float(x) < chances.DIAGRAM_LEFT for x in ends), "left of the lines, not over them"


def test_the_line_of_the_present_step_stands_at_it():
    for step, there in ((1, chances.DIAGRAM_LEFT), (3, 204.7), (4, chances.DIAGRAM_RIGHT)):
        (x,) = re.findall(r'<rect x="([\d.]+)"', drawn(step))
        assert float(x) + 2 == pytest.approx(there, abs=0.1)
    assert chances.across(1, 1) == chances.DIAGRAM_LEFT


def test_marks_at_the_end_do_not_cover_each_other_and_the_leader_is_on_top():
    drawing = str(chances.curve_svg(Analysis(400, ((0.34, 0.33, 0.33),), (0,)), 1, str))
    ends = re.findall(
        r'<g transform="translate\(304 ([\d.]+)\)" class="end[^>]*><g class="seat-(\d)"', drawing
    )
    assert [seat for _, seat in sorted(ends, key=lambda end: float(end[0]))] == ["0", "1", "2"]
    heights = sorted(float(y) for y, _ in ends)
    assert all(b - a >= chances.NAMES_APART - 0.01 for a, b in pairwise(heights))


def test_one_line_stands_out_and_the_others_have_few_points():
    rows = tuple((k / 1000, 1 - k / 1000) for k in range(1000))
    many = str(chances.curve_svg(Analysis(10**6, rows, (0,) * 1000), 1, str, who=1))
    assert re.findall(r'<g class="seat-(\d) mine"><path', many) == ["1"]
    assert chances.COARSE_POINTS // 2 < len(points(many, 0)) <= chances.COARSE_POINTS
    assert chances.FINE_POINTS // 2 < len(points(many, 1)) <= chances.FINE_POINTS
    for seat, rising in ((0, True), (1, False)):
        heights = [-y for _, y in points(many, seat)]
        assert heights == sorted(heights, reverse=not rising)
        assert points(many, seat)[0][0] == chances.DIAGRAM_LEFT
        assert points(many, seat)[-1][0] == chances.DIAGRAM_RIGHT


def test_beside_each_line_stands_its_name_that_leads_to_its_seat():
    names = ["Ann", "Archdevil Ember"]
    ends = re.findall(
        r'data-step-to="3" data-who="(\d)">.*?class="name">([^<]+)<', drawn(3, names=names)
    )
    assert sorted(ends) == [("0", "Ann"), ("1", "Ember")]
    assert "Jucător. 1<" in drawn(3, names=["Ann", "Jucătorul 1"]), "a number alone says nothing"


def test_the_turning_points_of_the_seat_stand_on_its_line_and_chapters_below():
    made = drawn(1, who=1, points=[3], starts=[1, 3])
    (disc,) = re.findall(r'<circle cx="([\d.]+)" cy="([\d.]+)" r="9.5" class="disc"', made)
    assert [float(n) for n in disc] == pytest.approx(points(made, 1)[2], abs=0.06)
    assert made.count(f"{chances.DIAGRAM_BOTTOM}v5") == 2
