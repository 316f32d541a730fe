"""All games of a simulation as columns, in the order of their numbers."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from diablerie.engine.game import Game
from diablerie.lab.simulate.config import SimulationChunk, SimulationConfig, SimulationSetting
from diablerie.lab.simulate.worker import ChunkResult
from diablerie.lab.tournament.standings import side_scores

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


class GameColumns(NamedTuple):
    """The games of one setting: shape (games,), or (games, seats) where a column is by seat."""

    setting: SimulationSetting
    game: Ints  # its number
    decisions: Ints
    draws: Ints
    first: Ints  # the seat that began, -1 if that is unknown
    ending: NDArray[np.str_]
    returns: Floats  # by seat
    points: Floats | None  # by seat
    visits: Ints  # (games, nodes), decisions by node
    share: Floats  # of the win, by seat: partners have the share of their side
    best: Floats | None  # the points of the best side
    margin: Floats | None  # how many points more than the next side
    fair: float  # the share of the win that luck alone would give

    @property
    def shared(self) -> NDArray[np.bool_]:
        """Whether several sides shared the win, or nobody won, bool (games,)."""
        return np.asarray(self.share.max(axis=1) < 1)


def game_columns(
    config: SimulationConfig, jobs: Mapping[int, SimulationChunk], played: Mapping[int, ChunkResult]
) -> list[GameColumns]:
    """The columns of every setting, from jobs and results by the number of the job."""
    by_setting: list[list[tuple[SimulationChunk, ChunkResult]]] = [[] for _ in config.settings]
    for number in sorted(played):
        by_setting[jobs[number].setting].append((jobs[number], played[number]))
    return [
        _columns(config.rules, setting, rows)
        for setting, rows in zip(config.settings, by_setting, strict=True)
    ]


def _columns(
    game: Game, setting: SimulationSetting, rows: list[tuple[SimulationChunk, ChunkResult]]
) -> GameColumns:
    def column(name: str) -> NDArray[Any]:
        return np.array([value for _, row in rows for value in getattr(row, name)])

    returns, teams = column("returns"), game.teams(setting.seats)
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
        points=points,
        visits=column("visits"),
        share=win_shares(returns, teams),
        best=None if ordered is None else ordered[:, -1],
        margin=None if ordered is None else ordered[:, -1] - ordered[:, -2],
        fair=1 / len(lead),
    )


def win_shares(returns: Floats, teams: tuple[int, ...]) -> Floats:
    """The share of the win by seat, float64 (games, seats): `side_scores` for many games."""
    if not len(returns):
        return np.zeros((0, len(teams)))
    kinds, which = np.unique(returns, axis=0, return_inverse=True)
    shares = np.array(
        [[side_scores(kind, teams)[team] for team in teams] for kind in kinds.tolist()]
    )
    return np.asarray(shares[which.reshape(-1)])
