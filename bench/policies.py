"""How often learnt policies win against the advice: one seat by its likeliest actions, compiled."""

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from bench.timing import note
from diablerie.engine.game import Game
from diablerie.games import ALL
from diablerie.lab.simulate.columns import win_shares
from diablerie.lab.statistics import Estimate, share_estimate
from diablerie.learning.settings import LearnerSettings
from diablerie.learning.shards import Shards
from diablerie.learning.weights import PolicyFile, bundled_policy, read_policy

GAMES, SEED = 2000, 777  # dice that no training has seen


def wins(files: Sequence[str] = ()) -> None:
    """Policies of files, or those that come with the games, for each number of seats they learnt."""
    found = {name: policy_of(Path(name)) for name in files} or {
        name: policy for name, game in ALL.items() if (policy := bundled_policy(game))
    }
    for name, policy in found.items():
        for seats in policy.seats:
            one = share(ALL[policy.game], policy, seats)
            note(f"{name}, {seats} seats: {one.value:.1%} [{one.low:.1%}, {one.high:.1%}]")


def policy_of(path: Path) -> PolicyFile:
    """The policy of a file, which names its game."""
    return read_policy(path, ALL[json.loads(path.read_bytes())["game"]])


def share(game: Game, policy: PolicyFile, seats: int) -> Estimate:
    """The share of wins, from every seat equally often."""
    size = LearnerSettings(wide=policy.wide, narrow=policy.narrow)
    player = Shards(game, size)
    (returns,) = player.match(policy.unpacked(), seats, SEED, [range(GAMES)])
    player.close()
    games = np.arange(GAMES)
    return share_estimate(win_shares(returns, game.teams(seats))[games, games % seats])
