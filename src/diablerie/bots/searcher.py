"""The bot `search`: it searches the game tree, and reports what it found of each action.

It plays the game's advice unless another action is better by some standard errors, so that a bot
with little time to think plays no worse than the advice.
"""

import itertools
import math
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from diablerie.bots.basic import EpsilonRandom
from diablerie.bots.tree import lead
from diablerie.bots.workspace import NODES, Workspace, borrowed
from diablerie.engine import verbs
from diablerie.engine.game import Appraisal, Game
from diablerie.engine.record import Record, copy
from diablerie.engine.rng import Rng
from diablerie.values import weights_file

# Chosen by hand: the clock is asked every few milliseconds, and a search ends early only where
# more iterations would hardly change its choice.
BATCH, SAMPLES = 250, 50  # iterations, or samples, between two looks at the clock
FIRST = 2  # batches before a search may end early
CLEAR = 5.0  # standard errors by which the best leads all others: that ends it
ENOUGH = 10  # visits to an action before it may be played, or its own deviation is believed
# Standard errors by which an action must be better than the advised one to be played, where learnt
# weights judge and elsewhere: measured, see docs/strength.md, “Against `sensible`” and “Values
# learnt by self-play”.
SURE, SURER = 1.0, 2.0
HAND = "hand"  # judged by the game's own value, whatever has been learnt
LEAST = 1e-4  # variance that is taken for granted
_numbers = itertools.count()  # of the bots, so that none takes another's tree for its own


@dataclass(frozen=True)
class ActionStats:
    """What the search knows of an action of the root.

    visits: how many iterations began with it; returns: every seat's mean return (-1 to 1);
    error: the standard error of the mover's.
    """

    action: int
    visits: int
    returns: tuple[float, ...]
    error: float


@dataclass(frozen=True)
class SearchResult:
    """What a search came to: the action to play, and all that were tried, most visited first."""

    action: int
    advised: int
    actions: tuple[ActionStats, ...]
    iterations: int


class SearchBot:
    """Searches for `ms` milliseconds, `cpu` of processor time or exactly `n` iterations if given.

    A game that judges all actions on the same samples (`Game.appraise`) is played by these: a
    sample is then an iteration, and what is told of the tree does not apply, unless `tree` is set.

    explore: how much the untried is preferred; widen: how soon a node takes more actions; bias:
    as how many iterations the game's value of an action counts beside its own (progressive bias);
    doubt: how many standard errors an action must be better than the advised one to be played
    (None: one where it judges by what was learnt, else two); most: whether the most visited action
    is played (None: as the game says); nodes: how large its tree may grow; epsilon: the share of
    decisions that are random instead; value: a file of learnt values to judge by, or `hand` for
    what the game's value says ("": as the game is played).
    """

    def __init__(
        self,
        game: Game,
        ms: int = 500,
        n: int = 0,
        explore: float = 0.7,
        widen: float = 2.0,
        bias: float = 0.0,
        doubt: float | None = None,
        nodes: int = NODES,
        epsilon: float = 0.0,
        cpu: int = 0,
        most: bool | None = None,
        tree: bool = False,
        value: str = "",
    ) -> None:
        self.game, self.ms, self.n, self.nodes = game, cpu or ms, n, nodes
        self._clock = time.thread_time if cpu else time.monotonic
        self.most, self.tree = game.playout.most if most is None else most, tree
        self.explore, self.widen, self.bias, self.doubt = explore, widen, bias, doubt
        self._epsilon = EpsilonRandom(game, epsilon)
        self._weights = Weights(game, value)
        self._number = next(_numbers)

    def choose(self, s: Record, seat: int, rng: Rng) -> int:
        """See Bot."""
        random = self._epsilon.action(s, seat, rng)
        return self.think(s, seat, rng).action if random is None else random

    def think(self, s: Record, seat: int, rng: Rng) -> SearchResult:
        """Search from `s`, as `seat` sees it; the same `rng` and `n` come to the same result.

        The tree of this bot's last search is used again where the game has come to a node of it.
        """
        with borrowed(self.game, (self._number, seat), self.nodes) as workspace:
            return self.think_in(workspace, s, seat, rng)

    def think_in(self, workspace: Workspace, s: Record, seat: int, rng: Rng) -> SearchResult:
        """The same, in this workspace."""
        seen = copy(s)
        verbs.redact(seen, seat)
        advised = verbs.advise(copy(seen), seat, rng)
        out = workspace.arrays.out
        if verbs.legal(seen, seat, out) == 1:
            return SearchResult(int(out[0]), advised, (), 0)
        appraise = None if self.tree else self.game.appraise
        if appraise and (appraisal := appraise(seen, seat)):
            return self._appraised(appraisal, advised, rng)
        weights = self._weights.of(int(s.seats))
        workspace.judge_by(int(s.seats), weights)
        workspace.begin(seen, (self._number, seat))
        self.prepare(workspace.params, seat)
        done = self._search(workspace, seat, rng)
        found = root_actions(workspace, seat, int(s.seats))
        doubt = (SURER if weights is None else SURE) if self.doubt is None else self.doubt
        chosen = found[0].action if self.most else best_or_advised(found, advised, seat, doubt)
        return SearchResult(chosen, advised, found, done)

    def _appraised(self, appraisal: Appraisal, advised: int, rng: Rng) -> SearchResult:
        done = 0
        for batch in self._batches(SAMPLES):
            appraisal.sample(rng, batch)
            done += batch
        found = tuple(
            ActionStats(x.action, x.samples, x.returns, x.error) for x in appraisal.judged()
        )
        return SearchResult(found[0].action, advised, found, done)

    def _batches(self, size: int) -> Iterator[int]:
        """How many iterations to do next, again and again until time or iterations are over."""
        end, done = self._clock() + self.ms / 1000, 0
        while done < self.n if self.n else not done or self._clock() < end:
            batch = min(size, self.n - done) if self.n else size
            yield batch
            done += batch

    def prepare(self, params: Record, seat: int) -> None:
        """Write what a search of this bot is asked to do for a seat."""
        playout = self.game.playout
        params.me, params.explore, params.widen, params.bias = (
            seat,
            self.explore,
            self.widen,
            self.bias,
        )
        params.horizon, params.skill = playout.plies, playout.skill
        params.rest = sum(1 << node for node in playout.rest) or -1
        params.open = self.game.perfect_information

    def _search(self, workspace: Workspace, seat: int, rng: Rng) -> int:
        """Search until time or iterations are over, or one action leads clearly; iterations."""
        done = 0
        for batch in self._batches(BATCH):
            workspace.search(rng, batch)
            done += batch
            if done >= FIRST * BATCH and lead(workspace.arrays.tree, seat) > CLEAR:
                break
        return done


