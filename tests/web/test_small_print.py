"""What is easily got wrong and seldom looked at: limits, languages, forms, what is over."""

import logging
from types import SimpleNamespace

import pytest

from diablerie.table.state import transitions
from diablerie.web.edges import logs
from diablerie.web.people import language
from tests.web.client import Client


def test_the_language_that_is_liked_best_comes_first():
    assert language._preferred("fr;q=0.3, de-CH, ro;q=0.9") == ["de-CH", "ro", "fr"]


def test_a_draft_has_so_many_steps_and_no_more():
    most = ";".join(["go"] * transitions.MOST_DRAFT_STEPS)
    assert len(transitions.split_steps(most)) == transitions.MOST_DRAFT_STEPS
    longest = "x" * transitions.LONGEST_DRAFT_STEP
    assert transitions.split_steps(longest) == (longest,)
    for text in (f"{most};go", f"{longest}x"):
        with pytest.raises(Exception, match=r"\w"):
            transitions.split_steps(text)


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
