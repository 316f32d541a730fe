"""All games of a simulation as columns, in the order of their numbers, and as a Parquet file."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from diablerie.engine import extras
from diablerie.engine.arrays import Bools, Floats, Ints
from diablerie.engine.game import Game
from diablerie.engine.text import say
from diablerie.lab.running.errors import BadConfig
from diablerie.lab.simulate.config import SimulationChunk, SimulationConfig, SimulationSetting
from diablerie.lab.simulate.worker import ChunkResult
from diablerie.lab.tournament.standings import side_scores


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
    def shared(self) -> Bools:
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
    def column(name: str) -> Any:
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


# -- Parquet ---------------------------------------------------------------------------------------


def pyarrow_module() -> Any:
    """The module `pyarrow` with its part `parquet`. Raises BadConfig if it is not installed."""
    try:
        import pyarrow.parquet
    except ImportError:
        command = extras.install("data")
        raise BadConfig(
            say("Parquet needs pyarrow: {command} brings it", command=command)
        ) from None
    return pyarrow


def write_games(config: SimulationConfig, columns: list[GameColumns], path: Path) -> None:
    """Write all games, with the config as JSON in the metadata `diablerie`. Raises OSError.

    Columns: setting, seats, option_NAME, players (by seat's turn), game, decisions, draws, first
    (-1: unknown), ending, returns, points and share (lists by seat), at_NODE (decisions).
    """
    arrow = pyarrow_module()
    table = arrow.concat_tables([_table(arrow, config, one) for one in columns])
    metadata = {b"diablerie": msgspec.json.encode(config)}
    arrow.parquet.write_table(table.replace_schema_metadata(metadata), path)


def _table(arrow: Any, config: SimulationConfig, one: GameColumns) -> Any:
    n, setting = len(one.decisions), one.setting
    lists = {"returns": one.returns, "points": one.points, "share": one.share}
    return arrow.table(
        {
            "setting": [setting.label] * n,
            "seats": arrow.array([setting.seats] * n, arrow.int8()),
            **{f"option_{name}": [value] * n for name, value in setting.options.items()},
            "players": [list(setting.players)] * n,
            "game": arrow.array(one.game, arrow.int64()),
            "decisions": arrow.array(one.decisions, arrow.int32()),
            "draws": arrow.array(one.draws, arrow.int32()),
            "first": arrow.array(one.first, arrow.int8()),
            "ending": one.ending.tolist(),
            **{
                name: arrow.array(values.astype(float).tolist(), arrow.list_(arrow.float64()))
                for name, values in lists.items()
                if values is not None
            },
            **{
                f"at_{node.name.lower()}": arrow.array(one.visits[:, i], arrow.int32())
                for i, node in enumerate(config.rules.node)
            },
        }
    )
