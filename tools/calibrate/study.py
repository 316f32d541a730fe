"""A calibration as a study: games between bots, and playouts from some of their positions."""

import random
from collections.abc import Iterator
from contextlib import suppress
from typing import Annotated, NamedTuple

import msgspec
from msgspec import Meta
from rich.console import RenderableType

import diablerie
from diablerie.bots.rollouts import Rollouts
from diablerie.engine.rng import seeded
from diablerie.engine.text import say
from diablerie.engine.verbs import CHANCE
from diablerie.lab.html.page import (
    SummaryTable,
    estimate_cells,
    format_estimate,
    format_fine,
    format_percent,
    terminal_report,
)
from diablerie.lab.running.errors import BadConfig, BotFailure
from diablerie.lab.running.matches import Fixture, MatchRunner, replayed
from diablerie.lab.running.processes import Stop
from diablerie.lab.running.settings import (
    SPECS,
    GameOptions,
    Seed,
    StudyConfig,
    check_players,
    option_texts,
    origin,
    seed_for,
    settled,
)
from diablerie.lab.running.study import Results, Study
from diablerie.lab.statistics import Estimate
from tools.calibrate.reliability import (
    PredictedGame,
    Reliability,
    fit_temperature,
    predictions,
    reliability,
)

CALIBRATION_FORMAT = 1  # of the file


class CalibrationSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which games are played and which positions are examined."""

    seats: Annotated[
        int | None, Meta(description="Number of players; every number in turn if left out.")
    ] = None
    options: GameOptions = {}
    players: Annotated[
        tuple[str, ...], Meta(description="Bots; they sit in random seats.", extra=SPECS)
    ] = ("sensible", "search:n=300")
    games: Annotated[int, Meta(ge=1, le=1_000_000, description="How many games to play.")] = 1000
    positions: Annotated[
        int, Meta(ge=1, le=1000, description="How many positions of each game to check.")
    ] = 4
    playouts: Annotated[
        int,
        Meta(ge=1, le=100_000, description="How many games to play on from each position."),
    ] = 100
    seed: Seed = 1


class CalibrationConfig(StudyConfig, frozen=True):
    """Which games are played and which positions are examined. Equal configs give equal results."""

    calibration: int  # the format of the file
    seats: tuple[int, ...]  # numbers of players, one after the other
    options: dict[str, str]
    players: tuple[str, ...]  # each seat gets one of them at random
    games: int
    positions: int  # of each game
    playouts: int  # from each position
    seed: int


class CalibrationGame(NamedTuple):
    """A job: the game of this number, for so many players."""

    number: int
    seats: int


def calibration_config(game: str, **given: object) -> CalibrationConfig:
    """A checked config. given: the settings, see `CalibrationSettings`.

    Raises BadConfig, BadOption or BadSpec (all of them ValueErrors).
    """
    chosen = diablerie.game_named(game)
    asked = settled(CalibrationSettings, given)
    # Chances are told for every number of players, so all are checked, unless one is named.
    sizes = (asked.seats,) if asked.seats is not None else chosen.seats
    if not asked.players:
        raise BadConfig(say("somebody has to play"))
    check_players(asked.players)
    return CalibrationConfig(
        **origin(chosen),
        calibration=CALIBRATION_FORMAT,
        seats=sizes,
        options=option_texts(chosen, sizes[0], asked.options),
        players=asked.players,
        games=asked.games,
        positions=asked.positions,
        playouts=asked.playouts,
        seed=asked.seed,
    )


def warm_game(config: CalibrationConfig) -> None:
    """Compile everything that a game needs, by a game that does not count."""
    with suppress(BotFailure):
        predict_game(config, CalibrationGame(0, config.seats[0]), lambda: False)


def predict_game(config: CalibrationConfig, job: CalibrationGame, stop: Stop) -> PredictedGame:
    """Play a game. Raises BotFailure, or JobStopped as soon as `stop()` is true."""

    def seed(what: str, *more: int) -> int:
        return seed_for(config.seed, "calibration", config.game, what, job.number, *more)

    game = config.rules
    lot = random.Random(seed("seats"))
    rng = random.Random(seed("positions"))
    seats = tuple(lot.randrange(len(config.players)) for _ in range(job.seats))
    runner = MatchRunner(game, job.seats, config.options, config.players, seed("games"))
    match, _ = runner.play(Fixture(job.number, job.number, seats), stop)
    states = [s.copy() for s, seat, _ in replayed(match) if seat != CHANCE]
    places = sorted(rng.sample(range(len(states)), min(config.positions, len(states))))
    chances = Rollouts(game).chances
    return PredictedGame(
        game=job.number,
        chances=[chances(states[k], seeded(seed("playouts", k)), config.playouts) for k in places],
        won=[x > 0 for x in match.returns()],
    )


class CalibrationSummary(msgspec.Struct, frozen=True):
    """The summary of a calibration.

    raw: of the shares of playouts; calibrated: of the chances that people see, at the temperature;
    fitted: the temperature that would have been best for these games.
    """

    config: CalibrationConfig
    games: int
    raw: Reliability
    temperature: float
    calibrated: Reliability
    fitted: Estimate


CalibrationResults = Results[CalibrationConfig, PredictedGame, CalibrationSummary]


def calibration_games(config: CalibrationConfig) -> Iterator[CalibrationGame]:
    """The games; the numbers of players take turns."""
    for number in range(config.games):
        yield CalibrationGame(number, config.seats[number % len(config.seats)])


def is_sound_prediction(
    config: CalibrationConfig, job: CalibrationGame, row: PredictedGame
) -> bool:
    """Whether there are chances for each seat, between 0 and 1."""
    return (
        len(row.won) == job.seats
        and 0 < len(row.chances) <= config.positions
        and all(len(one) == job.seats for one in row.chances)
        and all(0 <= x <= 1 for one in row.chances for x in one)
    )


def calibration(
    temperature: float | None = None,
) -> Study[CalibrationConfig, PredictedGame, CalibrationSummary]:
    """The study. temperature: instead of the game's."""

    def summary(results: CalibrationResults, _: object) -> CalibrationSummary | None:
        if not results.played:
            return None
        config = results.config
        data = predictions(results.rows)
        # The file has the shares of the playouts: another temperature needs no new games.
        used = config.rules.temperature if temperature is None else temperature
        return CalibrationSummary(
            config=config,
            games=len(results.played),
            raw=reliability(data),
            temperature=used,
            calibrated=reliability(data, used),
            fitted=fit_temperature(data),
        )

    functions = calibration_games, warm_game, predict_game, is_sound_prediction, summary
    return Study(PredictedGame, *functions, unit="game")


