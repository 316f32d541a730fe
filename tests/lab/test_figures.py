"""What the figures of a report draw, seen by axes that keep it instead of drawing."""

import re
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from diablerie.lab.html import figures
from diablerie.lab.html.figures import FigureRow, row_positions
from diablerie.lab.html.page import format_number
from diablerie.lab.statistics import Distribution, Estimate, distribution


class Paper:
    """Keeps what is called, by the method's name; `axes.xaxis.x` is kept as `x`."""

    def __init__(self) -> None:
        self.kept: dict[str, list[tuple[Any, ...]]] = {}

    def __getattr__(self, name: str) -> Any:
        return self if name == "xaxis" else lambda *args, **_: self._keep(name, args)

    def _keep(self, name: str, args: tuple[Any, ...]) -> None:
        self.kept.setdefault(name, []).append(args)


@pytest.fixture
def paper(monkeypatch: pytest.MonkeyPatch) -> Paper:
    """What the next figure draws."""
    made = Paper()
    monkeypatch.setattr(figures, "svg_figure", lambda draw, *_: draw(made) or "")
    return made


def ridges(paper: Paper, *games: Distribution) -> None:
    figures.histograms([(f"row {k}", one) for k, one in enumerate(games)], "plies")


def test_a_ridge_covers_the_games_and_is_highest_where_most_of_them_are(paper: Paper) -> None:
    one = distribution(np.array([3.0, 4.0, 4.0, 4.0, 5.0, 6.0]))
    ridges(paper, one)
    ((x, y),) = [fill[:2] for fill in paper.kept["fill"]]
    assert (min(x), max(x)) == (3, 7)
    at = {left: height for left, height in zip(x[1::2], y[1::2], strict=False) if left < 7}
    assert at[4] == max(y)
    assert at[3] == at[5] == at[6] == pytest.approx(at[4] / 3)
    bar, _ = paper.kept["plot"]
    assert bar[0] == [one.low, one.high]


def test_each_ridge_stands_below_the_one_before_with_its_own_name(paper: Paper) -> None:
    games = distribution(np.arange(10.0))
    ridges(paper, games, games, games)
    spans = [(min(y), max(y)) for _, y, *_ in paper.kept["fill"]]
    names = [(text, y) for text, (_, y), *_ in paper.kept["annotate"]]
    for k, (low, high) in enumerate(spans):
        assert names[k][0] == f"row {k}"
        assert low < names[k][1] <= high
    assert all(below[1] < above[0] for above, below in pairwise(spans))
    (bottom, top), *_ = paper.kept["set_ylim"]
    assert bottom < spans[-1][0] < spans[0][1] <= top


def test_outliers_do_not_take_the_room_of_the_others(paper: Paper) -> None:
    ridges(paper, distribution(np.array([*range(100, 200), 5000.0])))
    ((low, high),) = paper.kept["set_xlim"]
    assert low == 100, "there is no outlier on this side"
    assert 200 < high < 1000


def test_nine_of_ten_games_are_seen_whatever_the_outliers(paper: Paper) -> None:
    games = distribution(np.array([0.0, *range(100, 200), 5000.0]))
    ridges(paper, games)
    ((low, high),) = paper.kept["set_xlim"]
    assert 0 < low < games.low < games.high < high < 1000


def test_games_that_are_nearly_all_equally_long_are_shown_whole(paper: Paper) -> None:
    ridges(paper, distribution(np.array([7.0] * 100 + [9.0])))
    ((low, high),) = paper.kept["set_xlim"]
    assert low == 7
    assert high > 9


ROWS = [FigureRow(name, Estimate(0.5, 0.4, 0.7), 0.25) for name in ("a", "b", "c")]


def test_rows_follow_each_other_below_their_headings() -> None:
    rows, heads, height = row_positions([("first", ROWS[:2]), ("", ROWS[2:])], 0.5)
    assert [one.name for _, one in rows] == ["a", "b", "c"]
    assert [heading for _, heading in heads] == ["first"], "no heading, no room for one"
    at = [y for y, _ in rows]
    assert heads[0][0] < at[0] - 0.25, "a heading stands above its first row"
    assert np.diff(at) == pytest.approx([0.5, 0.5])
    assert height == pytest.approx(at[-1] + 0.25)


def test_a_dot_stands_in_its_interval_beside_what_it_is_compared_with(paper: Paper) -> None:
    figures.dot_plot([("", ROWS[:1])], format_number, "share")
    interval, dot, even = paper.kept["plot"]
    assert interval[0] == [0.4, 0.7]
    assert dot[0] == 0.5
    assert even[0] == [0.25, 0.25]
    assert interval[1] == [dot[1]] * 2
    assert even[1][0] < dot[1] < even[1][1]


def test_a_bar_begins_at_nothing_and_leaves_room_for_its_number(paper: Paper) -> None:
    figures.bar_chart([("", ROWS)], format_number, "share")
    assert [width for _, width, *_ in paper.kept["barh"]] == [0.5] * 3
    texts = [(text, at[0]) for text, at, *_ in paper.kept["annotate"]]
    assert texts.count((format_number(0.5), 0.7)) == 3, "the value stands beside the interval"
    ((low, high),) = paper.kept["set_xlim"]
    assert low == 0
    assert 0.7 < high < 1.4


def test_a_heat_map_is_darker_further_from_even_and_says_shares_with_intervals():
    half, good = Estimate(0.5, 0.4, 0.6), Estimate(0.9, 0.8, 1.0)
    drawn = figures.heat_map(["one", "two"], [[None, good], [half, None]])
    dark = re.findall(r"opacity: ([\d.]+)", drawn)
    assert sorted(map(float, dark)) == [0.0, 0.8]
    for text in ("90", "80–100", "50", "40–60", "1  one", "2  two"):
        assert text in drawn
    wide = [[good] * 13] * 13
    assert "80–100" not in figures.heat_map([str(k) for k in range(13)], wide)
