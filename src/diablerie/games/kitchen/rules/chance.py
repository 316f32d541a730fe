"""Chance: who begins (K9), the dice (K2), the stove (K3, K21)."""

from typing import Any

from numpy.typing import NDArray

from diablerie.engine.chances import who_begins
from diablerie.engine.compile import rule
from diablerie.engine.record import Record
from diablerie.games.kitchen.rules.state import JUMP, OUTCOMES, QUIET, WEIGHTS, Node


@rule
def chance(s: Record, out: NDArray[Any], p: NDArray[Any]) -> int:
    """The verb."""
    if s.node == Node.FIRST:
        return who_begins(int(s.seats), out, p)
    if s.node == Node.ROLL:
        for k in range(OUTCOMES):
            out[k], p[k] = k, WEIGHTS[k] / 36.0
        return OUTCOMES
    jumps = jump_chance(s)
    if jumps >= 1.0:  # so long a burst that the calm is no number any more
        out[0], p[0] = JUMP, 1.0
        return 1
    out[0], p[0] = QUIET, 1.0 - jumps
    out[1], p[1] = JUMP, jumps
    return 2


@rule
def jump_chance(s: Record) -> float:
    """The probability that the Oberteufel jumps during the coming burst."""
    calm = 1.0
    for _ in range(s.burst):
        calm *= 1.0 - 1.0 / float(s.stove)
    return 1.0 - calm


def attackers_chance(stove: int) -> float:
    """The probability that the attacker wins a duel, where one press in `stove` is a jump."""
    wins, calm = 0.0, 1.0
    for burst in range(1, 400):
        quiet = (1 - 1 / stove) ** burst
        if burst % 2:
            wins += calm * (1 - quiet)
        calm *= quiet
    return wins


def longest_duel(stove: int) -> int:
    """The number of the burst whose calm is no number any more (see `chance`)."""
    burst = 1
    while 1.0 - (1 - 1 / stove) ** burst < 1.0:
        burst += 1
    return burst + 1
