"""What a worker of a calibration does: it plays a game, and some of its positions on."""

import random
from collections.abc import Callable
from contextlib import suppress

import msgspec

from diablerie.bots.basic import Bot
from diablerie.bots.rollouts import Rollouts
from diablerie.bots.spec import parse
from diablerie.engine.asking import redacted
from diablerie.engine.fair import Fair
from diablerie.engine.match import Match
from diablerie.engine.record import Record
from diablerie.engine.rng import seeded
from diablerie.engine.text import say
from diablerie.lab.calibration.config import Played, Sampling
from diablerie.lab.errors import BotFailure, Stopped
from diablerie.lab.pairing import seed_for

LONGEST = 100_000  # decisions; a game that bots do not end is their failure


class Told(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What was told of positions of one game, and who won it: a line of the file."""

    game: int  # its number
    chances: list[list[float]]  # by position and seat: shares of the games played on, as they are
    won: list[bool]  # by seat


class Sampler:
    """Plays the games of a calibration, and positions of them on."""

    def __init__(self, config: Sampling) -> None:
        self.config, self.game = config, config.rules
        self._rollouts = Rollouts(self.game)

    def warm(self) -> None:
        """Compile what is needed, by a game that is forgotten."""
        with suppress(BotFailure):
            self.play(Played(0, self.config.seats[0]))

    def play(self, job: Played, stop: Callable[[], bool] = lambda: False) -> Told:
        """Play a game. Raises BotFailure, or Stopped as soon as `stop` says so."""
        match, states = self._match(job, stop)
        lots = random.Random(self._seed("positions", job))
        places = sorted(lots.sample(range(len(states)), min(self.config.positions, len(states))))
        return Told(
            game=job.number,
            chances=[self._chances(states[k], self._seed("playouts", job, k)) for k in places],
            won=[x > 0 for x in match.returns()],
        )

    def _chances(self, s: Record, seed: int) -> list[float]:
        found = self._rollouts.chances(s, seeded(seed), self.config.playouts)
        return [round(x, 4) for x in found]

    def _match(self, job: Played, stop: Callable[[], bool]) -> tuple[Match, list[Record]]:
        """A finished game, and its positions before each decision."""
        bots = self._bots(job)
        match = Match.new(
            self.game,
            seats=job.seats,
            fair=Fair.seeded(self._seed("dice", job)),
            options=self.config.options,
        )
        states: list[Record] = []
        rng = seeded(self._seed("bots", job))
        while (seat := match.actor) is not None:
            if stop():
                raise Stopped
            if len(states) >= LONGEST:
                raise BotFailure(say("a game was not over after {n} decisions", n=LONGEST))
            states.append(match.state.copy())
            match.carry_out(bots[seat].choose(redacted(match.state, seat), seat, rng), seat)
        return match, states

    def _bots(self, job: Played) -> list[Bot]:
        lots = random.Random(self._seed("seats", job))
        names = [lots.choice(self.config.players) for _ in range(job.seats)]
        return [parse(name, imports=True).make(self.game) for name in names]

    def _seed(self, what: str, job: Played, *more: int) -> int:
        return seed_for(self.config.seed, "calibration", self.config.game, what, job.number, *more)
