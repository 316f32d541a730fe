"""What the results of a tournament say: scores, shares and ratings with their intervals."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from diablerie.lab.config import Terms
from diablerie.lab.intervals import Estimate, chance_of, elo_of, share
from diablerie.lab.pairing import Plan
from diablerie.lab.ratings import rate_pairings, rate_tables
from diablerie.lab.runner import Result


class Meeting(msgspec.Struct, frozen=True):
    """Two players against each other: `score` (a tie is half) and Elo, as `first` sees them."""

    first: str
    second: str
    games: int
    wins: int
    ties: int
    losses: int
    score: Estimate
    elo: Estimate


class Standing(msgspec.Struct, frozen=True):
    """One player over all its games.

    `games` counts the sides it took, at mixed tables perhaps several in a game; `share` is the
    share of wins for each of them; `chance` how likely a share so far from the fair one is by
    luck. `rating` is Elo (mean 0), or at mixed tables openskill's mu, with 95 %.
    """

    player: str
    games: int
    share: Estimate
    chance: float
    rating: Estimate
    decisions: int
    seconds: float  # mean thinking time for a decision


class Standings(msgspec.Struct, frozen=True):
    """The summary of a tournament. Only tables played from every seat count."""

    terms: Terms
    games: int
    fair: float  # the share of wins that luck alone would give
    meetings: list[Meeting]
    players: list[Standing]
    rate: float | None = None  # games a second, of those played now


def scores(returns: Sequence[float], teams: Sequence[int]) -> list[float]:
    """The score of each side: winners share 1; where nobody won, all do."""
    won = [False] * len(set(teams))
    for seat, side in enumerate(teams):
        won[side] |= returns[seat] > 0
    count = sum(won)
    return [w / count if count else 1 / len(won) for w in won]


class Board:
    """The full tables among the results, as arrays: a row for each table."""

    def __init__(self, terms: Terms, plans: Iterable[Plan], results: Mapping[int, Result]) -> None:
        self.terms, self.sides = terms, terms.sides
        self.lead = [terms.teams.index(side) for side in range(self.sides)]  # a seat of each
        tables: dict[int, list[Plan]] = {}
        for plan in plans:
            if plan.number in results:
                tables.setdefault(plan.table, []).append(plan)
        self.tables = [rows for rows in tables.values() if len(rows) == self.sides]
        self.plans = [plan for rows in self.tables for plan in rows]
        self.results = [results[plan.number] for plan in self.plans]
        count, players = len(self.tables), len(terms.players)
        self.won, self.taken = np.zeros((count, players)), np.zeros((count, players))
        for n, (plan, result) in enumerate(zip(self.plans, self.results, strict=True)):
            self._count(n // self.sides, plan, scores(result.returns, terms.teams))

    def _count(self, table: int, plan: Plan, score: list[float]) -> None:
        for seat, won in zip(self.lead, score, strict=True):
            self.won[table, plan.players[seat]] += won
            self.taken[table, plan.players[seat]] += 1

    def rows(self, *players: int) -> NDArray[Any]:
        """The tables at which all of these players sat."""
        return np.asarray((self.taken[:, players] > 0).all(axis=1))


def standings(
    terms: Terms, plans: Iterable[Plan], results: Mapping[int, Result], rate: float | None = None
) -> Standings:
    """The summary of these results."""
    board = Board(terms, plans, results)
    ratings = _mixed_ratings(board) if terms.mixed else _pair_ratings(board)
    return Standings(
        terms=terms,
        games=len(board.results),
        fair=1 / board.sides,
        meetings=[] if terms.mixed else _meetings(board),
        players=[_standing(board, p, ratings[p]) for p in range(len(terms.players))],
        rate=rate,
    )


def _meetings(board: Board) -> list[Meeting]:
    pairs = combinations(range(len(board.terms.players)), 2)
    return [_meeting(board, a, b) for a, b in pairs if board.rows(a, b).any()]


def _meeting(board: Board, a: int, b: int) -> Meeting:
    rows = board.rows(a, b)
    score = share(board.won[rows, a], board.taken[rows, a], 1 / 2)
    single = [
        scores(result.returns, board.terms.teams)[plan.players[board.lead[1]] == a]
        for plan, result in zip(board.plans, board.results, strict=True)
        if {a, b} == set(plan.players)
    ]
    return Meeting(
        first=board.terms.players[a],
        second=board.terms.players[b],
        games=len(single),
        wins=single.count(1.0),
        ties=single.count(0.5),
        losses=single.count(0.0),
        score=score,
        elo=elo_of(score),
    )


def _standing(board: Board, player: int, rating: Estimate) -> Standing:
    rows, fair = board.rows(player), 1 / board.sides
    won, taken = board.won[rows, player], board.taken[rows, player]
    decisions, seconds = _thinking(board, player)
    some = bool(rows.any())
    return Standing(
        player=board.terms.players[player],
        games=int(taken.sum()),
        share=share(won, taken, fair) if some else Estimate(fair, 0.0, 1.0),
        chance=chance_of(won, taken, fair) if some else 1.0,
        rating=rating,
        decisions=decisions,
        seconds=seconds,
    )


def _thinking(board: Board, player: int) -> tuple[int, float]:
    """A player's decisions, and the mean time it thought about one."""
    count, total = 0, 0.0
    for plan, result in zip(board.plans, board.results, strict=True):
        for seat, who in enumerate(plan.players):
            if who == player:
                count += result.decisions[seat]
                total += result.decisions[seat] * result.seconds[seat]
    return count, total / max(1, count)


def _pair_ratings(board: Board) -> list[Estimate]:
    players = len(board.terms.players)
    tables = {
        (a, b): board.won[board.rows(a, b), a]
        for a, b in combinations(range(players), 2)
        if board.rows(a, b).any()
    }
    return rate_pairings(tables, players, board.sides)


def _mixed_ratings(board: Board) -> list[Estimate]:
    games = [
        _finish(board, plan, result)
        for plan, result in zip(board.plans, board.results, strict=True)
    ]
    rated = rate_tables(games, len(board.terms.players))
    return [Estimate(r.mu, r.mu - 1.96 * r.sigma, r.mu + 1.96 * r.sigma) for r in rated]


def _finish(board: Board, plan: Plan, result: Result) -> list[tuple[list[int], bool]]:
    """The sides of a game: their players and whether they won."""
    teams = board.terms.teams
    score = scores(result.returns, teams)
    best = max(score)
    return [
        ([p for p, team in zip(plan.players, teams, strict=True) if team == side], s == best)
        for side, s in enumerate(score)
    ]
