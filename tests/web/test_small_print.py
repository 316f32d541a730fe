"""What is easily got wrong and seldom looked at: limits, languages, forms, what is over."""

import logging
from collections.abc import Callable
from types import SimpleNamespace

import pytest

from diablerie.bots.analysis.findings import Analysis
from diablerie.table.authority import Authority
from diablerie.table.state import transitions
from diablerie.web.edges import logs
from diablerie.web.html import curve
from diablerie.web.html.curve import APART, BOTTOM, TOP
from diablerie.web.people import language
from tests.web.client import Client


def test_marks_that_end_together_at_the_top_stay_in_the_picture():
    """Two partners have won, two have lost."""
    drawn = str(curve.curve_svg(Analysis(400, ((1.0, 0.0, 1.0, 0.0),), (0,)), 1, str))
    heights = sorted(float(part.split(")")[0]) for part in drawn.split("translate(304 ")[1:])
    assert len(heights) == 4
    assert heights[0] == pytest.approx(TOP)
    assert heights[1] == pytest.approx(TOP + APART, abs=0.1)
    assert heights[3] == pytest.approx(BOTTOM)
    assert heights[3] - heights[2] == pytest.approx(APART, abs=0.1)


def test_the_language_that_is_liked_best_comes_first():
    assert language._preferred("fr;q=0.3, de-CH, ro;q=0.9") == ["de-CH", "ro", "fr"]


def test_a_draft_has_so_many_steps_and_no_more():
    most = ";".join(["go"] * transitions.STEPS)
    assert len(transitions.split_steps(most)) == transitions.STEPS
    longest = "x" * transitions.STEP
    assert transitions.split_steps(longest) == (longest,)
    for text in (f"{most};go", f"{longest}x"):
        with pytest.raises(Exception, match=r"\w"):
            transitions.split_steps(text)


def test_the_card_of_a_first_game_is_put_away_by_a_form(ann: Client):
    table = ann.open(bots="1")
    assert 'id="first"' in ann.page(table).text
    answer = ann.send("/known", game="coals")
    assert answer.status_code == 303
    assert 'id="first"' not in ann.page(table).text


def test_who_has_several_seats_is_asked_which_one(authority: Authority, ann: Client):
    table = ann.open(here="2", bots="0")
    assert ann.call(f"{table}/decide", do="bet 20", ply=1).status_code in (400, 422)
    assert authority.live(table.rpartition("/")[2]).ply == 1


def test_a_match_that_runs_shows_no_ending(ann: Client, browser: Callable[[], Client]):
    table = ann.open(bots="1")
    for page in (ann.page(table).text, browser().page(table).text):
        assert "Watch the replay" not in page


def test_a_table_as_data_has_all_its_fields(ann: Client):
    told = ann.data(ann.open(bots="1"))
    assert set(told) == {
        "id", "game", "options", "status", "ply", "commitment", "fair", "seats", "viewer", "own",
        "pending", "prompt", "legal", "view", "log", "chat", "rematch", "hints", "origin", "taken",
        "pace",
    }  # fmt: skip
    assert (told["game"], told["status"], told["viewer"], told["own"]) == (
        "coals",
        "running",
        0,
        [0],
    )
    assert told["options"]["goal"] == "1600"
    assert told["legal"][0]["do"] == "bet 0"


def test_clauses_of_the_rules_link_to_themselves(ann: Client):
    assert '<a href="#C5" class="clause">C5</a>' in ann.page("/rules/coals").text


def test_only_seats_that_there_may_be_have_a_share(ann: Client):
    table = ann.open(open="1")
    for seat in ("6", "x", "-1"):
        answer = ann.call(f"{table}/share", **{f"hash-{seat}": "a" * 64})
        assert answer.status_code == 400
        assert f"There is no seat “{seat}”." in answer.json()["title"]


@pytest.mark.parametrize(
    ("path", "route"), [("/t/{id}/decide", "/t/{id}/decide"), (None, "unknown")]
)
def test_requests_are_logged_by_their_route(
    caplog: pytest.LogCaptureFixture, path: str | None, route: str
):
    scope = {"method": "POST"} | ({"route": SimpleNamespace(path=path)} if path else {})
    with caplog.at_level(logging.INFO, "diablerie.http"):
        logs.AccessLog(None).on_response(scope, 200, 0.5)  # type: ignore[arg-type]
        logs.AccessLog(None).on_response(scope | {"method": "GET"}, 200, 0.5)  # type: ignore[arg-type]
    (told,) = caplog.records
    assert (told.route, told.status, told.ms) == (route, 200, 500.0)  # type: ignore[attr-defined]
