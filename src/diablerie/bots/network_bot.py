"""A bot that plays by a learnt policy, without search."""

from math import log
from pathlib import Path
from threading import Lock

import numpy as np

from diablerie.engine.game import Game
from diablerie.engine.record import Record
from diablerie.engine.rng import Rng, unit
from diablerie.engine.text import UserError, say
from diablerie.learning.network import as_network
from diablerie.learning.selfplay import judge_alone, playing_room, shard
from diablerie.learning.weights import bundled_policy, read_policy
from diablerie.values.inputs import inputs_of


class NetworkBot:
    """Plays by a learnt policy.

    file: see `learning.weights`; "": the policy that comes with the game. temperature: 0 plays the
    likeliest action, 1 draws by the policy, between them likelier actions are favoured.
    Raises BadPolicy, OSError, or UserError where no policy comes with the game.
    """

    def __init__(self, game: Game, file: str = "", temperature: float = 0.0) -> None:
        learnt = read_policy(Path(file), game) if file else bundled_policy(game)
        if learnt is None:
            raise UserError(
                say("{game} comes without a learnt policy: name a file.", game=game.title)
            )
        self.temperature, self._lock = temperature, Lock()
        size = learnt.wide, learnt.narrow
        self.net = as_network(learnt.unpacked(), inputs_of(game), *size)
        self._shard = shard([game.start(game.seats[0])], game, 1, 0)
        self._room = playing_room(game, *size)

    def policy(self, s: Record, seat: int) -> tuple[list[int], list[float]]:
        """The legal actions of a seat, and their probabilities. The state need not be redacted."""
        with self._lock:
            n = judge_alone(self.net, self._shard, self._room, s.array.view(np.recarray), seat)
            return self._shard.out[:n].tolist(), self._room.policy[:n].tolist()

    def choose(self, s: Record, seat: int, rng: Rng) -> int:
        """See Bot."""
        actions, chances = self.policy(s, seat)
        if self.temperature:  # the largest of logits with Gumbel noise is a draw from the softmax
            chances = [
                log(max(p, 1e-30)) / self.temperature - log(-log(unit(rng) + 1e-300))
                for p in chances
            ]
        return actions[max(range(len(actions)), key=chances.__getitem__)]
