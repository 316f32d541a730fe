"""Actors: each plays games of the network in one thread, for rollouts and for evaluations.

Where the network has one seat, opponents have the others: one of a population, drawn before each
rollout. Compiled code plays for the game's advice, for what the network was before, and for a bot
that only plays by a policy (`PlaysByPolicy`); any other bot is asked in Python.
"""

from collections.abc import Callable, Sequence
from typing import Protocol, runtime_checkable

import numpy as np

from diablerie.engine import verbs
from diablerie.engine.compile import Floats, Floats32
from diablerie.engine.game import Game
from diablerie.engine.record import Record, copy, from_bytes
from diablerie.engine.rng import Rng, unit
from diablerie.engine.verbs import SEATS
from diablerie.learning.inputs import inputs_of
from diablerie.learning.network import Hidden, PolicyNetwork, as_network
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
    env_worker,
    play_until,
)

ADVICE = "sensible"  # names the game's own advice, which compiled code plays
PAST = "self"  # names what the network was before


class Opponent(Protocol):
    """Who plays the other seats, as `bots.basic.Bot`."""

    def choose(self, s: Record, seat: int, rng: Rng) -> int:
        """A legal action of the seat in this state, which is redacted for it."""


MakeOpponent = Callable[[], Opponent]
Member = MakeOpponent | str  # of a population: what makes its bots, or ADVICE or PAST


class Population:
    """Who may have the other seats, how often, and what the network was before.

    weights: of each member, equal if left out; past: flat weights, the oldest first.
    """

    def __init__(self, members: Sequence[Member], weights: Sequence[float] = ()) -> None:
        self.members = tuple(members)
        self.past: list[Floats32] = []
        shares = np.asarray(weights or np.ones(len(self.members)), np.float64)
        self._until = np.cumsum(shares)

    @property
    def varies(self) -> bool:
        """Whether there is anything to draw."""
        return len(self.members) > 1 or PAST in self.members

    def draw(self, rng: Rng) -> tuple[Member, int]:
        """A member, drawn by the weights, and the index of one of `past`, each equally likely."""
        drawn = np.searchsorted(self._until, unit(rng) * self._until[-1], side="right")
        return self.members[int(drawn)], int(unit(rng) * len(self.past))

    def fixed(self) -> "Population":
        """Those whose play does not change, by whom a network is measured."""
        weights = np.diff(self._until, prepend=0.0)
        pairs = zip(self.members, weights.tolist(), strict=True)
        kept = [(one, weight) for one, weight in pairs if one != PAST and weight > 0.0]
        return Population([one for one, _ in kept], [weight for _, weight in kept])


@runtime_checkable
class PlaysByPolicy(Protocol):
    """A bot that may do no more than play by a learnt policy."""

    def frozen(self) -> FrozenPolicy | None:
        """The policy, for one thread; None if the bot does more."""


class Actor:
    """A worker's environment and who plays in it; one thread at a time.

    population: of the other seats; without a member these follow the game's advice. A new bot is
    made for every seat of every game, since bots may remember.
    """

    def __init__(self, game: Game, hidden: Hidden, w: EnvWorker, population: Population) -> None:
        self.a = activations_of(game, hidden)
        self.game = game
        self.hidden = hidden
        self.w = w
        self.kept = 0  # decisions of the rollout
        self.population = population
        self._bots = dict[int, Opponent]()
        self._number = -1
        self._make: MakeOpponent | None = None
        self._frozen: FrozenPolicy | None = None
        made = [one for one in population.members if not isinstance(one, str)]
        self._policies = {one: _frozen_policy(one()) for one in made}
        first = next(iter(population.members), ADVICE)
        if first != PAST:
            self._seat(first)

    def play(self, net: PolicyNetwork, capacity: int) -> int:
        """Play a rollout of so many decisions; return how many games ended.

        A game that the last rollout did not finish goes on against who is drawn now.
        """
        begin_rollout(self.w)
        self._draw()
        self.kept, games = self._play_on(net, capacity)
        return games

    def evaluate(self, net: PolicyNetwork, seed: int, numbers: range) -> Floats:
        """Every seat's return in the games of these numbers, float64 (games, SEATS).

        The network plays its likeliest actions, in each game in the seat (number mod seats).
        """
        returns = np.zeros((len(numbers), SEATS))
        for i, number in enumerate(numbers):
            begin_evaluation(self.w, np.uint64(seed), number)
            self._draw()
            self._play_on(net, 0)
            returns[i] = self.w.returns
        return returns

    def _draw(self) -> None:
        """Draw who has the other seats."""
        if self.population.varies:
            member, number = self.population.draw(self.w.rng)
            self._seat(member, number)

    def _seat(self, member: Member, number: int = 0) -> None:
        """Give the other seats to a member. number: of the past selves."""
        self._bots = {}
        self._make = None if isinstance(member, str) else member
        self._frozen = self._past(number) if member == PAST else None
        if self._make:
            self._frozen = self._policies[self._make]
        by = BY_BOTS if self._make else BY_ADVICE
        # A policy that was frozen decides by itself, even if it came as a bot.
        self.w.opponents[0] = BY_POLICY if self._frozen else by

    def _past(self, number: int) -> FrozenPolicy:
        """What the network was before, which draws its actions as it did then."""
        net = as_network(self.population.past[number], inputs_of(self.game), self.hidden)
        room = env_worker([self.game.start(self.game.seats[0])], self.game, 1, 0)
        return FrozenPolicy(net, room, activations_of(self.game, self.hidden), 1.0)

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
            assert self._make
            self._bots[seat] = self._make()
        s: Record = from_bytes(self.game.state, w.state.tobytes())
        seen = copy(s)
        verbs.redact(seen, seat)
        verbs.apply(s, seat, self._bots[seat].choose(seen, seat, w.rng))
        w.state[0] = s.array[0]


def _frozen_policy(bot: Opponent) -> FrozenPolicy | None:
    return bot.frozen() if isinstance(bot, PlaysByPolicy) else None
