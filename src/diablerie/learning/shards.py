"""Shards of a learner: their games, their gradients, and games that measure the network.

Each shard plays and adds up its gradient alone, in whichever thread. The learner puts the results
together in the order of the shards.
"""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np

from diablerie.engine.arrays import Floats, Floats32
from diablerie.engine.game import Game
from diablerie.engine.verbs import SEATS
from diablerie.learning.improving import add_slopes, share_out
from diablerie.learning.network import as_network
from diablerie.learning.rivals import (
    MakeRival,
    RivalSeats,
    frozen_policies,
    match_rivals,
    play_against,
)
from diablerie.learning.selfplay import (
    BY_ADVICE,
    BY_BOTS,
    BY_POLICY,
    FrozenPolicy,
    Shard,
    estimate_gains,
    match_advice,
    play_decisions,
    playing_room,
    shard,
)
from diablerie.learning.settings import SHARDS, LearnerSettings
from diablerie.values.inputs import inputs_of

TOLD = 6  # numbers that `improving.add_slopes` tells
ShardState = dict[str, Any]  # arrays by name: what a shard goes on with


class Played(NamedTuple):
    """What a shard played in a round. sums: (3,), see `selfplay.estimate_gains`."""

    kept: int  # decisions
    games: int  # that ended
    sums: Floats


class Batch(NamedTuple):
    """What the gradient of a batch depends on besides the weights; see `improving.add_slopes`."""

    number: int  # in its pass
    mean: float
    scale: float
    entropy: float


class Shards:
    """The shards of a learner, and threads to work on them. Results are in the order of shards.

    rival: makes the bots that `settings.against` names, but for the game's advice.
    """

    def __init__(
        self,
        game: Game,
        settings: LearnerSettings,
        workers: int = 1,
        *,
        rival: MakeRival | None = None,
    ) -> None:
        self.game, self.settings, self.inputs = game, settings, inputs_of(game)
        self._size, self._rival = (settings.wide, settings.narrow), rival
        self._frozen = frozen_policies(rival, SHARDS)
        self._shards = [self._shard(number) for number in range(SHARDS)]
        asked = rival if self._others == BY_BOTS else None
        self._rivals = [RivalSeats(game, asked, k) for k in self._shards] if asked else []
        self._rooms = [playing_room(game, *self._size) for _ in range(SHARDS)]
        self._kept = [0] * SHARDS
        self._pool = ThreadPoolExecutor(max(1, workers))

    @property
    def _others(self) -> int:
        """Who plays the other seats where the network does not: see `Shard.others`."""
        return BY_ADVICE if self._rival is None else BY_POLICY if self._frozen else BY_BOTS

    def _shard(self, number: int) -> Shard:
        game, chosen = self.game, self.settings
        turn = number % len(chosen.seats)
        tables = chosen.seats[turn:] + chosen.seats[:turn]
        share = np.resize(chosen.share, len(tables))
        starts = [game.start(seats, chosen.options) for seats in tables]
        k = shard(starts, game, chosen.round // SHARDS, chosen.seed * SHARDS + number)
        if self._rival is not None or chosen.against:
            k.share[:], k.others[:] = np.roll(share, -turn), self._others
        return k

    def _network(self, flat: Floats32) -> Any:
        return as_network(flat, self.inputs, *self._size)

    def close(self) -> None:
        """End the threads."""
        self._pool.shutdown()

    # -- a round -----------------------------------------------------------------------------------

    def play(self, flat: Floats32) -> list[Played]:
        """Play a round by these weights, float32 (weights,)."""
        net, most = self._network(flat), self.settings.round // SHARDS

        def play(i: int) -> Played:
            k, room, sums = self._shards[i], self._rooms[i], np.zeros(3)
            if self._rivals:
                kept, games = play_against(net, k, room, most, self._rivals[i])
            else:
                unused = FrozenPolicy(net, k, room, 0.0)
                frozen = self._frozen[i] if self._frozen else unused
                kept, games = play_decisions(net, k, room, frozen, most)
            estimate_gains(k, kept, self.settings.trace, sums)
            self._kept[i] = kept
            return Played(kept, games, sums)

        return list(self._pool.map(play, range(SHARDS)))

    def add_slopes(self, flat: Floats32, batch: Batch, out: Floats32) -> Floats:
        """Add each shard's gradient of a batch to its row of `out`, float32 (SHARDS, weights).

        The first batch of a pass shares the decisions out anew. Returns float64 (SHARDS, TOLD):
        what `improving.add_slopes` tells.
        """
        net, batches = self._network(flat), self.settings.batches
        told = np.zeros((SHARDS, TOLD))

        def learn(i: int) -> None:
            k, n = self._shards[i], self._kept[i]
            if batch.number == 0:
                share_out(k, n, np.zeros(batches, np.int64))
            low, high = (n * j // batches for j in (batch.number, batch.number + 1))
            slope, room = self._network(out[i]), self._rooms[i]
            add_slopes(net, slope, k, room, low, high, *batch[1:], told[i])

        list(self._pool.map(learn, range(SHARDS)))
        return told

    # -- games that measure ------------------------------------------------------------------------

    def match(self, flat: Floats32, seats: int, seed: int, parts: Sequence[range]) -> list[Floats]:
        """Games of these numbers: every seat's utility, float64 (games, seats), for each part.

        The others are the rivals, or else follow the game's advice.
        """
        net, start = self._network(flat), self.game.start(seats, self.settings.options)

        def play(games: range) -> Floats:
            k, returns = shard([start], self.game, 1, seed), np.zeros((len(games), SEATS))
            room = playing_room(self.game, *self._size)
            if self._rival is None:
                match_advice(net, k, room, np.uint64(seed), games.start, len(games), returns)
            else:
                bots = RivalSeats(self.game, self._rival, k)
                match_rivals(net, k, room, bots, seed, games, returns)
            return returns[:, :seats]

        return list(self._pool.map(play, parts))

    # -- to resume ---------------------------------------------------------------------------------

    def state(self) -> list[ShardState]:
        """What each shard goes on with, after a round."""
        return [
            {
                "rng": k.rng.copy(),
                "table": k.table.copy(),
                "own": k.own.copy(),
                "state": np.frombuffer(k.state.tobytes(), np.uint8),
            }
            for k in self._shards
        ]

    def restore(self, states: Sequence[ShardState]) -> None:
        """Go on from such states."""
        for k, kept in zip(self._shards, states, strict=True):
            k.rng[:], k.table[:], k.own[:] = kept["rng"], kept["table"], kept["own"]
            k.state[0] = np.frombuffer(kept["state"].tobytes(), self.game.state.dtype)[0]
