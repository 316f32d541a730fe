"""The worker of a calibration: it plays a game, and then playouts from some of its positions."""

import random
from collections.abc import Callable
from contextlib import suppress

import msgspec

from diablerie.bots.basic import Bot
from diablerie.bots.rollouts import Rollouts
from diablerie.bots.spec import parse_bot
from diablerie.engine.fair import DiceStream
from diablerie.engine.match import Match
from diablerie.engine.queries import redacted
from diablerie.engine.record import Record
from diablerie.engine.rng import seeded
from diablerie.engine.text import say
from diablerie.lab.calibration.config import CalibrationConfig, CalibrationGame
from diablerie.lab.running.errors import BotFailure, JobStopped
from diablerie.lab.running.settings import seed_for

MAX_DECISIONS = 100_000  # of a game; a longer one counts as the bots' failure


class PredictedGame(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The chances at positions of one game, and who won it: a line of the file."""

    game: int  # its number
    chances: list[list[float]]  # by position and seat: the share of playouts that the seat won
    won: list[bool]  # by seat


class CalibrationWorker:
    """Plays the games of a calibration, and playouts from their positions."""

    def __init__(self, config: CalibrationConfig) -> None:
        self.config, self.game = config, config.rules
        self._rollouts = Rollouts(self.game)

    def warm(self) -> None:
        """Compile everything that a game needs, by a game that does not count."""
        with suppress(BotFailure):
            self.play(CalibrationGame(0, self.config.seats[0]))

    def play(self, job: CalibrationGame, stop: Callable[[], bool] = lambda: False) -> PredictedGame:
        """Play a game. Raises BotFailure, or JobStopped as soon as `stop()` is true."""
        match, states = self._match(job, stop)
        rng = random.Random(self._seed("positions", job))
        places = sorted(rng.sample(range(len(states)), min(self.config.positions, len(states))))
        return PredictedGame(
            game=job.number,
            chances=[self._chances(states[k], self._seed("playouts", job, k)) for k in places],
            won=[x > 0 for x in match.returns()],
        )

    def _chances(self, s: Record, seed: int) -> list[float]:
        chances = self._rollouts.chances(s, seeded(seed), self.config.playouts)
        return [round(x, 4) for x in chances]

    def _match(self, job: CalibrationGame, stop: Callable[[], bool]) -> tuple[Match, list[Record]]:
        """A finished game, and its positions before each decision."""
        bots = self._bots(job)
        match = Match.new(
            self.game,
            seats=job.seats,
            fair=DiceStream.seeded(self._seed("dice", job)),
            options=self.config.options,
        )
        states: list[Record] = []
        rng = seeded(self._seed("bots", job))
        while (seat := match.actor) is not None:
            if stop():
                raise JobStopped
            if len(states) >= MAX_DECISIONS:
                raise BotFailure(say("a game was not over after {n} decisions", n=MAX_DECISIONS))
            states.append(match.state.copy())
            match.carry_out(bots[seat].choose(redacted(match.state, seat), seat, rng), seat)
        return match, states

    def _bots(self, job: CalibrationGame) -> list[Bot]:
        rng = random.Random(self._seed("seats", job))
        names = [rng.choice(self.config.players) for _ in range(job.seats)]
        return [parse_bot(name, imports=True).make(self.game) for name in names]

    def _seed(self, what: str, job: CalibrationGame, *more: int) -> int:
        return seed_for(self.config.seed, "calibration", self.config.game, what, job.number, *more)
