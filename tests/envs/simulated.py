"""Batches on numba-cuda's simulator, a thread of Python for each game, in a process of its own.

    NUMBA_ENABLE_CUDASIM=1 NUMBA_DISABLE_JIT=1 python -m tests.envs.simulated

Prints what the cases show as JSON. The simulator's arrays are no arrays to compiled code, so the
rules run uncompiled, over NumPy's records.
"""

import json

import numpy as np

from diablerie.engine import verbs
from tests.envs.side_by_side import game_named, steps

CASES = (  # game, games, steps, what is chosen
    ("tails", 2, 75, {"seats": 3, "seed": 5}),
    ("tails", 3, 45, {"seed": 6, "autoreset": "next-step", "illegal": "lose", "mask": "bits"}),
    ("tails", 2, 30, {"autoreset": "disabled", "illegal": "lose", "players": ("", "random")}),
    ("coals", 3, 25, {"seats": 3, "players": ("sensible", "", "random")}),
    ("underworld", 2, 12, {"seats": 3}),
    ("kitchen", 2, 15, {"mask": "none"}),
    ("kitchen", 1, 1, {"players": ("", "sensible")}),
    ("coasters", 2, 30, {"players": ("", "sensible")}),
)
PLAYED = ("tails", 2, 2, 7)  # playouts: game, games, seats, seed


def shown(device):
    """What the cases show on a device, step by step."""
    return [list(steps(device, name, n, count, **chosen)) for name, n, count, chosen in CASES]


def as_rows(game):
    """Let a row of an array of states be what the verbs take in Python: with numbers as int."""
    functions = verbs._games[game.state.dtype]

    class Row(np.record):
        verbs = functions
        array = property(lambda self: self)

        def __getattribute__(self, name):
            value = super().__getattribute__(name)
            return int(value) if isinstance(value, np.integer) else value

    game.state.dtype = np.dtype((Row, game.state.dtype))


def main():
    from diablerie.envs.cuda import driver
    from diablerie.envs.cuda.playouts import play_on_device

    driver.require()
    for name in {case[0] for case in CASES}:
        as_rows(game_named(name))
    driver.THREADS = 4  # each is one of Python's
    name, n, seats, seed = PLAYED
    played = play_on_device(game_named(name), n, seats=seats, seed=seed)
    ends = [played.steps.copy_to_host().tolist(), played.returns.copy_to_host().tolist()]
    print(json.dumps([shown("cuda"), ends]))


if __name__ == "__main__":
    main()
