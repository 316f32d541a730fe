"""The bot `search`: it searches the game tree and reports its statistics of each action.

It plays the game's advice unless another action is better by some standard errors, so that a bot
with little time to think plays no worse than the advice.
"""

import itertools
import math
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from diablerie.bots.search import SearchParams
from diablerie.bots.search_tree import lead
from diablerie.bots.workspace import Workspace, borrowed, kept_tree
from diablerie.engine import verbs
from diablerie.engine.game import Appraisal, Game
from diablerie.engine.record import Record, copy
from diablerie.engine.rng import Rng
from diablerie.engine.verbs import SEATS

# These five are chosen by hand: a batch takes a few milliseconds, and a search ends early only
# where more iterations would hardly change its choice.
ITERATIONS_A_LOOK = 250  # iterations between two looks at the clock
SAMPLES_A_LOOK = 50  # samples between two looks at the clock
FIRST_BATCHES = 2  # batches before a search may end early
# standard errors by which the best action leads all others when a search ends early
CLEAR_LEAD = 5.0
ENOUGH_VISITS = 10  # visits to an action before it may be played, or its own deviation is used
# Standard errors by which an action must be better than the advised one to be played: measured, see
# docs/strength.md, “Against `sensible`”.
DEVIATIONS_OF_DOUBT = 2.0
SMALLEST_RETURN_VARIANCE = 1e-4  # the smallest variance of an action's returns that is assumed
_numbers = itertools.count()  # of the bots, so that none takes another's tree for its own


@dataclass(frozen=True)
class ActionStats:
    """The statistics of an action of the root.

    visits: how many iterations began with it; returns: every seat's mean return (-1 to 1);
    error: the standard error of the mover's.
    """

    action: int
    visits: int
    returns: tuple[float, ...]
    error: float


@dataclass(frozen=True)
class SearchResult:
    """The result of a search: the action to play, and all that were tried, most visited first."""

    action: int
    advised: int
    actions: tuple[ActionStats, ...]
    iterations: int


class SearchBot:
    """Searches for `ms` milliseconds, `cpu` milliseconds of processor time, or `n` iterations.

    Where a game judges all actions on the same samples (`Game.appraise`), the bot asks it instead
    of searching a tree, unless `tree` is set; a sample then counts as an iteration.

    explore: the exploration constant of UCB, in standard deviations of the returns; widen: how soon
    a node tries more actions (progressive widening: 1 + widen · √visits). Both defaults are chosen
    by hand: no measurement of them is recorded. doubt: by how many standard errors an action must be
    better than the advised one to be played.
    """

    def __init__(
        self,
        game: Game,
        ms: int = 500,
        n: int = 0,
        explore: float = 0.7,
        widen: float = 2.0,
        doubt: float = DEVIATIONS_OF_DOUBT,
        cpu: int = 0,
        tree: bool = False,
    ) -> None:
        self.game = game
        self.ms = cpu or ms
        self.n = n
        self._clock = time.thread_time if cpu else time.monotonic
        self.tree = tree
        self.explore = explore
        self.widen = widen
        self.doubt = doubt
        # Workspaces are shared by all bots; by this number they know whose tree they hold.
        self._number = next(_numbers)
        self._trees = dict[int, bytes]()

    def __getstate__(self) -> dict[str, Any]:
        kept = {k: kept_tree(self.game, (self._number, k)) for k in range(SEATS)}
        trees = self._trees | {seat: tree for seat, tree in kept.items() if tree}
        return vars(self) | {"_trees": trees}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._number = next(_numbers)

    def choose(self, s: Record, seat: int, rng: Rng) -> int:
        """See Bot."""
        return self.think(s, seat, rng).action

    def think(self, s: Record, seat: int, rng: Rng) -> SearchResult:
        """Search from `s`, as `seat` sees it; the same `rng` and `n` give the same result.

        If the position is a node of the tree of this bot's last search, the search continues with
        the part of the tree below that node.
        """
        owner = self._number, seat
        with borrowed(self.game, owner) as workspace:
            if tree := self._trees.pop(seat, b""):  # of the bot that this one is a copy of
                workspace.take(tree, owner)
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
        workspace.begin(seen, (self._number, seat))
        self.prepare(workspace.params, seat)
        done = self._search(workspace, seat, rng)
        stats = root_actions(workspace, seat, s.seats)
        if self.game.playout.most:
            return SearchResult(stats[0].action, advised, stats, done)
        chosen = best_or_advised(stats, advised, seat, self.doubt)
        return SearchResult(chosen, advised, stats, done)

    def _appraised(self, appraisal: Appraisal, advised: int, rng: Rng) -> SearchResult:
        done = 0
        for batch in self._batches(SAMPLES_A_LOOK):
            appraisal.sample(rng, batch)
            done += batch
        stats = tuple(
            ActionStats(x.action, x.samples, x.returns, x.error) for x in appraisal.judged()
        )
        return SearchResult(stats[0].action, advised, stats, done)

    def _batches(self, size: int) -> Iterator[int]:
        """Yield the sizes of batches of iterations until the time, or `n` iterations, are over."""
        end = self._clock() + self.ms / 1000
        done = 0
        while done < self.n if self.n else not done or self._clock() < end:
            batch = min(size, self.n - done) if self.n else size
            yield batch
            done += batch

    def prepare(self, params: SearchParams, seat: int) -> None:
        """Write the parameters of this bot's search for a seat into `params`."""
        playout = self.game.playout
        params.me = seat
        params.explore = self.explore
        params.widen = self.widen
        params.horizon = playout.plies
        params.skill = playout.skill
        params.rest = sum(1 << node for node in playout.rest) or -1
        params.open = self.game.perfect_information

    def _search(self, workspace: Workspace, seat: int, rng: Rng) -> int:
        """Search until time or iterations are over, or one action leads clearly; count iterations."""
        done = 0
        for batch in self._batches(ITERATIONS_A_LOOK):
            workspace.search(rng, batch)
            done += batch
            if (
                done >= FIRST_BATCHES * ITERATIONS_A_LOOK
                and lead(workspace.arrays.tree, seat) > CLEAR_LEAD
            ):
                break
        return done


