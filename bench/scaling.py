"""How games and trainings scale with workers, here and on a Ray cluster started here."""

import os
from functools import partial
from importlib.util import find_spec

from bench.timing import median, note, row, seconds
from diablerie.lab.running.cluster import ray_session
from diablerie.lab.simulate import simulate
from diablerie.lab.tournament import tournament
from diablerie.lab.train.cluster import ClusterCrew, rival_of
from diablerie.lab.train.config import PolicyTrainingConfig, policy_training_config
from diablerie.learning.learner import Learner
from diablerie.learning.settings import SHARDS

WORKERS = (1, 2, 4)
REPETITIONS = 3
GAMES = {"simulate": 60_000, "tournament": 1_000}


def simulated(workers: int, on: str) -> None:
    """COALS, two seats, by players that are played in one compiled loop."""
    simulate("coals", games=GAMES["simulate"], workers=workers, on=on)


def held(workers: int, on: str) -> None:
    """COALS, two seats, every game a match."""
    tournament("coals", ("random", "sensible"), games=GAMES["tournament"], workers=workers, on=on)


def curve() -> None:
    """Games a second in all, start of the workers and of the cluster included."""
    note(f"load {os.getloadavg()[0]:.1f}, {REPETITIONS} repetitions")
    places = ["", "ray"] if find_spec("ray") else [""]
    for name, job in (("simulate", simulated), ("tournament", held)):
        for on in places:
            for workers in WORKERS:
                took = partial(seconds, partial(job, workers, on))
                middle, low, high = median(took, REPETITIONS)
                games = GAMES[name]
                what = f"{name}, {workers} {'on Ray' if on else 'here'}"
                row(what, (games / middle, games / high, games / low), "games/s")


ROUNDS = {"": 16_384, "devil": 1024}  # decisions of a round, by the bot to be beaten
COUNTS = (1, 2)  # of workers in a training


def trainings() -> None:
    """Seconds that a round of a training of COALS takes, once everything has started."""
    note(f"load {os.getloadavg()[0]:.1f}")
    for against, decisions in ROUNDS.items():
        config = policy_training_config(
            "coals", seats=(2,), options={}, looks=1, games=2, against=against, round=decisions
        )
        what = f"a round of {decisions:,}, {f'against {against}' if against else 'self-play'}"
        for workers in COUNTS:
            timed_rounds(f"{what}, {workers} here", config, workers)
        if find_spec("ray"):
            with ray_session("ray") as ray:
                for workers in COUNTS:
                    timed_rounds(f"{what}, {workers} on Ray", config, workers, ray)


def timed_rounds(what: str, config: PolicyTrainingConfig, workers: int, ray: object = None) -> None:
    """Print what a round takes, and what its weights and gradients come to."""
    learner = Learner(config.rules, config.learner, workers, rival=rival_of(config))
    if ray:
        learner.hand_to(ClusterCrew(ray, config, workers))
    learner.round()  # starts and compiles
    row(what, median(partial(seconds, learner.round), REPETITIONS), "s")
    learner.close()
    if ray:
        steps, size = config.learner.passes * config.learner.batches, learner.flat.nbytes
        down, up = (1 + steps) * workers * size, SHARDS * steps * size
        note(f"{down / 1e6:.1f} MB to the workers, {up / 1e6:.1f} MB back")
