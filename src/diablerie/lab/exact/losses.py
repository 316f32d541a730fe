"""What a bot loses beside a solved game, measured decision by decision.

Against an opponent without fault a game ends, in the mean, below its value by just what the bot's
decisions were worse than the best: so these are summed, and the luck of dice and of the opponent's
mixed stakes is left out. Against a responder, who asks the bot many times what it would stake and
answers what it hears, more can be lost: that is how far the bot can be exploited at least.
"""

from collections.abc import Callable
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from diablerie.bots.basic import Bot
from diablerie.bots.exact.solution import Solution
from diablerie.bots.spec import parse
from diablerie.engine import verbs
from diablerie.engine.asking import redacted
from diablerie.engine.playout import buffers
from diablerie.engine.record import Record
from diablerie.engine.rng import Rng, seeded, weighted
from diablerie.engine.verbs import CHANCE, OVER
from diablerie.lab.config import check_player
from diablerie.lab.intervals import Estimate, Z

Numbers = NDArray[Any]
SAMPLES = 20  # so often a responder asks for a stake: half to choose by, half to judge by


class Loss(msgspec.Struct, frozen=True):
    """What a bot loses in a game, in the mean, in utility (-1 to 1) with 95 % intervals.

    bets, pulls: by these decisions, against an opponent without fault; all: their sum; answered:
    against a responder; exploited: by a best response, None if that was not asked for, or cannot
    be found.
    """

    player: str
    games: int
    all: Estimate
    bets: Estimate
    pulls: Estimate
    answered: Estimate
    exploited: float | None = None


def measured(solution: Solution, player: str, games: int, seed: int = 1,
             tell: Callable[[int], object] = int) -> Loss:  # fmt: skip
    """Let a bot play so many games of each kind, from both seats in turn.

    Raises BadSpec or BadConfig for what is no bot.
    """
    check_player(player)
    bot = parse(player, imports=True).make(solution.game)
    sums = []
    for game in range(games):
        rng = seeded(seed * 1_000_003 + game // 2)
        exact = Play(solution, bot, game % 2, rng, 0).lost()
        answered = Play(solution, bot, game % 2, rng, SAMPLES).lost()
        sums.append((exact[0] + exact[1], *exact, answered[0] + answered[1]))
        tell(game + 1)
    lost, bets, pulls, most = (mean(np.array(one)) for one in zip(*sums, strict=True))
    return Loss(player, games, lost, bets, pulls, most)


def mean(x: Numbers) -> Estimate:
    """A mean with its interval, which is none for a single number."""
    value = float(x.mean())
    error = Z * float(x.std(ddof=1)) / len(x) ** 0.5 if len(x) > 1 else float("inf")
    return Estimate(value, value - error, value + error)


class Play:
    """One game of a bot, in a seat, against a seat that pulls as the solution does."""

    def __init__(self, solution: Solution, bot: Bot, seat: int, rng: Rng, samples: int) -> None:
        """samples: how often it is asked for a stake by a responder; 0: there is none."""
        self.solution, self.bot, self.seat, self.rng = solution, bot, seat, rng
        self.samples = samples
        self._out, self._p = buffers(solution.game)

    def lost(self) -> tuple[float, float]:
        """Play; what the bot lost by its stakes, and by going on or stopping."""
        s, bets, pulls = self.solution.first.copy(), 0.0, 0.0
        while (who := verbs.actor(s)) != OVER:
            if who == CHANCE:
                n = verbs.chance(s, self._out, self._p)
                verbs.apply(s, CHANCE, int(self._out[weighted(self.rng, self._p, n)]))
            elif not verbs.witness(s):
                bets += self._bet(s)
            else:
                pulls += self._pull(s, who)
        return bets, pulls

    def _bet(self, s: Record) -> float:
        matrix, solved = self.solution.bets(s)
        begins = self.seat == s.first
        mine = matrix if begins else -matrix.T
        value = solved.value if begins else -solved.value
        if self.samples:
            asked = [self._ask(s) for _ in range(self.samples)]
            half = self.samples // 2
            other = int(mine[asked[:half]].mean(axis=0).argmin())
            lost = value - float(mine[asked[half:], other].mean())
            stake = asked[-1]
        else:
            mixed = solved.columns if begins else solved.rows
            stake = self._ask(s)
            lost = value - float(mine[stake] @ mixed)
            other = int(weighted(self.rng, np.ascontiguousarray(mixed), len(mixed)))
        verbs.apply(s, self.seat, stake)
        verbs.apply(s, 1 - self.seat, other)
        return lost

    def _pull(self, s: Record, who: int) -> float:
        sign = 1 if who == s.first else -1
        worth = {action: sign * x for action, x in self.solution.pulls(s).items()}
        best = max(worth, key=worth.__getitem__)
        action = self._ask(s) if who == self.seat else best
        verbs.apply(s, who, action)
        return worth[best] - worth[action]

    def _ask(self, s: Record) -> int:
        return int(self.bot.choose(redacted(s, self.seat), self.seat, self.rng))
