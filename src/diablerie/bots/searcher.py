"""The bot that thinks: `search`, and what it can say about its choice.

It leaves the game's advice only for an action that has proved better beyond doubt, so that little
time to think makes it no worse than a sensible player.
"""

import itertools
import math
import time
from dataclasses import dataclass

from diablerie.bots.basic import Slips
from diablerie.bots.search import search
from diablerie.bots.tree import lead
from diablerie.bots.workspace import SPOTS, Desk, lent
from diablerie.engine import verbs
from diablerie.engine.game import Game
from diablerie.engine.record import Record, copy
from diablerie.engine.rng import Rng

BATCH = 250  # iterations between two looks at the clock
FIRST = 2  # batches before a search may end early
CLEAR = 5.0  # standard errors by which the best leads all others: that ends it
ENOUGH = 10  # visits to an action before it may be played, or its own scatter is believed
LEAST = 1e-4  # variance that is taken for granted
_numbers = itertools.count()  # of the bots, so that none takes another's tree for its own


@dataclass(frozen=True)
class Considered:
    """An action of the root: how often it was played out, and what it is worth.

    `worth` is every seat's mean return (-1 to 1), `error` the standard error of the mover's.
    """

    action: int
    visits: int
    worth: tuple[float, ...]
    error: float


@dataclass(frozen=True)
class Thought:
    """What a search came to: the action to play, and all considered, best first."""

    action: int
    advised: int
    considered: tuple[Considered, ...]
    iterations: int


class SearchBot:
    """Searches for `ms` milliseconds, or for exactly `n` iterations if given.

    explore: how much the untried is preferred; widen: how soon a spot takes more actions; bias:
    as how many playouts the game's value of an action counts beside its own (progressive bias);
    doubt: how many standard errors an action must be better than the advised one to be played;
    spots: how large its tree may grow; slips: the share of decisions that are random instead.
    """

    def __init__(
        self,
        game: Game,
        ms: int = 500,
        n: int = 0,
        explore: float = 0.7,
        widen: float = 2.0,
        bias: float = 0.0,
        doubt: float = 2.0,
        spots: int = SPOTS,
        slips: float = 0.0,
    ) -> None:
        self.game, self.ms, self.n, self.spots = game, ms, n, spots
        self.explore, self.widen, self.bias, self.doubt = explore, widen, bias, doubt
        self._slips = Slips(game, slips)
        self._number = next(_numbers)

    def choose(self, s: Record, seat: int, rng: Rng) -> int:
        """See Bot."""
        slip = self._slips.slip(s, seat, rng)
        return self.think(s, seat, rng).action if slip is None else slip

    def think(self, s: Record, seat: int, rng: Rng) -> Thought:
        """Search from `s`, as `seat` sees it; the same `rng` and `n` come to the same thought.

        The tree of this bot's last thought is used again where the game has come to a spot of it.
        """
        with lent(self.game, (self._number, seat), self.spots) as desk:
            return self.think_at(desk, s, seat, rng)

    def think_at(self, desk: Desk, s: Record, seat: int, rng: Rng) -> Thought:
        """The same, at this desk."""
        seen = copy(s)
        verbs.redact(seen, seat)
        advised = verbs.advise(copy(seen), seat, rng)
        if verbs.legal(seen, seat, desk.out) == 1:
            return Thought(int(desk.out[0]), advised, (), 0)
        desk.set_up(seen, (self._number, seat))
        self._plan(desk, seat)
        done = self._search(desk, seat, rng)
        found = considered(desk, seat, int(s.seats))
        return Thought(best(found, advised, seat, self.doubt), advised, found, done)

    def _plan(self, desk: Desk, seat: int) -> None:
        plan, playout = desk.plan, self.game.playout
        plan.me, plan.explore, plan.widen, plan.bias = seat, self.explore, self.widen, self.bias
        plan.horizon, plan.skill = playout.plies, playout.skill
        plan.rest = sum(1 << node for node in playout.rest) or -1

    def _search(self, desk: Desk, seat: int, rng: Rng) -> int:
        end, done = time.monotonic() + self.ms / 1000, 0
        while done < self.n if self.n else time.monotonic() < end:
            batch = min(BATCH, self.n - done) if self.n else BATCH
            search(desk.start, desk.room, desk.eye, desk.words, desk.tree, desk.plans,
                   desk.mark, rng, desk.out, desk.p, batch)  # fmt: skip
            done += batch
            if done >= FIRST * BATCH and lead(desk.tree, seat) > CLEAR:
                break
        return done


def considered(desk: Desk, who: int, seats: int) -> tuple[Considered, ...]:
    """The root's actions as the search has left them, the most visited first."""
    found = []
    at = int(desk.tree[0].first)
    while at:
        spot = desk.tree[at]
        if spot.who == who and spot.visits:
            n = int(spot.visits)
            mean = spot.worth / n
            variance = max(spot.square / n - mean[who] ** 2, LEAST)
            worth = tuple(float(x) for x in mean[:seats])
            found.append(Considered(int(spot.move), n, worth, math.sqrt(variance / n)))
        at = int(spot.following)
    return tuple(sorted(found, key=lambda c: -c.visits))


def best(found: tuple[Considered, ...], advised: int, seat: int, doubt: float) -> int:
    """The advised action, unless another is worth more beyond doubt."""
    tried = [c for c in found if c.visits >= ENOUGH]
    base = next((c for c in found if c.action == advised), None)
    if base is None or not tried:
        return advised
    first = max(tried, key=lambda c: c.worth[seat] - doubt * c.error)
    error = base.error if base.visits >= ENOUGH else scatter(found) / math.sqrt(base.visits)
    sure = doubt * math.hypot(first.error, error)
    return first.action if first.worth[seat] - base.worth[seat] > sure else advised


def scatter(found: tuple[Considered, ...]) -> float:
    """The standard deviation of what one playout is worth, over all actions."""
    return math.sqrt(sum((c.visits * c.error) ** 2 for c in found) / sum(c.visits for c in found))
