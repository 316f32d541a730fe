"""The games of a simulation as columns, and what they say: means and shares, how settings differ."""

from collections import Counter
from collections.abc import Callable
from math import sqrt
from statistics import NormalDist
from typing import Any, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from diablerie.engine.compile import Bools, Floats, Ints
from diablerie.engine.game import Game
from diablerie.lab.running.study import Results
from diablerie.lab.simulate.playing import (
    ChunkResult,
    SimulationChunk,
    SimulationConfig,
    SimulationSetting,
    is_reproducible,
)
from diablerie.lab.statistics import (
    Distribution,
    Estimate,
    distribution,
    equal_places_p_value,
    holm,
    mean_estimate,
    share_estimate,
    t_p_value,
    t_quantile,
    wilson,
    win_shares,
)

SimulationResults = Results[SimulationConfig, ChunkResult, "SimulationSummary"]


class GameColumns(NamedTuple):
    """The games of one setting: shape (games,), or (games, seats) where a column is by seat."""

    setting: SimulationSetting
    game: Ints  # its number
    decisions: Ints
    draws: Ints
    first: Ints  # the seat that began, -1 if that is unknown
    ending: NDArray[np.str_]
    returns: Floats  # by seat
    visits: Ints  # (games, nodes), decisions by node
    share: Floats  # of the win, by seat: partners have the share of their side
    best: Floats | None  # the points of the best side
    margin: Floats | None  # how many points more than the next side
    fair: float  # the share of the win that luck alone would give

    @property
    def shared(self) -> Bools:
        """Whether several sides shared the win, or nobody won, bool (games,)."""
        return np.asarray(self.share.max(axis=1) < 1)


def game_columns(results: SimulationResults) -> list[GameColumns]:
    """The columns of every setting."""
    config = results.config
    jobs = results.jobs
    by_setting: list[list[tuple[SimulationChunk, ChunkResult]]] = [[] for _ in config.settings]
    for row in results.rows:
        job = jobs[row.job]
        by_setting[job.setting].append((job, row))
    pairs = zip(config.settings, by_setting, strict=True)
    return [_columns(config.rules, setting, rows) for setting, rows in pairs]


def _columns(
    game: Game, setting: SimulationSetting, rows: list[tuple[SimulationChunk, ChunkResult]]
) -> GameColumns:
    def column(name: str) -> Any:
        return np.array([value for _, row in rows for value in getattr(row, name)])

    returns = column("returns")
    # One seat stands for its side: partners have the same points.
    teams = game.teams(setting.seats)
    lead = [teams.index(side) for side in sorted(set(teams))]
    points = column("points") if game.points else None
    ordered = None if points is None or not len(points) else np.sort(points[:, lead], axis=1)
    return GameColumns(
        setting=setting,
        game=np.array([job.first + i for job, _ in rows for i in range(job.games)], np.int64),
        decisions=column("decisions"),
        draws=column("draws"),
        first=column("first"),
        ending=column("ending"),
        returns=returns,
        visits=column("visits"),
        share=win_shares(returns, teams),
        best=None if ordered is None else ordered[:, -1],
        margin=None if ordered is None else ordered[:, -1] - ordered[:, -2],
        fair=1 / len(lead),
    )


Measure = Callable[[GameColumns], NDArray[np.generic] | None]  # of each game, or not known


class SummaryPart(msgspec.Struct, frozen=True):
    """What belongs to one place, player, ending or node: mostly a share of the games."""

    name: str
    share: Estimate
    returns: Estimate | None = None


class SettingSummary(msgspec.Struct, frozen=True):
    """The games of one setting.

    places: the share of the win of who begins, who comes next, …, or of the seats, if nobody knows
    who begins; luck: the p-value of the hypothesis that all places have equal shares, None if
    there are too few games for it.
    """

    label: str
    seats: int
    options: dict[str, str]
    players: tuple[str, ...]
    games: int
    fair: float
    length: Distribution
    draws: Distribution
    places: list[SummaryPart]
    luck: float | None
    who: list[SummaryPart]  # the players, where there are several
    shared: Estimate
    best: Distribution | None  # points of the winner
    margin: Distribution | None
    endings: list[SummaryPart]
    nodes: list[SummaryPart]  # decisions a game


class Comparison(msgspec.Struct, frozen=True):
    """A setting compared with the first one, in one measure.

    difference: of the means; effect: the same in standard deviations of a game (Cohen's d). All
    intervals of a simulation hold together with 95 % (Bonferroni). chance: the p-value, corrected
    after Holm.
    """

    setting: str
    base: str
    what: str
    before: float
    after: float
    difference: Estimate
    effect: Estimate
    chance: float


class SimulationSummary(msgspec.Struct, frozen=True):
    """The summary of a simulation; `comparisons` are with its first setting."""

    config: SimulationConfig
    reproducible: bool
    settings: list[SettingSummary]
    comparisons: list[Comparison]
    rate: float | None = None  # games a second of this run


def simulation_summary(
    results: SimulationResults, rate: float | None = None
) -> SimulationSummary | None:
    """The summary; None if there is a setting without games."""
    config = results.config
    columns = game_columns(results)
    if not all(len(one.decisions) for one in columns):
        return None
    settings = [_setting(config, one) for one in columns]
    comparisons = compare_settings(columns)
    return SimulationSummary(config, is_reproducible(config), settings, comparisons, rate)


