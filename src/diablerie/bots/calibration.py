"""Calibration: correct the win chances that rollouts give, by temperature scaling.

Rollouts follow the advice, but people and bots play otherwise, so these chances may be too sure or
not sure enough. Each game has one number against that, its temperature (`Game.temperature`), which
divides the log-odds (Guo, Pleiss, Sun and Weinberger 2017, "On Calibration of Modern Neural
Networks"). `diablerie calibrate` measures it.
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
    return np.asarray(np.minimum(shares * of, 1.0))
