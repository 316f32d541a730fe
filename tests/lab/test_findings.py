"""The sentence above a report says what its numbers show, and no more."""

from types import SimpleNamespace as Some

import pytest

from diablerie.lab.statistics import Estimate
from diablerie.lab.tournament.report import tournament_finding
from diablerie.lab.train.report import training_finding


@pytest.mark.parametrize(
    ("low", "high", "words"),
    [
        (0.55, 0.60, "more than its fair share of 50.0 %"),
        (0.45, 0.60, "no clear difference from its fair share of 50.0 %"),
        (0.30, 0.45, "less than its fair share of 50.0 %"),
    ],
)
def test_a_policy_is_compared_with_its_fair_share(low, high, words):
    one = Some(seats=2, share=Estimate((low + high) / 2, low, high), fair=0.5)
    found = training_finding(Some(config=Some(opponent="sensible"), last=[one]))
    assert found.startswith("The policy wins against sensible: with 2 seats ")
    assert found.endswith(f"{words}.")


@pytest.mark.parametrize(
    ("low", "words"),
    [
        (0.30, "No player is shown to be strongest: imp has "),
        (0.36, "imp is the strongest: it has "),
    ],
)
def test_the_strongest_of_several_has_surely_more_than_a_fair_share(low, words):
    shares = {"random": Estimate(0.2, 0.1, 0.3), "imp": Estimate(0.5, low, 0.6)}
    players = [
        Some(player=name, share=share, rating=Some(value=share.value))
        for name, share in shares.items()
    ]
    found = tournament_finding(Some(players=players, meetings=[1, 2, 3], fair=1 / 3))
    assert found.startswith(words)
    assert found.endswith("; a fair share is 33.3 %.")
