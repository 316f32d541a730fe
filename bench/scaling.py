"""How games scale with workers, in processes of this machine and on a Ray cluster started here."""

import os
from functools import partial
from importlib.util import find_spec

from bench.timing import median, note, row, seconds
from diablerie.lab.simulate import simulate
from diablerie.lab.tournament import tournament

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
