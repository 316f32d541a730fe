"""All games of a simulation as a Parquet file, a row a game."""

from pathlib import Path
from typing import Any

from diablerie.engine import extras
from diablerie.engine.text import say
from diablerie.lab.errors import BadConfig
from diablerie.lab.simulate.columns import Columns
from diablerie.lab.simulate.config import Study


def library() -> Any:
    """Pyarrow with its module `parquet`. Raises BadConfig where it is not installed."""
    try:
        import pyarrow.parquet
    except ImportError:
        command = extras.install("data")
        raise BadConfig(
            say("Parquet needs pyarrow: {command} brings it", command=command)
        ) from None
    return pyarrow


def write(study: Study, found: list[Columns], path: Path) -> None:
    """Write all games; what they have in common is in the metadata, as JSON.

    Columns: setting, seats, option_NAME, players (by seat's turn), game, decisions, draws, first
    (-1: unknown), ending, returns, points and share (lists by seat), at_NODE (decisions).
    """
    import msgspec

    arrow = library()
    table = arrow.concat_tables([_table(arrow, study, one) for one in found])
    said = {b"diablerie": msgspec.json.encode(study)}
    arrow.parquet.write_table(table.replace_schema_metadata(said), path)


def _table(arrow: Any, study: Study, one: Columns) -> Any:
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
                for i, node in enumerate(study.rules.node)
            },
        }
    )
