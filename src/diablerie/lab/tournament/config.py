"""The config of a tournament, which fixes its results, and its games: who plays whom in which seat.

Every player has every seat exactly equally often. A *table* is a group of players with one seed for
its dice. They play it once from each seat: its games share their dice and differ by a rotation of the
players, so the luck of the dice and of the seats cancels within a table.
"""

import random
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from math import isfinite, lcm
from typing import NamedTuple

import msgspec

import diablerie
from diablerie.engine import files
from diablerie.engine.text import say
from diablerie.lab.running.errors import Artifact, BadConfig, WithArtifact
from diablerie.lab.running.matches import Fixture, MatchRunner
from diablerie.lab.running.processes import Stop
from diablerie.lab.running.settings import (
    StudyConfig,
    TournamentSettings,
    check_players,
    option_texts,
    origin,
    settled,
)

# of the file; format 1, of diablerie 0.1, had dice of its own instead of a match's
TOURNAMENT_FORMAT = 2


class TournamentConfig(StudyConfig, frozen=True):
    """Which games are played, by whom and how often. Equal configs give equal games."""

    tournament: int  # the format of the file
    seats: int
    options: dict[str, str]
    players: tuple[str, ...]
    mixed: bool  # mixed tables, else every pair of players
    games: int  # for each pair, or in all at mixed tables
    seed: int

    @property
    def teams(self) -> tuple[int, ...]:
        """The side of each seat."""
        return self.rules.teams(self.seats)

    @property
    def sides(self) -> int:
        """How many sides play against each other at a table."""
        return len(set(self.teams))

    @property
    def runner(self) -> MatchRunner:
        """Plays the games."""
        return MatchRunner(self.rules, self.seats, self.options, self.players, self.seed)


class GameResult(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The result of one game: a line of the file. Tuples have an entry for each seat."""

    game: int  # the number of its fixture
    players: tuple[str, ...]
    returns: tuple[float, ...]
    decisions: tuple[int, ...]
    seconds: tuple[float, ...]  # mean thinking time of a decision
    opening: tuple[str, ...] = ()  # the first decision, "" without any; files of 0.1 lack it


def tournament_config(game: str, players: Sequence[str], **given: object) -> TournamentConfig:
    """A checked config. given: more settings, see `TournamentSettings`.

    Raises BadConfig, BadOption or BadSpec (all of them ValueErrors).
    """
    chosen = diablerie.game_named(game)
    asked = settled(TournamentSettings, {"players": players, **given})
    count = chosen.seats[0] if asked.seats is None else asked.seats
    texts = option_texts(chosen, count, asked.options)
    sides = len(set(chosen.teams(count)))
    mix = sides > 2 if asked.mixed is None else asked.mixed
    _check(players)
    # A pairing fills two sides; whether partners make them does not matter.
    if not mix and sides != 2:
        raise BadConfig(
            say(
                "pairings need two sides, this table has {sides}: play at mixed tables", sides=sides
            )
        )
    return TournamentConfig(
        **origin(chosen),
        tournament=TOURNAMENT_FORMAT,
        seats=count,
        options=texts,
        players=tuple(players),
        mixed=mix,
        games=rounded(asked.games, len(players), sides, mix),
        seed=asked.seed,
    )


def _check(players: Sequence[str]) -> None:
    if len(players) < 2:
        raise BadConfig(say("a tournament needs at least two players"))
    twice = [name for name in players if players.count(name) > 1]
    if twice:
        raise BadConfig(say("the player “{name}” is named twice", name=twice[0]))
    check_players(players)


def schedule(config: TournamentConfig, before: Sequence[TournamentConfig] = ()) -> list[Fixture]:
    """Every game of a tournament, in order.

    before: the configs that the tournament had until it was extended, the oldest first. Their games
    come first, so that they keep their numbers and dice. More games of the same players are the
    same games as if the first config had asked for them.
    """
    stages = [Stage(len(one.players), one.games) for one in (*before, config)]
    if config.mixed:
        tables = mixed_tables(stages, config.sides, config.seed)
    else:
        tables = round_robin(stages)
    return list(fixtures(tables, config.teams))


def warm_players(config: TournamentConfig) -> None:
    """Compile everything that the players need."""
    config.runner.warm()


def play_fixture(
    config: TournamentConfig, fixture: Fixture, stop: Stop, keep: bool = False
) -> GameResult | WithArtifact:
    """Play one game. keep: whether to return it as a match file, too.

    Raises BotFailure, or JobStopped as soon as `stop()` is true.
    """
    match, bots = config.runner.play(fixture, stop)
    result = GameResult(
        fixture.number,
        tuple(bot.name for bot in bots),
        tuple(match.returns()),
        tuple(bot.decisions for bot in bots),
        tuple(bot.mean_seconds for bot in bots),
        tuple(bot.opening for bot in bots),
    )
    if not keep:
        return result
    return WithArtifact(result, Artifact(f"{fixture.number:06}.jsonl", files.dump(match)))


def is_sound_result(_: TournamentConfig, __: Fixture, row: GameResult) -> bool:
    """Whether returns sum to 0 and lie between -1 and 1, and the rest can be."""
    sound = all(-1 <= x <= 1 for x in row.returns) and abs(sum(row.returns)) < 1e-9
    return sound and min(row.decisions) >= 0 and all(isfinite(x) for x in row.seconds)


# -- who plays whom in which seat ------------------------------------------------------------------


TablePlayers = tuple[int, ...]  # a player (by number) for each side


class Stage(NamedTuple):
    """How far a tournament goes: the number of players, and games as in `TournamentConfig`."""

    players: int
    games: int


def rounded(games: int, players: int, sides: int, mixed: bool) -> int:
    """The number of games, rounded up to full rotations of the seats."""
    turn = lcm(players, sides) if mixed else sides
    return -(-games // turn) * turn


def round_robin(stages: Iterable[Stage]) -> Iterator[TablePlayers]:
    """Every pair of players in turn, until each pair has the games of the last stage."""
    before = Stage(0, 0)
    for stage in stages:
        for turn in range(stage.games // 2):
            for pair in combinations(range(stage.players), 2):
                if pair[1] >= before.players or turn >= before.games // 2:
                    yield pair
        before = stage


def mixed_tables(stages: Iterable[Stage], sides: int, seed: int) -> Iterator[TablePlayers]:
    """Random tables; in each block of them every player appears equally often.

    A stage with new players has a generator of its own.
    """
    lot = random.Random(f"tables {seed}")
    before = 0
    done = 0
    for stage in stages:
        if before and stage.players != before:
            lot = random.Random(f"tables {seed} {stage.players}")
        while done < stage.games:
            yield from _block(stage.players, sides, lot)
            done += lcm(stage.players, sides)
        before = stage.players


def _block(players: int, sides: int, lot: random.Random) -> list[TablePlayers]:
    """Shuffled rows of all players, cut into tables of at least two different ones."""
    while True:
        row: list[int] = []
        for _ in range(lcm(players, sides) // players):
            row += lot.sample(range(players), players)
        tables = [tuple(row[i : i + sides]) for i in range(0, len(row), sides)]
        if all(len(set(table)) > 1 for table in tables):
            return tables


def fixtures(tables: Iterator[TablePlayers], teams: Sequence[int]) -> Iterator[Fixture]:
    """The games of the tables: one for each rotation of the sides."""
    number = 0
    for index, table in enumerate(tables):
        for turn in range(len(table)):
            seats = tuple(table[(side + turn) % len(table)] for side in teams)
            yield Fixture(number, index, seats)
            number += 1