def calibration_tables(summary: CalibrationSummary) -> RenderableType:
    """Chances and shares won by tenths, and how good they are with and without temperature."""
    config = summary.config
    title = (
        f"{config.game}, {summary.games} games of {', '.join(config.players)}, seed {config.seed}"
    )
    tenths = [
        (
            f"{100 * one.low:.0f} to {100 * one.high:.0f} %",
            format_percent(one.predicted),
            *estimate_cells(one.won, format_percent),
            str(one.chances),
            str(one.games),
        )
        for one in summary.calibrated.tenths
    ]
    # Beside each other: what the temperature does for the error.
    scores = [
        (
            name,
            format_fine(one.brier),
            format_percent(one.error),
            *estimate_cells(one.seventy, format_percent),
        )
        for name, one in (
            ("as played out", summary.raw),
            (f"at temperature {summary.temperature:g}", summary.calibrated),
        )
    ]
    fitted = format_estimate(summary.fitted, lambda x: f"{x:.2f}")
    return terminal_report(
        title,
        [
            SummaryTable(
                "chances", ("predicted", "mean", "won", "95 %", "predictions", "games"), tenths
            ),
            SummaryTable(
                "scores", ("", "Brier score", "calibration error", "65 to 75 % won", "95 %"), scores
            ),
        ],
        f"The temperature of the least Brier score for these games: {fitted}",
        calibration_finding(summary),
    )


def calibration_finding(summary: CalibrationSummary) -> str:
    """What was found, in a sentence: whether chances can be trusted, or which way they err."""
    used = summary.temperature
    fitted = summary.fitted
    if fitted.low <= used <= fitted.high:
        found = "The chances agree with who wins, as far as these games show"
    elif used < fitted.low:
        found = "The chances are too confident"
    else:
        found = "The chances are too cautious"
    best = format_estimate(fitted, lambda x: f"{x:.2f}")
    error = format_percent(summary.calibrated.error)
    return f"{found}: calibration error {error}, best temperature {best} (used: {used:g})."
