"""Calibration: chances that were played out, brought nearer to who really wins.

Rollouts follow the advice, finished games were played by whoever played them: so the shares may
be too sure or not sure enough. One number for each game, its temperature, mends that
(`Game.temperature`); `diablerie calibrate` measures it.
"""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray


def tempered(chances: ArrayLike, temperature: float) -> NDArray[Any]:
    """Everybody's chances, by seat in the last dimension, with their log-odds divided.

    That is by `temperature`: above 1 they come nearer to each other. Their sum stays what it was,
    since partners win together and some games are nobody's; none is above 1, and what is certain
    stays so.
    """
    told = np.asarray(chances, float)
    powers = told ** (1 / temperature)
    of, over = told.sum(-1, keepdims=True), powers.sum(-1, keepdims=True)
    shares = np.divide(powers, over, out=np.zeros_like(powers), where=over > 0)
    made: NDArray[Any] = np.minimum(shares * of, 1.0)
    return made
