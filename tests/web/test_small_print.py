"""What is easily got wrong and seldom looked at: limits, languages, forms, what is over."""

from collections.abc import Callable

import pytest

from diablerie.table.analysis import Analysis
from diablerie.table.authority import Authority
from diablerie.web import curve, language, viewpoint
from diablerie.web.curve import APART, BOTTOM, TOP
from tests.web.client import Client


def test_marks_that_end_together_at_the_top_stay_in_the_picture():
    """Two partners have won, two have lost."""
    drawn = str(curve.curve(Analysis(400, ((1.0, 0.0, 1.0, 0.0),)), 1, "chances"))
    heights = sorted(float(part.split(")")[0]) for part in drawn.split("translate(390 ")[1:])
    assert len(heights) == 4
    assert heights[0] == pytest.approx(TOP)
    assert heights[1] == pytest.approx(TOP + APART, abs=0.1)
    assert heights[3] == pytest.approx(BOTTOM)
    assert heights[3] - heights[2] == pytest.approx(APART, abs=0.1)


def test_the_language_that_is_liked_best_comes_first():
    assert language._preferred("fr;q=0.3, de-CH, ro;q=0.9") == ["de-CH", "ro", "fr"]


def test_a_draft_has_so_many_steps_and_no_more():
    most = ";".join(["go"] * viewpoint.STEPS)
    assert len(viewpoint.steps(most)) == viewpoint.STEPS
    longest = "x" * viewpoint.STEP
    assert viewpoint.steps(longest) == (longest,)
    for text in (f"{most};go", f"{longest}x"):
        with pytest.raises(Exception, match=r"\w"):
            viewpoint.steps(text)


def test_the_card_of_a_first_game_is_put_away_by_a_form(ann: Client):
    table = ann.open(bots="1")
    assert 'id="first"' in ann.page(table).text
    answer = ann.send("/known", game="coals")
    assert answer.status_code == 303
    assert 'id="first"' not in ann.page(table).text


def test_who_has_several_seats_is_asked_which_one(authority: Authority, ann: Client):
    table = ann.open(here="2", bots="0")
    assert ann.call(f"{table}/act", do="bet 20", ply=1).status_code in (400, 422)
    assert authority.live(table.rpartition("/")[2]).ply == 1


def test_a_match_that_runs_shows_no_ending(ann: Client, browser: Callable[[], Client]):
    table = ann.open(bots="1")
    for page in (ann.page(table).text, browser().page(table).text):
        assert "Watch the replay" not in page
