"""Chapters of a match: its rounds or phases, as its game names them."""

from itertools import pairwise
from pathlib import Path

import pytest

import diablerie
from diablerie.engine.game import no_answer
from diablerie.engine.match import chapters
from diablerie.games import ALL

GOLDEN = Path(__file__).parent / "games"


@pytest.mark.parametrize("name", ALL)
def test_every_step_of_every_game_is_in_one_chapter(name: str) -> None:
    (file, *_) = sorted((GOLDEN / name / "golden").glob("*.jsonl"))
    match = diablerie.load(file)
    found = chapters(match)
    assert found[0].first == 1
    assert found[-1].last == match.ply
    for one, following in pairwise(found):
        assert one.first <= one.last == following.first - 1
        assert str(one.title) != str(following.title)
    assert 2 < len(found) < match.ply / 2


def test_a_round_of_coals_ends_with_the_step_that_settles_it() -> None:
    match = diablerie.load(GOLDEN / "coals" / "golden" / "coals-3.jsonl")
    first, second, *_ = chapters(match)
    assert (str(first.title), str(second.title)) == ("Round 1", "Round 2")
    assert match.at(first.last - 1).node == "pull"
    assert match.at(first.last).node == "bet"


def test_a_game_that_names_no_chapters_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    match = diablerie.load(GOLDEN / "coals" / "golden" / "coals-3.jsonl")
    monkeypatch.setitem(vars(match.game), "chapter", no_answer)
    assert chapters(match) == []
