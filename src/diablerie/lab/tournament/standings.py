"""The standings of a tournament: scores, shares, ratings and openings, with intervals."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations

import msgspec
import numpy as np

from diablerie.engine.compile import Bools
from diablerie.lab.running.matches import Fixture
from diablerie.lab.statistics import (
    Estimate,
    elo_estimate,
    side_scores,
    win_share,
    win_share_p_value,
)
from diablerie.lab.tournament.config import GameResult, TournamentConfig
from diablerie.lab.tournament.ratings import rate_pairings, rate_tables

MAX_OPENINGS = 8  # shown of a player, the most frequent


class Meeting(msgspec.Struct, frozen=True):
    """Two players against each other: the score (a tie is half) and Elo difference of `first`."""

    first: str
    second: str
    games: int
    wins: int
    ties: int
    losses: int
    score: Estimate
    elo: Estimate


class PlayerStanding(msgspec.Struct, frozen=True):
    """One player over all its games.

    games: the sides that it played, at mixed tables perhaps several in a game; share: its share of
    wins for each of them; chance: the p-value of the hypothesis that this share is the fair one;
    rating: Elo (mean 0), or at mixed tables openskill's mu.
    """

    player: str
    games: int
    share: Estimate
    chance: float
    rating: Estimate
    decisions: int
    seconds: float  # mean thinking time of a decision


class PlayerOpening(msgspec.Struct, frozen=True):
    """A player's first decision of a game: how often it was taken, and the share of wins then."""

    player: str
    action: str
    games: int  # sides played, as in PlayerStanding
    won: Estimate


class Standings(msgspec.Struct, frozen=True):
    """The summary of a tournament. Only tables that were played from every seat count."""

    config: TournamentConfig
    games: int
    fair: float  # the share of wins that luck alone would give
    meetings: list[Meeting]
    players: list[PlayerStanding]
    rate: float | None = None  # games a second of this run
    openings: list[PlayerOpening] = []  # of games whose file has them


