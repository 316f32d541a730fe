"""What a bot loses compared with exact play, measured decision by decision.

Against an opponent that plays exactly, the expected result of a game is its value less the sum of
what each of the bot's decisions was worse than the best one. So these losses are summed, which
leaves out the luck of the dice and of the opponent's mixed stakes. A responder asks the bot many
times for its stake and answers the stakes that it hears; what the bot loses against a responder is
a lower bound of its exploitability.
"""

from typing import Any

import msgspec
import numpy as np

from diablerie.bots.basic import Bot
from diablerie.bots.spec import parse_bot
from diablerie.engine import verbs
from diablerie.engine.playout import buffers
from diablerie.engine.queries import redacted
from diablerie.engine.record import Record
from diablerie.engine.rng import Rng, seeded, weighted
from diablerie.engine.verbs import CHANCE, OVER
from diablerie.lab.running.run import Progress, no_progress
from diablerie.lab.running.settings import check_players
from diablerie.lab.statistics import Estimate, mean_estimate
from diablerie_exact.solution import Solution, game_value

RESPONDER_SAMPLES = 20  # stakes that a responder asks for: half to choose by, half to judge by


class BotLoss(msgspec.Struct, frozen=True):
    """What a bot loses a game on average, in utility (-1 to 1), with 95 % intervals.

    bets, pulls: by these decisions, against exact play; all: their sum; answered: against a
    responder; exploited: against a best response, None if nobody asked for it or if it cannot be
    computed.
    """

    player: str
    games: int
    all: Estimate
    bets: Estimate
    pulls: Estimate
    answered: Estimate
    exploited: float | None = None


def measure_loss(
    solution: Solution, player: str, games: int, seed: int = 1, progress: Progress = no_progress
) -> BotLoss:
    """Let a bot play so many games of each kind, from both seats in turn.

    Raises BadSpec or BadConfig if `player` is no spec of a bot.
    """
    check_players([player])
    bot = parse_bot(player, imports=True).make(solution.game)
    sums = []
    for game in range(games):
        rng = seeded(seed * 1_000_003 + game // 2)
        exact = MeasuredGame(solution, bot, game % 2, rng, 0).play()
        responded = MeasuredGame(solution, bot, game % 2, rng, RESPONDER_SAMPLES).play()
        sums.append((exact[0] + exact[1], *exact, responded[0] + responded[1]))
        progress(game + 1, games)
    lost, bets, pulls, answered = (
        mean_estimate(np.array(one), float("inf")) for one in zip(*sums, strict=True)
    )
    return BotLoss(player, games, lost, bets, pulls, answered)


class MeasuredGame:
    """One game of a bot in a seat; the other seat pulls as the solution does.

    samples: how often the other seat asks the bot for its stake; 0: it bets as the solution does.
    """

    def __init__(self, solution: Solution, bot: Bot, seat: int, rng: Rng, samples: int) -> None:
        self.solution = solution
        self.bot = bot
        self.seat = seat
        self.rng = rng
        self.samples = samples
        self._out, self._p = buffers(solution.game)

    def play(self) -> tuple[float, float]:
        """Play; return what the bot lost by its stakes, and by going on or stopping."""
        s = self.solution.first.copy()
        bets = 0.0
        pulls = 0.0
        while (who := verbs.actor(s)) != OVER:
            if who == CHANCE:
                n = verbs.chance(s, self._out, self._p)
                verbs.apply(s, CHANCE, int(self._out[weighted(self.rng, self._p, n)]))
            elif not verbs.witness(s):
                bets += self._bet(s)
            else:
                pulls += self._pull(s, who)
        return bets, pulls

    def _bet(self, s: Any) -> float:
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

    def _pull(self, s: Any, who: int) -> float:
        sign = 1 if who == s.first else -1
        worth = {action: sign * x for action, x in self.solution.pulls(s).items()}
        best = max(worth, key=worth.__getitem__)
        action = self._ask(s) if who == self.seat else best
        verbs.apply(s, who, action)
        return worth[best] - worth[action]

    def _ask(self, s: Record) -> int:
        return int(self.bot.choose(redacted(s, self.seat), self.seat, self.rng))


class ExactSummary(msgspec.Struct, frozen=True):
    """A solved game.

    value: of the game to the player who begins; error: a bound of the error of any value; rounds:
    how many were solved of `last`; positions: at which a round may begin; points: decisions in a
    round's pulling; seconds: how long this run took; losses: of bots.
    """

    game: str
    version: int
    options: dict[str, str]
    value: float
    error: float
    rounds: int
    last: int
    positions: int
    points: int
    seconds: float
    losses: list[BotLoss]


def exact_summary(solution: Solution, losses: list[BotLoss], seconds: float) -> ExactSummary:
    """The summary of a solution and of what bots lose."""
    facts = solution.table.facts
    values = solution.table.values
    rounds = solution.rounds
    return ExactSummary(
        game=facts.game,
        version=facts.version,
        options=facts.options,
        value=game_value(solution),
        error=solution.error,
        rounds=len(values),
        last=rounds.last,
        positions=values[0].size,
        points=rounds.points,
        seconds=seconds,
        losses=losses,
    )
