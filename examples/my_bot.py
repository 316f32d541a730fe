"""A bot of one's own, for any of the games: it looks one action ahead and takes the best.

diablerie tournament underworld --players random,examples.my_bot:MyBot --games 100
"""

import numpy as np

from diablerie.engine import verbs
from diablerie.engine.asking import legal_actions
from diablerie.engine.record import copy


class MyBot:
    def __init__(self, game):
        self.game = game

    def choose(self, s, seat, rng):
        def worth(action):
            after, out = copy(s), np.zeros(self.game.seats[-1])
            verbs.guess(after, seat, rng)  # fill in what this seat cannot know
            verbs.apply(after, seat, action)
            verbs.value(after, out)
            return out[seat]

        return max(legal_actions(self.game, s, seat), key=worth)
