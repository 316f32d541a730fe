"""Playouts and batch steps a second on a graphics card, beside the CPU's and pgx's own games.

Nothing is timed before the card has played what the CPU plays. Wall clock around work that is
waited for, compiled before; the median of a few repetitions.
"""

import os
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np

import diablerie
from bench.pgx_games import all_games as pgx_games
from bench.timing import median, note, row
from diablerie.engine.playout import buffers, playouts
from diablerie.engine.rng import seeded
from diablerie.envs.cuda import driver
from diablerie.games import OURS

SIZES = [2**k for k in range(10, 21, 2)]
SECONDS = 0.5  # of one repetition of batch steps, about
REPETITIONS = 3
CHECKED, CHECKED_STEPS = 256, 200
CORES = os.cpu_count() or 1
ON_CPU = 2**14  # games of a batch on the CPU
ARRAYS = ("observation", "actions", "count", "rewards", "terminated", "episode")


def everything() -> None:
    """The check, then playouts and batch steps of every game, then pgx."""
    try:
        driver.require()
    except driver.NoCard as error:
        note(str(error))
        return
    from numba import cuda

    note(f"{cuda.get_current_device().name}, CUDA {cuda.runtime.get_version()}")
    for game in OURS:
        same(game)
        for advised in (False, True):
            card_playouts(game, advised)
        cpu_playouts(game)
        batches(game)
    pgx_games()


def same(game) -> None:
    """The card and the CPU play the same; ends the program if they do not."""
    both = [diablerie.batch(game.name, CHECKED, seed=3, device=d) for d in ("cuda", "cpu")]
    for batch in both:
        batch.reset()
    for k in range(CHECKED_STEPS):
        for batch in both:
            batch.step(batch.sample())
        for name in ARRAYS:
            there, ours = (getattr(batch, name) for batch in both)
            if there.copy_to_host().tobytes() != ours.tobytes():
                raise SystemExit(f"bench: {game.name}: {name} differs in step {k}")
    note(f"{game.name}: {CHECKED} games are those of the CPU for {CHECKED_STEPS} steps")


def card_playouts(game, advised: bool) -> None:
    """Whole games for two, one for each thread."""
    from diablerie.envs.cuda.playouts import play_on_device

    def once(n: int, seed: int) -> float:
        began = time.perf_counter()
        steps = play_on_device(game, n, seed=seed, advised=advised).steps.copy_to_host()
        return steps.sum() / (time.perf_counter() - began) / 1e6

    once(32, 0)
    for n in SIZES:
        seeds = iter(range(1, 100))
        figures = median(lambda n=n, seeds=seeds: once(n, next(seeds)), REPETITIONS)
        kind = "advised" if advised else "random"
        row(f"{game.name}: {kind} playouts on the card, {n} games", figures, "M steps/s")


def cpu_playouts(game) -> None:
    """Random games for two on one core and on all."""

    def some(seed: int) -> int:
        start = game.start(game.seats[0]).array.view(np.recarray)
        return playouts(start, start.copy(), seeded(seed), *buffers(game), games)

    games = 5
    some(0)
    began = time.perf_counter()
    some(1)
    games = max(5, int(5 * SECONDS / (time.perf_counter() - began)))
    for cores in sorted({1, CORES}):
        with ThreadPoolExecutor(cores) as pool:

            def once(pool=pool, cores=cores) -> float:
                began = time.perf_counter()
                return sum(pool.map(some, range(cores))) / (time.perf_counter() - began) / 1e6

            figures = median(once, REPETITIONS)
        row(f"{game.name}: random playouts, {cores} cores", figures, "M steps/s")


def batches(game) -> None:
    """Random play of two seats: the choice, the step, observation and legal list, no mask."""
    for threads in sorted({1, CORES}):
        figures = rate(game, ON_CPU, threads=threads)
        row(f"{game.name}: batch on {threads} cores, {ON_CPU} games", figures, "M decisions/s")
    for n in SIZES:
        row(f"{game.name}: batch on the card, {n} games", rate(game, n, device="cuda"),
            "M decisions/s")  # fmt: skip


def rate(game, n: int, **chosen) -> tuple[float, float, float]:
    """Million decisions a second."""
    batch = diablerie.batch(game.name, n, seed=1, mask="none", illegal="lose", **chosen)
    batch.reset()
    drawn = batch.sample()

    def seconds(steps: int) -> float:
        began = time.perf_counter()
        for _ in range(steps):
            batch.sample(drawn)
            batch.step(drawn)
        batch.seat[:1].copy_to_host() if "device" in chosen else None  # waits for the card
        return time.perf_counter() - began

    seconds(200)  # into the middle of the games
    steps = max(5, int(50 * SECONDS / seconds(50)))
    figures = median(lambda: n * steps / seconds(steps) / 1e6, REPETITIONS)
    batch.close()
    return figures
