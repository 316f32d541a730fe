"""How good the actions of a decision of TAILS are, judged on random fillings of the board.

A rotation is worth the mean lead with the tile laid so. A cell is worth what the next tile is
likely to bring there in its best rotation, and what the tile after it does on the twin, in the best
rotation of who must lay it (T10). But somebody will name one of the two sooner or later, so what
counts is how much better that is than if the other side did it first; what only this seat may name
can wait. Cells that fall behind are given up, so that more fillings are left for the others. Leads
in points, not wins, since wins are mostly luck: see docs/strength.md.
"""

from math import exp, sqrt

import numpy as np

from diablerie.engine.game import AppraisedAction
from diablerie.engine.rng import Rng
from diablerie.games.tails.policy.evaluation import SPREAD, SPREAD_BY_ROOT, sign
from diablerie.games.tails.policy.fillings import ANY, ENDS_OF, Work, likely_best, sample
from diablerie.games.tails.rules.legality import choosable, not_foreign
from diablerie.games.tails.rules.sides import side_of, sides
from diablerie.games.tails.rules.state import (
    BODIES,
    CELLS,
    COPIES,
    ENDS,
    KINDS,
    LAY,
    ROTATIONS,
    TURNS,
    TWIN_OF,
    Node,
    State,
    code,
    mask_of,
)

ENDGAME = 6  # so few empty cells are better searched
HALVED = (300, 1000, 3000)  # after so many fillings the worse half of the cells is given up
FEWEST = 4  # cells that are never given up


class Appraisal:
    """The actions of one decision, on more and more fillings; for one thread."""

    def __init__(self, s: State, seat: int) -> None:
        start, room = (np.zeros_like(s.array).view(np.recarray) for _ in range(2))
        start[0] = s.array[0]
        sums = np.zeros((CELLS, KINDS * TURNS))
        self.side = side_of(start[0], seat)
        self._s = start[0]
        self.seat = seat
        signs = np.array([sign(start[0], self.side, body) for body in range(BODIES)])
        pool = np.zeros(KINDS * COPIES, np.int64)
        way = np.zeros((CELLS * ENDS // 2, 2), np.int64)
        # Room to work in, made once: thousands of fillings are judged with it.
        lines, ats, lengths = (np.zeros(CELLS * ENDS, np.int64) for _ in range(3))
        self._work = Work(
            start,
            room,
            pool,
            sums,
            np.zeros(2),
            signs,
            way,
            lines,
            ats,
            lengths,
            np.zeros(len(ENDS_OF)),
        )
        self.kind = int(s.kind) if s.node == Node.ROTATION else ANY
        mask = 1 << int(s.cell) if self.kind != ANY else int(choosable(start[0], seat))
        self._theirs = int(not_foreign(start[0], (seat + 1) % int(s.seats)))
        self._cells = [cell for cell in range(CELLS) if mask >> cell & 1]
        self._twins = self.kind == ANY and s.seats != 3
        self._given_up: list[AppraisedAction] = []
        self.done = 0

    def sample(self, rng: Rng, n: int) -> None:
        """Judge on so many fillings more."""
        while n > 0:
            step = min([n, *(at - self.done for at in HALVED if at > self.done)])
            wide = {*self._cells, *(int(TWIN_OF[c]) for c in self._cells if self._twins)}
            sample(self._work, mask_of(wide), self.kind, rng, step)
            self.done = self.done + step
            n = n - step
            if self.done in HALVED and self.kind == ANY:
                self._halve()

    def judged(self) -> list[AppraisedAction]:
        """All actions: those judged on the most fillings first, and of these the best."""
        return [*self._standing(), *self._given_up]

    def _halve(self) -> None:
        ranked = self._standing()
        keep = max(FEWEST, len(ranked) // 2)
        self._given_up = [*ranked[keep:], *self._given_up]
        self._cells = sorted(cell.action for cell in ranked[:keep])

    def _standing(self) -> list[AppraisedAction]:
        if self.kind == ANY:
            leads = {cell: self._lead(cell, 1.0) for cell in self._cells}
        else:
            row = self._work.sums[self._cells[0]]
            turns = range(ROTATIONS[self.kind])
            leads = {LAY + turn: row[code(self.kind, turn)] / self.done for turn in turns}
        urgent = sorted(leads, key=lambda one: (-self._gain(one, leads[one]), -leads[one], one))
        return [self._judge(action, leads[action]) for action in urgent]

    def _gain(self, action: int, lead: float) -> float:
        """How much better this lead is than the lead if the other side names the cell or its twin."""
        if not self._twins:
            return lead
        pair = action, int(TWIN_OF[action])
        theirs = [self._lead(cell, -1.0) for cell in pair if self._theirs >> cell & 1]
        return lead - min(theirs, default=lead)

    def _lead(self, cell: int, sign: float) -> float:
        """The lead if this cell is named, by this side (sign 1) or the other (-1)."""
        lead = likely_best(self._s, self._work.sums[cell], sign)
        if self._twins:
            lead += likely_best(self._s, self._work.sums[TWIN_OF[cell]], -sign)
            lead -= self._work.total[0]  # which both of them hold
        return float(lead) / self.done

    def _judge(self, action: int, lead: float) -> AppraisedAction:
        """An action with its lead turned into everybody's return, as `evaluation.value` does it."""
        others = sides(self._s) - 1
        spread = SPREAD + SPREAD_BY_ROOT * sqrt(float(CELLS - self._s.count))
        chance = 1 / (1 + others * exp(-lead / spread))
        own = chance - (1 - chance) / others
        seats = int(self._s.seats)
        side = [side_of(self._s, seat) for seat in range(seats)]
        mine = side.count(self.side)
        returns = tuple(own if x == self.side else -own * mine / (seats - mine) for x in side)
        mean, squares = self._work.total / self.done
        error = sqrt(max(squares - mean**2, 0.0) / self.done) / (2 * spread)
        return AppraisedAction(action, self.done, returns, error)


def appraise(s: State, seat: int) -> Appraisal | None:
    """An appraisal of the actions of `seat`; None where a search does better."""
    return Appraisal(s, seat) if CELLS - s.count > ENDGAME else None
