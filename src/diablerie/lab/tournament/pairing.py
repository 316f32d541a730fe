"""Who plays whom in which seat: every player has every seat exactly equally often.

A *table* is a group of players with one seed for its dice. They play it once from each seat: its
games share their dice and differ by a rotation of the players, so the luck of the dice and of the
seats cancels within a table.
"""

import random
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from math import lcm
from typing import NamedTuple

from diablerie.lab.running.matches import Fixture

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
