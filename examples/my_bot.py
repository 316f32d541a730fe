"""A bot of your own in ten lines, for any of the games: it looks one action ahead.

diablerie tournament underworld --players random,examples.my_bot:MyBot --games 100
"""

from diablerie.engine import queries, verbs


class MyBot:
    def __init__(self, game):
        self.game = game

    def choose(self, s, seat, rng):
        def worth(action):
            after = queries.guessed(s, seat, rng)  # what this seat cannot know is filled in
            verbs.apply(after, seat, action)
            return queries.estimates(after, self.game.seats[-1])[seat]

        return max(queries.legal_actions(self.game, s, seat), key=worth)
