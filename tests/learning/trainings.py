"""Small trainings of COALS, and what they come to."""

from typing import Any

import numpy as np

from diablerie.games import ALL
from diablerie.lab.statistics import win_shares
from diablerie.learning.learner import Learner
from diablerie.learning.settings import TrainingSettings

COALS = ALL["coals"]
SMALL = {"goal": "300"}


def learnt(settings: TrainingSettings, threads: int = 1, **opponents: Any) -> Learner:
    """A learner that has learnt all it was to learn; its threads have ended."""
    learner = Learner(COALS, settings, threads, **opponents)
    learn_all(learner)
    learner.close()
    return learner


def learn_all(learner: Learner) -> None:
    while not learner.done:
        learner.round()


def learnt_after_a_break(settings: TrainingSettings, **opponents: Any) -> Learner:
    """As `learnt`, but after the first round another learner goes on from what is kept."""
    first = Learner(COALS, settings, **opponents)
    first.round()
    kept = {name: array.copy() for name, array in first.state().items()}
    first.close()
    second = Learner(COALS, settings, **opponents)
    second.restore(kept)
    learn_all(second)
    second.close()
    return second


def own_share(returns: Any) -> float:
    """The share of games that the network wins, which has seat (game mod 2). returns: (games, 2)."""
    games = np.arange(len(returns))
    return float(win_shares(returns, (0, 1))[games, games % 2].mean())
