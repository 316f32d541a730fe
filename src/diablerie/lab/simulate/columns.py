"""All games of a simulation as columns, folded in their order, whoever played them and when."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from diablerie.engine.game import Game
from diablerie.lab.simulate.config import Chunk, Setting, Study
from diablerie.lab.simulate.playing import Games
from diablerie.lab.standings import scores


class Columns(NamedTuple):
    """The games of one setting: one entry a game, or a row of as many as there are seats."""

    setting: Setting
    game: NDArray[Any]  # its number
    decisions: NDArray[Any]
    draws: NDArray[Any]
    first: NDArray[Any]
    ending: NDArray[Any]
    returns: NDArray[Any]
    points: NDArray[Any] | None
    visits: NDArray[Any]  # by node
    share: NDArray[Any]  # of the win, by seat: partners have what their side has
    best: NDArray[Any] | None  # the points of the side that has most
    margin: NDArray[Any] | None  # and how many more than the next
    fair: float  # the share of the win that luck alone would give

    @property
    def shared(self) -> NDArray[Any]:
        """Whether the win was shared by sides, or nobody's."""
        return np.asarray(self.share.max(axis=1) < 1)


def columns(study: Study, jobs: Mapping[int, Chunk], played: Mapping[int, Games]) -> list[Columns]:
    """The columns of every setting."""
    return [
        _columns(study.rules, setting, [
            (jobs[number], played[number])
            for number in sorted(played)
            if jobs[number].setting == index
        ])
        for index, setting in enumerate(study.settings)
    ]  # fmt: skip


def _columns(game: Game, setting: Setting, rows: list[tuple[Chunk, Games]]) -> Columns:
    def column(name: str) -> NDArray[Any]:
        return np.array([value for _, row in rows for value in getattr(row, name)])

    returns, teams = column("returns"), game.teams(setting.seats)
    lead = [teams.index(side) for side in sorted(set(teams))]
    points = column("points") if game.points else None
    ordered = None if points is None or not len(points) else np.sort(points[:, lead], axis=1)
    return Columns(
        setting=setting,
        game=np.array([job.first + i for job, _ in rows for i in range(job.games)], np.int64),
        decisions=column("decisions"),
        draws=column("draws"),
        first=column("first"),
        ending=column("ending"),
        returns=returns,
        points=points,
        visits=column("visits"),
        share=shares(returns, teams),
        best=None if ordered is None else ordered[:, -1],
        margin=None if ordered is None else ordered[:, -1] - ordered[:, -2],
        fair=1 / len(lead),
    )


def shares(returns: NDArray[Any], teams: tuple[int, ...]) -> NDArray[Any]:
    """The share of the win by seat: as `standings.scores` says, for many games at once."""
    if not len(returns):
        return np.zeros((0, len(teams)))
    kinds, which = np.unique(returns, axis=0, return_inverse=True)
    told = np.array([[scores(kind, teams)[team] for team in teams] for kind in kinds.tolist()])
    return np.asarray(told[which.reshape(-1)])
