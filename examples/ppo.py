"""Learn TAILS for two from scratch, by PPO against oneself, until it beats the game's own advice.

python examples/ppo.py [DECISIONS [GAMES [SEED]]]

Two million decisions take about a minute on two cores. `diablerie train` does the same for any game
and any number of seats, and keeps what was learnt in a file.
"""

import os
import sys
from math import sqrt

import numpy as np

import diablerie
from diablerie.learning.learner import Learner
from diablerie.learning.settings import TrainingSettings


def main(decisions: int = 2_000_000, games: int = 1000, seed: int = 1) -> None:
    settings = TrainingSettings(
        decisions=decisions, learning_rate=2e-3, entropy=4e-3, gae_lambda=0.6, seed=seed
    )
    learner = Learner(diablerie.game_named("tails"), settings, threads=os.cpu_count() or 1)
    tell(learner, games)
    for quarter in (1, 2, 3, 4):
        while learner.decisions < quarter * decisions / 4:
            learner.round()
        tell(learner, games)
    learner.close()


def tell(learner: Learner, games: int) -> None:
    """Play against `sensible`, seats alternating, by the likeliest actions without search."""
    returns, game = learner.evaluate(2, games, seed=1_000_003), np.arange(games)
    wins = (1 + returns[game, game % 2]) / 2  # a utility of 1, 0 or -1, as a share of the win
    share, error = wins.mean(), 1.96 * wins.std() / sqrt(games)
    print(f"{learner.decisions:9,} decisions: {share:.1%} ± {error:.1%} of games against sensible")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
