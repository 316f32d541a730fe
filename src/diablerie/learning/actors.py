"""Actors: each plays games of the network in one thread, for rollouts and for evaluations.

Where the network has one seat, opponents have the others. Compiled code plays for the game's advice
and for a bot that only plays by a policy (`PlaysByPolicy`); any other bot is asked in Python.
"""

from collections.abc import Callable
from typing import Protocol, runtime_checkable

import numpy as np

from diablerie.engine import verbs
from diablerie.engine.compile import Floats
from diablerie.engine.game import Game
from diablerie.engine.record import Record, copy, from_bytes
from diablerie.engine.rng import Rng
from diablerie.engine.verbs import SEATS
from diablerie.learning.network import Hidden, PolicyNetwork
from diablerie.learning.rollout import (
    BY_ADVICE,
    BY_BOTS,
    BY_POLICY,
    OPPOSED_GAMES,
    EnvWorker,
    FrozenPolicy,
    activations_of,
    begin_evaluation,
    begin_rollout,
    play_until,
)


class Opponent(Protocol):
    """Who plays the other seats, as `bots.basic.Bot`."""

    def choose(self, s: Record, seat: int, rng: Rng) -> int:
        """A legal action of the seat in this state, which is redacted for it."""


MakeOpponent = Callable[[], Opponent]


@runtime_checkable
class PlaysByPolicy(Protocol):
    """A bot that may do no more than play by a learnt policy."""

    def frozen(self) -> FrozenPolicy | None:
        """The policy, for one thread; None if the bot does more."""


class Actor:
    """A worker's environment and who plays in it; one thread at a time.

    opponent: makes the bots of the other seats, a new one for every seat of every game, since bots
    may remember; None: they follow the game's advice.
    """

    def __init__(
        self, game: Game, hidden: Hidden, w: EnvWorker, opponent: MakeOpponent | None
    ) -> None:
        self.a = activations_of(game, hidden)
        self.game = game
        self.w = w
        self.kept = 0  # decisions of the rollout
        self._bots = dict[int, Opponent]()
        self._opponent = opponent
        self._number = -1
        bot = opponent() if opponent else None
        self._frozen = bot.frozen() if isinstance(bot, PlaysByPolicy) else None
        w.opponents[0] = BY_POLICY if self._frozen else BY_BOTS if opponent else BY_ADVICE

    def play(self, net: PolicyNetwork, capacity: int) -> int:
        """Play a rollout of so many decisions; return how many games ended."""
        begin_rollout(self.w)
        self.kept, games = self._play_on(net, capacity)
        return games

    def evaluate(self, net: PolicyNetwork, seed: int, numbers: range) -> Floats:
        """Every seat's return in the games of these numbers, float64 (games, SEATS).

        The network plays its likeliest actions, in each game in the seat (number mod seats).
        """
        returns = np.zeros((len(numbers), SEATS))
        for i, number in enumerate(numbers):
            begin_evaluation(self.w, np.uint64(seed), number)
            self._play_on(net, 0)
            returns[i] = self.w.returns
        return returns

    def _play_on(self, net: PolicyNetwork, capacity: int) -> tuple[int, int]:
        w = self.w
        a = self.a
        frozen = self._frozen or FrozenPolicy(net, w, a, 0.0)
        kept, games, who = play_until(net, w, a, frozen, capacity, 0, 0)
        while who >= 0:
            self._decide(who)
            kept, games, who = play_until(net, w, a, frozen, capacity, kept, games)
        return kept, games

    def _decide(self, seat: int) -> None:
        """Let the bot of a seat decide."""
        w = self.w
        if self._number != w.learner[OPPOSED_GAMES]:
            self._number = int(w.learner[OPPOSED_GAMES])
            self._bots = {}
        if seat not in self._bots:
            assert self._opponent
            self._bots[seat] = self._opponent()
        s: Record = from_bytes(self.game.state, w.state.tobytes())
        seen = copy(s)
        verbs.redact(seen, seat)
        verbs.apply(s, seat, self._bots[seat].choose(seen, seat, w.rng))
        w.state[0] = s.array[0]
