"""The learner: actors play, it learns, they play on. Equal settings give equal weights.

The workers are fixed, and their gradients are added up in their order; threads only share them out.
So the number of threads changes nothing but the time.
"""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from diablerie.engine.compile import Floats, Floats32
from diablerie.engine.extras import require_compiled
from diablerie.engine.game import Game
from diablerie.engine.threads import Threads
from diablerie.learning.actors import PAST, Actor, Member, Population
from diablerie.learning.inputs import inputs_of
from diablerie.learning.network import PolicyNetwork, as_network, initial_weights
from diablerie.learning.ppo import (
    COUNT,
    ENTROPY,
    adam_step,
    add_gradients,
    shuffle_minibatches,
)
from diablerie.learning.rollout import EnvWorker, env_worker, estimate_advantages
from diablerie.learning.settings import ENV_WORKERS, TrainingSettings

T = TypeVar("T")
Arrays = dict[str, NDArray[Any]]  # by name
MOST_PAST = 200  # past selves that are kept, the newest
WEIGHTS = "flat", "mean", "square"  # arrays of a learner, as long as its weights


class Learner:
    """A network of a game that learns by self-play. threads: they change no result.

    With `settings.against` it learns to exploit these bots: an approximate best response.
    opponents: what makes the bots that `settings.against` names, in its order; may be left out where
    these are ADVICE and PAST alone.
    begin: the flat weights to begin with, if `settings.begin` names them.
    """

    def __init__(
        self,
        game: Game,
        settings: TrainingSettings,
        threads: int = 1,
        *,
        opponents: Sequence[Member] = (),
        begin: Floats32 | None = None,
    ) -> None:
        require_compiled("training")
        self.game = game
        self.settings = settings
        self.population = Population(opponents or settings.against, settings.weights)
        self._inputs = inputs_of(game)
        self.flat = initial_weights(self._inputs, settings.hidden, settings.seed)
        if begin is not None:
            self.flat[:] = begin
        self.mean = np.zeros_like(self.flat)
        self.square = np.zeros_like(self.flat)
        self.steps = self.decisions = self.games = 0
        self._total = np.zeros_like(self.flat)
        # A sum of gradients for each worker, added up in their order: threads change no result.
        self._gradients = np.zeros((ENV_WORKERS, len(self.flat)), np.float32)
        self._actors = [self._actor(self._worker(number)) for number in range(ENV_WORKERS)]
        self._threads = Threads(max(1, threads))

    def _worker(self, number: int) -> EnvWorker:
        game = self.game
        chosen = self.settings
        seats = chosen.seats or game.seats[:1]
        turn = -(number % len(seats))
        starts = [game.start(int(size), chosen.options) for size in np.roll(seats, turn)]
        capacity = chosen.rollout // ENV_WORKERS
        w = env_worker(starts, game, capacity, chosen.seed * ENV_WORKERS + number)
        if self.population.members:
            w.share[:] = np.roll(np.resize(chosen.share, len(seats)), turn)
        return w

    def _actor(self, w: EnvWorker) -> Actor:
        return Actor(self.game, self.settings.hidden, w, self.population)

    def _network(self, flat: Floats32) -> PolicyNetwork:
        return as_network(flat, self._inputs, self.settings.hidden)

    def _each(self, work: Callable[[int], T]) -> list[T]:
        """What this gives for the number of each worker, in their order."""
        return self._threads.map(work, range(ENV_WORKERS))

    def close(self) -> None:
        """End the threads."""
        self._threads.close()

    @property
    def done(self) -> bool:
        """Whether all decisions are learnt from."""
        return self.decisions >= self.settings.decisions

    def round(self) -> float:
        """Play a rollout and learn from it; return the policy's mean entropy, in nats."""
        self._keep_past()
        chosen = self.settings
        net = self._network(self.flat)
        sums = np.zeros((ENV_WORKERS, 3))

        def self_play(i: int) -> int:
            games = self._actors[i].play(net, chosen.rollout // ENV_WORKERS)
            estimate_advantages(self._actors[i].w, self._actors[i].kept, chosen.gae_lambda, sums[i])
            return games

        games = sum(self._each(self_play))
        count, total, squares = sums.sum(axis=0)
        # Advantages are normalized over the whole rollout, not within a minibatch.
        mean = total / count
        scale = 1.0 / (max(0.0, squares / count - mean**2) ** 0.5 + 1e-6)
        statistics = np.zeros(2)
        for _ in range(chosen.epochs):
            self._each(self._shuffle)
            for number in range(chosen.minibatches):
                statistics += self._step(number, mean, scale)
        self.decisions += sum(one.kept for one in self._actors)
        self.games += games
        return float(statistics[ENTROPY] / max(1.0, statistics[COUNT]))

    def _keep_past(self) -> None:
        """Keep what the network is now for the games to come, if it is due."""
        chosen = self.settings
        rounds = self.steps // (chosen.epochs * chosen.minibatches)
        if PAST in self.population.members and rounds % chosen.snapshot_every == 0:
            past = self.population.past
            past.append(self.flat.copy())
            del past[:-MOST_PAST]

    def _shuffle(self, i: int) -> None:
        placed = np.zeros(self.settings.minibatches, np.int64)
        shuffle_minibatches(self._actors[i].w, self._actors[i].kept, placed)

    def _step(self, number: int, mean: float, scale: float) -> Floats:
        """A step of the optimizer on a minibatch; returns the sums of its statistics."""
        chosen = self.settings
        net = self._network(self.flat)
        # Learning rate and entropy bonus fall with what is left to learn, but never to nothing.
        left = max(0.05, 1.0 - self.decisions / chosen.decisions)
        statistics = np.zeros((ENV_WORKERS, 2))

        def add(i: int) -> None:
            one = self._actors[i]
            grad = self._network(self._gradients[i])
            low, high = (one.kept * j // chosen.minibatches for j in (number, number + 1))
            how = mean, scale, chosen.entropy * left
            add_gradients(net, grad, one.w, one.a, low, high, *how, statistics[i])

        self._each(add)
        self.steps += 1
        total: Floats = statistics.sum(axis=0)
        arrays = self.flat, self._gradients, self.mean, self.square, self._total
        rate = chosen.learning_rate * left
        adam_step(*arrays, max(1.0, total[COUNT]), rate, self.steps, chosen.max_grad_norm)
        return total

    def evaluate(self, seats: int, games: int, seed: int) -> Floats:
        """Every seat's utility in so many games: float64 (games, seats).

        They are played against the bots that it learns to beat, but for past selves, or else against
        the game's advice.
        The network plays its likeliest actions, in game g from seat g mod seats.
        """
        net = self._network(self.flat)
        start = self.game.start(seats, self.settings.options)
        size = games // ENV_WORKERS + 1

        def play(i: int) -> Floats:
            w = env_worker([start], self.game, 1, seed)
            actor = Actor(self.game, self.settings.hidden, w, self.population.fixed())
            return actor.evaluate(net, seed, range(games)[i * size : (i + 1) * size])

        return np.concatenate(self._each(play))[:, :seats]

    # -- to resume ---------------------------------------------------------------------------------

    def state(self) -> Arrays:
        """All that goes on, as arrays by name; some are changed by the next round."""
        kept: Arrays = {name: getattr(self, name) for name in WEIGHTS}
        kept["counts"] = np.array([self.steps, self.decisions, self.games])
        kept["past"] = np.array(self.population.past, np.float32).reshape(-1, len(self.flat))
        for i, one in enumerate(self._actors):
            kept |= {f"{name}{i}": array.copy() for name, array in _goes_on(one.w).items()}
        return kept

    def restore(self, kept: Arrays) -> None:
        """Go on from a `state`. Raises KeyError and ValueError for one of another learner."""
        for name, array in self.state().items():
            # of past selves there may be any number, as long as each fits
            axes = slice(name == "past", None)
            if (kept[name].shape[axes], kept[name].dtype) != (array.shape[axes], array.dtype):
                raise ValueError(name)
        if not all(np.isfinite(kept[name]).all() for name in (*WEIGHTS, "past")):
            raise ValueError("flat")
        self.population.past[:] = kept["past"]
        for name in WEIGHTS:
            getattr(self, name)[:] = kept[name]
        self.steps, self.decisions, self.games = map(int, kept["counts"])
        for i, one in enumerate(self._actors):
            for name, array in _goes_on(one.w).items():
                array[:] = kept[f"{name}{i}"]


def _goes_on(w: EnvWorker) -> Arrays:
    """What a worker goes on with after a round: views of its arrays."""
    return {"rng": w.rng, "table": w.table, "learner": w.learner, "state": w.state.view(np.uint8)}
