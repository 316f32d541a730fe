"""Whole games on the GPU, one for each thread, at random or as advised."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numba import cuda

from diablerie.engine.game import Game
from diablerie.envs.cuda import kernels
from diablerie.envs.cuda.driver import launch


class DevicePlayouts(NamedTuple):
    """The results of n games, in GPU memory."""

    steps: Any  # int64 (n,): decisions and outcomes of chance
    returns: Any  # float64 (n, seats)
    states: Any  # states (n,): the last positions


def play_on_device(
    game: Game,
    n: int,
    *,
    seats: int | None = None,
    seed: int = 0,
    options: Mapping[str, Any] | None = None,
    advised: bool = False,
) -> DevicePlayouts:
    """Play n games from the start to the end: at random, or every seat as the game advises.

    Game i has the random generator of game i of a batch, in its first episode. As in
    `engine.playout`, the advice sees the whole position. Raises BadOption as `Game.start`; call
    `driver.require` first. The kernel may still run on return: `copy_to_host` waits for it.
    """
    count = game.seats[0] if seats is None else seats
    start = cuda.to_device(game.start(count, options).array)
    played = DevicePlayouts(
        cuda.device_array(n, np.int64),
        cuda.device_array((n, count), np.float64),
        cuda.device_array(n, game.state.dtype),
    )
    kernel = kernels.playout_kernel(kernels.room_of(game), advised)
    launch(kernel, n, start, np.uint64(seed % 2**64), *played)
    return played
