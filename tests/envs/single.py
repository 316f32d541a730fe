"""The plain loop that a batch must agree with: one game, step by step, by the verbs from Python."""

import numpy as np

from diablerie.engine import verbs
from diablerie.engine.playout import buffers
from diablerie.engine.queries import redacted
from diablerie.engine.rng import below, seeded, weighted
from diablerie.engine.verbs import CHANCE, OVER
from diablerie.envs.stepping import seed_of


class Single:
    """Episode after episode of game `index` in a batch with this seed."""

    def __init__(self, game, seats, seed, index, players=()):
        self.game, self.seats, self.seed, self.index = game, seats, seed, index
        self.players, self.episode = [*players, *[""] * (seats - len(players))], -1
        self.out, self.p = buffers(game)
        self.begin()

    def begin(self):
        self.episode += 1
        self.rng = seeded(0)
        seed_of(np.uint64(self.seed % 2**64), self.index, self.episode, self.rng)
        self.s = self.game.start(self.seats)
        self.go_on()

    def go_on(self):
        who = verbs.actor(self.s)
        while who == CHANCE or (who != OVER and self.players[who]):
            if who == CHANCE:
                n = verbs.chance(self.s, self.out, self.p)
                move = self.out[weighted(self.rng, self.p, n)]
            elif self.players[who] == "random":
                move = self.out[below(self.rng, verbs.legal(self.s, who, self.out))]
            else:
                move = verbs.advise(redacted(self.s, who), who, self.rng)
            verbs.apply(self.s, who, move)
            who = verbs.actor(self.s)

    @property
    def seat(self):
        return verbs.actor(self.s)

    def legal(self):
        return self.out[: verbs.legal(self.s, self.seat, self.out)].tolist()

    def step(self, action):
        verbs.apply(self.s, self.seat, action)
        self.go_on()

    def returns(self):
        out = np.zeros(6)
        verbs.returns(self.s, out)
        return out[: self.seats].tolist()
