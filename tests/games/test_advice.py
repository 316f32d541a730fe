"""How clearly one who plays by a game's advice beats those who play at random."""

import numpy as np
import pytest

from diablerie.engine import verbs
from diablerie.engine.rng import seeded
from diablerie.games import ALL
from diablerie.testing.positions import choose_action


@pytest.mark.parametrize(
    ("name", "seats", "share"),
    [("coals", 2, 0.95), ("kitchen", 2, 0.95), ("tails", 2, 0.8), ("underworld", 6, 0.95)],
)
def test_advice_beats_random_play_clearly(name: str, seats: int, share: float) -> None:
    rng, out, held = seeded(4), np.zeros(verbs.SEATS), []
    for k in range(100):
        s = ALL[name].start(seats)
        while (who := verbs.actor(s)) != verbs.OVER:
            verbs.apply(s, *choose_action(ALL[name], s, rng, advised=who == k % seats))
        verbs.returns(s, out)
        held.append(out[k % seats] > 0 if seats == 2 else out[k % seats] >= 0)
    assert np.mean(held) >= share
