"""What the results of a tournament say: scores, shares and ratings with their intervals."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from diablerie.lab.config import Config
from diablerie.lab.intervals import Estimate, chance_of, elo_of, share
from diablerie.lab.openings import Opening, openings
from diablerie.lab.pairing import Fixture
from diablerie.lab.ratings import rate_pairings, rate_tables
from diablerie.lab.runner import Result
from diablerie.lab.sprt import Answer


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


class Standings(msgspec.Struct, frozen=True, rename={"config": "terms"}):  # as JSON of 0.1
    """The summary of a tournament. Only tables played from every seat count."""

    config: Config
    games: int
    fair: float  # the share of wins that luck alone would give
    meetings: list[Meeting]
    players: list[Standing]
    rate: float | None = None  # games a second, of those played now
    openings: list[Opening] = []  # of games whose file tells them
    sprt: Answer | None = None


def scores(returns: Sequence[float], teams: Sequence[int]) -> list[float]:
    """The score of each side: winners share 1; where nobody won, all do."""
    won = [False] * len(set(teams))
    for seat, side in enumerate(teams):
        won[side] |= returns[seat] > 0
    count = sum(won)
    return [w / count if count else 1 / len(won) for w in won]


class FullTables:
    """The full tables among the results, as arrays: a row for each table."""

    def __init__(
        self, config: Config, fixtures: Iterable[Fixture], results: Mapping[int, Result]
    ) -> None:
        self.config, self.sides = config, config.sides
        self.lead = [config.teams.index(side) for side in range(self.sides)]  # a seat of each
        tables: dict[int, list[Fixture]] = {}
        for fixture in fixtures:
            if fixture.number in results:
                tables.setdefault(fixture.table, []).append(fixture)
        self.tables = [rows for rows in tables.values() if len(rows) == self.sides]
        self.fixtures = [fixture for rows in self.tables for fixture in rows]
        self.results = [results[fixture.number] for fixture in self.fixtures]
        count, players = len(self.tables), len(config.players)
        self.won, self.taken = np.zeros((count, players)), np.zeros((count, players))
        for n, (fixture, result) in enumerate(zip(self.fixtures, self.results, strict=True)):
            self._count(n // self.sides, fixture, scores(result.returns, config.teams))

    def _count(self, table: int, fixture: Fixture, score: list[float]) -> None:
        for seat, won in zip(self.lead, score, strict=True):
            self.won[table, fixture.players[seat]] += won
            self.taken[table, fixture.players[seat]] += 1

    def rows(self, *players: int) -> NDArray[Any]:
        """The tables at which all of these players sat."""
        return np.asarray((self.taken[:, players] > 0).all(axis=1))


def standings(
    config: Config,
    fixtures: Iterable[Fixture],
    results: Mapping[int, Result],
    rate: float | None = None,
) -> Standings:
    """The summary of these results."""
    full = FullTables(config, fixtures, results)
    ratings = _mixed_ratings(full) if config.mixed else _pair_ratings(full)
    return Standings(
        config=config,
        games=len(full.results),
        fair=1 / full.sides,
        meetings=[] if config.mixed else _meetings(full),
        players=[_standing(full, p, ratings[p]) for p in range(len(config.players))],
        rate=rate,
        openings=openings(_begun(full), 1 / full.sides),
    )


def _begun(full: FullTables) -> Iterator[tuple[str, str, float]]:
    """Who began how and with which score, for each side; partners begin as their first seat."""
    for result in full.results:
        if result.opening:
            score = scores(result.returns, full.config.teams)
            for seat, won in zip(full.lead, score, strict=True):
                yield result.players[seat], result.opening[seat], won


def _meetings(full: FullTables) -> list[Meeting]:
    pairs = combinations(range(len(full.config.players)), 2)
    return [_meeting(full, a, b) for a, b in pairs if full.rows(a, b).any()]


def _meeting(full: FullTables, a: int, b: int) -> Meeting:
    rows = full.rows(a, b)
    score = share(full.won[rows, a], full.taken[rows, a], 1 / 2)
    single = [
        scores(result.returns, full.config.teams)[fixture.players[full.lead[1]] == a]
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
        elo=elo_of(score),
    )


def _standing(full: FullTables, player: int, rating: Estimate) -> Standing:
    rows, fair = full.rows(player), 1 / full.sides
    won, taken = full.won[rows, player], full.taken[rows, player]
    decisions, seconds = _thinking(full, player)
    some = bool(rows.any())
    return Standing(
        player=full.config.players[player],
        games=int(taken.sum()),
        share=share(won, taken, fair) if some else Estimate(fair, 0.0, 1.0),
        chance=chance_of(won, taken, fair) if some else 1.0,
        rating=rating,
        decisions=decisions,
        seconds=seconds,
    )


def _thinking(full: FullTables, player: int) -> tuple[int, float]:
    """A player's decisions, and the mean time it thought about one."""
    count, total = 0, 0.0
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
        _finish(full, fixture, result)
        for fixture, result in zip(full.fixtures, full.results, strict=True)
    ]
    rated = rate_tables(games, len(full.config.players))
    return [Estimate(r.mu, r.mu - 1.96 * r.sigma, r.mu + 1.96 * r.sigma) for r in rated]


def _finish(full: FullTables, fixture: Fixture, result: Result) -> list[tuple[list[int], bool]]:
    """The sides of a game: their players and whether they won."""
    teams = full.config.teams
    score = scores(result.returns, teams)
    best = max(score)
    return [
        ([p for p, team in zip(fixture.players, teams, strict=True) if team == side], s == best)
        for side, s in enumerate(score)
    ]
