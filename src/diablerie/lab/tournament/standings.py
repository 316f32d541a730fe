"""The standings of a tournament: scores, shares, ratings and openings, with intervals.

Ratings are Bradley-Terry from pairings, Plackett-Luce (openskill) from mixed tables. A library for
Bradley-Terry such as choix fits one tournament at a time and needs SciPy; the bootstrap here fits a
thousand at once, as one array.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from math import inf, log

import msgspec
import numpy as np
from openskill.models import PlackettLuce, PlackettLuceRating

from diablerie.engine.compile import Bools, Floats
from diablerie.lab.running.matches import Fixture
from diablerie.lab.statistics import (
    Estimate,
    elo_estimate,
    side_scores,
    win_share,
    win_share_p_value,
    with_pseudo_tables,
)
from diablerie.lab.tournament.config import GameResult, TournamentConfig

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
    mixture: list[float] = []  # of the players, see `equilibrium`; empty at mixed tables

    def score(self, first: str, second: str) -> Estimate | None:
        """The score of a player against another; None if they have not met."""
        for met in self.meetings:
            if (met.first, met.second) == (first, second):
                return met.score
            if (met.first, met.second) == (second, first):
                return mirrored(met.score)
        return None


def mirrored(score: Estimate) -> Estimate:
    """The same score as the other player has it."""
    return Estimate(1 - score.value, 1 - score.high, 1 - score.low)


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
        # A table counts when it was played from every seat: only then is its luck the same for all.
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
    meetings = [] if config.mixed else _meetings(full)
    ratings = _mixed_ratings(full) if config.mixed else _pair_ratings(full)
    return Standings(
        config=config,
        games=len(full.results),
        fair=1 / full.sides,
        meetings=meetings,
        players=[_standing(full, p, ratings[p]) for p in range(len(config.players))],
        rate=rate,
        openings=_openings(full),
        mixture=_mixture(config.players, meetings),
    )


def _mixture(players: Sequence[str], meetings: Sequence[Meeting]) -> list[float]:
    """The equilibrium of the scores, in which players who have not met are equals."""
    if not meetings:
        return []
    place = {player: i for i, player in enumerate(players)}
    scores = np.full((len(players), len(players)), 0.5)
    for met in meetings:
        i, j = place[met.first], place[met.second]
        scores[i, j] = met.score.value
        scores[j, i] = 1 - met.score.value
    return [round(float(share), 4) for share in equilibrium(scores)]


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


# -- mixtures --------------------------------------------------------------------------------------


REGRET_ROUNDS = 4000  # enough for three digits


def equilibrium(scores: Floats) -> Floats:
    """The shares of the players, (m,), in a mixture against which no player scores more than 1/2.

    scores: float64 (m, m), of the row's player against the column's. The mixture is found by
    regret matching+ (Tammelin 2014); where there are several, it is one of them.
    """
    m = len(scores)
    regrets = np.zeros(m)
    total = np.zeros(m)
    share = np.full(m, 1 / m)
    for round_ in range(1, REGRET_ROUNDS + 1):
        worth = scores @ share
        regrets = np.maximum(regrets + worth - share @ worth, 0.0)
        if regrets.any():
            share = regrets / regrets.sum()
        total += round_ * share  # later rounds count more
    return np.asarray(total / total.sum())


# -- ratings ---------------------------------------------------------------------------------------


ELO_PER_LOG_ODDS = 400 / log(10)
ADDED_DRAWS = 1.0  # drawn games added to each pairing, so that ratings stay finite
RATING_RESAMPLES = 1000
Pair = tuple[int, int]


def bradley_terry(won: Floats) -> Floats:
    """The Elo ratings of mean 0 that make these results most likely (Bradley and Terry 1952).

    won: float64 (…, m, m), the score of player i against player j; axes in front are further
    tournaments, rated each for itself. The result has shape (…, m).
    """
    m = won.shape[-1]
    won = won + ADDED_DRAWS / 2 * (1 - np.eye(m))
    played = won + won.swapaxes(-1, -2)
    x = np.zeros(won.shape[:-1])
    for _ in range(200):  # far more than Newton's method needs
        step = np.clip(_newton(won, played, x), -1, 1)  # a full step may overshoot at first
        x += step - step.mean(-1, keepdims=True)
        if np.abs(step).max() < 1e-9:
            break
    return np.asarray(ELO_PER_LOG_ODDS * x)


def _newton(won: Floats, played: Floats, x: Floats) -> Floats:
    """The Newton step of the log-likelihood at the ratings x, shape (…, m).

    The Hessian is singular, since ratings are determined but for a constant. The last term of
    `curve` makes it regular; it changes the step by a constant only.
    """
    m = won.shape[-1]
    p = 1 / (1 + np.exp(x[..., None, :] - x[..., :, None]))
    weight = played * p * (1 - p)
    slope = (won - played * p).sum(-1)
    total = weight.sum(-1)
    curve = np.eye(m) * total[..., None] - weight + total.sum(-1)[..., None, None] / m**2
    return np.asarray(np.linalg.solve(curve, slope[..., None])[..., 0])


def rate_pairings(tables: Mapping[Pair, Floats], players: int, games: int) -> list[Estimate]:
    """Every player's Elo rating.

    tables: for each pair of players the score of the first in each table, float64 (tables,); games:
    how many a table has. Intervals are percentiles of a bootstrap over tables, with those added
    that `statistics.win_share` adds.
    """
    dice = np.random.default_rng(1)
    won = _matrix(tables, {pair: row.sum() for pair, row in tables.items()}, players, games)
    drawn = {pair: _resampled(row, games, dice) for pair, row in tables.items()}
    many = bradley_terry(_matrix(tables, drawn, players, games, RATING_RESAMPLES))
    low, high = np.percentile(many, (2.5, 97.5), axis=0)
    # their results do not bound them
    low[won.sum(1) == 0] = -inf
    high[won.sum(0) == 0] = inf
    return [
        Estimate(float(v), float(min(a, v)), float(max(b, v)))
        for v, a, b in zip(bradley_terry(won), low, high, strict=True)
    ]


def _matrix(
    tables: Mapping[Pair, Floats],
    sums: Mapping[Pair, Floats | np.float64],
    players: int,
    games: int,
    *times: int,
) -> Floats:
    """Scores of player i against j, float64 (*times, players, players), from sums of each pair."""
    won = np.zeros((*times, players, players))
    for (a, b), total in sums.items():
        won[..., b, a] = games * len(tables[a, b]) - total
        won[..., a, b] = total
    return won


def _resampled(won: Floats, games: int, dice: np.random.Generator) -> Floats:
    """Sums over as many tables, drawn with replacement, for each bootstrap sample."""
    pool, _ = with_pseudo_tables(won, np.full(len(won), float(games)), 0.5)
    values, counts = np.unique(pool, return_counts=True)
    return np.asarray(dice.multinomial(len(won), counts / len(pool), RATING_RESAMPLES) @ values)


def rate_tables(
    games: Iterable[Sequence[tuple[Sequence[int], bool]]], players: int
) -> list[PlackettLuceRating]:
    """Every player's openskill rating (with mu and sigma), from the sides of each game in turn.

    This is the Plackett-Luce update of Weng and Lin (2011).

    A side is its players and whether it won. A player who has several seats of a game gets the mean
    of their ratings.
    """
    model = PlackettLuce(tau=0.0)  # bots do not change from game to game
    ratings = [model.rating() for _ in range(players)]
    for sides in games:
        # Every seat gets a rating of its own: a player may have several seats of a game.
        before = []
        for who, _ in sides:
            before.append([model.rating(ratings[p].mu, ratings[p].sigma) for p in who])
        after = model.rate(before, ranks=[2.0 - won for _, won in sides])
        by_player: dict[int, list[PlackettLuceRating]] = {}
        for (who, _), rated in zip(sides, after, strict=True):
            for p, rating in zip(who, rated, strict=True):
                by_player.setdefault(p, []).append(rating)
        for p, several in by_player.items():
            mu = sum(r.mu for r in several) / len(several)
            ratings[p] = model.rating(mu, sum(r.sigma for r in several) / len(several))
    return ratings
