"""A sequential test of whether one bot is better than another.

This is the generalized sequential probability ratio test (GSPRT) as testers of chess engines use it
(after M. Van den Bergh's notes for fishtest). An observation is a *pair* of games with the same
dice and the seats swapped. The first player's score in a pair is 0, 1/4, 1/2, 3/4 or 1 (a tied game
is half); the test assumes nothing about how often each score comes up, but estimates it (the
pentanomial model). H0 says that the first player is stronger by `low` Elo, H1 by `high`, where Elo
means an expected score of
1 / (1 + 10^(-Elo/400)). For each hypothesis the test finds the most likely frequencies. The log of
the likelihood ratio (LLR) changes with each pair until it leaves Wald's bounds,
log(beta / (1 - alpha)) and log((1 - beta) / alpha). Then the test has accepted H0 falsely with a
probability of at most about beta, and H1 falsely with at most about alpha.

Pairs count in the order of the schedule, whatever the order in which workers finish them, so the
answer depends on the results file alone. The score of a test that ended early is biased; to rate
players, play a fixed number of games.
"""

from collections.abc import Sequence
from math import log
from typing import Literal

import msgspec

PAIR_SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)
PSEUDO_COUNT = 1e-3  # pairs added to every score, so that none is impossible
NEWTON_STEPS, TOLERANCE = 100, 1e-10  # steps of Newton's method at most, and when it has converged
MIN_PAIRS = 8  # before there is an answer: fewer pairs do not estimate frequencies
Verdict = Literal["accepted", "rejected", "undecided"]


class Sprt(msgspec.Struct, frozen=True):
    """A test of whether the first player is stronger by `high` Elo (H1) rather than `low` (H0)."""

    low: float
    high: float
    alpha: float = 0.05  # the probability of accepting H1 where H0 is true
    beta: float = 0.05  # the probability of accepting H0 where H1 is true

    @property
    def bounds(self) -> tuple[float, float]:
        """The log-likelihood ratios at which the test ends."""
        return log(self.beta / (1 - self.alpha)), log((1 - self.beta) / self.alpha)


class SprtAnswer(msgspec.Struct, frozen=True):
    """The state of a test: `accepted` means H1 is accepted, `rejected` H0."""

    test: Sprt
    verdict: Verdict
    llr: float  # the log-likelihood ratio after `pairs` pairs
    bounds: tuple[float, float]
    pairs: int
    counts: tuple[int, ...]  # pairs by score, 0 to 1


class SprtRun:
    """A test under way: it counts pairs in the order of the schedule."""

    def __init__(self, test: Sprt) -> None:
        self.test, self.counts = test, [0] * 5
        self.pairs, self.llr = 0, 0.0
        self.verdict: Verdict = "undecided"

    def count(self, outcome: int) -> bool:
        """Count a pair by its score in quarters; return whether the test is over."""
        if self.verdict == "undecided":
            self.counts[outcome] += 1
            self.pairs += 1
            self.llr = log_likelihood_ratio(self.counts, self.test)
            low, high = self.test.bounds
            if self.pairs >= MIN_PAIRS and not low < self.llr < high:
                self.verdict = "accepted" if self.llr >= high else "rejected"
        return self.verdict != "undecided"

    @property
    def answer(self) -> SprtAnswer:
        """The state of the test."""
        return SprtAnswer(
            self.test, self.verdict, self.llr, self.test.bounds, self.pairs, tuple(self.counts)
        )

    def __str__(self) -> str:
        """The state of the test, for a line of progress."""
        low, high = self.test.bounds
        return f"LLR {self.llr:+.2f} ({low:+.2f} … {high:+.2f}), {self.pairs} pairs"


def log_likelihood_ratio(counts: Sequence[float], test: Sprt) -> float:
    """The log-likelihood ratio of H1 to H0, each with its most likely frequencies.

    counts: the pairs by score, 5 of them.
    """
    seen = [n + PSEUDO_COUNT for n in counts]
    high, low = (likeliest_frequencies(seen, expected_score(elo)) for elo in (test.high, test.low))
    return sum(n * log(b / a) for n, b, a in zip(seen, high, low, strict=True))


def expected_score(elo: float) -> float:
    """The expected score of a player who is stronger by this difference in Elo."""
    return 1 / (1 + 10 ** (-elo / 400))


def likeliest_frequencies(seen: Sequence[float], mean: float) -> list[float]:
    """The most likely frequencies of the 5 scores if their mean is `mean`, given these counts.

    They are share / (1 + x (score - mean)) for the x that gives them this mean (Van den Bergh).
    Newton's method finds x, and bisection where Newton's method leaves the range of such x.
    """
    away = [score - mean for score in PAIR_SCORES]
    low, high, x, total = -1 / away[-1], -1 / away[0], 0.0, sum(seen)
    for _ in range(NEWTON_STEPS):
        parts = [a / (1 + x * a) for a in away]
        slope = sum(n * part for n, part in zip(seen, parts, strict=True))
        low, high = (x, high) if slope > 0 else (low, x)
        onward = x + slope / sum(n * part * part for n, part in zip(seen, parts, strict=True))
        before, x = x, onward if low < onward < high else (low + high) / 2
        if abs(x - before) < TOLERANCE:
            break
    return [n / total / (1 + x * a) for n, a in zip(seen, away, strict=True)]
