"""Seeds of single games in compiled loops."""

from typing import Any

import numpy as np

from diablerie.engine.compile import rule
from diablerie.engine.rng import Rng, bits


@rule
def seed_game(rng: Rng, base: Any, game: int) -> None:
    """Seed the generator for the game of this number; other games do not change it.

    base: the seed of all games, uint64.
    """
    rng[0] = base
    rng[0] = bits(rng) ^ np.uint64(game)
    rng[0] = bits(rng)
