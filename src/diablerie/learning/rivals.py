"""Games of one network against bots: what it learns from, and what it is measured by.

The network has one seat of such a game, which changes from game to game, and bots have the others.
Compiled code plays until a bot is to decide; the bot is asked in Python, so it may be any. In games
to learn from, compiled code also plays for a bot that only plays by a policy (`PlaysByPolicy`).
"""

from collections.abc import Callable
from typing import Any, Protocol, runtime_checkable

import numpy as np

from diablerie.engine import verbs
from diablerie.engine.arrays import Floats
from diablerie.engine.game import Game
from diablerie.engine.record import Record, copy, from_bytes
from diablerie.engine.rng import Rng, seeded
from diablerie.engine.verbs import OVER, SEATS
from diablerie.learning.network import Activations, PolicyNetwork
from diablerie.learning.selfplay import (
    ALONE,
    FULL,
    OWN_SEAT,
    FrozenPolicy,
    Shard,
    begin_round,
    match_until,
    play_until,
)


class Rival(Protocol):
    """Who plays the other seats, as `bots.basic.Bot`."""

    def choose(self, s: Record, seat: int, rng: Rng) -> int:
        """A legal action of the seat in this state, which is redacted for it."""


MakeRival = Callable[[], Rival]


@runtime_checkable
class PlaysByPolicy(Protocol):
    """A bot that may do no more than play by a learnt policy."""

    def frozen(self) -> FrozenPolicy | None:
        """The policy, for one thread; None if the bot does more."""


def frozen_policies(make: MakeRival | None, threads: int) -> list[FrozenPolicy]:
    """The policy of these bots for each thread; none if they do more than play by one."""
    found = list[FrozenPolicy]()
    while make and len(found) < threads:
        bot = make()
        policy = bot.frozen() if isinstance(bot, PlaysByPolicy) else None
        if policy is None:
            return []
        found.append(policy)
    return found


class RivalSeats:
    """The bots of one shard: a new one for every seat of every game, since bots may remember."""

    def __init__(self, game: Game, make: MakeRival, k: Shard) -> None:
        self.game, self._make, self._k = game, make, k
        self._number, self._bots = -1, dict[int, Rival]()

    def decide(self, seat: int) -> None:
        """Let the bot of a seat decide in the shard's game."""
        k = self._k
        if self._number != k.own[ALONE]:
            self._number, self._bots = int(k.own[ALONE]), {}
        if seat not in self._bots:
            self._bots[seat] = self._make()
        s: Any = from_bytes(self.game.state, k.state.tobytes())
        seen = copy(s)
        verbs.redact(seen, seat)
        verbs.apply(s, seat, self._bots[seat].choose(seen, seat, k.rng))
        k.state[0] = s.array[0]


def play_against(
    net: PolicyNetwork, k: Shard, a: Activations, most: int, rivals: RivalSeats
) -> tuple[int, int]:
    """`selfplay.play_decisions` where bots have seats: in games in which the network has one."""
    kept, games, who = 0, 0, FULL
    unused = FrozenPolicy(net, k, a, 0.0)
    begin_round(k)
    while True:
        kept, games, who = play_until(net, k, a, unused, most, kept, games)
        if who == FULL:
            return kept, games
        rivals.decide(who)


def match_rivals(
    net: PolicyNetwork,
    k: Shard,
    a: Activations,
    rivals: RivalSeats,
    seed: int,
    numbers: range,
    returns: Floats,
) -> None:
    """Play games of these numbers from the first of `k.starts`, as `selfplay.match_advice` does.

    returns: (games, SEATS), written here.
    """
    out = np.zeros(SEATS)
    for i, number in enumerate(numbers):
        k.rng[:] = seeded(seed * 1_000_003 + number)
        k.state[0] = k.starts[0]
        k.own[OWN_SEAT], k.own[ALONE] = number % int(k.starts[0].seats), number
        while (who := match_until(net, k, a)) != OVER:
            rivals.decide(who)
        verbs.returns(from_bytes(rivals.game.state, k.state.tobytes()), out)
        returns[i] = out
