"""Judging decisions: what the strongest search would have done, and what that was worth.

A player is judged by what the seat knew: games are played on from the redacted record, the hidden
rest guessed anew for each, after both actions with the same luck. Whoever was unlucky with the
dice, or with what nobody could see, made no mistake.
"""

from collections.abc import Callable, Sequence
from functools import partial
from math import sqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from diablerie.bots.analysis.playouts import hash_of
from diablerie.bots.analysis.thread_pool import PlayoutThreads
from diablerie.bots.analysis.timeline import DRAWS, PlayedDecision, advices
from diablerie.bots.calibration import tempered
from diablerie.bots.levels import strongest
from diablerie.bots.rollouts import Rollouts
from diablerie.engine.game import Game
from diablerie.engine.rng import seeded

SUSPECTS = 10  # decisions that the search is asked about, at most
GLANCE = 8  # pairs of games for each decision, before the better half are let off
PAIRS, ROUND = 320, 40  # of games for a verdict, at most, and between two looks
BAD = 0.08  # a loss of so much is told
SURE = 3.0  # standard errors that it must be from 0
LET_OFF = 2.0  # standard errors below BAD that let a decision off
Room = Callable[[], bool]  # whether there is time for more


class Judgement(NamedTuple):
    """A decision for which the search knew better.

    action: what it would have done; cost: the seat's chance that was lost, calibrated.
    """

    action: int
    cost: float


UNASKED = Judgement(-1, 0.0)


def suspects(
    game: Game, decisions: Sequence[PlayedDecision], crew: PlayoutThreads, room: Room
) -> list[PlayedDecision]:
    """The decisions that have cost most beside the advice, at a glance; most of them first.

    Half of them are let off again and again, and the others looked at twice as long.
    """
    left = [one for one in decisions if not one.advised]
    losses = {one.place: np.zeros(0) for one in left}
    games = GLANCE
    while len(left) > SUSPECTS and room():
        jobs = [partial(_beside_advice, one, len(losses[one.place]), games) for one in left]
        for one, more in zip(left, crew.do(game, jobs), strict=True):
            losses[one.place] = np.append(losses[one.place], more)
        left.sort(key=lambda one: -losses[one.place].mean())
        left = left[: max(SUSPECTS, (len(left) + 1) // 2)]
        games *= 2
    return left[:SUSPECTS]


def _beside_advice(
    decision: PlayedDecision, first: int, games: int, rollouts: Rollouts
) -> NDArray[Any]:
    advised = next(advices(decision.seen, decision.seat, decision.place + DRAWS))
    pairs = paired(rollouts, decision, advised, first, games)[:, :, decision.seat]
    return np.asarray(pairs[:, 0] - pairs[:, 1])


def search_verdicts(
    game: Game, decisions: Sequence[PlayedDecision], crew: PlayoutThreads, room: Room
) -> dict[int, Judgement | None]:
    """What the strongest search says against decisions, by ply; None: nothing, the decision stands.

    Those for which there is no more time are missing.
    """
    jobs = [partial(_judgement, game, one, room) for one in decisions]
    found = zip(decisions, crew.do(game, jobs), strict=True)
    return {one.place: verdict for one, verdict in found if verdict is not UNASKED}


def _judgement(
    game: Game, decision: PlayedDecision, room: Room, rollouts: Rollouts
) -> Judgement | None:
    if not room():
        return UNASKED
    luck = seeded(hash_of(decision.place, decision.seat))
    better = strongest(game).think(decision.seen, decision.seat, luck).action
    if better == decision.action:
        return None
    cost = loss(game, rollouts, decision, better, room)
    return Judgement(better, cost) if cost >= BAD else None


def loss(
    game: Game, rollouts: Rollouts, decision: PlayedDecision, better: int, room: Room = lambda: True
) -> float:
    """What a decision has cost beside this action, 0 unless that is beyond doubt."""
    seat, pairs = decision.seat, np.zeros((0, 2, int(decision.seen.seats)))
    while not len(pairs) or (len(pairs) < PAIRS and room()):
        more = paired(rollouts, decision, better, PAIRS + len(pairs), ROUND)
        pairs = np.concatenate([pairs, more])
        lost = pairs[:, 0, seat] - pairs[:, 1, seat]
        mean, error = float(lost.mean()), max(float(lost.std()), 0.1) / sqrt(len(lost))
        if mean + LET_OFF * error < BAD:
            return 0.0
    if mean < SURE * error:
        return 0.0
    told = tempered(pairs.mean(0), game.temperature)
    return float(told[0, seat] - told[1, seat])


def paired(
    rollouts: Rollouts, decision: PlayedDecision, better: int, first: int, games: int
) -> NDArray[Any]:
    """Who wins so many pairs of games, after `better` and after what was decided.

    Both games of a pair have the same guess and the same luck, of the number `first` and those
    that follow. Shape (games, 2, seats).
    """
    seen, seat = decision.seen, decision.seat
    return np.array(
        [
            [
                rollouts.chances(seen, seeded(hash_of(decision.place, number)), 1, seat, action)
                for action in (better, decision.action)
            ]
            for number in range(first, first + games)
        ]
    )
