"""Bots that do what bots must not do."""

from typing import ClassVar

import numpy as np

from diablerie.engine import verbs
from diablerie.engine.record import copy


class Quiet:
    """The lowest legal action."""

    def __init__(self, game):
        self.game = game

    def choose(self, s, seat, rng):
        out = np.empty(self.game.actions, np.int64)
        verbs.legal(s, seat, out)
        return out[0]


class Cheat(Quiet):
    """An action that is not allowed."""

    def choose(self, s, seat, rng):
        return next(a for a in range(self.game.actions) if verbs.forbids(s, seat, a))


class Absurd(Quiet):
    def choose(self, s, seat, rng):
        return "the best one"


class Outside(Quiet):
    def choose(self, s, seat, rng):
        return self.game.actions


class Broken(Quiet):
    def choose(self, s, seat, rng):
        raise RuntimeError("out of ideas")


class Late(Quiet):
    """Fails at its fourth decision."""

    def __init__(self, game):
        super().__init__(game)
        self.left = 3

    def choose(self, s, seat, rng):
        self.left -= 1
        return super().choose(s, seat, rng) if self.left >= 0 else None


class Vandal(Quiet):
    """Changes the record it is shown, which must not matter to anybody."""

    def choose(self, s, seat, rng):
        action = super().choose(s, seat, rng)
        for name in s.declared:
            setattr(s, name, 1)
        return action


class Fresh(Quiet):
    """Fails if it is not new for every game: it knows a game ended by its state going back."""

    def __init__(self, game):
        super().__init__(game)
        self.seats = set()

    def choose(self, s, seat, rng):
        self.seats.add(seat)
        assert len(self.seats) == 1
        return super().choose(s, seat, rng)


class Peeping(Quiet):
    """Fails if it is shown more than its seat may see."""

    def choose(self, s, seat, rng):
        again = copy(s)
        verbs.redact(again, seat)
        assert again.tobytes() == s.tobytes()
        return super().choose(s, seat, rng)


class Quitter(Quiet):
    """Ends the program, as it thinks."""

    def choose(self, s, seat, rng):
        raise SystemExit(3)


class Leaver(Quiet):
    """Ends its process."""

    def choose(self, s, seat, rng):
        import os

        os._exit(3)


class Weak(Quiet):
    """Plays as its game advises, but at one kind of decision: there it often takes the last action."""

    PLANTED: ClassVar = {  # the node, and of how many decisions there one is such
        "coals": ("BET", 1),
        "tails": ("ROTATION", 2),
        "underworld": ("TURN", 3),
        "kitchen": ("MOVE", 3),
    }

    def __init__(self, game):
        super().__init__(game)
        node, self.every = self.PLANTED[game.name]
        self.node = game.node[node]
        self.met = 0

    def choose(self, s, seat, rng):
        self.met += s.node == self.node
        if s.node != self.node or self.met % self.every:
            return verbs.advise(copy(s), seat, rng)
        out = np.empty(self.game.actions, np.int64)
        return out[verbs.legal(s, seat, out) - 1]
