"""A bot that plays by a learnt policy, at once or after rollouts of its likely actions."""

import time
from collections.abc import Iterator
from functools import cached_property
from math import ceil, log2, sqrt

import numpy as np

from diablerie.bots.network_rollouts import (
    BREADTH,
    ROLLOUT_START,
    NetworkRolloutArrays,
    roll_out,
    rollout_arrays,
)
from diablerie.bots.searcher import SMALLEST_RETURN_VARIANCE, ActionStats, SearchResult
from diablerie.engine import verbs
from diablerie.engine.game import Game
from diablerie.engine.record import Record, copy
from diablerie.engine.rng import Rng
from diablerie.engine.threads import LocalLock
from diablerie.learning.inputs import inputs_of
from diablerie.learning.network import Activations, PolicyNetwork, as_network
from diablerie.learning.rollout import (
    EnvWorker,
    FrozenPolicy,
    activations_of,
    drawn_index,
    env_worker,
    forward_state,
)
from diablerie.learning.weights import PolicyFile, policy_named

GUESSES_A_LOOK = 8  # guesses between two looks at the clock
UNLIKELY = 0.01  # an action below this probability is not tried


class NetworkBot:
    """Plays by a learnt policy.

    file: see `learning.weights`, or what it holds; "": the policy that comes with the game.
    temperature: 0 plays the likeliest action, 1 draws by the policy, between them likelier actions
    are favoured.
    n: rollouts for a decision (`network_rollouts`), or cpu: milliseconds of processor time for
    them; 0 and 0: none. decisions: choices of the seat in a rollout before the network judges.
    advised: the share of rollouts in which the others follow the game's advice, not the policy.
    doubt: another action than the policy's is played if it is better by so many standard errors.
    Raises BadPolicy, OSError, or UserError where no policy comes with the game.
    """

    def __init__(
        self,
        game: Game,
        file: str | PolicyFile = "",
        temperature: float = 0.0,
        n: int = 0,
        cpu: int = 0,
        decisions: int = 1,
        advised: float = 0.0,
        doubt: float = 1.0,
    ) -> None:
        self.learnt = learnt = file if isinstance(file, PolicyFile) else policy_named(game, file)
        self._lock = LocalLock()
        self.temperature = temperature
        # the sizes of tables that it has learnt
        self.game = game
        self.seats = learnt.seats
        self._network = as_network(learnt.unpacked(), inputs_of(game), learnt.hidden)
        self.n = n
        self.cpu = cpu
        self.decisions = decisions
        self.advised = float(advised)
        self.doubt = doubt

    # Made at the first decision: the game's rules are compiled for them.
    @cached_property
    def arrays(self) -> tuple[PolicyNetwork, EnvWorker, Activations]:
        """The network, and the arrays that it works on."""
        worker = env_worker([self.game.start(self.game.seats[0])], self.game, 1, 0)
        return self._network, worker, activations_of(self.game, self.learnt.hidden)

    @cached_property
    def rollouts(self) -> NetworkRolloutArrays:
        """The arrays of its rollouts."""
        return rollout_arrays(self.game)

    def __reduce__(self) -> tuple[object, ...]:
        how = self.temperature, self.n, self.cpu, self.decisions, self.advised, self.doubt
        return NetworkBot, (self.game, self.learnt, *how)

    def hurried(self, milliseconds: int) -> "NetworkBot":
        """The same bot with so much processor time for a decision."""
        how = self.decisions, self.advised, self.doubt
        return NetworkBot(self.game, self.learnt, self.temperature, 0, milliseconds, *how)

    def policy(self, s: Record, seat: int) -> tuple[list[int], list[float]]:
        """The legal actions of a seat, and their probabilities. The state need not be redacted."""
        with self._lock:
            _, w, a = self.arrays
            n = forward_state(*self.arrays, verbs.states_of(self.game.state, s.array), seat)
            return w.out[:n].tolist(), a.policy[:n].tolist()

    def choose(self, s: Record, seat: int, rng: Rng) -> int:
        """See Bot."""
        if self.n or self.cpu:
            return self.think(s, seat, rng).action
        actions, chances = self.policy(s, seat)
        return actions[self._pick(chances, rng)]

    def _pick(self, chances: list[float], rng: Rng) -> int:
        """The index of the action to play, by the probabilities."""
        return int(drawn_index(np.array(chances, np.float32), len(chances), self.temperature, rng))

    def frozen(self) -> FrozenPolicy | None:
        """See `learning.actors.PlaysByPolicy`: not if it plays actions on before it chooses."""
        alone = not (self.n or self.cpu)
        return FrozenPolicy(*self.arrays, self.temperature) if alone else None

    def think(self, s: Record, seat: int, rng: Rng) -> SearchResult:
        """Roll out the likely actions; the same `rng` and `n` give the same result.

        Of other seats' returns nothing is known, so they are given as 0, and errors are those of
        differences to the policy's own action.
        """
        seen = copy(s)
        verbs.redact(seen, seat)
        advised = verbs.advise(copy(seen), seat, rng)
        tried = self._likely(seen, seat, rng)
        if len(tried) == 1:
            return SearchResult(tried[0], advised, (), 0)
        with self._lock:
            stats = self._rolled_out(seen, seat, tried, rng)
        visits = sum(one.visits for one in stats)
        return SearchResult(stats[0].action, advised, tuple(stats), visits)

    def _likely(self, s: Record, seat: int, rng: Rng) -> list[int]:
        """The actions that are worth a try: the policy's own, then the likeliest others."""
        actions, chances = self.policy(s, seat)
        own = self._pick(chances, rng)
        others = sorted((i for i in range(len(actions)) if i != own), key=lambda i: -chances[i])
        likely = [i for i in others[: BREADTH - 1] if chances[i] >= UNLIKELY]
        return [actions[i] for i in (own, *likely)]

    def _rolled_out(self, seen: Record, seat: int, tried: list[int], rng: Rng) -> list[ActionStats]:
        """Statistics of the actions tried, the one to be played first.

        After each stage the worse half of them is dropped, but never the policy's own (sequential
        halving: Karnin, Koren and Somekh 2013).
        """
        r = self.rollouts
        left = len(tried)
        done = 0
        dropped = list[ActionStats]()
        r.states[ROLLOUT_START] = seen.array[0]
        for array in (r.worth, r.ahead, r.squares):
            array[:] = 0.0
        r.actions[:left] = tried
        stages = ceil(log2(left))
        seats = seen.seats
        for stage in range(stages):
            for guesses in self._batches(left, stages):
                how = self.decisions, self.advised
                roll_out(*self.arrays, r, seat, left, guesses, *how, rng)
                done += guesses
            stats = action_stats(r, left, done, seat, seats)
            # What is dropped keeps its statistics: they are shown, though it is not played.
            if stage < stages - 1:
                kept = better_half(stats, seat)
                dropped = [one for i, one in enumerate(stats) if i not in kept] + dropped
                left = keep_only(r, kept)
        best = max(stats, key=lambda one: one.returns[seat] - self.doubt * one.error)
        stats.remove(best)
        return [best, *stats, *dropped]

    def _batches(self, actions: int, stages: int) -> Iterator[int]:
        """Numbers of guesses until a stage is over."""
        if self.cpu:
            end = time.thread_time() + self.cpu / 1000 / stages
            while time.thread_time() < end:
                yield GUESSES_A_LOOK
        else:
            yield max(1, self.n // (actions * stages))


def action_stats(
    r: NetworkRolloutArrays, left: int, done: int, seat: int, seats: int
) -> list[ActionStats]:
    """Statistics of the actions that are left after so many guesses; the policy's has no error."""
    stats = []
    for i in range(left):
        ahead = float(r.ahead[i]) / done
        variance = max(
            float(r.squares[i]) / done - ahead**2, SMALLEST_RETURN_VARIANCE if i else 0.0
        )
        returns = [0.0] * seats
        returns[seat] = float(r.worth[i]) / done
        stats.append(ActionStats(int(r.actions[i]), done, tuple(returns), sqrt(variance / done)))
    return stats


def better_half(stats: list[ActionStats], seat: int) -> list[int]:
    """The places of the policy's action and of the better half of the others."""
    others = sorted(range(1, len(stats)), key=lambda i: -stats[i].returns[seat])
    return [0, *others[: max(1, len(stats) // 2 - 1)]]


def keep_only(r: NetworkRolloutArrays, kept: list[int]) -> int:
    """Go on with these actions alone; return their number."""
    for array in (r.actions, r.worth, r.ahead, r.squares):
        array[: len(kept)] = [array[i] for i in kept]
    return len(kept)