def root_actions(workspace: Workspace, seat: int, seats: int) -> tuple[ActionStats, ...]:
    """The statistics of the actions of `seat` at the root, the most visited first."""
    stats = []
    tree = workspace.arrays.tree
    at = int(tree[0].child)
    while at:
        node = tree[at]
        if node.who == seat and node.visits:
            n = int(node.visits)
            mean = node.returns / n
            variance = max(node.squares / n - mean[seat] ** 2, SMALLEST_RETURN_VARIANCE)
            returns = tuple(float(x) for x in mean[:seats])
            stats.append(ActionStats(int(node.move), n, returns, math.sqrt(variance / n)))
        at = int(node.sibling)
    return tuple(sorted(stats, key=lambda x: -x.visits))


def best_or_advised(stats: tuple[ActionStats, ...], advised: int, seat: int, doubt: float) -> int:
    """The advised action, unless another is better by `doubt` standard errors.

    The other action is the one with the highest lower confidence bound (mean return less `doubt`
    standard errors). It is played if the difference of both means exceeds `doubt` standard errors
    of that difference, √(e₁² + e₂²): the test of two means with known errors.
    """
    tried = [x for x in stats if x.visits >= ENOUGH_VISITS]
    base = next((x for x in stats if x.action == advised), None)
    if base is None or not tried:
        return advised
    best = max(tried, key=lambda x: x.returns[seat] - doubt * x.error)
    # The deviation of fewer than ENOUGH_VISITS returns is unreliable; the pooled one replaces it.
    error = (
        base.error
        if base.visits >= ENOUGH_VISITS
        else return_deviation(stats) / math.sqrt(base.visits)
    )
    needed = doubt * math.hypot(best.error, error)
    return best.action if best.returns[seat] - base.returns[seat] > needed else advised


def return_deviation(stats: tuple[ActionStats, ...]) -> float:
    """The standard deviation of one iteration's return, pooled over all actions.

    An action's error is its deviation / √visits, so visits · error² · visits is its sum of squares.
    """
    return math.sqrt(sum((x.visits * x.error) ** 2 for x in stats) / sum(x.visits for x in stats))
