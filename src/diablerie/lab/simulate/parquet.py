"""All games of a simulation as a Parquet file."""

from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec

from diablerie.engine import extras
from diablerie.engine.text import say
from diablerie.lab.running.errors import BadConfig
from diablerie.lab.simulate.playing import SimulationConfig
from diablerie.lab.simulate.summary import GameColumns


def pyarrow_module() -> ModuleType:
    """The module `pyarrow` with its part `parquet`. Raises BadConfig if it is not installed."""
    try:
        import_module("pyarrow.parquet")
        return import_module("pyarrow")
    except ImportError:
        command = extras.install("data")
        raise BadConfig(
            say("Parquet needs pyarrow: {command} brings it", command=command)
        ) from None


def write_games(config: SimulationConfig, columns: list[GameColumns], path: Path) -> None:
    """Write all games, with the config as JSON in the metadata `diablerie`. Raises OSError.

    Columns: setting, seats, option_NAME, players (by seat's turn), game, decisions, draws, first
    (-1: unknown), ending, returns, points and share (lists by seat), at_NODE (decisions).
    """
    arrow = pyarrow_module()
    table = arrow.concat_tables([_table(arrow, config, one) for one in columns])
    metadata = {b"diablerie": msgspec.json.encode(config)}
    arrow.parquet.write_table(table.replace_schema_metadata(metadata), path)


def _table(arrow: ModuleType, config: SimulationConfig, one: GameColumns) -> Any:
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