class Weights:
    """The weights that a bot judges by: of the game's own file, of another, or of none."""

    def __init__(self, game: Game, value: str) -> None:
        if value == HAND:
            self._learnt = None
        else:
            self._learnt = (
                weights_file.read_weights(Path(value), game)
                if value
                else weights_file.bundled_weights(game)
            )
        self._found: dict[int, NDArray[Any] | None] = {}

    def of(self, seats: int) -> NDArray[Any] | None:
        """For so many seats; None: what the game's value says."""
        if seats not in self._found:
            self._found[seats] = self._learnt.weights(seats) if self._learnt else None
        return self._found[seats]


def root_actions(workspace: Workspace, seat: int, seats: int) -> tuple[ActionStats, ...]:
    """The actions of `seat` at the root as the search has left them, the most visited first."""
    found, tree = [], workspace.arrays.tree
    at = int(tree[0].child)
    while at:
        node = tree[at]
        if node.who == seat and node.visits:
            n = int(node.visits)
            mean = node.returns / n
            variance = max(node.squares / n - mean[seat] ** 2, LEAST)
            returns = tuple(float(x) for x in mean[:seats])
            found.append(ActionStats(int(node.move), n, returns, math.sqrt(variance / n)))
        at = int(node.sibling)
    return tuple(sorted(found, key=lambda x: -x.visits))


def best_or_advised(stats: tuple[ActionStats, ...], advised: int, seat: int, doubt: float) -> int:
    """The advised action, unless another is better by `doubt` standard errors.

    The other action is the one with the highest lower confidence bound (mean return less `doubt`
    standard errors). It is played if the difference of both means exceeds `doubt` standard errors
    of that difference, √(e₁² + e₂²): the test of two means with known errors.
    """
    tried = [x for x in stats if x.visits >= ENOUGH]
    base = next((x for x in stats if x.action == advised), None)
    if base is None or not tried:
        return advised
    best = max(tried, key=lambda x: x.returns[seat] - doubt * x.error)
    # A few visits say little of their own deviation: then that of all visits together is taken.
    error = (
        base.error if base.visits >= ENOUGH else return_deviation(stats) / math.sqrt(base.visits)
    )
    needed = doubt * math.hypot(best.error, error)
    return best.action if best.returns[seat] - base.returns[seat] > needed else advised


def return_deviation(stats: tuple[ActionStats, ...]) -> float:
    """The standard deviation of one iteration's return, pooled over all actions.

    An action's error is its deviation / √visits, so visits · error² · visits is its sum of squares.
    """
    return math.sqrt(sum((x.visits * x.error) ** 2 for x in stats) / sum(x.visits for x in stats))