class FullTables:
    """The results of those tables that were played from every seat.

    won, taken: float64 (tables, players), the score and the sides of each player at each table;
    lead: one seat of each side.
    """

    def __init__(
        self,
        config: TournamentConfig,
        fixtures: Iterable[Fixture],
        results: Mapping[int, GameResult],
    ) -> None:
        self.config = config
        self.sides = config.sides
        self.lead = [config.teams.index(side) for side in range(self.sides)]
        tables: dict[int, list[Fixture]] = {}
        for fixture in fixtures:
            if fixture.number in results:
                tables.setdefault(fixture.table, []).append(fixture)
        self.tables = [rows for rows in tables.values() if len(rows) == self.sides]
        self.fixtures = [fixture for rows in self.tables for fixture in rows]
        self.results = [results[fixture.number] for fixture in self.fixtures]
        count = len(self.tables)
        players = len(config.players)
        self.won = np.zeros((count, players))
        self.taken = np.zeros((count, players))
        for n, (fixture, result) in enumerate(zip(self.fixtures, self.results, strict=True)):
            self._count(n // self.sides, fixture, side_scores(result.returns, config.teams))

    def _count(self, table: int, fixture: Fixture, score: list[float]) -> None:
        for seat, won in zip(self.lead, score, strict=True):
            self.won[table, fixture.players[seat]] += won
            self.taken[table, fixture.players[seat]] += 1

    def rows(self, *players: int) -> Bools:
        """The tables at which all of these players sat, bool (tables,)."""
        return np.asarray((self.taken[:, players] > 0).all(axis=1))


def standings(
    config: TournamentConfig,
    fixtures: Iterable[Fixture],
    results: Mapping[int, GameResult],
    rate: float | None = None,
) -> Standings:
    """The summary of these results, given by the number of their game."""
    full = FullTables(config, fixtures, results)
    ratings = _mixed_ratings(full) if config.mixed else _pair_ratings(full)
    return Standings(
        config=config,
        games=len(full.results),
        fair=1 / full.sides,
        meetings=[] if config.mixed else _meetings(full),
        players=[_standing(full, p, ratings[p]) for p in range(len(config.players))],
        rate=rate,
        openings=_openings(full),
    )


def _openings(full: FullTables) -> list[PlayerOpening]:
    """The most frequent openings of every player; partners open as their first seat."""
    scores: dict[str, dict[str, list[float]]] = {}
    for player, action, score in _opened(full):
        scores.setdefault(player, {}).setdefault(action, []).append(score)
    openings = []
    for player, actions in scores.items():
        counts = Counter({action: len(won) for action, won in actions.items()})
        for action, count in counts.most_common(MAX_OPENINGS):
            # the weights 1: as if these games were independent
            won = win_share(np.array(actions[action]), np.ones(count), 1 / full.sides)
            openings.append(PlayerOpening(player, action, count, won))
    return openings


def _opened(full: FullTables) -> Iterator[tuple[str, str, float]]:
    """The player, first decision and score of each side of each game."""
    for result in full.results:
        if result.opening:
            score = side_scores(result.returns, full.config.teams)
            for seat, won in zip(full.lead, score, strict=True):
                yield result.players[seat], result.opening[seat], won


def _meetings(full: FullTables) -> list[Meeting]:
    pairs = combinations(range(len(full.config.players)), 2)
    return [_meeting(full, a, b) for a, b in pairs if full.rows(a, b).any()]


def _meeting(full: FullTables, a: int, b: int) -> Meeting:
    rows = full.rows(a, b)
    score = win_share(full.won[rows, a], full.taken[rows, a], 1 / 2)
    single = [
        side_scores(result.returns, full.config.teams)[fixture.players[full.lead[1]] == a]
        for fixture, result in zip(full.fixtures, full.results, strict=True)
        if {a, b} == set(fixture.players)
    ]
    return Meeting(
        first=full.config.players[a],
        second=full.config.players[b],
        games=len(single),
        wins=single.count(1.0),
        ties=single.count(0.5),
        losses=single.count(0.0),
        score=score,
        elo=elo_estimate(score),
    )


def _standing(full: FullTables, player: int, rating: Estimate) -> PlayerStanding:
    rows = full.rows(player)
    fair = 1 / full.sides
    won = full.won[rows, player]
    taken = full.taken[rows, player]
    decisions, seconds = _thinking(full, player)
    some = bool(rows.any())
    return PlayerStanding(
        player=full.config.players[player],
        games=int(taken.sum()),
        share=win_share(won, taken, fair) if some else Estimate(fair, 0.0, 1.0),
        chance=win_share_p_value(won, taken, fair) if some else 1.0,
        rating=rating,
        decisions=decisions,
        seconds=seconds,
    )


def _thinking(full: FullTables, player: int) -> tuple[int, float]:
    """The number of a player's decisions, and the mean seconds it thought about one."""
    count = 0
    total = 0.0
    for fixture, result in zip(full.fixtures, full.results, strict=True):
        for seat, who in enumerate(fixture.players):
            if who == player:
                count += result.decisions[seat]
                total += result.decisions[seat] * result.seconds[seat]
    return count, total / max(1, count)


def _pair_ratings(full: FullTables) -> list[Estimate]:
    players = len(full.config.players)
    tables = {
        (a, b): full.won[full.rows(a, b), a]
        for a, b in combinations(range(players), 2)
        if full.rows(a, b).any()
    }
    return rate_pairings(tables, players, full.sides)


def _mixed_ratings(full: FullTables) -> list[Estimate]:
    games = [
        _sides(full, fixture, result)
        for fixture, result in zip(full.fixtures, full.results, strict=True)
    ]
    rated = rate_tables(games, len(full.config.players))
    return [Estimate(r.mu, r.mu - 1.96 * r.sigma, r.mu + 1.96 * r.sigma) for r in rated]


def _sides(full: FullTables, fixture: Fixture, result: GameResult) -> list[tuple[list[int], bool]]:
    """The sides of a game: their players and whether they won."""
    teams = full.config.teams
    score = side_scores(result.returns, teams)
    best = max(score)
    sides = []
    for side, won in enumerate(score):
        players = [p for p, team in zip(fixture.players, teams, strict=True) if team == side]
        sides.append((players, won == best))
    return sides
