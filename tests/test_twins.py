"""What the rules' speed is measured against, loops written in C, plays the very same games."""

import pytest
from bench.playouts import c_games, compiled_c

from diablerie.engine.playout import buffers, playouts
from diablerie.engine.rng import seeded
from diablerie.games import ALL

GAMES = 100


@pytest.mark.parametrize(
    ("name", "seats"), [("coals", 2), ("coals", 6), ("tails", 2), ("tails", 3)]
)
def test_the_twin_in_c_takes_the_same_steps_by_the_same_numbers(name, seats, tmp_path):
    program = compiled_c(name, tmp_path)
    if not program:
        pytest.skip("no C compiler")
    start, rng = ALL[name].start(seats).array, seeded(1)
    steps = playouts(start, start.copy(), rng, *buffers(ALL[name]), GAMES)
    taken, _, generator = c_games(program, seats, GAMES)
    assert (taken, generator) == (steps, int(rng[0]))
