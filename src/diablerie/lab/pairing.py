"""Who plays whom, where: every player equally often in every seat, exactly.

A *table* is played once from each seat: its games share their dice and differ by a rotation of
the players, so that the luck of the dice and of the seats cancels within a table.
"""

import hashlib
import random
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from math import lcm
from typing import NamedTuple

Table = tuple[int, ...]  # a player (by number) for each side


class Stage(NamedTuple):
    """How far a tournament is to go: the number of players, and games as `Config` has them."""

    players: int
    games: int


class Fixture(NamedTuple):
    """One game to be played: its number, its table, and the player (by number) in each seat."""

    number: int
    table: int
    players: tuple[int, ...]


def rounded(games: int, players: int, sides: int, mixed: bool) -> int:
    """At least so many games, in full turns of the seats."""
    turn = lcm(players, sides) if mixed else sides
    return -(-games // turn) * turn


def round_robin(stages: Iterable[Stage]) -> Iterator[Table]:
    """Every pair of players, taking turns, until each has the games of the last stage."""
    before = Stage(0, 0)
    for stage in stages:
        for turn in range(stage.games // 2):
            for pair in combinations(range(stage.players), 2):
                if pair[1] >= before.players or turn >= before.games // 2:
                    yield pair
        before = stage


def mixed_tables(stages: Iterable[Stage], sides: int, seed: int) -> Iterator[Table]:
    """Tables drawn by lot; over each block of them every player appears equally often.

    With new players a stage begins a lot of its own.
    """
    lot, before, done = random.Random(f"tables {seed}"), 0, 0
    for stage in stages:
        if before and stage.players != before:
            lot = random.Random(f"tables {seed} {stage.players}")
        while done < stage.games:
            yield from _block(stage.players, sides, lot)
            done += lcm(stage.players, sides)
        before = stage.players


def _block(players: int, sides: int, lot: random.Random) -> list[Table]:
    """Shuffled rows of all players, cut into tables of at least two different ones."""
    while True:
        row: list[int] = []
        for _ in range(lcm(players, sides) // players):
            row += lot.sample(range(players), players)
        tables = [tuple(row[i : i + sides]) for i in range(0, len(row), sides)]
        if all(len(set(table)) > 1 for table in tables):
            return tables


def fixtures(tables: Iterator[Table], teams: Sequence[int]) -> Iterator[Fixture]:
    """The games of the tables: each once for each rotation of its sides."""
    number = 0
    for index, table in enumerate(tables):
        for turn in range(len(table)):
            seats = tuple(table[(side + turn) % len(table)] for side in teams)
            yield Fixture(number, index, seats)
            number += 1


def seed_for(seed: int, *what: int | str) -> int:
    """The seed of one generator of a tournament: of a table's dice, of a seat in a game."""
    name = " ".join(str(word) for word in (seed, *what))
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "big")
