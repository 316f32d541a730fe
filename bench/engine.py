"""Steps driven from Python, copies of states, import and start times."""

import os
import subprocess
import sys
import tempfile
from functools import partial

import numpy as np
from numba import njit

from bench.timing import median, row, seconds
from diablerie.engine import verbs
from diablerie.engine.match import Match
from diablerie.engine.playout import buffers
from diablerie.engine.record import copy
from diablerie.games import ALL

STEPS = 20_000


def steps_and_clones() -> None:
    """Legal-then-apply from Python; a copy of a state, from Python and compiled."""
    for name, game in ALL.items():
        s = game.start(game.seats[-1])
        row(f"{name}: actor, legal and apply from Python", median(partial(step_time, game)), "µs")
        row(f"{name}: copy from Python", median(partial(clone_time, s)), "µs")
        row(f"{name}: copy compiled", median(partial(compiled_clone_time, game)), "ns")
        row(f"{name}: a decision by Match.play", median(partial(play_time, game)), "µs")
        row(f"{name}: copy of a match of 100 plies", median(partial(match_copy_time, game)), "µs")


def step_time(game) -> float:
    """Microseconds of one step: the actor, the options, one applied."""
    out, p = buffers(game)

    def run() -> None:
        s = game.start(game.seats[0])
        for _ in range(STEPS):
            who = verbs.actor(s)
            if who == verbs.OVER:
                s = game.start(game.seats[0])
                continue
            n = verbs.chance(s, out, p) if who == verbs.CHANCE else verbs.legal(s, who, out)
            verbs.apply(s, who, out.item(n // 2))

    return seconds(run) / STEPS * 1e6


def clone_time(s) -> float:
    """Microseconds of one copy made from Python."""

    def run() -> None:
        for _ in range(STEPS):
            copy(s)

    return seconds(run) / STEPS * 1e6


def play_time(game) -> float:
    """Microseconds of one `Match.play`, the chance that follows included."""
    match = Match.new(game, seed=1)
    took, plies = 0.0, 0
    while plies < STEPS // 20:
        if match.over:
            match = Match.new(game, seed=plies)
        text = match.legal()[-1]
        took += seconds(partial(match.play, text))
        plies += 1
    return took / plies * 1e6


def match_copy_time(game) -> float:
    """Microseconds of one `Match.copy`."""
    match = Match.new(game, seed=1)
    while match.ply < 100 and not match.over:
        match.play(match.legal()[0])

    def run() -> None:
        for _ in range(STEPS):
            match.copy()

    return seconds(run) / STEPS * 1e6


@njit
def _copies(states, n):
    for i in range(n):
        states[(i + 1) % len(states)] = states[i % len(states)]


def compiled_clone_time(game) -> float:
    """Nanoseconds of one copy in compiled code."""
    states = np.repeat(game.start(game.seats[0]).array, 64).view(np.recarray)
    _copies(states, 64)
    return seconds(lambda: _copies(states, 1_000_000)) / 1_000_000 * 1e9


def starts() -> None:
    """Import, and a walk with cold and warm cache, each in a process of its own."""
    row("import diablerie", median(lambda: python("import diablerie")), "s")
    with tempfile.TemporaryDirectory() as folder:
        env = {**os.environ, "DIABLERIE_CACHE": folder}
        first = [walked(env), walked(env), walked(env)]
    row("`diablerie walk coals`, nothing compiled yet", (first[0],) * 3, "s")
    row(
        "`diablerie walk coals`, compiled before", (min(first[1:]), min(first), max(first[1:])), "s"
    )


def python(code: str) -> float:
    """Seconds that Python takes for this code, its own start included."""
    return seconds(lambda: subprocess.run([sys.executable, "-c", code], check=True))


def walked(env: dict[str, str]) -> float:
    """Seconds of a short walk from the command line."""
    command = [sys.executable, "-m", "diablerie", "walk", "coals", "--limit", "50"]
    return seconds(lambda: subprocess.run(command, check=True, env=env, stdout=subprocess.DEVNULL))
