"""Batches that are to be the same: what their arrays hold, step by step."""

import hashlib
import sys
from importlib import import_module
from pathlib import Path

import numpy as np

import diablerie
from diablerie.envs.batch import Batch

OUTSIDE = Path(__file__).parents[2] / "examples" / "coasters" / "src"

ARRAYS = (
    "states", "seat", "observer", "observation", "final_observation", "actions", "count", "mask",
    "bits", "rewards", "terminated", "illegal", "episode",
)  # fmt: skip


def game_named(name):
    """One of our games, or the one from outside in `examples/coasters`, whose name it bears."""
    if name in diablerie.GAMES:
        return diablerie.GAMES[name]
    if str(OUTSIDE) not in sys.path:
        sys.path.append(str(OUTSIDE))
    return import_module(name).GAME


def here(array):
    """An array of a batch, wherever it is, as one of this machine."""
    return array.copy_to_host() if hasattr(array, "copy_to_host") else array


def digest(batch):
    """What all arrays of a batch hold, each by its name; of states the fields, not the padding."""
    found = {name: here(getattr(batch, name)) for name in ARRAYS}
    states = found.pop("states")
    found |= {f"states.{name}": states[name] for name in batch.game.state.declared}
    return {name: hashlib.sha256(array.tobytes()).hexdigest()[:12] for name, array in found.items()}


def steps(device, name, n, count, **chosen):
    """What a batch shows after a reset and in so many steps of random play.

    Every tenth step of a batch whose seats lose by illegal actions has one; where games wait for a
    reset, every seventh step is followed by one.
    """
    if device == "cpu":
        batch = Batch(game_named(name), n, **chosen)
    else:
        from diablerie.envs.cuda.batch import CardBatch

        batch = CardBatch(game_named(name), n, **chosen)
    batch.reset()
    yield digest(batch)
    for k in range(count):
        actions = here(batch.sample())
        if not batch.raises and k % 10 == 9:
            actions[k % n] = -1
        batch.step(actions)
        yield digest(batch)
        if batch.autoreset == "disabled" and k % 7 == 6:
            batch.reset(chosen=np.array(here(batch.terminated)))
            yield digest(batch)
    batch.reset(seed=99)
    yield digest(batch)
    batch.close()
