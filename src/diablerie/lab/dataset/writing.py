"""The decisions of games as a Parquet file, a row a decision."""

from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from diablerie.engine import verbs
from diablerie.engine.game import Game
from diablerie.engine.queries import chance_outcomes, legal_actions
from diablerie.engine.record import Record
from diablerie.engine.text import say
from diablerie.engine.verbs import CHANCE, OVER, SEATS
from diablerie.lab.running.errors import BadFile
from diablerie.lab.simulate.columns import pyarrow_module
from diablerie.lab.simulate.config import SimulationConfig
from diablerie.lab.simulate.worker import SettingPlayer
from diablerie.values.observation import ObservationLayout

GROUP_GAMES = 20  # written at once


class DatasetMetadata(msgspec.Struct):
    """The metadata `diablerie` of the file."""

    study: SimulationConfig  # game, rules, seats, options, players, seed
    actions: int  # how many numbers of actions there are
    planes: list[dict[str, Any]]  # the planes of an observation, in order


def schema(config: SimulationConfig, layout: ObservationLayout) -> Any:
    """The columns.

    game: its number. ply: from 1, as in a match file. seat: who decides. player: its spec. action:
    the decision, an action's number. legal: all legal actions, ascending. observation: what the
    seat saw, float32 of the layout's size (see the metadata's planes). opening: the outcomes of
    chance before the first decision, in the game's first row. outcomes: the outcomes of chance
    after this decision; the seats need not have seen them. returns: every seat's utility at the
    end. last: whether the game ended after this decision.
    """
    arrow = pyarrow_module()
    numbers, seats = arrow.list_(arrow.int32()), config.settings[0].seats
    planes = [plane._asdict() for plane in layout.planes]
    metadata = DatasetMetadata(config, config.rules.actions, planes)
    return arrow.schema(
        {
            "game": arrow.int64(),
            "ply": arrow.int32(),
            "seat": arrow.int8(),
            "player": arrow.dictionary(arrow.int32(), arrow.string()),
            "action": arrow.int32(),
            "legal": numbers,
            "observation": arrow.list_(arrow.float32(), layout.size),
            "opening": numbers,
            "outcomes": numbers,
            "returns": arrow.list_(arrow.float32(), seats),
            "last": arrow.bool_(),
        },
        metadata={b"diablerie": msgspec.json.encode(metadata)},
    )


def write_decisions(config: SimulationConfig, games: Iterable[list[int]], out: Path) -> int:
    """Write the games, given by their events, in order; return the number of rows.

    Raises BadFile for an impossible game, and OSError.
    """
    arrow, count, numbered = pyarrow_module(), 0, enumerate(games)
    setting = config.settings[0]
    player, layout = SettingPlayer(config, setting), ObservationLayout(config.rules, setting.seats)
    columns, part = schema(config, layout), out.with_name(f"{out.name}.part")
    with arrow.parquet.ParquetWriter(part, columns, compression="zstd") as file:
        while group := list(islice(numbered, GROUP_GAMES)):
            rows = [
                row for number, game in group for row in decisions(player, layout, number, game)
            ]
            file.write_table(arrow.Table.from_pylist(rows, columns))
            count += len(rows)
    part.replace(out)
    return count


def decisions(
    player: SettingPlayer, layout: ObservationLayout, number: int, events: list[int]
) -> list[dict[str, Any]]:
    """The rows of one game, replayed from its events. Raises BadFile."""
    setting, game = player.setting, player.game
    players = [setting.players[k] for k in player.seating(number)]
    s = game.start(setting.seats, setting.options)
    rows: list[dict[str, Any]] = []
    opening: list[int] = []
    for seat, action in _replayed(game, s, number, events):
        if seat == CHANCE:
            (rows[-1]["outcomes"] if rows else opening).append(action)
            continue
        rows.append(
            {
                "game": number,
                "ply": len(rows) + 1,
                "seat": seat,
                "player": players[seat],
                "action": action,
                "legal": legal_actions(game, s, seat),
                "observation": layout.observe(s, seat),
                "opening": [] if rows else opening,
                "outcomes": [],
                "last": False,
            }
        )
    out = np.zeros(SEATS)
    verbs.returns(s, out)
    rows[-1]["last"] = True
    return [{**row, "returns": out[: setting.seats]} for row in rows]


def _replayed(game: Game, s: Record, number: int, events: list[int]) -> Iterator[tuple[int, int]]:
    """Yield every event, then apply it to `s`. Raises BadFile if one is impossible."""
    for seat, action in zip(events[::2], events[1::2], strict=True):
        if seat == CHANCE and verbs.actor(s) == CHANCE:
            possible = action in chance_outcomes(game, s)[0]
        else:
            possible = seat != CHANCE and verbs.forbids(s, seat, action) == 0
        if not possible:
            break
        yield seat, action
        verbs.apply(s, seat, action)
    if verbs.actor(s) != OVER:
        raise BadFile(say("game {n} cannot have gone so", n=number))
