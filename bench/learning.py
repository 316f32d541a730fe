"""Decisions learnt a second by self-play: played once and learnt from twice, on one thread."""

import time
from functools import partial

from bench.timing import median, row
from diablerie.games import ALL
from diablerie.learning.learner import Learner
from diablerie.learning.settings import TrainingSettings

ROUNDS = 4
HIDDEN = {"tails": (32, 32)}  # where fewer units than usual play as well


def decisions() -> None:
    """Each game at the tables that people mostly have, and at mixed ones; processor time."""
    for name, game in ALL.items():
        for seats in (game.seats[:1], game.seats[1:3]):
            hidden = HIDDEN.get(name, TrainingSettings().hidden)
            learner = Learner(game, TrainingSettings(seats=seats, hidden=hidden))
            for _ in range(3):  # compiles, and leaves the first, random games behind
                learner.round()
            tables = " and ".join(map(str, seats))
            row(f"{name}, {tables} seats: learnt", median(partial(speed, learner)), "decisions/s")
            learner.close()


def speed(learner: Learner) -> float:
    """Decisions learnt a second of processor time, in a few rounds."""
    began, before = time.process_time(), learner.decisions
    for _ in range(ROUNDS):
        learner.round()
    return (learner.decisions - before) / (time.process_time() - began)
