"""What the laws say to authors of games who have left something out."""

import pytest

import diablerie
from diablerie.testing.laws import unseen
from diablerie.testing.positions import GameSetting


@pytest.mark.parametrize(
    "law",
    [
        unseen.test_what_a_viewer_has_not_seen_leaves_no_trace,
        unseen.test_log_and_moments_tell_nothing_of_what_a_viewer_has_not_seen,
    ],
)
def test_a_node_that_opens_what_was_decided_at_once_is_asked_for(law, monkeypatch):
    monkeypatch.setitem(vars(diablerie.GAMES["coals"]), "opened", frozenset())
    with pytest.raises(AssertionError, match=r"name Node\.BET in Game\.opened"):
        law(GameSetting("coals", 3))
