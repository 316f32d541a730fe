"""Plays the actions of a decision out with the seat's knowledge alone, and counts who found the best."""

from collections.abc import Sequence

import numpy as np

from diablerie.bots.levels import STRONGEST_LEVEL
from diablerie.bots.rollouts import Rollouts, tempered
from diablerie.daily.challenge import (
    Challenge,
    JudgedAction,
    LevelTries,
)
from diablerie.engine.compile import Floats
from diablerie.engine.game import Game
from diablerie.engine.rng import seeded
from diablerie.lab.running.settings import seed_for
from diablerie.lab.statistics import Estimate, mean_estimate
from tools.daily.promises import fields_of, theme_of, unclear, unfit
from tools.daily.screening import QUICK, TRIES, Candidate, choices_of

# Chosen by hand: a decision that is no challenge is given up as early as possible.
# games after every action; then after so many of the best
FIRST = 24
TOP = 4
SECOND = 120
# the least lead of the best by these, for going on
HOPE = 0.04
LIKELY = 0.11
GROUP = 25  # games whose chances are tempered together, see `estimates`
SEARCHES = 4  # how often the level that searches is asked


class Judge:
    """Makes challenges of candidates; for one thread at a time. playouts: after each action."""

    def __init__(self, game: Game, playouts: int) -> None:
        self.game = game
        self.playouts = playouts
        self._rollouts = Rollouts(game)

    def challenge(self, one: Candidate, seed: int) -> Challenge | None:
        """The challenge that a candidate makes; None if it makes none."""
        best = self._best(one, seed)
        if best is None:
            return None
        quick = [
            LevelTries(level.name, TRIES, made.count(best))
            for level, made in zip(QUICK, one.choices, strict=True)
        ]
        if unfit([*quick, LevelTries(STRONGEST_LEVEL.name, SEARCHES, SEARCHES)]):
            return None  # not even if the level that searches always finds the best action
        actions = self._judged(one, best, seed)
        if unclear(actions):
            return None
        made = choices_of(self.game, STRONGEST_LEVEL, one, seed, SEARCHES)
        levels = (*quick, LevelTries(STRONGEST_LEVEL.name, SEARCHES, made.count(best)))
        # Where the strongest search disagrees with the playouts, one of the two is wrong.
        if not levels[-1].found or unfit(levels):
            return None
        return self._made(one, actions, levels)

    def _made(
        self, one: Candidate, actions: Sequence[JudgedAction], levels: tuple[LevelTries, ...]
    ) -> Challenge:
        game = self.game
        theme = theme_of(self.game, one.seen)
        fields = fields_of(one.seen)
        return Challenge(game.name, game.version, one.seat, theme, fields, tuple(actions), levels)

    def _best(self, one: Candidate, seed: int) -> int | None:
        """The action that seems best after a few games; None if none leads clearly."""
        first = self._shares(one, one.actions, seed, "first", FIRST)
        order = np.argsort(-first, kind="stable")[:TOP]
        if first[order[0]] - first[order[1]] < HOPE:
            return None
        top = [one.actions[k] for k in order]
        second = self._shares(one, top, seed, "second", SECOND)
        best, next_best = np.argsort(-second, kind="stable")[:2]
        return top[best] if second[best] - second[next_best] >= LIKELY else None

    def _shares(
        self, one: Candidate, actions: Sequence[int], seed: int, stage: str, games: int
    ) -> Floats:
        won = self._played_out(one, actions, seed_for(seed, stage, one.place), games)
        return np.asarray(won[:, :, one.seat].mean(0))

    def _judged(self, one: Candidate, best: int, seed: int) -> list[JudgedAction]:
        """All actions, the best first, with chances by games that nothing was chosen by."""
        actions = [best, *(action for action in one.actions if action != best)]
        luck = seed_for(seed, "last", one.place)
        won = self._played_out(one, actions, luck, self.playouts)
        chances, behind = estimates(won, one.seat, self.game.temperature)
        text = self.game.notation.format_action
        judged = [
            JudgedAction(
                text(one.seen, one.seat, action),
                round(chance.value, 3),
                round(max(chance.low, 0.0), 3),
                round(min(chance.high, 1.0), 3),
                round(lead.low, 3),
            )
            for action, chance, lead in zip(actions, chances, behind, strict=True)
        ]
        return [judged[0], *sorted(judged[1:], key=lambda x: -x.chance)]

    def _played_out(self, one: Candidate, actions: Sequence[int], seed: int, games: int) -> Floats:
        """Who won so many games after each action: (games, actions, seats), 0 or 1.

        The k-th games after all actions have the same guess at what is hidden, and the same luck.
        """
        chances = self._rollouts.chances
        won = []
        for k in range(games):
            won.append([chances(one.seen, seeded(seed + k), 1, one.seat, a) for a in actions])
        return np.array(won)


def estimates(won: Floats, seat: int, temperature: float) -> tuple[list[Estimate], list[Estimate]]:
    """The seat's chance to win after each action, and by how much that after the first is better.

    won: (games, actions, seats), games a multiple of `GROUP`. A calibrated chance is no mean of
    games, so each group of them is left out in turn and the pseudo-values are averaged (the
    jackknife: Quenouille 1956, Tukey 1958); at temperature 1 these are the groups' own means.
    """
    groups = len(won) // GROUP
    sums = won.reshape(groups, GROUP, *won.shape[1:]).sum(1)
    total = sums.sum(0)
    whole = tempered(total / len(won), temperature)
    without = tempered((total - sums) / (len(won) - GROUP), temperature)
    values = (groups * whole - (groups - 1) * without)[:, :, seat]
    leads = values[:, :1] - values
    return [mean_estimate(x) for x in values.T], [mean_estimate(x) for x in leads.T]
