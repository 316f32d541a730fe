"""What examples/ppo.py has learnt, as a bot: in the folder that the variable LEARNT names.

LEARNT=learnt diablerie tournament tails --players learnt_bot:Learnt,sensible --games 200
"""

import json
import os
from functools import cache
from pathlib import Path

import numpy as np
import ppo

from diablerie.engine.queries import legal_actions


class Learnt:
    def __init__(self, game):
        self.game = game
        self.learner, self.params = loaded(os.environ.get("LEARNT", "learnt"), game.name)

    def choose(self, s, seat, rng):
        layout, net = self.learner.batch.layout, self.learner.net
        mask = np.zeros((1, self.game.actions), np.bool_)
        mask[0, legal_actions(self.game, s, seat)] = True
        seats = np.array([seat], np.int32)
        x = net.see(s.copy().array, seats, layout.observe(s, seat)[None])
        return int(ppo.judge(net, self.params, x, mask)[0].argmax())


@cache
def loaded(folder, game):
    """The network, made again as it was, and its weights."""
    kept = json.loads((Path(folder) / "learnt.json").read_text("utf-8"))
    if kept["game"] != game:
        raise ValueError(f"{folder} has learnt {kept['game']}, not {game}")
    learner = ppo.Learner(game, kept["seats"], kept["seed"], ppo.Settings(**kept["settings"]))
    return learner, dict(np.load(Path(folder) / "learnt.npz"))
