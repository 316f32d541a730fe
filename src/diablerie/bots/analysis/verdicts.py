"""Verdicts on decisions: what the strongest search would have done, and what the difference cost.

A decision is judged by what the seat knew. Pairs of games are played on from the redacted record,
one after each action, with the same guess at the hidden rest and the same random numbers. So bad
luck with the dice, or with what nobody could see, is no mistake.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial
from math import sqrt
from typing import NamedTuple

import numpy as np

from diablerie.bots.analysis.findings import in_turns
from diablerie.bots.analysis.playouts import PlayoutThreads, hash_numbers
from diablerie.bots.analysis.timeline import DRAWS, PlayedDecision, advices
from diablerie.bots.levels import strongest
from diablerie.bots.rollouts import Rollouts, tempered
from diablerie.engine.compile import Floats
from diablerie.engine.game import Game
from diablerie.engine.rng import seeded

# Chosen by hand, so that a verdict is hardly ever wrong and an analysis takes seconds.
SUSPECTS = 10  # decisions that the search is asked about, at most
FIRST_ROUND_PAIRS = 8  # pairs of games for each decision in the first round of `suspects`
MOST_PAIRS = 320  # pairs of games for a verdict
ROUND_PAIRS = 40  # of those in each round
MISTAKE_LOSS = 0.08  # the smallest loss of win chance that counts as a mistake
DEVIATIONS_OF_MISTAKE = 3.0  # standard errors by which a loss must differ from 0
LET_OFF = 2.0  # standard errors below MISTAKE_LOSS at which a decision is no mistake
VERDICTS_TOGETHER = 4  # decisions that are judged before others have their turn
HasTime = Callable[[], bool]  # whether there is time for more


class Judgement(NamedTuple):
    """A decision for which the search knew better.

    action: what it would have done; cost: the seat's chance that was lost, calibrated; helped: the
    seat that gained most by that.
    """

    action: int
    cost: float
    helped: int = -1


UNASKED = Judgement(-1, 0.0)


def suspects(
    game: Game,
    decisions: Sequence[PlayedDecision],
    crew: PlayoutThreads,
    has_time: HasTime,
    people: Collection[int] = (),
) -> Iterator[list[PlayedDecision]]:
    """The decisions that seem to have cost most compared with the advice, the costliest first.

    Yields them after each round of games, the last time those that are to be judged.

    Every seat's costliest comes before any seat's second; of `people` two count as one. Sequential
    halving (Karnin, Koren and Somekh 2013): each round keeps the costlier half and
    doubles the games.
    """
    left = [one for one in decisions if not one.advised]
    losses = {one.ply: np.zeros(0) for one in left}
    games = FIRST_ROUND_PAIRS
    while len(left) > SUSPECTS and has_time():
        jobs = [partial(_beside_advice, one, len(losses[one.ply]), games) for one in left]
        for one, more in zip(left, crew.do(game, jobs), strict=True):
            losses[one.ply] = np.append(losses[one.ply], more)
        # The costliest half goes on, but so that nobody's mistakes hide those of others.
        left.sort(key=lambda one: -losses[one.ply].mean())
        left = in_turns(left, lambda one: one.seat, twice=people)
        left = left[: max(SUSPECTS, (len(left) + 1) // 2)]
        games *= 2
        yield left[:SUSPECTS]
    yield left[:SUSPECTS]


def _beside_advice(decision: PlayedDecision, first: int, games: int, rollouts: Rollouts) -> Floats:
    advised = next(advices(decision.seen, decision.seat, decision.ply + DRAWS))
    pairs = paired(rollouts, decision, advised, first, games)[:, :, decision.seat]
    return np.asarray(pairs[:, 0] - pairs[:, 1])


def search_verdicts(
    game: Game, decisions: Sequence[PlayedDecision], crew: PlayoutThreads, has_time: HasTime
) -> Iterator[dict[int, Judgement | None]]:
    """The strongest search's judgement of each decision, by ply; None: the decision was right.

    Yields those of a few decisions at a time. Decisions for which there was no more time are
    missing.
    """
    for first in range(0, len(decisions), VERDICTS_TOGETHER):
        some = decisions[first : first + VERDICTS_TOGETHER]
        jobs = [partial(_judgement, game, one, has_time) for one in some]
        judged = zip(some, crew.do(game, jobs), strict=True)
        yield {one.ply: verdict for one, verdict in judged if verdict is not UNASKED}


def _judgement(
    game: Game, decision: PlayedDecision, has_time: HasTime, rollouts: Rollouts
) -> Judgement | None:
    if not has_time():
        return UNASKED
    luck = seeded(hash_numbers(decision.ply, decision.seat))
    better = strongest(game).think(decision.seen, decision.seat, luck).action
    if better == decision.action:
        return None
    lost = losses(game, rollouts, decision, better, has_time)
    cost = float(lost[decision.seat])
    return Judgement(better, cost, int(lost.argmin())) if cost >= MISTAKE_LOSS else None


def losses(
    game: Game,
    rollouts: Rollouts,
    decision: PlayedDecision,
    better: int,
    has_time: HasTime = lambda: True,
) -> Floats:
    """The win chances that a decision lost compared with the action `better`, by seat.

    All 0 unless the decider's loss is significant (`DEVIATIONS_OF_MISTAKE`). Games end early once
    it is clearly below `MISTAKE_LOSS`.
    """
    seat = decision.seat
    pairs = np.zeros((0, 2, decision.seen.seats))
    while not len(pairs) or (len(pairs) < MOST_PAIRS and has_time()):
        more = paired(rollouts, decision, better, MOST_PAIRS + len(pairs), ROUND_PAIRS)
        pairs = np.concatenate([pairs, more])
        lost = pairs[:, 0, seat] - pairs[:, 1, seat]
        mean = float(lost.mean())
        error = max(float(lost.std()), 0.1) / sqrt(len(lost))
        # Most decisions asked about are no mistakes: the first rounds of games tell.
        if mean + LET_OFF * error < MISTAKE_LOSS:
            return np.zeros(pairs.shape[2])
    if mean < DEVIATIONS_OF_MISTAKE * error:
        return np.zeros(pairs.shape[2])
    chances = tempered(pairs.mean(0), game.temperature)
    return np.asarray(chances[0] - chances[1])


def paired(
    rollouts: Rollouts, decision: PlayedDecision, better: int, first: int, games: int
) -> Floats:
    """Who won so many pairs of games, after `better` and after the decision: (games, 2, seats).

    Both games of a pair have the same guess and the same random numbers, which follow from the
    number of the pair; first: the number of the first pair.
    """
    seen = decision.seen
    seat = decision.seat
    pairs = []
    for number in range(first, first + games):
        key = hash_numbers(decision.ply, number)
        after_better = rollouts.chances(seen, seeded(key), 1, seat, better)
        pairs.append((after_better, rollouts.chances(seen, seeded(key), 1, seat, decision.action)))
    return np.array(pairs)
