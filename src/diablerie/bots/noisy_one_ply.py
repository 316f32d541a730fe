"""The bot of the weaker levels, which errs as people do: it looks ahead little and forgets.

It judges every action by a short look ahead (`diablerie.bots.one_ply`, or the game's own appraisal
on a few samples) and draws one of the actions that seem about as good as the best, with
probabilities that rise with their value (softmax, or Boltzmann, choice). So it avoids gross
mistakes and makes small ones.
"""

import math
import time
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from diablerie.bots.one_ply import ONE_PLY_START, Lookahead, glance, one_ply_arrays
from diablerie.engine import verbs
from diablerie.engine.compile import Floats, Ints
from diablerie.engine.game import Appraisal, Game, LevelParams
from diablerie.engine.playout import buffers
from diablerie.engine.record import Record, copy
from diablerie.engine.rng import Rng, unit
from diablerie.engine.verbs import OVER, SEATS

Actions = Ints  # of one decision
Worth = Floats  # what each seems worth
NO_CHOICE = -1  # no action
# An action that seems worse than the best by more temperatures is never taken: a softmax alone would
# take it with e^-3, or 5 %, of the best one's probability. Chosen by hand.
PLAUSIBLE = 3.0


class FallibleBot:
    """Judges every action with the parameters of a level (`params`), and takes one that seems good.

    daring: how much a standard deviation of the return counts as return; above 0 the bot prefers
    uncertain actions, below 0 it avoids them. glance: whether it looks ahead itself even where the
    game appraises. seconds: while the rules are not compiled, it makes no further guess after this
    time, so that people need not wait; None: it makes all, and decides as with compiled rules.
    """

    seconds: float | None = None

    def __init__(
        self, game: Game, params: LevelParams, daring: float = 0.0, glance: bool = False
    ) -> None:
        self.game = game
        self.params = params
        self.daring = daring
        self.glance = glance

    def choose(self, s: Record, seat: int, rng: Rng) -> int:
        """See Bot. It takes an action that wins at once, and avoids those that lose at once."""
        actions, worth = self.judge(s, seat, rng)
        seen = copy(s)
        verbs.redact(seen, seat)
        ends = np.array([return_if_over(seen, seat, int(action)) for action in actions])
        if ends.max() > 0.0:
            return int(actions[ends.argmax()])
        keep = ends >= ends.max()
        return int(actions[keep][pick(worth[keep], self.params.temperature, rng)])

    def judge(self, s: Record, seat: int, rng: Rng) -> tuple[Actions, Worth]:
        """The legal actions, (n,), and the return that `seat` expects of each, (n,), -1 to 1."""
        return verbs.call_as_rules_run(self.game.state, self._judged, s, seat, rng)  # type: ignore[no-any-return]

    def _judged(self, s: Record, seat: int, rng: Rng) -> tuple[Actions, Worth]:
        seen = copy(s)
        spare = buffers(self.game)
        verbs.redact(seen, seat)
        actions = spare[0][: verbs.legal(seen, seat, spare[0])].copy()
        if len(actions) == 1:
            return actions, np.zeros(1)
        if self.game.forget:
            self.game.forget(seen, seat, self.params.memory, rng)
        advised = verbs.advise(copy(seen), seat, rng) if self.params.habit else NO_CHOICE
        appraise = None if self.glance else self.game.appraise
        if appraise and (appraisal := appraise(seen, seat)):
            worth = self._appraised(appraisal, seat, rng)
        else:
            worth = self._glanced(seen, seat, actions, spare, rng)
        return actions, worth + self.params.habit * (actions == advised)

    def _appraised(self, appraisal: Appraisal, seat: int, rng: Rng) -> Worth:
        for guesses in self._rounds():
            appraisal.sample(rng, guesses)
        return np.array([x.returns[seat] for x in sorted(appraisal.judged())])

    def _glanced(
        self, seen: Record, seat: int, actions: Actions, spare: tuple[Actions, Worth], rng: Rng
    ) -> Worth:
        params = self.params
        playout = self.game.playout
        look = np.zeros(1, Lookahead.dtype).view(np.recarray)
        look[0].me = seat
        look[0].skill = playout.skill
        look[0].neglect = params.neglect
        look[0].plies = playout.plies
        look[0].rest = sum(1 << node for node in playout.rest) or -1
        a = one_ply_arrays(self.game.state, actions, spare)
        a.states[ONE_PLY_START] = seen.array[0]
        done = 0
        for guesses in self._rounds():
            glance(a, look, rng, guesses)
            done += guesses
        mean = a.worth / done
        spread = np.sqrt(np.maximum(a.squares / done - mean**2, 0.0))
        return np.asarray(mean + self.daring * spread)

    def _rounds(self) -> Iterator[int]:
        """All guesses at once; one by one where time may be short, and at least one."""
        if self.seconds is None or not verbs.is_interpreted(self.game.state):
            yield self.params.guesses
            return
        began = time.monotonic()
        for done in range(self.params.guesses):
            # No guess is begun that would probably end too late.
            if done and (time.monotonic() - began) * (done + 1) > done * self.seconds:
                return
            yield 1


def return_if_over(s: Record, seat: int, action: int) -> float:
    """The return of `seat` if this action ends the game, as far as the seat sees it; else 0."""
    after = copy(s)
    out = np.zeros(SEATS)
    verbs.apply(after, seat, action)
    if verbs.actor(after) == OVER:
        verbs.returns(after, out)
    return float(out[seat])


def fallible(game: Game, **settings: Any) -> FallibleBot:
    """A bot for experiments. settings: fields of `LevelParams`."""
    return FallibleBot(game, LevelParams(**settings))


def pick(worth: Floats, temperature: float, rng: Rng) -> int:
    """The index of an action by softmax over `worth` (n,); the best one at temperature 0.

    An action worse by one temperature has 1/e of the probability; worse by more than `PLAUSIBLE`
    temperatures, none.
    """
    behind = np.max(worth) - worth
    if temperature <= 0.0:
        return int(np.argmin(behind))
    weights = np.where(behind <= PLAUSIBLE * temperature, np.exp(-behind / temperature), 0.0)
    return weighted_index(weights.tolist(), rng)


def weighted_index(weights: Sequence[float], rng: Rng) -> int:
    """An index drawn with these weights, of which at least one is above 0."""
    left = unit(rng) * math.fsum(weights)
    last = 0
    for place, weight in enumerate(weights):
        if weight > 0.0:
            left = left - weight
            last = place
            if left < 0.0:
                break
    return last
