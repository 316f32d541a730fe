"""The decisions of games as a Parquet file, a row a decision."""

from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from diablerie.engine import verbs
from diablerie.engine.asking import legal_actions, outcomes
from diablerie.engine.game import Game
from diablerie.engine.observation import Layout
from diablerie.engine.record import Record
from diablerie.engine.text import say
from diablerie.engine.verbs import CHANCE, OVER, SEATS
from diablerie.lab.errors import BadFile
from diablerie.lab.simulate.config import Study
from diablerie.lab.simulate.parquet import library
from diablerie.lab.simulate.playing import Table

GROUP = 20  # games written at once


class Description(msgspec.Struct):
    """The metadata `diablerie` of the file: what all its rows have in common."""

    study: Study  # game, rules, seats, options, players, seed
    actions: int  # so many numbers of actions there are
    planes: list[dict[str, Any]]  # what an observation holds, in order


def schema(study: Study, layout: Layout) -> Any:
    """The columns.

    game: its number. ply: from 1, as in a match file. seat: who decides. player: its spec.
    action: what was decided. legal: what might have been, ascending. observation: what the seat
    saw (see the metadata's planes). opening: what chance brought before the first decision, with
    the game's first row. outcomes: what it brought after this one; seats need not have seen it.
    returns: every seat's utility in the end. last: whether the game ended so.
    """
    arrow = library()
    numbers, seats = arrow.list_(arrow.int32()), study.settings[0].seats
    said = Description(study, study.rules.actions, [plane._asdict() for plane in layout.planes])
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
        metadata={b"diablerie": msgspec.json.encode(said)},
    )


def write(study: Study, games: Iterable[list[int]], out: Path) -> int:
    """Write the games, in their order; the number of rows. Raises BadFile for impossible ones."""
    arrow, count, numbered = library(), 0, enumerate(games)
    table, layout = Table(study, study.settings[0]), Layout(study.rules, study.settings[0].seats)
    columns, part = schema(study, layout), out.with_name(f"{out.name}.part")
    with arrow.parquet.ParquetWriter(part, columns, compression="zstd") as file:
        while group := list(islice(numbered, GROUP)):
            rows = [row for number, game in group for row in rows_of(table, layout, number, game)]
            file.write_table(arrow.Table.from_pylist(rows, columns))
            count += len(rows)
    part.replace(out)
    return count


def rows_of(table: Table, layout: Layout, number: int, events: list[int]) -> list[dict[str, Any]]:
    """The rows of one game, played again from its events. Raises BadFile."""
    setting, game = table.setting, table.game
    players = [setting.players[k] for k in table.players(number)]
    s = game.start(setting.seats, setting.options)
    rows: list[dict[str, Any]] = []
    opening: list[int] = []
    for seat, action in steps(game, s, number, events):
        if seat == CHANCE:
            (rows[-1]["outcomes"] if rows else opening).append(action)
            continue
        rows.append({
            "game": number, "ply": len(rows) + 1, "seat": seat, "player": players[seat],
            "action": action, "legal": legal_actions(game, s, seat),
            "observation": layout.observe(s, seat), "opening": [] if rows else opening,
            "outcomes": [], "last": False,
        })  # fmt: skip
    out = np.zeros(SEATS)
    verbs.returns(s, out)
    rows[-1]["last"] = True
    return [{**row, "returns": out[: setting.seats]} for row in rows]


def steps(game: Game, s: Record, number: int, events: list[int]) -> Iterator[tuple[int, int]]:
    """Every event before it is applied to `s`. Raises BadFile if one is impossible."""
    for seat, action in zip(events[::2], events[1::2], strict=True):
        if seat == CHANCE and verbs.actor(s) == CHANCE:
            possible = action in outcomes(game, s)[0]
        else:
            possible = seat != CHANCE and verbs.forbids(s, seat, action) == 0
        if not possible:
            break
        yield seat, action
        verbs.apply(s, seat, action)
    if verbs.actor(s) != OVER:
        raise BadFile(say("game {n} cannot have gone so", n=number))
