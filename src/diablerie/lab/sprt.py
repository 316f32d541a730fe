"""Is one bot better than another? A sequential test, over as soon as its answer is sure enough.

The generalized sequential probability ratio test of Van den Bergh, as engine testers use it. What
is drawn is a *pair* of games, with the same dice and the seats swapped; the first player's score in
it is 0, 1/4, 1/2, 3/4 or 1 (a tied game is half), and how often each comes up is not assumed but
taken from what has been seen (the pentanomial model). H0 says that the first player is stronger
by `low` Elo, H1 by `high`: that its expected score is 1 / (1 + 10^(-Elo/400)). Of either the most
likely frequencies are found, and the logarithm of the ratio of the likelihoods grows pair by pair
until it leaves Wald's bounds, log(beta / (1 - alpha)) and log((1 - beta) / alpha): then H0 is
accepted falsely with a probability of about beta at most, H1 of about alpha.

Pairs count in their order, however many workers play them, so the answer is the file's alone. The
score of a test that ended early leans away from what was expected; for ratings play a fixed number.
"""

from collections.abc import Iterable, Sequence
from math import log
from typing import Literal

import msgspec

SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)  # of a pair
UNSEEN = 1e-3  # pairs that every outcome counts as having come up, so that none is impossible
STEPS, NEAR = 100, 1e-10  # of Newton's method at most, and when it has arrived
FEWEST = 8  # pairs, before there is an answer: frequencies of fewer say nothing
Verdict = Literal["accepted", "rejected", "undecided"]


class Sprt(msgspec.Struct, frozen=True):
    """What is tested: whether the first player is stronger by `high` Elo rather than by `low`."""

    low: float
    high: float
    alpha: float = 0.05  # how often H1 may be accepted where H0 is true
    beta: float = 0.05  # how often H0 may be accepted where H1 is true

    @property
    def bounds(self) -> tuple[float, float]:
        """Where the log-likelihood ratio ends the test."""
        return log(self.beta / (1 - self.alpha)), log((1 - self.beta) / self.alpha)


class Answer(msgspec.Struct, frozen=True):
    """What a test has come to: `accepted` is H1, `rejected` H0."""

    test: Sprt
    verdict: Verdict
    llr: float  # the log-likelihood ratio after `pairs` pairs, where the test ended
    bounds: tuple[float, float]
    pairs: int
    counts: tuple[int, ...]  # pairs by score, 0 to 1


class Sequential:
    """A test under way: what it has counted so far, of the pairs in their order."""

    def __init__(self, test: Sprt) -> None:
        self.test, self.counts = test, [0] * 5
        self.pairs, self.llr = 0, 0.0
        self.verdict: Verdict = "undecided"

    def count(self, outcome: int) -> bool:
        """Count a pair by its score in quarters; whether the test is over, as it stays."""
        if self.verdict == "undecided":
            self.counts[outcome] += 1
            self.pairs += 1
            self.llr = ratio(self.counts, self.test)
            low, high = self.test.bounds
            if self.pairs >= FEWEST and not low < self.llr < high:
                self.verdict = "accepted" if self.llr >= high else "rejected"
        return self.verdict != "undecided"

    @property
    def answer(self) -> Answer:
        """What it has come to."""
        return Answer(
            self.test, self.verdict, self.llr, self.test.bounds, self.pairs, tuple(self.counts)
        )

    def __str__(self) -> str:
        """How it stands, for a line of progress."""
        low, high = self.test.bounds
        return f"LLR {self.llr:+.2f} ({low:+.2f} … {high:+.2f}), {self.pairs} pairs"


def judged(test: Sprt, pairs: Iterable[int]) -> Answer:
    """What a test comes to on these pairs, given by their scores in quarters."""
    found = Sequential(test)
    for outcome in pairs:
        if found.count(outcome):
            break
    return found.answer


def ratio(counts: Sequence[float], test: Sprt) -> float:
    """The log-likelihood ratio of H1 to H0, each with the frequencies that suit it best."""
    seen = [n + UNSEEN for n in counts]
    high, low = (closest(seen, expected(elo)) for elo in (test.high, test.low))
    return sum(n * log(b / a) for n, b, a in zip(seen, high, low, strict=True))


def expected(elo: float) -> float:
    """The expected score of who is stronger by so much."""
    return 1 / (1 + 10 ** (-elo / 400))


def closest(seen: Sequence[float], mean: float) -> list[float]:
    """The most likely frequencies of mean score `mean`, where the outcomes were seen so often.

    They are share / (1 + x (score - mean)) for the x that gives them this mean (Van den Bergh),
    which is found by Newton's method, or halving where that leaves the range of such x.
    """
    away = [score - mean for score in SCORES]
    low, high, x, total = -1 / away[-1], -1 / away[0], 0.0, sum(seen)
    for _ in range(STEPS):
        parts = [a / (1 + x * a) for a in away]
        slope = sum(n * part for n, part in zip(seen, parts, strict=True))
        low, high = (x, high) if slope > 0 else (low, x)
        onward = x + slope / sum(n * part * part for n, part in zip(seen, parts, strict=True))
        before, x = x, onward if low < onward < high else (low + high) / 2
        if abs(x - before) < NEAR:
            break
    return [n / total / (1 + x * a) for n, a in zip(seen, away, strict=True)]
