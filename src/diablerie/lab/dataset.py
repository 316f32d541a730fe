"""Data sets: the decisions of many games between bots, in a Parquet file.

For example:

    from diablerie.lab.dataset import dataset

    dataset("tails", "tails.parquet", players="sensible", games=1000)

Workers play games and return their events as numbers. When all games are there, they are replayed,
and a row is written for each decision.
"""

from collections.abc import Iterable, Iterator
from functools import partial
from importlib import import_module
from itertools import islice
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec

from diablerie.engine import extras, verbs
from diablerie.engine.game import Game
from diablerie.engine.queries import chance_outcomes, legal_actions, utilities
from diablerie.engine.record import Record
from diablerie.engine.text import say
from diablerie.engine.verbs import CHANCE, OVER
from diablerie.lab.running.errors import BadConfig, BadFile
from diablerie.lab.running.matches import replayed
from diablerie.lab.running.processes import Stop
from diablerie.lab.running.run import run_options, run_study
from diablerie.lab.running.study import Results, Study, check_writable
from diablerie.lab.simulate.playing import (
    SimulationChunk,
    SimulationConfig,
    play_numbered,
    runner_of,
    seating,
    simulation_config,
)
from diablerie.values.observation import ObservationLayout

__all__ = ["dataset"]

CHUNK_GAMES = 20  # also written at once


def pyarrow_module() -> ModuleType:
    """The module `pyarrow` with its part `parquet`. Raises BadConfig if it is not installed."""
    try:
        import_module("pyarrow.parquet")
        return import_module("pyarrow")
    except ImportError:
        command = extras.install("data")
        raise BadConfig(
            say("Parquet needs pyarrow, which is not installed: {command}", command=command)
        ) from None


def dataset(game: str, out: str | Path, **given: Any) -> int:
    """Play games and write their decisions to the Parquet file `out`; return their number.

    `schema` lists the columns. given: as for `simulate`, but for `vary`.

    Raises Interrupted after Ctrl-C (then `out` is not written, but the results file keeps the
    games), and the ValueErrors BadConfig, BadOption, BadSpec, BadFile, BotFailure, BadCluster and
    WorkersLost.
    """
    run = run_options(given)
    config = simulation_config(game, **given)
    return run_study(partial(Results, written_to(Path(out)), config), **run)


class RecordedGames(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The events of a chunk of games: a line of the file."""

    job: int
    games: list[list[int]]  # for each game seat (or CHANCE) and number, one after the other


def written_to(out: Path) -> Study[SimulationConfig, RecordedGames, int]:
    """The study of a data set; its summary is the number of decisions.

    out: the Parquet file, which is written when all games are there. Raises BadConfig if pyarrow is
    missing, OSError if `out` cannot be written.
    """
    pyarrow_module()  # fail now rather than after the games
    check_writable(out)

    def summary(results: Results[SimulationConfig, RecordedGames, int], _: object) -> int | None:
        if results.missing:
            return None
        games = (game for row in results.rows for game in row.games)
        return write_decisions(results.config, games, out)

    return Study(
        RecordedGames, game_chunks, warm_recorder, record_games, is_sound_recording, summary
    )


def game_chunks(config: SimulationConfig) -> Iterator[SimulationChunk]:
    """The jobs: chunks of games."""
    for number, first in enumerate(range(0, config.games, CHUNK_GAMES)):
        yield SimulationChunk(number, 0, first, min(CHUNK_GAMES, config.games - first))


def warm_recorder(config: SimulationConfig) -> None:
    """Compile everything that a game needs."""
    runner_of(config, config.settings[0]).warm()


def record_games(config: SimulationConfig, chunk: SimulationChunk, stop: Stop) -> RecordedGames:
    """Play a chunk. Raises BotFailure, or JobStopped as soon as `stop()` is true."""
    games = []
    for match in play_numbered(config, chunk, stop):
        games.append([n for _, seat, number in replayed(match) for n in (seat, number)])
    return RecordedGames(chunk.number, games)


def is_sound_recording(config: SimulationConfig, job: SimulationChunk, row: RecordedGames) -> bool:
    """Whether seats and numbers are ones that the game has."""
    game = config.rules
    seats = config.settings[0].seats
    most = max(game.actions, game.outcomes)
    if len(row.games) != job.games:
        return False
    for numbers in row.games:  # in turns: who decided, and the number of the action or outcome
        known = all(seat == CHANCE or 0 <= seat < seats for seat in numbers[::2])
        if len(numbers) % 2 or not known or not all(0 <= n < most for n in numbers[1::2]):
            return False
    return True


# -- the file --------------------------------------------------------------------------------------


class DatasetMetadata(msgspec.Struct):
    """The metadata `diablerie` of the file."""

    study: SimulationConfig  # game, rules, seats, options, players, seed
    actions: int  # how many numbers of actions there are
    planes: list[dict[str, object]]  # the planes of an observation, in order


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
    numbers = arrow.list_(arrow.int32())
    seats = config.settings[0].seats
    planes = [plane._asdict() for plane in layout.planes]
    # A reader of the file alone learns from it what was played and what each number means.
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
    arrow = pyarrow_module()
    count = 0
    numbered = enumerate(games)
    layout = ObservationLayout(config.rules, config.settings[0].seats)
    columns = schema(config, layout)
    part = out.with_name(f"{out.name}.part")
    with arrow.parquet.ParquetWriter(part, columns, compression="zstd") as file:
        while group := list(islice(numbered, CHUNK_GAMES)):
            rows = [row for game in group for row in decisions(config, layout, *game)]
            file.write_table(arrow.Table.from_pylist(rows, columns))
            count += len(rows)
    part.replace(out)
    return count


def decisions(
    config: SimulationConfig, layout: ObservationLayout, number: int, events: list[int]
) -> list[dict[str, Any]]:
    """The rows of one game, replayed from its events. Raises BadFile."""
    setting = config.settings[0]
    game = config.rules
    players = [setting.players[k] for k in seating(game, setting, number)]
    s = game.start(setting.seats, setting.options)
    rows: list[dict[str, Any]] = []
    opening: list[int] = []
    for seat, action in _replayed(game, s, number, events):
        if seat == CHANCE:
            # An outcome belongs to the decision before it; before the first one, to the game's beginning.
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
    rows[-1]["last"] = True
    returns = utilities(s, setting.seats)
    return [{**row, "returns": returns} for row in rows]


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
