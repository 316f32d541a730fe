"""Decisions a second of batches on one core, beside the loop one would write first."""

import time
from statistics import median as median_of

import numpy as np
from numba import njit

import diablerie
from bench.timing import median, note, row
from diablerie.engine import verbs
from diablerie.engine.playout import buffers
from diablerie.engine.rng import below, weighted
from diablerie.engine.verbs import CHANCE, OVER
from diablerie.games import ALL

GAMES = ("coals", "tails", "underworld", "kitchen")
SECONDS = 0.6
N = 1024


def decisions() -> None:
    """Random play of two seats, games that are over begin anew; one thread, processor time.

    Batch: float32 observation, list of legal actions, the choice of one of them; then with a mask
    as well. Naive: bytes of the redacted record and a whole mask.
    """
    for name in GAMES:
        figures = median(lambda name=name: batch_speed(name, mask="none"))
        row(f"{name}: batch, observation and legal list", figures, "M decisions/s")
        with_mask = median(lambda name=name: batch_speed(name, mask="int8"))
        row(f"{name}: the same and a mask", with_mask, "M decisions/s")
        theirs = median(lambda name=name: naive_speed(name))
        row(f"{name}: naive loop, record and mask", theirs, "M decisions/s")
        note(f"batch / naive: {figures[0] / theirs[0]:.2f}")


def memory() -> None:
    """What a history of 16 events and the learner's inputs cost: the same games, in turns."""
    for name in GAMES:
        plain, told, read = ratios(name, {}, {"history": 16}, {"inputs": True})
        row(f"{name}: batch, observation and legal list", plain, "M decisions/s")
        row(f"{name}: time with history=16", told, "times that")
        row(f"{name}: time with inputs=True", read, "times that")


def ratios(name: str, *kinds: dict[str, object]) -> list[list[float]]:
    """The speeds of the first kind of batch, and the times that the others take for the same."""
    found = []
    for _ in range(5):
        first, *others = (batch_speed(name, mask="none", **kind) for kind in kinds)
        found.append([first, *(first / other for other in others)])
    return [[median_of(x), min(x), max(x)] for x in zip(*found, strict=True)]


def batch_speed(name: str, mask: str, **chosen: object) -> float:
    """Million decisions a second of `Batch`, sampling included."""
    batch = diablerie.batch(name, N, seed=1, mask=mask, **chosen)
    batch.reset()
    chosen = batch.sample()

    def step() -> None:
        batch.sample(chosen)
        batch.step(chosen)

    return N * rate(step)


def naive_speed(name: str) -> float:
    """Million decisions a second of the naive loop."""
    game = ALL[name]
    start = game.start(game.seats[0]).array
    states, seen = np.repeat(start, N), np.zeros(N, start.dtype)
    mask, (out, p) = np.zeros((N, game.actions), np.bool_), buffers(game)
    rngs = np.arange(N).astype(np.uint64).reshape(N, 1) * np.uint64(0x9E3779B97F4A7C15)
    returns, rewards = np.zeros(6), np.zeros((N, 6))

    def step() -> None:
        naive(states, start, seen, mask, rngs, out, p, returns, rewards)

    step()
    return N * rate(step)


def rate(step) -> float:
    """Million calls a second of processor time."""
    step()
    began, calls = time.process_time(), 0
    while time.process_time() - began < SECONDS:
        for _ in range(10):
            step()
        calls += 10
    return calls / (time.process_time() - began) / 1e6


@njit(cache=True)
def naive(states, start, seen, mask, rngs, out, p, returns, rewards):
    """A random decision in every game, chance before it, and what the seat sees."""
    for i in range(len(states)):
        s, rng = states[i], rngs[i]
        who = verbs.actor(s)
        while who < 0:
            if who == OVER:
                verbs.returns(s, returns)
                for k in range(s.seats):
                    rewards[i, k] = returns[k]
                states[i] = start[0]
            else:
                verbs.apply(s, CHANCE, out[weighted(rng, p, verbs.chance(s, out, p))])
            who = verbs.actor(s)
        seen[i] = s
        verbs.redact(seen[i], who)
        n = verbs.legal(s, who, out)
        for k in range(mask.shape[1]):
            mask[i, k] = False
        for k in range(n):
            mask[i, out[k]] = True
        verbs.apply(s, who, out[below(rng, n)])
