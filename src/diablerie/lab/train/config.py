"""The config of a training by self-play: all that fixes the weights that are learnt."""

from collections.abc import Mapping
from typing import Any

import diablerie
from diablerie.lab.running.settings import (
    StudyConfig,
    check_bounds,
    check_seed,
    option_texts,
    origin,
)
from diablerie.learning.learner import SHARDS, LearnerSettings

POLICY_TRAINING_FORMAT = 1  # of the file that a training goes on with


class PolicyTrainingConfig(StudyConfig, frozen=True):
    """A game, how it is learnt, and how that is measured on the way."""

    policy_training: int  # the format of the file
    learner: LearnerSettings
    looks: int
    games: int  # of a look, for each number of seats

    @property
    def sizes(self) -> tuple[int, ...]:
        """The sizes of tables that are measured, each once."""
        return tuple(dict.fromkeys(self.learner.seats))


BOUNDS: dict[str, tuple[float, float]] = {
    "decisions": (1, 10**12),
    "wide": (1, 1024),
    "narrow": (1, 1024),
    "round": (64 * SHARDS, 2**20),
    "passes": (1, 100),
    "batches": (1, 1000),
    "rate": (0.0, 1.0),
    "entropy": (0.0, 10.0),
    "trace": (0.0, 1.0),
    "longest": (0.0, 1e6),
    "looks": (1, 1000),
    "games": (2, 1_000_000),
}


def policy_training_config(
    game: str,
    *,
    seats: tuple[int, ...],
    options: Mapping[str, str],
    looks: int,
    games: int,
    **settings: Any,
) -> PolicyTrainingConfig:
    """A checked config; see `train` for the parameters. Raises BadConfig or BadOption."""
    chosen = diablerie.game_named(game)
    tables = seats or chosen.seats[:1]
    for value in tables:
        texts = option_texts(chosen, value, options)
    learner = LearnerSettings(seats=tables, options=texts, **settings)
    check_seed(learner.seed)
    for what, (low, high) in BOUNDS.items():
        value = {"looks": looks, "games": games}.get(what, getattr(learner, what, 0))
        check_bounds(what, value, low, high)
    return PolicyTrainingConfig(
        **origin(chosen),
        policy_training=POLICY_TRAINING_FORMAT,
        learner=learner,
        looks=looks,
        games=games,
    )
