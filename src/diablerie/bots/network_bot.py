"""A bot that plays by a learnt policy, at once or after rollouts of its likely actions."""

import time
from collections.abc import Iterator
from math import ceil, log, log2
from pathlib import Path
from threading import Lock

import numpy as np

from diablerie.bots.network_rollouts import BREADTH, START, roll_out, rollout_arrays
from diablerie.engine import verbs
from diablerie.engine.game import Game
from diablerie.engine.record import Record, copy
from diablerie.engine.rng import Rng, unit
from diablerie.engine.text import UserError, say
from diablerie.learning.network import as_network
from diablerie.learning.selfplay import judge_alone, playing_room, shard
from diablerie.learning.weights import bundled_policy, read_policy
from diablerie.values.inputs import inputs_of

BATCH = 8  # guesses between two looks at the clock
UNLIKELY = 0.01  # an action below this probability is not tried


class NetworkBot:
    """Plays by a learnt policy.

    file: see `learning.weights`; "": the policy that comes with the game. temperature: 0 plays the
    likeliest action, 1 draws by the policy, between them likelier actions are favoured.
    n: rollouts for a decision (`network_rollouts`), or cpu: milliseconds of processor time for
    them; 0 and 0: none. decisions: choices of the seat in a rollout before the network judges.
    doubt: another action than the policy's is played if it is better by so many standard errors.
    Raises BadPolicy, OSError, or UserError where no policy comes with the game.
    """

    def __init__(
        self,
        game: Game,
        file: str = "",
        temperature: float = 0.0,
        n: int = 0,
        cpu: int = 0,
        decisions: int = 1,
        doubt: float = 1.0,
    ) -> None:
        learnt = read_policy(Path(file), game) if file else bundled_policy(game)
        if learnt is None:
            raise UserError(
                say("{game} comes without a learnt policy: name a file.", game=game.title)
            )
        self.temperature, self._lock = temperature, Lock()
        size = learnt.wide, learnt.narrow
        self.net = as_network(learnt.unpacked(), inputs_of(game), *size)
        self._shard = shard([game.start(game.seats[0])], game, 1, 0)
        self._room, self._rollouts = playing_room(game, *size), rollout_arrays(game)
        self.n, self.cpu, self.decisions, self.doubt = n, cpu, decisions, doubt

    def policy(self, s: Record, seat: int) -> tuple[list[int], list[float]]:
        """The legal actions of a seat, and their probabilities. The state need not be redacted."""
        with self._lock:
            n = judge_alone(self.net, self._shard, self._room, s.array.view(np.recarray), seat)
            return self._shard.out[:n].tolist(), self._room.policy[:n].tolist()

    def choose(self, s: Record, seat: int, rng: Rng) -> int:
        """See Bot."""
        actions, chances = self.policy(s, seat)
        if (self.n or self.cpu) and len(actions) > 1:
            return self._considered(s, seat, rng, actions, chances)
        if self.temperature:  # the largest of logits with Gumbel noise is a draw from the softmax
            chances = [
                log(max(p, 1e-30)) / self.temperature - log(-log(unit(rng) + 1e-300))
                for p in chances
            ]
        return actions[max(range(len(actions)), key=chances.__getitem__)]

    def _considered(
        self, s: Record, seat: int, rng: Rng, actions: list[int], chances: list[float]
    ) -> int:
        """The action that rollouts prefer (sequential halving: Karnin, Koren and Somekh 2013)."""
        order = sorted(range(len(actions)), key=lambda i: -chances[i])[:BREADTH]
        tried = [i for i in order if chances[i] >= UNLIKELY]
        if len(tried) == 1:
            return actions[tried[0]]
        with self._lock:
            r, left, done = self._rollouts, len(tried), 0
            seen = copy(s)
            verbs.redact(seen, seat)
            r.states[START] = seen.array[0]
            r.actions[:left] = [actions[i] for i in tried]
            r.ahead[:], r.squares[:] = 0.0, 0.0
            stages = ceil(log2(left))
            for stage in range(stages):
                for guesses in self._batches(left, stages):
                    roll_out(
                        self.net, self._shard, self._room, r, seat, left, guesses,
                        self.decisions, rng,
                    )  # fmt: skip
                    done += guesses
                if stage < stages - 1:
                    left = self._halve(left)
            return int(r.actions[self._best(left, done)])

    def _batches(self, actions: int, stages: int) -> Iterator[int]:
        """Numbers of guesses until a stage is over."""
        if self.cpu:
            end = time.thread_time() + self.cpu / 1000 / stages
            while time.thread_time() < end:
                yield BATCH
        else:
            yield max(1, self.n // (actions * stages))

    def _halve(self, left: int) -> int:
        """Keep the policy's action and the better half of the others; return how many are left."""
        r = self._rollouts
        best = [0, *sorted(range(1, left), key=lambda i: -r.ahead[i])[: max(1, left // 2 - 1)]]
        for array in (r.actions, r.ahead, r.squares):
            array[: len(best)] = array[best]
        return len(best)

    def _best(self, left: int, done: int) -> int:
        """The action that is surely ahead of the policy's, 0 if there is none."""
        r = self._rollouts
        mean = r.ahead[:left] / done
        spread = np.maximum(r.squares[:left] / done - mean**2, 0.0)
        return int(np.argmax(mean - self.doubt * np.sqrt(spread / done)))