def _setting(config: SimulationConfig, one: GameColumns) -> SettingSummary:
    setting = one.setting
    known = bool((one.first >= 0).all())
    # By order of play where the first player is known in every game, else by seat.
    share = by_place(one, one.share)
    returns = by_place(one, one.returns)
    games = len(one.decisions)
    return SettingSummary(
        label=setting.label,
        seats=setting.seats,
        options=setting.options,
        players=setting.players,
        games=games,
        fair=one.fair,
        length=distribution(one.decisions),
        draws=distribution(one.draws),
        places=[
            SummaryPart(
                place_name(i, known), share_estimate(share[:, i]), mean_estimate(returns[:, i])
            )
            for i in range(setting.seats)
        ],
        luck=equal_places_p_value(share),
        who=_players(config, one),
        shared=share_estimate(one.shared.astype(np.float64)),
        best=None if one.best is None else distribution(one.best),
        margin=None if one.margin is None else distribution(one.margin),
        endings=[
            SummaryPart(text, wilson(n / games, games))
            for text, n in Counter(one.ending.tolist()).most_common()
        ],
        nodes=[
            SummaryPart(node.name.lower(), mean_estimate(one.visits[:, i]))
            for i, node in enumerate(config.rules.node)
            if one.visits[:, i].any()
        ],
    )


def by_place(one: GameColumns, values: Floats) -> Floats:
    """Values by seat (games, seats), in the order of play from whoever begins, if that is known."""
    seats = np.arange(one.setting.seats)[None, :]
    first = np.maximum(one.first, 0)[:, None]
    return np.asarray(np.take_along_axis(values, (seats + first) % one.setting.seats, axis=1))


def place_name(i: int, known: bool) -> str:
    """The name of the i-th place of play, or of the i-th seat if nobody knows who begins."""
    if not known:
        return f"seat {i + 1}"
    return ("begins", "second", "third", "fourth", "fifth", "sixth")[i] if i < 6 else str(i + 1)


def _players(config: SimulationConfig, one: GameColumns) -> list[SummaryPart]:
    names = one.setting.players
    if len(names) == 1:
        return []
    teams = config.rules.teams(one.setting.seats)
    rows = np.arange(len(one.game))
    parts = []
    for player, name in enumerate(names):  # a player has one side of every game
        seat = np.array([teams.index((player - turn) % len(names)) for turn in range(len(names))])
        mine = seat[one.game % len(names)]
        shares = one.share[rows, mine]
        returns = one.returns[rows, mine]
        parts.append(SummaryPart(name, share_estimate(shares), mean_estimate(returns)))
    return parts


# -- comparisons -----------------------------------------------------------------------------------


def first_players_edge(one: GameColumns) -> Floats | None:
    """What the first player has above a fair share of the win; None if nobody knows who began."""
    if not (one.first >= 0).all():
        return None
    return np.asarray(one.share[np.arange(len(one.first)), one.first] - one.fair)


MEASURES: dict[str, Measure] = {
    "decisions": lambda one: one.decisions,
    "first player's edge": first_players_edge,
    "shared wins": lambda one: one.shared,
    "winner's points": lambda one: one.best,
    "winner's margin": lambda one: one.margin,
}


def compare_settings(columns: list[GameColumns]) -> list[Comparison]:
    """All settings but the first, compared with it in every measure that both have."""
    base = columns[0]
    pairs = []
    for other in columns[1:]:
        for what, measure in MEASURES.items():
            a = measure(base)
            b = measure(other)
            if a is not None and b is not None and min(len(a), len(b)) > 1:
                pairs.append((other, what, a.astype(float), b.astype(float)))
    z = NormalDist().inv_cdf(1 - 0.025 / max(1, len(pairs)))  # Bonferroni
    tests = [_compare(base, *pair, z) for pair in pairs]
    corrected = holm([one.chance for one in tests])
    return [msgspec.structs.replace(one, chance=p) for one, p in zip(tests, corrected, strict=True)]


def _compare(
    base: GameColumns, other: GameColumns, what: str, a: Floats, b: Floats, z: float
) -> Comparison:
    """Welch's comparison of two means; z: the normal quantile of the corrected intervals."""
    before = float(a.mean())
    after = float(b.mean())
    va = float(a.var(ddof=1))
    vb = float(b.var(ddof=1))
    off = after - before
    error = sqrt(va / len(a) + vb / len(b))
    spread = sqrt((va + vb) / 2)
    # The two variances may differ, so the degrees of freedom are estimated, too (Welch 1947).
    degrees = _welch_degrees(va / len(a), len(a), vb / len(b), len(b))
    half = t_quantile(degrees, z) * error
    return Comparison(
        setting=other.setting.label,
        base=base.setting.label,
        what=what,
        before=before,
        after=after,
        difference=Estimate(off, off - half, off + half),
        effect=_scaled(off, half, spread),
        chance=t_p_value(off / error, degrees) if error else float(off == 0),
    )


def _welch_degrees(a: float, games: int, b: float, others: int) -> float:
    """The degrees of freedom of a difference of means with these squared errors (Welch 1947)."""
    below = a * a / (games - 1) + b * b / (others - 1)
    return (a + b) ** 2 / below if below else float(games + others - 2)


def _scaled(off: float, error: float, spread: float) -> Estimate:
    if not spread:
        return Estimate(0.0, 0.0, 0.0)
    return Estimate(off / spread, (off - error) / spread, (off + error) / spread)
